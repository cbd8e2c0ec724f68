//! External players: programs in any language that exchange lines of JSON over standard input and
//! output, as `docs/bot-protocol.md` describes.
//!
//! An external player gets what a bot gets: the view and the public moves. A player that fails loses
//! its hand; the next hand is played by a new process.

mod bot;
mod message;
mod players;
mod process;
mod talk;

pub use bot::{ExternalBot, chosen};
pub use message::{PROTOCOL, answer, brief, line};
pub use players::{External, Players, STDERR};
pub use talk::Talk;
