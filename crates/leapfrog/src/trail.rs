//! A chain in the making, and how each chain comes to be spelled in one way only.
//!
//! Two chains that start and end on the same cells and capture the same pieces are one move, yet
//! the piece may have come there by several paths: round a ring of pieces either way, say. A turn
//! is played leap by leap, so of these paths exactly one must be open. It is fixed from the end
//! (the idea of reverse search, Avis and Fukuda 1996): every chain of more than one leap has one
//! *parent*, the chain without the last leap over the *first* piece, in the order of the eight
//! ways, over which the moving piece can have come last at all. A leap is legal only if it leads
//! from a chain to one of its children. So the chains of a piece are a tree with the single leaps
//! at the top, each chain is in it exactly once, and going down the tree needs no list of what has
//! been seen and no bound on the number of chains, which can grow exponentially with the board.
//!
//! The length of a chain has a bound all the same. The piece keeps the parities of its row and
//! column, so it moves on a lattice of at most 9 × 9 cells, and each leap takes one of the pieces
//! between two neighbours of that lattice: at most 144 leaps, 208 with diagonals.
//!
//! Whether a path with a given last leap exists is a question about Euler trails. Without
//! diagonals a captured piece tells which edge of the lattice was used; a chain is a connected set
//! of edges with no odd cell, or two, the ends, and the question is whether what is left without
//! the last edge still hangs together (Fleury 1883). With diagonals a piece in the middle of four
//! lattice cells may have been leapt along either diagonal, and the paths are searched.

use super::board::{Cell, Rows, bits, flip, has};
use super::rules::{Rules, SIDE};

/// The chain that the seat to move is making. Which path it took does not matter any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Trail {
    pub start: Cell,
    pub at: Cell,
    pub captured: Rows,
    /// The ways in which it may go on, a bit each; 0 when no chain is being made.
    pub next: u8,
}

/// The ways in which the piece on `at` can leap, a bit each.
pub(super) fn ways(pieces: &Rows, rules: &Rules, at: Cell) -> u8 {
    let open =
        |way| rules.leap(at, way).is_some_and(|(over, to)| has(pieces, over) && !has(pieces, to));
    (0..rules.ways()).fold(0, |ways, way| ways | u8::from(open(way)) << way)
}

/// Those of the `open` ways that lead to a child of the chain.
pub(super) fn children(pieces: &Rows, rules: &Rules, chain: &Trail, open: u8) -> u8 {
    let is_child = |&way: &usize| is_child(pieces, rules, chain, way);
    bits(open.into()).filter(is_child).fold(0, |ways, way| ways | 1 << way)
}

/// Whether the chain with one more leap has this chain as its parent: there is no way before this
/// one by which the piece can have come last.
fn is_child(pieces: &Rows, rules: &Rules, chain: &Trail, way: usize) -> bool {
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
            hangs_together(rules, from, to, &rest)
        }
    })
}

/// Whether one can go from a cell to another along captured pieces, each an edge between the
/// lattice cells on either side. (The set without one edge of a connected set is connected if the
/// ends of that edge are.)
#[cold]
fn hangs_together(rules: &Rules, from: Cell, to: Cell, captured: &Rows) -> bool {
    let mut seen = [0; SIDE];
    // A lattice has at most 81 cells.
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

/// Whether the piece of a chain may have landed on a cell.
fn may_stand(pieces: &Rows, chain: &Trail, cell: Cell) -> bool {
    !has(pieces, cell) || cell == chain.at
}

/// Whether the piece of a chain can have gone from its start to `at` by capturing exactly these
/// pieces. It is followed backwards.
fn has_path(pieces: &Rows, rules: &Rules, chain: &Trail, at: Cell, captured: &mut Rows) -> bool {
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
