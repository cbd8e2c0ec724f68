//! Checks the proof of a certificate, with a board and moves of its own.

use rustc_hash::FxHashMap;
use schemars::JsonSchema;
use serde::Serialize;

use super::file::Certificate;
use crate::{Chains, FirstCaptures, FirstToLeap};
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
    if let FirstToLeap::Seat(seat @ 2..) = first_to_leap {
        return Err(format!("`first_to_leap` is {seat}; it must be 0 or 1"));
    }
    let numbers = certificate.numbers();
    let numbers = numbers.ok_or("the proof is not a list of moves in the letters `0-9A-Za-z`")?;
    ensure(certificate.moves == numbers.len() as u64, || {
        let (moves, found) = (certificate.moves, numbers.len());
        format!("`moves` is {moves}, but the proof has {found}")
    })?;
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
        let &Certificate { value, first_captures, .. } = self.certificate;
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
        let best = firsts[self.next(firsts.len())?];
        for (gain, board) in after(best) {
            self.prove_case(gain, &board, 1)?;
        }
        for first in firsts {
            let mut replies = after(first);
            let number = if replies.len() > 1 { self.next(replies.len())? } else { 0 };
            let (gain, board) = replies.swap_remove(number);
            self.prove_case(gain, &board, -1)?;
        }
        Ok(())
    }

    /// Proves that the value of a hand after its first captures is at least the claim if `side` is 1,
    /// or at most the claim if it is −1.
    fn prove_case(&mut self, gain: i32, board: &Cells, side: i32) -> Result<(), String> {
        let &Certificate { value, first_captures, first_to_leap, .. } = self.certificate;
        // The value of a hand rises with the value of a position if the first seat leaps first.
        let mut signs = first_to_leap.signs();
        ensure(!signs.is_empty() || side * gain >= side * value, || {
            "the gain of first captures is not the value by lot".to_owned()
        })?;
        // One choice is enough for the seat that chooses.
        let chooser = if first_captures == FirstCaptures::Each { -1 } else { 1 };
        if signs.len() > 1 && side == chooser {
            let number = self.next(signs.len())?;
            signs = &signs[number..=number];
        }
        let mut signs = signs.iter().map(|sign| i32::from(*sign));
        signs.try_for_each(|sign| self.prove(board, side * sign, sign * (value - gain)))
    }

    /// Proves a bound of the value of a position to the seat to leap: a lower bound if `side` is 1, an
    /// upper bound if it is −1.
    fn prove(&mut self, position: &Cells, side: i32, value: i32) -> Result<(), String> {
        let (position, key) = self.board.least(position);
        let bound = side * value;
        let is_proved = self.proved.get(&(key, side)).is_some_and(|&known| known >= bound);
        let points: i32 = position.0.iter().map(|&worth| i32::from(worth)).sum();
        // The last piece is never captured.
        if is_proved || bound <= -(points - 1).max(0) {
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
        let chains = self.board.chains(position).into_iter();
        let values = chains.map(|(points, after)| {
            let (after, key) = self.board.least(&after);
            points - self.exact(&after, key)
        });
        let value = values.max().unwrap_or(0);
        self.exact.insert(key, value);
        value
    }
}

/// The worth of the piece on each cell, 0 for an empty one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Cells([u8; 60]);

/// The canonical image of a position as a number.
type Key = u128;

/// The shape of a board: leaps and symmetries.
struct CheckerBoard {
    cells: usize,
    /// For each cell, in the order of the ways: the cells leapt over and landed on.
    leaps: Vec<Vec<(usize, usize)>>,
    /// For each symmetry, the image of each cell; empty for coloured boards.
    images: Vec<Vec<usize>>,
    chains: bool,
    /// Base of the digits of a key.
    base: u128,
}

