//! What a strategy file of Leap Frog can say.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Greedy, Horizon, LookaheadBot};
use crate::error::{Error, Result};
use crate::game::{Bot, Policy, PolicyBot, Uniform};
use crate::games::leapfrog::Leapfrog;
use crate::search::params::{MctsFile, MonteCarloFile, Search};
use crate::search::{Decide, PolicyRollout, RandomRollout, Rollout, Thinker, Thinking};
use crate::strategy::{Layers, Strategic, playable};

/// A strategy of Leap Frog, resolved in full.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Spec {
    /// Any leap, then any way to go on or to stop, all alike.
    Random,
    /// The most points now.
    Greedy,
    /// The points now less the best reply.
    Careful,
    /// Alpha-beta.
    Lookahead {
        /// How many chains ahead.
        depth: u8,
        /// How many positions at most for one choice.
        nodes: u32,
        /// How much the best chain beyond the horizon counts, in hundredths.
        tempo: u8,
    },
    /// A search; the strategies it names are spelled out.
    #[serde(untagged)]
    Search(Box<Search<Spec>>),
}

/// A strategy file of Leap Frog as it is written.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[schemars(rename = "LeapfrogStrategy")]
pub enum SpecFile {
    /// Any leap, then after each leap any way to go on or to stop, all alike.
    Random(Plain),
    /// The chain with the most points now; of equals one at random.
    Greedy(Plain),
    /// The points now less the best reply; of equals one at random.
    Careful(Plain),
    /// Alpha-beta over whole chains with iterative deepening; it plays exactly once the rest of
    /// the hand fits in its budget and depth.
    Lookahead(LookaheadFile),
    /// Playouts after each candidate leap, with successive halving.
    MonteCarlo(MonteCarloFile<String>),
    /// Monte Carlo tree search over leaps.
    Mcts(MctsFile<String>),
}

/// A kind without parameters.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeapfrogPlainStrategy")]
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

fn some_nodes() -> u32 {
    100_000
}

fn half() -> u8 {
    50
}

/// The kind `lookahead`.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeapfrogLookahead")]
pub struct LookaheadFile {
    /// One sentence for people.
    #[serde(default)]
    about: String,
    /// The game, as a safeguard.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// The kind.
    #[serde(default)]
    kind: String,
    /// How many chains ahead, the one to be chosen included, 1 to 100.
    depth: u8,
    /// How many positions at most for one choice, 1 to 100 million; 100,000 if left out.
    #[serde(default = "some_nodes")]
    nodes: u32,
    /// How much the best chain beyond the horizon counts, in hundredths of its points, 0 to 100;
    /// 50 if left out.
    #[serde(default = "half")]
    tempo: u8,
}

impl LookaheadFile {
    fn faults(&self) -> Vec<String> {
        let fields = [
            ("depth", u32::from(self.depth), 1, 100),
            ("nodes", self.nodes, 1, 100_000_000),
            ("tempo", u32::from(self.tempo), 0, 100),
        ];
        let wrong = fields.into_iter().filter(|&(_, value, low, high)| value < low || value > high);
        wrong
            .map(|(name, value, low, high)| {
                format!("field `{name}` is {value}; it must be from {low} to {high}")
            })
            .collect()
    }
}

impl Strategic for Leapfrog {
    type Scratch = ();
    type Spec = Spec;
    type SpecFile = SpecFile;

    const KINDS: &'static [&'static str] =
        &["random", "greedy", "careful", "lookahead", "monte-carlo", "mcts"];

    fn spec(layers: &Layers) -> Result<Spec> {
        let kind = layers.kind();
        if kind == "lookahead" {
            let file = layers.read::<LookaheadFile>()?;
            let faults = file.faults();
            if !faults.is_empty() {
                return Err(Error::input(format!("{}: {}", layers.place(), faults.join("; "))));
            }
            let LookaheadFile { depth, nodes, tempo, .. } = file;
            return Ok(Spec::Lookahead { depth, nodes, tempo });
        }
        if crate::search::params::KINDS.contains(&kind) {
            let search = Search::read(layers)?;
            let search = search.resolve(layers.place(), playable::<Leapfrog>)?;
            if search.cut_off().1.is_some() {
                let what = "field `judge`: no strategy of leapfrog estimates chances to win";
                return Err(Error::input(format!("{}: {what}", layers.place())));
            }
            return Ok(Spec::Search(Box::new(search)));
        }
        layers.read::<Plain>()?;
        Ok(match kind {
            "random" => Spec::Random,
            "careful" => Spec::Careful,
            _ => Spec::Greedy,
        })
    }

    fn bot(&self, spec: &Spec) -> Box<dyn Bot<Leapfrog>> {
        let lookahead = |horizon| Box::new(LookaheadBot::new(horizon));
        match *spec {
            Spec::Search(ref search) => Box::new(Thinking(thinker(self, search))),
            Spec::Random => Box::new(PolicyBot(Uniform)),
            Spec::Greedy => Box::new(PolicyBot(Greedy)),
            Spec::Careful => lookahead(Horizon { depth: 1, nodes: 20_001, tempo: 100 }),
            Spec::Lookahead { depth, nodes, tempo } => lookahead(Horizon { depth, nodes, tempo }),
        }
    }

    fn uses_clock(spec: &Spec) -> bool {
        matches!(spec, Spec::Search(search) if search.uses_clock())
    }

    fn is_cheap(spec: &Spec) -> bool {
        matches!(spec, Spec::Random | Spec::Greedy)
    }

    fn decide(&self, spec: &Spec) -> Option<Decide> {
        match spec {
            Spec::Search(search) => search.decide(),
            _ => None,
        }
    }

    fn thinker(&self, spec: &Spec) -> Option<Box<dyn Thinker<Leapfrog>>> {
        match spec {
            Spec::Search(search) => Some(thinker(self, search)),
            _ => None,
        }
    }
}

/// The search that a file describes. Playouts are made by the kinds that are no more than a look
/// at the points; the others keep plans or search themselves, and play as greedy does there.
fn thinker(game: &Leapfrog, search: &Search<Spec>) -> Box<dyn Thinker<Leapfrog>> {
    let rollout = |spec: &Spec, stray: f64| -> Arc<dyn Rollout<Leapfrog>> {
        match spec {
            Spec::Random => Arc::new(RandomRollout),
            _ => Arc::new(PolicyRollout::new(Greedy, stray)),
        }
    };
    let policy = |spec: &Spec| -> Arc<dyn Policy<Leapfrog>> {
        match spec {
            Spec::Random => Arc::new(Uniform),
            _ => Arc::new(Greedy),
        }
    };
    search.thinker(game, rollout, policy)
}
