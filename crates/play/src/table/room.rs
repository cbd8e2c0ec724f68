//! A table that several threads share: one thinks, others answer people.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use super::kept::Kept;
use super::play::{Table, secret_setup};
use crate::error::{Error, Result, ensure};
use crate::files::compact;
use crate::game::{ReplayView, Seat, Turn};
use crate::strategy::Strategic;
use crate::viewer::{Hand, page};

/// So many may wait for news at once. A browser keeps six connections to a server at most, and
/// clicks need some: who comes later sends the first home with what there is.
const WAITING: u64 = 3;

/// What people may ask of a table, whatever the game.
pub trait Served: Send + Sync {
    /// The seats of people.
    fn people(&self) -> Vec<Seat>;

    /// What a seat is shown, as JSON, and nobody's view where no seat is named. Who has seen the
    /// version `since` waits for the next one, for so long.
    fn seen(&self, mine: &[Seat], seat: Option<Seat>, since: Option<u64>, wait: Duration)
    -> String;

    /// Does what people at these seats ask for; the answer is JSON.
    ///
    /// # Errors
    /// Why it cannot be done; nothing has changed then.
    fn ask(&self, mine: &[Seat], asked: &Asked) -> Result<String>;

    /// The record of the hand, once it is over.
    fn record(&self) -> Option<String>;

    /// A page on which the hand can be stepped through, once it is over.
    fn hand(&self) -> Option<String>;

    /// Nobody is served any more.
    fn close(&self);

    /// Whether that is so.
    fn is_closed(&self) -> bool;
}

/// What people ask for. `deal` and `after` say which position they have before them.
#[derive(Deserialize)]
#[serde(tag = "act", rename_all = "snake_case", deny_unknown_fields)]
pub enum Asked {
    /// Makes moves, all or none.
    Move { seat: Seat, deal: u64, after: usize, moves: Vec<String> },
    /// Shows what moves would lead to, where nothing is hidden.
    Try { seat: Seat, deal: u64, after: usize, moves: Vec<String> },
    /// Takes back the last move.
    Back { seat: Seat },
    /// Agrees to another's move being taken back, or not.
    Answer { agree: bool },
    /// Asks for advice.
    Advise { seat: Seat },
    /// Breaks the hand off.
    Resign { seat: Seat, deal: u64 },
    /// Lays down what the person at seat 0 deals with, or leaves it to chance.
    Lay { seat: Seat, text: Option<String> },
    /// Tells at the end what was laid down, where it was kept secret.
    Disclose { seat: Seat, text: String },
    /// Asks what a text that may be laid down means.
    Laid { seat: Seat, text: String },
    /// Deals the next hand.
    Again { deal: u64 },
    /// Ends the program.
    Leave {},
}

impl Asked {
    /// The seat that asks, where one does.
    fn seat(&self) -> Option<Seat> {
        match self {
            Asked::Move { seat, .. }
            | Asked::Try { seat, .. }
            | Asked::Back { seat }
            | Asked::Advise { seat }
            | Asked::Lay { seat, .. }
            | Asked::Laid { seat, .. }
            | Asked::Disclose { seat, .. }
            | Asked::Resign { seat, .. } => Some(*seat),
            Asked::Answer { .. } | Asked::Again { .. } | Asked::Leave {} => None,
        }
    }
}

struct Shared<G: Strategic> {
    table: Table<G>,
    closed: bool,
    /// How many have come to wait for news.
    came: u64,
}

/// A table with a thread that thinks.
pub struct Room<G: Strategic> {
    shared: Mutex<Shared<G>>,
    /// Something has changed.
    news: Condvar,
}

impl<G: Strategic> Room<G> {
    /// A room around a table, and the thread that thinks in it and keeps its hands. The thread ends
    /// when the room is closed.
    ///
    /// # Errors
    /// When there is no thread to be had.
    pub fn open(table: Table<G>, kept: Kept) -> Result<(Arc<Room<G>>, JoinHandle<()>)> {
        let shared = Mutex::new(Shared { table, closed: false, came: 0 });
        let room = Arc::new(Room { shared, news: Condvar::new() });
        let thinker = room.clone();
        let thread = thread::Builder::new().name("thinker".to_owned());
        let thread = thread.spawn(move || thinker.think(kept));
        let thread =
            thread.map_err(|error| Error::failed(format!("cannot start a thread: {error}")))?;
        Ok((room, thread))
    }

