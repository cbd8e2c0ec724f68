//! How good two squares are as they stand, and how near each seat is to a winning knock.

use std::ops::RangeInclusive;

use super::super::Weights;
use crate::games::leopard::Rules;

/// What two values alone say: of the own square, and of the other's.
#[derive(Clone, Copy)]
pub(super) struct Race {
    values: [i32; 2],
    /// The values that win by a knock, by side.
    wins: [i32; 2],
    worth: f64,
}

/// What something is worth at most, and whether that is what it is worth.
#[derive(Clone, Copy)]
pub(super) struct Most {
    pub most: f64,
    pub sure: bool,
}

impl Most {
    /// Nothing for sure.
    pub const NONE: Most = Most { most: 0.0, sure: true };
}

/// What else counts, each known within bounds: what a jack would take at most from the own square,
/// the most that a card in hand would give there, and the most that any would give on the other's.
#[derive(Clone)]
pub(super) struct Prospects {
    pub worst: RangeInclusive<i32>,
    pub own_reach: RangeInclusive<i32>,
    pub other_reach: RangeInclusive<i32>,
    /// How much of a looming threat the hand makes good.
    pub guard: f64,
}

/// The weighing of races.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub weights: &'a Weights,
    pub rules: &'a Rules,
    /// The chance that the other has a jack on its next turn.
    pub jack: f64,
}

impl Race {
    /// What the seat on a side still needs for a winning knock; 0 or less when it has it.
    #[inline(always)]
    pub fn need(&self, side: usize) -> i32 {
        self.wins[side] - self.values[side]
    }
}

impl Judge<'_> {
    /// How much of the way to a winning knock is behind a seat: times itself, in points.
    #[inline(always)]
    fn approach(&self, mine: i32, theirs: i32) -> f64 {
        let need = self.rules.winning_value(theirs);
        let (need, mine) = (f64::from(need), f64::from(mine.min(need)));
        mine * mine / need
    }

    /// The race at these values, at the start of the other's turn.
    pub fn race(&self, [own, other]: [i32; 2]) -> Race {
        let weights = self.weights;
        let worth = weights.own_now * f64::from(own) - weights.other_now * f64::from(other)
            + weights.own_approach * self.approach(own, other)
            - weights.other_approach * self.approach(other, own);
        let wins = [self.rules.least_winning(other), self.rules.least_winning(own)];
        Race { values: [own, other], wins, worth }
    }

    /// How good the squares are; at most, where the prospects are not known for sure. Additions
    /// are in the same order then, so rounding cannot make it less than what it bounds.
    #[inline]
    pub fn standing(&self, race: &Race, prospects: &Prospects) -> Most {
        let weights = self.weights;
        let Prospects { worst, own_reach, other_reach, guard } = prospects;
        let exposure = weights.exposure * self.jack;
        let taken = if exposure >= 0.0 { *worst.start() } else { *worst.end() };
        let mut worth = race.worth - exposure * f64::from(taken);
        let mut sure = worst.start() == worst.end();
        let [own_need, other_need] = [race.need(0), race.need(1)];
        if own_need <= 0 {
            worth += self.threat(race, worst, other_reach);
            sure &= other_reach.start() == other_reach.end();
        } else if *own_reach.start() >= own_need {
            worth += weights.poised;
        } else if *own_reach.end() >= own_need {
            worth += weights.poised.max(0.0);
            sure = false;
        }
        let looming = weights.looming * (1.0 - guard);
        if other_need <= 0 {
            worth -= weights.danger;
        } else if *other_reach.start() >= other_need {
            worth -= looming;
        } else if *other_reach.end() >= other_need {
            worth -= looming.min(0.0);
            sure = false;
        }
        Most { most: worth, sure }
    }

    /// What it is worth, at most, that the own value wins by a knock already.
    fn threat(
        &self,
        race: &Race,
        worst: &RangeInclusive<i32>,
        other_reach: &RangeInclusive<i32>,
    ) -> f64 {
        let weights = self.weights;
        let [own, other] = race.values;
        let of = |worst: i32, reach: i32| {
            let mut threat = weights.threat;
            if own - worst < race.wins[0] {
                threat *= 1.0 - weights.threat_jack * self.jack;
            }
            if own < self.rules.least_winning(other + reach) {
                threat *= 1.0 - weights.threat_overtaken;
            }
            threat
        };
        let mut most = of(*worst.start(), *other_reach.start());
        if worst.start() != worst.end() || other_reach.start() != other_reach.end() {
            most = most.max(of(*worst.end(), *other_reach.start()));
            most = most.max(of(*worst.start(), *other_reach.end()));
            most = most.max(of(*worst.end(), *other_reach.end()));
        }
        most
    }
}
