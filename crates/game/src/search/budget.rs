//! The budget of a search.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The limit of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// An exact number of playouts.
    Iterations(u64),
    /// A time limit. The result cannot be reproduced.
    Milliseconds(u64),
}

/// The rule by which a search stops.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "BudgetFile", into = "BudgetFile")]
pub struct Budget {
    /// The upper limit.
    pub limit: Limit,
    /// Number of standard errors behind the best move at which a move is pruned. Its share of the
    /// playouts is not spent. `None` prunes nothing.
    pub prune_after_se: Option<f64>,
}

/// The form of a budget in a file: `iterations` or `milliseconds`.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BudgetFile {
    /// Maximum number of playouts per move; either this or `milliseconds`.
    #[schemars(range(min = 1, max = 100_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u64>,
    /// Time limit per move; the result cannot be reproduced.
    #[schemars(range(min = 1, max = 100_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    milliseconds: Option<u64>,
    /// Prune a move once the best one leads it by this number of (paired) standard errors, checked
    /// every 32 playouts. The pruned move's share of the playouts is not spent, and the last
    /// remaining move is made at once. By default nothing is pruned. Only for a search with one
    /// tree that is not reused.
    #[schemars(range(min = 0.1, max = 100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    prune_after_se: Option<f64>,
}

impl TryFrom<BudgetFile> for Budget {
    type Error = &'static str;

    fn try_from(file: BudgetFile) -> Result<Budget, &'static str> {
        let limit = match (file.iterations, file.milliseconds) {
            (Some(all), None) => Limit::Iterations(all),
            (None, Some(time)) => Limit::Milliseconds(time),
            (None, None) => return Err("missing budget: set `iterations` or `milliseconds`"),
            (Some(_), Some(_)) => {
                return Err("`iterations` and `milliseconds` exclude each other; set one of \
                            them to `null`");
            }
        };
        Ok(Budget { limit, prune_after_se: file.prune_after_se })
    }
}

impl From<Budget> for BudgetFile {
    fn from(Budget { limit, prune_after_se }: Budget) -> BudgetFile {
        match limit {
            Limit::Iterations(all) => {
                BudgetFile { iterations: Some(all), milliseconds: None, prune_after_se }
            }
            Limit::Milliseconds(time) => {
                BudgetFile { iterations: None, milliseconds: Some(time), prune_after_se }
            }
        }
    }
}

impl Budget {
    /// A budget of `all` playouts.
    pub fn iterations(all: u64) -> Budget {
        Budget { limit: Limit::Iterations(all), prune_after_se: None }
    }

    /// Returns `true` if the budget is a time limit.
    pub fn uses_clock(self) -> bool {
        matches!(self.limit, Limit::Milliseconds(_))
    }
}

impl Limit {
    pub(super) fn start(self) -> BudgetClock {
        let (all, deadline) = match self {
            Limit::Iterations(all) => (Some(all), None),
            Limit::Milliseconds(time) => (None, Some(Instant::now() + Duration::from_millis(time))),
        };
        BudgetClock { all, deadline, done: 0 }
    }
}

/// Number of playouts between two looks at the clock.
const LOOK: u64 = 16;

/// A budget in use.
pub(super) struct BudgetClock {
    /// Number of playouts; `None` with a deadline.
    all: Option<u64>,
    deadline: Option<Instant>,
    /// Number of playouts so far.
    pub done: u64,
}

impl BudgetClock {
    /// Counts the next playout. Returns `false` if there is none.
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

    /// The number of playouts that are left; `None` with a deadline.
    pub fn left(&self) -> Option<u64> {
        self.all.map(|all| all - self.done)
    }

    /// Returns `true` if a known number of playouts is used up.
    pub fn is_spent(&self) -> bool {
        self.all == Some(self.done)
    }
}
