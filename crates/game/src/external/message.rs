//! The messages of the protocol: a line of JSON each, with its kind in `type`.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{BotFailure, BotFault};
use parlour_base::files::{compact, plain_message};

/// The version of the protocol. A player with another version is refused.
pub const PROTOCOL: u32 = 1;

/// The greeting of a player.
#[derive(Deserialize)]
pub(super) struct Hello {
    protocol: u32,
    name: String,
    /// Its version, which the results name.
    pub version: Option<String>,
    /// The games that it plays; all if absent.
    games: Option<Vec<String>>,
}

impl Hello {
    /// Checks that the player fits the protocol and the game.
    pub fn check(&self, game: &str) -> Result<(), String> {
        let Hello { protocol, name, games, .. } = self;
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
    (compact(message) + "\n").into_bytes()
}

/// Parses an answer.
///
/// # Errors
/// If it is not of the type.
pub fn parse_answer<A: DeserializeOwned>(line: &[u8]) -> Result<A, BotFailure> {
    serde_json::from_slice(line).map_err(|error| {
        let message = format!("it answered {}: {}", excerpt(line), shorten(&plain_message(&error)));
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
