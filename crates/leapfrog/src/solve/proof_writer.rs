//! Writes the proof of a value into a certificate.
//!
//! The search finds one move wherever the proof needs one. [`certificate`](crate::certificate)
//! defines the claims and their order.

use std::path::Path;

use rustc_hash::FxHashMap;

use super::bounds_table::AtomicEntry;
use super::grid::Grid;
use super::position::{Position, bits};
use super::search::Search;
use super::shared_table::SharedTable;
use crate::certificate::Certificate;
use parlour_base::error::Result;
use parlour_base::files::write_atomic;

/// Largest number of pieces of a position that is left to the checker.
const ENDINGS: u32 = 8;

/// The first captures of a hand.
pub(super) struct Opening {
    /// Cells with a piece that may be removed as a first capture.
    pub removable: u64,
    /// Only the first seat makes a first capture.
    pub only_first_seat: bool,
    /// The second seat leaps first.
    pub second_seat_leaps: bool,
}

/// Writes the certificate of a position or, given its opening, of the whole hand.
///
/// The value must be in the shared table.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write<P: Position, E: AtomicEntry>(
    path: &Path,
    grid: &Grid,
    shared: &SharedTable<E>,
    position: &P,
    opening: Option<Opening>,
    head: Certificate,
) -> Result<()> {
    shared.set_stopped(false);
    let proof = ProofWriter::new(grid, Search::new(grid, shared, 0));
    let value = head.value as i16;
    let moves = match opening {
        Some(opening) => proof.of_hand(position, &opening, value),
        None => proof.of_position(position, value),
    };
    let certificate = Certificate { endings: ENDINGS, ..head }.with_proof(&moves);
    write_atomic(path, parlour_base::files::pretty(&certificate) + "\n")
}

/// A partial proof.
struct ProofWriter<'a, P, E> {
    grid: &'a Grid,
    search: Search<'a, P, E>,
    moves: Vec<u16>,
    /// Proved bounds by key.
    at_least: FxHashMap<u64, i16>,
    at_most: FxHashMap<u64, i16>,
}

impl<'a, P: Position, E: AtomicEntry> ProofWriter<'a, P, E> {
    fn new(grid: &'a Grid, search: Search<'a, P, E>) -> Self {
        let (at_least, at_most) = (FxHashMap::default(), FxHashMap::default());
        ProofWriter { grid, search, moves: Vec::new(), at_least, at_most }
    }

    /// Returns the move numbers that prove the value of a position.
    fn of_position(mut self, position: &P, value: i16) -> Vec<u16> {
        self.at_least(position, value);
        self.at_most(position, value);
        self.moves
    }

    /// Returns the move numbers that prove the value of a hand with first captures.
    fn of_hand(mut self, full: &P, opening: &Opening, value: i16) -> Vec<u16> {
        let firsts: Vec<usize> = bits(full.pieces() & opening.removable).collect();
        let take = |position: &P, cell: usize| {
            let rest = position.keep(self.grid, position.pieces() & !(1 << cell));
            (rest, position.points() - rest.points())
        };
        let after = |first: usize| -> Vec<(i16, P)> {
            let (rest, gain) = take(full, first);
            if opening.only_first_seat || rest.pieces() == 0 {
                return vec![(gain, rest)];
            }
            let reply = |reply| {
                let (board, loss) = take(&rest, reply);
                (gain - loss, board)
            };
            bits(rest.pieces()).map(reply).collect()
        };
        let cases: Vec<Vec<(i16, P)>> = firsts.into_iter().map(after).collect();
        let mut worst = Vec::new();
        for case in &cases {
            let sign = if opening.second_seat_leaps { -1 } else { 1 };
            let values = case
                .iter()
                .map(|(gain, board)| gain + sign * self.search.value(board).unwrap_or(0));
            let least = values.enumerate().min_by_key(|&(number, value)| (value, number));
            worst.push(least.unwrap_or((0, 0)));
        }
        let Some(best) = worst.iter().position(|&(_, found)| found == value) else {
            return self.moves;
        };
        self.moves.push(best as u16);
        for (gain, board) in &cases[best] {
            match opening.second_seat_leaps {
                true => self.at_most(board, gain - value),
                false => self.at_least(board, value - gain),
            }
        }
        for (case, (number, _)) in cases.iter().zip(worst) {
            if case.len() > 1 {
                self.moves.push(number as u16);
            }
            let (gain, board) = &case[number];
            match opening.second_seat_leaps {
                true => self.at_least(board, gain - value),
                false => self.at_most(board, value - gain),
            }
        }
        self.moves
    }

    fn at_least(&mut self, position: &P, value: i16) {
        let key = position.key();
        let plain = value <= -(position.points() - 1).max(0)
            || position.pieces().count_ones() <= ENDINGS
            || self.at_least.get(&key).is_some_and(|&known| known >= value);
        if plain {
            return;
        }
        let children = self.search.children(&position.least(self.grid));
        let Some(number) = self.winning(&children, value) else { return };
        self.moves.push(number as u16);
        let (after, gain) = &children[number];
        self.at_most(after, gain - value);
        self.at_least.insert(key, value);
    }

    fn at_most(&mut self, position: &P, value: i16) {
        let key = position.key();
        let plain = value >= (position.points() - 1).max(0)
            || position.pieces().count_ones() <= ENDINGS
            || self.at_most.get(&key).is_some_and(|&known| known <= value);
        if plain {
            return;
        }
        for (after, gain) in self.search.children(&position.least(self.grid)) {
            self.at_least(&after, gain - value);
        }
        self.at_most.insert(key, value);
    }

    /// Finds a child that proves a lower bound of a position.
    ///
    /// Children with a proved or known bound come first, then those with few leaps.
    fn winning(&mut self, children: &[(P, i16)], value: i16) -> Option<usize> {
        let mut order: Vec<(bool, bool, i32, usize)> = Vec::new();
        for (number, (after, gain)) in children.iter().enumerate() {
            let enough = gain - value;
            let shown = self.at_most.get(&after.key()).is_some_and(|&known| known <= enough);
            let known = self.search.known(after).high <= enough;
            let leaps = self.grid.mobility(after.pieces()) as i32;
            order.push((!shown, !known, leaps - 4 * i32::from(*gain), number));
        }
        order.sort_unstable();
        let wins = |&(_, _, _, number): &(bool, bool, i32, usize)| {
            let (after, gain) = &children[number];
            self.search.exceeds(after, gain - value) == Some(false)
        };
        order.into_iter().find(wins).map(|found| found.3)
    }
}
