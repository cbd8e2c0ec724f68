//! What is said: a line of JSON each, with its kind in `type`.

use serde::{Deserialize, Serialize};

/// The version of the protocol. A player that speaks another is refused.
pub const PROTOCOL: u32 = 1;

/// What a player is told.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ToPlayer<'a, V: Serialize = (), R: Serialize = ()> {
    /// Once, at the start.
    Hello { protocol: u32, program: &'static str, game: &'static str },
    /// A hand begins.
    Start {
        rules: &'a R,
        seats: usize,
        seat: u8,
        /// For a player that draws lots: the same whenever this hand is played again.
        seed: u64,
    },
    /// It is the player's turn.
    Choose {
        view: &'a V,
        /// The moves since it last chose, its own among them.
        events: Vec<Event>,
        /// The legal moves.
        moves: Vec<String>,
    },
    /// The hand is over; without scores it was broken off.
    End { scores: Option<&'a [i32]> },
    /// No more hands come: the process should end.
    Bye {},
}

/// A move that was made.
#[derive(Serialize)]
pub(super) struct Event {
    pub seat: u8,
    #[serde(rename = "move")]
    pub mv: String,
}

/// How a player greets.
#[derive(Deserialize)]
pub(super) struct Hello {
    protocol: u32,
    name: String,
    /// The games that it plays; any without.
    games: Option<Vec<String>>,
}

impl Hello {
    /// What is wrong with it for a game.
    pub fn check(&self, game: &str) -> Result<(), String> {
        let Hello { protocol, name, games } = self;
        if *protocol != PROTOCOL {
            return Err(format!("`{name}` speaks protocol {protocol}; this program {PROTOCOL}"));
        }
        match games {
            Some(games) if !games.iter().any(|known| known == game) => {
                Err(format!("`{name}` plays {}, not {game}", games.join(", ")))
            }
            _ => Ok(()),
        }
    }
}

/// What a player answers to `choose`: the place of a move in the list, or the move as it is written
/// there. What else it says (`values`, `comment`) is let pass.
#[derive(Deserialize)]
pub(super) struct Choice {
    pub index: Option<u64>,
    #[serde(rename = "move")]
    pub mv: Option<String>,
    #[serde(default)]
    #[expect(dead_code, reason = "read so that what is no list of numbers is refused")]
    pub values: Option<Vec<f64>>,
    #[serde(default)]
    #[expect(dead_code, reason = "read so that what is no text is refused")]
    pub comment: Option<String>,
}
