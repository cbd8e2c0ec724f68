//! Estimates of figures, ratings and changes between variants, with intervals.

use super::figures::{FIRST_SEAT, forced, heads, rated, sample_sizes, trials, variant_numbers};
use super::rows::{Conclusion, Difference, Family, Standing};
use super::sample::{Sample, adjust_p_values};
use super::summary::Comparison;
use parlour_arena::{FaultCounts, PlanInfo, Tally, UNIT, pairs};
use parlour_stats::{
    Estimate, jackknife_variance, proportion, proportion_change, with_fewer_deals,
};

/// Figures and ratings of all variants, and the change of each figure between any two variants.
pub(super) struct Estimates {
    /// For each variant the figures, then the ratings of all strategies.
    pub variants: Vec<VariantEstimates>,
    /// For each [pair](pairs) of variants the changes of the figures.
    changes: Vec<Vec<Option<Estimate>>>,
}

/// Figures and ratings of a variant.
pub(super) struct VariantEstimates {
    pub figures: Vec<Option<Estimate>>,
    pub ratings: Vec<Option<Estimate>>,
}

impl Estimates {
    pub fn new(plan: &PlanInfo, sample: &Sample<'_>) -> Self {
        let (variants, strategies) = (plan.variants.len(), plan.names().len());
        let figures = heads(&plan.figures).count();
        let numbers = |tally: &Tally| {
            let all: Vec<Vec<Option<f64>>> =
                (0..variants).map(|variant| variant_numbers(plan, tally, variant)).collect();
            let change = |(from, to): (usize, usize)| {
                let (from, to): (&Vec<_>, &Vec<_>) = (&all[from], &all[to]);
                let both = from.iter().zip(to).take(figures);
                both.map(|(from, to)| Some((*to)? - (*from)?)).collect::<Vec<_>>()
            };
            let changes: Vec<_> = pairs(variants).flat_map(change).collect();
            all.iter().flatten().copied().chain(changes).collect()
        };
        let mut all = sample.jackknife(numbers).into_iter();
        let mut take = |count: usize| all.by_ref().take(count).collect::<Vec<_>>();
        let of_variant = |_| VariantEstimates { figures: take(figures), ratings: take(strategies) };
        let of_variants = (0..variants).map(of_variant).collect();
        let changes = pairs(variants).map(|_| take(figures)).collect();
        let mut estimates = Estimates { variants: of_variants, changes };
        estimates.bound(plan, sample);
        estimates
    }

    /// Replaces the intervals of shares, whose ends lie between 0 and 1, and of their changes.
    fn bound(&mut self, plan: &PlanInfo, sample: &Sample<'_>) {
        let (total, chunks) = (&sample.total, sample.chunks.len());
        let sizes = sample_sizes(plan, total.deals);
        let freedom = |deals: u64| deals.min(chunks as u64) as f64 - 1.0;
        let trials: Vec<_> = (0..plan.variants.len()).map(|v| trials(plan, total, v)).collect();
        for (variant, (numbers, trials)) in self.variants.iter_mut().zip(&trials).enumerate() {
            for ((number, trials), &deals) in numbers.figures.iter_mut().zip(trials).zip(&sizes) {
                // Only deals are independent trials; the hands of a deal belong together.
                *number = match (*number, *trials) {
                    (Some(found), Some(trials)) => {
                        let variance = jackknife_variance(found, chunks);
                        Some(proportion(found.value, variance, freedom(deals), trials.min(deals)))
                    }
                    (found, _) => found.map(|found| with_fewer_deals(found, chunks, deals)),
                };
            }
            // After winning or losing every match a rating depends on the prior: its error is unknown.
            for (rating, is_extreme) in
                numbers.ratings.iter_mut().zip(extreme_results(plan, total, variant))
            {
                if is_extreme {
                    *rating = rating.map(|rating| Estimate::bare(rating.value));
                }
            }
            // The first seat's score has its exact variance between deals.
            let unit = 1.0 / (plan.hands_of_variant(variant) as f64 * UNIT as f64);
            numbers.figures[FIRST_SEAT] = total.variants[variant].first_seat.score(unit);
        }
        for ((from, to), changes) in pairs(plan.variants.len()).zip(&mut self.changes) {
            let trials = trials[from].iter().zip(&trials[to]);
            for ((change, trials), &deals) in changes.iter_mut().zip(trials).zip(&sizes) {
                *change = match (*change, trials) {
                    (Some(found), (Some(from), Some(to))) => {
                        let variance = jackknife_variance(found, chunks);
                        let (all, independent) = (*from.min(to), *from.min(to).min(&deals));
                        let freedom = freedom(deals);
                        Some(proportion_change(found.value, variance, freedom, all, independent))
                    }
                    (found, _) => found.map(|found| with_fewer_deals(found, chunks, deals)),
                };
            }
        }
    }

    /// Returns the comparison of any two variants, with Holm's correction over all changes.
    pub fn comparisons(&self, plan: &PlanInfo, sample: &Sample<'_>) -> Vec<Comparison> {
        let compare = |((from, to), changes): ((usize, usize), &Vec<Option<Estimate>>)| {
            let row = |(figure, head): (usize, parlour_game::FigureInfo)| {
                // A figure that the rules force on both sides is no result.
                if [from, to].iter().all(|v| forced(plan, *v, head.name).is_some()) {
                    return None;
                }
                let difference = changes[figure]?;
                Some(Difference {
                    variant_a: plan.variants[from].name.clone(),
                    variant_b: plan.variants[to].name.clone(),
                    figure: head.name,
                    unit: head.unit,
                    value_a: self.variants[from].figures[figure]?.value,
                    value_b: self.variants[to].figures[figure]?.value,
                    difference,
                    p_value: sample.p_value(Some(difference)),
                    p_adjusted: None,
                    family: Family::Exploratory,
                    p_adjusted_family: None,
                    conclusion: Conclusion::Measured,
                })
            };
            let changes = heads(&plan.figures).enumerate().map(row).collect();
            Comparison { from, to, changes }
        };
        let mut comparisons: Vec<Comparison> =
            pairs(plan.variants.len()).zip(&self.changes).map(compare).collect();
        let rows = comparisons.iter_mut().flat_map(|c| c.changes.iter_mut().flatten());
        adjust_p_values(rows.map(|row| (row.p_value, &mut row.p_adjusted)));
        comparisons
    }
}

/// For each strategy `true` if it won, or lost, all its matches against others under a variant.
fn extreme_results(plan: &PlanInfo, total: &Tally, variant: usize) -> Vec<bool> {
    // Any win, draw, loss.
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

/// Returns the strategies of a variant, best rating first; equal ratings in the experiment's order.
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
    // Compare written digits only: smaller differences are rounding.
    let rating = |row: &Standing| row.rating.map_or(0.0, |r| (r.value * 1e6).round());
    rows.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
    rows.iter_mut().zip(1..).for_each(|(row, rank)| row.rank = rank);
    rows
}
