//! Figures of a game: one list with names, units, meanings and readings. The arena tallies them;
//! all tables, pages and dictionaries follow from the list.

use super::{Choices, Decisions, Game, LEAD_STEPS, Policy};
use parlour_base::chance::Stream;
use parlour_stats::Bins;

/// Named integer counts of a finished hand; the counts of hands add up. [`counts!`] defines a
/// struct of them.
///
/// [`counts!`]: crate::counts
pub trait Counters: Default {
    /// The names of the counts, in the order of the struct's fields.
    const NAMES: &'static [&'static str];

    /// Adds the counts to sums in the same order.
    fn add_to(&self, sums: &mut [i64]);

    /// Creates the counts from sums; missing ones are 0.
    fn of(sums: &[i64]) -> Self;
}

/// Adds counts to sums. The number of counts is known at compile time, so that constant zeros cost
/// nothing.
#[inline(always)]
pub fn add_counts<const N: usize>(sums: &mut [i64], counts: [i64; N]) {
    if let Some(sums) = sums.first_chunk_mut::<N>() {
        sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
}

/// `counts! { pub struct Name { field, … } }`: defines a struct of counts that implements
/// [`Counters`](crate::Counters), for [`Measured`](crate::Measured).
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

/// `figures! { /// Meaning.  name: "unit" = count / count, headline; … }`: the
/// [figures](crate::Measured::FIGURES) of a game. A figure is a count per hand (`= count`), a count
/// per another count (`= count / count`), or any [`Reading`](crate::Reading) (`=> reading`). Short
/// tables show only the headlines.
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

/// A finished hand.
pub struct FinishedHand<'a, G: Measured> {
    /// The game under the rules of the hand.
    pub game: &'a G,
    /// The statistics kept during play.
    pub stats: &'a G::HandStats,
    /// The final state.
    pub end: &'a G::State,
}

/// A named part of a whole, and its reading of the counts.
pub type FigurePart<C> = (&'static str, fn(&C) -> i64);

/// The reading of a figure. [`Ratio`](Reading::Ratio) and [`Each`](Reading::Each) are columns of
/// the balance table; the others are charts.
pub enum Reading<G: Measured> {
    /// A sum of counts divided by another one, read once from the counts of all hands.
    Ratio {
        /// The numerator.
        above: fn(&G::HandCounts) -> i64,
        /// The denominator; `None` for the number of hands.
        below: Option<fn(&G::HandCounts) -> i64>,
    },
    /// A ratio read from every hand: its contributions to numerator and denominator.
    Each(fn(&FinishedHand<'_, G>) -> [i64; 2]),
    /// A whole and its parts, read from the counts of all hands.
    Parts {
        /// The whole, which the kit compares with the parts.
        whole: fn(&G::HandCounts) -> i64,
        /// The parts.
        parts: &'static [FigurePart<G::HandCounts>],
    },
    /// The distribution of a number over hands, some of which may have none.
    Histogram {
        /// The bins of the variant.
        bins: fn(&G) -> Bins,
        /// The number of a hand.
        read: fn(&FinishedHand<'_, G>) -> Option<i32>,
    },
    /// A number over the course of a hand, starting at 0.
    Curve {
        /// The unit of the course.
        clock: &'static str,
        /// The bins of the variant.
        bins: fn(&G) -> Bins,
        /// The number after each eighth of the hand.
        read: fn(&FinishedHand<'_, G>) -> [i32; LEAD_STEPS],
    },
    /// Events on the cells of the board, row by row.
    Map {
        /// The rows and columns of the variant.
        size: fn(&G) -> (usize, usize),
        /// Adds 1 to each cell with an event.
        mark: fn(&FinishedHand<'_, G>, &mut [i64]),
    },
}

/// The value of a figure that the rules fix, whatever is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForcedByRules {
    /// Always 0: the rules have no such event.
    Never,
    /// Always 1: it happens in every hand.
    Always,
    /// No number: there is no such seat.
    Absent,
}

impl ForcedByRules {
    /// The value.
    pub fn number(self) -> Option<f64> {
        match self {
            ForcedByRules::Never => Some(0.0),
            ForcedByRules::Always => Some(1.0),
            ForcedByRules::Absent => None,
        }
    }

    /// The text in place of the number.
    pub fn words(self) -> &'static str {
        match self {
            ForcedByRules::Never => "cannot happen",
            ForcedByRules::Always => "always, by rule",
            ForcedByRules::Absent => "no such seat",
        }
    }
}

/// The name, unit and meaning of a figure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FigureInfo {
    /// Name in snake case: a column of the balance table or the title of a chart.
    pub name: &'static str,
    /// Unit, such as `points`, `share of hands` or `turns`.
    pub unit: &'static str,
    /// Meaning in one sentence.
    pub meaning: &'static str,
    /// `true` if short tables show it.
    pub headline: bool,
}

/// A figure of a game.
pub struct Figure<G: Measured> {
    /// Name, unit and meaning.
    pub head: FigureInfo,
    /// The reading.
    pub kind: Reading<G>,
}

impl<G: Measured> Figure<G> {
    /// The sums of counts that the figure reads.
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
        };
        // A reading is linear in the counts, so its values of single counts define it.
        let names = G::HandCounts::NAMES;
        let only = |count: usize| (0..names.len()).map(|i| i64::from(i == count)).collect();
        let ones: Vec<Vec<i64>> = (0..names.len()).map(only).collect();
        let ones: Vec<G::HandCounts> = ones.iter().map(|one| G::HandCounts::of(one)).collect();
        let times = |read: fn(&G::HandCounts) -> i64| ones.iter().map(read).collect();
        let readings = self.readings().into_iter().map(times).collect();
        let mut figure =
            FigureSpec { head: self.head, form, needs_decisions: false, names, readings };
        figure.needs_decisions = G::decision_counts().iter().any(|count| figure.reads(count));
        figure
    }
}

/// The kind of a figure, without the game's types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FigureKind {
    /// See [`Reading::Ratio`].
    Ratio,
    /// See [`Reading::Each`].
    Each,
    /// See [`Reading::Parts`]; with the names of the parts.
    Parts(Vec<&'static str>),
    /// See [`Reading::Histogram`].
    Histogram,
    /// See [`Reading::Curve`]; with the unit of the course.
    Curve(&'static str),
    /// See [`Reading::Map`].
    Map,
}

/// A [`Figure`] without the game's types: everything that reports need.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureSpec {
    /// Name, unit and meaning.
    pub head: FigureInfo,
    /// Kind.
    pub form: FigureKind,
    /// `true` if it needs analyzed decisions, which only a part of the hands may have.
    pub needs_decisions: bool,
    /// The names of the game's counts.
    names: &'static [&'static str],
    /// For each reading, the coefficient of each count.
    readings: Vec<Vec<i64>>,
}

