//! Receivers of what a run plays: observers of its progress, and the log of all its hands, which the
//! results crate writes.

use parlour_base::error::Result;
use parlour_game::{Label, Scores};

/// Receives progress reports of a run; called from many threads.
pub trait Observer: Sync {
    /// Reports hands that an earlier part of the run has played.
    fn resumed(&self, _hands: u64) {}

    /// Reports newly played hands.
    fn played(&self, _hands: u64) {}

    /// Reports counted deals: by variant the units that each strategy won against others.
    fn dealt(&self, _deals: u64, _won: &[Vec<i64>]) {}

    /// Reports a hand in which a bot of this strategy failed, with its message.
    fn failed(&self, _strategy: &str, _message: &str) {}
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilentObserver;

impl Observer for SilentObserver {}

/// A log of all hands, written in parts: one or more per chunk.
pub trait HandLog: Sync {
    /// Opens a part of a chunk's log. An existing part of this number is overwritten.
    ///
    /// # Errors
    /// If it cannot be written.
    fn open_part(&self, chunk: u64, part: u64) -> Result<Box<dyn HandLogPart + '_>>;

    /// Concatenates the parts of a chunk's log.
    ///
    /// # Errors
    /// If a part is missing or the result cannot be written.
    fn concatenate(&self, chunk: u64, parts: u64) -> Result<()>;
}

/// The hands of one part of a chunk.
pub trait HandLogPart {
    /// Returns `true` if the log needs the records of hands.
    fn with_records(&self) -> bool;

    /// Adds a hand.
    ///
    /// # Errors
    /// If it cannot be written.
    fn add(&mut self, hand: &PlayedHand) -> Result<()>;

    /// Completes the part.
    ///
    /// # Errors
    /// If it cannot be written.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// A finished hand, as the log shows it.
pub struct PlayedHand {
    /// The identity of the hand: variant, deal, rotation, seats.
    pub label: Label,
    /// The game's values by seat, next to the points.
    pub values: Vec<i64>,
    /// The points by seat.
    pub scores: Scores,
    /// The number of turns.
    pub turns: u32,
    /// The reason for the end, one word.
    pub ended: &'static str,
    /// The record as a line of JSON, if requested and if no bot failed.
    pub record: Option<String>,
}
