//! The judge of luck: what each card was worth as it came, said after the hand by a network that
//! sees both hands and the stock.
//!
//! It was taught beforehand what positions come to (`lab teach-judge`, on seeds of its own), and is
//! used by the arena alone. Nothing of it is within a bot's reach.

mod draws;
mod net;
mod rows;
mod side;

use super::{Leopard, Move, Rules, State};
use crate::chance::Stream;
use crate::game::{Judge, LUCK, Ruled, Seat};

pub use draws::{Draw, draws};
pub use net::{HIDDEN, Layer, MOST, Net, PARTS, STAGES, stage};
pub use rows::{ROWS, rows};

/// The judge that comes with the program.
pub(super) const FILE: &[u8] = include_bytes!("leopard.judge");

/// A judge of Leopard's hands.
pub(super) struct Expert {
    net: Net,
    /// The rules that it judges, if those alone.
    rules: Option<Rules>,
}

impl Expert {
    /// Reads a judge file.
    pub fn read(file: &[u8]) -> Result<Expert, String> {
        Net::read(file).map(|(net, rules)| Expert { net, rules })
    }

    /// What a card was worth to the seat to move as it came, in parts of [`net::WHOLE`]: the value
    /// after it less the mean over the stock.
    fn worth(&self, rules: &Rules, draw: &Draw) -> i64 {
        let stock = draw.before.stock();
        let (mut sum, mut came) = (0, 0);
        for card in stock.distinct() {
            let share = self.net.share(rules, &draw.with(card));
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

impl Judge<Leopard> for Expert {
    fn fits(&self, game: &Leopard) -> Result<(), String> {
        match &self.rules {
            Some(rules) if rules != game.rules() => {
                Err("it is the judge of other rules".to_owned())
            }
            _ => Ok(()),
        }
    }

    fn luck(&self, game: &Leopard, start: &Stream, moves: &[(Seat, Move)]) -> i64 {
        let mut sum = 0;
        draws(game, start, moves, &mut |draw| {
            let worth = self.worth(game.rules(), draw);
            // The share is the mover's: the first seat's, or what the first seat does not get.
            sum += if draw.before.seat == Seat(0) { worth } else { -worth };
        });
        let parts = net::WHOLE / LUCK;
        (sum + parts / 2).div_euclid(parts)
    }

    fn share(&self, game: &Leopard, state: &State, seat: Seat) -> i64 {
        let share = self.net.share(game.rules(), state) / (net::WHOLE / LUCK);
        if state.seat == seat { share } else { LUCK - share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Seed;
    use crate::game::{Game, Turn};
    use crate::games::leopard::bots::Greedy;
    use crate::{Policy, Stream};

    /// A hand of greedy players: the chance before its deal, and its moves.
    fn hand(game: &Leopard, seed: u64) -> (Stream, Vec<(Seat, Move)>) {
        let start = Seed::new(seed).stream();
        let (mut chance, mut choice) = (start.clone(), Seed::new(seed).child(1).stream());
        let (mut state, mut moves) = (game.deal(&mut chance), Vec::new());
        while let Turn::Of(seat) = game.turn(&state) {
            let mv = Greedy.pick(game, &game.view(&state, seat), &mut choice);
            game.play(&mut state, mv, &mut chance);
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
            draws(&game, &start, &moves, &mut |draw| {
                count += 1;
                if count % 9 > 0 {
                    return;
                }
                let stock = draw.before.stock();
                let worth = |card| expert.worth(game.rules(), &Draw { card, ..draw.clone() });
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
                game.play(&mut state, *mv, &mut chance);
                if before != state.stock() {
                    drawn = Some((state.seat, state.hand(state.seat)));
                }
            }
            assert_eq!((end, last), (state, drawn), "{}", preset.name);
        }
    }

    #[test]
    fn hands_have_no_luck_on_the_mean() {
        let (expert, game) = (expert(), Leopard::new(&Rules::REVISED).unwrap());
        let hands = 120;
        let (mut sum, mut squares) = (0, 0);
        for seed in 0..hands {
            let (start, moves) = hand(&game, 100 + seed);
            let luck = expert.luck(&game, &start, &moves);
            sum += luck;
            squares += luck * luck;
        }
        let error = ((squares as f64).sqrt()) / hands as f64;
        let mean = sum as f64 / hands as f64;
        assert!(mean.abs() < 3.0 * error, "{mean} ± {error}");
        assert!(error * (hands as f64).sqrt() > 0.1 * LUCK as f64, "there is luck");
    }

    #[test]
    fn a_file_reads_back_and_damage_is_no_panic() {
        let (net, rules) = Net::read(FILE).unwrap();
        assert_eq!(rules, None);
        assert_eq!(
            Net::read(&net.file(Some(&Rules::REVISED), "x")),
            Ok((net, Some(Rules::REVISED)))
        );
        let mut chance = Seed::new(1).stream();
        for _ in 0..50 {
            let mut file = FILE[..chance.below(FILE.len() as u32) as usize].to_vec();
            if let Some(byte) = file.get_mut(chance.below(300) as usize) {
                *byte = chance.below(256) as u8;
            }
            assert!(Net::read(&file).is_err());
        }
    }
}
