//! Resolved experiments: the complete description of a run; and shards, parts of a run that are played
//! separately and merged.

use std::collections::BTreeMap;
use std::ops::Range;

use itertools::Itertools;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Experiment;
use parlour_base::error::ensure;
use parlour_base::files::{Origin, SourceFile, compact, digest};

/// The maximum number of chunks: enough for many cores and for the jackknife, which needs about 50,
/// and few enough that their tallies fit into a small file.
const MAX_CHUNKS: u64 = 64;

/// The number of chunks after which the chunk size doubles if the run may stop early. Then no chunk
/// holds more than a seventeenth of the deals played.
const CHUNKS_PER_SIZE: u64 = 16;

/// The divisor of all deals that gives the size of the first chunks if the run may stop early.
const FIRST_CHUNK_DIVISOR: u128 = 2048;

/// A variant with its complete rules.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedVariant {
    /// Its name.
    pub name: String,
    /// All its rules.
    pub rules: Value,
}

/// A strategy with all its options.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResolvedStrategy {
    /// Its name.
    pub name: String,
    /// All its options, including the strategies it builds on; null for a caller's bot.
    pub strategy: Value,
}

/// A line-up under a variant, by names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableSpec {
    /// The variant.
    pub variant: String,
    /// The strategies by place.
    pub line_up: Vec<String>,
}

/// An experiment with complete rules, strategies and tables.
///
/// Together with the program it determines every result. It is saved with the chunks of a run,
/// hashed, shown in the manifest, and compared when a run is resumed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Resolved {
    /// Its name.
    pub name: String,
    /// The experiment.
    #[serde(flatten)]
    pub experiment: Experiment<ResolvedVariant, ResolvedStrategy>,
    /// The tables, variant by variant.
    pub tables: Vec<TableSpec>,
    /// The digest of the judge of luck, if results are adjusted for luck.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// The swept fields, for the report.
    #[serde(default, skip_serializing_if = "SweptNames::is_empty")]
    pub swept: SweptNames,
}

/// The names of the fields that a sweep changes from variant to variant or strategy to strategy.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SweptNames {
    /// The names from which those of variants with swept rules are made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bases: Vec<String>,
    /// Fields of the rules.
    pub rules: Vec<String>,
    /// Fields of strategies; a field of a group is written `group.field`.
    pub strategies: Vec<String>,
}

impl SweptNames {
    /// Returns `true` if nothing is swept.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.strategies.is_empty()
    }
}

impl Resolved {
    /// Returns the names of strategies that may move differently in another run: external
    /// programs, callers' bots and strategies with a time limit.
    pub fn unrepeatable(&self) -> impl Iterator<Item = &str> {
        let is_repeatable = |strategy: &Value| {
            !strategy.is_null()
                && strategy["kind"] != "external"
                && strategy.pointer("/budget/milliseconds").is_none()
        };
        let all = self.experiment.strategies.iter();
        all.filter(move |s| !is_repeatable(&s.strategy)).map(|s| s.name.as_str())
    }

    /// Returns the digest of everything that determines a result.
    pub fn digest(&self) -> String {
        let mut decisive = self.clone();
        decisive.experiment.about.clear();
        decisive.swept = SweptNames::default();
        decisive.experiment.question = None;
        digest(compact(&decisive))
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> u64 {
        let deals = self.experiment.deals;
        match self.experiment.until {
            None => deals.min(MAX_CHUNKS),
            Some(_) => (0..).take_while(|chunk| self.first_deal(*chunk) < deals).count() as u64,
        }
    }

    /// Returns the deals of a chunk. Sizes differ by at most one deal; if the run may stop early,
    /// the first chunks are small.
    pub fn deals_of(&self, chunk: u64) -> Range<u64> {
        self.first_deal(chunk)..self.first_deal(chunk + 1)
    }

    fn first_deal(&self, chunk: u64) -> u64 {
        let deals = u128::from(self.experiment.deals);
        let first = match self.experiment.until {
            None => u128::from(chunk) * deals / u128::from(self.chunks()),
            Some(_) => {
                let (doublings, rest) =
                    ((chunk / CHUNKS_PER_SIZE).min(60), u128::from(chunk % CHUNKS_PER_SIZE));
                let size = (deals / FIRST_CHUNK_DIVISOR).max(1);
                size * (((1 << doublings) - 1) * u128::from(CHUNKS_PER_SIZE) + (rest << doublings))
            }
        };
        first.min(deals) as u64
    }
}

/// The source of a part of an experiment. It does not affect results.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// One sentence for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Its file; none if a calling program supplied it.
    pub from: Option<Origin>,
    /// The digest of its text.
    pub sha256: String,
    /// The rules for which its numbers were tuned.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tuned_under: Vec<Value>,
    /// The digests of the files that the command of an external program names.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub files: BTreeMap<String, String>,
    /// The version that an external program reported.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Its text, if it may be read again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl Input {
    /// Describes the file of an experiment.
    pub(super) fn of(name: &str, file: &SourceFile) -> Input {
        let (from, sha256) = (Some(file.origin.clone()), file.digest.clone());
        Input { name: name.to_owned(), from, sha256, ..Input::default() }
    }
}

/// The sources of an experiment and its strategies.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// The experiment file; none if a program built the experiment.
    pub experiment: Option<Input>,
    /// The strategies in order.
    pub strategies: Vec<Input>,
}

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
    use super::super::StopCondition;
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
