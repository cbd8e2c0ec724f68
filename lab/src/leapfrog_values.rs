//! Writes the exact values of small Leap Frog boards:
//! `cargo run --release -p parlour-lab -- leapfrog-values > results/leapfrog-exact-values/values.csv`.
//!
//! There is a row for every plain board up to 5 × 5 under four sets of switches, and for longer boards of
//! one to three rows. Coloured boards up to 4 × 4 come in [`COLOURINGS`] colourings from fixed seeds.
//! Boards have at least as many columns as rows: a rotated board has the same value.

use std::io::{self, Write};

use parlour::chance::Seed;
use parlour::game::{Game, Ruled};
use parlour::games::leapfrog::solve::{SolveOptions, solve};
use parlour::games::leapfrog::{Chains, FirstToLeap, Leapfrog, Rules};

/// Number of colourings of each coloured board.
const COLOURINGS: u64 = 20;

/// Random seed of the colourings.
const SEED: u64 = 1963;

/// Longer boards: rows and maximum columns.
const LONG: [(u8, u8); 4] = [(1, 18), (2, 11), (3, 7), (4, 6)];

pub fn run() -> anyhow::Result<()> {
    let mut out = csv::Writer::from_writer(io::stdout().lock());
    out.write_record([
        "rows",
        "cols",
        "pieces",
        "chains",
        "diagonal",
        "second_seat_starts",
        "colouring",
        "board",
        "value",
        "first_captures",
        "best_count",
        "best_first_captures",
        "worst_first_capture_value",
        "positions",
    ])?;
    let sizes = (1..=5).flat_map(|rows| (rows..=5).map(move |cols| (rows, cols)));
    for (rows, cols) in sizes {
        for rules in switches(&Rules::plain(rows, cols)) {
            row(&mut out, &rules, None)?;
        }
    }
    for (rows, most) in LONG {
        for cols in 6..=most {
            row(&mut out, &Rules::plain(rows, cols), None)?;
        }
    }
    let sizes = (1..=4).flat_map(|rows| (rows..=4).map(move |cols| (rows, cols)));
    for (rows, cols) in sizes.filter(|&(rows, cols)| rows * cols > 1) {
        for rules in switches(&Rules::murray(rows, cols)) {
            for colouring in 0..COLOURINGS {
                row(&mut out, &rules, Some(colouring))?;
            }
        }
    }
    Ok(out.flush()?)
}

/// The plain rules, and each of the three switches.
fn switches(rules: &Rules) -> [Rules; 4] {
    [
        rules.clone(),
        Rules { chains: Chains::Single, ..rules.clone() },
        Rules { diagonal: true, ..rules.clone() },
        Rules { first_to_leap: FirstToLeap::Seat(1), ..rules.clone() },
    ]
}

/// Returns the board of a colouring, the same for every set of switches.
fn board(rules: &Rules, colouring: u64) -> io::Result<String> {
    let seed = Seed::new(SEED).child(rules.rows.into()).child(rules.cols.into()).child(colouring);
    let game = Leapfrog::new(rules).map_err(io::Error::other)?;
    Ok(game.deal(&mut seed.stream()).board.text(rules))
}

fn row<W: Write>(
    out: &mut csv::Writer<W>,
    rules: &Rules,
    colouring: Option<u64>,
) -> io::Result<()> {
    let board = colouring.map(|colouring| board(rules, colouring)).transpose()?;
    let solution = solve(rules, board.as_deref(), &SolveOptions::default(), &mut |_| {})
        .map_err(io::Error::other)?;
    let worst = solution.first_captures.iter().map(|capture| capture.value).min();
    let chains = match rules.chains {
        Chains::Optional => "optional",
        Chains::Single => "single",
    };
    out.write_record([
        rules.rows.to_string(),
        rules.cols.to_string(),
        if colouring.is_some() { "murray" } else { "original" }.to_owned(),
        chains.to_owned(),
        rules.diagonal.to_string(),
        (rules.first_to_leap == FirstToLeap::Seat(1)).to_string(),
        colouring.map(|colouring| colouring.to_string()).unwrap_or_default(),
        solution.board,
        solution.value.to_string(),
        solution.first_captures.len().to_string(),
        solution.best_first_captures.len().to_string(),
        solution.best_first_captures.join(" "),
        worst.map(|value| value.to_string()).unwrap_or_default(),
        solution.positions.map(|positions| positions.to_string()).unwrap_or_default(),
    ])?;
    Ok(())
}
