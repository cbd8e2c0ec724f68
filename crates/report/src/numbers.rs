//! How the numbers of a summary are made from tallies: estimates by the jackknife over chunks, changes
//! between variants, standings.

use super::Call;
use super::families::EXPLORATORY;
use super::figures::{FIRST_SEAT, cases, fixed, rated, telling, variant_numbers};
use super::rows::{Difference, Matchup, Standing};
use crate::arena::{FaultCounts, LuckTarget, PlanInfo, Tally, UNIT, pairs};
use crate::game::FigureInfo;
use crate::stats::{
    ControlSums, ControlledMean, Estimate, holm, jackknife_all, jackknife_p, jackknife_variance,
    proportion, proportion_change, with_fewer_deals,
};

/// The figures and ratings of all variants, and the change of each figure from each variant to each
/// later one, with their doubt.
pub(super) struct Numbers {
    /// How many figures a variant has.
    figures: usize,
    /// Figures and ratings of a variant.
    wide: usize,
    chunks: usize,
    /// Variant by variant, then pair by pair of variants.
    all: Vec<Option<Estimate>>,
}

impl Numbers {
    pub fn new(plan: &PlanInfo, tallies: &[Tally], total: &Tally, figures: usize) -> Self {
        let (variants, wide) = (plan.variants.len(), figures + plan.names().len());
        let numbers = |tally: &Tally| {
            let all = (0..variants).flat_map(|variant| variant_numbers(plan, tally, variant));
            let mut all: Vec<Option<f64>> = all.collect();
            for (from, to) in pairs(variants) {
                let change = |f: usize| Some(all[to * wide + f]? - all[from * wide + f]?);
                let changes: Vec<_> = (0..figures).map(change).collect();
                all.extend(changes);
            }
            all
        };
        let weights: Vec<u64> = tallies.iter().map(|tally| tally.deals).collect();
        let all = jackknife_all(&weights, |left_out| match left_out {
            None => numbers(total),
            Some(chunk) => numbers(&total.without(&tallies[chunk])),
        });
        let mut numbers = Numbers { figures, wide, chunks: tallies.len(), all };
        numbers.bound(plan, total);
        numbers
    }

    /// Gives what lies between 0 and 1 an interval that does, and its changes with it.
    fn bound(&mut self, plan: &PlanInfo, total: &Tally) {
        let (wide, chunks) = (self.wide, self.chunks);
        let telling = telling(plan, total.deals);
        let freedom = |deals: u64| deals.min(chunks as u64) as f64 - 1.0;
        let cases: Vec<_> = (0..plan.variants.len()).map(|v| cases(plan, total, v)).collect();
        for ((variant, cases), numbers) in cases.iter().enumerate().zip(self.all.chunks_mut(wide)) {
            for ((number, cases), &deals) in numbers.iter_mut().zip(cases).zip(&telling) {
                // One deal is a trial for certain; its hands go together.
                *number = match (*number, *cases) {
                    (Some(found), Some(cases)) => {
                        let (variance, trials) =
                            (jackknife_variance(found, chunks), cases.min(deals));
                        Some(proportion(found.value, variance, freedom(deals), trials))
                    }
                    (found, _) => found.map(|found| with_fewer_deals(found, chunks, deals)),
                };
            }
            // Who won or lost every match is rated by what is thought beforehand: how much stronger
            // or weaker it is cannot be known from so many.
            for (rating, shut) in
                numbers[self.figures..].iter_mut().zip(shut_out(plan, total, variant))
            {
                if shut {
                    *rating = rating.map(|rating| Estimate::bare(rating.value));
                }
            }
            // The score of the first seat has its exact variance between deals.
            let unit = 1.0 / (plan.hands_of_variant(variant) as f64 * UNIT as f64);
            numbers[FIRST_SEAT] = total.variants[variant].first_seat.score(unit);
        }
        let changes = self.all[plan.variants.len() * wide..].chunks_mut(self.figures);
        for ((from, to), changes) in pairs(plan.variants.len()).zip(changes) {
            let cases = cases[from].iter().zip(&cases[to]);
            for ((change, cases), &deals) in changes.iter_mut().zip(cases).zip(&telling) {
                *change = match (*change, cases) {
                    (Some(found), (Some(from), Some(to))) => {
                        let variance = jackknife_variance(found, chunks);
                        let (cases, trials) = (*from.min(to), *from.min(to).min(&deals));
                        let freedom = freedom(deals);
                        Some(proportion_change(found.value, variance, freedom, cases, trials))
                    }
                    (found, _) => found.map(|found| with_fewer_deals(found, chunks, deals)),
                };
            }
        }
    }

