//! An experiment resolved in full: the truth of a run.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Experiment, Seating};
use crate::files::{Origin, digest};

/// A run has at most this many chunks, whatever its size: enough to keep many cores busy and to
/// lose little to a crash, few enough that their tallies fit in a small file; for the jackknife
/// some fifty do.
const MOST_CHUNKS: u64 = 64;

/// Where a run may end early, its chunks double in size after so many of them: at any end, none holds
/// more than a seventeenth of the deals.
const OCTAVE: u64 = 16;

/// The first chunks of such a run hold this part of all deals.
const SMALLEST: u128 = 2048;

/// A variant spelled out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpelledVariant {
    /// Its name.
    pub name: String,
    /// Its rules in full.
    pub rules: Value,
}

/// A strategy spelled out.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpelledStrategy {
    /// Its name.
    pub name: String,
    /// All that it says, the strategies it builds on included.
    pub strategy: Value,
}

/// An experiment resolved in full: rules and strategies spelled out, every table named.
///
/// It decides every result, together with the program. It is written beside the chunks of a run,
/// hashed, shown in the manifest, and compared when a run is resumed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Resolved {
    /// Its name.
    pub name: String,
    /// What was asked for.
    #[serde(flatten)]
    pub experiment: Experiment<SpelledVariant, SpelledStrategy>,
    /// Who meets whom, variant by variant.
    pub tables: Vec<Seating>,
    /// The digest of the judge of luck, where luck is taken out of the results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge: Option<String>,
    /// What it sweeps; this only names fields of what is spelled out.
    #[serde(default, skip_serializing_if = "Swept::is_empty")]
    pub swept: Swept,
}

/// The fields that a sweep changes from variant to variant, and from strategy to strategy.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swept {
    /// The variants whose rules are swept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub bases: Vec<String>,
    /// Fields of the rules.
    pub rules: Vec<String>,
    /// Fields of strategies; one within a group is written `group.field`.
    pub strategies: Vec<String>,
}

impl Swept {
    /// Whether nothing is swept.
    pub fn is_empty(&self) -> bool {
        self.rules.is_empty() && self.strategies.is_empty()
    }
}

impl Resolved {
    /// The strategies whose moves a run need not repeat: programs of their own, and those that go by
    /// the clock.
    pub fn unrepeatable(&self) -> impl Iterator<Item = &str> {
        let repeats = |strategy: &Value| {
            // A bot that a calling program brought along is not spelled out.
            !strategy.is_null()
                && strategy["kind"] != "external"
                && strategy.pointer("/budget/milliseconds").is_none()
        };
        let all = self.experiment.strategies.iter();
        all.filter(move |s| !repeats(&s.strategy)).map(|s| s.name.as_str())
    }

    /// The digest of all that decides a result.
    pub fn digest(&self) -> String {
        let mut decides = self.clone();
        decides.experiment.about.clear();
        decides.swept = Swept::default();
        decides.experiment.question = None;
        digest(crate::files::compact(&decides))
    }

    /// How many chunks the deals are divided into.
    pub fn chunks(&self) -> u64 {
        let deals = self.experiment.deals;
        match self.experiment.until {
            None => deals.min(MOST_CHUNKS),
            Some(_) => (0..).take_while(|chunk| self.border(*chunk) < deals).count() as u64,
        }
    }

    /// The deals of a chunk. Chunks differ by one deal at most; where a run may end early, the first
    /// are small, so that it can.
    pub fn deals_of(&self, chunk: u64) -> Range<u64> {
        self.border(chunk)..self.border(chunk + 1)
    }

    /// The deal that a chunk begins with.
    fn border(&self, chunk: u64) -> u64 {
        let deals = u128::from(self.experiment.deals);
        let border = match self.experiment.until {
            None => u128::from(chunk) * deals / u128::from(self.chunks()),
            Some(_) => {
                let (doublings, rest) = ((chunk / OCTAVE).min(60), u128::from(chunk % OCTAVE));
                let first = (deals / SMALLEST).max(1);
                first * (((1 << doublings) - 1) * u128::from(OCTAVE) + (rest << doublings))
            }
        };
        border.min(deals) as u64
    }
}

/// Where a part of an experiment came from; nothing of it decides a result.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// One sentence for people.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Where it stood; none where a program brought it along.
    pub from: Option<Origin>,
    /// The text's digest.
    pub sha256: String,
    /// The rules that its numbers were tuned under, where the run sweeps rules and it says so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tuned_under: Vec<Value>,
    /// The text itself, where it may be read again.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// Where an experiment and its strategies came from.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Inputs {
    /// The experiment file; none when it was put together.
    pub experiment: Option<Input>,
    /// The strategies, in their order.
    pub strategies: Vec<Input>,
}
