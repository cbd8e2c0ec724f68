//! The command, driven as a user drives it.

mod commands;
pub mod common;
mod decisions;
mod eleusis;
mod folders;
mod hands;
mod luck;
mod names;
mod network;
mod old_folders;
mod output;
mod reports;
mod review;
mod rings;
mod same_bytes;
mod schemas;
mod search;
mod solved;
mod statuses;
mod stopped;
mod sweeps;
mod tournament;
mod tune;
mod verdicts;
mod whole_files;
mod wrong_files;
mod wrong_input;
