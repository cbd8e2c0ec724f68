//! All leaps on a board, found in parallel by shifting rows of bits.

use super::board::{Cell, Rows, WAYS, cells, has};
use super::moves::Move;
use super::rules::{Rules, SIDE};
use parlour_base::chance::Stream;

/// Most rows processed together: 18 rounded up to a multiple of the vector length.
const LANES: usize = 20;

/// The rows of a board with two empty rows above and below.
type Padded = [u32; LANES + 4];

/// The cells in the first `N` rows from which a leap is possible, for four ways.
struct Starts<const N: usize>([[u32; N]; 4]);

/// The orthogonal ways.
const STRAIGHT: [(isize, isize); 4] = [WAYS[0], WAYS[1], WAYS[2], WAYS[3]];
/// The diagonal ways.
const DIAGONAL: [(isize, isize); 4] = [WAYS[4], WAYS[5], WAYS[6], WAYS[7]];

/// The starts of leaps in one way. Always inlined, so that the way is a constant.
#[inline(always)]
fn way<const N: usize>(pieces: &Padded, empty: &Padded, (down, right): (isize, isize)) -> [u32; N] {
    // Shifts a row so that the bit of the cell `right` columns away is at the cell's own position.
    let shift = |row: u32, right: isize| if right >= 0 { row >> right } else { row << -right };
    // The compiler vectorizes these loops; it does not always inline closures given to arrays.
    let mut starts = [0; N];
    for (lane, start) in starts.iter_mut().enumerate() {
        let row = |steps: isize| (lane as isize + 2 + down * steps) as usize;
        *start = pieces[row(0)] & shift(pieces[row(1)], right) & shift(empty[row(2)], 2 * right);
    }
    starts
}

impl<const N: usize> Starts<N> {
    #[inline(always)]
    fn of(board: &Rows, rules: &Rules, [a, b, c, d]: [(isize, isize); 4]) -> Starts<N> {
        let (mut pieces, mut empty) = ([0; LANES + 4], [0; LANES + 4]);
        pieces[2..2 + SIDE].copy_from_slice(board);
        for row in 2..2 + usize::from(rules.rows) {
            empty[row] = rules.full() ^ pieces[row];
        }
        let (p, e) = (&pieces, &empty);
        Starts([way(p, e, a), way(p, e, b), way(p, e, c), way(p, e, d)])
    }

    /// Number of leaps of each row.
    ///
    /// Counts bits in pairs, fours and eights (Knuth, 7.1.3), for all ways together once sums fit.
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

    /// The `k`-th leap, ordered by row, then way, then column.
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
        let from = Cell::new(lane, row.trailing_zeros() as usize);
        Move::Leap(from, from.landing(first_way + way))
    }
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
    match rules.rows {
        ..=8 => draw::<8>(pieces, rules, chance),
        9..=12 => draw::<12>(pieces, rules, chance),
        13..=16 => draw::<16>(pieces, rules, chance),
        _ => draw::<LANES>(pieces, rules, chance),
    }
}

/// Implements [`sample`] on boards of at most `N` rows.
fn draw<const N: usize>(pieces: &Rows, rules: &Rules, chance: &mut Stream) -> Option<Move> {
    let straight = Starts::<N>::of(pieces, rules, STRAIGHT);
    let counts = straight.counts();
    let total: u32 = counts.iter().sum();
    let diagonal = rules.diagonal.then(|| {
        let starts = Starts::<N>::of(pieces, rules, DIAGONAL);
        let counts = starts.counts();
        (starts, counts)
    });
    let all = total + diagonal.as_ref().map_or(0, |(_, counts)| counts.iter().sum());
    let k = (all > 0).then(|| chance.below(all))?;
    match &diagonal {
        Some((starts, counts)) if k >= total => Some(starts.nth(counts, k - total, 4)),
        _ => Some(straight.nth(&counts, k, 0)),
    }
}

/// The cells from which a piece can leap, for each of the eight ways.
///
/// The order is up, left, right, down, up left, up right, down left, down right.
pub(super) fn starts(pieces: &Rows, rules: &Rules) -> [Rows; 8] {
    let mut starts = [[0; SIDE]; 8];
    for (rows, way) in starts.iter_mut().zip(Starts::<LANES>::of(pieces, rules, STRAIGHT).0) {
        rows.copy_from_slice(&way[..SIDE]);
    }
    if rules.diagonal {
        let diagonal = Starts::<LANES>::of(pieces, rules, DIAGONAL).0;
        for (rows, way) in starts[4..].iter_mut().zip(diagonal) {
            rows.copy_from_slice(&way[..SIDE]);
        }
    }
    starts
}
