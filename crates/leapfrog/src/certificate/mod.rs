//! Certificates: what proves the exact value of a board to whoever does not trust the solver.
//!
//! A certificate names one move where the proof needs one move, and nothing where it needs all. The
//! checker goes through the proof by the rules of the game alone; it has its own board and its own
//! moves (`table`), and shares no code with the solver.
//!
//! **The proof.** `v(P)` is the points that the seat to leap in `P` gets from here on, less the
//! other's. To show `v(P) ≥ t` it is enough to show one chain of `g` points after which
//! `v ≤ g − t`; to show `v(P) ≤ t` every chain must be looked at, and after each `v ≥ g − t`. The
//! checker asks these questions from the first captures on, always in the same order. Wherever one
//! move is needed it takes the next number of the proof, which counts the moves in their order.
//! What is shown once is not asked again, and positions of a few pieces it plays out itself.
//!
//! **The order.** Cells are counted row by row from the top left. First captures: by cell. Chains: by
//! the cell where they start; then the first leap up, left, right, down, up left, up right, down
//! left, down right; a chain before those that go on from it. Of plain pieces, before anything is
//! asked, the board is turned or mirrored so that the number whose bit `i` is cell `i` is least.
//! Questions: for `v ≥ value` the first capture of the proof, and after it every answer; for
//! `v ≤ value` after every first capture the answer of the proof.

mod proof;
mod table;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Chains, FirstCaptures};
use crate::error::{Error, Result, ensure};
use crate::files::{digest, parse_json};

pub use proof::Checked;

/// The newest form of a certificate.
const FORMAT: u32 = 1;

/// Positions of more pieces are not played out by the checker, whatever a certificate says.
const MOST_ENDINGS: u32 = 10;

/// A certificate as it stands in its file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// The form of the file.
    pub format: u32,
    /// Always `leapfrog`.
    pub game: String,
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board; a board has at most 60 cells.
    pub cols: u8,
    /// Whether a piece may go on leaping.
    pub chains: Chains,
    /// Whether a piece may also leap diagonally.
    pub diagonal: bool,
    /// Who removes a piece before the first leap.
    pub first_captures: FirstCaptures,
    /// The seat that leaps first, 0 or 1.
    pub first_to_leap: u8,
    /// The board, rows from the top joined by `/`: `o` plain, `w y r g` coloured, `.` empty. With
    /// an empty cell it is a position after the first captures.
    pub board: String,
    /// What is proved: points of the first seat, or of the seat to leap, less the other's.
    pub value: i32,
    /// Positions of at most so many pieces the checker plays out itself.
    pub endings: u32,
    /// How many moves the proof names.
    pub moves: u64,
    /// The moves, each a number to the base of 62 in `0-9A-Za-z`; `z` adds 61 to what follows.
    pub proof: Vec<String>,
    /// SHA-256 of all the rest.
    pub digest: String,
}

/// The numbers of a proof as letters.
const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// So many letters stand on a line.
const LINE: usize = 96;

impl Certificate {
    /// A certificate without a proof, of the usual rules.
    pub fn of(rows: u8, cols: u8, board: &str, value: i32) -> Certificate {
        Certificate {
            format: FORMAT,
            game: "leapfrog".to_owned(),
            rows,
            cols,
            chains: Chains::Optional,
            diagonal: false,
            first_captures: FirstCaptures::Each,
            first_to_leap: 0,
            board: board.to_owned(),
            value,
            endings: 0,
            moves: 0,
            proof: Vec::new(),
            digest: String::new(),
        }
    }

    /// Writes a proof, the numbers of its moves, into the certificate, and seals it.
    #[must_use]
    pub fn sealed(self, moves: &[u16]) -> Certificate {
        let mut letters = Vec::new();
        for &number in moves {
            letters.extend((0..number / 61).map(|_| LETTERS[61]));
            letters.push(LETTERS[usize::from(number % 61)]);
        }
        let line = |line: &[u8]| line.iter().map(|&letter| char::from(letter)).collect();
        let proof = letters.chunks(LINE).map(line).collect();
        let whole = Certificate { moves: moves.len() as u64, proof, ..self };
        Certificate { digest: whole.digest(), ..whole }
    }

    fn digest(&self) -> String {
        let rest = Certificate { digest: String::new(), ..self.clone() };
        digest(crate::files::compact(&rest))
    }

    /// Reads a certificate; `file` is what messages call it.
    ///
    /// # Errors
    /// Bad input: the first thing that is wrong, or that it was changed after it was sealed.
    pub fn read(file: &str, text: &str) -> Result<Certificate> {
        #[derive(Deserialize)]
        struct Head {
            format: u32,
            game: String,
        }
        let wrong = |what: String| Error::input(what).in_file(file);
        let Head { format, game } = parse_json(file, text)?;
        ensure(game == "leapfrog", || {
            wrong(format!("`game` is `{game}`; only `leapfrog` has certificates"))
        })?;
        ensure(format == FORMAT, || {
            wrong(format!(
                "this certificate has form {format}, and this program reads form {FORMAT}: write it \
                 again with `parlour solve leapfrog … --certificate`"
            ))
        })?;
        let certificate: Certificate = parse_json(file, text)?;
        ensure(certificate.digest == certificate.digest(), || {
            wrong("it was changed or cut after it was written: its digest is another".to_owned())
        })?;
        Ok(certificate)
    }

    /// What it is of, in words.
    pub fn title(&self) -> String {
        let mut title = format!("{} × {}", self.rows, self.cols);
        let coloured = self.board.contains(['w', 'y', 'r', 'g']);
        title.push_str(if coloured { ", coloured" } else { ", plain" });
        let said = [
            (self.chains == Chains::Single, ", single leaps"),
            (self.diagonal, ", diagonal leaps"),
            (self.first_captures == FirstCaptures::FirstSeatGreen, ", one green first capture"),
            (self.first_captures == FirstCaptures::FirstSeatLowest, ", one low first capture"),
            (self.first_to_leap == 1, ", the second seat leaps first"),
            (self.board.contains('.'), ", a position"),
        ];
        said.iter().filter(|(holds, _)| *holds).for_each(|(_, words)| title.push_str(words));
        title
    }

    /// The proof as numbers; none where a letter is unknown.
    fn numbers(&self) -> Option<Vec<u16>> {
        let (mut numbers, mut high) = (Vec::new(), 0u16);
        for letter in self.proof.iter().flat_map(|line| line.bytes()) {
            let value = LETTERS.iter().position(|&known| known == letter)? as u16;
            if value == 61 {
                high = high.checked_add(61)?;
            } else {
                numbers.push(high.checked_add(value)?);
                high = 0;
            }
        }
        (high == 0).then_some(numbers)
    }

    /// Checks the proof.
    ///
    /// # Errors
    /// Bad input: what the certificate does not prove, or that it is no proof.
    pub fn check(&self) -> Result<Checked> {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        ensure((1..=60).contains(&(rows * cols)), || {
            Error::input(format!("a board of {rows} × {cols} is not one of 1 to 60 cells"))
        })?;
        ensure(self.endings <= MOST_ENDINGS, || {
            let endings = self.endings;
            Error::input(format!("`endings` is {endings}; at most {MOST_ENDINGS} is right"))
        })?;
        ensure(self.first_to_leap <= 1, || {
            Error::input(format!("`first_to_leap` is {}; 0 or 1 is right", self.first_to_leap))
        })?;
        let no_numbers = "the proof is no list of moves: its letters are `0-9A-Za-z`";
        let numbers = self.numbers().ok_or_else(|| Error::input(no_numbers))?;
        proof::check(self, &numbers).map_err(Error::input)
    }
}
