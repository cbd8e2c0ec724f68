//! The messages of the protocol: a line of JSON each, with its kind in `type`.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{BotFailure, BotFault};

/// The version of the protocol. A player with another version is refused.
pub const PROTOCOL: u32 = 1;

/// A message to a player.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(super) enum ToPlayer<'a, V: Serialize = (), R: Serialize = ()> {
    /// The greeting, once per process.
    Hello { protocol: u32, program: &'static str, game: &'static str },
    /// A hand begins.
    Start {
        rules: &'a R,
        seats: usize,
        seat: u8,
        /// A random seed for the player: the same whenever this hand is played again.
        seed: u64,
    },
    /// A question for the player's move.
    Choose {
        view: &'a V,
        /// The moves since its last choice, including its own.
        events: Vec<Event>,
        /// The legal moves.
        moves: Vec<String>,
    },
    /// The end of the hand; without scores it was cancelled.
    End { scores: Option<&'a [i32]> },
    /// The end of all hands: the process should exit.
    Bye {},
}

/// A move of a seat.
#[derive(Serialize)]
pub(super) struct Event {
    pub seat: u8,
    #[serde(rename = "move")]
    pub mv: String,
}

/// The greeting of a player.
#[derive(Deserialize)]
pub(super) struct Hello {
    protocol: u32,
    name: String,
    /// The games that it plays; all if absent.
    games: Option<Vec<String>>,
}

impl Hello {
    /// Checks that the player fits the protocol and the game.
    pub fn check(&self, game: &str) -> Result<(), String> {
        let Hello { protocol, name, games } = self;
        if *protocol != PROTOCOL {
            return Err(format!(
                "`{name}` speaks protocol {protocol}; this program speaks {PROTOCOL}"
            ));
        }
        match games {
            Some(games) if !games.iter().any(|known| known == game) => {
                Err(format!("`{name}` plays {}, not {game}", games.join(", ")))
            }
            _ => Ok(()),
        }
    }
}

/// The answer to `choose`: the index of a move in the list, or its text. `values` and `comment` are
/// checked and ignored.
#[derive(Deserialize)]
pub(super) struct ChoiceAnswer {
    pub index: Option<u64>,
    #[serde(rename = "move")]
    pub mv: Option<String>,
    #[serde(default)]
    #[expect(dead_code, reason = "read so that anything but a list of numbers is refused")]
    pub values: Option<Vec<f64>>,
    #[serde(default)]
    #[expect(dead_code, reason = "read so that anything but a text is refused")]
    pub comment: Option<String>,
}

/// Returns a message as a line, with its line break.
pub fn to_line(message: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).unwrap_or_else(|_| b"null".to_vec());
    line.push(b'\n');
    line
}

/// Parses an answer.
///
/// # Errors
/// If it is not of the type.
pub fn parse_answer<A: DeserializeOwned>(line: &[u8]) -> Result<A, BotFailure> {
    serde_json::from_slice(line).map_err(|error| {
        let message = format!("it answered {}: {}", excerpt(line), shorten(&error.to_string()));
        BotFailure { fault: BotFault::Garbled, message }
    })
}

/// The most letters of a player's text in a message.
const MAX_LETTERS: usize = 160;

/// Shortens a player's text for a message, and replaces control characters.
pub fn shorten(text: &str) -> String {
    let mut letters = text.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c });
    let start: String = letters.by_ref().take(MAX_LETTERS).collect();
    if letters.next().is_some() { start + " …" } else { start }
}

/// Returns the beginning of a player's output, quoted for a message.
pub(super) fn excerpt(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let start: String = text.trim_end().chars().take(60).collect();
    format!("{start:?}{}", if start.len() < text.trim_end().len() { " …" } else { "" })
}
