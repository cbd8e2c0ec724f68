//! How hands and deals are counted.

use std::cmp::Ordering;

use super::tally::{OrderCounts, Points, TableTally, Tally};
use super::{UNIT, pairs};
use crate::game::{Counters, FinishedHand, MAX_SEATS, Measured, Reading};

impl Tally {
    /// Counts a hand at a table of a variant. Returns the units that its first seat won.
    #[inline]
    pub(super) fn add_hand<G: Measured>(
        &mut self,
        table: usize,
        variant: usize,
        hand: &FinishedHand<'_, G>,
        scores: &[i32],
    ) -> i64 {
        let turns = hand.game.turns(hand.stats);
        let lead = lead(scores.iter().map(|&s| i64::from(s)), scores[0].into());
        let (top, sharing) = winners(scores);
        let counted = &mut self.tables[table];
        counted.hands += 1;
        counted.drawn_hands += u64::from(sharing > 1);
        counted.lead += lead;
        counted.lead_squares += lead * lead;
        counted.turns += u64::from(turns);
        let counted = &mut self.variants[variant];
        hand.game.counts(hand.stats, hand.end).add_to(&mut counted.counts.sums);
        let bins = &counted.spread;
        for (seat, &score) in scores.iter().enumerate() {
            counted.scores[seat * bins.score.count + bins.score.of(score)] += 1;
        }
        let best = scores[1..].iter().copied().max().unwrap_or(0);
        counted.margin[bins.margin.of(scores[0] - best)] += 1;
        counted.turns[bins.turns.of(turns as i32)] += 1;
        for row in &mut counted.figures {
            let sums = &mut row.sums;
            match (&G::FIGURES[row.figure].kind, row.bins) {
                (Reading::Histogram { read, .. }, Some(bins)) => {
                    read(hand).into_iter().for_each(|number| sums[bins.of(number)] += 1);
                }
                (Reading::Curve { read, .. }, Some(bins)) => {
                    let steps = sums.chunks_exact_mut(bins.count).zip(read(hand));
                    steps.for_each(|(step, number)| step[bins.of(number)] += 1);
                }
                (Reading::Map { mark, .. }, _) => mark(hand, sums),
                (Reading::Each(read), _) => {
                    sums.iter_mut().zip(read(hand)).for_each(|(sum, number)| *sum += number);
                }
                _ => {}
            }
        }
        if scores[0] == top { UNIT / sharing } else { 0 }
    }
}

impl TableTally {
    /// Counts a deal: for each rotation, one after another, the points of each place in the line-up.
    /// Returns the units each place won.
    pub(super) fn add_deal(&mut self, points: &[i64]) -> Points {
        match self.slots.len() {
            // Compiled apart: with the number known, no loop is left, and most tables are of two.
            2 => self.add_matches(points, 2),
            seats => self.add_matches(points, seats),
        }
    }

    #[inline(always)]
    fn add_matches(&mut self, points: &[i64], seats: usize) -> Points {
        // The next seat or place round the table.
        let round = |place: usize| if place < seats { place } else { place - seats };
        let matches = points[..seats * seats].chunks_exact(seats);
        // By place in the line-up.
        let mut deal = [(0, 0); MAX_SEATS];
        // By seat.
        let mut totals = [0; MAX_SEATS];
        self.matches += matches.len() as u64;
        for (rotation, points) in matches.enumerate() {
            let (top, sharing) = winners(points);
            let sum: i64 = points.iter().sum();
            for (place, (slot, &own)) in self.slots[..seats].iter_mut().zip(points).enumerate() {
                let (outcome, units) = match own == top {
                    true if sharing > 1 => (&mut slot.draws, UNIT / sharing),
                    true => (&mut slot.wins, UNIT),
                    false => (&mut slot.losses, 0),
                };
                *outcome += 1;
                slot.points += own;
                slot.against += sum - own;
                deal[place].0 += units;
                deal[place].1 += lead(points.iter().copied(), own);
                let seat = round(place + rotation);
                let seating = &mut self.seatings[seat];
                seating.sums[rotation] += units;
                seating.squares += (units * units) as u64;
                totals[seat] += units;
            }
            for (OrderCounts { in_order, swapped }, (i, j)) in
                self.orders.iter_mut().zip(pairs(seats))
            {
                let before = round(i + rotation) < round(j + rotation);
                let outcome = match points[i].cmp(&points[j]) {
                    Ordering::Greater => 0,
                    Ordering::Equal => 1,
                    Ordering::Less => 2,
                };
                (if before { in_order } else { swapped })[outcome] += 1;
            }
        }
        for (slot, &(units, margin)) in self.slots.iter_mut().zip(&deal) {
            slot.score.add(units);
            slot.margin.add(margin);
        }
        if seats == 2 {
            self.deals[(2 * deal[0].0 / UNIT) as usize] += 1;
        }
        for (seating, total) in self.seatings.iter_mut().zip(totals) {
            seating.n += 1;
            seating.totals += (total * total) as u64;
        }
        let mut units = Points::from(deal.map(|(units, _)| units));
        units.truncate(seats);
        units
    }
}

/// The most points, and how many have them.
#[inline]
fn winners<T: Copy + Ord + Default>(points: &[T]) -> (T, i64) {
    let top = points.iter().copied().max().unwrap_or_default();
    (top, points.iter().filter(|&&p| p == top).count() as i64)
}

/// `seats − 1` times one's points less all others'.
fn lead(points: impl Iterator<Item = i64>, own: i64) -> i64 {
    points.fold(0, |sum, p| sum + own - p)
}
