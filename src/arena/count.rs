//! How a deal is counted: each result added where the [`Layout`] says.

use super::layout::{SLOT, TABLE_HEAD};
use super::tally::{Points, Shape};
use super::{Layout, Tally, UNIT};
use crate::game::MAX_SEATS;
use crate::stats::Controls;

impl Layout {
    /// Counts what was known of a variant's deal, and what its first seats won.
    pub(super) fn add_controls(
        &self,
        tally: &mut Tally,
        variant: usize,
        first: i64,
        strengths: &[i64],
    ) {
        let room = Controls::room(self.strengths);
        let at = self.controls + variant * room;
        Controls::add(&mut tally.sums[at..at + room], first, strengths);
    }

    /// Counts what a deal gave the first seats of each variant, and each strategy of each variant.
    #[inline]
    pub(super) fn add_deal(&self, tally: &mut Tally, firsts: &[i64], standings: &[i64]) {
        debug_assert_eq!(
            (firsts.len(), standings.len()),
            (self.variants.len(), self.variants.len() * self.strategies)
        );
        tally.deals += 1;
        let entries = firsts.iter().chain(standings);
        for (two, &x) in tally.sums[self.firsts..].chunks_exact_mut(2).zip(entries) {
            two[0] += x;
            two[1] += x * x;
        }
    }

    /// Counts a hand at a table: the first seat's lead, whether the win was shared, and the
    /// counters through `count`.
    #[inline]
    pub(super) fn add_hand(
        &self,
        tally: &mut Tally,
        table: usize,
        scores: &[i32],
        shared: bool,
        count: impl FnOnce(&mut [i64]),
    ) {
        let layout = self.tables[table];
        let sums = &mut tally.sums[layout.at..layout.at + layout.len()];
        let lead = lead(scores.iter().map(|&s| i64::from(s)), scores[0].into());
        sums[1] += 1;
        sums[2] += i64::from(shared);
        sums[3] += lead;
        sums[4] += lead * lead;
        count(&mut sums[layout.counters_at()..]);
    }

    /// Counts a hand of a variant in its histograms, and on its board through `mark`.
    #[inline]
    pub(super) fn add_shape(
        &self,
        tally: &mut Tally,
        variant: usize,
        hand: &Shape<'_>,
        mark: impl FnOnce(&mut [i64]),
    ) {
        let layout = &self.variants[variant];
        let spread = &layout.spread;
        let sums = &mut tally.sums[..layout.end()];
        for (seat, &score) in hand.scores.iter().enumerate() {
            sums[layout.at + seat * spread.score.count + spread.score.of(score)] += 1;
        }
        let best = hand.scores[1..].iter().copied().max().unwrap_or(0);
        sums[layout.margin() + spread.margin.of(hand.scores[0] - best)] += 1;
        sums[layout.turns() + spread.turns.of(hand.turns as i32)] += 1;
        if let Some(bins) = spread.lead {
            for (step, &lead) in hand.leads.iter().enumerate() {
                sums[layout.leads() + step * bins.count + bins.of(lead)] += 1;
            }
        }
        if spread.board.is_some() {
            mark(&mut sums[layout.board()..]);
        }
    }

    /// Counts a hand of a variant in which the rule became known after so many cards.
    pub(super) fn add_known(&self, tally: &mut Tally, variant: usize, cards: u32) {
        let layout = &self.variants[variant];
        if let Some(bins) = layout.spread.known {
            tally.sums[layout.known() + bins.of(cards as i32)] += 1;
        }
    }

    /// Counts a deal at a table: for each rotation the points of each place in the line-up.
    /// Returns the units each place won.
    #[inline]
    pub(super) fn add_table(&self, tally: &mut Tally, table: usize, matches: &[Points]) -> Points {
        let layout = self.tables[table];
        let sums = &mut tally.sums[layout.at..layout.at + layout.len()];
        let seats = layout.seats;
        let mut deal = [(0, 0); MAX_SEATS];
        let mut by_seat = [[0; MAX_SEATS]; MAX_SEATS];
        sums[0] += matches.len() as i64;
        for (rotation, points) in matches.iter().enumerate() {
            let top = points.iter().copied().max().unwrap_or(0);
            let sharing = points.iter().filter(|&&p| p == top).count() as i64;
            for (slot, &own) in points.iter().enumerate() {
                let units = if own == top { UNIT / sharing } else { 0 };
                let outcome = if own < top { 2 } else { usize::from(sharing > 1) };
                let at = TABLE_HEAD + slot * SLOT;
                sums[at + outcome] += 1;
                sums[at + 7] += own;
                sums[at + 8] += points.iter().sum::<i64>() - own;
                deal[slot].0 += units;
                deal[slot].1 += lead(points.iter().copied(), own);
                by_seat[(slot + rotation) % seats][rotation] = units;
            }
            let pairs = (0..seats).flat_map(|i| (i + 1..seats).map(move |j| (i, j)));
            for (index, (i, j)) in pairs.enumerate() {
                let before = (i + rotation) % seats < (j + rotation) % seats;
                let outcome = match points[i].cmp(&points[j]) {
                    std::cmp::Ordering::Greater => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 2,
                };
                sums[layout.orders() + 6 * index + if before { 0 } else { 3 } + outcome] += 1;
            }
        }
        for (slot, &(units, margin)) in deal[..seats].iter().enumerate() {
            let at = TABLE_HEAD + slot * SLOT;
            sums[at + 3] += units;
            sums[at + 4] += units * units;
            sums[at + 5] += margin;
            sums[at + 6] += margin * margin;
        }
        if seats == 2 {
            sums[layout.deals() + (2 * deal[0].0 / UNIT) as usize] += 1;
        }
        for (seat, results) in by_seat[..seats].iter().enumerate() {
            let at = layout.seatings() + seat * (seats + 2);
            let results = &results[..seats];
            for (rotation, units) in results.iter().enumerate() {
                sums[at + rotation] += units;
                sums[at + seats] += units * units;
            }
            sums[at + seats + 1] += results.iter().sum::<i64>().pow(2);
        }
        let mut units = Points::from(deal.map(|(units, _)| units));
        units.truncate(seats);
        units
    }
}

/// `seats − 1` times one's points less all others'.
fn lead(points: impl Iterator<Item = i64>, own: i64) -> i64 {
    points.fold(0, |sum, p| sum + own - p)
}
