//! Uniformly random play to the end of a hand.

use super::state::Deck;
use super::{Covers, End, KnockWindow, Plays, Rules, State, View};
use parlour_base::cards::{Card, Pile, Shoe};
use parlour_base::chance::Stream;
use parlour_game::Seat;

/// The stock of a playout, arranged for drawing, and the stream of moves and draws. The stock in
/// the state stays unchanged until the playout is over.
struct PlayoutDeck {
    shoe: Shoe,
    chance: Stream,
    /// Half of 64 random bits, left over by the move for the next draw.
    spare: Option<u32>,
}

impl Deck for PlayoutDeck {
    #[inline(always)]
    fn draw(&mut self, _: &mut Pile, len: u8) -> Card {
        let bits = self.spare.take().unwrap_or_else(|| (self.chance.bits() >> 32) as u32);
        let len = u32::from(len);
        self.shoe.take(self.chance.below_with(bits, len), len)
    }
}

/// Evaluates `$play` with the rules as `$known`, and `$many` if a turn may have several moves. The
/// named variants have two kinds of turn; each gets a copy of `$play` in which the compiler knows
/// it. With one play a turn, no play precedes a knock.
macro_rules! by_kind_of_turn {
    ($rules:expr, |$known:ident, $many:ident| $play:expr) => {{
        let rules: &Rules = $rules;
        let (face_down_covers, knock_window) = (Covers::FaceUp, KnockWindow::BeforePlay);
        match rules {
            Rules { plays: Plays::One, draw: 1, face_down_covers: Covers::FaceUp, .. } => {
                const $many: bool = false;
                let plays = Plays::One;
                let $known =
                    Rules { plays, draw: 1, knock_window, face_down_covers, ..rules.clone() };
                $play
            }
            Rules {
                plays: Plays::Many,
                draw: 2,
                face_down_covers: Covers::FaceUp,
                knock_window: KnockWindow::BeforePlay,
                ..
            } => {
                const $many: bool = true;
                let plays = Plays::Many;
                let $known =
                    Rules { plays, draw: 2, knock_window, face_down_covers, ..rules.clone() };
                $play
            }
            _ => {
                const $many: bool = true;
                let $known = rules.clone();
                $play
            }
        }
    }};
}
pub(super) use by_kind_of_turn;

/// Plays uniformly random moves to the end; returns their number.
pub(super) fn run(rules: &Rules, state: &mut State, chance: &mut Stream) -> u32 {
    by_kind_of_turn!(rules, |known, MANY| play_out::<MANY>(known, state, chance))
}

/// If `MANY` is false, no turn has a second move.
#[inline(always)]
fn play_out<const MANY: bool>(rules: Rules, state: &mut State, chance: &mut Stream) -> u32 {
    // Copies without pointers to them, so that they can live in registers.
    let mut hand = *state;
    let mut table = PlayoutDeck { shoe: Shoe::of(hand.stock), chance: chance.clone(), spare: None };
    let mut moves = 0;
    while hand.end == End::Open {
        // One copy for each seat, so that its data lies in a known place.
        match hand.seat {
            Seat(0) => play_move::<MANY, 0>(&rules, &mut hand, &mut table),
            _ => play_move::<MANY, 1>(&rules, &mut hand, &mut table),
        }
        moves += 1;
    }
    hand.stock = table.shoe.rest(u32::from(hand.stock_len));
    *state = hand;
    *chance = table.chance;
    moves
}

/// Plays one move of the seat `SEAT`, which is to move.
#[inline(always)]
fn play_move<const MANY: bool, const SEAT: u8>(
    rules: &Rules,
    hand: &mut State,
    table: &mut PlayoutDeck,
) {
    hand.seat = Seat(SEAT);
    hand.played &= MANY;
    let bits = table.chance.bits();
    table.spare = Some((bits >> 32) as u32);
    let act = View::of(hand, Seat(SEAT)).sample_with(rules, bits as u32, &mut table.chance);
    hand.act(rules, act, table);
}

#[cfg(test)]
mod tests {
    use super::super::{Leopard, Move};
    use super::*;
    use parlour_base::chance::Seed;
    use parlour_game::{Game, Ruled};

