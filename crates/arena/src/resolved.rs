//! Resolved experiments: the complete description of a run.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Experiment;
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
    /// The variants with swept rules.
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
    /// The rules for which its numbers were tuned, if the run sweeps rules.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tuned_under: Vec<Value>,
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
