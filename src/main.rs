//! The command `parlour`.

use std::process::ExitCode;

use clap::Parser;
use parlour::cli::{Cli, exit_code};
use parlour::error::Kind;

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if error.kind() != Kind::Closed {
                eprintln!("parlour: {error}");
            }
            ExitCode::from(exit_code(&error))
        }
    }
}
