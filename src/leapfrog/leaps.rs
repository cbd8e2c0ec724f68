//! Every leap on a board at once, by shifting rows of bits.

use super::board::{Cell, Rows, SIDE, Shape, WAYS};
use super::{Move, Rules};
use crate::chance::Stream;

/// Rows worked on together: the board's and two more, so that vectors come out even.
const LANES: usize = 20;

/// The rows with two empty ones above and below.
type Padded = [u32; LANES + 4];

/// The cells from which a leap is possible, for four ways.
struct Starts([[u32; LANES]; 4]);

#[inline]
fn pad(rows: &Rows) -> Padded {
    let mut padded = [0; LANES + 4];
    padded[2..2 + SIDE].copy_from_slice(rows);
    padded
}

/// Brings the bit of the cell `RIGHT` columns to the right to a cell's own place.
#[inline]
fn bring<const RIGHT: isize>(row: u32) -> u32 {
    if RIGHT >= 0 { row >> RIGHT } else { row << -RIGHT }
}

#[inline]
fn way<const DOWN: isize, const RIGHT: isize, const RIGHT2: isize>(
    pieces: &Padded,
    empty: &Padded,
) -> [u32; LANES] {
    std::array::from_fn(|lane| {
        let row = |steps: isize| (lane as isize + 2 + DOWN * steps) as usize;
        pieces[row(0)] & bring::<RIGHT>(pieces[row(1)]) & bring::<RIGHT2>(empty[row(2)])
    })
}

#[inline]
fn empty(pieces: &Padded, shape: Shape) -> Padded {
    let mut empty = [0; LANES + 4];
    for row in 2..2 + usize::from(shape.rows) {
        empty[row] = shape.full() ^ pieces[row];
    }
    empty
}

impl Starts {
    #[inline]
    fn straight(pieces: &Padded, empty: &Padded) -> Starts {
        Starts([
            way::<-1, 0, 0>(pieces, empty),
            way::<0, -1, -2>(pieces, empty),
            way::<0, 1, 2>(pieces, empty),
            way::<1, 0, 0>(pieces, empty),
        ])
    }

    #[inline]
    fn diagonal(pieces: &Padded, empty: &Padded) -> Starts {
        Starts([
            way::<-1, -1, -2>(pieces, empty),
            way::<-1, 1, 2>(pieces, empty),
            way::<1, -1, -2>(pieces, empty),
            way::<1, 1, 2>(pieces, empty),
        ])
    }

    /// How many leaps each row has.
    #[inline]
    fn counts(&self) -> [u32; LANES] {
        std::array::from_fn(|lane| self.0.iter().map(|way| way[lane].count_ones()).sum())
    }

    /// The `k`-th leap, rows from the top, then ways, then columns.
    #[inline]
    fn nth(&self, counts: &[u32; LANES], mut k: u32, first_way: usize) -> Move {
        let mut lane = 0;
        while k >= counts[lane] {
            k -= counts[lane];
            lane += 1;
        }
        let mut way = 0;
        let mut row = self.0[0][lane];
        while k >= row.count_ones() {
            k -= row.count_ones();
            way += 1;
            row = self.0[way][lane];
        }
        for _ in 0..k {
            row &= row - 1;
        }
        Move::leap(Cell::new(lane, row.trailing_zeros() as usize), first_way + way)
    }
}

/// Whether any leap is possible.
#[inline]
pub(super) fn any(pieces: &Rows, shape: Shape) -> bool {
    let rows = usize::from(shape.rows);
    let full = shape.full();
    // Leaps along a row, either way; most often the first rows have one.
    for &row in &pieces[..rows] {
        let empty = full ^ row;
        let pairs = row & row >> 1;
        if pairs & (empty >> 2 | empty << 1) != 0 {
            return true;
        }
    }
    for three in pieces[..rows].windows(3) {
        let across = |a: u32, b: u32, c: u32| a & b & !c;
        if across(three[0], three[1], three[2]) | across(three[2], three[1], three[0]) != 0 {
            return true;
        }
        if shape.diagonal {
            let falling = [three[0], three[1] >> 1, three[2] >> 2];
            let rising = [three[0], three[1] << 1, three[2] << 2];
            // A cell counts as empty only where the board has one.
            let ends = [full >> 2, full << 2 & full];
            for (line, end) in [falling, rising].into_iter().zip(ends) {
                let found = across(line[0], line[1], line[2]) | across(line[2], line[1], line[0]);
                if found & end != 0 {
                    return true;
                }
            }
        }
    }
    false
}

/// Adds every leap, in the order of moves.
pub(super) fn list(pieces: &Rows, shape: Shape, out: &mut Vec<Move>) {
    let padded = pad(pieces);
    let empty = empty(&padded, shape);
    let straight = Starts::straight(&padded, &empty);
    let diagonal = shape.diagonal.then(|| Starts::diagonal(&padded, &empty));
    let way_of = |way: usize, row: usize| {
        if way < 4 {
            straight.0[way][row]
        } else {
            diagonal.as_ref().map_or(0, |d| d.0[way - 4][row])
        }
    };
    for row in 0..usize::from(shape.rows) {
        let mut cells = (0..WAYS.len()).fold(0, |cells, way| cells | way_of(way, row));
        while cells != 0 {
            let col = cells.trailing_zeros();
            cells &= cells - 1;
            let from = Cell::new(row, col as usize);
            let open = (0..WAYS.len()).filter(|&way| way_of(way, row) >> col & 1 == 1);
            out.extend(open.map(|way| Move::leap(from, way)));
        }
    }
}

/// A leap drawn uniformly from all; `None` if there is none.
#[inline]
pub(super) fn sample(pieces: &Rows, shape: Shape, chance: &mut Stream) -> Option<Move> {
    let padded = pad(pieces);
    let empty = empty(&padded, shape);
    let straight = Starts::straight(&padded, &empty);
    let counts = straight.counts();
    let total: u32 = counts.iter().sum();
    if shape.diagonal {
        let diagonal = Starts::diagonal(&padded, &empty);
        let more = diagonal.counts();
        let all = total + more.iter().sum::<u32>();
        let k = (all > 0).then(|| chance.below(all))?;
        if k >= total {
            return Some(diagonal.nth(&more, k - total, 4));
        }
        return Some(straight.nth(&counts, k, 0));
    }
    let k = (total > 0).then(|| chance.below(total))?;
    Some(straight.nth(&counts, k, 0))
}

/// The cells from which a piece can leap, for each of the eight ways: up, left, right, down and,
/// where the rules have them, the diagonals up left, up right, down left and down right.
pub fn starts(pieces: &Rows, rules: &Rules) -> [Rows; 8] {
    let shape = rules.shape();
    let padded = pad(pieces);
    let empty = empty(&padded, shape);
    let mut starts = [[0; SIDE]; 8];
    for (rows, way) in starts.iter_mut().zip(Starts::straight(&padded, &empty).0) {
        rows.copy_from_slice(&way[..SIDE]);
    }
    if shape.diagonal {
        for (rows, way) in starts[4..].iter_mut().zip(Starts::diagonal(&padded, &empty).0) {
            rows.copy_from_slice(&way[..SIDE]);
        }
    }
    starts
}
