//! Kinds of strategy of Leopard, and its policies. A policy does not search: its move depends only on
//! the view and the random stream.
//!
//! [`Greedy`] takes the largest change of the two values. [`RandomKnocker`] moves at random but
//! knocks. [`Steady`] is a heuristic with [`Weights`] from its file, and [`Brisk`] a heuristic for
//! playouts.

mod brisk;
mod brisk_lines;
mod greedy;
mod restricted;
mod steady;
mod weights;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::playout::duel;
use crate::{DeckCards, End, HandStats, Leopard, Move, Side, State, View, text};
use parlour_base::cards::{CardStyle, Rows};
use parlour_base::chance::Stream;
use parlour_game::external::External;
use parlour_game::network::Network;
use parlour_game::search::{
    IsmctsOptions, MctsOptions, MoIsmctsOptions, MonteCarloOptions, PimcOptions,
};
use parlour_game::strategy::{Player, Spec, Strategic};
use parlour_game::{Policy, Ruled};

pub use brisk::Brisk;
pub use greedy::{BestOf, Greedy, RandomKnocker};
use restricted::Restricted;
pub use restricted::Skill;
pub use steady::Steady;
pub use weights::{BriskWeights, Weights};

/// The kinds of strategy and the fields of their files.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Kind {
    /// Chooses uniformly among the legal moves.
    Random {},
    /// Chooses at random, but knocks when it can.
    RandomKnocker {},
    /// Chooses the largest change of own value less other value, ties by position; knocks when
    /// ahead.
    Greedy {},
    /// Chooses the best of a few random moves.
    BestOf(BestOf),
    /// A heuristic with all its weights in the file.
    Steady {
        /// The weights.
        weights: Weights,
        /// Skills that are disabled, to measure how much they matter.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        disable: Vec<Skill>,
    },
    /// A heuristic for playouts with all its weights in the file.
    Brisk {
        /// The weights.
        weights: BriskWeights,
    },
    /// A trained network.
    Network(Network),
    /// Playouts after each candidate move, in the same sampled worlds, with successive halving.
    MonteCarlo(MonteCarloOptions),
    /// A search of each sampled world with open cards; the worlds vote.
    Pimc(PimcOptions),
    /// Information-set Monte Carlo tree search with one tree.
    Ismcts(IsmctsOptions),
    /// Information-set Monte Carlo tree search with a tree for each seat.
    MoIsmcts(MoIsmctsOptions),
    /// Monte Carlo tree search for perfect information. In a game with hidden cards it searches
    /// only the first sampled world.
    Mcts(MctsOptions),
    /// An external program in any language.
    External(External),
}

impl Strategic for Leopard {
    type Kind = Kind;
    type Scratch = Rows;

    const JUDGE: Option<&'static str> = Some("self-taught");

    fn situation(&self, view: &View) -> Value {
        let (have, may_knock) = (view.value(Side::Own), view.may_knock(&self.rules));
        json!({ "cards": view.hand.len(), "played": view.played, "have": have, "may_knock": may_knock })
    }

    fn picture(&self, view: &View, letters: CardStyle) -> String {
        let text = text::view_text(view, letters);
        let End::Knock(seat) = view.end else { return text };
        let price = self.rules.knock_penalty;
        text + &format!("  score of seat {}: its value - {price} for the knock\n", seat.0)
    }

    const REVIEWER: &'static str = "ismcts-500";

    fn move_kind(&self, mv: Move) -> &'static str {
        match (mv, mv.card().map(|card| card.rank())) {
            (Move::End, _) => "end of turn",
            (Move::Knock, _) => "knock",
            (Move::Discard(_), _) => "discard",
            (_, Some(11)) => "jack",
            (_, Some(12)) => "queen",
            (_, Some(13)) => "king",
            (Move::Own(..), _) => "number, your square",
            (Move::Other(..), _) => "number, opponent's square",
        }
    }

    const DEFAULT_SEARCH: Option<&'static str> = Some("ismcts-500");

    fn player(kind: &Kind) -> std::result::Result<Player<'_, Leopard>, Vec<String>> {
        Ok(match kind {
            Kind::Random {} => Player::random(),
            Kind::RandomKnocker {} => Player::policy(RandomKnocker),
            Kind::Greedy {} => Player::policy(Greedy),
            Kind::BestOf(best_of) => Player::policy(*best_of),
            Kind::Steady { weights, disable } => {
                let (steady, disabled) = (Steady::new(*weights)?, disable.clone());
                match disable[..] {
                    [] => Player::policy(steady),
                    _ => Player::policy(Restricted { steady, disabled }),
                }
            }
            Kind::Brisk { weights } => Player::policy(Brisk::new(*weights)?),
            Kind::Network(network) => Player::policy(network.clone()),
            Kind::MonteCarlo(options) => Player::search(options),
            Kind::Pimc(options) => Player::search(options),
            Kind::Ismcts(options) => Player::search(options),
            Kind::MoIsmcts(options) => Player::search(options),
            Kind::Mcts(options) => Player::search(options),
            Kind::External(external) => Player::External(external),
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
        // Rows have two packs, dealt in the usual order.
        if !(cheap(first) && cheap(second))
            || self.rules().deck != DeckCards::TwoPacks
            || start.is_exchanged()
        {
            return None;
        }
        let (row, choices) = (rows.of(start), choices.first_chunk_mut()?);
        Some(match (first, second) {
            // Compiled apart, because a test of the kind in every turn would be measurable.
            (Kind::Random {}, Kind::Random {}) => {
                duel(self, (&RandomDuelist, &RandomDuelist), row, choices, stats)
            }
            _ => duel(self, (&Cheap(first), &Cheap(second)), row, choices, stats),
        })
    }
}

/// Uniformly random play that is always inlined, unlike [`Uniform`](parlour_game::Uniform).
struct RandomDuelist;

impl Policy<Leopard> for RandomDuelist {
    #[inline(always)]
    fn pick(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Move {
        view.sample(game.rules(), chance)
    }
}

/// One of the strategies that are so cheap that the arena's loop would cost more.
struct Cheap<'a>(&'a Kind);

impl Policy<Leopard> for Cheap<'_> {
    #[inline(always)]
    fn pick(&self, game: &Leopard, view: &View, chance: &mut Stream) -> Move {
        match self.0 {
            Kind::Greedy {} => Greedy.pick(game, view, chance),
            Kind::RandomKnocker {} if view.may_knock(game.rules()) => Move::Knock,
            _ => RandomDuelist.pick(game, view, chance),
        }
    }
}
