//! `parlour solve`.

use std::io::Write;
use std::path::PathBuf;

use super::output::stays;
use super::{Args, Error, IsTerminal, Output, Result, Threads, ValueEnum, tell};
use crate::arena::Variant;
use crate::game::Ruled;
use crate::games::leapfrog::solve::{Effort, Progress, Solution, Strip, solve, solve_strip};
use crate::games::leapfrog::{Leapfrog, SIDE};
use crate::results::Sheet;

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Game {
    Leapfrog,
}

#[derive(Args, Debug)]
pub(super) struct Solve {
    /// The game
    game: Game,
    /// The variant: `mini-4x5`, `murray-mini-4x4`, …, or a file; of one row up to `mini-1x60`
    variant: String,
    /// The board, rows from the top joined by `/`: `o` plain, `w y r g` coloured, `.` empty. A
    /// board with an empty cell is a position after the first captures
    #[arg(long, value_name = "ROWS")]
    board: Option<String>,
    /// Megabytes that the table may take; it takes no more than it needs
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    memory: u64,
    #[command(flatten)]
    threads: Threads,
    /// A file for what is proved on the way; after a kill the same command goes on from it
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Write what proves the value, for `parlour check-certificate`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// Write over the certificate that is there
    #[arg(long, requires = "certificate")]
    replace: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(given: &Solve) -> Result<()> {
    given.output.check()?;
    let Game::Leapfrog = given.game;
    if let Some(file) = &given.certificate {
        stays(file, given.replace)?;
    }
    let effort = Effort {
        memory_mb: given.memory,
        threads: given.threads.for_pool(),
        save: given.save.as_deref(),
        certificate: given.certificate.as_deref(),
    };
    on_interrupt(given.save.clone())?;
    let shown = std::io::stderr().is_terminal();
    let mut told = |progress: Progress| {
        if shown {
            let Progress { positions, answered, questions, table_mb } = progress;
            _ = write!(
                std::io::stderr(),
                "\r\x1b[K{answered} of {questions} questions, {positions} positions, {table_mb} MB"
            );
        }
    };
    let clear = || {
        if shown {
            _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    };
    if let Some(cells) = given.board.is_none().then(|| strip(&given.variant)).flatten() {
        let strip = solve_strip(cells, &effort, &mut told);
        clear();
        let strip = strip?;
        return given.output.give(&strip, || Sheet::default().listing(lines_of_strip(&strip)));
    }
    let variant = Variant::<Leapfrog>::named(&given.variant)?;
    let rules = variant.game.rules();
    let solution = solve(rules, given.board.as_deref(), &effort, &mut told);
    clear();
    let solution = solution?;
    given.output.give(&solution, || Sheet::default().listing(lines(&variant.name, &solution)))
}

/// Ctrl-C ends the program. What was proved is saved already.
fn on_interrupt(save: Option<PathBuf>) -> Result<()> {
    let said = match save {
        Some(file) => {
            let file = file.display();
            format!("stopped; what is proved is in {file}, and the same command goes on from it")
        }
        None => "stopped; with `--save FILE` it could go on".to_owned(),
    };
    let set = ctrlc::set_handler(move || {
        tell(format_args!("\n{said}"));
        std::process::exit(130);
    });
    set.map_err(|error| Error::failed(format!("cannot listen for Ctrl-C: {error}")))
}

/// The cells of a board of one row that is longer than the game is played on.
fn strip(variant: &str) -> Option<u8> {
    let size = variant.strip_prefix("mini-")?;
    let cells = size.strip_prefix("1x").or_else(|| size.strip_suffix("x1"))?;
    cells.parse().ok().filter(|&cells| usize::from(cells) > SIDE)
}

fn lines_of_strip(strip: &Strip) -> Vec<String> {
    let best = (1..).zip(&strip.first_captures).filter(|(_, value)| **value == strip.value);
    let best: Vec<String> = best.map(|(place, _)| place.to_string()).collect();
    let all = best.len() == strip.first_captures.len();
    let best = if all { "any".to_owned() } else { best.join(" ") };
    vec![
        format!("{} plain pieces in a row", strip.cells),
        format!("value {:+} for the first seat", strip.value),
        format!("best first captures, counted from the left: {best}"),
        effort(strip.positions, strip.table_mb),
    ]
}

fn effort(positions: Option<u64>, table_mb: u64) -> String {
    let table = format!("a table of {table_mb} MB");
    positions.map_or(table.clone(), |positions| format!("{positions} positions searched, {table}"))
}

fn lines(variant: &str, solution: &Solution) -> Vec<String> {
    let mut lines = vec![format!("{variant}, {}", solution.board)];
    if solution.first_captures.is_empty() {
        lines.push(format!("value {:+} for the seat to leap, from here on", solution.value));
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
        lines.push(format!("{after}best: {best} ({:+} from there on)", moves.value));
    }
    lines.push(effort(solution.positions, solution.table_mb));
    lines
}
