//! The command `parlour`.

use std::process::ExitCode;

use clap::Parser;
use parlour::cli::Cli;

fn main() -> ExitCode {
    match Cli::parse().run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("parlour: {error}");
            ExitCode::from(error.status())
        }
    }
}
