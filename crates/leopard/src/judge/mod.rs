//! The judge of luck: what each card was worth as it came, said after the hand by a network that
//! sees both hands and the stock.
//!
//! It was taught beforehand what positions come to (`lab teach-judge`, on seeds of its own), and is
//! used by the arena alone. Nothing of it is within a bot's reach.

mod detail;
mod draws;
mod net;
mod rows;
mod side;

use super::{Leopard, Move, Rules, State};
use crate::chance::Stream;
use crate::game::{LUCK_UNIT, LuckEvaluator, Ruled, Seat};

pub use detail::{PLAYERS, Sitting, Symmetry};
pub use draws::{Draw, draws};
use net::Looking;
pub use net::{HIDDEN, MOST, Net, PARTS, STAGES, STEP, WIDEST, Written, stage};

/// The judge that comes with the program.
pub(super) const FILE: &[u8] = include_bytes!("leopard.judge");

/// A judge of Leopard's hands.
pub(super) struct Expert(Written);

impl Expert {
    /// Reads a judge file.
    pub fn read(file: &[u8]) -> Result<Expert, String> {
        Written::read(file).map(Expert)
    }

    /// What a card was worth to the seat to move as it came, in parts of [`net::WHOLE`]: the value
    /// after it less the mean over the stock.
    fn worth(rules: &Rules, draw: &Draw, sitting: Sitting, looking: &mut Looking<'_>) -> i64 {
        let stock = draw.before.stock();
        let (mut sum, mut came) = (0, 0);
        for card in stock.distinct() {
            let share = looking.share(rules, &draw.with(card), sitting);
            sum += i64::from(stock.count(card)) * share;
            if card == draw.card {
                came = share;
            }
        }
        let count = i64::from(stock.len());
        // Rounded half up, so that nothing piles up over a hand.
        came - (2 * sum + count).div_euclid(2 * count)
    }
}

