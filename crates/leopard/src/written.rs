//! An act as a record has it.

use std::convert::Infallible;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Move;

/// An act as it is written: a move, or a text that is none, which is kept for the message.
#[derive(Clone, PartialEq, Eq)]
pub enum WrittenAct {
    /// What stands for this move.
    Move(Move),
    /// Any other text.
    Other(Box<str>),
}

impl WrittenAct {
    /// The move.
    ///
    /// # Errors
    /// Why it is none.
    pub(super) fn read(&self) -> Result<Move, String> {
        match self {
            WrittenAct::Move(mv) => Ok(*mv),
            WrittenAct::Other(text) => text.parse(),
        }
    }
}

impl From<Move> for WrittenAct {
    fn from(mv: Move) -> WrittenAct {
        WrittenAct::Move(mv)
    }
}

/// Whatever it says: it is for the referee to refuse it.
impl From<&str> for WrittenAct {
    fn from(text: &str) -> WrittenAct {
        text.parse().map_or_else(|_| WrittenAct::Other(text.into()), WrittenAct::Move)
    }
}

impl FromStr for WrittenAct {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<WrittenAct, Infallible> {
        Ok(text.into())
    }
}

/// The text as it was read: each move has one.
impl fmt::Display for WrittenAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WrittenAct::Move(mv) => mv.fmt(f),
            WrittenAct::Other(text) => text.fmt(f),
        }
    }
}

impl fmt::Debug for WrittenAct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.to_string(), f)
    }
}

impl Serialize for WrittenAct {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for WrittenAct {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<WrittenAct, D::Error> {
        crate::files::text::parsed(from)
    }
}
