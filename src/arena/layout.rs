//! The shape of a plan's tallies: what is counted of each table and variant, over which bins.

use super::tally::{
    CountSums, FigureSums, OrderCounts, SlotTally, TableTally, Tally, VariantTally,
};
use super::{Table, Variant};
use crate::game::{Counts, Kind, STEPS, Spread};
use crate::stats::{Bins, Controls, Moments, Seatings};
use crate::strategy::Strategic;

/// The shape of a plan's tallies.
#[derive(Clone, PartialEq, Debug)]
pub struct Layout {
    empty: Tally,
    /// The game's name.
    pub(super) game: &'static str,
    /// The control variate's name, where it is wanted.
    pub(super) control: Option<&'static str>,
    /// By variant.
    pub(super) variants: Vec<Shape>,
    /// The variant of each table.
    pub(super) variant_of: Vec<usize>,
}

/// What is counted of the hands of a variant.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Shape {
    /// The bins of what every game has.
    pub spread: Spread,
    /// The figures that are read off every hand, by their numbers among the game's, with their
    /// bins.
    pub figures: Vec<(usize, Option<Bins>)>,
}

impl Layout {
    /// The shape for these variants, tables and so many strategies; `control` for a control
    /// variate.
    pub fn new<G: Strategic>(
        variants: &[Variant<G>],
        tables: &[Table],
        strategies: usize,
        control: bool,
    ) -> Layout {
        let table = |table: &Table| {
            let seats = table.line_up.len();
            let seating = Seatings { sums: vec![0; seats], ..Seatings::default() };
            TableTally {
                slots: vec![SlotTally::default(); seats],
                orders: vec![OrderCounts::default(); super::pairs(seats).count()],
                seatings: vec![seating; seats],
                ..TableTally::default()
            }
        };
        let (mut shapes, mut empty) = (Vec::new(), Vec::new());
        for Variant { game, .. } in variants {
            let spread = game.spread();
            let (mut figures, mut rows) = (Vec::new(), Vec::new());
            for (number, figure) in G::FIGURES.iter().enumerate() {
                let (bins, len) = match figure.kind {
                    Kind::Ratio { .. } | Kind::Parts { .. } => continue,
                    Kind::Control { strengths, .. } if control => {
                        (None, Controls::room(strengths.len()))
                    }
                    Kind::Control { .. } => continue,
                    Kind::Each(_) => (None, 2),
                    Kind::Histogram { bins, .. } => (Some(bins(game)), bins(game).count),
                    Kind::Curve { bins, .. } => (Some(bins(game)), STEPS * bins(game).count),
                    Kind::Map { size, .. } => (None, size(game).0 * size(game).1),
                };
                figures.push((number, bins));
                rows.push(FigureSums { name: figure.name, sums: vec![0; len] });
            }
            let names = G::Counts::NAMES;
            empty.push(VariantTally {
                standings: vec![Moments::default(); strategies],
                scores: vec![0; game.seats() * spread.score.count],
                margin: vec![0; spread.margin.count],
                turns: vec![0; spread.turns.count],
                counts: CountSums { names, sums: vec![0; names.len()] },
                figures: rows,
                ..VariantTally::default()
            });
            shapes.push(Shape { spread, figures });
        }
        let tally = Tally {
            tables: tables.iter().map(table).collect(),
            variants: empty,
            ..Tally::default()
        };
        let variant_of = tables.iter().map(|table| table.variant).collect();
        let control = control.then(|| G::control().map(|figure| figure.name)).flatten();
        Layout { empty: tally, game: G::NAME, control, variants: shapes, variant_of }
    }

    /// A tally of no deals.
    pub fn empty(&self) -> Tally {
        self.empty.clone()
    }

    /// A shape to read a file with, in tests.
    #[cfg(test)]
    pub(super) fn of(empty: Tally) -> Layout {
        Layout { empty, game: "", control: None, variants: Vec::new(), variant_of: Vec::new() }
    }
}
