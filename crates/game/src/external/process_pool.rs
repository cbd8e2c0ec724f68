//! The options of an external player, the pool of its processes, and the conversations with them.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::Duration;

use serde_json::json;

use super::message::{Hello, PROTOCOL, parse_answer, to_line};
use super::process::{Process, TimeLimit, is_ending, wait_in_background};
use crate::{BotError, BotFailure, BotFault};
use parlour_base::error::{Error, Result};
use parlour_base::files::text::defaults;
use parlour_base::files::{cannot_write, create_dir, digest_file, open_own, remedy};
use parlour_base::time::Instant;

defaults! {
    /// The command of an external player and its limits.
    pub struct External {
        /// The program and its arguments. The program is looked up as in a shell. A path is relative to
        /// the folder of the strategy's file, or else to the current directory.
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

    /// Returns the digests of the files that the command names, by their names: the program, arguments,
    /// and values of options as in `--net=FILE`.
    pub fn files(&self) -> BTreeMap<String, String> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let find = |(index, word): (usize, &String)| {
            let name = word.split_once('=').map_or(word.as_str(), |(_, value)| value);
            let folders =
                std::env::split_paths(&path).filter(|_| index == 0 && !word.contains('/'));
            let mut places =
                folders.map(|folder| folder.join(word)).chain([name.into(), word.into()]);
            let found = places.find(|place: &PathBuf| place.is_file())?;
            Some((word.clone(), digest_file(&found).ok()?))
        };
        self.command.iter().enumerate().filter_map(find).collect()
    }
}

/// The folder, in that of a run, for the standard error of external players.
pub const STDERR: &str = "stderr";

/// The most processes of a player that wait for their next hand. Beyond these, the oldest exits and a
/// new one starts.
const MAX_IDLE: usize = 16;

/// The most deals of a process; a new one starts after them.
const MAX_DEALS: usize = 1 << 20;

/// The time that a process has to exit after `bye`.
const EXIT_TIME: Duration = Duration::from_millis(200);

/// The processes of an external player, reused from hand to hand. No process plays two hands of one
/// deal: it would know the other hands and the cards to come.
#[derive(Default)]
pub struct ProcessPool {
    external: External,
    game: &'static str,
    idle: Mutex<Idle>,
    faults: AtomicU64,
    /// The file for their standard error.
    log: OnceLock<PathBuf>,
    /// The version that the player reported.
    version: OnceLock<String>,
    /// The reason why hands were broken off that are not the player's fault.
    interruption: OnceLock<BotError>,
    /// Cancels all questions if set.
    stop: OnceLock<Arc<AtomicBool>>,
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
        let idle = std::mem::take(&mut self.idle().0);
        all_exit(idle, within)
    }

    /// Cancels the questions of all hands when this flag is set.
    pub fn cancel_on(&self, stop: &Arc<AtomicBool>) {
        _ = self.stop.set(stop.clone());
    }

    /// Adds failed hands of an earlier part of the run to those that count for `max_faults`.
    pub fn add_faults(&self, faults: u64) {
        self.faults.fetch_add(faults, Ordering::Relaxed);
    }

    /// Returns the reason why hands were broken off, if any were: a failure of the machine, or the flag.
    pub fn interruption(&self) -> Option<&BotError> {
        self.interruption.get()
    }

    /// Returns the version that the player reported, if any.
    pub fn version(&self) -> Option<&String> {
        self.version.get()
    }

    /// Starts a process for the first hand. Standard error is appended to a file in the folder, at
    /// most one megabyte of each process; without a folder it goes to this program's.
    ///
    /// # Errors
    /// Bad input if the process does not start or does not greet as a player of the game; a failure
    /// if the machine lacks something, or the file cannot be written.
    pub fn prepare(&self, name: &str, folder: Option<&Path>) -> Result<()> {
        if let Some(folder) = folder.map(|folder| folder.join(STDERR)) {
            create_dir(&folder)?;
            _ = self.log.set(folder.join(format!("{name}.txt")));
        }
        if self.idle().0.is_empty() {
            let first = self.start().map_err(|error| match error {
                BotError::Machine(error) => error,
                error => Error::input(error.to_string()),
            })?;
            self.idle().0.push(first);
        }
        Ok(())
    }

    /// Returns a process that has not played the deal: an idle one, or a new one that has greeted.
    fn take(&self, deal: Option<u64>) -> std::result::Result<Process, BotError> {
        let (faults, most) = (self.faults.load(Ordering::Relaxed), self.external.max_faults);
        if faults >= most {
            let message = format!("it failed in {faults} hands and is not restarted");
            return Err(BotFailure { fault: BotFault::GivenUp, message }.into());
        }
        let is_new = |process: &Process| deal.is_none_or(|deal| !process.deals.contains(&deal));
        let mut idle = self.idle();
        let found = idle.0.iter().rposition(is_new);
        let mut process = match found {
            Some(found) => idle.0.remove(found),
            None => {
                let most = idle.0.len().saturating_sub(MAX_IDLE - 1);
                let oldest: Vec<Process> = idle.0.drain(..most).collect();
                drop(idle);
                dismiss(oldest);
                self.start()?
            }
        };
        process.deals.extend(deal);
        Ok(process)
    }

    fn idle(&self) -> MutexGuard<'_, Idle> {
        self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Starts a process and greets it.
    ///
    /// # Errors
    /// If it does not start, or does not answer as a player of this game.
    fn start(&self) -> std::result::Result<Process, BotError> {
        let program = self.external.command.first().map_or("", String::as_str);
        let log = self.log.get().map(|path| {
            let log = open_own(path, File::options().append(true).create(true));
            log.map_err(|error| BotError::Machine(cannot_write(path, &error)))
        });
        let mut process = Process::start(&self.external.command, log.transpose()?)
            .map_err(|error| BotError::Machine(cannot_start(program, &error)))?;
        let mut limit = self.time_limit(self.external.start_ms);
        let program = concat!("parlour ", env!("CARGO_PKG_VERSION"));
        let hello = json!({
            "type": "hello", "protocol": PROTOCOL, "program": program, "game": self.game,
        });
        let greeting = process.ask(&to_line(&hello), &mut limit).and_then(|line| {
            let hello = parse_answer::<Hello>(&line)?;
            Ok((hello.check(self.game), hello.version))
        });
        let unready = |message: String| BotFailure { fault: BotFault::NoStart, message };
        let (checked, version) = greeting.map_err(|error| match error {
            BotError::Failed(failure) => unready(format!(
                "no greeting such as {{\"protocol\":{PROTOCOL},\"name\":\"NAME\"}}: {}",
                failure.message
            ))
            .into(),
            error => error,
        })?;
        checked.map_err(unready)?;
        version.into_iter().for_each(|version| _ = self.version.set(version));
        Ok(process)
    }

    fn time_limit(&self, milliseconds: u64) -> TimeLimit<'_> {
        let stop = self.stop.get().map(|stop| &**stop);
        TimeLimit { left: Duration::from_millis(milliseconds), stop }
    }
}

