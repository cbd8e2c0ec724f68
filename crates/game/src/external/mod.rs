//! Players that are programs of their own, in any language: lines of JSON over their standard input
//! and output, as `docs/bot-protocol.md` says.
//!
//! Such a player is handed what a bot is handed, the view and the public moves, and nothing else. One
//! that fails loses its hand; the next hand is played by a process started afresh.

mod bot;
mod message;
mod process;
mod talk;

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use crate::error::{Error, Result};
use crate::files::make_folder;
use crate::files::text::defaults;
use crate::{BotFault, Forfeit};

pub use bot::{ExternalBot, chosen};
pub use message::PROTOCOL;
use message::{Hello, ToPlayer};
use process::Process;
pub use talk::{Talk, answer, brief, line};

defaults! {
    /// How a program that plays is called, and what it is allowed.
    pub struct External {
        /// The program and its arguments. The program is looked for as a shell does; paths are from
        /// where `parlour` was started.
        pub command: Vec<String> = Vec::new(),
        /// How long it may think about a move, milliseconds.
        #[schemars(range(min = 1, max = 3_600_000))]
        pub move_ms: u64 = 1000,
        /// How long it may take from its start to its greeting, milliseconds.
        #[schemars(range(min = 1, max = 3_600_000))]
        pub start_ms: u64 = 5000,
        /// After so many failed hands it is not started again and loses the rest of its hands.
        #[schemars(range(min = 1, max = 1_000_000_000))]
        pub max_faults: u64 = 10,
    }
}

impl External {
    /// What is wrong with it, where something is.
    pub fn fault(&self) -> Option<&'static str> {
        match self.command.first() {
            None => Some(
                "`command` is missing: the program and its arguments, as in `[\"python3\", \"my.py\"]`",
            ),
            Some(program) if program.is_empty() => {
                Some("`command` begins with an empty text; it must be the program")
            }
            Some(_) => None,
        }
    }
}

/// The folder, within that of a run, for what players say on their standard error.
pub const STDERR: &str = "stderr";

/// The processes of an external player: one for each seat that is played at the same time, used
/// again for one hand after the other.
pub struct Players {
    external: External,
    game: &'static str,
    idle: Mutex<Vec<Process>>,
    faults: AtomicU64,
    /// Where their standard error goes.
    log: OnceLock<PathBuf>,
    /// How often they were asked for a move, and the longest that they took, microseconds.
    asked: AtomicU64,
    slowest: AtomicU64,
}

impl Players {
    /// A player of a game; no process is started yet.
    pub fn new(external: External, game: &'static str) -> Players {
        Players {
            external,
            game,
            idle: Mutex::default(),
            faults: AtomicU64::default(),
            log: OnceLock::new(),
            asked: AtomicU64::default(),
            slowest: AtomicU64::default(),
        }
    }

    /// How often they chose a move, and the longest that they took for it.
    pub fn pace(&self) -> (u64, Duration) {
        let slowest = Duration::from_micros(self.slowest.load(Ordering::Relaxed));
        (self.asked.load(Ordering::Relaxed), slowest)
    }

    /// Tells those that wait for a hand to end; whether each did so within this time, by itself.
    pub fn farewell(&self, within: Duration) -> bool {
        let idle = std::mem::take(&mut *self.idle());
        idle.into_iter().all(|mut process| process.farewell(within))
    }

    fn answered(&self, after: Duration) {
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.slowest.fetch_max(after.as_micros() as u64, Ordering::Relaxed);
    }

    /// Starts a process for the first hand. What processes say on their standard error goes to the
    /// end of a file in the folder, a megabyte of each at most; without a folder, to this program's.
    ///
    /// # Errors
    /// Bad input when it does not start, or does not greet as a player of the game; a failure when
    /// the file cannot be written.
    pub fn prepare(&self, name: &str, folder: Option<&Path>) -> Result<()> {
        if let Some(folder) = folder.map(|folder| folder.join(STDERR)) {
            make_folder(&folder)?;
            _ = self.log.set(folder.join(format!("{name}.txt")));
        }
        let first = self.start().map_err(|forfeit| Error::input(forfeit.said))?;
        self.give_back(first);
        Ok(())
    }

    /// A process that waits for a hand: an idle one, or a new one that said hello.
    fn take(&self) -> std::result::Result<Process, Forfeit> {
        let (faults, most) = (self.faults.load(Ordering::Relaxed), self.external.max_faults);
        if faults >= most {
            let said = format!("it failed in {faults} hands and is not started again");
            return Err(Forfeit { fault: BotFault::GivenUp, said });
        }
        let idle = self.idle().pop();
        idle.map_or_else(|| self.start(), Ok)
    }

    fn give_back(&self, process: Process) {
        self.idle().push(process);
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Process>> {
        self.idle.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// A hand was lost.
    fn failed(&self) {
        self.faults.fetch_add(1, Ordering::Relaxed);
    }

    /// Starts a process and greets it.
    ///
    /// # Errors
    /// When it does not start, or does not answer as a player of this game.
    pub fn start(&self) -> std::result::Result<Process, Forfeit> {
        let unready = |said: String| Forfeit { fault: BotFault::NoStart, said };
        let log = self.log.get().map(|path| File::options().append(true).create(true).open(path));
        let log = log.transpose().map_err(|error| unready(error.to_string()))?;
        let mut process = Process::start(&self.external.command, log).map_err(unready)?;
        let until = Instant::now() + Duration::from_millis(self.external.start_ms);
        let hello: ToPlayer<'_> = ToPlayer::Hello {
            protocol: PROTOCOL,
            program: concat!("parlour ", env!("CARGO_PKG_VERSION")),
            game: self.game,
        };
        let heard = process.ask(&line(&hello), until).and_then(|heard| answer::<Hello>(&heard));
        let heard = heard.map_err(|forfeit| unready(format!("no greeting: {}", forfeit.said)))?;
        heard.check(self.game).map_err(unready)?;
        Ok(process)
    }

    fn move_time(&self) -> Duration {
        Duration::from_millis(self.external.move_ms)
    }
}
