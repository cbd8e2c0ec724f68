//! External players: programs in any language that exchange lines of JSON over standard input and
//! output, as `docs/bot-protocol.md` describes.
//!
//! An external player gets what a bot gets: the view and the public moves. A player that fails loses
//! its hand; the next hand is played by a new process. A failure of the machine stops the run.

mod bot;
mod message;
#[cfg_attr(not(unix), path = "no_process.rs")]
mod process;
mod process_pool;
#[cfg(unix)]
mod watchdog;

pub use bot::{ExternalBot, parse_choice};
pub use message::{PROTOCOL, parse_answer, shorten, to_line};
pub use process_pool::{External, ProcessPool, STDERR, Session};
#[cfg(unix)]
pub use watchdog::{kill_all, wait_for_goodbyes};
