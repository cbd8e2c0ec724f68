//! People and bots at one table.
//!
//! A [`Table`] holds one hand and its participants. It gives each seat a [snapshot](Table::snapshot) with
//! what that seat may know, never the state. A [`TableActor`] shares a table with a thread that plays for
//! the bots, so people never wait for a lock held by a search. Two front ends use it: a web
//! [`server`] and a plain-text [`terminal`].

mod actor;
mod participant;
mod request;
mod saved_hands;
#[cfg(unix)]
pub mod server;
mod snapshot;
#[expect(clippy::module_inception, reason = "the file is named after its type")]
mod table;
pub mod terminal;
#[cfg(test)]
mod tests;

pub use actor::{SharedTable, TableActor, TableService};
pub use participant::{PERSON, Participant, Thought};
pub use request::{TableAnswer, TableRequest, answer};
pub use saved_hands::{HandFiles, SavedHand, UnfinishedHand};
pub use table::{HandPlace, Table, Task, TaskResult, random_seed};
