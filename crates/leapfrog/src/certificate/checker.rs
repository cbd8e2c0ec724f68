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
    certificate: &'a Certificate,
    board: CheckerBoard,
    numbers: &'a [u16],
    /// Number of used move numbers.
    used: usize,
    /// Proved bounds by key and side; upper bounds are negated.
    proved: FxHashMap<(Key, i32), i32>,
    exact: FxHashMap<Key, i32>,
}

impl Certificate {
    /// Checks the proof.
    ///
    /// # Errors
    /// Invalid input: a field out of range, or a claim that the proof does not prove.
    pub fn check(&self) -> Result<CheckedCertificate> {
        check(self).map_err(Error::input)
    }
}

fn check(certificate: &Certificate) -> Result<CheckedCertificate, String> {
    let &Certificate { rows, cols, endings, first_to_leap, value, .. } = certificate;
    let cells = usize::from(rows) * usize::from(cols);
    ensure((1..=60).contains(&cells), || {
        format!("the board must have 1 to 60 cells; {rows} × {cols} has {cells}")
    })?;
    ensure(endings <= MOST_ENDINGS, || {
        format!("`endings` is {endings}; it must be at most {MOST_ENDINGS}")
    })?;
    ensure(first_to_leap <= 1, || {
        format!("`first_to_leap` is {first_to_leap}; it must be 0 or 1")
    })?;
    let numbers = certificate.numbers();
    let numbers = numbers.ok_or("the proof is not a list of moves in the letters `0-9A-Za-z`")?;
    let (board, position) = CheckerBoard::of(certificate)?;
    let (proved, exact) = (FxHashMap::default(), FxHashMap::default());
    let mut proof = ProofChecker { certificate, board, numbers: &numbers, used: 0, proved, exact };
    if position.count() as usize == cells {
        proof.prove_hand(&position)?;
    } else {
        proof.prove(&position, 1, value)?;
        proof.prove(&position, -1, value)?;
    }
    ensure(proof.used == numbers.len(), || {
        format!("the proof has {} moves, but needs {}", numbers.len(), proof.used)
    })?;
    Ok(CheckedCertificate {
        board: certificate.board.clone(),
        value,
        positions: proof.proved.len() as u64,
        endings: proof.exact.len() as u64,
    })
}

impl ProofChecker<'_> {
    /// Reads the next move number, which must be less than `choices`.
    fn next(&mut self, choices: usize) -> Result<usize, String> {
        let used = self.used;
        let number = self.numbers.get(used).copied().map(usize::from);
        let number = number
            .ok_or_else(|| format!("the proof ends after {used} moves, but needs another"))?;
        self.used += 1;
        ensure(number < choices, || {
            let place = self.used;
            format!(
                "move {place} of the proof is number {number}, but there are only {choices} choices"
            )
        })?;
        Ok(number)
    }

    /// Proves the value of a whole hand, including the first captures.
    fn prove_hand(&mut self, full: &Cells) -> Result<(), String> {
        let &Certificate { value, first_captures, first_to_leap, .. } = self.certificate;
        let pieces = |cells: &Cells| -> Vec<usize> {
            (0..cells.0.len()).filter(|&cell| cells.0[cell] > 0).collect()
        };
        let worth = match first_captures {
            FirstCaptures::Each => None,
            FirstCaptures::FirstSeatGreen => Some(4),
            FirstCaptures::FirstSeatLowest => full.0.iter().copied().filter(|&w| w > 0).min(),
        };
        let mut firsts = pieces(full);
        firsts.retain(|&cell| worth.is_none_or(|worth| full.0[cell] == worth));
        if firsts.is_empty() {
            return ensure(value == 0, || {
                "the value is 0, because nothing can be captured".to_owned()
            });
        }
        // The boards after a first capture and each reply, with the first seat's net gain.
        let after = |first: usize| -> Vec<(i32, Cells)> {
            let (gain, rest) = (i32::from(full.0[first]), full.without(first));
            let replies = pieces(&rest);
            if first_captures != FirstCaptures::Each || replies.is_empty() {
                return vec![(gain, rest)];
            }
            let after = |&reply: &usize| (gain - i32::from(rest.0[reply]), rest.without(reply));
            replies.iter().map(after).collect()
        };
        // The value of a hand rises with the value of a position if the first seat leaps first.
        let sign = if first_to_leap == 1 { -1 } else { 1 };
        let best = firsts[self.next(firsts.len())?];
        for (gain, board) in after(best) {
            self.prove(&board, sign, sign * (value - gain))?;
        }
        for first in firsts {
            let mut replies = after(first);
            let number = if replies.len() > 1 { self.next(replies.len())? } else { 0 };
            let (gain, board) = replies.swap_remove(number);
            self.prove(&board, -sign, sign * (value - gain))?;
        }
        Ok(())
    }

    /// Proves a bound of the value of a position to the seat to leap: a lower bound if `side` is 1, an
    /// upper bound if it is −1.
    fn prove(&mut self, position: &Cells, side: i32, value: i32) -> Result<(), String> {
        let (position, key) = self.board.least(position);
        let bound = side * value;
        let is_proved = self.proved.get(&(key, side)).is_some_and(|&known| known >= bound);
        // The last piece is never captured.
        if is_proved || bound <= -(position.points() - 1).max(0) {
            return Ok(());
        }
        let ends = position.count() <= self.certificate.endings;
        let mut chains = if ends { Vec::new() } else { self.board.chains(&position) };
        if chains.is_empty() {
            let known = if ends { self.exact(&position, key) } else { 0 };
            return ensure(side * known >= bound, || {
                let least = if side == 1 { "at least" } else { "at most" };
                format!(
                    "the proof needs a position of value {least} {value}, but its value is {known}"
                )
            });
        }
        if side == 1 {
            let number = self.next(chains.len())?;
            chains = vec![chains.swap_remove(number)];
        }
        for (points, after) in chains {
            self.prove(&after, -side, points - value)?;
        }
        self.proved.insert((key, side), bound);
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