    /// The named variants, and rules that take the general path: uneven hands, hands that run out.
    fn all() -> impl Iterator<Item = Leopard> {
        let odd = |draw, plays, hand_size, face_down_covers, knock_window| Rules {
            draw,
            plays,
            hand_size,
            face_down_covers,
            knock_window,
            ..Rules::ORIGINAL
        };
        let odd = [
            odd(3, Plays::One, 7, Covers::Any, KnockWindow::AnyTime),
            odd(4, Plays::One, 1, Covers::FaceUp, KnockWindow::BeforePlay),
            odd(1, Plays::Many, 52, Covers::Any, KnockWindow::AnyTime),
            odd(1, Plays::One, 52, Covers::FaceUp, KnockWindow::AnyTime),
        ];
        let named = Leopard::presets().into_iter().map(|preset| preset.rules);
        named.chain(odd).map(|rules| Leopard::new(&rules).unwrap())
    }

    /// The plain loop that a playout replaces.
    fn plain_loop(game: &Leopard, state: &mut State, chance: &mut Stream) -> u32 {
        let mut moves = 0;
        while state.end == End::Open {
            let mv = game.sample(state, chance);
            game.apply(state, mv, chance);
            moves += 1;
        }
        moves
    }

    #[test]
    fn playouts_keep_counts_consistent() {
        for game in all() {
            for hand in 0..300 {
                let mut chance = Seed::new(hand).stream();
                let mut state = game.deal(&mut chance);
                let mut legal = Vec::new();
                for _ in 0..hand % 60 {
                    game.legal_moves(&state, &mut legal);
                    if let Some(&mv) = legal.get(chance.below(legal.len().max(1) as u32) as usize) {
                        game.apply(&mut state, mv, &mut chance);
                    }
                }
                let stock = state.stock;
                game.playout(&mut state, &mut chance);
                assert_ne!(state.end, End::Open);
                assert_eq!(u32::from(state.stock_len), state.stock.len());
                assert_eq!(stock.minus(state.stock).plus(state.stock), stock);
                for seat in 0..2 {
                    assert_eq!(u32::from(state.held[seat]), state.hands[seat].len());
                    let value = state.squares[seat].value(game.rules());
                    assert_eq!(u32::from(state.values[seat]), value);
                }
            }
        }
    }

    /// The mean and its variance.
    fn mean(values: &[f64]) -> (f64, f64) {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        (mean, values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / n / (n - 1.0))
    }

    #[test]
    fn a_playout_is_the_plain_loop_in_distribution() {
        for game in all() {
            let mut chance = Seed::new(5).stream();
            let mut figures = |way: fn(&Leopard, &mut State, &mut Stream) -> u32| {
                let hands: Vec<[f64; 4]> = (0..4000)
                    .map(|_| {
                        let mut state = game.deal(&mut chance);
                        let moves = way(&game, &mut state, &mut chance);
                        let values = state.values.map(f64::from);
                        let knocked = f64::from(u8::from(state.end != End::Exhausted));
                        [f64::from(moves), values[0], values[1], knocked]
                    })
                    .collect();
                [0, 1, 2, 3].map(|i| mean(&hands.iter().map(|hand| hand[i]).collect::<Vec<_>>()))
            };
            let fast = figures(|game, state, chance| game.playout(state, chance));
            let plain = figures(plain_loop);
            for ((a, va), (b, vb)) in fast.into_iter().zip(plain) {
                // 4.5 standard errors: by chance once in 100,000.
                assert!((a - b).abs() <= 4.5 * (va + vb).sqrt(), "{fast:?} {plain:?}");
            }
        }
    }

    #[test]
    fn samples_are_uniform_over_the_legal_moves() {
        for (number, game) in all().enumerate() {
            let mut chance = Seed::new(number as u64).stream();
            let mut state = game.deal(&mut chance);
            let mut legal: Vec<Move> = Vec::new();
            for _ in 0..40 {
                game.legal_moves(&state, &mut legal);
                if legal.is_empty() {
                    break;
                }
                let mut counts = vec![0u32; legal.len()];
                let each = 200;
                for _ in 0..each * legal.len() {
                    let mv = game.sample(&state, &mut chance);
                    counts[legal.binary_search(&mv).unwrap()] += 1;
                }
                let expected = each as f64;
                let chi: f64 =
                    counts.iter().map(|&c| (f64::from(c) - expected).powi(2) / expected).sum();
                let degrees = (legal.len() - 1) as f64;
                assert!(chi <= degrees + 5.0 * (2.0 * degrees).sqrt() + 10.0, "{chi} {degrees}");
                let mv = legal[chance.below(legal.len() as u32) as usize];
                game.apply(&mut state, mv, &mut chance);
            }
        }
    }
}
