//! How near each seat is to a winning knock, and who comes first.

use super::Weights;
use super::change::{ByCell, gains, losses};
use super::greedy::{JACK, KING, TEN, four, numbers};
use crate::cards::CardSet;
use crate::games::leopard::{Rules, Square, View};

/// What matters of a square for the race.
#[derive(Clone, Copy)]
pub(super) struct Side {
    square: Square,
    value: i32,
    /// What each suit would give on each cell, were it open.
    pub gains: [ByCell; 4],
    /// What each face-up card gives.
    pub losses: ByCell,
    /// The most that a jack would take.
    worst: i32,
}

impl Side {
    pub fn new(square: Square, value: i32, rules: &Rules) -> Side {
        let gains = gains(square, rules);
        let losses = losses(square, &gains);
        Side { square, value, gains, losses, worst: if value > 0 { most(losses) } else { 0 } }
    }

    /// The most that any card would give on an open cell.
    #[inline]
    fn reach(&self) -> i32 {
        let open = self.square.open();
        self.gains.iter().fold(0, |best, gains| best.max(most(gains.within(open))))
    }

    /// The most that a card of this hand would give.
    fn reach_with(&self, hand: u64) -> i32 {
        if self.gains.iter().all(|gains| gains.is_nothing()) {
            return 0;
        }
        let open = self.square.open();
        let mut best = 0;
        for card in numbers(hand, open) {
            best = best.max(self.gains[card.suit().index()].at(u32::from(card.index() / 4)));
        }
        for card in four(hand, TEN) {
            best = best.max(most(self.gains[card.suit().index()].within(open)));
        }
        for card in four(hand, KING) {
            for (cell, gain) in self.gains[card.suit().index()] {
                best = best.max(gain - self.losses.at(cell));
            }
        }
        best
    }
}

#[inline]
fn most(points: ByCell) -> i32 {
    points.fold(0, |best, (_, points)| best.max(points))
}

/// The race as one seat sees it.
pub(super) struct Race<'a> {
    weights: &'a Weights,
    rules: &'a Rules,
    /// The chance that the other has a jack on its next turn.
    jack: f64,
    /// No card gives more: four lines go through the middle. It spares a closer look.
    step: i32,
    pub own: Side,
    pub other: Side,
}

impl<'a> Race<'a> {
    pub fn new(weights: &'a Weights, rules: &'a Rules, view: &View) -> Race<'a> {
        let held = f64::from(view.held[view.seat.index() & 1 ^ 1]);
        let unseen = (f64::from(view.stock_len) + held).max(1.0);
        let of = |set: CardSet| f64::from(four(set.0, JACK).len());
        let jacks = of(view.unseen.distinct()) + of(view.unseen.doubled());
        let expected = jacks * ((held + f64::from(rules.draw)) / unseen).min(1.0);
        Race {
            weights,
            rules,
            jack: expected / (1.0 + expected),
            step: 4 * i32::from(rules.suit_line.max(rules.color_line)),
            own: Side::new(view.own(), i32::from(view.own_value()), rules),
            other: Side::new(view.other(), i32::from(view.other_value()), rules),
        }
    }

    /// The own side with a square and a change of its value.
    pub fn own_after(&self, square: Square, change: i32) -> Side {
        Side::new(square, self.own.value + change, self.rules)
    }

    /// The other side with a square and a change of its value.
    pub fn other_after(&self, square: Square, change: i32) -> Side {
        Side::new(square, self.other.value + change, self.rules)
    }

    /// Whether a seat with this value may knock and wins by it.
    #[inline]
    fn wins(&self, mine: i32, theirs: i32) -> bool {
        let points = |value: i32, knocks| self.rules.score(value as u8, true, knocks);
        mine >= i32::from(self.rules.knock_at) && points(mine, true) > points(theirs, false)
    }

    /// How much of the way to a winning knock is behind a seat: times itself, in points.
    #[inline]
    fn approach(&self, mine: i32, theirs: i32) -> f64 {
        let rules = self.rules;
        let need = i32::from(rules.knock_at).max(theirs + i32::from(rules.knock_penalty) + 1);
        let (need, mine) = (f64::from(need), f64::from(mine.min(need)));
        mine * mine / need
    }

    /// How good these squares are at the start of the other's turn, with this hand left.
    pub fn worth(&self, own: &Side, other: &Side, hand: u64) -> f64 {
        let weights = self.weights;
        let mut worth = weights.own_now * f64::from(own.value)
            - weights.other_now * f64::from(other.value)
            + weights.own_approach * self.approach(own.value, other.value)
            - weights.other_approach * self.approach(other.value, own.value)
            - weights.exposure * self.jack * f64::from(own.worst);
        if self.wins(own.value, other.value) {
            let mut threat = weights.threat;
            if !self.wins(own.value - own.worst, other.value) {
                threat *= 1.0 - weights.threat_jack * self.jack;
            }
            if !self.wins(own.value, other.value + other.reach()) {
                threat *= 1.0 - weights.threat_overtaken;
            }
            worth += threat;
        } else if self.wins(own.value + self.step, other.value)
            && self.wins(own.value + own.reach_with(hand), other.value)
        {
            worth += weights.poised;
        }
        if self.wins(other.value, own.value) {
            worth -= weights.danger;
        } else if self.wins(other.value + self.step, own.value)
            && self.wins(other.value + other.reach(), own.value)
        {
            let guard = if four(hand, JACK).is_empty() { 0.0 } else { weights.guard };
            worth -= weights.looming * (1.0 - guard);
        }
        worth
    }
}
