//! What a game tells of its hands: one list of figures, each with its name, its unit, its meaning
//! and how it is read. The arena tallies the list, and every table, page and dictionary follows
//! from it.

use super::{Choices, Game, LEAD_STEPS, LuckEvaluator};
use crate::chance::Stream;
use crate::stats::Bins;

/// Whole numbers that a finished hand gives, each with a name; hands add up. [`counts!`] makes a
/// struct of them.
///
/// [`counts!`]: crate::counts
pub trait Counters: Default {
    /// The names of the numbers, in the order of the struct's fields.
    const NAMES: &'static [&'static str];

    /// Adds the numbers to sums, which are as many as the names.
    fn add_to(&self, sums: &mut [i64]);

    /// The numbers from their sums; what is missing is 0.
    fn of(sums: &[i64]) -> Self;
}

/// Adds numbers to as many sums. Their number is known when it is compiled, so that those which are
/// always 0 cost nothing.
#[inline(always)]
pub fn add_counts<const N: usize>(sums: &mut [i64], counts: [i64; N]) {
    if let Some(sums) = sums.first_chunk_mut::<N>() {
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
}

/// `counts! { pub struct Name { field, … } }`: a struct of whole numbers that implements
/// [`Counters`](crate::HandCounts), for [`Measured`](crate::Measured).
#[macro_export]
macro_rules! counts {
    ($(#[$about:meta])* $scope:vis struct $name:ident { $($(#[$said:meta])* $field:ident),+ $(,)? }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        $scope struct $name {
            $($(#[$said])* $field: i64,)+
        }

        impl $crate::Counters for $name {
            const NAMES: &'static [&'static str] = &[$(stringify!($field)),+];

            #[inline(always)]
            fn add_to(&self, sums: &mut [i64]) {
                $crate::add_counts(sums, [$(self.$field),+]);
            }

            fn of(sums: &[i64]) -> Self {
                let mut sums = sums.iter().copied();
                Self { $($field: sums.next().unwrap_or_default()),+ }
            }
        }
    };
}

/// `figures! { /// Its meaning.  name: "unit" = count / count, headline; … }`: the list of a game's
/// [figures](crate::Measured::FIGURES). One is a count over the number of hands (`= count`), a
/// count over another (`= count / count`), or of any [`Kind`](crate::Kind) (`=> kind`); a
/// short table shows the headlines.
#[macro_export]
macro_rules! figures {
    (@mark) => { false };
    (@mark headline) => { true };
    (@below) => { None };
    (@below $below:ident) => { Some(|c| c.$below) };
    (@head $name:ident $unit:literal $meaning:expr, $($mark:ident)?) => {
        $crate::FigureInfo {
            name: stringify!($name),
            unit: $unit,
            meaning: $meaning.trim_ascii(),
            headline: $crate::figures!(@mark $($mark)?),
        }
    };
    ($($(#[doc = $meaning:literal])+ $name:ident: $unit:literal
       $(= $above:ident $(/ $below:ident)?)? $(=> $kind:expr)? $(, $mark:ident)?;)+) => {
        &[$($crate::Figure {
            head: $crate::figures!(@head $name $unit concat!($($meaning),+), $($mark)?),
            kind: $($crate::Reading::Ratio {
                above: |c| c.$above,
                below: $crate::figures!(@below $($below)?),
            })? $($kind)?,
        }),+]
    };
}

/// A hand that is over.
pub struct FinishedHand<'a, G: Measured> {
    /// The game under the rules that were played.
    pub game: &'a G,
    /// What was kept while it was played.
    pub stats: &'a G::HandStats,
    /// How it ended.
    pub end: &'a G::State,
}

/// A part of a whole: its name, in a few words, and how it is read off the counts.
pub type FigurePart<C> = (&'static str, fn(&C) -> i64);

/// How a figure is read. [`Ratio`](Reading::Ratio) and [`Each`](Reading::Each) are columns of the
/// balance table; the others are charts.
pub enum Reading<G: Measured> {
    /// Counts over other counts, each a sum of counts. It is read once, off the counts of all
    /// hands.
    Ratio {
        /// What is above the line.
        above: fn(&G::HandCounts) -> i64,
        /// What is below it; none for the number of hands.
        below: Option<fn(&G::HandCounts) -> i64>,
    },
    /// A ratio that is read off every hand: what the hand adds above the line and below it.
    Each(fn(&FinishedHand<'_, G>) -> [i64; 2]),
    /// A whole by its parts, read off the counts of all hands.
    Parts {
        /// The whole, for the kit to compare with the parts.
        whole: fn(&G::HandCounts) -> i64,
        /// The parts.
        parts: &'static [FigurePart<G::HandCounts>],
    },
    /// How hands are spread over bins, by a number that each hand has or has not.
    Histogram {
        /// The variant's bins.
        bins: fn(&G) -> Bins,
        /// The hand's number.
        read: fn(&FinishedHand<'_, G>) -> Option<i32>,
    },
    /// A number over the course of a hand, 0 at its beginning.
    Curve {
        /// What the course is measured in.
        clock: &'static str,
        /// The variant's bins.
        bins: fn(&G) -> Bins,
        /// The number after each eighth of the hand.
        read: fn(&FinishedHand<'_, G>) -> [i32; LEAD_STEPS],
    },
    /// What happened on the cells of the board, row by row.
    Map {
        /// The variant's rows and columns.
        size: fn(&G) -> (usize, usize),
        /// Adds 1 to each cell on which it happened.
        mark: fn(&FinishedHand<'_, G>, &mut [i64]),
    },
    /// What is known of a deal before it is played and may explain its result: a control variate.
    Control {
        /// What each of the numbers counts, in a few words.
        strengths: &'static [&'static str],
        /// Adds to each number what a hand's deal gave the first seat more than the others, given
        /// the chance before the deal. Over all deals its mean is 0.
        read: fn(&G, &Stream, &mut [i64]),
    },
}

/// What a figure is under rules that leave it no choice, whatever is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForcedByRules {
    /// It is 0: the rules do not have what it counts.
    Never,
    /// It is 1: the rules make it so in every hand.
    Always,
    /// It is no number: there is no such seat.
    Absent,
}

impl ForcedByRules {
    /// The number.
    pub fn number(self) -> Option<f64> {
        match self {
            ForcedByRules::Never => Some(0.0),
            ForcedByRules::Always => Some(1.0),
            ForcedByRules::Absent => None,
        }
    }

    /// In words, in the place of the number.
    pub fn words(self) -> &'static str {
        match self {
            ForcedByRules::Never => "cannot happen",
            ForcedByRules::Always => "always, by rule",
            ForcedByRules::Absent => "no such seat",
        }
    }
}

/// What a figure is called, measured in, and says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureInfo {
    /// Its name, snake case: a column of the balance table, or the heading of a chart.
    pub name: &'static str,
    /// What one is, for the reader: `points`, `share of hands`, `turns`.
    pub unit: &'static str,
    /// What it says, in a sentence.
    pub meaning: &'static str,
    /// Whether a short table shows it.
    pub headline: bool,
}

/// A figure of a game.
pub struct Figure<G: Measured> {
    /// What it is called.
    pub head: FigureInfo,
    /// How it is read.
    pub kind: Reading<G>,
}

impl<G: Measured> Figure<G> {
    /// Whether it is a number, and so a column of the balance table.
    pub const fn is_number(&self) -> bool {
        matches!(self.kind, Reading::Ratio { .. } | Reading::Each(_))
    }

    /// What it reads of the counts: sums of some of them.
    pub fn readings(&self) -> Vec<fn(&G::HandCounts) -> i64> {
        match &self.kind {
            Reading::Ratio { above, below } => std::iter::once(*above).chain(*below).collect(),
            Reading::Parts { whole, parts } => {
                std::iter::once(*whole).chain(parts.iter().map(|(_, part)| *part)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The figure without the game's types.
    pub fn plain(&self) -> FigureSpec {
        let form = match &self.kind {
            Reading::Ratio { .. } => FigureKind::Ratio,
            Reading::Each(_) => FigureKind::Each,
            Reading::Parts { parts, .. } => {
                FigureKind::Parts(parts.iter().map(|(name, _)| *name).collect())
            }
            Reading::Histogram { .. } => FigureKind::Histogram,
            Reading::Curve { clock, .. } => FigureKind::Curve(clock),
            Reading::Map { .. } => FigureKind::Map,
            Reading::Control { strengths, .. } => FigureKind::Control(strengths.len()),
        };
        // A reading is a sum of counts, so what it says of single ones is all of it.
        let names = G::HandCounts::NAMES;
        let only = |count: usize| (0..names.len()).map(|i| i64::from(i == count)).collect();
        let ones: Vec<Vec<i64>> = (0..names.len()).map(only).collect();
        let ones: Vec<G::HandCounts> = ones.iter().map(|one| G::HandCounts::of(one)).collect();
        let times = |read: fn(&G::HandCounts) -> i64| ones.iter().map(read).collect();
        let readings = self.readings().into_iter().map(times).collect();
        let mut figure =
            FigureSpec { head: self.head, form, needs_decisions: false, names, readings };
        figure.needs_decisions = G::DECISION_COUNTS.iter().any(|count| figure.reads(count));
        figure
    }
}

/// What a figure is, without how a game reads it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FigureKind {
    /// As [`Reading::Ratio`].
    Ratio,
    /// As [`Reading::Each`].
    Each,
    /// As [`Reading::Parts`], with their names.
    Parts(Vec<&'static str>),
    /// As [`Reading::Histogram`].
    Histogram,
    /// As [`Reading::Curve`], with what the course is measured in.
    Curve(&'static str),
    /// As [`Reading::Map`].
    Map,
    /// As [`Reading::Control`], with how many numbers it has.
    Control(usize),
}

/// A [`Figure`] without its game's types: all that a report needs of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureSpec {
    /// What it is called.
    pub head: FigureInfo,
    /// What it is.
    pub form: FigureKind,
    /// Whether it is known of hands whose decisions were looked at, and so perhaps of few of them.
    pub needs_decisions: bool,
    /// The game's counts.
    names: &'static [&'static str],
    /// What is read of the counts: for each reading, how often each of them is in the sum.
    readings: Vec<Vec<i64>>,
}

impl FigureSpec {
    /// Whether it is a number, and so a column of the balance table.
    pub fn is_number(&self) -> bool {
        matches!(self.form, FigureKind::Ratio | FigureKind::Each)
    }

    /// How many numbers tell of a deal, where it is a control variate.
    pub fn strengths(&self) -> Option<usize> {
        if let FigureKind::Control(strengths) = self.form { Some(strengths) } else { None }
    }

    /// What it reads of the sums of the counts.
    pub fn read(&self, sums: &[i64]) -> Vec<i64> {
        let read = |times: &Vec<i64>| times.iter().zip(sums).map(|(times, sum)| times * sum).sum();
        self.readings.iter().map(read).collect()
    }

    /// Whether it is read off this count.
    pub fn reads(&self, count: &str) -> bool {
        let at = self.names.iter().position(|name| *name == count);
        at.is_some_and(|at| self.readings.iter().any(|times| times[at] != 0))
    }
}

/// The bins of what every game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StandardBins {
    /// The points of each seat.
    pub score: Bins,
    /// The first seat's points less the best other's.
    pub margin: Bins,
    /// The turns.
    pub turns: Bins,
}

/// A game whose hands are measured.
pub trait Measured: Game + Sized + 'static {
    /// What is kept while a hand is played.
    type HandStats: Default + Clone + Send;

    /// The counts that a finished hand gives.
    type HandCounts: Counters;

    /// All figures of the game, in the order of tables and pages.
    const FIGURES: &'static [Figure<Self>];

    /// The control variate, where the game has one.
    fn control() -> Option<&'static Figure<Self>> {
        Self::FIGURES.iter().find(|figure| matches!(figure.kind, Reading::Control { .. }))
    }

    /// The figures, those that every game has among them, that these rules leave no choice.
    fn forced_figures(&self) -> Vec<(&'static str, ForcedByRules)> {
        Vec::new()
    }

    /// The file of the judge of its hands' luck; none where the game has none.
    const LUCK_EVALUATOR: Option<&'static [u8]> = None;

    /// Reads the file of such a judge.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence that follows its name.
    fn luck_evaluator(_file: &[u8]) -> Result<Box<dyn LuckEvaluator<Self>>, String> {
        Err("this game has no judge of luck".to_owned())
    }

    /// A move is about to be made.
    fn track_move(&self, stats: &mut Self::HandStats, before: &Self::State, mv: Self::Move);

    /// The counts that come of [`count_decisions`](Measured::count_decisions), and so are not there where nobody looked.
    const DECISION_COUNTS: &'static [&'static str] = &[];

    /// Looks at the decisions of a hand that is over, and counts what they come to; all other counts
    /// are 0. `judge` says what moves were worth, where the game has one.
    fn count_decisions(
        &self,
        _choices: &Choices<Self>,
        _judge: Option<&dyn LuckEvaluator<Self>>,
        _chance: &mut Stream,
    ) -> Self::HandCounts {
        Self::HandCounts::default()
    }

    /// What a finished hand counts.
    fn counts(&self, stats: &Self::HandStats, end: &Self::State) -> Self::HandCounts;

    /// How many turns the finished hand had.
    fn turns(&self, stats: &Self::HandStats) -> u32;

    /// The bins of this variant. What lies beyond an end counts in the bin at that end.
    fn standard_bins(&self) -> StandardBins {
        let (low, high) = self.score_range();
        StandardBins {
            score: Bins::over(low, high, 40),
            margin: Bins::around_zero(high.saturating_sub(low), 41),
            turns: Bins::over(0, self.max_moves() as i32, 40),
        }
    }

    /// What the hand is listed with in `hands.csv` beside the scores: one number a seat (a
    /// square's value, cards held) in the column `values`.
    fn values(&self, end: &Self::State) -> Vec<i64>;

    /// How the hand ended, one word.
    fn ending(&self, end: &Self::State) -> &'static str;
}