    /// The figures of a variant, and the ratings of all strategies.
    pub fn of(&self, variant: usize) -> (&[Option<Estimate>], &[Option<Estimate>]) {
        self.all[variant * self.wide..][..self.wide].split_at(self.figures)
    }

    /// Each two variants, with Holm's correction over all changes of all figures.
    pub fn comparisons(&self, plan: &PlanInfo, heads: &[FigureInfo]) -> Vec<Comparison> {
        let compare = |((from, to), changes): ((usize, usize), &[Option<Estimate>])| {
            let row = |(figure, head): (usize, &FigureInfo)| {
                // What the rules fix on both sides is no finding.
                if fixed(plan, from, head).is_some() && fixed(plan, to, head).is_some() {
                    return None;
                }
                let difference = changes[figure]?;
                Some(Difference {
                    variant_a: plan.variants[from].name.clone(),
                    variant_b: plan.variants[to].name.clone(),
                    figure: head.name,
                    unit: head.unit,
                    a: self.of(from).0[figure]?.value,
                    b: self.of(to).0[figure]?.value,
                    difference,
                    p: jackknife_p(difference, self.chunks),
                    p_holm: None,
                    family: EXPLORATORY,
                    p_family: None,
                    call: Call::Measured,
                })
            };
            Comparison { from, to, changes: heads.iter().enumerate().map(row).collect() }
        };
        let variants = plan.variants.len();
        let changes = self.all[variants * self.wide..].chunks_exact(self.figures);
        let mut comparisons: Vec<Comparison> = pairs(variants).zip(changes).map(compare).collect();
        let rows = comparisons.iter_mut().flat_map(|c| c.changes.iter_mut().flatten());
        correct(rows.map(|row| (row.p, &mut row.p_holm)));
        comparisons
    }
}

/// For each strategy whether it won, or lost, every match that it played with others under a variant.
fn shut_out(plan: &PlanInfo, total: &Tally, variant: usize) -> Vec<bool> {
    // Whether it won any, drew any, lost any.
    let mut any = vec![[false; 3]; plan.names().len()];
    let tables = plan.tables.iter().zip(&total.tables);
    for (table, tally) in tables.filter(|(t, _)| t.variant == variant && !t.is_mirror()) {
        for (&strategy, slot) in table.line_up.iter().zip(&tally.slots) {
            for (any, count) in any[strategy].iter_mut().zip([slot.wins, slot.draws, slot.losses]) {
                *any |= count > 0;
            }
        }
    }
    any.into_iter().map(|any| matches!(any, [true, false, false] | [false, false, true])).collect()
}

/// How the figures change from one variant to another on the same deals.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The first variant's number.
    pub from: usize,
    /// The second's.
    pub to: usize,
    /// The change of each figure; none where one of the two variants lacks it.
    pub changes: Vec<Option<Difference>>,
}

impl Comparison {
    /// The change of the first seat's score.
    pub fn first_seat(&self) -> Option<&Difference> {
        self.changes[FIRST_SEAT].as_ref()
    }
}

/// Puts beside each p-value the one after Holm's correction over all of them.
pub(super) fn correct<'a>(rows: impl Iterator<Item = (Option<f64>, &'a mut Option<f64>)>) {
    let (plain, places): (Vec<_>, Vec<_>) = rows.unzip();
    places.into_iter().zip(holm(&plain)).for_each(|(place, p)| *place = p);
}

