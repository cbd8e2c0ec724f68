//! Writes the proof of a value into a certificate.
//!
//! The search finds one move wherever the proof needs one. [`certificate`](crate::certificate)
//! defines the claims and their order.

use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

use rustc_hash::FxHashMap;

use super::bounds_table::Bounds;
use super::position::Position;
use super::solution::{Case, Opening};
use super::solver::{Search, Solver};
use crate::certificate::Certificate;
use parlour_base::error::Result;
use parlour_base::files::{pretty, write_atomic};

/// Largest number of pieces of a position that is left to the checker.
const ENDINGS: u32 = 8;

/// Writes the certificate of a hand or a position from its solved opening.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn write<P: Position>(
    path: &Path,
    solver: &Solver,
    opening: &Opening<P>,
    head: Certificate,
) -> Result<()> {
    solver.stop.store(false, Relaxed);
    let (search, proved) = (Search::new(solver, 0), FxHashMap::default());
    let mut proof = ProofWriter { search, moves: Vec::new(), proved };
    proof.prove_opening(opening);
    let certificate = Certificate { endings: ENDINGS, ..head }.with_proof(&proof.moves);
    write_atomic(path, pretty(&certificate) + "\n")
}

/// A partial proof.
struct ProofWriter<'a, P> {
    search: Search<'a, P>,
    moves: Vec<u16>,
    /// Proved bounds by key and side; upper bounds are negated.
    proved: FxHashMap<(u64, i16), i16>,
}

impl<P: Position> ProofWriter<'_, P> {
    /// Proves that the best first capture has the value, and no other one more.
    fn prove_opening(&mut self, opening: &Opening<P>) {
        let value = opening.value();
        let Some(best) = opening.least().position(|least| least == value) else { return };
        if !opening.cases[best][0].captures.is_empty() {
            self.moves.push(best as u16);
        }
        for case in &opening.cases[best] {
            self.prove_case(opening, case, 1);
        }
        for (replies, least) in opening.cases.iter().zip(opening.least()) {
            let reply = replies.iter().position(|case| case.value == least).unwrap_or(0);
            if replies.len() > 1 {
                self.moves.push(reply as u16);
            }
            self.prove_case(opening, &replies[reply], -1);
        }
    }

    /// Proves a bound of the value of a hand after first captures: a lower one if `side` is 1, an upper
    /// one if it is −1.
    fn prove_case(&mut self, opening: &Opening<P>, case: &Case<P>, side: i16) {
        let &Opening { mut signs, chooser, .. } = opening;
        // One choice is enough for the seat that chooses.
        if signs.len() > 1 && side == chooser {
            let number = usize::from(chooser * case.future < 0);
            self.moves.push(number as u16);
            signs = &signs[number..=number];
        }
        for sign in signs {
            self.prove(&case.position, side * sign, sign * (opening.value() - case.gain));
        }
    }

    /// Proves a bound of a position: a lower one if `side` is 1, an upper one if it is −1.
    fn prove(&mut self, position: &P, side: i16, value: i16) {
        let key = (position.key(), side);
        let is_plain = side * value <= -(position.points() - 1).max(0)
            || position.pieces().count_ones() <= ENDINGS
            || self.proved.get(&key).is_some_and(|&known| known >= side * value);
        if is_plain {
            return;
        }
        let mut children = self.search.children(&position.least(&self.search.solver.grid));
        if side == 1 {
            let Some(number) = self.winning(&children, value) else { return };
            self.moves.push(number as u16);
            children = vec![children[number]];
        }
        for (after, gain) in children {
            self.prove(&after, -side, gain - value);
        }
        self.proved.insert(key, side * value);
    }

    /// Finds a child that proves a lower bound of a position.
    ///
    /// Children with a proved or known bound come first, then those with few leaps.
    fn winning(&mut self, children: &[(P, i16)], value: i16) -> Option<usize> {
        let mut order: Vec<usize> = (0..children.len()).collect();
        order.sort_by_cached_key(|&number| {
            let (after, gain) = &children[number];
            let enough = gain - value;
            let proved = self.proved.get(&(after.key(), -1)).is_some_and(|&known| known >= -enough);
            let known = self.search.table.get(after.key()).high <= enough;
            let leaps = self.search.solver.grid.mobility(after.pieces()) as i32;
            (!proved, !known, leaps - 4 * i32::from(*gain))
        });
        order.into_iter().find(|&number| {
            let (after, gain) = &children[number];
            let enough = gain - value;
            self.search.value(after, Bounds::above(enough)).is_some_and(|found| found <= enough)
        })
    }
}
