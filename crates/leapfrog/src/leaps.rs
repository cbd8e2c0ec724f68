//! Legal leaps: all on a board, found in parallel by shifting rows of bits, and those that continue a
//! chain.
//!
//! # Unique spelling of chains, by a reverse search over their last leaps
//!
//! Two chains with the same start, end and captured pieces are one move, but the piece may have
//! several paths, for example both ways round a ring of pieces. A turn is played leap by leap, so
//! exactly one of these paths must be legal. Reverse search selects it (Avis and Fukuda 1996).
//!
//! Each chain of more than one leap has one *parent*, the chain without its last leap. If several
//! leaps may be the last, the first one in the order of the eight ways is used. A leap is legal only if
//! it leads from a chain to one of its children. So the chains of a piece form a tree below the
//! single leaps, and each chain occurs once. Walking down this tree needs no list of visited chains
//! and no limit on their number, which can grow exponentially with the board.
//!
//! The length of a chain is bounded. A piece keeps the parities of its row and column, so it moves
//! on a lattice of at most 9 × 9 cells. Each leap captures a piece between two neighbours of the
//! lattice: at most 144 leaps, 208 with diagonals.
//!
//! The test for a possible last leap is a question about Euler trails. Without diagonals, each
//! captured piece identifies an edge of the lattice. A chain is a connected set of edges with no cell
//! of odd degree, or with two, its ends. The test asks if the other edges stay connected without the
//! last one (Fleury 1883). With diagonals, a piece in the middle of four lattice cells may have been
//! leapt along either diagonal, so the test searches the paths.

use itertools::Itertools;

use super::board::{Cell, Rows, WAYS, bits, cells, count, flip, has};
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

/// The chain that the seat to move is playing, without its path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ChainInProgress {
    pub start: Cell,
    pub at: Cell,
    pub captured: Rows,
    /// Legal next ways, one bit each; 0 if no chain is being played.
    pub next: u8,
}

impl ChainInProgress {
    /// The legal next landing cells.
    pub fn landings(&self) -> impl Iterator<Item = Cell> {
        bits(self.next).map(|way| self.at.landing(way))
    }

    /// The ways of leaps that lead to a child of the chain, one bit each.
    pub fn children(&self, pieces: &Rows, rules: &Rules) -> u8 {
        let children = (0..rules.ways()).filter(|&way| self.has_child(pieces, rules, way));
        children.fold(0, |ways, way| ways | 1 << way)
    }

    /// Returns `true` if a leap is possible and this chain is the parent of the chain with this leap.
    ///
    /// No earlier way may be a possible last leap.
    fn has_child(&self, pieces: &Rows, rules: &Rules, way: usize) -> bool {
        let Some((over, to)) = rules.leap(self.at, way) else { return false };
        let is_last = |other: usize| {
            let Some((before, from)) = rules.leap(to, other ^ 3) else { return false };
            if !has(&self.captured, before) {
                return false;
            }
            let mut rest = self.captured;
            flip(&mut rest, over);
            flip(&mut rest, before);
            if rules.diagonal {
                self.may_stand(pieces, from) && self.has_path(pieces, rules, from, &mut rest)
            } else {
                is_connected(rules, from, to, &mut rest)
            }
        };
        has(pieces, over) && !has(pieces, to) && !(0..way).any(is_last)
    }

    /// Returns `true` if the piece may have landed on a cell.
    fn may_stand(&self, pieces: &Rows, cell: Cell) -> bool {
        !has(pieces, cell) || cell == self.at
    }

    /// Returns `true` if a path from the start to `at` captures exactly these pieces.
    ///
    /// The search goes backwards.
    fn has_path(&self, pieces: &Rows, rules: &Rules, at: Cell, captured: &mut Rows) -> bool {
        if count(captured) == 0 {
            return at == self.start;
        }
        (0..8).any(|way| {
            let Some((over, from)) = rules.leap(at, way) else { return false };
            if !has(captured, over) || !self.may_stand(pieces, from) {
                return false;
            }
            flip(captured, over);
            let found = self.has_path(pieces, rules, from, captured);
            flip(captured, over);
            found
        })
    }
}

/// Returns `true` if captured pieces, as edges of the lattice, connect two cells.
///
/// A connected set stays connected without an edge if the ends of that edge stay connected. The
/// search removes each edge that it follows.
fn is_connected(rules: &Rules, from: Cell, to: Cell, captured: &mut Rows) -> bool {
    let mut connects = |way| {
        let Some((over, next)) = rules.leap(from, way) else { return false };
        let is_edge = has(captured, over);
        if is_edge {
            flip(captured, over);
        }
        is_edge && is_connected(rules, next, to, captured)
    };
    from == to || (0..4).any(&mut connects)
}
