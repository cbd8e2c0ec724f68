//! What is counted during a hand, and the figures made of the counts.

use super::{Bins, Game, STEPS, Spread};
use crate::chance::Stream;

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

/// One part of a whole: counters added, and counters taken away from them.
#[derive(Clone, Copy, Debug)]
pub struct Share {
    /// What it is, in a few words.
    pub name: &'static str,
    /// The counters that are added.
    pub add: &'static [&'static str],
    /// The counters that are taken away.
    pub less: &'static [&'static str],
}

/// A whole that a chart shows by its parts: how hands end, where points come from.
#[derive(Clone, Copy, Debug)]
pub struct Shares {
    /// A heading.
    pub title: &'static str,
    /// What the whole is: `hands`, `points`.
    pub whole: &'static str,
    /// One sentence.
    pub meaning: &'static str,
    /// The parts, which add up to the whole.
    pub parts: &'static [Share],
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

    /// What is shown by its parts.
    const SHARES: &'static [Shares] = &[];

    /// What the course of a hand is measured in, for the leads.
    const CLOCK: &'static str = "turns";

    /// What a lead is, where [`leads`](Measured::leads) tells it, in a few words.
    const LEAD: &'static str = "points";

    /// When [`known`](Measured::known) says that the rule is known, in a sentence.
    const KNOWN: &'static str = "";

    /// What [`mark`](Measured::mark) counts on a cell of the board, in a few words.
    const MARK: &'static str = "";

    /// What is known of a deal before it is played and may explain its result, where
    /// [`compare`](Measured::compare) tells it: counts of strong cards.
    const STRENGTHS: &'static [&'static str] = &[];

    /// The bins of this variant's distributions.
    fn spread(&self) -> Spread {
        let (low, high) = self.score_range();
        Spread {
            score: Bins::over(low, high, 40),
            margin: Bins::around_zero(high.saturating_sub(low), 41),
            turns: Bins::over(0, self.max_moves() as i32, 40),
            lead: None,
            known: None,
            board: None,
        }
    }

    /// The first seat's lead after each eighth of the hand, as [`CLOCK`](Measured::CLOCK) counts.
    fn leads(&self, _watch: &Self::Watch, _end: &Self::State) -> [i32; STEPS] {
        [0; STEPS]
    }

    /// How many cards were played before somebody knew the secret rule; none where nobody did, or
    /// there is no such rule. It is read off what all could see.
    #[inline]
    fn known(&self, _end: &Self::State) -> Option<u32> {
        None
    }

    /// Counts on the cells of the board, row by row, what became of them in a finished hand.
    fn mark(&self, _end: &Self::State, _cells: &mut [i64]) {}

    /// Adds to each of the [`STRENGTHS`](Measured::STRENGTHS) what a hand's deal gave the first
    /// seat more than the others, given the chance before the deal. Over all deals its mean is 0.
    fn compare(&self, _start: &Stream, _out: &mut [i64]) {}

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
