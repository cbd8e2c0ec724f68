//! `parlour`: a self-play laboratory for parlour games with chance and hidden information.
//!
//! The floors, each using only floors below it:
//!
//! | floor | what it holds |
//! |---|---|
//! | [`cards`], [`chance`], [`files`], [`error`] | cards and piles; seeds and streams; files and errors |
//! | [`game`] | the [`Game`](game::Game) trait and the tests every game passes |
//! | [`leopard`] | the games, side by side |

pub mod cards;
pub mod chance;
pub mod error;
pub mod files;
pub mod game;
pub mod leapfrog;
pub mod leopard;
pub mod stats;
