//! The lead over the course of a hand.

/// Number of steps in which a hand is observed from its start to its end.
pub const LEAD_STEPS: usize = 8;

/// The first seat's lead after each tick of a hand of fewer than `N` ticks. A tick is one step of
/// the game, such as a turn; `N` is a power of two.
#[derive(Clone, Copy, Debug)]
pub struct LeadHistory<const N: usize>([i16; N]);

impl<const N: usize> Default for LeadHistory<N> {
    fn default() -> Self {
        LeadHistory([0; N])
    }
}

impl<const N: usize> LeadHistory<N> {
    /// Sets the lead after `ticks` ticks; the last value counts.
    #[inline(always)]
    pub fn after(&mut self, ticks: u32, lead: i32) {
        // A power of two makes this a mask instead of a branch.
        const { assert!(N.is_power_of_two()) };
        self.0[ticks as usize % N] = lead as i16;
    }

    /// Returns how often the lead changed sides, given the number of ticks and the final lead.
    #[inline]
    pub fn changes(&self, ticks: u32, end: i32) -> u32 {
        // The number of changes so far and the side that leads.
        let next = |(changes, leader): (u32, i16), lead: i16| match lead.signum() {
            0 => (changes, leader),
            side => (changes + u32::from(side == -leader), side),
        };
        let (rows, rest) = self.0[..N.min(ticks as usize)].as_chunks::<8>();
        let seen = rows.iter().fold((0, 0), |(changes, leader), row| {
            // Changes are rare: in most rows only one side is ever ahead.
            let none = match leader {
                0 => *row == [0; 8],
                _ => row.iter().fold(0, |any, lead| any | lead.wrapping_mul(leader)) >= 0,
            };
            if none { (changes, leader) } else { row.iter().copied().fold((changes, leader), next) }
        });
        let seen = rest.iter().copied().fold(seen, next);
        next(seen, end as i16).0
    }

    /// Returns the lead after each eighth of the ticks (rounded up), given the number of ticks and
    /// the final lead.
    #[inline]
    pub fn steps(&self, ticks: u32, end: i32) -> [i32; LEAD_STEPS] {
        std::array::from_fn(|step| {
            let after = ((step + 1) * ticks as usize).div_ceil(LEAD_STEPS);
            // A mask again.
            let lead = i32::from(self.0[after % N]);
            if after < ticks as usize { lead } else { end }
        })
    }
}

/// Square roots of small integers in thousandths.
const ROOTS: [u16; 64] = {
    let (mut roots, mut x) = ([0; 64], 0);
    while x < 64 {
        roots[x] = (x as u32 * 1_000_000).isqrt() as u16;
        x += 1;
    }
    roots
};

/// The way to the win in a hand of two seats, from the lead after each eighth. All fields are 0 if
/// nobody won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeadSummary {
    /// 1 if somebody won.
    pub won: i64,
    /// 1 if the winner was behind after half of the hand.
    pub comeback: i64,
    /// Number of eighths after which the winner was behind.
    pub behind: i64,
    /// Sum of the square roots of these deficits, in thousandths of √point.
    pub drama: i64,
    /// Number of eighths until the winner stayed ahead.
    pub settled: i64,
}

impl LeadSummary {
    /// Summarizes a hand whose first seat led by `steps`. `margin` is above 0 if it won and below 0
    /// if it lost.
    #[inline(always)]
    pub fn of(steps: [i32; LEAD_STEPS], margin: i32) -> LeadSummary {
        let side = margin.signum();
        if side == 0 {
            return LeadSummary::default();
        }
        let leads = steps.map(|lead| lead * side);
        // One bit per eighth: most winners are never behind, and this runs for every hand.
        let (mut behind, mut not_ahead) = (0u32, 0u32);
        for (eighth, lead) in (0..).zip(leads) {
            behind |= u32::from(lead < 0) << eighth;
            not_ahead |= u32::from(lead <= 0) << eighth;
        }
        let last = i64::from(u32::BITS - not_ahead.leading_zeros());
        let mut drama = 0;
        if behind != 0 {
            let root = |lead: i32| i64::from(ROOTS[(-lead as usize).min(ROOTS.len() - 1)]);
            drama = leads.into_iter().filter(|lead| *lead < 0).map(root).sum();
        }
        LeadSummary {
            won: 1,
            comeback: i64::from(behind >> (LEAD_STEPS / 2 - 1) & 1),
            behind: i64::from(behind.count_ones()),
            drama,
            settled: (last + 1).min(LEAD_STEPS as i64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_winner_comes_from_behind_or_leads_all_along() {
        let course = LeadSummary::of([1, -4, -9, -1, 0, 2, 3, 5], 5);
        let seen = LeadSummary { won: 1, comeback: 1, behind: 3, drama: 6000, settled: 6 };
        assert_eq!(course, seen);
        assert_eq!(LeadSummary::of([-1, 4, 9, 1, 0, -2, -3, -5], -5), seen, "the other seat's");
        assert_eq!(
            LeadSummary::of([1; 8], 3),
            LeadSummary { won: 1, settled: 1, ..LeadSummary::default() }
        );
        let at_the_end =
            LeadSummary { won: 1, comeback: 1, behind: 8, drama: 8 * 1414, settled: 8 };
        assert_eq!(LeadSummary::of([-2; 8], 1), at_the_end);
        assert_eq!(LeadSummary::of([-2; 8], 0), LeadSummary::default());
    }

    #[test]
    fn the_lead_changes_when_the_other_gets_ahead() {
        let mut leads = LeadHistory::<8>::default();
        for (ticks, lead) in (0..).zip([0, 2, 0, -1, -3, 0]) {
            leads.after(ticks, lead);
        }
        // A level score in between is no change; neither is the first lead.
        assert_eq!(leads.changes(6, 0), 1);
        assert_eq!(leads.changes(6, 4), 2);
        assert_eq!(leads.changes(2, 0), 0);
        assert_eq!(leads.changes(0, -1), 0);
    }

    #[test]
    fn long_hands_count_as_one_lead_after_the_other() {
        let mut seen = std::collections::BTreeSet::new();
        for hand in 1..400u32 {
            // Leads from −2 to 2, often level, that stay constant for up to 20 ticks.
            let lead = |tick: u32| ((tick / (1 + hand % 20)) * (hand | 1) % 11) as i32 % 5 - 2;
            let mut leads = LeadHistory::<64>::default();
            (0..64).for_each(|tick| leads.after(tick, lead(tick)));
            let ahead: Vec<bool> =
                (0..=hand % 64).map(lead).filter(|lead| *lead != 0).map(|lead| lead > 0).collect();
            let plain = ahead.windows(2).filter(|pair| pair[0] != pair[1]).count() as u32;
            assert_eq!(leads.changes(hand % 64, lead(hand % 64)), plain, "{hand}");
            seen.insert(plain);
        }
        assert!(seen.len() > 10, "{seen:?}");
    }

    #[test]
    fn a_hand_has_its_lead_at_each_eighth() {
        let mut leads = LeadHistory::<16>::default();
        for ticks in 0..16 {
            leads.after(ticks, 10 + ticks as i32);
        }
        assert_eq!(leads.steps(16, 99), [12, 14, 16, 18, 20, 22, 24, 99]);
        assert_eq!(leads.steps(3, 7), [11, 11, 12, 12, 12, 7, 7, 7]);
        assert_eq!(leads.steps(0, 7), [7; 8]);
    }
}
