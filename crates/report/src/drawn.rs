//! The figures of a variant that are drawn: how its hands are spread, and wholes by their parts.

use super::figures::{is_measured, listed};
use crate::arena::{PlanInfo, Tally};
use crate::game::{FigureInfo, FigureKind, StandardBins};
use crate::stats::Bins;

/// A figure that is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    /// What it is called.
    pub head: FigureInfo,
    /// How it is drawn; none where it was not measured.
    pub shape: Option<Shape>,
}

/// How a figure is drawn.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// A whole by its parts.
    Parts(Vec<(&'static str, i64)>),
    /// Hands by bin; with more than one row, one for each seat.
    Histogram {
        /// The bins.
        bins: Bins,
        /// The rows.
        rows: Vec<Vec<i64>>,
        /// Whether each hand has a number; otherwise only some have.
        all: bool,
    },
    /// A number over the course of the hands.
    Curve {
        /// What the course is measured in.
        clock: &'static str,
        /// The bins of the number.
        bins: Bins,
        /// Hands by bin after each of equal steps.
        steps: Vec<Vec<i64>>,
    },
    /// How often something happened on each cell of a board, row by row.
    Map {
        /// How many columns there are.
        columns: usize,
        /// How often.
        cells: Vec<i64>,
    },
}

/// What is drawn of every game.
const COMMON: [FigureInfo; 3] = listed! {
    /// The points of each seat at the end.
    points: "points";
    /// The first seat's points less the best other's.
    margin: "points";
    /// The turns of all seats.
    length_of_a_hand: "turns";
};

/// All that is drawn of a variant: first what every game has, then the game's own.
pub(super) fn drawn(plan: &PlanInfo, total: &Tally, variant: usize) -> Vec<Drawn> {
    let tally = &total.variants[variant];
    let StandardBins { score, margin, turns } = tally.spread;
    let rows = |sums: &[i64], wide: usize| -> Vec<Vec<i64>> {
        sums.chunks_exact(wide.max(1)).map(<[i64]>::to_vec).collect()
    };
    let bins = [(score, &tally.scores), (margin, &tally.margin), (turns, &tally.turns)];
    let common = COMMON.into_iter().zip(bins).map(|(head, (bins, sums))| {
        let shape = Shape::Histogram { bins, rows: rows(sums, bins.count), all: true };
        Drawn { head, shape: Some(shape) }
    });
    let mut all: Vec<Drawn> = common.collect();
    for figure in &plan.figures {
        let counted = tally.counted(figure.head.name);
        let binned = || counted.and_then(|row| Some((row.bins?, rows(&row.sums, row.wide))));
        let shape = match &figure.form {
            FigureKind::Ratio | FigureKind::Each | FigureKind::Control(_) => continue,
            FigureKind::Parts(names) => {
                let parts = figure.read(&tally.counts.sums).into_iter().skip(1);
                Some(Shape::Parts(names.iter().copied().zip(parts).collect()))
            }
            FigureKind::Histogram => {
                binned().map(|(bins, rows)| Shape::Histogram { bins, rows, all: false })
            }
            &FigureKind::Curve(clock) => {
                binned().map(|(bins, steps)| Shape::Curve { clock, bins, steps })
            }
            FigureKind::Map => {
                counted.map(|row| Shape::Map { columns: row.wide, cells: row.sums.clone() })
            }
        };
        let shape = shape.filter(|_| is_measured(figure, &total.missing));
        all.push(Drawn { head: figure.head, shape });
    }
    all
}
