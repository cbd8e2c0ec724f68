//! Hands written down, and read back under the rules.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Game;
use crate::chance::Stream;
use crate::error::Fault;

/// What stands around a hand in its record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    /// The variant's name.
    pub variant: String,
    /// The deal's number, from 0.
    pub deal: u64,
    /// The hand's number within its match, from 0.
    pub hand: u32,
    /// Which rotation of the strategies over the seats, from 0.
    pub rotation: u32,
    /// The experiment's seed.
    pub seed: u64,
    /// The strategies' names by seat.
    pub seats: Vec<String>,
}

/// States, each with the move that was made in it.
pub type Choices<G> = Vec<(<G as Game>::State, <G as Game>::Move)>;

/// A game whose hands can be written down.
pub trait Recorded: Game + Sized {
    /// One line of `records.jsonl`.
    type Record: Serialize + DeserializeOwned + schemars::JsonSchema;

    /// The record of a hand: `chance` as it was before the deal, and the moves made.
    fn record(&self, label: &Label, chance: Stream, moves: &[Self::Move]) -> Self::Record;

    /// The same for a hand whose deal was [wished](Game::deal_as_wished) for; `end` is how it ended.
    fn record_to(
        &self,
        label: &Label,
        chance: Stream,
        moves: &[Self::Move],
        _end: &Self::State,
    ) -> Self::Record {
        self.record(label, chance, moves)
    }

    /// Plays the record again under its own rules.
    ///
    /// # Errors
    /// The first thing that differs from what the rules say.
    fn verify(record: &Self::Record) -> Result<(), Fault>;

    /// The hand for a reader, move by move.
    ///
    /// # Errors
    /// As [`verify`](Recorded::verify), at the first move that cannot be shown.
    fn show(record: &Self::Record) -> Result<String, Fault>;

    /// The game of a record and its choices in order, for a comment on them: the state that each
    /// was made in, and the move.
    ///
    /// # Errors
    /// As [`verify`](Recorded::verify), at the first move that cannot be made; or that hands of
    /// this game are not commented on.
    fn choices(_record: &Self::Record) -> Result<(Self, Choices<Self>), Fault> {
        Err(Fault::new("game", "hands of this game are not commented on"))
    }

    /// The record's deal and hand numbers.
    fn place(record: &Self::Record) -> (u64, u32);
}
