//! A conversation with a player about one hand, or one case.

use std::sync::Arc;
use std::time::Instant;

use super::process::Process;
use super::process_pool::ProcessPool;
use crate::BotFailure;

/// A conversation with one of a player's processes. If the process fails, the fault is counted and
/// the process is killed; the next conversation uses another process.
pub struct Session {
    players: Arc<ProcessPool>,
    /// The process, from the first message on.
    process: Option<Process>,
}

impl Session {
    /// Creates a conversation without a process yet.
    pub fn new(players: Arc<ProcessPool>) -> Session {
        Session { players, process: None }
    }

    /// Sends the first message, unless it was sent before.
    ///
    /// # Errors
    /// The fault of the player.
    pub fn begin(&mut self, first: impl FnOnce() -> Vec<u8>) -> Result<(), BotFailure> {
        if self.process.is_some() {
            return Ok(());
        }
        let process = self.players.take().and_then(|mut process| {
            process.send(&first(), Instant::now() + self.players.move_time())?;
            Ok(process)
        });
        self.process = Some(self.checked(process)?);
        Ok(())
    }

    /// Asks a question, and reads the answer.
    ///
    /// # Errors
    /// The fault of the player, which `read` may find.
    pub fn ask<T>(
        &mut self,
        question: &[u8],
        read: impl FnOnce(&[u8]) -> Result<T, BotFailure>,
    ) -> Result<T, BotFailure> {
        let now = Instant::now();
        let until = now + self.players.move_time();
        let answer = match &mut self.process {
            Some(process) => process.ask(question, until),
            None => self
                .players
                .take()
                .and_then(|process| self.process.insert(process).ask(question, until)),
        };
        self.players.count_answer(now.elapsed());
        self.checked(answer.and_then(|answer| read(&answer)))
    }

    /// Sends the last message, and returns the process to the pool.
    pub fn end(&mut self, last: impl FnOnce() -> Vec<u8>) {
        let Some(mut process) = self.process.take() else { return };
        // A process that has failed by now is dropped; the hand is over.
        if process.send(&last(), Instant::now() + self.players.move_time()).is_ok() {
            self.players.give_back(process);
        }
    }

    fn checked<T>(&mut self, result: Result<T, BotFailure>) -> Result<T, BotFailure> {
        if result.is_err() {
            self.process = None;
            self.players.count_fault();
        }
        result
    }
}
