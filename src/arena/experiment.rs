//! An experiment as it is written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Until, VariantSpec};
use crate::strategy::StrategySpec;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Every pairing of two strategies.
    #[default]
    RoundRobin,
    /// The champion against each other strategy.
    Gauntlet,
    /// The line-ups that are listed, for any number of seats.
    LineUp,
}

/// The part of an experiment that names its game; the rest is read once the game is known.
#[derive(Clone, Debug, Deserialize)]
pub struct Head {
    /// The game's name.
    pub game: String,
}

/// An experiment file; `P` is what a custom variant of the game may set.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "P: serde::de::DeserializeOwned"))]
pub struct Experiment<P> {
    /// The question, in a sentence or two.
    #[serde(default)]
    pub about: String,
    /// The game's name.
    pub game: String,
    /// The variants; all that the game lists when left out.
    #[serde(default)]
    pub variants: Option<Vec<VariantSpec<P>>>,
    /// The strategies, each by name or path, or written here: a `name`, a `base` and what differs.
    pub strategies: Vec<StrategySpec>,
    /// Who meets whom.
    #[serde(default)]
    pub schedule: Schedule,
    /// The strategy that meets each other in a gauntlet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub champion: Option<String>,
    /// For the schedule `line-up`: the strategies by seat, one list a line-up. Variants with
    /// another number of seats pass a line-up over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line_ups: Option<Vec<Vec<String>>>,
    /// Whether each strategy also meets itself, in a round-robin.
    #[serde(default)]
    pub mirror: bool,
    /// When the run may end before that many deals, decided at borders of chunks; a run has up to
    /// 64 of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// Whether each variant's best strategy is measured again, on as many fresh deals.
    #[serde(default)]
    pub confirm: bool,
    /// Whether what the deal's cards explain of the first seat's score is taken out of its doubt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub control: bool,
    /// How many deals; each is played once for every rotation of the strategies over the seats.
    #[serde(default = "default_deals")]
    pub deals: u64,
    /// The number that all chance grows from.
    #[serde(default = "default_seed")]
    pub seed: u64,
    /// Whether strategies that go by the clock are let in; such a run cannot be repeated.
    #[serde(default)]
    pub allow_clock: bool,
}

impl<P> Experiment<P> {
    /// What would be right, where there are too few strategies or line-ups for the schedule.
    pub(super) fn too_little(&self) -> Option<&'static str> {
        let unlisted = self.line_ups.as_ref().is_some_and(Vec::is_empty);
        match (self.schedule, self.strategies.len()) {
            (Schedule::RoundRobin, 0) => {
                Some("`strategies` is empty; name at least two, or one with `\"mirror\": true`")
            }
            (Schedule::RoundRobin, 1) if !self.mirror => {
                Some("`strategies` names only one; name at least two, or set `\"mirror\": true`")
            }
            (Schedule::Gauntlet, 0 | 1) => {
                Some("a gauntlet needs at least two `strategies`, the champion and another")
            }
            (Schedule::LineUp, 0) => Some("`strategies` is empty; name all that `line_ups` seats"),
            (Schedule::LineUp, _) if unlisted => {
                Some("`line_ups` is empty; list at least one line-up, a strategy for each seat")
            }
            _ => None,
        }
    }
}

const fn default_deals() -> u64 {
    10_000
}

const fn default_seed() -> u64 {
    1
}
