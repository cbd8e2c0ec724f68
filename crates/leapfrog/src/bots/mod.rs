//! Bots of Leap Frog.
//!
//! [`Greedy`] takes the most points now. [`LookaheadBot`] searches whole chains to a depth with
//! alpha-beta; `careful` is its shallowest form. [`ExactBot`] looks up solved positions. Budgets are
//! numbers of positions, never times.

mod exact;
mod lookahead;
mod search_board;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{FirstToLeap, Leapfrog, Move, View, picture};
use parlour_base::cards::CardStyle;
use parlour_game::Game;
use parlour_game::external::External;
use parlour_game::network::Network;
use parlour_game::search::{Comparison, MctsOptions, MonteCarloOptions};
use parlour_game::strategy::{Player, Strategic};

pub use exact::{ExactBot, ExactOptions};
pub use lookahead::{Greedy, LookaheadBot, LookaheadOptions};

/// The kinds of strategies, with the options in their files.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Kind {
    /// A random leap, then after each leap a random next leap or stop, all equally likely.
    Random {},
    /// The chain with the most points now; ties at random.
    Greedy {},
    /// The chain with the most points now minus the best reply; ties at random.
    Careful {},
    /// Alpha-beta over whole chains with iterative deepening. It is exact if the rest of the hand fits
    /// its budget and depth.
    Lookahead(LookaheadOptions),
    /// Exact play from a table on small boards and near the end; alpha-beta elsewhere.
    Exact(ExactOptions),
    /// A trained network of the user.
    Network(Network),
    /// Playouts after each candidate leap, with successive halving.
    MonteCarlo(MonteCarloOptions),
    /// Monte Carlo tree search over leaps.
    Mcts(MctsOptions),
    /// An external program in any language.
    External(External),
}

impl Strategic for Leapfrog {
    type Kind = Kind;
    type Scratch = ();

    fn is_open(&self) -> bool {
        self.rules.first_to_leap != FirstToLeap::Lot
    }

    /// Reads a single move, or a whole chain such as `e5-g5-g7`.
    fn read_moves(&self, text: &str) -> parlour_base::error::Result<Vec<Move>> {
        let text = &text.to_lowercase();
        let cells: Vec<&str> = text.split('-').map(str::trim).collect();
        match cells[..] {
            [_, _, _, ..] => {
                cells.windows(2).map(|leap| self.parse_move(&leap.join("-"))).collect()
            }
            _ => self.parse_move(text).map(|mv| vec![mv]),
        }
    }

    fn picture(&self, view: &View, _: CardStyle) -> String {
        let points = view.state.points.iter().take(usize::from(self.rules.seats)).enumerate();
        let points = points.map(|(seat, points)| format!("seat {seat} {points}"));
        let points = points.collect::<Vec<_>>().join(", ");
        format!("{}  points: {points}\n", picture::text(&self.rules, &view.state.board, &[]))
    }

    const REVIEWER: &'static str = "exact";

    fn move_kind(&self, mv: Move) -> &'static str {
        match mv {
            Move::Remove(_) => "first capture",
            Move::Leap(..) => "leap",
            Move::Stop => "stop",
            Move::First(_) => "choice of the first seat",
        }
    }

    fn solve_turn(&self, view: &View, played: &str) -> Option<(String, Comparison)> {
        exact::solve_turn(self, &view.state, played)
    }

    const DEFAULT_SEARCH: Option<&'static str> = Some("mcts-1000");

    fn player(kind: &Kind) -> Result<Player<'_, Leapfrog>, Vec<String>> {
        let careful = LookaheadOptions { depth: 1, nodes: 20_001, tempo: 100 };
        let lookahead = |horizon| Player::bot(move || LookaheadBot::new(horizon));
        Ok(match *kind {
            Kind::Random {} => Player::random(),
            Kind::Greedy {} => Player::policy(Greedy),
            Kind::Careful {} => lookahead(careful),
            Kind::Lookahead(horizon) => lookahead(horizon),
            Kind::Exact(options) => Player::bot(move || ExactBot::new(options)),
            Kind::Network(ref network) => Player::policy(network.clone()),
            Kind::MonteCarlo(ref options) => Player::search(options),
            Kind::Mcts(ref options) => Player::search(options),
            Kind::External(ref external) => Player::External(external),
        })
    }
}
