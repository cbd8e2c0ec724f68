//! Going through a proof.

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::Certificate;
use super::table::{Cells, Key, Table};
use crate::FirstCaptures;

/// A certificate that proves what it says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Checked {
    /// The board.
    pub board: String,
    /// The value that is proved.
    pub value: i32,
    /// Positions of which something was shown. Unit: positions.
    pub positions: u64,
    /// Positions of a few pieces that the checker played out. Unit: positions.
    pub endings: u64,
}

/// What is shown so far.
struct Proof<'a> {
    table: Table,
    endings: u32,
    numbers: &'a [u16],
    taken: usize,
    at_least: FxHashMap<Key, i32>,
    at_most: FxHashMap<Key, i32>,
    exact: FxHashMap<Key, i32>,
}

/// Checks the proof of a certificate, given as numbers; or says where it fails.
pub(super) fn check(certificate: &Certificate, numbers: &[u16]) -> Result<Checked, String> {
    let (table, cells) = Table::of(certificate)?;
    let mut proof = Proof {
        table,
        endings: certificate.endings,
        numbers,
        taken: 0,
        at_least: FxHashMap::default(),
        at_most: FxHashMap::default(),
        exact: FxHashMap::default(),
    };
    let value = certificate.value;
    if cells.count() as usize == proof.table.cells() {
        proof.hand(certificate, &cells)?;
    } else {
        proof.at_least(&cells, value)?;
        proof.at_most(&cells, value)?;
    }
    if proof.taken != numbers.len() {
        return Err(format!(
            "the proof names {} moves, and {} are needed",
            numbers.len(),
            proof.taken
        ));
    }
    Ok(Checked {
        board: certificate.board.clone(),
        value,
        positions: (proof.at_least.len() + proof.at_most.len()) as u64,
        endings: proof.exact.len() as u64,
    })
}

impl Proof<'_> {
    /// The next number of the proof, which must be below so many.
    fn next(&mut self, choices: usize) -> Result<usize, String> {
        let number = self.numbers.get(self.taken).copied().map(usize::from);
        let number = number.ok_or_else(|| {
            format!("the proof ends after {} moves, and another is needed", self.taken)
        })?;
        self.taken += 1;
        if number >= choices {
            return Err(format!(
                "move {} of the proof is number {number}, and there are {choices} to choose from",
                self.taken
            ));
        }
        Ok(number)
    }

    /// Shows the value of a whole hand, the first captures with it.
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
            return if value == 0 { Ok(()) } else { Err("nothing can be captured".to_owned()) };
        }
        // What may follow a first capture: the boards, and what the captures bring the first seat.
        let after = |first: usize| -> Vec<(i32, Cells)> {
            let (gain, rest) = (i32::from(cells.0[first]), cells.without(first));
            let answers = pieces(&rest);
            if !each || answers.is_empty() {
                return vec![(gain, rest)];
            }
            let answer = |&reply: &usize| (gain - i32::from(rest.0[reply]), rest.without(reply));
            answers.iter().map(answer).collect()
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
            let mut answers = after(first);
            let number = if answers.len() > 1 { self.next(answers.len())? } else { 0 };
            let (gain, board) = answers.swap_remove(number);
            if second {
                self.at_least(&board, gain - value)?
            } else {
                self.at_most(&board, value - gain)?
            }
        }
        Ok(())
    }

    /// Shows that a position is worth at least so much to the seat to leap.
    fn at_least(&mut self, position: &Cells, value: i32) -> Result<(), String> {
        let (position, key) = self.table.least(position);
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
            return right(exact >= value, || format!("at least {value}"), exact);
        }
        let mut chains = self.table.chains(&position);
        if chains.is_empty() {
            return right(value <= 0, || format!("at least {value}"), 0);
        }
        let number = self.next(chains.len())?;
        let (points, after) = chains.swap_remove(number);
        self.at_most(&after, points - value)?;
        self.at_least.insert(key, value);
        Ok(())
    }

    /// Shows that a position is worth at most so much to the seat to leap.
    fn at_most(&mut self, position: &Cells, value: i32) -> Result<(), String> {
        let (position, key) = self.table.least(position);
        if self.at_most.get(&key).is_some_and(|&known| known <= value) {
            return Ok(());
        }
        if value >= (position.points() - 1).max(0) {
            return Ok(());
        }
        if position.count() <= self.endings {
            let exact = self.exact(&position, key);
            return right(exact <= value, || format!("at most {value}"), exact);
        }
        let chains = self.table.chains(&position);
        if chains.is_empty() {
            return right(value >= 0, || format!("at most {value}"), 0);
        }
        for (points, after) in chains {
            self.at_least(&after, points - value)?;
        }
        self.at_most.insert(key, value);
        Ok(())
    }

    /// The value of a position, played out.
    fn exact(&mut self, position: &Cells, key: Key) -> i32 {
        if let Some(&value) = self.exact.get(&key) {
            return value;
        }
        let mut best = None;
        for (points, after) in self.table.chains(position) {
            let (after, key) = self.table.least(&after);
            best = best.max(Some(points - self.exact(&after, key)));
        }
        let value = best.unwrap_or(0);
        self.exact.insert(key, value);
        value
    }
}

/// Nothing, or that a position is worth something else than the proof needs.
fn right(holds: bool, wanted: impl Fn() -> String, value: i32) -> Result<(), String> {
    if holds {
        return Ok(());
    }
    Err(format!("the proof needs a position worth {}, and it is worth {value}", wanted()))
}
