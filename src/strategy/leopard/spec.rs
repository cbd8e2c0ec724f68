//! What a strategy file of Leopard can say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use std::sync::Arc;

use super::{Brisk, BriskWeights, Greedy, RandomKnocker, Steady, Weights, cheap};
use crate::cards::Rows;
use crate::chance::Stream;
use crate::error::{Error, Result};
use crate::files::{Found, parse_json};
use crate::game::{Bot, Policy, PolicyBot, Uniform};
use crate::leopard::{Leopard, Position, State, View, Watch};
use crate::search::params::{IsmctsFile, MctsFile, MoIsmctsFile, MonteCarloFile, PimcFile, Search};
use crate::search::{Decide, PolicyRollout, RandomRollout, Rollout, Thinker, Thinking};
use crate::strategy::{Strategic, playable, read_kind};

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
    /// A heuristic for playouts.
    Brisk {
        /// What it goes by.
        weights: BriskWeights,
    },
    /// A search; the strategies it names are spelled out.
    #[serde(untagged)]
    Search(Box<Search<Spec>>),
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
    /// A heuristic for playouts whose weights all stand in the file.
    Brisk(BriskFile),
    /// Playouts after each candidate move, over the same imagined worlds, with successive halving.
    MonteCarlo(MonteCarloFile<String>),
    /// A search of each imagined world with open cards; the worlds vote.
    Pimc(PimcFile<String>),
    /// Information-set Monte Carlo tree search with one tree.
    Ismcts(IsmctsFile<String>),
    /// The same with a tree for each seat.
    MoIsmcts(MoIsmctsFile<String>),
    /// Monte Carlo tree search for perfect information. In a game with hidden cards it believes
    /// in the one world that it imagines first.
    Mcts(MctsFile<String>),
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

/// The kind `brisk`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeopardBrisk")]
pub struct BriskFile {
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
    weights: BriskWeights,
}

impl Strategic for Leopard {
    type Spec = Spec;
    type SpecFile = SpecFile;
    type Scratch = Rows;

    const KINDS: &'static [&'static str] = &[
        "random",
        "random-knocker",
        "greedy",
        "steady",
        "brisk",
        "monte-carlo",
        "pimc",
        "ismcts",
        "mo-ismcts",
        "mcts",
    ];

    fn spec(kind: &str, found: &Found) -> Result<Spec> {
        if kind == "steady" {
            let weights = read_kind::<SteadyFile>(found)?.weights;
            let faults = weights.faults();
            if !faults.is_empty() {
                return Err(Error::input(format!("{}: {}", found.place(), faults.join("; "))));
            }
            return Ok(Spec::Steady { weights });
        }
        if kind == "brisk" {
            let weights = read_kind::<BriskFile>(found)?.weights;
            let faults = weights.faults();
            if !faults.is_empty() {
                return Err(Error::input(format!("{}: {}", found.place(), faults.join("; "))));
            }
            return Ok(Spec::Brisk { weights });
        }
        if crate::search::params::KINDS.contains(&kind) {
            let search = Search::read(kind, found)?.resolve(&found.place(), playable::<Leopard>)?;
            return Ok(Spec::Search(Box::new(search)));
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
            Spec::Steady { weights } => Box::new(PolicyBot(steady(weights))),
            Spec::Brisk { weights } => Box::new(PolicyBot(brisk(weights))),
            Spec::Search(search) => Box::new(Thinking(thinker(self, search))),
        }
    }

    fn uses_clock(spec: &Spec) -> bool {
        matches!(spec, Spec::Search(search) if search.uses_clock())
    }

    fn is_cheap(spec: &Spec) -> bool {
        !matches!(spec, Spec::Search(_))
    }

    fn decide(&self, spec: &Spec) -> Option<Decide> {
        match spec {
            Spec::Search(search) => search.decide(),
            _ => None,
        }
    }

    fn position(place: &str, text: &str) -> Result<(Leopard, View)> {
        let position: Position = parse_json(place, text)?;
        position.view().map_err(|faults| Error::input(format!("{place}: {}", faults.join("; "))))
    }

    fn thinker(&self, spec: &Spec) -> Option<Box<dyn Thinker<Leopard>>> {
        match spec {
            Spec::Search(search) => Some(thinker(self, search)),
            _ => None,
        }
    }

    #[inline]
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

/// Playouts by a strategy that does not search.
fn rollout(spec: &Spec, stray: f64) -> Arc<dyn Rollout<Leopard>> {
    match spec {
        Spec::Random | Spec::Search(_) => Arc::new(RandomRollout),
        Spec::RandomKnocker => Arc::new(PolicyRollout::new(RandomKnocker, stray)),
        Spec::Greedy => Arc::new(PolicyRollout::new(Greedy, stray)),
        Spec::Steady { weights } => Arc::new(PolicyRollout::new(steady(weights), stray)),
        Spec::Brisk { weights } => Arc::new(PolicyRollout::new(brisk(weights), stray)),
    }
}

/// A strategy that does not search, as a policy.
fn policy(spec: &Spec) -> Arc<dyn Policy<Leopard>> {
    match spec {
        Spec::Random | Spec::Search(_) => Arc::new(Uniform),
        Spec::RandomKnocker => Arc::new(RandomKnocker),
        Spec::Greedy => Arc::new(Greedy),
        Spec::Steady { weights } => Arc::new(steady(weights)),
        Spec::Brisk { weights } => Arc::new(brisk(weights)),
    }
}

fn steady(weights: &Weights) -> Steady {
    Steady::new(*weights).expect("weights are checked when read")
}

fn brisk(weights: &BriskWeights) -> Brisk {
    Brisk::new(*weights).expect("weights are checked when read")
}

/// The search that a file describes.
fn thinker(game: &Leopard, search: &Search<Spec>) -> Box<dyn Thinker<Leopard>> {
    search.thinker(game, rollout, policy)
}
