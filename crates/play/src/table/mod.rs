//! People and bots at one table.
//!
//! A [`Table`] holds one hand and who sits at it; it hands each seat what that seat may know
//! ([`Seen`]) and never the state. A [`Room`] shares a table with a thread that thinks for the bots,
//! so that nothing waits for them. On top of a room there are a server of pages ([`server`]) and a
//! terminal ([`terminal`]).

mod hand;
mod job;
mod kept;
mod mind;
mod play;
mod room;
mod seen;
pub mod server;
mod sitter;
mod tell;
pub mod terminal;
#[cfg(test)]
mod tests;
mod think;

pub use hand::Dealt;
pub use job::{Done, Job};
pub use kept::{Kept, Unfinished};
pub use play::{Setting, Table};
pub use room::{Room, Served};
pub use seen::{End, Seen, Thought};
pub use sitter::{PERSON, Sitter};
