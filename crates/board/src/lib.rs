//! Pages on which a hand can be looked at. What draws a game's table is plain JavaScript without a
//! build step, the same for a recorded hand and for one that is being played; what it takes and
//! gives stands at the head of `board.js`.

#![forbid(unsafe_code)]

mod delta;
mod page;

pub use page::{Adviser, Hand, Note, page};
use parlour_game as game;

/// Draws the table of any game into an element of a page, from views as they stand in JSON: one
/// object, `Board`, with `Board.draw(element, scene)` and `Board.next(scene, what)`.
pub const BOARD_JS: &str = include_str!("board.js");

/// How that table looks, light and dark.
pub const BOARD_CSS: &str = include_str!("board.css");
