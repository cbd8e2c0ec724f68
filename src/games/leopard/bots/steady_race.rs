//! How near each seat is to a winning knock, and who comes first.

use super::Weights;
use super::gains::Side;
use crate::cards::CardSet;
use crate::games::leopard::cells::{Cell, JACKS, KINGS, TENS};
use crate::games::leopard::{Rules, Square, View};

/// The most that any card would give on an open cell.
#[inline]
fn reach(side: &Side) -> i32 {
    let open = side.square.open();
    side.gains.iter().fold(0, |best, gains| best.max(gains.within(open).most()))
}

/// The most that a card of this hand would give.
fn reach_with(side: &Side, hand: CardSet) -> i32 {
    if side.gains.iter().all(|gains| gains.is_nothing()) {
        return 0;
    }
    let open = side.square.open();
    let mut best = 0;
    for card in hand & open.cards() {
        best = best.max(side.gain(card, Cell::of_number(card)));
    }
    for card in hand & TENS {
        best = best.max(side.of(card).within(open).most());
    }
    for card in hand & KINGS {
        for (cell, gain) in side.of(card) {
            best = best.max(gain - side.losses.at(cell));
        }
    }
    best
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
        let held = f64::from(view.held[view.seat.other().side()]);
        let unseen = (f64::from(view.stock_len) + held).max(1.0);
        let jacks = (view.unseen.distinct() & JACKS).len() + (view.unseen.doubled() & JACKS).len();
        let expected = f64::from(jacks) * ((held + f64::from(rules.draw)) / unseen).min(1.0);
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
    pub fn worth(&self, own: &Side, other: &Side, hand: CardSet) -> f64 {
        let weights = self.weights;
        // What a jack would take at most.
        let worst = own.losses.most();
        let mut worth = weights.own_now * f64::from(own.value)
            - weights.other_now * f64::from(other.value)
            + weights.own_approach * self.approach(own.value, other.value)
            - weights.other_approach * self.approach(other.value, own.value)
            - weights.exposure * self.jack * f64::from(worst);
        if self.wins(own.value, other.value) {
            let mut threat = weights.threat;
            if !self.wins(own.value - worst, other.value) {
                threat *= 1.0 - weights.threat_jack * self.jack;
            }
            if !self.wins(own.value, other.value + reach(other)) {
                threat *= 1.0 - weights.threat_overtaken;
            }
            worth += threat;
        } else if self.wins(own.value + self.step, other.value)
            && self.wins(own.value + reach_with(own, hand), other.value)
        {
            worth += weights.poised;
        }
        if self.wins(other.value, own.value) {
            worth -= weights.danger;
        } else if self.wins(other.value + self.step, own.value)
            && self.wins(other.value + reach(other), own.value)
        {
            let guard = if (hand & JACKS).is_empty() { 0.0 } else { weights.guard };
            worth -= weights.looming * (1.0 - guard);
        }
        worth
    }
}
