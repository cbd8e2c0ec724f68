//! `parlour`: a self-play laboratory for parlour games with chance and hidden information.
//!
//! The main types are re-exported at the crate root; the modules behind them are public too. To write
//! a bot, implement [`Bot`], which chooses a move from an [`Observation`]. To add a game, implement
//! [`Game`]; [`game::kit`] has the tests that every game passes. To run an experiment, resolve an
//! [`Experiment`] into a [`Plan`] and pass the plan to a [`Run`]. The result is a [`Summary`] of
//! [`Estimate`]s.
//!
//! Modules, from the top; each uses only modules below it:
//!
//! | module | content |
//! |---|---|
//! | [`cli`] | the commands |
//! | [`tune`] | tuning of strategies and of rules by self-play |
//! | [`games`] | the list of games, and the games with their bots |
//! | [`results`], [`chart`] | runs, result folders, tables, report pages; charts as SVG |
//! | [`table`], [`environment`] | people and bots at a table; environments for reinforcement learning |
//! | [`arena`] | experiment → plan → chunks of deals → integer tallies; checkpoints, shards, merge |
//! | [`viewer`] | drawings of tables and hands for pages |
//! | [`game`], [`strategy`], [`search`] | the [`Game`] trait, strategy files, generic searches |
//! | [`stats`] | intervals, ratings and tests: pure functions of tallies |
//! | [`cards`], [`chance`], [`files`], [`error`], [`maths`], [`simd`] | foundations |

#![forbid(unsafe_code)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod tune;

pub use parlour_arena as arena;
pub use parlour_base::{Program, cards, chance, error, files, maths, names, simd};
pub use parlour_board as viewer;
pub use parlour_game as game;
pub use parlour_game::{counts, external, figures, search, strategy};
pub use parlour_games::{self as games, with_game};
pub use parlour_play::{environment, table};
pub use parlour_report::{self as results, chart};
pub use parlour_stats as stats;

pub use arena::{Experiment, Plan, Schedule, StopCondition, Variant};
pub use chance::{Seed, Stream};
pub use error::{Error, Fault, Kind, Place, Result};
pub use game::{
    Bot, Game, Label, Observation, Policy, PolicyBot, Position, PositionFile, Recorded, Ruled,
    Scores, Seat, Turn, Uniform,
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

/// Name and version of the program, with the date of its last change if it is known.
pub const DATED_VERSION: &str =
    concat!("parlour ", env!("CARGO_PKG_VERSION"), env!("PARLOUR_DATE"));

/// This build of the program.
pub const PROGRAM: Program = Program {
    version: env!("CARGO_PKG_VERSION"),
    source: env!("PARLOUR_SOURCE"),
    revision: env!("PARLOUR_REVISION"),
};
