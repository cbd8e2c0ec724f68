//! Leopard (Robert Abbott, 1963): two seats, two decks, a square of three by three cells each.
//!
//! [`Leopard`] is the game under some [`Rules`]; [`State`] is the truth of a hand, [`View`] what a
//! seat knows of it, [`Move`] one play, discard, knock or end of a turn, [`Square`] the cards on a
//! seat's nine cells.

#![forbid(unsafe_code)]

pub mod bots;
mod cells;
mod choice;
mod duel;
mod encoded;
mod figures;
mod gains;
pub mod judge;
mod leopard;
mod moves;
mod picture;
mod playout;
mod position;
mod record;
mod rules;
mod sample;
mod search_aid;
mod show;
mod square;
mod state;
mod strengths;
mod view;
mod worth;
mod written;

pub use cells::{CELLS, Cell, Cells, Kind, LINES};
pub use figures::{HandCounts, HandStats};
pub use moves::{Act, Move, Side};
use parlour_base::{cards, chance, error, files, maths, simd};
use parlour_game::{self as game, counts, external, figures, search, strategy};
use parlour_stats as stats;
pub use position::{BoardPosition, Setup};
pub use record::{Record, TurnRecord};
pub use rules::{BonusWhen, Covers, KnockWindow, Patch, Plays, Rules};
pub use square::Square;
pub use state::{End, State};
pub use view::View;
pub use written::WrittenAct;

/// Leopard under some rules.
#[derive(Clone, Debug)]
pub struct Leopard {
    rules: Rules,
}
