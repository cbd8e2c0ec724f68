//! Where the hands of a run are written down, if anywhere; `results/ledger.rs` does it.

use crate::error::Result;
use crate::game::{Label, Scores};

/// Where the hands of a run are written down, a page for each piece of a chunk.
pub trait Ledger: Sync {
    /// Opens a page. One that is there already is of no run.
    ///
    /// # Errors
    /// When it cannot be written.
    fn page(&self, chunk: u64, piece: u64) -> Result<Box<dyn Page + '_>>;

    /// Makes one page of the pieces of a chunk.
    ///
    /// # Errors
    /// When it cannot be written, or one of them is missing.
    fn join(&self, chunk: u64, pieces: u64) -> Result<()>;
}

/// The hands of one piece of a chunk.
pub trait Page {
    /// Whether it needs the records of hands.
    fn with_records(&self) -> bool;

    /// Writes a hand down.
    ///
    /// # Errors
    /// When it cannot be written.
    fn hand(&mut self, hand: &PlayedHand) -> Result<()>;

    /// Puts the page in its place.
    ///
    /// # Errors
    /// When it cannot be written.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A hand that was played, as it is written down.
pub struct PlayedHand {
    /// Which hand it was, and who sat where.
    pub label: Label,
    /// What the game lists of each seat beside the points.
    pub values: Vec<i64>,
    /// The points of each seat.
    pub scores: Scores,
    /// How many turns it had.
    pub turns: u32,
    /// How it ended, one word.
    pub ended: &'static str,
    /// Its record as a line of JSON, where one is asked for and no bot failed.
    pub record: Option<String>,
}