/// Up, left, right, down, and the diagonals: rows and columns.
const WAYS: [(i32, i32); 8] =
    [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

impl CheckerBoard {
    /// Reads the board of a certificate.
    ///
    /// # Errors
    /// The first fault.
    fn of(certificate: &Certificate) -> Result<(CheckerBoard, Cells), String> {
        let (rows, cols) = (i32::from(certificate.rows), i32::from(certificate.cols));
        let text: Vec<&str> = certificate.board.split('/').collect();
        if text.len() != rows as usize || text.iter().any(|row| row.len() != cols as usize) {
            return Err(format!("the board must have {rows} rows of {cols} cells"));
        }
        let mut cells = Cells([0; 60]);
        let letters = text.concat();
        for (cell, letter) in cells.0.iter_mut().zip(letters.chars()) {
            *cell = match letter {
                '.' => 0,
                'o' | 'w' => 1,
                'y' => 2,
                'r' => 3,
                'g' => 4,
                _ => return Err(format!("`{letter}` is not a piece; use `o`, `w y r g` or `.`")),
            };
        }
        let coloured = letters.chars().any(|letter| "wyrg".contains(letter));
        if coloured && (letters.contains('o') || letters.len() > 54) {
            return Err("a board must not mix plain and coloured pieces; coloured ones have at most 54 cells".to_owned());
        }
        let places: Vec<(i32, i32)> =
            (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).collect();
        let at = |place| places.iter().position(|&known| known == place);
        let ways = if certificate.diagonal { 8 } else { 4 };
        let leaps = |&(row, col): &(i32, i32)| -> Vec<(usize, usize)> {
            let leap = |&(down, right): &(i32, i32)| {
                Some((at((row + down, col + right))?, at((row + 2 * down, col + 2 * right))?))
            };
            WAYS[..ways].iter().filter_map(leap).collect()
        };
        let image = |turn: i32| {
            let image = |&(row, col): &(i32, i32)| {
                let col = if turn & 1 == 0 { col } else { cols - 1 - col };
                let row = if turn & 2 == 0 { row } else { rows - 1 - row };
                at(if turn & 4 == 0 { (row, col) } else { (col, row) })
            };
            places.iter().map(image).collect()
        };
        // Only a square can be mirrored in the diagonal.
        let turns = match (coloured, rows == cols) {
            (true, _) => 0,
            (_, true) => 8,
            _ => 4,
        };
        let board = CheckerBoard {
            cells: places.len(),
            leaps: places.iter().map(leaps).collect(),
            images: (0..turns).filter_map(image).collect(),
            chains: certificate.chains == Chains::Optional,
            base: if coloured { 5 } else { 2 },
        };
        Ok((board, cells))
    }

    /// The canonical image of a position, and its key.
    fn least(&self, position: &Cells) -> (Cells, Key) {
        let key = |cells: &[u8]| {
            cells.iter().rev().fold(0, |key, &worth| key * self.base + u128::from(worth))
        };
        let mut best = (*position, key(&position.0[..self.cells]));
        for image in &self.images {
            let mut turned = Cells([0; 60]);
            for (&to, &worth) in image.iter().zip(&position.0) {
                turned.0[to] = worth;
            }
            let found = key(&turned.0[..self.cells]);
            if found < best.1 {
                best = (turned, found);
            }
        }
        best
    }

    /// Every chain in order: its points, and the position after it.
    fn chains(&self, position: &Cells) -> Vec<(i32, Cells)> {
        let mut found = Vec::new();
        for from in (0..self.cells).filter(|&from| position.0[from] > 0) {
            self.leaps(position, from, 0, &mut found);
        }
        found
    }

    fn leaps(&self, position: &Cells, from: usize, points: i32, found: &mut Vec<(i32, Cells)>) {
        for &(over, to) in &self.leaps[from] {
            if position.0[over] > 0 && position.0[to] == 0 {
                let mut after = *position;
                after.0[to] = after.0[from];
                after.0[from] = 0;
                after.0[over] = 0;
                let points = points + i32::from(position.0[over]);
                found.push((points, after));
                if self.chains {
                    self.leaps(&after, to, points, found);
                }
            }
        }
    }
}

impl Cells {
    /// Number of pieces.
    fn count(&self) -> u32 {
        self.0.iter().filter(|&&worth| worth > 0).count() as u32
    }

    /// Returns the position without the piece on a cell.
    fn without(&self, cell: usize) -> Cells {
        let mut rest = *self;
        rest.0[cell] = 0;
        rest
    }
}
