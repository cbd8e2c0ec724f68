//! The file of a certificate.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Chains, FirstCaptures, FirstToLeap, Rules};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{compact, digest, parse_json};

/// The current format of a certificate.
const FORMAT: u32 = 1;

/// The content of a certificate file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    /// Format of the file.
    pub format: u32,
    /// Always `leapfrog`.
    pub game: String,
    /// Rows of the board.
    pub rows: u8,
    /// Columns of the board; a board has at most 60 cells.
    pub cols: u8,
    /// Turns of more than one leap.
    pub chains: Chains,
    /// Diagonal leaps.
    pub diagonal: bool,
    /// Seats that remove a piece before the first leap.
    pub first_captures: FirstCaptures,
    /// The seat that leaps first: 0, 1, `lot` or `last_chooses`.
    pub first_to_leap: FirstToLeap,
    /// Rows from the top joined by `/`: `o` plain, `w y r g` coloured, `.` empty. A board with an
    /// empty cell is a position after the first captures.
    pub board: String,
    /// The claim: points of the first seat, or of the seat to leap, minus the other's.
    pub value: i32,
    /// Largest number of pieces of a position that the checker plays out itself.
    pub endings: u32,
    /// Number of moves in the proof.
    pub moves: u64,
    /// The moves, each a number from 0 to 60 as one of `0-9A-Za-y`; a `z` before it adds 61.
    pub proof: Vec<String>,
    /// SHA-256 of all other fields.
    pub digest: String,
}

/// The letters of the numbers of a proof.
const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Letters per line.
const LINE: usize = 96;

impl Certificate {
    /// Creates a certificate without a proof.
    pub fn of(rules: &Rules, board: &str, value: i32) -> Certificate {
        Certificate {
            format: FORMAT,
            game: "leapfrog".to_owned(),
            rows: rules.rows,
            cols: rules.cols,
            chains: rules.chains,
            diagonal: rules.diagonal,
            first_captures: rules.first_captures,
            first_to_leap: rules.first_to_leap,
            board: board.to_owned(),
            value,
            endings: 0,
            moves: 0,
            proof: Vec::new(),
            digest: String::new(),
        }
    }

    /// Adds the move numbers of a proof and the digest.
    #[must_use]
    pub fn with_proof(self, moves: &[u16]) -> Certificate {
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
        digest(compact(&rest))
    }

    /// Reads a certificate. Messages name it `file`.
    ///
    /// # Errors
    /// Invalid input: the first fault, or a digest that does not match.
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
                "this certificate has format {format}, but only format {FORMAT} is known; write it \
                 again with `parlour solve leapfrog … --certificate`"
            ))
        })?;
        let certificate: Certificate = parse_json(file, text)?;
        ensure(certificate.digest == certificate.digest(), || {
            wrong("this certificate was changed or cut after it was written; its digest does not match".to_owned())
        })?;
        Ok(certificate)
    }

    /// A title: size and rules of the board.
    pub fn title(&self) -> String {
        let mut title = format!("{} × {}", self.rows, self.cols);
        let coloured = self.board.contains(['w', 'y', 'r', 'g']);
        let parts = [
            (coloured, ", coloured"),
            (!coloured, ", plain"),
            (self.chains == Chains::Single, ", single leaps"),
            (self.diagonal, ", diagonal leaps"),
            (self.first_captures == FirstCaptures::FirstSeatGreen, ", one green first capture"),
            (self.first_captures == FirstCaptures::FirstSeatLowest, ", one low first capture"),
            (self.first_to_leap == FirstToLeap::Seat(1), ", the second seat leaps first"),
            (self.first_to_leap == FirstToLeap::Lot, ", the first to leap by lot"),
            (self.first_to_leap == FirstToLeap::LastChooses, ", the last to remove chooses"),
            (self.board.contains('.'), ", a position"),
        ];
        parts.iter().filter(|(holds, _)| *holds).for_each(|(_, words)| title.push_str(words));
        title
    }

    /// The move numbers of the proof. Returns `None` if a letter is unknown.
    pub(super) fn numbers(&self) -> Option<Vec<u16>> {
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
}
