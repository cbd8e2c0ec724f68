//! How the numbers of a summary are made from tallies: estimates by the jackknife over chunks, changes
//! between variants, standings.

use super::figures::{FigureHead, of_variant, rated};
use super::rows::{Difference, Matchup, Standing};
use super::summary::{Comparison, VariantSummary};
use crate::arena::{Plan, Tally, UNIT};
use crate::game::Kind;
use crate::stats::{Controlled, Controls, Estimate, holm, jackknife_all, jackknife_p};
use crate::strategy::Strategic;

/// The figures and ratings of all variants as plain numbers, with all deals and with each chunk
/// left out. They are computed once.
pub(super) struct Numbers {
    /// How many figures a variant has.
    pub figures: usize,
    /// Figures and ratings of a variant.
    wide: usize,
    full: Vec<Option<f64>>,
    partial: Vec<Vec<Option<f64>>>,
}

impl Numbers {
    pub fn new<G: Strategic>(
        plan: &Plan<G>,
        tallies: &[Tally],
        total: &Tally,
        figures: usize,
    ) -> Self {
        let numbers = |tally: &Tally| -> Vec<Option<f64>> {
            let one = |variant| {
                let (figures, ratings) = of_variant(plan, tally, variant);
                figures.into_iter().chain(ratings.ratings.into_iter().map(Some)).collect::<Vec<_>>()
            };
            (0..plan.variants.len()).flat_map(one).collect()
        };
        Numbers {
            figures,
            wide: figures + plan.names().len(),
            full: numbers(total),
            partial: tallies.iter().map(|chunk| numbers(&total.without(chunk))).collect(),
        }
    }

    pub fn known(&self, left_out: Option<usize>) -> &Vec<Option<f64>> {
        left_out.map_or(&self.full, |chunk| &self.partial[chunk])
    }

    /// Where the numbers of a variant stand.
    pub fn of(&self, variant: usize) -> std::ops::Range<usize> {
        variant * self.wide..(variant + 1) * self.wide
    }

    /// How each figure changes from one variant to another.
    fn changes(&self, left_out: Option<usize>, from: usize, to: usize) -> Vec<Option<f64>> {
        let known = self.known(left_out);
        let (a, b) = (&known[self.of(from)], &known[self.of(to)]);
        a.iter().zip(b).take(self.figures).map(|(a, b)| Some((*b)? - (*a)?)).collect()
    }
}

/// Each two variants, with Holm's correction over all changes of all figures.
pub(super) fn comparisons(
    heads: &[FigureHead],
    variants: &[VariantSummary],
    numbers: &Numbers,
    weights: &[u64],
) -> Vec<Comparison> {
    let pairs = |from: usize| (from + 1..variants.len()).map(move |to| (from, to));
    let pairs: Vec<(usize, usize)> = (0..variants.len()).flat_map(pairs).collect();
    let changes = jackknife_all(weights, |left_out| {
        pairs.iter().flat_map(|&(from, to)| numbers.changes(left_out, from, to)).collect()
    });
    let row = |(from, to): (usize, usize), figure: usize, change: Option<Estimate>| {
        let FigureHead { name, unit, .. } = heads[figure];
        Some(Difference {
            variant_a: variants[from].variant.clone(),
            variant_b: variants[to].variant.clone(),
            figure: name,
            unit,
            a: numbers.full[numbers.of(from)][figure]?,
            b: numbers.full[numbers.of(to)][figure]?,
            difference: change?,
            p: jackknife_p(change?, weights.len()),
            p_holm: None,
        })
    };
    let mut changes = changes.into_iter();
    let mut comparisons: Vec<Comparison> = pairs
        .into_iter()
        .map(|(from, to)| {
            let figures = (0..heads.len()).zip(changes.by_ref());
            let changes = figures.map(|(figure, change)| row((from, to), figure, change)).collect();
            Comparison { from, to, changes }
        })
        .collect();
    let mut rows: Vec<&mut Difference> =
        comparisons.iter_mut().flat_map(|c| c.changes.iter_mut().flatten()).collect();
    let adjusted = holm(&rows.iter().map(|row| row.p).collect::<Vec<_>>());
    rows.iter_mut().zip(adjusted).for_each(|(row, p)| row.p_holm = p);
    comparisons
}

