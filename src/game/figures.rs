//! What is counted during a hand, and the figures made of the counts.

use super::Game;

/// A ratio of counters: a column of the balance table.
#[derive(Clone, Copy, Debug)]
pub struct Figure {
    /// The column's name, snake case.
    pub name: &'static str,
    /// The counters that are summed above the line.
    pub above: &'static [&'static str],
    /// The counters that are summed below it; empty for the number of hands.
    pub below: &'static [&'static str],
    /// What one is, for the reader: `points`, `share`, `turns`.
    pub unit: &'static str,
    /// One sentence.
    pub meaning: &'static str,
}

/// A game that counts what happens in a hand. Counters are integers and are only ever added.
pub trait Measured: Game {
    /// What is kept while a hand is played.
    type Watch: Default + Clone + Send;

    /// The names of the counters, in the order of [`count`](Measured::count).
    const COUNTERS: &'static [&'static str];

    /// The figures made of them.
    const FIGURES: &'static [Figure];

    /// The figures that a short table shows.
    const HEADLINES: &'static [&'static str] = &[];

    /// A move is about to be made.
    fn watch(&self, watch: &mut Self::Watch, before: &Self::State, mv: Self::Move);

    /// Adds what a finished hand counted; `out` is as long as `COUNTERS`.
    fn count(&self, watch: &Self::Watch, end: &Self::State, out: &mut [i64]);

    /// How many turns the finished hand had.
    fn turns(&self, watch: &Self::Watch) -> u32;

    /// What the hand is listed with in `hands.csv` beside the scores: one number a seat (a
    /// square's value, cards held) in the column `values`.
    fn values(&self, end: &Self::State) -> Vec<i64>;

    /// How the hand ended, one word.
    fn ending(&self, end: &Self::State) -> &'static str;
}
