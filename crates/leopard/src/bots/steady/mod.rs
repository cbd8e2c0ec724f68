//! A heuristic that looks at what each move changes, and at how near each seat is to a winning knock.

mod bounds;
mod courts;
mod decision;
mod goals;
mod hopes;
mod lie;
mod lines;
mod moves;
#[cfg(test)]
mod plainly;
mod race;
mod reach;
mod standings;
mod supply;

use super::Weights;
use decision::Decision;
use lie::Lie;
use lines::{Potential, Wrong, slopes};
use moves::{best, each};
use supply::Supply;

pub(super) use goals::GOALS;
pub(super) use supply::Fillers;

use fearless_simd::Simd;

use crate::chance::Stream;
use crate::gains::Outlook;
use crate::game::{Policy, Ruled};
use crate::simd::{SimdTask, dispatch_task, scalar};
use crate::{Leopard, Move, Plays, Rules, Side, View};

/// Weighs for each move the values now, the lines still possible, the harm to the other's square,
/// what the card is worth keeping and how near each seat is to a winning knock; and knocks when
/// that beats going on. All its weights are [`Weights`].
#[derive(Clone, Debug)]
pub struct Steady {
    /// Each with whether it is [plain](Weights::are_plain).
    weights: (Weights, bool),
    /// The same as they are used with many plays a turn.
    many: (Weights, bool),
}

impl Steady {
    /// A player with these weights.
    ///
    /// # Errors
    /// Everything that is wrong with them, a sentence each.
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

    /// Its move, compiled for whoever asks.
    #[inline(always)]
    fn choose<L: Simd>(&self, lanes: L, rules: &Rules, view: &View) -> Move {
        self.decide(
            lanes,
            rules,
            view,
            #[inline(always)]
            |decision, plain| match view.may_knock(rules) && knocks(decision) {
                true => Move::KNOCK,
                false => best(lanes, decision, plain),
            },
        )
    }

    /// Looks at a position; the second is whether the bounds of moves hold.
    #[inline(always)]
    fn decide<T, L: Simd>(
        &self,
        lanes: L,
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
        let now = Outlook::both(view, rules);
        let wrong = Wrong::new(&supply);
        let open = supply.open(lanes);
        let lie = Lie::new([now[0].square, now[1].square]);
        let chances = wrong.now(lanes, lie, &open);
        let slope = slopes(lanes, rules, &chances);
        let mut lines = Potential::new(&open, &chances, &slope, &wrong);
        let changes = lines.changes(lanes);
        let plain = *plain && rules.suit_line >= rules.color_line;
        then(&Decision::new(weights, rules, view, (&now, lie), (&lines, &changes)), plain)
    }
}

/// A move that is asked for.
struct Choice<'a> {
    steady: &'a Steady,
    rules: &'a Rules,
    view: &'a View,
}

impl SimdTask for Choice<'_> {
    type Output = Move;

    #[inline(always)]
    fn run<L: Simd>(self, lanes: L) -> Move {
        self.steady.choose(lanes, self.rules, self.view)
    }
}

impl Policy<Leopard> for Steady {
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        dispatch_task(Choice { steady: self, rules: game.rules(), view })
    }

    /// What it goes by when it picks. A knock that it would make comes before all else, one that
    /// it would not make after all else.
    fn score_moves(&self, game: &Leopard, view: &View, moves: &[Move], out: &mut Vec<f32>) -> bool {
        let rules = game.rules();
        self.decide(scalar(), rules, view, |decision, _| {
            let mut list = Vec::with_capacity(moves.len());
            each(decision, view.hand.distinct(), |mv| list.push((mv, decision.worth(None, mv))));
            let most = list.iter().fold(0.0f64, |most, (_, worth)| most.max(*worth));
            let least = list.iter().fold(0.0f64, |least, (_, worth)| least.min(*worth));
            let worth = |mv: &Move| {
                if *mv == Move::KNOCK {
                    return if knocks(decision) { most + 10.0 } else { least };
                }
                list.iter().find(|(offered, _)| offered == mv).map_or(least, |(_, worth)| *worth)
            };
            out.clear();
            out.extend(moves.iter().map(|mv| worth(mv) as f32));
        });
        true
    }
}

/// Whether to knock, which is legal now.
///
/// In a match of one hand a knock is a win, a draw or a loss for certain, and going on is worth
/// something between a win and a loss. In a longer match the points themselves count.
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
