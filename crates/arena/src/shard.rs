//! Shards: parts of a run that are played separately and merged.

use std::ops::Range;

use itertools::Itertools;
use serde::{Deserialize, Serialize};

use super::Resolved;
use parlour_base::error::ensure;

/// One of several parts of a run.
///
/// With at most as many shards as chunks, a shard is every `of`-th chunk. With more, it is a range
/// of deals and may cut chunks: their tallies are integers, which add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// The number of this part, from 1.
    pub part: u64,
    /// The number of parts.
    pub of: u64,
}

impl Shard {
    /// Creates part `part` of `of`.
    ///
    /// # Errors
    /// The correct form, if there is no such part.
    pub fn new(part: u64, of: u64) -> Result<Shard, String> {
        ensure((1..=of).contains(&part), || {
            format!("`{part}/{of}` is not a shard: write I/N with 1 ≤ I ≤ N, as in 2/5")
        })?;
        Ok(Shard { part, of })
    }

    /// Returns the deals of a chunk that belong to this shard; may be empty.
    fn deals_of(self, run: &Resolved, chunk: u64) -> Range<u64> {
        let deals = run.deals_of(chunk);
        if self.of <= run.chunks() {
            let is_in = chunk % self.of == self.part - 1;
            return if is_in { deals } else { deals.start..deals.start };
        }
        let border = |part: u64| {
            let before = u128::from(part) * u128::from(run.experiment.deals) / u128::from(self.of);
            before as u64
        };
        let start = border(self.part - 1).max(deals.start);
        start..border(self.part).min(deals.end).max(start)
    }

    /// Returns the numbers of the shards that have some of these deals of a chunk.
    fn parts_with(self, run: &Resolved, chunk: u64, deals: &Range<u64>) -> Range<u64> {
        if self.of <= run.chunks() {
            let part = chunk % self.of + 1;
            return part..part + 1;
        }
        // The first shard that ends after the deal.
        let part = |deal: u64| {
            let parts = (u128::from(deal) + 1) * u128::from(self.of);
            parts.div_ceil(u128::from(run.experiment.deals.max(1))) as u64
        };
        part(deals.start)..part(deals.end.saturating_sub(1)) + 1
    }

    /// Formats the shards that have some of these deals (chunk, deals) as `7/12` or `3,7-9 of 12`,
    /// the notation of job arrays.
    pub fn parts(self, run: &Resolved, deals: &[(u64, Range<u64>)]) -> String {
        let parts = deals.iter().map(|(chunk, deals)| self.parts_with(run, *chunk, deals));
        let sorted = parts.sorted_by_key(|parts| parts.start);
        let runs = sorted.coalesce(|a, b| match b.start <= a.end {
            true => Ok(a.start..a.end.max(b.end)),
            false => Err((a, b)),
        });
        let runs: Vec<Range<u64>> = runs.collect();
        let run = |parts: &Range<u64>| match parts.end - parts.start {
            1 => parts.start.to_string(),
            _ => format!("{}-{}", parts.start, parts.end - 1),
        };
        match &runs[..] {
            [only] if only.end - only.start == 1 => format!("{}/{}", only.start, self.of),
            runs => format!("{} of {}", runs.iter().map(run).join(","), self.of),
        }
    }
}

impl Resolved {
    /// Returns the deals of a chunk, or those that belong to a shard.
    pub fn deals_in(&self, chunk: u64, shard: Option<Shard>) -> Range<u64> {
        shard.map_or_else(|| self.deals_of(chunk), |shard| shard.deals_of(self, chunk))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Experiment, StopCondition};
    use super::*;

    fn run(deals: u64, until: Option<StopCondition>) -> Resolved {
        Resolved {
            name: "x".to_owned(),
            experiment: Experiment { deals, until, ..Experiment::new("leopard") },
            tables: Vec::new(),
            judge: None,
            swept: Default::default(),
        }
    }

    #[test]
    fn every_deal_is_in_exactly_one_shard() {
        let early = Some(StopCondition::HalfWidth(0.01));
        for (deals, until) in [(1, None), (50, None), (1000, None), (5000, None), (5000, early)] {
            let run = run(deals, until);
            for of in [1, 2, 3, 63, 64, 65, 100, 1000, 1001, 7000] {
                let (mut met, mut most) = (vec![0; deals as usize], 0);
                for part in 1..=of {
                    let shard = Shard { part, of };
                    let mut size = 0;
                    for chunk in 0..run.chunks() {
                        let part_of = run.deals_in(chunk, Some(shard));
                        size += part_of.end - part_of.start;
                        for deal in part_of.clone() {
                            met[deal as usize] += 1;
                            let one = &[(chunk, deal..deal + 1)];
                            assert_eq!(shard.parts(&run, one), format!("{part}/{of}"));
                        }
                    }
                    most = most.max(size);
                }
                assert!(met.iter().all(|times| *times == 1), "{deals} deals in {of} parts");
                if of > run.chunks() {
                    assert!(most <= deals / of + 1, "{deals} deals in {of} parts: {most}");
                }
            }
        }
    }

    #[test]
    fn shards_are_formatted_as_job_arrays() {
        let run = run(10_000, None);
        let shard = Shard { part: 1, of: 1000 };
        let deals = [(0, 0..10), (0, 20..50), (1, 160..161), (63, 9990..10_000)];
        assert_eq!(shard.parts(&run, &deals), "1,3-5,17,1000 of 1000");
        assert_eq!(Shard { of: 3, ..shard }.parts(&run, &[(1, 0..9), (4, 0..9)]), "2/3");
        assert_eq!(Shard { of: 3, ..shard }.parts(&run, &[(1, 0..9), (2, 0..9)]), "2-3 of 3");
        assert_eq!(Shard::new(2, 5), Ok(Shard { part: 2, of: 5 }));
        for (part, of) in [(0, 5), (6, 5), (0, 0), (1, 0)] {
            assert!(Shard::new(part, of).is_err());
        }
    }
}
