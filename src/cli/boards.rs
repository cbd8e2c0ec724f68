//! Exact values of small boards: `parlour solve` and `parlour check-certificate`. A certificate that does
//! not prove its claim is bad input.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::job::Threads;
use super::output::{Output, on_interrupt, refuse_to_overwrite, warn};
use crate::arena::Variant;
use crate::error::{Error, Result, ensure};
use crate::files::{AtomicFile, read_text};
use crate::game::Ruled;
use crate::games::leapfrog::certificate::{Certificate, CheckedCertificate};
use crate::games::leapfrog::solve::{
    OneRowSolution, Progress, Solution, SolveOptions, solve, solve_one_row,
};
use crate::games::leapfrog::{Leapfrog, SIDE};
use crate::results::TextReport;

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Game {
    Leapfrog,
}

#[derive(Args, Debug)]
pub(super) struct Solve {
    /// Game
    game: Game,
    /// Variant: `mini-4x5`, `murray-mini-4x4`, … or a file; boards of one row up to `mini-1x60`
    variant: String,
    /// Board: rows from the top, separated by `/`; `o` plain, `w y r g` coloured, `.` empty. A board
    /// with an empty cell is a position after the first captures
    #[arg(long, value_name = "ROWS")]
    board: Option<String>,
    /// Memory limit of the table, in megabytes
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    memory: u64,
    #[command(flatten)]
    threads: Threads,
    /// File for intermediate results; after a kill, the same command resumes from it
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write a proof of the value, for `parlour check-certificate`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Overwrite an existing certificate
    #[arg(long, requires = "certificate")]
    replace: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn solve_board(args: &Solve) -> Result<()> {
    let Game::Leapfrog = args.game;
    if let Some(file) = &args.certificate {
        refuse_to_overwrite(file, args.replace)?;
        ensure(args.save.as_ref() != Some(file), || {
            Error::input("`--save` and `--certificate` name the same file")
        })?;
        AtomicFile::create(file)?;
    }
    let options = SolveOptions {
        memory_mb: args.memory,
        threads: args.threads.for_pool(),
        save: args.save.as_deref(),
        certificate: args.certificate.as_deref(),
    };
    let stopped = match &args.save {
        Some(file) => format!("stopped; the same command resumes from {}", file.display()),
        None => "stopped; use `--save FILE` to make it resumable".to_owned(),
    };
    // Intermediate results are saved already.
    on_interrupt(move || {
        warn(format_args!("\n{stopped}"));
        std::process::exit(130);
    })?;
    // Hidden unless standard error is a terminal; cleared when dropped.
    let bar = ProgressBar::new_spinner();
    let mut progress = |Progress { positions, answered, questions, table_mb }: Progress| {
        bar.set_message(format!(
            "{answered} of {questions} questions, {positions} positions, {table_mb} MB"
        ));
    };
    let cells = args.board.is_none().then(|| one_row(&args.variant)).flatten();
    let (json, lines) = if let Some(cells) = cells {
        let solution = solve_one_row(cells, &options, &mut progress)?;
        (json!(solution), one_row_lines(&solution))
    } else {
        let Variant { name, game } = Variant::<Leapfrog>::named(&args.variant)?;
        let solution = solve(game.rules(), args.board.as_deref(), &options, &mut progress)?;
        (json!(solution), lines(&name, &solution))
    };
    drop(bar);
    args.output.give(&json, || TextReport::default().sentences(lines))
}

/// Returns the number of cells of a one-row board that is longer than the game allows.
fn one_row(variant: &str) -> Option<u8> {
    let size = variant.strip_prefix("mini-")?;
    let cells = size.strip_prefix("1x").or_else(|| size.strip_suffix("x1"))?;
    cells.parse().ok().filter(|&cells| usize::from(cells) > SIDE)
}

fn one_row_lines(solution: &OneRowSolution) -> Vec<String> {
    let best = (1..).zip(&solution.first_captures).filter(|(_, value)| **value == solution.value);
    let best: Vec<String> = best.map(|(place, _)| place.to_string()).collect();
    let all = best.len() == solution.first_captures.len();
    let best = if all { "any".to_owned() } else { best.join(" ") };
    vec![
        format!("{} plain pieces in a row", solution.cells),
        format!("value {:+} for the first seat", solution.value),
        format!("best first captures, numbered from the left: {best}"),
        search_size(solution.positions, solution.table_mb),
    ]
}

fn search_size(positions: Option<u64>, table_mb: u64) -> String {
    let table = format!("a table of {table_mb} MB");
    positions.map_or(table.clone(), |positions| format!("{positions} positions searched, {table}"))
}

fn lines(variant: &str, solution: &Solution) -> Vec<String> {
    let mut lines = vec![format!("{variant}, {}", solution.board)];
    if solution.first_captures.is_empty() {
        lines.push(format!("value {:+} for the seat to leap (future points)", solution.value));
    } else {
        lines.push(format!("value {:+} for the first seat", solution.value));
        lines.push(format!("best first captures: {}", solution.best_first_captures.join(" ")));
    }
    for moves in &solution.first_moves {
        let after = match moves.after.as_slice() {
            [] => String::new(),
            captures => format!("after {} ", captures.join(" ")),
        };
        let best =
            if moves.best.is_empty() { "no capture".to_owned() } else { moves.best.join(" ") };
        lines.push(format!("{after}best: {best} (future value {:+})", moves.value));
    }
    lines.push(search_size(solution.positions, solution.table_mb));
    lines
}

#[derive(Args, Debug)]
pub(super) struct CheckCertificate {
    /// Certificates written by `parlour solve --certificate`
    #[arg(required = true)]
    certificates: Vec<PathBuf>,
    /// The expected board: its rows, as in a certificate
    #[arg(long, value_name = "ROWS")]
    board: Option<String>,
    #[command(flatten)]
    output: Output,
}

/// Certificates that prove their claims.
#[derive(Serialize, JsonSchema)]
pub(super) struct Certified {
    /// The claims, in the order of the arguments.
    certificates: Vec<Proved>,
}

/// A certificate that proves its claim.
#[derive(Serialize, JsonSchema)]
struct Proved {
    /// The file.
    file: PathBuf,
    /// The claim.
    #[serde(flatten)]
    checked: CheckedCertificate,
}

pub(super) fn check_certificates(args: &CheckCertificate) -> Result<()> {
    let (mut certificates, mut lines) = (Vec::new(), Vec::new());
    for path in &args.certificates {
        let file = path.display().to_string();
        let certificate = Certificate::read(&file, &read_text(path)?)?;
        let other = args.board.as_ref().filter(|board| **board != certificate.board);
        ensure(other.is_none(), || {
            let board = &certificate.board;
            Error::input(format!("the certificate is for another board, {board}")).in_file(&file)
        })?;
        let start = Instant::now();
        let checked = certificate.check().map_err(|error| error.in_file(&file))?;
        lines.push(format!(
            "{file}: {} has the value {:+}, proved by {} positions and {} endings in {:.1} s",
            certificate.title(),
            checked.value,
            checked.positions,
            checked.endings,
            start.elapsed().as_secs_f64()
        ));
        certificates.push(Proved { file: path.clone(), checked });
    }
    args.output.give(&Certified { certificates }, || TextReport::default().sentences(lines))
}
