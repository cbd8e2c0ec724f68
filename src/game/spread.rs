//! How the hands of a game spread: the bins of the histograms that a run keeps.

/// Equal bins of whole numbers. What lies beyond an end counts in the bin at that end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bins {
    /// The least number of the first bin.
    pub low: i32,
    /// How many numbers each bin holds, at least 1.
    pub width: i32,
    /// How many bins there are, at least 1.
    pub count: usize,
}

impl Bins {
    /// Bins of one width over `low..=high`, at most `most` of them.
    pub const fn over(low: i32, high: i32, most: i32) -> Bins {
        let numbers = if high < low { 1 } else { high - low + 1 };
        let width = (numbers + most - 1) / most;
        Bins { low, width, count: ((numbers + width - 1) / width) as usize }
    }

    /// An odd number of bins, at most `most`, with 0 in the middle of the middle one, over
    /// `-reach..=reach`.
    pub const fn around_zero(reach: i32, most: i32) -> Bins {
        // The least odd width with which the bins to each side are few enough.
        let mut width = 1;
        let half = (most - 1) / 2;
        while width / 2 + half * width < reach {
            width += 2;
        }
        let side = (reach - width / 2 + width - 1) / width;
        Bins { low: -(side * width) - width / 2, width, count: (2 * side + 1) as usize }
    }

    /// The bin that counts a number.
    #[inline]
    pub fn of(&self, number: i32) -> usize {
        // Most widths are 1, and a division is dear.
        let above = number.saturating_sub(self.low).max(0);
        let bin = if self.width == 1 { above } else { above / self.width };
        (bin as usize).min(self.count - 1)
    }

    /// The middle of a bin.
    pub fn middle(&self, bin: usize) -> f64 {
        f64::from(self.low) + f64::from(self.width) * bin as f64 + f64::from(self.width - 1) / 2.0
    }
}

/// In so many steps a hand is watched from its beginning to its end.
pub const STEPS: usize = 8;

/// What of each hand of a variant is spread over bins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spread {
    /// The points of each seat.
    pub score: Bins,
    /// The first seat's points less the best other's.
    pub margin: Bins,
    /// The turns.
    pub turns: Bins,
    /// The first seat's lead after each eighth of the hand, where the game tells it.
    pub lead: Option<Bins>,
    /// What was played until the rule was known, where the game has one to find.
    pub known: Option<Bins>,
    /// The rows and columns of the board whose cells are counted, where there is one.
    pub board: Option<(usize, usize)>,
}

/// The first seat's lead after each tick of a hand of fewer than `N` ticks, as it is played; a tick
/// is whatever moves the game on, and `N` is a power of two.
#[derive(Clone, Copy, Debug)]
pub struct Leads<const N: usize>([i16; N]);

impl<const N: usize> Default for Leads<N> {
    fn default() -> Self {
        Leads([0; N])
    }
}

impl<const N: usize> Leads<N> {
    /// The lead after so many ticks; the last word counts.
    #[inline(always)]
    pub fn after(&mut self, ticks: u32, lead: i32) {
        // A power of two, so that this is a mask and no branch.
        const { assert!(N.is_power_of_two()) };
        self.0[ticks as usize % N] = lead as i16;
    }

    /// How often the lead went from one side to the other, given how many ticks there were and the
    /// lead at the end.
    #[inline]
    pub fn changes(&self, ticks: u32, end: i32) -> u32 {
        let (mut changes, mut leader) = (0, 0);
        let mut next = |lead: i32| {
            changes += u32::from(lead * leader < 0);
            leader = if lead == 0 { leader } else { lead };
        };
        for &lead in &self.0[..N.min(ticks as usize)] {
            next(lead.into());
        }
        next(end);
        changes
    }

    /// The lead after each eighth of the ticks (rounded up to a whole one), given how many there
    /// were and the lead at the end.
    #[inline]
    pub fn steps(&self, ticks: u32, end: i32) -> [i32; STEPS] {
        std::array::from_fn(|step| {
            let after = ((step + 1) * ticks as usize).div_ceil(STEPS);
            let known = self.0.get(after).filter(|_| after < ticks as usize);
            known.map_or(end, |lead| i32::from(*lead))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_every_number() {
        let bins = Bins::over(-1, 24, 13);
        assert_eq!(bins, Bins { low: -1, width: 2, count: 13 });
        assert_eq!([-9, -1, 0, 1, 24, 99].map(|x| bins.of(x)), [0, 0, 0, 1, 12, 12]);
        assert_eq!(bins.middle(0), -0.5);
        assert_eq!(Bins::over(3, 3, 9), Bins { low: 3, width: 1, count: 1 });
    }

    #[test]
    fn bins_around_zero_are_symmetric() {
        for (reach, most) in [(5, 31), (15, 31), (16, 31), (100, 31), (0, 5)] {
            let bins = Bins::around_zero(reach, most);
            assert!(bins.count <= most as usize && bins.count % 2 == 1, "{bins:?}");
            assert_eq!(bins.of(0), bins.count / 2, "{bins:?}");
            assert_eq!(bins.middle(bins.count / 2), 0.0, "{bins:?}");
            assert_eq!(bins.of(reach), bins.count - 1, "{bins:?}");
            assert_eq!(bins.of(-reach), 0, "{bins:?}");
            let top = bins.low + bins.width * bins.count as i32 - 1;
            assert!(top >= reach, "{bins:?}");
        }
    }

    #[test]
    fn the_lead_changes_when_the_other_gets_ahead() {
        let mut leads = Leads::<8>::default();
        for (ticks, lead) in (0..).zip([0, 2, 0, -1, -3, 0]) {
            leads.after(ticks, lead);
        }
        // Level play in between is no change; neither is getting ahead for the first time.
        assert_eq!(leads.changes(6, 0), 1);
        assert_eq!(leads.changes(6, 4), 2);
        assert_eq!(leads.changes(2, 0), 0);
        assert_eq!(leads.changes(0, -1), 0);
    }

    #[test]
    fn a_hand_has_its_lead_at_each_eighth() {
        let mut leads = Leads::<16>::default();
        for ticks in 0..16 {
            leads.after(ticks, 10 + ticks as i32);
        }
        assert_eq!(leads.steps(16, 99), [12, 14, 16, 18, 20, 22, 24, 99]);
        assert_eq!(leads.steps(3, 7), [11, 11, 12, 12, 12, 7, 7, 7]);
        assert_eq!(leads.steps(0, 7), [7; 8]);
    }
}
