//! Successive halving: all candidates play a few deals, the better half of them plays as many again,
//! until one is left (Karnin, Koren and Somekh, *Almost optimal exploration in multi-armed bandits*,
//! ICML 2013). All play the same deals, and the deals of a round begin with those of the round
//! before.

use serde::{Deserialize, Serialize};

use parlour_stats::Moments;

/// Where the search is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Halving {
    /// The candidates that are left, by number.
    pub left: Vec<usize>,
    /// What each won so far: deals, quarters, their squares.
    results: Vec<[i64; 3]>,
    /// How many deals each candidate that is left has at the end of the round.
    pub deals: u64,
}

impl Halving {
    /// A search among so many candidates with at most so many deals in all, but at least
    /// [`FEWEST`](Halving::FEWEST) for each in the first round.
    pub fn new(candidates: usize, deals: u64) -> Halving {
        let left = (0..candidates).collect();
        let one = Halving { left, results: vec![[0; 3]; candidates], deals: 1 };
        // All rounds grow as the first does.
        let first = (deals / one.total().max(1)).max(Halving::FEWEST);
        Halving { deals: first, ..one }
    }

    /// The fewest deals that a candidate plays.
    pub const FEWEST: u64 = 16;

    /// How many deals all rounds of a new search have.
    pub fn total(&self) -> u64 {
        let (mut left, mut all, mut before, mut deals) = (self.left.len() as u64, 0, 0, self.deals);
        while left > 1 {
            all += left * (deals - before);
            (left, before, deals) = (left.div_ceil(2), deals, 2 * deals);
        }
        all
    }

    /// The next candidate to play, and the deals that it has still to play; `None` once one is left.
    pub fn next(&self) -> Option<(usize, u64, u64)> {
        let unplayed = |number: &&usize| (self.results[**number][0] as u64) < self.deals;
        let number = *self.left.iter().find(unplayed).filter(|_| self.left.len() > 1)?;
        let from = self.results[number][0] as u64;
        Some((number, from, self.deals - from))
    }

    /// Puts down what a candidate won; the last of a round sends the worse half home.
    pub fn add(&mut self, number: usize, won: &Moments) {
        let [deals, sum, squares] = &mut self.results[number];
        *deals += won.n as i64;
        *sum += won.sum;
        *squares += won.squares as i64;
        let results = &self.results;
        if self.left.iter().all(|number| results[*number][0] as u64 >= self.deals) {
            // Of equals the first stays.
            self.left.sort_by_key(|number| (-results[*number][1], *number));
            self.left.truncate(self.left.len().div_ceil(2));
            self.left.sort_unstable();
            self.deals *= 2;
        }
    }

    /// The candidates from the best: those that lasted longest, then by score; with what they won.
    pub fn ranking(&self) -> Vec<(usize, Moments)> {
        let moments = |[deals, sum, squares]: [i64; 3]| Moments {
            n: deals as u64,
            sum,
            squares: squares as u64,
        };
        let mut all: Vec<(usize, Moments)> =
            self.results.iter().map(|found| moments(*found)).enumerate().collect();
        all.sort_by_key(|(number, found)| (std::cmp::Reverse((found.n, found.sum)), *number));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_left_and_the_prefixes_are_nested() {
        let mut search = Halving::new(5, 4000);
        let (planned, mut played, mut spans) = (search.total(), 0, Vec::new());
        while let Some((number, from, deals)) = search.next() {
            played += deals;
            spans.push((number, from, deals));
            let wins =
                (from..from + deals).map(|deal| i64::from(deal % 10 < [3, 4, 8, 6, 5][number]));
            search.add(number, &wins.collect());
        }
        assert_eq!(search.left, [2]);
        assert_eq!(played, planned);
        assert!((2000..=5000).contains(&planned), "{planned}");
        for &(number, from, _) in &spans {
            let before: u64 =
                spans.iter().filter(|s| s.0 == number && s.1 < from).map(|s| s.2).sum();
            assert_eq!(before, from, "what it has played is a prefix");
        }
        assert_eq!(search.ranking()[0].0, 2);
        assert_eq!(Halving::new(1, 100).next(), None);
    }
}