/// Asks processes to exit. Returns `true` if all did within this time; the others are killed.
fn all_exit(processes: Vec<Process>, within: Duration) -> bool {
    let until = Instant::now() + within;
    let mut leaving: Vec<_> = processes.into_iter().map(Process::say_goodbye).collect();
    leaving.iter_mut().all(|(group, _)| group.exit_status(until).is_some())
}

/// Asks processes to exit, without waiting for them.
fn dismiss(processes: Vec<Process>) {
    if !processes.is_empty() {
        wait_in_background(|| _ = all_exit(processes, EXIT_TIME));
    }
}

/// Processes that wait for their next hand. Dropping them asks them to exit.
#[derive(Default)]
struct Idle(Vec<Process>);

impl Drop for Idle {
    fn drop(&mut self) {
        dismiss(std::mem::take(&mut self.0));
    }
}

/// A failure if the machine lacks something; otherwise bad input.
fn cannot_start(program: &str, error: &io::Error) -> Error {
    let remedy = remedy(error);
    let message = format!("cannot start `{program}`: {error}{remedy}");
    match remedy {
        "" => Error::input(message),
        _ => Error::failed(message),
    }
}

/// A conversation with one of a player's processes about one hand. If the process fails, the fault is
/// counted and the process is killed; the next conversation uses another process.
pub struct Session {
    players: Arc<ProcessPool>,
    /// The deal of the hand, which the process must not have played.
    deal: Option<u64>,
    /// The process, from the first message on.
    process: Option<Process>,
}

impl Session {
    /// Creates a conversation without a process yet. The process will be one that has not played the
    /// deal of this number.
    pub fn new(players: Arc<ProcessPool>, deal: Option<u64>) -> Session {
        Session { players, deal, process: None }
    }

    /// Asks a question, and reads the answer. Sends the message `first` to a new process before.
    ///
    /// # Errors
    /// The fault of the player, which `read` may find; a failure of the machine; a cancelled hand.
    pub fn ask<T>(
        &mut self,
        first: impl FnOnce() -> Vec<u8>,
        question: &[u8],
        read: impl FnOnce(&[u8]) -> std::result::Result<T, BotFailure>,
    ) -> std::result::Result<T, BotError> {
        let answer = self.exchange(first, question).and_then(|answer| Ok(read(&answer)?));
        let answer = answer.map_err(|error| if is_ending() { BotError::Cancelled } else { error });
        if let Err(error) = &answer {
            self.process = None;
            match error {
                BotError::Failed(_) => self.players.add_faults(1),
                error => _ = self.players.interruption.set(error.clone()),
            }
        }
        answer
    }

    fn exchange(
        &mut self,
        first: impl FnOnce() -> Vec<u8>,
        question: &[u8],
    ) -> std::result::Result<Vec<u8>, BotError> {
        let limit = || self.players.time_limit(self.players.external.move_ms);
        let process = match &mut self.process {
            Some(process) => process,
            None => {
                let process = self.process.insert(self.players.take(self.deal)?);
                process.send(&first(), &mut limit())?;
                process
            }
        };
        let now = Instant::now();
        let answer = process.ask(question, &mut limit());
        self.players.answers.fetch_add(1, Ordering::Relaxed);
        let time = now.elapsed().as_micros() as u64;
        self.players.slowest.fetch_max(time, Ordering::Relaxed);
        answer
    }

    /// Sends the last message, and returns the process to the pool.
    pub fn end(&mut self, last: impl FnOnce() -> Vec<u8>) {
        let Some(mut process) = self.process.take() else { return };
        let mut limit = self.players.time_limit(self.players.external.move_ms);
        // A process that has failed by now is dropped; the hand is over.
        if process.send(&last(), &mut limit).is_ok() && process.deals.len() < MAX_DEALS {
            self.players.idle().0.push(process);
        }
    }
}
