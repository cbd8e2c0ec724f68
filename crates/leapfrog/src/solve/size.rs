//! How large a search will be, said before it begins.

use super::MB;
use super::grid::Shape;
use super::position::MOST_COLOURED;
use crate::error::{Error, Result, ensure};

/// More cells of plain pieces go into entries of eight bytes.
pub(super) const MOST_IN_FOUR_BYTES: u32 = 40;

/// More cells of plain pieces are not tried: the bits of a board are a word.
pub(super) const MOST_PLAIN: u32 = 60;

/// Positions searched on a board of so many cells, and by how much their number grows with each
/// cell more, for boards of one row, two, and so on up to six and more. Measured; the last row from
/// the first five.
const MEASURED: [(f64, f64, f64); 6] = [
    (52.0, 7.7e6, 1.15),
    (36.0, 1.0e5, 1.23),
    (27.0, 9.7e5, 1.68),
    (28.0, 2.6e6, 1.73),
    (30.0, 1.0e7, 1.86),
    (36.0, 4.4e8, 1.90),
];

/// The same for coloured boards, whatever their rows.
const MEASURED_COLOURED: (f64, f64, f64) = (20.0, 5.7e5, 1.95);

/// About how many positions a search of the full board visits.
fn positions(shape: Shape) -> f64 {
    let rows = usize::from(shape.rows.min(shape.cols)).clamp(1, MEASURED.len());
    let (cells, count, growth) = match shape.coloured {
        true => MEASURED_COLOURED,
        false => MEASURED[rows - 1],
    };
    // A square has twice as many symmetries; without chains there are twice as many positions.
    let images = if shape.rows == shape.cols && !shape.coloured { 0.5 } else { 1.0 };
    let chains = if shape.chains { 1.0 } else { 2.0 };
    count * pow(growth, f64::from(shape.cells()) - cells) * images * chains
}

/// How many sets of at most so many cells there are.
fn sets(cells: u32, most: u32) -> f64 {
    let mut binomial = 1.0;
    let mut all = 0.0;
    for chosen in 0..=most.min(cells) {
        all += binomial;
        binomial *= f64::from(cells - chosen) / f64::from(chosen + 1);
    }
    all
}

/// Refuses what is too large: a position of so many pieces, or the full board.
///
/// # Errors
/// Bad input: the board is too large, or its table does not fit in the memory.
pub(super) fn check(shape: Shape, pieces: Option<u32>, memory_mb: u64) -> Result<()> {
    let cells = shape.cells();
    let (kind, most) = match shape.coloured {
        true => ("coloured", MOST_COLOURED),
        false => ("plain", MOST_PLAIN),
    };
    let colours = if shape.coloured { 4.0 } else { 1.0 };
    let from_here = pieces.map_or(f64::INFINITY, |pieces| {
        sets(cells, pieces) * pow(colours, f64::from(pieces.min(cells)))
    });
    let positions = positions(shape).min(from_here);
    ensure(cells <= most, || {
        Error::input(format!(
            "{kind} boards of more than {most} cells cannot be solved; this one has {cells}, and \
             some {} positions to search",
            rounded(positions)
        ))
    })?;
    let entry = if shape.coloured || cells > MOST_IN_FOUR_BYTES { 8.0 } else { 4.0 };
    // The largest table that is reached by doubling while the old one still stands.
    let largest = |limit: f64| {
        let mut bytes = 4096.0;
        while 3.0 * bytes <= limit {
            bytes *= 2.0;
        }
        bytes
    };
    let allowed = memory_mb as f64 * MB as f64;
    if largest(allowed) >= positions * entry {
        return Ok(());
    }
    let mut enough = 1.0;
    while largest(enough * MB as f64) < positions * entry {
        enough *= 2.0;
    }
    // The power of two before may do with a half more.
    if largest(0.75 * enough * MB as f64) >= positions * entry {
        enough *= 0.75;
    }
    let seconds = positions / 5e5;
    Err(Error::input(format!(
        "a board of {cells} cells has some {} positions to search, which takes about {} of one core \
         and a table of {}; {memory_mb} MB are allowed: give `--memory {}`, or a smaller board",
        rounded(positions),
        match seconds {
            ..2.0 => "a second".to_owned(),
            ..120.0 => format!("{} seconds", rounded(seconds)),
            ..7200.0 => format!("{} minutes", rounded(seconds / 60.0)),
            _ => format!("{} hours", rounded(seconds / 3600.0)),
        },
        if enough < 1024.0 {
            format!("{} MB", enough.ceil())
        } else {
            format!("{} GB", rounded((enough / 1024.0).ceil()))
        },
        if enough < 1e15 { enough.ceil().to_string() } else { "more".to_owned() },
    )))
}

/// A number to one figure, `3 × 10^12` where it is long.
fn rounded(number: f64) -> String {
    let mut power = 0;
    let mut lead = number;
    while lead >= 9.5 {
        lead /= 10.0;
        power += 1;
    }
    match power {
        0..4 => (0..power).fold(lead.round(), |number, _| number * 10.0).to_string(),
        _ => format!("{} × 10^{power}", lead.round()),
    }
}

fn pow(base: f64, power: f64) -> f64 {
    crate::maths::exp(power * crate::maths::ln(base))
}
