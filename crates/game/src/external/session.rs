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

    /// Asks a question, and reads the answer. Sends the message `first` to a new process before.
    ///
    /// # Errors
    /// The fault of the player, which `read` may find.
    pub fn ask<T>(
        &mut self,
        first: impl FnOnce() -> Vec<u8>,
        question: &[u8],
        read: impl FnOnce(&[u8]) -> Result<T, BotFailure>,
    ) -> Result<T, BotFailure> {
        let answer = self.exchange(first, question).and_then(|answer| read(&answer));
        if answer.is_err() {
            self.process = None;
            self.players.count_fault();
        }
        answer
    }

    fn exchange(
        &mut self,
        first: impl FnOnce() -> Vec<u8>,
        question: &[u8],
    ) -> Result<Vec<u8>, BotFailure> {
        let limit = self.players.move_time();
        let process = match &mut self.process {
            Some(process) => process,
            None => {
                let process = self.process.insert(self.players.take()?);
                process.send(&first(), Instant::now() + limit)?;
                process
            }
        };
        let now = Instant::now();
        let answer = process.ask(question, now + limit);
        self.players.count_answer(now.elapsed());
        answer
    }

    /// Sends the last message, and returns the process to the pool.
    pub fn end(&mut self, last: impl FnOnce() -> Vec<u8>) {
        let Some(mut process) = self.process.take() else { return };
        // A process that has failed by now is dropped; the hand is over.
        if process.send(&last(), Instant::now() + self.players.move_time()).is_ok() {
            self.players.give_back(process);
        }
    }
}
