//! What is said with a player about one hand, or one case.

use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Players;
use super::process::{Process, shown};
use crate::{BotFault, Forfeit};

/// A talk with one of the processes of a player. Where the process fails the talk is over: the fault
/// is counted, the process ends, and the next talk is begun with another.
pub struct Talk {
    players: Arc<Players>,
    /// The process that is spoken with, from the first word on.
    process: Option<Process>,
}

impl Talk {
    /// A talk to be begun with one of these.
    pub fn new(players: Arc<Players>) -> Talk {
        Talk { players, process: None }
    }

    /// Says this first, where nothing was said yet.
    ///
    /// # Errors
    /// How the player failed.
    pub fn begin(&mut self, first: impl FnOnce() -> Vec<u8>) -> Result<(), Forfeit> {
        if self.process.is_some() {
            return Ok(());
        }
        let begun = self.players.take().and_then(|mut process| {
            process.say(&first(), Instant::now() + self.players.move_time())?;
            Ok(process)
        });
        self.process = Some(self.heard(begun)?);
        Ok(())
    }

    /// Asks something, and reads the answer.
    ///
    /// # Errors
    /// How the player failed; `read` may say that it did.
    pub fn ask<T>(
        &mut self,
        question: &[u8],
        read: impl FnOnce(&[u8]) -> Result<T, Forfeit>,
    ) -> Result<T, Forfeit> {
        let now = Instant::now();
        let until = now + self.players.move_time();
        let answer = match &mut self.process {
            Some(process) => process.ask(question, until),
            None => self
                .players
                .take()
                .and_then(|process| self.process.insert(process).ask(question, until)),
        };
        self.players.answered(now.elapsed());
        self.heard(answer.and_then(|answer| read(&answer)))
    }

    /// Says the last word, and lets the process go on to another talk.
    pub fn end(&mut self, last: impl FnOnce() -> Vec<u8>) {
        let Some(mut process) = self.process.take() else { return };
        // One that has failed by now fails in its next hand, which is begun with another.
        if process.say(&last(), Instant::now() + self.players.move_time()).is_ok() {
            self.players.give_back(process);
        }
    }

    fn heard<T>(&mut self, result: Result<T, Forfeit>) -> Result<T, Forfeit> {
        if result.is_err() {
            self.process = None;
            self.players.failed();
        }
        result
    }
}

/// The line of a message, its end included.
pub fn line(message: &impl Serialize) -> Vec<u8> {
    let mut line = serde_json::to_vec(message).unwrap_or_else(|_| b"null".to_vec());
    line.push(b'\n');
    line
}

/// An answer, read.
///
/// # Errors
/// That it is none.
pub fn answer<A: DeserializeOwned>(line: &[u8]) -> Result<A, Forfeit> {
    serde_json::from_slice(line).map_err(|error| {
        let error = brief(&error.to_string());
        let said = format!("it answered {}: {error}", shown(line));
        Forfeit { fault: BotFault::Garbled, said }
    })
}

/// A text with what a player wrote in it, as it may stand in a message: cut where it is long, and
/// without what moves a cursor.
pub fn brief(text: &str) -> String {
    let mut letters = text.chars().map(|c| if c.is_control() { '\u{FFFD}' } else { c });
    let start: String = letters.by_ref().take(LONGEST_SAID).collect();
    if letters.next().is_some() { start + " …" } else { start }
}

/// So many letters of what a player wrote stand in a message.
const LONGEST_SAID: usize = 160;
