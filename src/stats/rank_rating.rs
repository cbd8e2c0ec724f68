//! Ratings from games of more than two.

use serde::{Deserialize, Serialize};

use super::{Meeting, Ratings, rate};

/// Who came out ahead of whom, over hands with any number of seats: a commutative monoid.
///
/// The method is **pairwise from ranks**: a hand of `k` seats counts as `k·(k − 1)/2` games of
/// two, which the better score wins and equal scores draw, and these are rated like games of two
/// ([`rate`]). In the model of Plackett (1975) and Luce (1959) the order of any two is a Bradley-Terry
/// game whoever else takes part, so this estimates the same strengths as the full
/// ranking would (a composite likelihood: Varin, Reid and Firth, *An overview of composite
/// likelihood methods*, Statistica Sinica 21, 2011), and it takes ties, which Plackett-Luce does not.
/// The games of one hand are not independent: the information matrix of [`Ratings`] is then too
/// sure, and intervals must come from the jackknife over chunks of deals.
///
/// The seat term is what sitting earlier is worth against whoever sits later.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankTally {
    /// How many strategies there are.
    pub strategies: usize,
    /// For the strategy that sits earlier (row) and the one that sits later (column), row by row:
    /// how often the earlier was ahead, level, behind.
    pub counts: Vec<[u64; 3]>,
}

impl RankTally {
    /// A tally of nothing yet.
    pub fn new(strategies: usize) -> RankTally {
        RankTally { strategies, counts: vec![[0; 3]; strategies * strategies] }
    }

    /// Counts one hand: strategy and score of each seat, in the order of the seats. Strategies out
    /// of range do not count.
    pub fn add(&mut self, table: &[(usize, i64)]) {
        for (seat, &(early, ahead)) in table.iter().enumerate() {
            for &(late, other) in &table[seat + 1..] {
                let place = match ahead.cmp(&other) {
                    std::cmp::Ordering::Greater => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 2,
                };
                if early < self.strategies
                    && late < self.strategies
                    && let Some(cell) = self.counts.get_mut(early * self.strategies + late)
                {
                    cell[place] = cell[place].saturating_add(1);
                }
            }
        }
    }

    /// Adds what another tally of the same strategies has seen.
    pub fn merge(&mut self, other: &RankTally) {
        self.combine(other, u64::saturating_add);
    }

    /// Removes what another tally has seen; `other` must be a part of this.
    #[must_use]
    pub fn without(&self, other: &RankTally) -> RankTally {
        let mut rest = self.clone();
        rest.combine(other, u64::saturating_sub);
        rest
    }

    fn combine(&mut self, other: &RankTally, by: impl Fn(u64, u64) -> u64) {
        for (cell, more) in self.counts.iter_mut().zip(&other.counts) {
            for (count, more) in cell.iter_mut().zip(more) {
                *count = by(*count, *more);
            }
        }
    }

    /// The games of two that the hands amount to.
    pub fn meetings(&self) -> Vec<Meeting> {
        let meeting = |(index, counts): (usize, &[u64; 3])| Meeting {
            first: index / self.strategies.max(1),
            second: index % self.strategies.max(1),
            first_wins: counts[0],
            draws: counts[1],
            second_wins: counts[2],
        };
        self.counts.iter().enumerate().map(meeting).filter(|m| m.games() > 0.0).collect()
    }

    /// The ratings of the strategies.
    pub fn rate(&self) -> Ratings {
        rate(self.strategies, &self.meetings())
    }
}

#[cfg(test)]
mod tests {
    use super::super::ELO;
    use super::*;
    use crate::chance::{Seed, Stream};

    /// The order of a Plackett-Luce hand: exponential times at rates of the strengths, the quickest
    /// first.
    fn hand(elo: &[f64], seats: &[usize], stream: &mut Stream) -> Vec<(usize, i64)> {
        let mut times: Vec<(f64, usize)> = seats
            .iter()
            .map(|&s| (-(1.0 - stream.unit()).ln() / (elo[s] / ELO).exp(), s))
            .collect();
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let score = |s: usize| -(times.iter().position(|t| t.1 == s).unwrap_or(0) as i64);
        seats.iter().map(|&s| (s, score(s))).collect()
    }

    #[test]
    fn plackett_luce_strengths_are_recovered() {
        let elo = [-150.0, -50.0, 0.0, 80.0, 120.0];
        let mut stream = Seed::new(11).stream();
        let mut tally = RankTally::new(5);
        for deal in 0..40_000 {
            // Four of five sit down, in turning order.
            let seats: Vec<usize> = (0..4).map(|i| (deal + i) % 5).collect();
            tally.add(&hand(&elo, &seats, &mut stream));
        }
        let found = tally.rate();
        for (a, b) in found.ratings.iter().zip(elo) {
            assert!((a - b).abs() < 4.0, "{:?}", found.ratings);
        }
        assert!(found.seat.abs() < 3.0 && found.draw < 0.01);
    }

    #[test]
    fn hands_become_games_of_two() {
        let mut tally = RankTally::new(3);
        tally.add(&[(2, 5), (0, 9), (1, 5)]);
        let mut other = RankTally::new(3);
        other.add(&[(0, 1), (1, 0), (7, 3)]);
        let mut both = tally.clone();
        both.merge(&other);
        assert_eq!(both.without(&other), tally);
        let found: Vec<_> = both
            .meetings()
            .iter()
            .map(|m| (m.first, m.second, m.first_wins, m.draws, m.second_wins))
            .collect();
        assert_eq!(found, [(0, 1, 2, 0, 0), (2, 0, 0, 0, 1), (2, 1, 0, 1, 0)]);
        assert!(RankTally::new(0).rate().ratings.is_empty());
        assert_eq!(RankTally::new(2).rate().ratings, [0.0, 0.0]);
    }
}
