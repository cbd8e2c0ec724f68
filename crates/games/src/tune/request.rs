//! A request to tune a strategy, and the outcome.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use parlour_arena::Observer;
use parlour_base::Program;
use parlour_game::Sweep;
use parlour_stats::Estimate;

/// The candidates of a tuning.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum SearchSpace {
    /// Other values of real-valued fields: the named ones, or all if none is named.
    Reals(Vec<String>),
    /// All combinations of the listed values.
    Values(Sweep),
}

/// A request to tune a strategy. Its JSON has what determines the result.
#[derive(Clone, Serialize)]
pub struct TuneRequest<'a> {
    /// Name or path of the strategy.
    pub strategy: String,
    /// Name or path of the opponent; `None` to play every candidate against its mirror image.
    pub against: Option<String>,
    /// Names or paths of the variants, played in turn; empty for the first listed one.
    pub variants: Vec<String>,
    /// The candidates.
    #[serde(rename = "fields")]
    pub space: SearchSpace,
    /// Deals of each start, or of all values together.
    pub deals: u64,
    /// Number of starting points.
    pub starts: u64,
    /// Fresh deals that confirm the best candidate.
    pub confirm: u64,
    /// Random seed.
    pub seed: u64,
    /// The file to write; `None` for `STRATEGY-tuned.json`.
    #[serde(skip)]
    pub out: Option<PathBuf>,
    /// Overwrites an existing file.
    #[serde(skip)]
    pub replace: bool,
    /// Resumes a stopped tuning.
    #[serde(skip)]
    pub resume: bool,
    /// Number of threads; 0 for all cores.
    #[serde(skip)]
    pub threads: usize,
    /// The program that tunes.
    #[serde(skip)]
    pub program: Program,
    /// A flag that stops the tuning when set.
    #[serde(skip)]
    pub stop: &'a AtomicBool,
    /// Receives the largest number of hands that the tuning may play, before it begins.
    #[serde(skip)]
    pub expected: &'a (dyn Fn(u64) + Sync),
    /// Receives the number of hands just played.
    #[serde(skip)]
    pub observer: &'a dyn Observer,
}

/// The result of tuning a strategy.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Tuned")]
pub struct TuneOutcome {
    /// The tuned strategy.
    pub strategy: String,
    /// The opponent.
    pub against: String,
    /// Deals of the search. Unit: deals.
    pub search_deals: u64,
    /// Fresh deals of the confirmation. Unit: deals.
    pub fresh_deals: u64,
    /// The score on the fresh deals. Unit: share of the win.
    pub score: Estimate,
    /// The gain over the old strategy on the same deals. Unit: share of the win.
    pub gain: Estimate,
    /// The fields that changed.
    pub changed: Vec<ChangedField>,
    /// The fields without an effect under these rules, which keep their values.
    pub without_effect: Vec<String>,
    /// The file of the tuned strategy; null if no gain was found.
    pub file: Option<PathBuf>,
}

/// A changed field of a strategy.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct ChangedField {
    /// The name; groups are separated by dots.
    pub field: String,
    /// The old value.
    pub before: Value,
    /// The new value.
    pub after: Value,
}
