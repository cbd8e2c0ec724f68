//! All leaps on a board, found in parallel by shifting rows of bits.

use itertools::Itertools;

use super::board::{Cell, Rows, WAYS, bits, cells, has};
use super::moves::Move;
use super::rules::{Rules, SIDE};
use parlour_base::chance::Stream;

/// The cells from which a piece can leap, for each of the eight ways.
///
/// The order is up, left, right, down, up left, up right, down left, down right.
pub(super) fn starts(board: &Rows, rules: &Rules) -> [Rows; 8] {
    // Two empty rows above and below the board.
    let (mut pieces, mut empty) = ([0; SIDE + 4], [0; SIDE + 4]);
    pieces[2..2 + SIDE].copy_from_slice(board);
    for row in 2..2 + usize::from(rules.rows) {
        empty[row] = rules.full() ^ pieces[row];
    }
    // Shifts a row so that the bit of the cell `right` columns away is at the cell's own position.
    let shift = |row: u32, right: isize| row >> right.max(0) << (-right).max(0);
    let mut starts = [[0; SIDE]; 8];
    for (starts, (down, right)) in starts.iter_mut().zip(WAYS).take(rules.ways()) {
        let over = &pieces[(2 + down) as usize..];
        let to = &empty[(2 + 2 * down) as usize..];
        for (((start, piece), over), to) in starts.iter_mut().zip(board).zip(over).zip(to) {
            *start = piece & shift(*over, right) & shift(*to, 2 * right);
        }
    }
    starts
}

/// Returns `true` if a leap is possible.
pub(super) fn any(pieces: &Rows, rules: &Rules) -> bool {
    // Leaps along a row are found most often, in the first rows.
    let along = |&row: &u32| {
        let empty = rules.full() ^ row;
        row & row >> 1 & (empty >> 2 | empty << 1) != 0
    };
    pieces[..usize::from(rules.rows)].iter().any(along)
        || starts(pieces, rules).as_flattened().iter().any(|&row| row != 0)
}

/// Appends all leaps, ordered by cell, then way.
pub(super) fn list(pieces: &Rows, rules: &Rules, out: &mut Vec<Move>) {
    let starts = starts(pieces, rules);
    let any: Rows = std::array::from_fn(|row| starts.iter().fold(0, |all, way| all | way[row]));
    for from in cells(&any) {
        let open = (0..WAYS.len()).filter(|&way| has(&starts[way], from));
        out.extend(open.map(|way| Move::Leap(from, from.landing(way))));
    }
}

/// Draws a leap uniformly from all. Returns `None` if there is none.
pub(super) fn sample(pieces: &Rows, rules: &Rules, chance: &mut Stream) -> Option<Move> {
    let starts = starts(pieces, rules);
    // Numbers of leaps by row, straight and diagonal.
    let mut counts = [[0; SIDE]; 2];
    for (way, rows) in starts.iter().enumerate().take(rules.ways()) {
        counts[way / 4].iter_mut().zip(rows).for_each(|(count, row)| *count += row.count_ones());
    }
    let all = counts.as_flattened().iter().sum();
    let mut k = (all > 0).then(|| chance.below(all))?;
    // Diagonal leaps come last; the others are ordered by row, then way, then column.
    for (group, row) in (0..2).cartesian_product(0..SIDE) {
        if k >= counts[group][row] {
            k -= counts[group][row];
            continue;
        }
        for (way, rows) in starts.iter().enumerate().skip(4 * group) {
            let cols = rows[row];
            if let Some(col) = bits(cols).nth(k as usize) {
                let from = Cell::new(row, col);
                return Some(Move::Leap(from, from.landing(way)));
            }
            k -= cols.count_ones();
        }
    }
    None
}
