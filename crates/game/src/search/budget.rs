//! The budget of a search.

use std::time::Duration;

use parlour_base::time::Instant;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The rule by which a search stops: `iterations` or `milliseconds`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// Maximum number of playouts per move; either this or `milliseconds`.
    #[schemars(range(min = 1, max = 100_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub iterations: Option<u64>,
    /// Time limit per move; the result cannot be reproduced.
    #[schemars(range(min = 1, max = 100_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub milliseconds: Option<u64>,
    /// Prune a move once the best one leads it by this number of (paired) standard errors, checked
    /// every 32 playouts. The pruned move's share of the playouts is not spent, and the last
    /// remaining move is made at once. By default nothing is pruned. Only for a search with one
    /// tree that is not reused.
    #[schemars(range(min = 0.1, max = 100))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prune_after_se: Option<f64>,
}

impl Budget {
    /// A budget of `all` playouts.
    pub fn iterations(all: u64) -> Budget {
        Budget { iterations: Some(all), milliseconds: None, prune_after_se: None }
    }

    /// Returns the problem of the limits, if any.
    pub(super) fn fault(&self) -> Option<&'static str> {
        match (self.iterations, self.milliseconds) {
            (None, None) => Some("missing budget: set `iterations` or `milliseconds`"),
            (Some(_), Some(_)) => Some(
                "`iterations` and `milliseconds` exclude each other; set one of them to `null`",
            ),
            _ => None,
        }
    }

    pub(super) fn start(self) -> BudgetClock {
        let deadline = self.milliseconds.map(|time| Instant::now() + Duration::from_millis(time));
        BudgetClock { all: self.iterations, deadline, done: 0 }
    }
}

/// A budget in use.
pub(super) struct BudgetClock {
    /// Number of playouts; `None` with a deadline.
    pub all: Option<u64>,
    deadline: Option<Instant>,
    /// Number of playouts so far.
    pub done: u64,
}

impl BudgetClock {
    /// Counts the next playout. Returns `false` if there is none.
    #[inline]
    pub fn next(&mut self) -> bool {
        let go = match (self.all, self.deadline) {
            (Some(all), _) => self.done < all,
            (None, deadline) => self.done == 0 || deadline.is_some_and(|end| Instant::now() < end),
        };
        self.done += u64::from(go);
        go
    }
}
