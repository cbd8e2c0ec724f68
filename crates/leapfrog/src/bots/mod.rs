//! ChainStack to choose in Leap Frog.
//!
//! [`Greedy`] takes the most points now, [`LookaheadBot`] searches whole chains to a [`LookaheadOptions`]
//! with alpha-beta; `careful` is its shallowest form. [`ExactBot`] looks up what can be solved. Budgets are positions, never time.

mod exact;
mod greedy;
mod image_hashes;
mod lookahead;
mod search_board;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cards::CardStyle;
use crate::external::External;
use crate::game::Game;
use crate::search::{MctsOptions, MonteCarloOptions};
use crate::strategy::{Player, Strategic};
use crate::{Leapfrog, Move, View, picture};

pub use exact::{ExactBot, ExactOptions};
pub use greedy::Greedy;
pub use lookahead::{LookaheadBot, LookaheadOptions};

/// The kinds of strategy, each with what its file may say.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Kind {
    /// Any leap, then after each leap any way to go on or to stop, all alike.
    Random {},
    /// The chain with the most points now; of equals one at random.
    Greedy {},
    /// The points now less the best reply; of equals one at random.
    Careful {},
    /// Alpha-beta over whole chains with iterative deepening; it plays exactly once the rest of
    /// the hand fits in its budget and depth.
    Lookahead(LookaheadOptions),
    /// ExactOptions play by a table on small boards and near the end; alpha-beta elsewhere.
    Exact(ExactOptions),
    /// Playouts after each candidate leap, with successive halving.
    MonteCarlo(MonteCarloOptions),
    /// Monte Carlo tree search over leaps.
    Mcts(MctsOptions),
    /// A program of its own, in any language.
    External(External),
}

impl Strategic for Leapfrog {
    type Kind = Kind;
    type Scratch = ();

    const OPEN: bool = true;

    fn how_to_write(&self) -> String {
        "`e5-g5` leaps from e5 to g5, `stop` ends a chain, `xe5` is a first capture of e5."
            .to_owned()
    }

    /// A chain may be written in one piece, too.
    fn read_moves(&self, text: &str) -> crate::error::Result<Vec<Move>> {
        let cells: Vec<&str> = text.split('-').map(str::trim).collect();
        match cells[..] {
            [_, _, _, ..] => {
                cells.windows(2).map(|leap| self.parse_move(&leap.join("-"))).collect()
            }
            _ => self.parse_move(text).map(|mv| vec![mv]),
        }
    }

    fn picture(&self, view: &View, _: CardStyle) -> String {
        let points = view.table.points.iter().take(usize::from(self.rules.seats)).enumerate();
        let points = points.map(|(seat, points)| format!("seat {seat} {points}"));
        let points = points.collect::<Vec<_>>().join(", ");
        format!("{}  points: {points}\n", picture::text(&self.rules, view.table.board(), &[]))
    }

    const DEFAULT_SEARCH: Option<&'static str> = Some("mcts-1000");

    fn player(kind: &Kind) -> Result<Player<'_, Leapfrog>, Vec<String>> {
        let careful = LookaheadOptions { depth: 1, nodes: 20_001, tempo: 100 };
        let lookahead = |horizon| Player::bot(move || LookaheadBot::new(horizon));
        Ok(match kind {
            Kind::Random {} => Player::random(),
            Kind::Greedy {} => Player::policy(Greedy),
            Kind::Careful {} => lookahead(careful),
            Kind::Lookahead(horizon) => lookahead(*horizon),
            Kind::Exact(options) => {
                let options = *options;
                Player::bot(move || ExactBot::new(options))
            }
            Kind::MonteCarlo(options) => Player::search(options),
            Kind::Mcts(options) => Player::search(options),
            Kind::External(external) => return Player::external(external),
        })
    }
}
