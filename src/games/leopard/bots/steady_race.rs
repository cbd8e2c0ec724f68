//! How near each seat is to a winning knock, and who comes first.

use super::gains::{Outlook, each_gain};
use super::steady::Decision;
use crate::cards::CardSet;
use crate::games::leopard::cells::{JACKS, count};
use crate::games::leopard::{Rules, View};

/// The most that any card would give on an open cell.
fn reach(side: &Outlook) -> i32 {
    let open = side.square.open();
    side.gains.iter().fold(0, |best, gains| best.max(gains.within(open).most()))
}

/// The most that a card of this hand would give.
fn reach_with(side: &Outlook, hand: CardSet) -> i32 {
    let mut best = 0;
    each_gain(side.square, &side.gains, || side.losses, hand, |gain, _, _| best = best.max(gain));
    best
}

/// The chance that the other has a jack on its next turn.
pub(super) fn chance_of_jack(rules: &Rules, view: &View) -> f64 {
    let held = f64::from(view.held[view.seat.other().side()]);
    let unseen = (f64::from(view.stock_len) + held).max(1.0);
    let expected =
        f64::from(count(view.unseen, JACKS)) * ((held + f64::from(rules.draw)) / unseen).min(1.0);
    expected / (1.0 + expected)
}

impl Decision<'_> {
    /// How much of the way to a winning knock is behind a seat: times itself, in points.
    fn approach(&self, mine: i32, theirs: i32) -> f64 {
        let need = self.rules.winning_value(theirs);
        let (need, mine) = (f64::from(need), f64::from(mine.min(need)));
        mine * mine / need
    }

    /// How good these squares are at the start of the other's turn, with this hand left.
    pub fn standing(&self, [own, other]: [&Outlook; 2], hand: CardSet) -> f64 {
        let rules = self.rules;
        let weights = self.weights;
        // No card gives more: four lines go through the middle. It spares a closer look.
        let step = 4 * i32::from(rules.suit_line.max(rules.color_line));
        // What a jack would take at most.
        let worst = own.losses.most();
        let mut worth = weights.own_now * f64::from(own.value)
            - weights.other_now * f64::from(other.value)
            + weights.own_approach * self.approach(own.value, other.value)
            - weights.other_approach * self.approach(other.value, own.value)
            - weights.exposure * self.jack * f64::from(worst);
        if rules.knock_wins(own.value, other.value) {
            let mut threat = weights.threat;
            if !rules.knock_wins(own.value - worst, other.value) {
                threat *= 1.0 - weights.threat_jack * self.jack;
            }
            if !rules.knock_wins(own.value, other.value + reach(other)) {
                threat *= 1.0 - weights.threat_overtaken;
            }
            worth += threat;
        } else if rules.knock_wins(own.value + step, other.value)
            && rules.knock_wins(own.value + reach_with(own, hand), other.value)
        {
            worth += weights.poised;
        }
        if rules.knock_wins(other.value, own.value) {
            worth -= weights.danger;
        } else if rules.knock_wins(other.value + step, own.value)
            && rules.knock_wins(other.value + reach(other), own.value)
        {
            let guard = if (hand & JACKS).is_empty() { 0.0 } else { weights.guard };
            worth -= weights.looming * (1.0 - guard);
        }
        worth
    }
}
