//! Many questions, answered by several threads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use super::Progress;
use super::grid::Grid;
use super::hub::Hub;
use super::position::Position;
use super::search::Search;
use super::table::Entry;

/// Something to be known of a position.
pub(super) enum Question<P> {
    /// Its value.
    Value(P),
    /// Whether it is worth more than this: 1 or 0.
    Exceeds(P, i16),
}

/// How often the progress is told.
const EVERY: Duration = Duration::from_millis(200);

/// The answers, in the order of the questions. Each thread takes the next question; when there is
/// none left, it helps with one that is not answered yet, by the table that both write to.
pub(super) fn answers<P: Position, E: Entry>(
    grid: &Grid,
    hub: &Hub<E>,
    questions: &[Question<P>],
    threads: usize,
    progress: &mut dyn FnMut(Progress),
) -> Vec<i16> {
    let found: Vec<OnceLock<i16>> = questions.iter().map(|_| OnceLock::new()).collect();
    let (next, left) = (AtomicUsize::new(0), AtomicUsize::new(questions.len()));
    hub.stop(false);
    let work = |thread: usize| {
        let mut search = Search::new(grid, hub, thread as u64);
        loop {
            let index = next.fetch_add(1, Relaxed);
            let open = || (0..found.len()).rev().find(|&index| found[index].get().is_none());
            let Some(index) = (index < found.len()).then_some(index).or_else(open) else { break };
            let answer = match &questions[index] {
                Question::Value(position) => search.value(position),
                Question::Exceeds(position, bound) => {
                    search.exceeds(position, *bound).map(i16::from)
                }
            };
            let Some(answer) = answer else { break };
            if found[index].set(answer).is_ok() && left.fetch_sub(1, Relaxed) == 1 {
                hub.stop(true);
            }
        }
        search.report();
    };
    // No more threads than there may be work for.
    let threads = threads.clamp(1, questions.len().max(2));
    std::thread::scope(|scope| {
        let (done, ended) = channel::<()>();
        for thread in 0..threads {
            let (done, work) = (done.clone(), &work);
            scope.spawn(move || {
                work(thread);
                drop(done);
            });
        }
        drop(done);
        while ended.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
            progress(Progress {
                positions: hub.visited(),
                answered: questions.len() - left.load(Relaxed),
                questions: questions.len(),
                table_mb: hub.bytes().div_ceil(super::MB),
            });
        }
    });
    found.into_iter().map(|found| found.into_inner().unwrap_or_default()).collect()
}
