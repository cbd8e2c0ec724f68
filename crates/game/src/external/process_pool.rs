//! The options of an external player, the pool of its processes, and the conversations with them.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use serde_json::json;

use super::message::{Hello, PROTOCOL, parse_answer, to_line};
use super::process::Process;
use crate::{BotFailure, BotFault};
use parlour_base::error::{Error, Result};
use parlour_base::files::create_dir;
use parlour_base::files::text::defaults;

defaults! {
    /// The command of an external player and its limits.
    pub struct External {
        /// The program and its arguments. The program is looked up as in a shell; paths are relative
        /// to the current directory.
        pub command: Vec<String> = Vec::new(),
        /// Time limit for a move, milliseconds.
        #[schemars(range(min = 1, max = 3_600_000))]
        pub move_ms: u64 = 1000,
        /// Time limit from its start to its greeting, milliseconds.
        #[schemars(range(min = 1, max = 3_600_000))]
        pub start_ms: u64 = 5000,
        /// Failed hands after which it is not restarted and loses its remaining hands.
        #[schemars(range(min = 1, max = 1_000_000_000))]
        pub max_faults: u64 = 10,
    }
}

impl External {
    /// Returns the problem of the command, if any.
    pub fn fault(&self) -> Option<&'static str> {
        match self.command.first() {
            None => Some(
                "`command` is missing: the program and its arguments, as in `[\"python3\", \"my.py\"]`",
            ),
            Some(program) if program.is_empty() => {
                Some("`command` begins with an empty text; it must begin with the program")
            }
            Some(_) => None,
        }
    }
}

/// The folder, in that of a run, for the standard error of external players.
pub const STDERR: &str = "stderr";

/// The processes of an external player: one for each seat that is played at the same time, reused
/// from hand to hand.
#[derive(Default)]
pub struct ProcessPool {
    external: External,
    game: &'static str,
    idle: Mutex<Vec<Process>>,
    faults: AtomicU64,
    /// The file for their standard error.
    log: OnceLock<PathBuf>,
    /// The number of answers.
    answers: AtomicU64,
    /// The longest time for an answer, microseconds.
    slowest: AtomicU64,
}

impl ProcessPool {
    /// Creates a pool for a game, without starting a process.
    pub fn new(external: External, game: &'static str) -> ProcessPool {
        ProcessPool { external, game, ..ProcessPool::default() }
    }

    /// Returns the number of moves, and the longest time for one.
    pub fn pace(&self) -> (u64, Duration) {
        let slowest = Duration::from_micros(self.slowest.load(Ordering::Relaxed));
        (self.answers.load(Ordering::Relaxed), slowest)
    }

    /// Asks all idle processes to exit. Returns `true` if all did within this time.
    pub fn shut_down(&self, within: Duration) -> bool {
        let idle = std::mem::take(&mut *self.idle());
        idle.into_iter().all(|mut process| process.shut_down(within))
    }

    /// Starts a process for the first hand. Standard error is appended to a file in the folder, at
    /// most one megabyte of each process; without a folder it goes to this program's.
    ///
    /// # Errors
    /// Bad input if the process does not start or does not greet as a player of the game; a failure
    /// if the file cannot be written.
    pub fn prepare(&self, name: &str, folder: Option<&Path>) -> Result<()> {
        if let Some(folder) = folder.map(|folder| folder.join(STDERR)) {
            create_dir(&folder)?;
            _ = self.log.set(folder.join(format!("{name}.txt")));
        }
        let first = self.start().map_err(|failure| Error::input(failure.message))?;
        self.idle().push(first);
        Ok(())
    }

    /// Returns an idle process, or a new one that has greeted.
    fn take(&self) -> std::result::Result<Process, BotFailure> {
        let (faults, most) = (self.faults.load(Ordering::Relaxed), self.external.max_faults);
        if faults >= most {
            let message = format!("it failed in {faults} hands and is not restarted");
            return Err(BotFailure { fault: BotFault::GivenUp, message });
        }
        let idle = self.idle().pop();
        idle.map_or_else(|| self.start(), Ok)
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Starts a process and greets it.
    ///
    /// # Errors
    /// If it does not start, or does not answer as a player of this game.
    fn start(&self) -> std::result::Result<Process, BotFailure> {
        let unready = |message: String| BotFailure { fault: BotFault::NoStart, message };
        let log = self.log.get().map(|path| File::options().append(true).create(true).open(path));
        let log = log.transpose().map_err(|error| unready(error.to_string()))?;
        let mut process = Process::start(&self.external.command, log).map_err(unready)?;
        let until = Instant::now() + Duration::from_millis(self.external.start_ms);
        let program = concat!("parlour ", env!("CARGO_PKG_VERSION"));
        let hello = json!({
            "type": "hello", "protocol": PROTOCOL, "program": program, "game": self.game,
        });
        let answer = process.ask(&to_line(&hello), until);
        let hello = answer
            .and_then(|line| parse_answer::<Hello>(&line))
            .map_err(|failure| unready(format!("no greeting: {}", failure.message)))?;
        hello.check(self.game).map_err(unready)?;
        Ok(process)
    }

    /// Returns the time limit for a move.
    fn move_time(&self) -> Duration {
        Duration::from_millis(self.external.move_ms)
    }
}

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
        read: impl FnOnce(&[u8]) -> std::result::Result<T, BotFailure>,
    ) -> std::result::Result<T, BotFailure> {
        let answer = self.exchange(first, question).and_then(|answer| read(&answer));
        if answer.is_err() {
            self.process = None;
            self.players.faults.fetch_add(1, Ordering::Relaxed);
        }
        answer
    }

    fn exchange(
        &mut self,
        first: impl FnOnce() -> Vec<u8>,
        question: &[u8],
    ) -> std::result::Result<Vec<u8>, BotFailure> {
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
        self.players.answers.fetch_add(1, Ordering::Relaxed);
        let time = now.elapsed().as_micros() as u64;
        self.players.slowest.fetch_max(time, Ordering::Relaxed);
        answer
    }

    /// Sends the last message, and returns the process to the pool.
    pub fn end(&mut self, last: impl FnOnce() -> Vec<u8>) {
        let Some(mut process) = self.process.take() else { return };
        // A process that has failed by now is dropped; the hand is over.
        if process.send(&last(), Instant::now() + self.players.move_time()).is_ok() {
            self.players.idle().push(process);
        }
    }
}
