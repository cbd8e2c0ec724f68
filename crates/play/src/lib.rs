//! People, bots and learning programs at a table: the page in the browser, plain text in the
//! terminal, and environments for reinforcement learning.

#![forbid(unsafe_code)]

pub mod environment;
pub mod table;
