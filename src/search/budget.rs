//! How long a search goes on.

use std::time::{Duration, Instant};

/// When a search stops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// After exactly so many playouts.
    Iterations(u64),
    /// After so long. What comes of it cannot be repeated.
    Milliseconds(u64),
}

impl Budget {
    /// Whether it goes by the clock.
    pub fn uses_clock(self) -> bool {
        matches!(self, Budget::Milliseconds(_))
    }

    pub(super) fn start(self) -> Running {
        let deadline = match self {
            Budget::Iterations(_) => None,
            Budget::Milliseconds(time) => Some(Instant::now() + Duration::from_millis(time)),
        };
        Running { budget: self, deadline, done: 0 }
    }
}

/// The clock is looked at once in so many playouts.
const LOOK: u64 = 16;

/// A budget being spent.
pub(super) struct Running {
    budget: Budget,
    deadline: Option<Instant>,
    done: u64,
}

impl Running {
    /// Whether there is another playout; counts it.
    #[inline]
    pub fn next(&mut self) -> bool {
        let go = match self.budget {
            Budget::Iterations(all) => self.done < all,
            Budget::Milliseconds(_) => {
                self.done == 0
                    || !self.done.is_multiple_of(LOOK)
                    || self.deadline.is_some_and(|deadline| Instant::now() < deadline)
            }
        };
        self.done += u64::from(go);
        go
    }

    /// How many there have been.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// How many are left, where that is known.
    pub fn left(&self) -> Option<u64> {
        match self.budget {
            Budget::Iterations(all) => Some(all - self.done),
            Budget::Milliseconds(_) => None,
        }
    }
}
