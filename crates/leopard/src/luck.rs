//! Luck of a hand: how much each drawn card changed the expected result (the control variate of AIVAT;
//! Burch et al. 2018, *AIVAT: A New Variance Reduction Technique for Agent Evaluation*).
//!
//! A network that sees both hands and the stock estimates the result before and after each draw. It was
//! trained beforehand on seeds of its own. The arena alone uses it, after a hand; no bot can reach it.

use smallvec::SmallVec;

use super::network::{Evaluator, Features, NetworkFile, ONE, SeatPlayers};
use super::state::RecordingDeck;
use super::{Leopard, Move, Rules, State};
use parlour_base::cards::Card;
use parlour_base::chance::Stream;
use parlour_game::{LUCK_UNIT, LuckEvaluator, Ruled, Seat};

/// The features of networks that measure luck.
pub(super) const FEATURES: [Features; 2] = [Features::State, Features::DetailedState];

/// The network file that comes with the program.
pub(super) const BUILT_IN: &[u8] = include_bytes!("network/luck.network");

/// A card that a seat drew.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The state before the draw.
    pub before: State,
    /// The seat that drew.
    pub seat: Seat,
    /// The card.
    pub card: Card,
}

impl Draw {
    /// The state after the draw, if this card had come.
    pub fn with(&self, card: Card) -> State {
        let (mut state, seat) = (self.before, self.seat.side());
        state.stock.remove(card);
        state.stock_len -= 1;
        state.hands[seat].add(card);
        state.held[seat] += 1;
        state
    }

    /// The luck of the draw for the seat to move, in parts of [`ONE`]: the share of the win after
    /// it, less the mean over the stock.
    fn luck(&self, rules: &Rules, players: SeatPlayers, evaluator: &mut Evaluator<'_>) -> i64 {
        let stock = self.before.stock();
        let (mut sum, mut came) = (0, 0);
        for card in stock.distinct() {
            let share = evaluator.share(rules, &self.with(card), players);
            sum += i64::from(stock.count(card)) * share;
            if card == self.card {
                came = share;
            }
        }
        let count = i64::from(stock.len());
        // Rounded half up, so that no error adds up over a hand.
        came - (2 * sum + count).div_euclid(2 * count)
    }
}

/// Calls `visit` with every draw of a hand, the cards dealt first, and returns the end of the hand.
/// `start` is the stream before the deal. While cards are dealt, the first seat is to move.
pub fn for_each_draw(
    game: &Leopard,
    start: &Stream,
    moves: &[(Seat, Move)],
    visit: &mut impl FnMut(&Draw),
) -> State {
    let rules = &game.rules;
    let mut deck = RecordingDeck { stream: start.clone(), drawn: SmallVec::new() };
    let mut state = State::dealt(rules, &mut deck);
    let size = usize::from(rules.hand_size);
    visit_draws(&mut deck, &state, |at| Seat(u8::from(at >= size)), visit);
    state.begin_turn(rules, &mut deck);
    visit_draws(&mut deck, &state, |_| state.seat, visit);
    for (_, mv) in moves {
        state.play(rules, *mv, &mut deck);
        visit_draws(&mut deck, &state, |_| state.seat, visit);
    }
    state
}

/// Visits the recorded draws that led to a state, in order, and forgets them.
fn visit_draws(
    deck: &mut RecordingDeck,
    after: &State,
    seat_of: impl Fn(usize) -> Seat,
    visit: &mut impl FnMut(&Draw),
) {
    let mut before = *after;
    for (at, card) in deck.drawn.iter().enumerate() {
        let seat = seat_of(at).side();
        before.hands[seat].remove(*card);
        before.held[seat] -= 1;
        before.stock.add(*card);
        before.stock_len += 1;
    }
    for (at, card) in deck.drawn.drain(..).enumerate() {
        let draw = Draw { before, seat: seat_of(at), card };
        visit(&draw);
        before = draw.with(card);
    }
}

