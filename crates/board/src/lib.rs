//! Pages that show a hand. The drawer of a game's table is plain JavaScript without a build step,
//! the same for recorded hands and for hands in progress. The head of `board.js` describes its
//! interface.

#![forbid(unsafe_code)]

mod delta;
mod page;

pub use page::{Adviser, Hand, Note, page, page_with_introduction};

/// The JavaScript that draws the table of any game from views in JSON: one object, `Board`, with
/// `Board.draw(element, scene)` and `Board.next(scene, what)`.
pub const BOARD_JS: &str = include_str!("board.js");

/// The style sheet of the table, light and dark.
pub const BOARD_CSS: &str = include_str!("board.css");
