//! The race to a winning knock, and the value of two squares in it.

use super::super::Weights;
use crate::cells::{JACKS, count};
use crate::{Rules, View};
use parlour_base::cards::CardSet;

/// The state of the race, given the values of the own and the other square.
#[derive(Clone, Copy)]
pub(super) struct Race {
    values: [i32; 2],
    /// Values that win by a knock, by side.
    wins: [i32; 2],
    value: f64,
}

impl Race {
    /// Points that a side still needs for a winning knock; 0 or less if it has them.
    #[inline(always)]
    pub fn need(&self, side: usize) -> i32 {
        self.wins[side] - self.values[side]
    }
}

/// Facts beyond the values of the squares that count in the race.
#[derive(Clone, Copy)]
pub(super) struct Prospects {
    /// Largest loss of the own square by a jack.
    pub worst: i32,
    /// Largest gain of a card in hand on the own square.
    pub own_reach: i32,
    /// Largest gain of any card on an open cell of the other square.
    pub other_reach: i32,
    /// Share of a looming threat that the hand can answer.
    pub guard: f64,
}

/// The weights and rules by which races are valued.
#[derive(Clone, Copy)]
pub(super) struct RaceModel<'a> {
    weights: &'a Weights,
    rules: &'a Rules,
    /// The chance that the other seat has a jack on its next turn.
    jack: f64,
}

impl<'a> RaceModel<'a> {
    #[inline(always)]
    pub fn new(weights: &'a Weights, rules: &'a Rules, view: &View) -> RaceModel<'a> {
        let held = f64::from(view.held[view.seat.other().side()]);
        let unseen = (f64::from(view.stock_len) + held).max(1.0);
        let drawn = ((held + f64::from(rules.draw)) / unseen).min(1.0);
        let jacks = f64::from(count(view.unseen, JACKS)) * drawn;
        RaceModel { weights, rules, jack: jacks / (1.0 + jacks) }
    }

    /// Progress of a seat to a winning knock: the square of the share that is reached, in points.
    #[inline(always)]
    fn approach(&self, mine: i32, theirs: i32) -> f64 {
        let need = self.rules.winning_value(theirs);
        let (need, mine) = (f64::from(need), f64::from(mine.min(need)));
        mine * mine / need
    }

    /// The race at these values, at the start of the other seat's turn.
    #[inline(always)]
    pub fn race(&self, [own, other]: [i32; 2]) -> Race {
        let weights = self.weights;
        let value = weights.own_now * f64::from(own) - weights.other_now * f64::from(other)
            + weights.own_approach * self.approach(own, other)
            - weights.other_approach * self.approach(other, own);
        let wins = [self.rules.least_winning(other), self.rules.least_winning(own)];
        Race { values: [own, other], wins, value }
    }

    /// Share of a looming threat that these cards can answer.
    #[inline(always)]
    pub fn guard(&self, cards: CardSet) -> f64 {
        if (cards & JACKS).is_empty() { 0.0 } else { self.weights.guard }
    }

    /// The value of the squares.
    ///
    /// With [plain](Weights::are_plain) weights it falls with a larger loss and rises with the own reach.
    /// Only the term of `looming` may rise with the other reach or fall with the guard.
    #[inline(always)]
    pub fn standing(&self, race: &Race, prospects: &Prospects) -> f64 {
        let weights = self.weights;
        let Prospects { worst, own_reach, other_reach, guard } = *prospects;
        let mut value = race.value - weights.exposure * self.jack * f64::from(worst);
        let [own_need, other_need] = [race.need(0), race.need(1)];
        if own_need <= 0 {
            let [own, other] = race.values;
            let mut threat = weights.threat;
            if own - worst < race.wins[0] {
                threat *= 1.0 - weights.threat_jack * self.jack;
            }
            if own < self.rules.least_winning(other + other_reach) {
                threat *= 1.0 - weights.threat_overtaken;
            }
            value += threat;
        } else if own_reach >= own_need {
            value += weights.poised;
        }
        if other_need <= 0 {
            value - weights.danger
        } else if other_reach >= other_need {
            value - weights.looming * (1.0 - guard)
        } else {
            value
        }
    }
}