impl LuckEvaluator<Leopard> for NetworkFile {
    fn check_game(&self, game: &Leopard) -> Result<(), String> {
        match &self.rules {
            Some(rules) if rules != game.rules() => {
                Err("it was trained under other rules".to_owned())
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
        let known = |player: &&str| self.players.iter().position(|known| known == player);
        let players = [0, 1].map(|seat| players.get(seat).and_then(known));
        let (mut sum, mut evaluator) = (0, self.net.evaluator());
        for_each_draw(game, start, moves, &mut |draw| {
            let luck = draw.luck(game.rules(), players, &mut evaluator);
            // The luck of the seat to move is the first seat's, or its negative.
            sum += if draw.before.seat == Seat(0) { luck } else { -luck };
        });
        let parts = ONE / LUCK_UNIT;
        (sum + parts / 2).div_euclid(parts)
    }

    fn win_share(&self, game: &Leopard, state: &State, seat: Seat) -> i64 {
        let mut evaluator = self.net.evaluator();
        let share = evaluator.share(game.rules(), state, [None; 2]) / (ONE / LUCK_UNIT);
        if state.seat == seat { share } else { LUCK_UNIT - share }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bots::Greedy;
    use crate::network::{LUCK_HIDDEN, Net, WIDTH_STEP};
    use parlour_base::chance::{Seed, Stream};
    use parlour_game::{Game, Policy, Turn};

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

    fn luck_network() -> NetworkFile {
        NetworkFile::read(BUILT_IN, &FEATURES).unwrap()
    }

    #[test]
    fn mean_luck_of_a_draw_is_zero() {
        let luck = luck_network();
        for (seed, preset) in (0..).zip(Leopard::presets()) {
            let game = Leopard::new(&preset.rules).unwrap();
            let (start, moves) = hand(&game, seed);
            let (mut count, mut spread) = (0, 0);
            let mut evaluator = luck.net.evaluator();
            for_each_draw(&game, &start, &moves, &mut |draw| {
                count += 1;
                if count % 9 > 0 {
                    return;
                }
                let stock = draw.before.stock();
                let mut luck_of = |card| {
                    let draw = Draw { card, ..draw.clone() };
                    draw.luck(game.rules(), [None; 2], &mut evaluator)
                };
                let times = |card| i64::from(stock.count(card));
                let sum: i64 = stock.distinct().map(|card| times(card) * luck_of(card)).sum();
                // Half a part of 2⁻³² for each card of the stock: the mean is rounded.
                assert!(sum.abs() <= i64::from(stock.len()), "{sum} in {}", preset.name);
                spread += stock.distinct().map(|card| luck_of(card).abs()).sum::<i64>();
            });
            assert!(spread > ONE, "cards differ in {}", preset.name);
        }
    }

    #[test]
    fn draws_match_the_hand_that_was_played() {
        for preset in Leopard::presets() {
            let game = Leopard::new(&preset.rules).unwrap();
            let (start, moves) = hand(&game, 7);
            let mut last = None;
            let end = for_each_draw(&game, &start, &moves, &mut |draw| {
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
    fn incremental_evaluation_matches_a_fresh_one() {
        let mut net = Net::zero(Features::DetailedState, WIDTH_STEP);
        let mut chance = Seed::new(4).stream();
        for weights in net.weights() {
            weights.iter_mut().for_each(|weight| *weight = chance.below(201) as i16 - 100);
        }
        let game = Leopard::new(&Rules::REVISED).unwrap();
        let (start, moves) = hand(&game, 11);
        let (mut evaluator, mut shares) = (net.evaluator(), Vec::new());
        for_each_draw(&game, &start, &moves, &mut |draw| {
            let state = draw.with(draw.card);
            let share = evaluator.share(game.rules(), &state, [Some(1), None]);
            assert_eq!(share, net.evaluator().share(game.rules(), &state, [Some(1), None]));
            shares.push(share);
        });
        shares.dedup();
        assert!(shares.len() > 20, "positions differ");
    }

    #[test]
    fn state_features_are_the_same_for_a_turned_position() {
        let game = Leopard::new(&Rules::REVISED).unwrap();
        let (start, moves) = hand(&game, 5);
        let mut last = None;
        for_each_draw(&game, &start, &moves, &mut |draw| last = Some(draw.with(draw.card)));
        let state = last.unwrap();
        let features_of = |features: Features, state: &State| {
            let net: Net = Net::zero(features, WIDTH_STEP);
            let (mut active, players) = (Vec::new(), [Some(0), Some(1)]);
            let add = &mut |feature| active.push(feature);
            net.for_each_feature(game.rules(), state, players, add);
            active.sort_unstable();
            active
        };
        let mirror = |cell: usize| 3 * (cell / 3) + 2 - cell % 3;
        let transpose = |cell: usize| 3 * (cell % 3) + cell / 3;
        let card = |rank: usize, suit: usize| Card::from_index((4 * rank + suit) as u8);
        let maps: [&dyn Fn(usize, usize) -> Card; 4] = [
            &|rank, suit| card(if rank < 9 { mirror(rank) } else { rank }, suit),
            &|rank, suit| card(if rank < 9 { transpose(rank) } else { rank }, suit),
            &|rank, suit| card(rank, if suit % 3 == 0 { 3 - suit } else { suit }),
            &|rank, suit| card(rank, suit ^ 1),
        ];
        for map in maps {
            let map = |card: Card| map(usize::from(card.index()) / 4, card.suit().index());
            let turned = state.map_cards(map);
            assert_eq!(turned.map_cards(map), state, "each map undoes itself");
            let [plain, detailed] = [Features::State, Features::DetailedState];
            assert_eq!(features_of(plain, &state), features_of(plain, &turned));
            assert_ne!(features_of(detailed, &state), features_of(detailed, &turned));
        }
    }

    #[test]
    fn mean_luck_of_hands_is_zero() {
        let (network, game) = (luck_network(), Leopard::new(&Rules::REVISED).unwrap());
        let hands = 120;
        let (mut sum, mut squares) = (0, 0);
        for seed in 0..hands {
            let (start, moves) = hand(&game, 100 + seed);
            let luck = network.luck(&game, &start, &moves, &[]);
            sum += luck;
            squares += luck * luck;
        }
        let error = ((squares as f64).sqrt()) / hands as f64;
        let mean = sum as f64 / hands as f64;
        assert!(mean.abs() < 3.0 * error, "{mean} ± {error}");
        assert!(error * (hands as f64).sqrt() > 0.1 * LUCK_UNIT as f64, "there is luck");
    }

    #[test]
    fn a_network_file_reads_back_and_damage_is_an_error() {
        let all = [Features::State, Features::DetailedState];
        let known = NetworkFile::read(BUILT_IN, &all).unwrap();
        assert_eq!(
            (&known.rules, known.net.hidden, known.net.features),
            (&None, LUCK_HIDDEN, Features::State)
        );
        let mut net = Net::zero(Features::DetailedState, 2 * WIDTH_STEP);
        let mut chance = Seed::new(2).stream();
        net.rows.iter_mut().for_each(|weight| *weight = chance.bits() as i16);
        let rules = Some(Rules::REVISED);
        let players = vec!["steady".to_owned(), "brisk".to_owned()];
        for file in [known, NetworkFile { net, rules, players }] {
            assert_eq!(NetworkFile::read(&file.to_bytes("x"), &all), Ok(file));
        }
        let mut chance = Seed::new(1).stream();
        for _ in 0..50 {
            let mut file = BUILT_IN[..chance.below(BUILT_IN.len() as u32) as usize].to_vec();
            if let Some(byte) = file.get_mut(chance.below(300) as usize) {
                *byte = chance.below(256) as u8;
            }
            assert!(NetworkFile::read(&file, &all).is_err());
        }
    }
}
