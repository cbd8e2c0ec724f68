//! Leopard (Robert Abbott, 1963): two seats, two decks, and a square of three by three cells for
//! each seat.
//!
//! [`Leopard`] is the game under some [`Rules`]. [`State`] is the whole state of a hand, and
//! [`View`] the part that a seat sees. [`Move`] is one play, discard, knock or end of a turn, and
//! [`Square`] the cards on a seat's nine cells.

#![forbid(unsafe_code)]

pub mod bots;
mod cells;
mod chance;
mod encoded;
mod figures;
mod gains;
mod goals;
mod leopard;
mod moves;
mod playout;
mod position;
mod record;
mod rules;
mod search_aid;
mod square;
mod state;
mod text;
mod view;

pub use cells::{CELLS, CardKind, Cell, Cells, LINES};
pub use figures::{HandCounts, HandStats};
pub use moves::{Move, Side};
use parlour_game::figures;
pub use position::{BoardPosition, Setup};
pub use record::{Record, TurnRecord};
pub use rules::{BonusWhen, Covers, DeckCards, KnockWindow, Patch, Plays, Rules, SquaresOn};
pub use square::Square;
pub use state::{End, State};
pub use view::View;

/// Leopard under a set of rules.
#[derive(Clone, Debug)]
pub struct Leopard {
    rules: Rules,
}
