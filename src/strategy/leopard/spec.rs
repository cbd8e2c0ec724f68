//! What a strategy file of Leopard can say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Greedy, RandomKnocker, Steady, Weights, cheap};
use crate::cards::Rows;
use crate::chance::Stream;
use crate::error::{Error, Result};
use crate::files::Found;
use crate::game::{Bot, PolicyBot, Uniform};
use crate::leopard::{Leopard, State, Watch};
use crate::strategy::{Strategic, read_kind};

/// A strategy of Leopard, resolved in full.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Spec {
    /// Uniform over the legal moves.
    Random,
    /// Random, but knocks when it can.
    RandomKnocker,
    /// The best change of the two values.
    Greedy,
    /// A heuristic.
    Steady {
        /// What it goes by.
        weights: Weights,
    },
}

/// A strategy file of Leopard as it is written.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(rename = "LeopardStrategy")]
pub enum SpecFile {
    /// Uniform over the legal moves.
    Random(Plain),
    /// Random, but knocks when it can.
    RandomKnocker(Plain),
    /// The best change of own value less the other's; ties by position; knocks when ahead.
    Greedy(Plain),
    /// A heuristic whose weights all stand in the file.
    Steady(SteadyFile),
}

/// A kind without parameters.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "PlainStrategy")]
pub struct Plain {
    /// One sentence for people.
    #[serde(default)]
    about: String,
    /// The game, as a safeguard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// The kind.
    #[serde(default)]
    kind: String,
}

/// The kind `steady`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeopardSteady")]
pub struct SteadyFile {
    /// One sentence for people.
    #[serde(default)]
    about: String,
    /// The game, as a safeguard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// The kind.
    #[serde(default)]
    kind: String,
    /// What it goes by.
    weights: Weights,
}

impl Strategic for Leopard {
    type Spec = Spec;
    type SpecFile = SpecFile;
    type Scratch = Rows;

    const KINDS: &'static [&'static str] = &["random", "random-knocker", "greedy", "steady"];

    fn spec(kind: &str, found: &Found) -> Result<Spec> {
        if kind == "steady" {
            let weights = read_kind::<SteadyFile>(found)?.weights;
            let faults = weights.faults();
            if !faults.is_empty() {
                return Err(Error::input(format!("{}: {}", found.place(), faults.join("; "))));
            }
            return Ok(Spec::Steady { weights });
        }
        read_kind::<Plain>(found)?;
        Ok(match kind {
            "random" => Spec::Random,
            "random-knocker" => Spec::RandomKnocker,
            _ => Spec::Greedy,
        })
    }

    fn bot(&self, spec: &Spec) -> Box<dyn Bot<Leopard>> {
        match spec {
            Spec::Random => Box::new(PolicyBot(Uniform)),
            Spec::RandomKnocker => Box::new(PolicyBot(RandomKnocker)),
            Spec::Greedy => Box::new(PolicyBot(Greedy)),
            Spec::Steady { weights } => {
                Box::new(PolicyBot(Steady::new(*weights).expect("weights are checked when read")))
            }
        }
    }

    fn duel(
        &self,
        specs: &[&Spec],
        rows: &mut Rows,
        start: &Stream,
        choices: &mut [Stream],
    ) -> Option<(State, Watch)> {
        cheap::play(self, specs, rows, start, choices)
    }
}
