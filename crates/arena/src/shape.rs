//! The shape of a plan's tallies: what is counted of each table and variant, over which bins.

use super::tally::{CountSums, FigureSums, OrderCounts, SlotTally};
use super::{
    Experiment, LuckSums, SpelledStrategy, SpelledVariant, Table, TableTally, Tally, Variant,
    VariantTally, pairs,
};
use crate::game::{Counters, LEAD_STEPS, Measured, Reading};
use crate::stats::{Bins, ControlSums, Moments, RotationSums};

impl Tally {
    /// A tally of no deals for these variants and tables of an experiment; `judged` where luck is.
    pub(super) fn empty<G: Measured>(
        variants: &[Variant<G>],
        tables: &[Table],
        experiment: &Experiment<SpelledVariant, SpelledStrategy>,
        judged: bool,
    ) -> Tally {
        let (strategies, control) = (experiment.strategies.len(), experiment.control);
        let variant = |game: &G| {
            let spread = game.standard_bins();
            let names = G::HandCounts::NAMES;
            VariantTally {
                spread,
                first: Moments::default(),
                standings: vec![Moments::default(); strategies],
                scores: vec![0; game.seats() * spread.score.count],
                margin: vec![0; spread.margin.count],
                turns: vec![0; spread.turns.count],
                counts: CountSums { names, sums: vec![0; names.len()] },
                figures: figures(game, control),
            }
        };
        Tally {
            deals: 0,
            tables: tables.iter().map(|table| of_table(table.line_up.len())).collect(),
            variants: variants.iter().map(|v| variant(&v.game)).collect(),
            luck: LuckSums::empty(judged, tables.len(), variants.len()),
            missing: match experiment.decisions {
                Some(_) => Vec::new(),
                None => G::DECISION_COUNTS.to_vec(),
            },
        }
    }
}

fn of_table(seats: usize) -> TableTally {
    let seating = RotationSums { sums: vec![0; seats], ..RotationSums::default() };
    TableTally {
        slots: vec![SlotTally::default(); seats],
        orders: vec![OrderCounts::default(); pairs(seats).count()],
        seatings: vec![seating; seats],
        ..TableTally::default()
    }
}

/// The figures that are read off every hand, and the control variate where it is wanted.
fn figures<G: Measured>(game: &G, control: bool) -> Vec<FigureSums> {
    let binned = |bins: Bins, rows: usize| (Some(bins), bins.count, rows * bins.count);
    let row = |(number, figure): (usize, &crate::game::Figure<G>)| {
        let (bins, wide, len) = match figure.kind {
            Reading::Ratio { .. } | Reading::Parts { .. } => return None,
            Reading::Control { .. } if !control => return None,
            Reading::Control { strengths, .. } => (None, 1, ControlSums::room(strengths.len())),
            Reading::Each(_) => (None, 1, 2),
            Reading::Histogram { bins, .. } => binned(bins(game), 1),
            Reading::Curve { bins, .. } => binned(bins(game), LEAD_STEPS),
            Reading::Map { size, .. } => (None, size(game).1, size(game).0 * size(game).1),
        };
        Some(FigureSums { name: figure.head.name, figure: number, bins, wide, sums: vec![0; len] })
    };
    G::FIGURES.iter().enumerate().filter_map(row).collect()
}
