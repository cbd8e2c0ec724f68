//! The command, driven as a user drives it. One program for all these tests, because each test
//! program is linked on its own.

mod commands;
mod common;
mod eleusis;
mod reports;
mod rings;
mod same_bytes;
mod search;
mod wrong_files;
mod wrong_input;
