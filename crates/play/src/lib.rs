//! People, bots and learning programs at a table: the page in the browser, plain text in the
//! terminal, and environments for reinforcement learning.

#![forbid(unsafe_code)]

pub mod environment;
pub mod table;

use parlour_base::error::Kind;
use parlour_base::{cards, chance, error, files};
use parlour_board as viewer;
use parlour_game::{self as game, Scores, search, strategy, variant};
