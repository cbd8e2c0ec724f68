//! A heuristic that values the change by each move, and how near each seat is to a winning knock.

mod bounds;
mod decision;
mod lines;
mod moves;
mod race;
mod reach;
mod supply;
#[cfg(test)]
mod tests;

use super::Weights;
use decision::Decision;
use lines::{Layout, Misfits, Potential, slopes};
use moves::{best, exact_value, for_each_move};
use supply::Supply;

use crate::gains::SquareGains;
use crate::{Leopard, Move, Plays, Rules, Side, View};
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
        if faults.is_empty() {
            let many = weights.for_many_plays();
            let each = [weights, many].map(|weights| (weights, weights.are_plain()));
            Ok(Steady { weights: each[0], many: each[1] })
        } else {
            Err(faults)
        }
    }

    /// The move, compiled for the registers of the caller.
    #[inline(always)]
    fn choose(&self, rules: &Rules, view: &View) -> Move {
        self.decide(
            rules,
            view,
            #[inline(always)]
            |decision, layout, plain| match view.may_knock(rules) && knocks(decision) {
                true => Move::KNOCK,
                false => best(decision, layout, plain),
            },
        )
    }

    /// Calls `then` with the decision, the layout of the squares, and `true` if the bounds of moves
    /// hold.
    #[inline(always)]
    fn decide<T>(
        &self,
        rules: &Rules,
        view: &View,
        then: impl FnOnce(&Decision<'_>, Layout, bool) -> T,
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
        let misfits = Misfits::new(weights, view.hand);
        let open = supply.open();
        let layout = Layout::new([now[0].square, now[1].square]);
        let chances = misfits.now(layout, &open);
        let slope = slopes(rules, &chances);
        let lines = Potential::new(&open, &chances, &slope, &misfits);
        let plain = *plain && rules.suit_line >= rules.color_line;
        then(&Decision::new(weights, rules, view, &now, &lines), layout, plain)
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
        let rules = game.rules();
        self.decide(rules, view, |decision, _, _| {
            let mut list = Vec::with_capacity(moves.len());
            for_each_move(decision, view.hand.distinct(), |mv| {
                list.push((mv, exact_value(decision, None, mv)));
            });
            let most = list.iter().fold(0.0f64, |most, (_, value)| most.max(*value));
            let least = list.iter().fold(0.0f64, |least, (_, value)| least.min(*value));
            let value = |mv: &Move| {
                if *mv == Move::KNOCK {
                    return if knocks(decision) { most + 10.0 } else { least };
                }
                list.iter().find(|(offered, _)| offered == mv).map_or(least, |(_, value)| *value)
            };
            out.clear();
            out.extend(moves.iter().map(|mv| value(mv) as f32));
        });
        true
    }
}

/// Returns `true` if it knocks, where a knock is legal.
///
/// In a match of one hand a knock is a certain win, draw or loss, and going on is worth something
/// between a win and a loss. In a longer match the points themselves count.
fn knocks(decision: &Decision<'_>) -> bool {
    let Decision { weights, rules, view, lines, .. } = decision;
    let (own, other) = view.knock_scores(rules);
    let lead = f64::from(own - other);
    let [own_value, other_value] = Side::BOTH.map(|side| f64::from(view.value(side)));
    let growth = lines.points[0] - lines.points[1] - own_value + other_value;
    let going_on =
        lead + weights.knock_growth * growth + weights.knock_tempo - weights.knock_risk * own_value;
    if rules.hands_per_match == 1 {
        let between = going_on / (1.0 + going_on.abs());
        f64::from((own - other).signum()) > between
    } else {
        lead > going_on
    }
}
