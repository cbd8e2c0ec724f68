//! Observers of the progress of a run.

/// Receives progress reports of a run; called from many threads.
pub trait Observer: Sync {
    /// Reports the number of all hands, once it is known.
    fn expected(&self, _hands: u64) {}

    /// Reports hands that an earlier part of the run has played.
    fn resumed(&self, _hands: u64) {}

    /// Reports newly played hands.
    fn played(&self, _hands: u64) {}

    /// Reports counted deals: by variant the units that each strategy won against others.
    fn dealt(&self, _deals: u64, _won: &[Vec<i64>]) {}

    /// Reports a hand in which a bot of this strategy failed, with its message.
    fn failed(&self, _strategy: &str, _message: &str) {}
}

/// An observer that ignores everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct SilentObserver;

impl Observer for SilentObserver {}
