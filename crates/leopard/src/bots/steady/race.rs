//! How good two squares are as they stand, and how near each seat is to a winning knock.

use super::super::Weights;
use super::bounds::Between;
use crate::Rules;

/// What two values alone say: of the own square, and of the other's.
#[derive(Clone, Copy)]
pub(super) struct Race {
    values: [i32; 2],
    /// The values that win by a knock, by side.
    wins: [i32; 2],
    pub worth: f64,
}

/// The weighing of races.
#[derive(Clone, Copy)]
pub(super) struct Judge<'a> {
    pub weights: &'a Weights,
    pub rules: &'a Rules,
    /// The chance that the other has a jack on its next turn.
    pub jack: f64,
}

/// What else counts, each known within bounds, the less and the more: what a jack would take at most
/// from the own square, the most that a card in hand would give there, and the most that any would
/// give on the other's.
#[derive(Clone, Copy)]
pub(super) struct Prospects {
    pub worst: [i32; 2],
    pub own_reach: [i32; 2],
    pub other_reach: [i32; 2],
    /// How much of a looming threat the hand makes good.
    pub guard: f64,
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
    #[inline(always)]
    pub fn race(&self, [own, other]: [i32; 2]) -> Race {
        let weights = self.weights;
        let worth = weights.own_now * f64::from(own) - weights.other_now * f64::from(other)
            + weights.own_approach * self.approach(own, other)
            - weights.other_approach * self.approach(other, own);
        let wins = [self.rules.least_winning(other), self.rules.least_winning(own)];
        Race { values: [own, other], wins, worth }
    }

    /// How good the squares are. The reaches, and whether a card of the hand gives so much on the own
    /// square, are asked for only where a card may change something.
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
        let mut worth = race.worth - weights.exposure * self.jack * f64::from(worst);
        let [own_need, other_need] = [race.need(0), race.need(1)];
        let looks = own_need <= 0 || (1..=step).contains(&other_need);
        let other_reach = if looks { other_reach() } else { 0 };
        if own_need <= 0 {
            worth += self.threat(race, worst, other_reach);
        } else if own_need <= step && own_reaches(own_need) {
            worth += weights.poised;
        }
        if other_need <= 0 {
            worth -= weights.danger;
        } else if other_reach >= other_need {
            worth -= weights.looming * (1.0 - guard);
        }
        worth
    }

    /// Bounds of the same, for [plain](Weights::are_plain) weights; rounding left aside.
    #[inline(always)]
    pub fn standing_between(&self, race: &Race, prospects: &Prospects) -> Between {
        let weights = self.weights;
        let Prospects { worst, own_reach, other_reach, guard } = prospects;
        let exposure = weights.exposure * self.jack;
        let mut least = race.worth - exposure * f64::from(worst[1]);
        let mut most = race.worth - exposure * f64::from(worst[0]);
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
            let sure = other_reach[0] >= other_need;
            least -= if sure || looming > 0.0 { looming } else { 0.0 };
            most -= if sure || looming < 0.0 { looming } else { 0.0 };
        }
        Between { least, most }
    }

    /// What it is worth that the own value wins by a knock already.
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
