//! How long a search goes on.

use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// When a search stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", try_from = "BudgetFile")]
pub enum Budget {
    /// After exactly so many playouts.
    Iterations(u64),
    /// After so long. What comes of it cannot be repeated.
    Milliseconds(u64),
}

/// A budget as a file says it: one of the two.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct BudgetFile {
    /// How many playouts a move; this or `milliseconds`.
    #[schemars(range(min = 1, max = 100_000_000))]
    iterations: Option<u64>,
    /// How long a move; what comes of it cannot be repeated.
    #[schemars(range(min = 1, max = 100_000_000))]
    milliseconds: Option<u64>,
}

impl TryFrom<BudgetFile> for Budget {
    type Error = &'static str;

    fn try_from(file: BudgetFile) -> Result<Budget, &'static str> {
        match (file.iterations, file.milliseconds) {
            (Some(all), None) => Ok(Budget::Iterations(all)),
            (None, Some(time)) => Ok(Budget::Milliseconds(time)),
            (None, None) => Err("a budget is missing: `iterations` or `milliseconds`"),
            (Some(_), Some(_)) => Err("`iterations` and `milliseconds` are both set; one of them \
                                       is the budget, `null` takes the other away"),
        }
    }
}

impl Budget {
    /// Whether it goes by the clock.
    pub fn uses_clock(self) -> bool {
        matches!(self, Budget::Milliseconds(_))
    }

    pub(super) fn start(self) -> Running {
        let (all, deadline) = match self {
            Budget::Iterations(all) => (Some(all), None),
            Budget::Milliseconds(time) => {
                (None, Some(Instant::now() + Duration::from_millis(time)))
            }
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

    /// Whether none is left, where that is known.
    pub fn is_spent(&self) -> bool {
        self.all == Some(self.done)
    }
}
