//! Figures that are charts: distributions over hands, curves over a hand, maps of the board, and
//! wholes by their parts.

use crate::figures::{figure_list, is_measured};
use parlour_arena::{PlanInfo, Tally};
use parlour_game::{FigureInfo, FigureKind, StandardBins};
use parlour_stats::Bins;

/// A figure that is drawn as a chart.
#[derive(Clone, PartialEq, Debug)]
pub struct Distribution {
    /// Name, unit and meaning.
    pub head: FigureInfo,
    /// The kind of chart.
    pub kind: FigureKind,
    /// The bins of a histogram or a curve.
    pub bins: Bins,
    /// Counts: of the parts of a whole; of hands by bin, for all seats or each seat; of hands by bin
    /// after each of equal steps; or of events by row of the board. Empty if the figure was not
    /// measured.
    pub rows: Vec<Vec<i64>>,
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
    let rows = |sums: &[i64], width: usize| -> Vec<Vec<i64>> {
        sums.chunks_exact(width.max(1)).map(<[i64]>::to_vec).collect()
    };
    let StandardBins { score, margin, turns } = tally.spread;
    let common = [(score, &tally.scores), (margin, &tally.margin), (turns, &tally.turns)];
    let common = COMMON.into_iter().zip(common).map(|(head, (bins, sums))| Distribution {
        head,
        kind: FigureKind::Histogram,
        bins,
        rows: rows(sums, bins.count),
    });
    let is_chart = |kind: &FigureKind| {
        !matches!(kind, FigureKind::Ratio | FigureKind::Each | FigureKind::Control(_))
    };
    let own = plan.figures.iter().filter(|figure| is_chart(&figure.form)).map(|figure| {
        let counted = tally.counted(figure.head.name);
        let rows = match figure.form {
            FigureKind::Parts(_) => vec![figure.read(&tally.counts.sums)[1..].to_vec()],
            _ => counted.map_or(Vec::new(), |counted| rows(&counted.sums, counted.row_len)),
        };
        let rows = if is_measured(figure, &total.missing) { rows } else { Vec::new() };
        let bins = counted.and_then(|counted| counted.bins).unwrap_or(score);
        Distribution { head: figure.head, kind: figure.form.clone(), bins, rows }
    });
    common.chain(own).collect()
}
