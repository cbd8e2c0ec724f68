//! The actor of a table: one thread plays for the bots and saves hands, others serve people.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

use super::saved_hands::HandFiles;
use super::table::{Table, secret_setup};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::compact;
use parlour_board::{Hand, page};
use parlour_game::strategy::Strategic;
use parlour_game::{ReplayView, Seat, Turn};

/// The maximum number of requests that wait for a change; a further one releases the oldest. Browsers
/// open at most six connections to a server, and clicks need some of them.
const MAX_WAITING: u64 = 3;

/// Maximum time that a request waits for a change.
const MAX_WAIT: Duration = Duration::from_secs(20);

/// The interval at which saving is tried again.
const SAVE_INTERVAL: Duration = Duration::from_secs(1);

/// The requests of people to a table of any game. `people` are those of an address, by their seats in the
/// first hand of a match.
pub trait TableService: Send + Sync {
    /// Returns the people.
    fn people(&self) -> Vec<Seat>;

    /// Returns a snapshot as JSON, without a view if no seat is given. If the caller has already seen
    /// version `since`, waits for the next version, at most for 20 seconds.
    fn snapshot(&self, people: &[Seat], seat: Option<Seat>, since: Option<u64>) -> String;

    /// Executes a command of people, for the seat that it names; returns JSON. A change is saved before.
    ///
    /// # Errors
    /// If the command is not possible; nothing has changed then.
    fn execute(&self, people: &[Seat], seat: Option<Seat>, command: Command) -> Result<String>;

    /// Returns the rules as JSON.
    fn rules(&self) -> String;

    /// Returns the record of the hand; `None` before its end.
    fn record(&self) -> Option<String>;

    /// Returns a page that replays the hand; `None` before its end.
    fn replay_page(&self) -> Option<String>;

    /// Returns the unfinished hand as its file has it; `None` once it is over.
    fn unfinished(&self) -> Option<String>;

    /// Plays the next task of a bot at a table without a thread. Returns `false` if there is none.
    fn step(&self) -> bool;

    /// Ends the service.
    fn close(&self);

    /// Returns `true` once the service has ended.
    fn is_closed(&self) -> bool;
}

/// A table and its thread.
pub type SharedTable = (Arc<dyn TableService>, JoinHandle<Result<()>>);

/// A command of a person. `deal` and `after` name the position that the person sees. The aliases are the
/// words of the first page, which scripts still send.
#[derive(Deserialize)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// Makes moves, up to the first whose legality depends on hidden information or chance.
    #[serde(alias = "move")]
    Play { seat: Seat, deal: u64, after: usize, moves: Vec<String> },
    /// Previews moves, in a game without hidden information or chance.
    Preview { seat: Seat, deal: u64, after: usize, moves: Vec<String> },
    /// Takes back the last move.
    #[serde(alias = "back")]
    TakeBack { seat: Seat },
    /// Answers another person's request to take a move back.
    #[serde(alias = "answer")]
    AnswerTakeBack { agree: bool },
    /// Requests advice.
    Advise { seat: Seat },
    /// Ends the hand early.
    Resign { seat: Seat, deal: u64 },
    /// Sets the secret of the person at seat 0; `None` for a random one.
    #[serde(alias = "lay")]
    SetSecret { seat: Seat, text: Option<String> },
    /// Reveals at the end the secret of a person who judged by hand.
    RevealSecret { seat: Seat, text: String },
    /// Explains the meaning of a secret.
    PreviewSecret { seat: Seat, text: String },
    /// Deals the next hand.
    #[serde(alias = "again")]
    NextHand { deal: u64 },
    /// Ends the program.
    Leave {},
}

struct Shared<G: Strategic> {
    table: Table<G>,
    /// `None` for a table in memory.
    files: Option<HandFiles>,
    /// The number of snapshot requests so far.
    requests: u64,
}

