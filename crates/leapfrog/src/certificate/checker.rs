//! Checks the proof of a certificate.

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::checker_board::{Cells, CheckerBoard, Key};
use super::file::Certificate;
use crate::FirstCaptures;
use parlour_base::error::{Error, Result, ensure};

/// Largest allowed value of `endings`, which limits the checker's own work.
const MOST_ENDINGS: u32 = 10;

/// A certificate that proves its claim.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct CheckedCertificate {
    /// The board.
    pub board: String,
    /// The proved value.
    pub value: i32,
    /// Positions with a proved bound. Unit: positions.
    pub positions: u64,
    /// Positions of a few pieces that were played out. Unit: positions.
    pub endings: u64,
}

/// A proof that is being checked.
struct ProofChecker<'a> {
    board: CheckerBoard,
    endings: u32,
    numbers: &'a [u16],
    used: usize,
    at_least: FxHashMap<Key, i32>,
    at_most: FxHashMap<Key, i32>,
    exact: FxHashMap<Key, i32>,
}

impl Certificate {
    /// Checks the proof.
    ///
    /// # Errors
    /// Invalid input: a field out of range, or a claim that the proof does not prove.
    pub fn check(&self) -> Result<CheckedCertificate> {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        ensure((1..=60).contains(&(rows * cols)), || {
            Error::input(format!(
                "the board must have 1 to 60 cells; {rows} × {cols} has {}",
                rows * cols
            ))
        })?;
        ensure(self.endings <= MOST_ENDINGS, || {
            let endings = self.endings;
            Error::input(format!("`endings` is {endings}; it must be at most {MOST_ENDINGS}"))
        })?;
        ensure(self.first_to_leap <= 1, || {
            Error::input(format!("`first_to_leap` is {}; it must be 0 or 1", self.first_to_leap))
        })?;
        let no_numbers = "the proof is not a list of moves in the letters `0-9A-Za-z`";
        let numbers = self.numbers().ok_or_else(|| Error::input(no_numbers))?;
        check(self, &numbers).map_err(Error::input)
    }
}

/// Checks the proof of a certificate, given as move numbers.
///
/// # Errors
/// The first failure.
fn check(certificate: &Certificate, numbers: &[u16]) -> Result<CheckedCertificate, String> {
    let (board, cells) = CheckerBoard::of(certificate)?;
    let mut proof = ProofChecker {
        board,
        endings: certificate.endings,
        numbers,
        used: 0,
        at_least: FxHashMap::default(),
        at_most: FxHashMap::default(),
        exact: FxHashMap::default(),
    };
    let value = certificate.value;
    if cells.count() as usize == proof.board.cells() {
        proof.hand(certificate, &cells)?;
    } else {
        proof.at_least(&cells, value)?;
        proof.at_most(&cells, value)?;
    }
    if proof.used != numbers.len() {
        return Err(format!("the proof has {} moves, but needs {}", numbers.len(), proof.used));
    }
    Ok(CheckedCertificate {
        board: certificate.board.clone(),
        value,
        positions: (proof.at_least.len() + proof.at_most.len()) as u64,
        endings: proof.exact.len() as u64,
    })
}

