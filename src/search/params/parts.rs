//! What a file of more than one kind may hold.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How the others are thought to choose: their latest moves weigh the worlds that are imagined.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SearchModel")]
pub struct ModelFile<P> {
    /// What they are thought to play: a strategy that does not search.
    pub strategy: P,
    /// The chance that they play any move whatever, above 0 and at most 1.
    #[serde(default = "default_doubt")]
    pub doubt: f64,
    /// How many of their latest moves are looked at, 1 to 100.
    #[serde(default = "default_moves")]
    pub moves: u32,
    /// How many worlds are weighed before a search begins, 1 to 100000.
    #[serde(default = "default_pool")]
    pub pool: u32,
}

fn default_doubt() -> f64 {
    0.3
}

fn default_moves() -> u32 {
    3
}

fn default_pool() -> u32 {
    400
}

/// A strategy whose opinion of the candidates counts like playouts made already.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SearchGuide")]
pub struct GuideFile<P> {
    /// Whose opinion: a strategy that does not search and weighs its moves.
    pub strategy: P,
    /// For how many playouts of each candidate it counts, above 0.
    pub visits: f64,
    /// What a point of its worth is in reward, above 0.
    pub reward: f64,
    /// How many candidates are searched, 1 to 1000: those that it likes best. Left out, all are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keep: Option<u32>,
}

/// Another strategy for the first moves of a playout.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SearchRolloutStart")]
pub struct StartFile<P> {
    /// Who plays them: a strategy that does not search.
    pub strategy: P,
    /// How many they are, 1 to 1000.
    pub moves: u32,
}

/// Progressive widening: how many moves a node may know.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SearchWidening")]
pub struct Widening {
    /// How many after one visit; above 0.
    pub base: f64,
    /// The number grows with the visits to the power of this, 0 to 1.
    pub power: f64,
}