    fn lock(&self) -> MutexGuard<'_, Shared<G>> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what has changed, then thinks about what there is to think about.
    fn think(&self, mut kept: Kept) {
        let mut seen = None;
        let mut shared = self.lock();
        loop {
            if seen != Some(shared.table.version()) {
                seen = Some(shared.table.version());
                let (under_way, record) = (shared.table.unfinished(), shared.table.record());
                let record = record.map(|line| (shared.table.place().0, line));
                drop(shared);
                let failed = kept.keep(under_way, record).err();
                shared = self.lock();
                if let Some(error) = failed {
                    let notice = format!("the hand is not saved: {error}");
                    if shared.table.notice() != Some(&notice) {
                        shared.table.note(notice);
                        self.news.notify_all();
                    }
                }
            } else if shared.closed {
                return;
            } else if let Some(job) = shared.table.job() {
                drop(shared);
                let done = job.run();
                shared = self.lock();
                shared.table.done(done);
                self.news.notify_all();
            } else {
                shared = self.news.wait(shared).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }
}

impl<G: Strategic> Served for Room<G> {
    fn people(&self) -> Vec<Seat> {
        self.lock().table.people()
    }

    fn seen(
        &self,
        mine: &[Seat],
        seat: Option<Seat>,
        since: Option<u64>,
        wait: Duration,
    ) -> String {
        let until = Instant::now() + wait;
        let mut shared = self.lock();
        shared.came += 1;
        let ticket = shared.came;
        self.news.notify_all();
        while since == Some(shared.table.version())
            && !shared.closed
            && shared.came - ticket < WAITING
        {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                break;
            }
            let waited = self.news.wait_timeout(shared, left);
            shared = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        compact(&shared.table.seen(seat.filter(|seat| mine.contains(seat)), mine))
    }

    fn ask(&self, mine: &[Seat], asked: &Asked) -> Result<String> {
        let holds = asked.seat().is_none_or(|seat| mine.contains(&seat));
        ensure(holds, || Error::input("this address is not of that seat"))?;
        // What takes a while is read before the table is held up.
        let game = self.lock().table.game().clone();
        let moves = match asked {
            Asked::Move { moves, .. } | Asked::Try { moves, .. } => {
                moves.iter().map(|text| game.parse_move(text)).collect::<Result<Vec<_>>>()?
            }
            _ => Vec::new(),
        };
        let mut shared = self.lock();
        let table = &mut shared.table;
        let here = |deal: u64, after: usize| {
            let moved_on = || Error::input("the table has moved on; look again");
            ensure(table.place() == (deal, after), moved_on)
        };
        let mut answer = "{}".to_owned();
        match asked {
            Asked::Move { seat, deal, after, .. } => {
                here(*deal, *after)?;
                table.play(*seat, &moves)?;
            }
            Asked::Try { seat, deal, after, .. } => {
                here(*deal, *after)?;
                let (view, legal) = table.after(*seat, &moves)?;
                let legal: Vec<String> = legal.into_iter().map(|mv| game.notation(mv)).collect();
                answer = compact(&json!({ "view": view, "legal": legal }));
            }
            Asked::Back { seat } => table.take_back(*seat, mine)?,
            Asked::Answer { agree } => table.answer_back(mine, *agree)?,
            Asked::Lay { seat, text } => {
                ensure(*seat == Seat(0), || Error::input("seat 0 deals"))?;
                table.lay_down(text.as_deref())?;
            }
            Asked::Disclose { seat, text } => {
                ensure(*seat == Seat(0), || Error::input("seat 0 deals"))?;
                // What does not agree is an answer, as where a text is no rule.
                if let Err(error) = table.disclose(text) {
                    answer = compact(&json!({ "fault": error.to_string() }));
                }
            }
            Asked::Laid { seat, text } => {
                let view = (!table.asks_dealer).then(|| table.view(*seat));
                drop(shared);
                return Ok(
                    match secret_setup(&*game)
                        .and_then(|secret| secret.preview(text, view.as_ref()))
                    {
                        Ok(preview) => compact(&preview),
                        Err(error) => compact(&json!({ "fault": error.to_string() })),
                    },
                );
            }
            Asked::Advise { seat } => table.want_advice(*seat)?,
            Asked::Resign { deal, .. } => {
                let (_, after) = table.place();
                here(*deal, after)?;
                table.resign()?;
            }
            Asked::Again { deal } => {
                let (_, after) = table.place();
                here(*deal, after)?;
                table.again()?;
            }
            Asked::Leave {} => shared.closed = true,
        }
        drop(shared);
        self.news.notify_all();
        Ok(answer)
    }

    fn record(&self) -> Option<String> {
        let shared = self.lock();
        (shared.table.turn() == Turn::Over).then(|| shared.table.record()).flatten()
    }

    fn hand(&self) -> Option<String> {
        let told = ReplayView::read::<G>(&self.record()?).ok()?;
        let title = format!("A hand of {}", G::NAME);
        Some(page(&title, &[Hand { title: title.clone(), replay: told, adviser: None }]))
    }

    fn close(&self) {
        self.lock().closed = true;
        self.news.notify_all();
    }

    fn is_closed(&self) -> bool {
        self.lock().closed
    }
}
