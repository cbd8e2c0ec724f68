//! A heuristic that values the change by each move, and how near each seat is to a winning knock.

mod decision;
mod lines;
mod race;
#[cfg(test)]
mod tests;

use super::Weights;
use decision::Decision;
use lines::{Goals, Potential, Supply, expected_points, slopes, write_changes, write_now};

use crate::cells::CELLS;
use crate::gains::SquareGains;
use crate::{Leopard, Move, Plays, Rules, View};
use parlour_base::chance::Stream;
use parlour_base::simd::dispatch;
use parlour_game::{Policy, Ruled};

/// Values each move by the squares after it, the lines still possible, the harm to the other square,
/// the cards kept and the race to a winning knock. It knocks if that is better than going on.
#[derive(Clone, Debug)]
pub struct Steady {
    /// The weights, with `true` if they are [plain](Weights::are_plain).
    weights: (Weights, bool),
    /// The weights for many plays a turn.
    many: (Weights, bool),
}

impl Steady {
    /// Creates a player with these weights.
    ///
    /// # Errors
    /// One sentence for each fault of the weights.
    pub fn new(weights: Weights) -> Result<Steady, Vec<String>> {
        let faults = weights.faults();
        if !faults.is_empty() {
            return Err(faults);
        }
        let of = |weights: Weights| (weights, weights.are_plain());
        Ok(Steady { weights: of(weights), many: of(weights.for_many_plays()) })
    }

    /// The move, compiled for the registers of the caller.
    #[inline(always)]
    fn choose(&self, rules: &Rules, view: &View) -> Move {
        self.decide(
            rules,
            view,
            #[inline(always)]
            |decision, plain| decision.best(plain),
        )
    }

    /// Calls `then` with the decision, and `true` if the bounds of moves hold.
    #[inline(always)]
    fn decide<T>(
        &self,
        rules: &Rules,
        view: &View,
        then: impl FnOnce(&Decision<'_>, bool) -> T,
    ) -> T {
        let (weights, plain) = match rules.plays {
            Plays::One => &self.weights,
            Plays::Many => &self.many,
        };
        let held = f64::from(view.held[view.seat.other().side()]);
        let stock = f64::from(view.stock_len);
        let draws = |horizon: f64| (horizon * f64::from(rules.draw)).clamp(0.0, stock / 2.0);
        let rates = [draws(weights.own_horizon), draws(weights.other_horizon) + held];
        let supply = Supply {
            hand: view.hand,
            unseen: view.unseen,
            rates: rates.map(|cards| cards / (stock + held).max(1.0)),
            weights,
        };
        let now = SquareGains::both(view, rules);
        // Tables that a function returns would be copied. They are not filled with zeros, for which the
        // compiler would call a function.
        let mut open = [Goals::splat(f64::NAN); CELLS];
        let mut misfits = [Goals::splat(f64::NAN); CELLS];
        supply.write_chances(&mut open, &mut misfits);
        let mut chances = [Goals::splat(f64::NAN); CELLS];
        write_now(&mut chances, [now[0].square, now[1].square], &open, &misfits);
        let slope = slopes(rules, &chances);
        let mut changes = [[f64::NAN; 16]; CELLS];
        write_changes(&mut changes, &slope, &open, &misfits, &chances, view.hand.distinct());
        let points = expected_points(&slope, &chances);
        let lines = Potential { open: &open, slope: &slope, changes: &changes, points };
        // With cheaper suit lines expected points may be negative, and the bounds do not hold.
        let plain = *plain && rules.suit_line >= rules.color_line;
        let mut decision = Decision::new(weights, rules, view, &now, &lines);
        decision.set_bounds();
        then(&decision, plain)
    }
}

impl Policy<Leopard> for Steady {
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        dispatch(
            #[inline(always)]
            || self.choose(game.rules(), view),
        )
    }

    /// The values by which it picks. A knock that it would make comes first, any other knock last.
    fn score_moves(&self, game: &Leopard, view: &View, moves: &[Move], out: &mut Vec<f32>) -> bool {
        self.decide(game.rules(), view, |decision, _| decision.score_moves(moves, out));
        true
    }
}
