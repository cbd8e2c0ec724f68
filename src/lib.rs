//! `parlour`: a self-play laboratory for parlour games with chance and hidden information.
//!
//! The nouns that a library user needs stand in this crate's root; the rooms behind them are public
//! too. To write a bot is to say what it does with a [`Sight`]; see [`Bot`]. To add a game is to
//! implement [`Game`]; the tests that every game passes are in [`game::kit`]. To run is to resolve an
//! [`Experiment`] into a [`Plan`] and hand it to a [`Run`], which comes to a [`Summary`] made of
//! [`Estimate`]s.
//!
//! The floors, each using only floors below it:
//!
//! | floor | what it holds |
//! |---|---|
//! | [`cli`] | the commands: parse, call, print |
//! | [`environment`] | games as environments for programs that learn: one table, or many at once |
//! | [`table`] | people and bots at a table: a page in the browser, plain text in the terminal |
//! | [`results`] | CSV files, the manifest, records, tables, the page for people |
//! | [`chart`], [`viewer`] | charts as SVG; tables and hands as a page shows them |
//! | [`tune`] | better numbers for a strategy, by self-play |
//! | [`arena`] | experiment → plan → chunks of deals → integer tallies → resume, shards, merge |
//! | [`stats`] | intervals, ratings, balance figures: pure functions of tallies |
//! | [`games`] | the games side by side, each with its bots |
//! | [`search`] | searches that think ahead, generic over the game |
//! | [`strategy`] | how a JSON file in `strategies/` becomes a bot |
//! | [`game`] | the [`Game`] trait and the tests every game passes |
//! | [`cards`], [`chance`], [`files`], [`error`] | cards and piles; seeds and streams; files and errors |
//! | [`maths`], [`lanes`] | logarithms that are the same everywhere; the wider registers |

#![forbid(unsafe_code)]

pub mod arena;
pub mod cards;
pub mod chance;
pub mod chart;
#[cfg(feature = "cli")]
pub mod cli;
pub mod environment;
pub mod error;
pub mod external;
pub mod files;
pub mod game;
pub mod games;
pub mod lanes;
pub mod maths;
pub mod results;
pub mod search;
pub mod stats;
pub mod strategy;
pub mod table;
pub mod tune;
pub mod viewer;

pub use arena::{Experiment, Plan, Schedule, Until, Variant};
pub use chance::{Seed, Stream};
pub use error::{Error, Fault, Kind, Place, Result};
pub use game::{
    Bot, Game, Label, Policy, PolicyBot, Position, Recorded, Ruled, Scores, Seat, Shown, Sight,
    Turn, Uniform,
};
pub use games::{GAMES, eleusis::Eleusis, leapfrog::Leapfrog, leopard::Leopard};
pub use results::{Run, Summary};
pub use stats::Estimate;
pub use strategy::{Strategic, Strategy};

/// The pages whose Rust is tried as documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/write-a-bot.md")]
struct Pages;

/// The program's version and the fingerprint of the sources it was built from: two programs with
/// the same give the same results.
pub fn program() -> String {
    format!("{} ({})", env!("CARGO_PKG_VERSION"), env!("PARLOUR_SOURCE"))
}

/// The commit that last touched those sources, with `+` when they were changed since; `unknown`
/// outside a repository.
pub const REVISION: &str = env!("PARLOUR_REVISION");
