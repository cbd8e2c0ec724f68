//! The race to a winning knock, and the value of two squares in it.

use super::super::Weights;
use crate::Rules;

/// A value that is known only within bounds.
#[derive(Clone, Copy)]
pub(super) struct Interval {
    pub least: f64,
    pub most: f64,
}

impl Interval {
    pub const ZERO: Interval = Interval { least: 0.0, most: 0.0 };
    pub const UNBOUNDED: Interval = Interval { least: f64::NEG_INFINITY, most: f64::INFINITY };

    /// Shifts both bounds.
    #[inline(always)]
    pub fn plus(self, shift: f64) -> Interval {
        Interval { least: self.least + shift, most: self.most + shift }
    }

    /// Subtracts another value.
    #[inline(always)]
    pub fn minus(self, other: Interval) -> Interval {
        Interval { least: self.least - other.most, most: self.most - other.least }
    }
}

/// The state of the race, given the values of the own and the other square.
#[derive(Clone, Copy)]
pub(super) struct Race {
    values: [i32; 2],
    /// Values that win by a knock, by side.
    wins: [i32; 2],
    pub value: f64,
}

impl Race {
    /// Points that a side still needs for a winning knock; 0 or less if it has them.
    #[inline(always)]
    pub fn need(&self, side: usize) -> i32 {
        self.wins[side] - self.values[side]
    }
}

/// Bounds on what else counts in the race.
#[derive(Clone, Copy)]
pub(super) struct Prospects {
    /// Largest loss of the own square by a jack.
    pub worst: [i32; 2],
    /// Largest gain of a card in hand on the own square.
    pub own_reach: [i32; 2],
    /// Largest gain of any card on the other square.
    pub other_reach: [i32; 2],
    /// Share of a looming threat that the hand can answer.
    pub guard: f64,
}

/// The weights and rules by which races are valued.
#[derive(Clone, Copy)]
pub(super) struct RaceModel<'a> {
    pub weights: &'a Weights,
    pub rules: &'a Rules,
    /// The chance that the other seat has a jack on its next turn.
    pub jack: f64,
}

impl RaceModel<'_> {
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

    /// The value of the squares. The closures compute whether a card in hand gives a number of points,
    /// and the other seat's largest gain; they are called only if a card may matter.
    #[inline]
    pub fn standing(
        &self,
        race: &Race,
        worst: i32,
        own_reaches: impl FnOnce(i32) -> bool,
        other_reach: impl FnOnce() -> i32,
        guard: f64,
    ) -> f64 {
        let weights = self.weights;
        // No card gives more: four lines go through the middle.
        let step = 4 * i32::from(self.rules.suit_line.max(self.rules.color_line));
        let mut value = race.value - weights.exposure * self.jack * f64::from(worst);
        let [own_need, other_need] = [race.need(0), race.need(1)];
        let looks = own_need <= 0 || (1..=step).contains(&other_need);
        let other_reach = if looks { other_reach() } else { 0 };
        if own_need <= 0 {
            value += self.threat(race, worst, other_reach);
        } else if own_need <= step && own_reaches(own_need) {
            value += weights.poised;
        }
        if other_need <= 0 {
            value -= weights.danger;
        } else if other_reach >= other_need {
            value -= weights.looming * (1.0 - guard);
        }
        value
    }

    /// Bounds on [`standing`](RaceModel::standing) for [plain](Weights::are_plain) weights, rounding
    /// aside.
    #[inline(always)]
    pub fn standing_bounds(&self, race: &Race, prospects: &Prospects) -> Interval {
        let weights = self.weights;
        let Prospects { worst, own_reach, other_reach, guard } = prospects;
        let exposure = weights.exposure * self.jack;
        let mut least = race.value - exposure * f64::from(worst[1]);
        let mut most = race.value - exposure * f64::from(worst[0]);
        let [own_need, other_need] = [race.need(0), race.need(1)];
        if own_need <= 0 {
            least += self.threat(race, worst[1], other_reach[1]);
            most += self.threat(race, worst[0], other_reach[0]);
        } else if own_reach[1] >= own_need {
            most += weights.poised;
            least += if own_reach[0] >= own_need { weights.poised } else { 0.0 };
        }
        if other_need <= 0 {
            least -= weights.danger;
            most -= weights.danger;
        } else if other_reach[1] >= other_need {
            let looming = weights.looming * (1.0 - guard);
            let is_certain = other_reach[0] >= other_need;
            least -= if is_certain || looming > 0.0 { looming } else { 0.0 };
            most -= if is_certain || looming < 0.0 { looming } else { 0.0 };
        }
        Interval { least, most }
    }

    /// The value of a square that would win by a knock now.
    fn threat(&self, race: &Race, worst: i32, other_reach: i32) -> f64 {
        let weights = self.weights;
        let [own, other] = race.values;
        let mut threat = weights.threat;
        if own - worst < race.wins[0] {
            threat *= 1.0 - weights.threat_jack * self.jack;
        }
        if own < self.rules.least_winning(other + other_reach) {
            threat *= 1.0 - weights.threat_overtaken;
        }
        threat
    }
}
