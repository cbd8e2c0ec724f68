//! Figures that are charts: distributions over hands, curves over a hand, maps of the board, and
//! wholes by their parts.

use super::figures::{figure_list, is_measured};
use parlour_arena::{PlanInfo, Tally};
use parlour_game::{FigureInfo, FigureKind, StandardBins};
use parlour_stats::Bins;

/// A figure that is drawn as a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// Name, unit and meaning.
    pub head: FigureInfo,
    /// Data of the chart; `None` if the figure was not measured.
    pub data: Option<ChartData>,
}

/// Data of a chart, by its kind.
#[derive(Clone, PartialEq, Debug)]
pub enum ChartData {
    /// A whole by its parts.
    Parts(Vec<(&'static str, i64)>),
    /// Hands per bin; with more than one row, one row per seat.
    Histogram {
        /// The bins.
        bins: Bins,
        /// The rows.
        rows: Vec<Vec<i64>>,
        /// `true` if every hand has a number; otherwise only some have.
        is_complete: bool,
    },
    /// A number over the course of the hands.
    Curve {
        /// Unit of the course.
        clock: &'static str,
        /// Bins of the number.
        bins: Bins,
        /// Hands per bin after each of equal steps.
        steps: Vec<Vec<i64>>,
    },
    /// Number of events per cell of a board, row by row.
    Map {
        /// Number of columns.
        columns: usize,
        /// Number of events.
        cells: Vec<i64>,
    },
}

/// Charts of every game.
const COMMON: [FigureInfo; 3] = figure_list! {
    /// Points of each seat at the end.
    points: "points";
    /// First seat's points minus those of the best other seat.
    margin: "points";
    /// Turns of all seats.
    length_of_a_hand: "turns";
};

/// Returns all charts of a variant: those of every game, then the game's own.
pub(super) fn distributions(plan: &PlanInfo, total: &Tally, variant: usize) -> Vec<Distribution> {
    let tally = &total.variants[variant];
    let StandardBins { score, margin, turns } = tally.spread;
    let rows = |sums: &[i64], width: usize| -> Vec<Vec<i64>> {
        sums.chunks_exact(width.max(1)).map(<[i64]>::to_vec).collect()
    };
    let bins = [(score, &tally.scores), (margin, &tally.margin), (turns, &tally.turns)];
    let common = COMMON.into_iter().zip(bins).map(|(head, (bins, sums))| {
        let rows = rows(sums, bins.count);
        Distribution { head, data: Some(ChartData::Histogram { bins, rows, is_complete: true }) }
    });
    let mut all: Vec<Distribution> = common.collect();
    for figure in &plan.figures {
        let counted = tally.counted(figure.head.name);
        let binned = || counted.and_then(|row| Some((row.bins?, rows(&row.sums, row.row_len))));
        let data = match &figure.form {
            FigureKind::Ratio | FigureKind::Each | FigureKind::Control(_) => continue,
            FigureKind::Parts(names) => {
                let parts = figure.read(&tally.counts.sums).into_iter().skip(1);
                Some(ChartData::Parts(names.iter().copied().zip(parts).collect()))
            }
            FigureKind::Histogram => {
                binned().map(|(bins, rows)| ChartData::Histogram { bins, rows, is_complete: false })
            }
            &FigureKind::Curve(clock) => {
                binned().map(|(bins, steps)| ChartData::Curve { clock, bins, steps })
            }
            FigureKind::Map => {
                counted.map(|row| ChartData::Map { columns: row.row_len, cells: row.sums.clone() })
            }
        };
        let data = data.filter(|_| is_measured(figure, &total.missing));
        all.push(Distribution { head: figure.head, data });
    }
    all
}
