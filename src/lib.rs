//! `parlour`: a self-play laboratory for parlour games with chance and hidden information.
//!
//! The nouns that a library user needs stand in this crate's root; the rooms behind them are public
//! too. To write a bot is to say what it does with an [`Observation`]; see [`Bot`]. To add a game is to
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
//! | [`tune`] | better numbers for a strategy, by self-play; better rules for a game |
//! | [`arena`] | experiment → plan → chunks of deals → integer tallies → resume, shards, merge |
//! | [`stats`] | intervals, ratings, balance figures: pure functions of tallies |
//! | [`games`] | the games side by side, each with its bots |
//! | [`search`] | searches that think ahead, generic over the game |
//! | [`strategy`] | how a JSON file in `strategies/` becomes a bot |
//! | [`game`] | the [`Game`] trait and the tests every game passes |
//! | [`cards`], [`chance`], [`files`], [`error`] | cards and piles; seeds and streams; files and errors |
//! | [`maths`], [`simd`] | logarithms that are the same everywhere; SIMD dispatch |

#![forbid(unsafe_code)]

#[cfg(feature = "cli")]
pub mod cli;
pub mod tune;

pub use parlour_arena as arena;
pub use parlour_base::{Program, cards, chance, error, files, maths, simd};
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

/// This build of the program.
pub const PROGRAM: Program = Program {
    version: env!("CARGO_PKG_VERSION"),
    source: env!("PARLOUR_SOURCE"),
    revision: env!("PARLOUR_REVISION"),
};
