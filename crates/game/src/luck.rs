//! Luck of a hand: how much chance changed the expected result, as estimated afterwards from the
//! complete states (the control variate of AIVAT; Burch et al. 2018, *AIVAT: A New Variance Reduction
//! Technique for Agent Evaluation*).

use super::{Game, Policy, Seat, Turn};
use parlour_base::chance::{Seed, Stream};

/// The fixed-point unit of luck and win shares: this number is one win.
pub const LUCK_UNIT: i64 = 1 << 16;

/// The number of other outcomes with which each outcome of chance is compared.
const OTHERS: i64 = 16;

/// The luck of the first seat in a hand, in units of [`LUCK_UNIT`]. `start` is the random stream
/// before the deal, `moves` are all moves.
///
/// The luck of a deal, and of what chance does after a move, is the estimate after it, less the mean
/// estimate after other outcomes with the same probabilities. Whatever the estimates, luck has mean 0.
/// So it can be subtracted from results without moving their means; a bad estimate only removes less
/// variance.
pub fn luck<G: Game>(
    game: &G,
    judge: &dyn Policy<G>,
    start: &Stream,
    moves: &[(Seat, G::Move)],
) -> i64 {
    let mut chance = start.clone();
    let mut others = Seed::new(start.clone().bits()).named("luck").stream();
    // Of two hands with exchanged cards, the noise of these means cancels out, too.
    if start.is_exchanged() {
        others = others.exchanged();
    }
    let share = |state: &G::State| win_share(game, judge, state, Seat(0));
    let mut state = game.deal(&mut chance);
    let other_deals: i64 = (0..OTHERS).map(|_| share(&game.deal(&mut others))).sum();
    let mut sum = OTHERS * share(&state) - other_deals;
    for (_, mv) in moves {
        let (before, chance_before) = (state.clone(), chance.clone());
        game.apply(&mut state, *mv, &mut chance);
        if chance == chance_before {
            continue;
        }
        let mut other = || {
            let mut other = before.clone();
            game.apply(&mut other, *mv, &mut others);
            share(&other)
        };
        sum += OTHERS * share(&state) - (0..OTHERS).map(|_| other()).sum::<i64>();
    }
    // Rounded half up, so that no error adds up over hands.
    (sum + OTHERS / 2).div_euclid(OTHERS)
}

/// The expected share of the win of a seat, in units of [`LUCK_UNIT`]; at the end, its share.
pub(crate) fn win_share<G: Game>(
    game: &G,
    judge: &dyn Policy<G>,
    state: &G::State,
    seat: Seat,
) -> i64 {
    if game.turn(state) != Turn::Over {
        let share = judge.win_share(game, state, seat).unwrap_or(0.5);
        return (f64::from(share) * LUCK_UNIT as f64).round() as i64;
    }
    let scores = game.scores(state).0;
    let best = scores.iter().max();
    let winners = scores.iter().filter(|points| Some(*points) == best).count() as i64;
    if scores.get(seat.index()) == best { LUCK_UNIT / winners } else { 0 }
}