impl ProofChecker<'_> {
    /// Reads the next move number, which must be less than `choices`.
    fn next(&mut self, choices: usize) -> Result<usize, String> {
        let number = self.numbers.get(self.used).copied().map(usize::from);
        let number = number.ok_or_else(|| {
            format!("the proof ends after {} moves, but needs another", self.used)
        })?;
        self.used += 1;
        if number >= choices {
            return Err(format!(
                "move {} of the proof is number {number}, but there are only {choices} choices",
                self.used
            ));
        }
        Ok(number)
    }

    /// Proves the value of a whole hand, including the first captures.
    fn hand(&mut self, certificate: &Certificate, cells: &Cells) -> Result<(), String> {
        let value = certificate.value;
        let pieces = |cells: &Cells| -> Vec<usize> {
            (0..cells.0.len()).filter(|&cell| cells.0[cell] > 0).collect()
        };
        let each = certificate.first_captures == FirstCaptures::Each;
        let worth = match certificate.first_captures {
            FirstCaptures::Each => None,
            FirstCaptures::FirstSeatGreen => Some(4),
            FirstCaptures::FirstSeatLowest => cells.0.iter().copied().filter(|&w| w > 0).min(),
        };
        let mut firsts = pieces(cells);
        firsts.retain(|&cell| worth.is_none_or(|worth| cells.0[cell] == worth));
        if firsts.is_empty() {
            return if value == 0 {
                Ok(())
            } else {
                Err("the value is 0, because nothing can be captured".to_owned())
            };
        }
        // The boards after a first capture and each reply, with the first seat's net gain.
        let after = |first: usize| -> Vec<(i32, Cells)> {
            let (gain, rest) = (i32::from(cells.0[first]), cells.without(first));
            let replies = pieces(&rest);
            if !each || replies.is_empty() {
                return vec![(gain, rest)];
            }
            let after = |&reply: &usize| (gain - i32::from(rest.0[reply]), rest.without(reply));
            replies.iter().map(after).collect()
        };
        let second = certificate.first_to_leap == 1;
        let best = firsts[self.next(firsts.len())?];
        for (gain, board) in after(best) {
            if second {
                self.at_most(&board, gain - value)?
            } else {
                self.at_least(&board, value - gain)?
            }
        }
        for first in firsts {
            let mut replies = after(first);
            let number = if replies.len() > 1 { self.next(replies.len())? } else { 0 };
            let (gain, board) = replies.swap_remove(number);
            if second {
                self.at_least(&board, gain - value)?
            } else {
                self.at_most(&board, value - gain)?
            }
        }
        Ok(())
    }

    /// Proves a lower bound of the value of a position to the seat to leap.
    fn at_least(&mut self, position: &Cells, value: i32) -> Result<(), String> {
        let (position, key) = self.board.least(position);
        if self.at_least.get(&key).is_some_and(|&known| known >= value) {
            return Ok(());
        }
        // The last piece is never captured.
        let most = (position.points() - 1).max(0);
        if value <= -most {
            return Ok(());
        }
        if position.count() <= self.endings {
            let exact = self.exact(&position, key);
            return require(exact >= value, || format!("at least {value}"), exact);
        }
        let mut chains = self.board.chains(&position);
        if chains.is_empty() {
            return require(value <= 0, || format!("at least {value}"), 0);
        }
        let number = self.next(chains.len())?;
        let (points, after) = chains.swap_remove(number);
        self.at_most(&after, points - value)?;
        self.at_least.insert(key, value);
        Ok(())
    }

    /// Proves an upper bound of the value of a position to the seat to leap.
    fn at_most(&mut self, position: &Cells, value: i32) -> Result<(), String> {
        let (position, key) = self.board.least(position);
        if self.at_most.get(&key).is_some_and(|&known| known <= value) {
            return Ok(());
        }
        if value >= (position.points() - 1).max(0) {
            return Ok(());
        }
        if position.count() <= self.endings {
            let exact = self.exact(&position, key);
            return require(exact <= value, || format!("at most {value}"), exact);
        }
        let chains = self.board.chains(&position);
        if chains.is_empty() {
            return require(value >= 0, || format!("at most {value}"), 0);
        }
        for (points, after) in chains {
            self.at_least(&after, points - value)?;
        }
        self.at_most.insert(key, value);
        Ok(())
    }

    /// The value of a position, by playing it out.
    fn exact(&mut self, position: &Cells, key: Key) -> i32 {
        if let Some(&value) = self.exact.get(&key) {
            return value;
        }
        let mut best = None;
        for (points, after) in self.board.chains(position) {
            let (after, key) = self.board.least(&after);
            best = best.max(Some(points - self.exact(&after, key)));
        }
        let value = best.unwrap_or(0);
        self.exact.insert(key, value);
        value
    }
}

/// Returns an error unless a known value meets the bound that the proof needs.
fn require(holds: bool, needed: impl Fn() -> String, value: i32) -> Result<(), String> {
    if holds {
        return Ok(());
    }
    Err(format!("the proof needs a position of value {}, but its value is {value}", needed()))
}
