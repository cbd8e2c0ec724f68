//! Unique spelling of chains, by a reverse search over their last leaps.
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

use super::board::{Cell, Rows, bits, flip, has};
use super::rules::{Rules, SIDE};

/// The chain that the seat to move is playing, without its path.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct ChainInProgress {
    pub start: Cell,
    pub at: Cell,
    pub captured: Rows,
    /// Legal next ways, one bit each; 0 if no chain is being played.
    pub next: u8,
}

/// The ways in which the piece on `at` can leap, one bit each.
pub(super) fn ways(pieces: &Rows, rules: &Rules, at: Cell) -> u8 {
    let open =
        |way| rules.leap(at, way).is_some_and(|(over, to)| has(pieces, over) && !has(pieces, to));
    (0..rules.ways()).fold(0, |ways, way| ways | u8::from(open(way)) << way)
}

/// Returns the `open` ways that lead to a child of the chain.
pub(super) fn children(pieces: &Rows, rules: &Rules, chain: &ChainInProgress, open: u8) -> u8 {
    let is_child = |&way: &usize| is_child(pieces, rules, chain, way);
    bits(open.into()).filter(is_child).fold(0, |ways, way| ways | 1 << way)
}

/// Returns `true` if this chain is the parent of the chain with one more leap.
///
/// No earlier way may be a possible last leap.
fn is_child(pieces: &Rows, rules: &Rules, chain: &ChainInProgress, way: usize) -> bool {
    let Some((over, to)) = rules.leap(chain.at, way) else { return false };
    !(0..way).any(|other| {
        let Some((before, from)) = rules.leap(to, other ^ 3) else { return false };
        if !has(&chain.captured, before) {
            return false;
        }
        let mut rest = chain.captured;
        flip(&mut rest, over);
        flip(&mut rest, before);
        if rules.diagonal {
            may_stand(pieces, chain, from) && has_path(pieces, rules, chain, from, &mut rest)
        } else {
            is_connected(rules, from, to, &rest)
        }
    })
}

/// Returns `true` if captured pieces, as edges of the lattice, connect two cells.
///
/// A connected set stays connected without an edge if the ends of that edge stay connected.
#[cold]
fn is_connected(rules: &Rules, from: Cell, to: Cell, captured: &Rows) -> bool {
    let mut seen = [0; SIDE];
    // The lattice has at most 81 cells.
    let mut waiting = arrayvec::ArrayVec::<Cell, 96>::new();
    flip(&mut seen, from);
    waiting.push(from);
    while let Some(cell) = waiting.pop() {
        if cell == to {
            return true;
        }
        for way in 0..4 {
            if let Some((over, next)) = rules.leap(cell, way)
                && has(captured, over)
                && !has(&seen, next)
            {
                flip(&mut seen, next);
                waiting.push(next);
            }
        }
    }
    false
}

/// Returns `true` if the piece of a chain may have landed on a cell.
fn may_stand(pieces: &Rows, chain: &ChainInProgress, cell: Cell) -> bool {
    !has(pieces, cell) || cell == chain.at
}

/// Returns `true` if a path from the start of a chain to `at` captures exactly these pieces.
///
/// The search goes backwards.
fn has_path(
    pieces: &Rows,
    rules: &Rules,
    chain: &ChainInProgress,
    at: Cell,
    captured: &mut Rows,
) -> bool {
    if captured.iter().all(|&row| row == 0) {
        return at == chain.start;
    }
    (0..8).any(|way| {
        let Some((over, from)) = rules.leap(at, way) else { return false };
        if !has(captured, over) || !may_stand(pieces, chain, from) {
            return false;
        }
        flip(captured, over);
        let found = has_path(pieces, rules, chain, from, captured);
        flip(captured, over);
        found
    })
}