impl LuckEvaluator<Leopard> for Expert {
    fn check_game(&self, game: &Leopard) -> Result<(), String> {
        match &self.0.rules {
            Some(rules) if rules != game.rules() => {
                Err("it is the judge of other rules".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn luck(
        &self,
        game: &Leopard,
        start: &Stream,
        moves: &[(Seat, Move)],
        players: &[&str],
    ) -> i64 {
        let known = |player: &&str| self.0.players.iter().position(|known| known == player);
        let sitting = [0, 1].map(|seat| players.get(seat).and_then(known));
        let (mut sum, mut looking) = (0, self.0.net.looking());
        draws(game, start, moves, &mut |draw| {
            let worth = Expert::worth(game.rules(), draw, sitting, &mut looking);
            // The share is the mover's: the first seat's, or what the first seat does not get.
            sum += if draw.before.seat == Seat(0) { worth } else { -worth };
        });
        let parts = net::WHOLE / LUCK_UNIT;
        (sum + parts / 2).div_euclid(parts)
    }

    fn win_share(&self, game: &Leopard, state: &State, seat: Seat) -> i64 {
        let mut looking = self.0.net.looking();
        let share = looking.share(game.rules(), state, [None; 2]) / (net::WHOLE / LUCK_UNIT);
        if state.seat == seat { share } else { LUCK_UNIT - share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;
    use crate::bots::Greedy;
    use crate::cards::{Card, Pile};
    use crate::cells::Cell;
    use crate::chance::Seed;
    use crate::chance::Stream;
    use crate::game::Policy;
    use crate::game::{Game, Turn};

    /// A hand of greedy players: the chance before its deal, and its moves.
    fn hand(game: &Leopard, seed: u64) -> (Stream, Vec<(Seat, Move)>) {
        let start = Seed::new(seed).stream();
        let (mut chance, mut choice) = (start.clone(), Seed::new(seed).child(1).stream());
        let (mut state, mut moves) = (game.deal(&mut chance), Vec::new());
        while let Turn::Seat(seat) = game.turn(&state) {
            let mv = Greedy.pick(game, &game.view(&state, seat), &mut choice);
            game.apply(&mut state, mv, &mut chance);
            moves.push((seat, mv));
        }
        (start, moves)
    }

    fn expert() -> Expert {
        Expert::read(FILE).unwrap()
    }

    #[test]
    fn a_draw_has_no_luck_on_the_mean_of_its_cards() {
        let expert = expert();
        for (seed, preset) in (0..).zip(Leopard::presets()) {
            let game = Leopard::new(&preset.rules).unwrap();
            let (start, moves) = hand(&game, seed);
            let (mut count, mut spread) = (0, 0);
            let mut looking = expert.0.net.looking();
            draws(&game, &start, &moves, &mut |draw| {
                count += 1;
                if count % 9 > 0 {
                    return;
                }
                let stock = draw.before.stock();
                let mut worth = |card| {
                    let draw = Draw { card, ..draw.clone() };
                    Expert::worth(game.rules(), &draw, [None; 2], &mut looking)
                };
                let times = |card| i64::from(stock.count(card));
                let sum: i64 = stock.distinct().map(|card| times(card) * worth(card)).sum();
                // Half a part of 2⁻³² for each card of the stock: the mean is rounded.
                assert!(sum.abs() <= i64::from(stock.len()), "{sum} in {}", preset.name);
                spread += stock.distinct().map(|card| worth(card).abs()).sum::<i64>();
            });
            assert!(spread > net::WHOLE, "cards differ in {}", preset.name);
        }
    }

    #[test]
    fn the_draws_are_those_that_were_played() {
        for preset in Leopard::presets() {
            let game = Leopard::new(&preset.rules).unwrap();
            let (start, moves) = hand(&game, 7);
            let mut last = None;
            let end = draws(&game, &start, &moves, &mut |draw| {
                let after = draw.with(draw.card);
                assert_eq!(after.stock().len() + 1, draw.before.stock().len());
                last = Some((draw.seat, after.hand(draw.seat)));
            });
            let mut chance = start.clone();
            let mut state = game.deal(&mut chance);
            let mut drawn = None;
            for (_, mv) in &moves {
                let before = state.stock();
                game.apply(&mut state, *mv, &mut chance);
                if before != state.stock() {
                    drawn = Some((state.seat, state.hand(state.seat)));
                }
            }
            assert_eq!((end, last), (state, drawn), "{}", preset.name);
        }
    }

    #[test]
    fn what_is_added_up_from_position_to_position_is_what_is_said_of_each() {
        let mut net = Net::zero(STEP, true);
        let mut chance = Seed::new(4).stream();
        for weights in net.parts() {
            weights.iter_mut().for_each(|weight| *weight = chance.below(201) as i16 - 100);
        }
        let game = Leopard::new(&Rules::REVISED).unwrap();
        let (start, moves) = hand(&game, 11);
        let (mut looking, mut said) = (net.looking(), Vec::new());
        draws(&game, &start, &moves, &mut |draw| {
            let state = draw.with(draw.card);
            let share = looking.share(game.rules(), &state, [Some(1), None]);
            assert_eq!(share, net.looking().share(game.rules(), &state, [Some(1), None]));
            said.push(share);
        });
        said.dedup();
        assert!(said.len() > 20, "positions differ");
    }

    /// A position, its cards and cells exchanged as this symmetry does.
    fn turned(state: &State, symmetry: &Symmetry) -> State {
        let card = |card: Card| Card::from_index(symmetry.card(card.index().into()) as u8);
        let pile = |pile: Pile| pile.cards().map(card).collect();
        let square = |square: Square| {
            let mut turned = Square::EMPTY;
            for cell in Cell::ALL {
                if let Some(suit) = square.at(cell) {
                    // The number card of a cell, of the suit that lies there.
                    let there = card(Card::from_index((4 * cell.index() + suit.index()) as u8));
                    turned.lay(Cell::of_number(there), there.suit());
                }
            }
            turned
        };
        State {
            hands: state.hands.map(pile),
            stock: pile(state.stock),
            squares: state.squares.map(square),
            ..*state
        }
    }

    #[test]
    fn a_symmetry_tells_what_the_turned_position_tells() {
        let game = Leopard::new(&Rules::REVISED).unwrap();
        let (start, moves) = hand(&game, 5);
        let mut last = None;
        draws(&game, &start, &moves, &mut |draw| last = Some(draw.with(draw.card)));
        let state = last.unwrap();
        let told = |detailed: bool, state: &State, symmetry: &Symmetry| {
            let net: Net = Net::zero(STEP, detailed);
            let (mut told, sitting) = (Vec::new(), [Some(0), Some(1)]);
            net.tell(game.rules(), state, sitting, symmetry, &mut |row| told.push(row));
            told.sort_unstable();
            told
        };
        let same = |detailed, state: &State| told(detailed, state, &Symmetry::SAME);
        let mut all = std::collections::BTreeSet::new();
        for symmetry in Symmetry::all() {
            let turned = turned(&state, &symmetry);
            assert_eq!(told(true, &state, &symmetry), same(true, &turned));
            assert_eq!(same(false, &state), same(false, &turned), "these rows do not see it");
            all.insert(same(true, &turned));
        }
        assert_eq!(all.len(), 64, "a position that has no symmetry of its own");
    }

    #[test]
    fn hands_have_no_luck_on_the_mean() {
        let (expert, game) = (expert(), Leopard::new(&Rules::REVISED).unwrap());
        let hands = 120;
        let (mut sum, mut squares) = (0, 0);
        for seed in 0..hands {
            let (start, moves) = hand(&game, 100 + seed);
            let luck = expert.luck(&game, &start, &moves, &[]);
            sum += luck;
            squares += luck * luck;
        }
        let error = ((squares as f64).sqrt()) / hands as f64;
        let mean = sum as f64 / hands as f64;
        assert!(mean.abs() < 3.0 * error, "{mean} ± {error}");
        assert!(error * (hands as f64).sqrt() > 0.1 * LUCK_UNIT as f64, "there is luck");
    }

    #[test]
    fn a_file_reads_back_and_damage_is_no_panic() {
        let known = Written::read(FILE).unwrap();
        assert_eq!((&known.rules, known.net.hidden, known.net.detailed), (&None, HIDDEN, false));
        let mut net = Net::zero(2 * STEP, true);
        let mut chance = Seed::new(2).stream();
        net.rows.iter_mut().for_each(|weight| *weight = chance.bits() as i16);
        let rules = Some(Rules::REVISED);
        let players = vec!["steady".to_owned(), "brisk".to_owned()];
        for judge in [known, Written { net, rules, players }] {
            assert_eq!(Written::read(&judge.file("x")), Ok(judge));
        }
        let mut chance = Seed::new(1).stream();
        for _ in 0..50 {
            let mut file = FILE[..chance.below(FILE.len() as u32) as usize].to_vec();
            if let Some(byte) = file.get_mut(chance.below(300) as usize) {
                *byte = chance.below(256) as u8;
            }
            assert!(Written::read(&file).is_err());
        }
    }
}