/// A table with a thread that plays for the bots.
pub struct TableActor<G: Strategic> {
    shared: Mutex<Shared<G>>,
    /// `true` once the people have left; read without the lock.
    is_closed: AtomicBool,
    /// Signals a change.
    changed: Condvar,
}

type Lock<'a, G> = MutexGuard<'a, Shared<G>>;

impl<G: Strategic> TableActor<G> {
    /// Creates a table without a thread: [`step`](TableService::step) plays for the bots. Saves the hand
    /// if there are files.
    ///
    /// # Errors
    /// If the hand cannot be saved.
    pub fn new(table: Table<G>, files: Option<HandFiles>) -> Result<Arc<TableActor<G>>> {
        let mut shared = Shared { table, files, requests: 0 };
        shared.save()?;
        let (shared, is_closed) = (Mutex::new(shared), AtomicBool::new(false));
        Ok(Arc::new(TableActor { shared, is_closed, changed: Condvar::new() }))
    }

    /// Saves the hand and starts the thread, which plays for the bots until the actor is closed.
    ///
    /// # Errors
    /// If the hand cannot be saved, or the thread cannot be started.
    pub fn start(table: Table<G>, files: HandFiles) -> Result<SharedTable> {
        let actor = TableActor::new(table, Some(files))?;
        let runner = actor.clone();
        let thread = thread::Builder::new().name("table".to_owned());
        let thread = thread
            .spawn(move || runner.run())
            .map_err(|error| Error::failed(format!("cannot start a thread: {error}")))?;
        Ok((actor, thread))
    }

    fn lock(&self) -> Lock<'_, G> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs the tasks and saves their results; tries again what could not be saved.
    fn run(&self) -> Result<()> {
        let mut shared = self.lock();
        loop {
            let saved = shared.save();
            if self.is_closed() {
                return saved;
            }
            self.changed.notify_all();
            let has_played;
            (shared, has_played) = self.play_task(shared);
            if !has_played {
                let limit = if saved.is_ok() { Duration::MAX } else { SAVE_INTERVAL };
                let waited = self.changed.wait_timeout(shared, limit);
                shared = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
        }
    }

    /// Runs the next task, without the lock. Returns `false` if there is none.
    fn play_task<'a>(&'a self, mut shared: Lock<'a, G>) -> (Lock<'a, G>, bool) {
        let Some(task) = shared.table.next_task() else { return (shared, false) };
        drop(shared);
        let update = task();
        shared = self.lock();
        update(&mut shared.table);
        (shared, true)
    }
}

impl<G: Strategic> Shared<G> {
    fn save(&mut self) -> Result<()> {
        self.files.as_mut().map_or(Ok(()), |files| files.save(&mut self.table))
    }
}

impl<G: Strategic> TableService for TableActor<G> {
    fn people(&self) -> Vec<Seat> {
        let shared = self.lock();
        let people = shared.table.people();
        let first = shared.table.seats();
        first.filter(|first| people.contains(&shared.table.seats_now(&[*first])[0])).collect()
    }

