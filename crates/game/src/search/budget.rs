//! How long a search goes on.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How long a search goes on at most.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// For exactly so many playouts.
    Iterations(u64),
    /// For so long. What comes of it cannot be repeated.
    Milliseconds(u64),
}

/// When a search stops.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "BudgetFile", into = "BudgetFile")]
pub struct Budget {
    /// How long it goes on at most.
    pub limit: Limit,
    /// By how many standard errors a move must be behind the best to be tried no more; its share
    /// of the playouts is not spent then. Without, every move is tried to the end.
    pub ahead: Option<f64>,
}

/// A budget as a file says it: `iterations` or `milliseconds`.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BudgetFile {
    /// How many playouts a move at most; this or `milliseconds`.
    #[schemars(range(min = 1, max = 100_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
    /// How long a move at most; what comes of it cannot be repeated.
    #[schemars(range(min = 1, max = 100_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds: Option<u64>,
    /// By how many (paired) standard errors the best move must be ahead of another for that to be
    /// tried no more, looked at after every 32 playouts. Its share of the playouts is not spent, and
    /// a move that is left alone is made at once. Left out, no move is dropped. For a search with
    /// one tree that it does not keep.
    #[schemars(range(min = 0.1, max = 100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    ahead: Option<f64>,
}

impl TryFrom<BudgetFile> for Budget {
    type Error = &'static str;

    fn try_from(file: BudgetFile) -> Result<Budget, &'static str> {
        let limit = match (file.iterations, file.milliseconds) {
            (Some(all), None) => Limit::Iterations(all),
            (None, Some(time)) => Limit::Milliseconds(time),
            (None, None) => return Err("a budget is missing: `iterations` or `milliseconds`"),
            (Some(_), Some(_)) => {
                return Err("`iterations` and `milliseconds` are both set; one of them is the \
                            budget, `null` takes the other away");
            }
        };
        Ok(Budget { limit, ahead: file.ahead })
    }
}

impl From<Budget> for BudgetFile {
    fn from(Budget { limit, ahead }: Budget) -> BudgetFile {
        match limit {
            Limit::Iterations(all) => {
                BudgetFile { iterations: Some(all), milliseconds: None, ahead }
            }
            Limit::Milliseconds(time) => {
                BudgetFile { iterations: None, milliseconds: Some(time), ahead }
            }
        }
    }
}

impl Budget {
    /// So many playouts.
    pub fn iterations(all: u64) -> Budget {
        Budget { limit: Limit::Iterations(all), ahead: None }
    }

    /// Whether it goes by the clock.
    pub fn uses_clock(self) -> bool {
        matches!(self.limit, Limit::Milliseconds(_))
    }
}

impl Limit {
    pub(super) fn start(self) -> Running {
        let (all, deadline) = match self {
            Limit::Iterations(all) => (Some(all), None),
            Limit::Milliseconds(time) => (None, Some(Instant::now() + Duration::from_millis(time))),
        };
        Running { all, deadline, done: 0 }
    }
}

/// The clock is looked at once in so many playouts.
const LOOK: u64 = 16;

/// A budget being spent.
pub(super) struct Running {
    /// How many playouts there are, or until when.
    all: Option<u64>,
    deadline: Option<Instant>,
    /// How many there have been.
    pub done: u64,
}

impl Running {
    /// Whether there is another playout; counts it.
    #[inline]
    pub fn next(&mut self) -> bool {
        let go = match self.all {
            Some(all) => self.done < all,
            None => {
                self.done == 0
                    || !self.done.is_multiple_of(LOOK)
                    || self.deadline.is_some_and(|deadline| Instant::now() < deadline)
            }
        };
        self.done += u64::from(go);
        go
    }

    /// How many are left, where that is known.
    pub fn left(&self) -> Option<u64> {
        self.all.map(|all| all - self.done)
    }

    /// Whether none is left, where that is known.
    pub fn is_spent(&self) -> bool {
        self.all == Some(self.done)
    }
}