/// The first seat's score by the control variate; the parts whose coefficients are fitted apart are
/// the chunks.
pub(super) fn controlled<G: Strategic>(
    plan: &Plan<G>,
    tallies: &[Tally],
    variant: usize,
    hands: u64,
) -> Option<Controlled> {
    let figure = G::control().filter(|_| plan.experiment().control)?;
    let Kind::Control { strengths, .. } = figure.kind else { return None };
    let control = |tally: &Tally| tally.variants[variant].controls(figure.name, strengths.len());
    let parts: Option<Vec<Controls>> = tallies.iter().map(control).collect();
    let found = Controls::mean(&parts?, 1.0 / (hands as f64 * UNIT as f64))?;
    Some(Controlled { mean: found.mean.clamped(0.0, 1.0), ..found })
}

/// A share lies between 0 and 1, and so do the ends of its interval.
pub(super) fn within(unit: &str, estimate: Estimate) -> Estimate {
    if unit.starts_with("share") { estimate.clamped(0.0, 1.0) } else { estimate }
}

/// Hands of a deal at all tables of a variant.
pub(super) fn hands_per_deal<G: Strategic>(plan: &Plan<G>, variant: usize) -> u64 {
    let tables = 0..plan.tables.len();
    tables.filter(|&t| plan.tables[t].variant == variant).map(|t| plan.hands_of(t)).sum()
}

/// What each of so many strategies scores against each at tables of two.
pub(super) fn scores(count: usize, rows: &[Matchup]) -> Vec<Vec<Option<Estimate>>> {
    let mut scores = vec![vec![None; count]; count];
    for row in rows {
        if let Some((a, b)) = row.pair {
            scores[a][b] = scores[a][b].or(row.score);
        }
    }
    let met = scores.clone();
    for (a, row) in scores.iter_mut().enumerate() {
        for (b, score) in row.iter_mut().enumerate() {
            *score = score.or(met[b][a].map(|score| score.scaled(-1.0).shifted(1.0)));
        }
    }
    scores
}

/// The strategies of one variant, the best rated first; equal ratings stand as in the experiment.
pub(super) fn standings<G: Strategic>(
    plan: &Plan<G>,
    total: &Tally,
    variant: usize,
    ratings: &[Option<Estimate>],
) -> Vec<Standing> {
    let row = |number: usize| {
        let (mut matches, mut hands, mut faults) = (0, 0, 0);
        for (index, table) in plan.tables.iter().enumerate() {
            if table.variant == variant && !table.is_mirror() {
                let places = table.line_up.iter().filter(|&&s| s == number).count() as u64;
                matches += places * table.line_up.len() as u64;
                hands += places * plan.hands_of(index);
                let slots = table.line_up.iter().zip(&total.tables[index].slots);
                let own = slots.filter(|(s, _)| **s == number);
                faults += own.map(|(_, slot)| slot.faults).sum::<u64>();
            }
        }
        Standing {
            variant: plan.variants[variant].name.clone(),
            strategy: plan.name_of(number).to_owned(),
            number,
            rank: 0,
            matches: matches * total.deals,
            hands: hands * total.deals,
            score: total.variants[variant].standings[number]
                .score(1.0 / (matches as f64 * UNIT as f64)),
            rating: ratings[number],
            faults,
        }
    };
    let mut rows: Vec<Standing> = rated(plan, variant).into_iter().map(row).collect();
    // To the digits that are written: below them, which of two equals is ahead is rounding.
    let rating = |row: &Standing| row.rating.map_or(0.0, |r| (r.value * 1e6).round());
    rows.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
    for (index, row) in rows.iter_mut().enumerate() {
        row.rank = index + 1;
    }
    rows
}