    fn snapshot(&self, people: &[Seat], seat: Option<Seat>, since: Option<u64>) -> String {
        let mut shared = self.lock();
        shared.requests += 1;
        let own = shared.requests;
        self.changed.notify_all();
        let is_waiting = |shared: &mut Shared<G>| {
            since == Some(shared.table.version)
                && !self.is_closed()
                && shared.requests - own < MAX_WAITING
        };
        // A browser tab cannot wait, and asks without a version.
        if is_waiting(&mut shared) {
            let waited = self.changed.wait_timeout_while(shared, MAX_WAIT, is_waiting);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        let mine = shared.table.seats_now(people);
        compact(&shared.table.snapshot(seat.filter(|seat| mine.contains(seat)), &mine))
    }

    fn execute(&self, people: &[Seat], seat: Option<Seat>, command: Command) -> Result<String> {
        // Parsing takes a while, so it runs without the lock.
        let game = self.lock().table.game.clone();
        let moves = match &command {
            Command::Play { moves, .. } | Command::Preview { moves, .. } => {
                moves.iter().map(|text| game.parse_move(text)).collect::<Result<Vec<_>>>()?
            }
            _ => Vec::new(),
        };
        let mut shared = self.lock();
        let table = &mut shared.table;
        let mine = table.seats_now(people);
        ensure(seat.is_none_or(|seat| mine.contains(&seat)), || {
            Error::input("this address does not belong to that seat")
        })?;
        let place = table.place();
        let ensure_at = |deal: u64, after: usize| {
            ensure(place == (deal, after), || {
                Error::input("the position has changed; look at it again")
            })
        };
        let ensure_dealer = |seat: Seat| ensure(seat == Seat(0), || Error::input("seat 0 deals"));
        let fault = |error: Error| compact(&json!({ "fault": error.to_string() }));
        let mut answer = "{}".to_owned();
        match command {
            Command::Play { seat, deal, after, .. } => {
                ensure_at(deal, after)?;
                answer = compact(&json!({ "made": table.play(seat, &moves)? }));
            }
            Command::Preview { seat, deal, after, .. } => {
                ensure_at(deal, after)?;
                let (view, legal) = table.preview(seat, &moves)?;
                let legal: Vec<String> = legal.into_iter().map(|mv| game.notation(mv)).collect();
                answer = compact(&json!({ "view": view, "legal": legal }));
            }
            Command::TakeBack { seat } => table.take_back(seat, &mine)?,
            Command::AnswerTakeBack { agree } => table.answer_take_back(&mine, agree)?,
            Command::SetSecret { seat, text } => {
                ensure_dealer(seat)?;
                table.set_secret(text.as_deref())?;
            }
            Command::RevealSecret { seat, text } => {
                ensure_dealer(seat)?;
                // A contradiction is an answer, as in `PreviewSecret`.
                if let Err(error) = table.reveal_secret(&text) {
                    answer = fault(error);
                }
            }
            Command::PreviewSecret { seat, text } => {
                let view = (!table.asks_dealer).then(|| table.view(seat));
                drop(shared);
                let secret = secret_setup(&*game);
                return Ok(match secret.and_then(|secret| secret.preview(&text, view.as_ref())) {
                    Ok(preview) => compact(&preview),
                    Err(error) => fault(error),
                });
            }
            Command::Advise { seat } => table.request_advice(seat)?,
            Command::Resign { deal, .. } => {
                ensure_at(deal, place.1)?;
                table.resign()?;
            }
            Command::NextHand { deal } => {
                ensure_at(deal, place.1)?;
                table.next_hand()?;
            }
            Command::Leave {} => self.is_closed.store(true, Relaxed),
        }
        // The next snapshot has a failure, and saving is tried again.
        _ = shared.save();
        drop(shared);
        self.changed.notify_all();
        Ok(answer)
    }

    fn rules(&self) -> String {
        compact(&self.lock().table.rulebook())
    }

    fn record(&self) -> Option<String> {
        let shared = self.lock();
        (shared.table.turn() == Turn::Over).then(|| shared.table.record()).flatten()
    }

    fn replay_page(&self) -> Option<String> {
        let replay = ReplayView::read::<G>(&self.record()?).ok()?;
        let title = format!("A hand of {}", G::NAME);
        Some(page(&title, &[Hand { title: title.clone(), replay, adviser: None }]))
    }

    fn unfinished(&self) -> Option<String> {
        self.lock().table.unfinished()
    }

    fn step(&self) -> bool {
        self.play_task(self.lock()).1
    }

    fn close(&self) {
        let _shared = self.lock();
        self.is_closed.store(true, Relaxed);
        self.changed.notify_all();
    }

    fn is_closed(&self) -> bool {
        self.is_closed.load(Relaxed)
    }
}
