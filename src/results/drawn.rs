//! The figures of a variant that are drawn: how its hands are spread, and wholes by their parts.

use super::figures::is_measured;
use crate::arena::{Outline, Tally};
use crate::game::{Form, PlainFigure, Spread};
use crate::stats::Bins;

/// A figure that is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    /// Its name.
    pub name: &'static str,
    /// What one is.
    pub unit: &'static str,
    /// What it shows, in a sentence.
    pub meaning: &'static str,
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

/// All that is drawn of a variant: first what every game has, then the game's own.
pub(super) fn drawn(plan: &Outline, total: &Tally, variant: usize) -> Vec<Drawn> {
    let tally = &total.variants[variant];
    let Spread { score, margin, turns } = tally.spread;
    let rows = |sums: &[i64], wide: usize| -> Vec<Vec<i64>> {
        sums.chunks_exact(wide.max(1)).map(<[i64]>::to_vec).collect()
    };
    let lead = "The first seat's points less the best other's.";
    let common = [
        ("points", "points", "The points of each seat at the end.", score, &tally.scores),
        ("margin", "points", lead, margin, &tally.margin),
        ("length_of_a_hand", "turns", "The turns of all seats.", turns, &tally.turns),
    ];
    let common = common.map(|(name, unit, meaning, bins, sums)| {
        let shape = Shape::Histogram { bins, rows: rows(sums, bins.count), all: true };
        Drawn { name, unit, meaning, shape: Some(shape) }
    });
    let mut all = Vec::from(common);
    for figure in &plan.figures {
        let counted = tally.counted(figure.name);
        let binned = || counted.and_then(|row| Some((row.bins?, rows(&row.sums, row.wide))));
        let shape = match &figure.form {
            Form::Ratio | Form::Each | Form::Control(_) => continue,
            Form::Parts(names) => {
                let parts = figure.read(&tally.counts.sums).into_iter().skip(1);
                Some(Shape::Parts(names.iter().copied().zip(parts).collect()))
            }
            Form::Histogram => {
                binned().map(|(bins, rows)| Shape::Histogram { bins, rows, all: false })
            }
            &Form::Curve(clock) => {
                binned().map(|(bins, steps)| Shape::Curve { clock, bins, steps })
            }
            Form::Map => {
                counted.map(|row| Shape::Map { columns: row.wide, cells: row.sums.clone() })
            }
        };
        let PlainFigure { name, unit, meaning, .. } = *figure;
        let shape = shape.filter(|_| is_measured(figure, &total.missing));
        all.push(Drawn { name, unit, meaning, shape });
    }
    all
}
