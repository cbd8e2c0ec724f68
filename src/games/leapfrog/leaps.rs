//! Every leap on a board at once, by shifting rows of bits.

use super::board::{Cell, Rows, SIDE, Shape, WAYS};
use super::{Move, Rules};
use crate::chance::Stream;

/// Most rows worked on together: a board's and two more, so that vectors come out even.
const LANES: usize = 20;

/// The rows with two empty ones above and below.
type Padded = [u32; LANES + 4];

/// The cells in the first `N` rows from which a leap is possible, for four ways.
struct Starts<const N: usize>([[u32; N]; 4]);

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
fn way<const N: usize, const DOWN: isize, const RIGHT: isize, const RIGHT2: isize>(
    pieces: &Padded,
    empty: &Padded,
) -> [u32; N] {
    // Loops over lanes, which become vectors; closures handed to arrays are not always inlined.
    let mut starts = [0; N];
    for (lane, start) in starts.iter_mut().enumerate() {
        let row = |steps: isize| (lane as isize + 2 + DOWN * steps) as usize;
        *start = pieces[row(0)] & bring::<RIGHT>(pieces[row(1)]) & bring::<RIGHT2>(empty[row(2)]);
    }
    starts
}

#[inline]
fn empty(pieces: &Padded, shape: Shape) -> Padded {
    let mut empty = [0; LANES + 4];
    for row in 2..2 + usize::from(shape.rows) {
        empty[row] = shape.full() ^ pieces[row];
    }
    empty
}

impl<const N: usize> Starts<N> {
    #[inline]
    fn straight(pieces: &Padded, empty: &Padded) -> Starts<N> {
        Starts([
            way::<N, -1, 0, 0>(pieces, empty),
            way::<N, 0, -1, -2>(pieces, empty),
            way::<N, 0, 1, 2>(pieces, empty),
            way::<N, 1, 0, 0>(pieces, empty),
        ])
    }

    #[inline]
    fn diagonal(pieces: &Padded, empty: &Padded) -> Starts<N> {
        Starts([
            way::<N, -1, -1, -2>(pieces, empty),
            way::<N, -1, 1, 2>(pieces, empty),
            way::<N, 1, -1, -2>(pieces, empty),
            way::<N, 1, 1, 2>(pieces, empty),
        ])
    }

    /// How many leaps each row has: their bits counted in pairs, fours and eights (Knuth, 7.1.3),
    /// all ways together as soon as the sums have room.
    #[inline]
    fn counts(&self) -> [u32; N] {
        let pairs = |x: u32| x - (x >> 1 & 0x5555_5555);
        let fours = |x: u32| (x & 0x3333_3333) + (x >> 2 & 0x3333_3333);
        let eights = |x: u32| (x & 0x0F0F_0F0F) + (x >> 4 & 0x0F0F_0F0F);
        let [a, b, c, d] = &self.0;
        let mut counts = [0; N];
        for (lane, count) in counts.iter_mut().enumerate() {
            let two = |x: u32, y: u32| eights(fours(pairs(x)) + fours(pairs(y)));
            let sum = two(a[lane], b[lane]) + two(c[lane], d[lane]);
            let sum = sum + (sum >> 16);
            *count = (sum + (sum >> 8)) & 0xFF;
        }
        counts
    }

    /// The `k`-th leap, rows from the top, then ways, then columns.
    #[inline]
    fn nth(&self, counts: &[u32; N], mut k: u32, first_way: usize) -> Move {
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
    let straight = Starts::<LANES>::straight(&padded, &empty);
    let diagonal = shape.diagonal.then(|| Starts::<LANES>::diagonal(&padded, &empty));
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
    match shape.rows {
        ..=8 => draw::<8>(pieces, shape, chance),
        9..=12 => draw::<12>(pieces, shape, chance),
        13..=16 => draw::<16>(pieces, shape, chance),
        _ => draw::<LANES>(pieces, shape, chance),
    }
}

/// [`sample`] on a board of at most `N` rows.
fn draw<const N: usize>(pieces: &Rows, shape: Shape, chance: &mut Stream) -> Option<Move> {
    let padded = pad(pieces);
    let empty = empty(&padded, shape);
    let straight = Starts::<N>::straight(&padded, &empty);
    let counts = straight.counts();
    let total: u32 = counts.iter().sum();
    if shape.diagonal {
        let diagonal = Starts::<N>::diagonal(&padded, &empty);
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
    for (rows, way) in starts.iter_mut().zip(Starts::<LANES>::straight(&padded, &empty).0) {
        rows.copy_from_slice(&way[..SIDE]);
    }
    if shape.diagonal {
        for (rows, way) in starts[4..].iter_mut().zip(Starts::<LANES>::diagonal(&padded, &empty).0)
        {
            rows.copy_from_slice(&way[..SIDE]);
        }
    }
    starts
}