/// The first seat's score by the control variate; the parts whose coefficients are fitted apart are
/// the chunks.
pub(super) fn controlled(
    plan: &PlanInfo,
    tallies: &[Tally],
    variant: usize,
    hands: u64,
) -> Option<ControlledMean> {
    let mut controls = plan.figures.iter().filter(|_| plan.experiment().control_variate);
    let (name, strengths) = controls.find_map(|f| Some((f.head.name, f.strengths()?)))?;
    let control = |tally: &Tally| tally.variants[variant].controls(name, strengths);
    let parts: Option<Vec<ControlSums>> = tallies.iter().map(control).collect();
    let found = ControlSums::mean(&parts?, 1.0 / (hands as f64 * UNIT as f64))?;
    Some(ControlledMean { mean: found.mean.clamped(0.0, 1.0), ..found })
}

/// A result, in these units, less what luck explains of it; the parts whose coefficients are fitted
/// apart are the chunks.
pub(super) fn adjusted(tallies: &[Tally], what: LuckTarget, unit: f64) -> Option<ControlledMean> {
    let parts: Option<Vec<ControlSums>> = tallies.iter().map(|tally| tally.luck_of(what)).collect();
    ControlSums::mean(&parts?, unit)
}

/// The same of a score.
pub(super) fn adjusted_score(
    tallies: &[Tally],
    what: LuckTarget,
    unit: f64,
) -> Option<ControlledMean> {
    let found = adjusted(tallies, what, unit)?;
    Some(ControlledMean { mean: found.mean.clamped(0.0, 1.0), ..found })
}

/// What each of so many strategies scores against each at tables of two.
pub(super) fn scores(count: usize, rows: &[Matchup]) -> Vec<Vec<Option<Estimate>>> {
    let mut scores = vec![vec![None; count]; count];
    let turned = rows.iter().cloned().map(Matchup::turned);
    for row in rows.iter().cloned().chain(turned) {
        if let Some((a, b)) = row.pair {
            scores[a][b] = scores[a][b].or(row.score);
        }
    }
    scores
}

/// The strategies of one variant, the best rated first; equal ratings stand as in the experiment.
pub(super) fn standings(
    plan: &PlanInfo,
    total: &Tally,
    variant: usize,
    ratings: &[Option<Estimate>],
) -> Vec<Standing> {
    let results = &total.variants[variant].standings;
    let row = |number: usize| {
        let (mut matches, mut hands, mut faults) = (0, 0, 0);
        let mut fault_kinds = FaultCounts::default().0;
        let tables = plan.tables.iter().enumerate();
        for (index, table) in tables.filter(|(_, t)| t.variant == variant && !t.is_mirror()) {
            let slots = table.line_up.iter().zip(&total.tables[index].slots);
            for (_, slot) in slots.filter(|(strategy, _)| **strategy == number) {
                matches += table.line_up.len() as u64;
                hands += plan.hands_of(index);
                faults += slot.faults;
                fault_kinds.iter_mut().zip(slot.fault_kinds.0).for_each(|(sum, n)| *sum += n);
            }
        }
        Standing {
            variant: plan.variants[variant].name.clone(),
            strategy: plan.name_of(number).to_owned(),
            number,
            rank: 0,
            matches: matches * total.deals,
            hands: hands * total.deals,
            score: results[number].score(1.0 / (matches as f64 * UNIT as f64)),
            rating: ratings[number],
            faults,
            fault_kinds,
        }
    };
    let mut rows: Vec<Standing> = rated(plan, variant).into_iter().map(row).collect();
    // To the digits that are written: below them, which of two equals is ahead is rounding.
    let rating = |row: &Standing| row.rating.map_or(0.0, |r| (r.value * 1e6).round());
    rows.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
    rows.iter_mut().zip(1..).for_each(|(row, rank)| row.rank = rank);
    rows
}
