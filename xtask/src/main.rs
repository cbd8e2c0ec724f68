//! Developer commands of the repository: `cargo xtask COMMAND`.

mod layers;
mod lines;
mod markdown;
mod modules;
mod prose;
mod repository;
mod site;
mod steps;
mod tokens;

use std::io::Result;
use std::process::ExitCode;

const HELP: &str = "\
Usage: cargo xtask COMMAND

  check            Format, lint and test the crates that changed since main
  ci [STEP…]       Run all checks of a submission, or the named steps; `ci list` names them
  layers [CRATE…]  Find import cycles inside a crate and type names defined twice
  prose [PATH…]    Find unclear openings, long sentences and words to avoid
  lines            Count lines of code by room and find files that are too long
  wasm [FOLDER]    Build the WebAssembly module of the page
  site [FOLDER [MODULE]]  Copy the page, module, results and docs for a static host

`layers`, `prose` and `lines` allow as many findings as xtask/allowed.txt says; --quiet hides allowed findings.";

fn main() -> ExitCode {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let quiet = arguments.iter().any(|argument| argument == "--quiet");
    arguments.retain(|argument| argument != "--quiet");
    let command = if arguments.is_empty() { String::new() } else { arguments.remove(0) };
    match run(&command, &arguments, quiet) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a command. Returns `false` if a check fails.
fn run(command: &str, arguments: &[String], quiet: bool) -> Result<bool> {
    match command {
        "check" => steps::check(),
        "ci" => steps::ci(arguments),
        "layers" => {
            let (cycles, names) = layers::check(arguments)?;
            let passes = cycles.report(quiet);
            Ok(names.report(quiet) && passes)
        }
        "prose" => Ok(prose::check(arguments)?.report(quiet)),
        "lines" => Ok(lines::check()?.report(quiet)),
        "wasm" => steps::wasm(arguments),
        "site" => site::build(arguments),
        _ => {
            println!("{HELP}");
            Ok(["", "help", "--help"].contains(&command))
        }
    }
}
