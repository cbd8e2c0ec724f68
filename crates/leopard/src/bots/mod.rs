//! Ways to choose in Leopard, none of which searches: each is a function of the view, allocates
//! nothing, and is cheap enough for playouts.
//!
//! [`Greedy`] takes the best change of the two values, [`RandomKnocker`] moves at random but
//! knocks, [`Steady`] is a heuristic whose [`Weights`] stand in its file, [`Brisk`] one for playouts,
//! [`Learnt`] goes by a network that learnt what positions are worth.

mod brisk;
mod brisk_lines;
mod greedy;
mod network;
mod restricted;
mod steady;
mod weights;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cards::{CardStyle, Rows};
use crate::chance::Stream;
use crate::duel::{Duelist, duel};
use crate::external::External;
use crate::game::{Policy, Ruled, Uniform};
use crate::search::{IsmctsOptions, MctsOptions, MoIsmctsOptions, MonteCarloOptions, PimcOptions};
use crate::strategy::{Player, Spec, Strategic};
use crate::{Act, HandStats, Leopard, State, View, picture};

pub use brisk::Brisk;
pub use greedy::{BestOf, Greedy, RandomKnocker};
pub use network::{HIDDEN, Learnt, Net, Network, PARTS, ROWS};
use restricted::Restricted;
pub use restricted::Skill;
pub use steady::Steady;
pub use weights::{BriskWeights, Weights};

/// The kinds of strategy, each with what its file may say.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Kind {
    /// Uniform over the legal moves.
    Random {},
    /// Random, but knocks when it can.
    RandomKnocker {},
    /// The best change of own value less the other's; ties by position; knocks when ahead.
    Greedy {},
    /// The best of a few random moves.
    BestOf(BestOf),
    /// A heuristic whose weights all stand in the file.
    Steady {
        /// What it goes by.
        weights: Weights,
        /// What it is kept from, to see how much that matters.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        without: Vec<Skill>,
    },
    /// A heuristic for playouts whose weights all stand in the file.
    Brisk {
        /// What it goes by.
        weights: BriskWeights,
    },
    /// A network, all of it in the file, that estimates the chance to win after each move.
    Learnt(Network),
    /// Playouts after each candidate move, over the same imagined worlds, with successive halving.
    MonteCarlo(MonteCarloOptions),
    /// A search of each imagined world with open cards; the worlds vote.
    Pimc(PimcOptions),
    /// Information-set Monte Carlo tree search with one tree.
    Ismcts(IsmctsOptions),
    /// The same with a tree for each seat.
    MoIsmcts(MoIsmctsOptions),
    /// Monte Carlo tree search for perfect information. In a game with hidden cards it believes
    /// in the one world that it imagines first.
    Mcts(MctsOptions),
    /// A program of its own, in any language.
    External(External),
}

impl Strategic for Leopard {
    type Kind = Kind;
    type Scratch = Rows;

    fn how_to_write(&self) -> String {
        "`3H o5` lays the three of hearts on cell 5 of the own square, `3H x5` on the other's (cells 1 \
         to 9, row by row); `3H -` discards it; then `end` and `knock`."
            .to_owned()
    }

    fn picture(&self, view: &View, letters: CardStyle) -> String {
        picture::text(view, letters)
    }

    const USUAL_SEARCH: Option<&'static str> = Some("ismcts-500");

    fn player(kind: &Kind) -> std::result::Result<Player<'_, Leopard>, Vec<String>> {
        Ok(match kind {
            Kind::Random {} => Player::random(),
            Kind::RandomKnocker {} => Player::policy(RandomKnocker),
            Kind::Greedy {} => Player::policy(Greedy),
            Kind::BestOf(best_of) => Player::policy(*best_of),
            Kind::Steady { weights, without } if without.is_empty() => {
                Player::policy(Steady::new(*weights)?)
            }
            Kind::Steady { weights, without } => {
                Player::policy(Restricted::new(Steady::new(*weights)?, without))
            }
            Kind::Brisk { weights } => Player::policy(Brisk::new(*weights)?),
            Kind::Learnt(network) => Player::policy(Learnt::new(network.net())),
            Kind::MonteCarlo(options) => Player::search(options),
            Kind::Pimc(options) => Player::search(options),
            Kind::Ismcts(options) => Player::search(options),
            Kind::MoIsmcts(options) => Player::search(options),
            Kind::Mcts(options) => Player::search(options),
            Kind::External(external) => return Player::external(external),
        })
    }

    fn duel(
        &self,
        specs: &[&Spec<Kind>],
        rows: &mut Rows,
        start: &Stream,
        choices: &mut [Stream],
        stats: &mut HandStats,
    ) -> Option<State> {
        let &[Spec { kind: first, .. }, Spec { kind: second, .. }] = specs else { return None };
        let cheap =
            |kind| matches!(kind, &Kind::Random {} | &Kind::RandomKnocker {} | &Kind::Greedy {});
        if !(cheap(first) && cheap(second)) {
            return None;
        }
        let (row, choices) = (rows.of(start), choices.first_chunk_mut()?);
        Some(match (first, second) {
            // Compiled apart, because here even asking which strategy it is would show.
            (Kind::Random {}, Kind::Random {}) => {
                duel(self, (&Uniform, &Uniform), row, choices, stats)
            }
            _ => duel(self, (&Cheap(first), &Cheap(second)), row, choices, stats),
        })
    }
}

/// One of the strategies that cost so little that the arena's loop would cost more.
struct Cheap<'a>(&'a Kind);

impl Duelist for Cheap<'_> {
    #[inline(always)]
    fn act(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Act {
        match self.0 {
            Kind::Greedy {} => Greedy.pick(game, view, chance).act(),
            Kind::RandomKnocker {} if view.may_knock(game.rules()) => Act::Knock,
            _ => Uniform.act(game, view, chance),
        }
    }
}
