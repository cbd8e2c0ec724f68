//! `parlour solve`.

use std::io::Write;

use super::{Args, IsTerminal, Output, Result, ValueEnum};
use crate::game::Ruled;
use crate::games::leapfrog::Leapfrog;
use crate::games::leapfrog::solve::{Solution, solve};
use crate::results::Sheet;

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Game {
    Leapfrog,
}

#[derive(Args, Debug)]
pub(super) struct Solve {
    /// The game
    game: Game,
    /// The variant: `mini-4x5`, `murray-mini-4x4`, …
    variant: String,
    /// The board, rows from the top joined by `/`: `o` plain, `w y r g` coloured, `.` empty. A
    /// board with an empty cell is a position after the first captures
    #[arg(long, value_name = "ROWS")]
    board: Option<String>,
    /// Megabytes that the table may take
    #[arg(long, value_name = "MB", default_value_t = 2048)]
    memory: u64,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(given: &Solve) -> Result<()> {
    given.output.check()?;
    let Game::Leapfrog = given.game;
    let rules = Leapfrog::named(&given.variant)?;
    let shown = std::io::stderr().is_terminal();
    let solution = solve(&rules, given.board.as_deref(), given.memory, &mut |positions| {
        if shown {
            _ = write!(std::io::stderr(), "\r{positions} positions searched");
        }
    });
    if shown {
        _ = write!(std::io::stderr(), "\r\x1b[K");
    }
    let solution = solution?;
    given.output.give(&solution, || Sheet::default().listing(lines(&given.variant, &solution)))
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
    lines.push(format!(
        "{} positions searched, a table of {} MB",
        solution.positions, solution.table_mb
    ));
    lines
}
