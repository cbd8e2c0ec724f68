//! How hands and deals are counted.

use super::tally::{OrderCounts, Points, TableTally, Tally, VariantTally};
use super::{Layout, UNIT, pairs};
use crate::game::{Counts, FinishedHand, Kind, MAX_SEATS, Measured};
use crate::stats::{Controls, Moments};

impl Tally {
    /// Counts a hand at a table.
    #[inline]
    pub(super) fn add_hand<G: Measured>(
        &mut self,
        layout: &Layout,
        table: usize,
        hand: &FinishedHand<'_, G>,
        scores: &[i32],
        shared: bool,
    ) {
        let variant = layout.variant_of[table];
        let turns = hand.game.turns(hand.watch);
        let lead = lead(scores.iter().map(|&s| i64::from(s)), scores[0].into());
        let counted = &mut self.tables[table];
        counted.hands += 1;
        counted.drawn_hands += u64::from(shared);
        counted.lead += lead;
        counted.lead_squares += lead * lead;
        counted.turns += u64::from(turns);
        let shape = &layout.variants[variant];
        let counted = &mut self.variants[variant];
        hand.game.counts(hand.watch, hand.end).add_to(&mut counted.counts.sums);
        let bins = &shape.spread;
        for (seat, &score) in scores.iter().enumerate() {
            counted.scores[seat * bins.score.count + bins.score.of(score)] += 1;
        }
        let best = scores[1..].iter().copied().max().unwrap_or(0);
        counted.margin[bins.margin.of(scores[0] - best)] += 1;
        counted.turns[bins.turns.of(turns as i32)] += 1;
        for (&(figure, bins), row) in shape.figures.iter().zip(&mut counted.figures) {
            match (&G::FIGURES[figure].kind, bins) {
                (Kind::Histogram { read, .. }, Some(bins)) => {
                    if let Some(number) = read(hand) {
                        row.sums[bins.of(number)] += 1;
                    }
                }
                (Kind::Curve { read, .. }, Some(bins)) => {
                    for (step, number) in row.sums.chunks_exact_mut(bins.count).zip(read(hand)) {
                        step[bins.of(number)] += 1;
                    }
                }
                (Kind::Map { mark, .. }, _) => mark(hand, &mut row.sums),
                (Kind::Each(read), _) => {
                    row.sums.iter_mut().zip(read(hand)).for_each(|(sum, number)| *sum += number);
                }
                _ => {}
            }
        }
    }
}

impl VariantTally {
    /// Counts what was known of a deal, and what its first seats won.
    pub(super) fn add_control(&mut self, figure: &str, first: i64, strengths: &[i64]) {
        if let Some(row) = self.figures.iter_mut().find(|row| row.name == figure) {
            Controls::add(&mut row.sums, first, strengths);
        }
    }

    /// Counts what a deal gave the first seats and each strategy.
    #[inline]
    pub(super) fn add_deal(&mut self, first: i64, standings: &[i64]) {
        add(&mut self.first, first);
        self.standings.iter_mut().zip(standings).for_each(|(sum, &units)| add(sum, units));
    }
}

impl TableTally {
    /// Counts a deal: for each rotation the points of each place in the line-up. Returns the units
    /// each place won.
    #[inline]
    pub(super) fn add_deal(&mut self, matches: &[Points]) -> Points {
        let seats = self.slots.len();
        // By place in the line-up.
        let mut deal = [(0, 0); MAX_SEATS];
        // By seat.
        let mut totals = [0; MAX_SEATS];
        self.matches += matches.len() as u64;
        for (rotation, points) in matches.iter().enumerate() {
            let top = points.iter().copied().max().unwrap_or(0);
            let sharing = points.iter().filter(|&&p| p == top).count() as i64;
            let sum: i64 = points.iter().sum();
            for (place, (slot, &own)) in self.slots.iter_mut().zip(points).enumerate() {
                let units = if own == top { UNIT / sharing } else { 0 };
                let outcome = match own == top {
                    true if sharing > 1 => &mut slot.draws,
                    true => &mut slot.wins,
                    false => &mut slot.losses,
                };
                *outcome += 1;
                slot.points += own;
                slot.against += sum - own;
                deal[place].0 += units;
                deal[place].1 += lead(points.iter().copied(), own);
                let seat = (place + rotation) % seats;
                let seating = &mut self.seatings[seat];
                seating.sums[rotation] += units;
                seating.squares += (units * units) as u64;
                totals[seat] += units;
            }
            for (OrderCounts { in_order, swapped }, (i, j)) in
                self.orders.iter_mut().zip(pairs(seats))
            {
                let before = (i + rotation) % seats < (j + rotation) % seats;
                let outcome = match points[i].cmp(&points[j]) {
                    std::cmp::Ordering::Greater => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 2,
                };
                (if before { in_order } else { swapped })[outcome] += 1;
            }
        }
        for (slot, &(units, margin)) in self.slots.iter_mut().zip(&deal) {
            add(&mut slot.score, units);
            add(&mut slot.margin, margin);
        }
        if seats == 2 {
            self.deals[(2 * deal[0].0 / UNIT) as usize] += 1;
        }
        for (seating, total) in self.seatings.iter_mut().zip(totals) {
            seating.totals += (total * total) as u64;
        }
        let mut units = Points::from(deal.map(|(units, _)| units));
        units.truncate(seats);
        units
    }
}

/// Adds a deal's number; how many deals there are, the tally says.
fn add(moments: &mut Moments, x: i64) {
    moments.sum += x;
    moments.squares += (x * x) as u64;
}

/// `seats − 1` times one's points less all others'.
fn lead(points: impl Iterator<Item = i64>, own: i64) -> i64 {
    points.fold(0, |sum, p| sum + own - p)
}
