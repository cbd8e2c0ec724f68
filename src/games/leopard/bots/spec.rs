//! What a strategy file of Leopard can say.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};

use std::sync::Arc;

use super::{
    Brisk, BriskFile, BriskWeights, Greedy, Learnt, LearntFile, Net, Plain, RandomKnocker, Steady,
    SteadyFile, Weights, cheap,
};
use crate::cards::Rows;
use crate::chance::Stream;
use crate::error::{Error, Result};
use crate::files::parse_json;
use crate::game::{Bot, Policy, PolicyBot, Uniform};
use crate::games::leopard::{Leopard, Position, State, View, Watch};
use crate::search::params::{IsmctsFile, MctsFile, MoIsmctsFile, MonteCarloFile, PimcFile, Search};
use crate::search::{Decide, PolicyRollout, RandomRollout, Rollout, Thinker, Thinking};
use crate::strategy::{Layers, Strategic, playable};

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
    /// A network that learnt what positions are worth.
    Learnt {
        /// What it goes by; written as the digest of its numbers.
        #[serde(serialize_with = "as_digest")]
        net: Arc<Net>,
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
    /// A network, all of it in the file, that estimates the chance to win after each move.
    Learnt(LearntFile),
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
        "learnt",
        "monte-carlo",
        "pimc",
        "ismcts",
        "mo-ismcts",
        "mcts",
    ];

    fn spec(layers: &Layers) -> Result<Spec> {
        let kind = layers.kind();
        if kind == "steady" {
            let weights = layers.read::<SteadyFile>()?.weights;
            let faults = weights.faults();
            if !faults.is_empty() {
                return Err(Error::input(format!("{}: {}", layers.place(), faults.join("; "))));
            }
            return Ok(Spec::Steady { weights });
        }
        if kind == "brisk" {
            let weights = layers.read::<BriskFile>()?.weights;
            let faults = weights.faults();
            if !faults.is_empty() {
                return Err(Error::input(format!("{}: {}", layers.place(), faults.join("; "))));
            }
            return Ok(Spec::Brisk { weights });
        }
        if kind == "learnt" {
            let net = layers.read::<LearntFile>()?.net();
            let wrong = |faults: Vec<String>| format!("{}: {}", layers.place(), faults.join("; "));
            let net = net.map_err(|faults| Error::input(wrong(faults)))?;
            return Ok(Spec::Learnt { net: Arc::new(net) });
        }
        if crate::search::params::KINDS.contains(&kind) {
            let search = Search::read(layers)?.resolve(layers.place(), playable::<Leopard>)?;
            if search.cut_off().1.is_some_and(|judge| !matches!(judge, Spec::Learnt { .. })) {
                let what =
                    "field `judge`: it has no estimate of the chance to win; kind `learnt` has";
                return Err(Error::input(format!("{}: {what}", layers.place())));
            }
            return Ok(Spec::Search(Box::new(search)));
        }
        layers.read::<Plain>()?;
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
            Spec::Learnt { net } => Box::new(PolicyBot(learnt(net))),
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
        position.view().map_err(|error| error.in_file(place))
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
        Spec::Learnt { net } => Arc::new(PolicyRollout::new(learnt(net), stray)),
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
        Spec::Learnt { net } => Arc::new(learnt(net)),
    }
}

fn steady(weights: &Weights) -> Steady {
    Steady::new(*weights).expect("weights are checked when read")
}

fn brisk(weights: &BriskWeights) -> Brisk {
    Brisk::new(*weights).expect("weights are checked when read")
}

fn learnt(net: &Arc<Net>) -> Learnt {
    Learnt::new(Arc::clone(net))
}

fn as_digest<S: Serializer>(net: &Net, serializer: S) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_str(&net.digest())
}

/// The search that a file describes.
fn thinker(game: &Leopard, search: &Search<Spec>) -> Box<dyn Thinker<Leopard>> {
    search.thinker(game, rollout, policy)
}
