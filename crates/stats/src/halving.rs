//! Successive halving: all candidates play a few deals, then the better half plays twice as many.
//! Rounds repeat until one candidate is left (Karnin, Koren and Somekh, *Almost optimal exploration in multi-armed bandits*, ICML
//! 2013). All candidates play the same deals. The deals of a round extend those of the previous round.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::Moments;

/// The progress of a search by successive halving.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Halving {
    /// The numbers of the remaining candidates.
    pub left: Vec<usize>,
    /// The quarters that each candidate won.
    results: Vec<Moments>,
    /// The deals of each remaining candidate at the end of the round.
    pub deals: u64,
}

impl Halving {
    /// Creates a search with at most `deals` deals in all, but at least [`MIN_DEALS`](Halving::MIN_DEALS)
    /// for each candidate in the first round.
    pub fn new(candidates: usize, deals: u64) -> Halving {
        let left = (0..candidates).collect();
        let one = Halving { left, results: vec![Moments::default(); candidates], deals: 1 };
        // All rounds grow in proportion to the first.
        let first = (deals / one.total().max(1)).max(Halving::MIN_DEALS);
        Halving { deals: first, ..one }
    }

    /// The minimum number of deals of a candidate.
    pub const MIN_DEALS: u64 = 16;

    /// Returns the deals of all rounds of a new search.
    pub fn total(&self) -> u64 {
        let (mut left, mut all, mut before, mut deals) = (self.left.len() as u64, 0, 0, self.deals);
        while left > 1 {
            all += left * (deals - before);
            (left, before, deals) = (left.div_ceil(2), deals, 2 * deals);
        }
        all
    }

    /// Returns the next candidate and its missing deals; `None` if only one candidate is left.
    pub fn next(&self) -> Option<(usize, Range<u64>)> {
        let unplayed = |number: &&usize| self.results[**number].n < self.deals;
        let number = *self.left.iter().find(unplayed).filter(|_| self.left.len() > 1)?;
        Some((number, self.results[number].n..self.deals))
    }

    /// Adds the result of a candidate. The last result of a round eliminates the worse half.
    pub fn add(&mut self, number: usize, won: &Moments) {
        self.results[number].merge(won);
        let results = &self.results;
        if self.left.iter().all(|number| results[*number].n >= self.deals) {
            // Among equals the first stays.
            self.left.sort_by_key(|number| (-results[*number].sum, *number));
            self.left.truncate(self.left.len().div_ceil(2));
            self.left.sort_unstable();
            self.deals *= 2;
        }
    }

    /// Returns the number of deals that all candidates played.
    pub fn deals_played(&self) -> u64 {
        self.results.iter().map(|won| won.n).sum()
    }

    /// Returns the candidate with the most deals; among equals the one with the best score, then the
    /// first.
    pub fn best(&self) -> usize {
        let rank = |number: &usize| (self.results[*number].n, self.results[*number].sum);
        (0..self.results.len()).rev().max_by_key(rank).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_candidate_is_left_and_deals_are_nested() {
        let mut search = Halving::new(5, 4000);
        let (planned, mut played, mut spans) = (search.total(), 0, Vec::new());
        while let Some((number, deals)) = search.next() {
            let count = deals.end - deals.start;
            played += count;
            spans.push((number, deals.start, count));
            let wins = deals.map(|deal| i64::from(deal % 10 < [3, 4, 8, 6, 5][number]));
            search.add(number, &wins.collect());
        }
        assert_eq!(search.left, [2]);
        assert_eq!(played, planned);
        assert!((2000..=5000).contains(&planned), "{planned}");
        for &(number, from, _) in &spans {
            let before: u64 =
                spans.iter().filter(|s| s.0 == number && s.1 < from).map(|s| s.2).sum();
            assert_eq!(before, from, "the deals played are a prefix");
        }
        assert_eq!(search.best(), 2);
        assert_eq!(Halving::new(1, 100).next(), None);
    }
}