impl FigureSpec {
    /// Returns `true` for a number, which is a column of the balance table.
    pub fn is_number(&self) -> bool {
        matches!(self.form, FigureKind::Ratio | FigureKind::Each)
    }

    /// The readings of sums of counts.
    pub fn read(&self, sums: &[i64]) -> Vec<i64> {
        let read = |times: &Vec<i64>| times.iter().zip(sums).map(|(times, sum)| times * sum).sum();
        self.readings.iter().map(read).collect()
    }

    /// Returns `true` if the figure reads this count.
    pub fn reads(&self, count: &str) -> bool {
        let at = self.names.iter().position(|name| *name == count);
        at.is_some_and(|at| self.readings.iter().any(|times| times[at] != 0))
    }
}

/// The bins of the distributions that every game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StandardBins {
    /// The points of each seat.
    pub score: Bins,
    /// The first seat's points minus the best other's.
    pub margin: Bins,
    /// The number of turns.
    pub turns: Bins,
}

/// A game with statistics of its hands.
pub trait Measured: Game + 'static {
    /// The statistics kept while a hand is played.
    type HandStats: Default + Clone + Send;

    /// The counts of a finished hand.
    type HandCounts: Counters;

    /// All figures of the game, in the order of tables and pages.
    const FIGURES: &'static [Figure<Self>];

    /// The figures, including those of every game, that the rules fix.
    fn forced_figures(&self) -> Vec<(&'static str, ForcedByRules)> {
        Vec::new()
    }

    /// Updates the statistics for a move that is about to be made.
    fn track_move(&self, stats: &mut Self::HandStats, before: &Self::State, mv: Self::Move);

    /// Returns the counts of [`count_decisions`](Measured::count_decisions): the last ones, from
    /// `decisions` on. Hands without analyzed decisions lack them.
    fn decision_counts() -> &'static [&'static str] {
        let names = Self::HandCounts::NAMES;
        let first = names.iter().position(|name| *name == "decisions");
        &names[first.unwrap_or(names.len())..]
    }

    /// Counts the decisions of a finished hand; all other counts are 0. `judge` estimates the
    /// values of moves, if the game has a judge. The default counts what [`Decisions`] counts:
    /// the counts `decisions`, `moves` and `forced` of a game follow each other.
    fn count_decisions(
        &self,
        choices: &Choices<Self>,
        _judge: Option<&dyn Policy<Self>>,
        _chance: &mut Stream,
    ) -> Self::HandCounts {
        let Decisions { decisions, moves, forced } = Decisions::of(self, choices);
        let before = Self::HandCounts::NAMES.len() - Self::decision_counts().len();
        let mut sums = vec![0; before];
        sums.extend([decisions, moves, forced]);
        Self::HandCounts::of(&sums)
    }

    /// The counts of a finished hand.
    fn counts(&self, stats: &Self::HandStats, end: &Self::State) -> Self::HandCounts;

    /// The number of turns of a finished hand.
    fn turns(&self, stats: &Self::HandStats) -> u32;

    /// The bins of this variant. Values beyond an end count in the bin at that end.
    fn standard_bins(&self) -> StandardBins {
        let (low, high) = self.score_range();
        StandardBins {
            score: Bins::over(low, high, 40),
            margin: Bins::around_zero(high.saturating_sub(low), 41),
            turns: Bins::over(0, self.max_moves() as i32, 40),
        }
    }

    /// The column `values` of `hands.csv`: one number per seat, such as the value of a square or
    /// the cards held.
    fn values(&self, end: &Self::State) -> Vec<i64>;

    /// The way the hand ended, one word.
    fn ending(&self, end: &Self::State) -> &'static str;
}
