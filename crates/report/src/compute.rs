//! Computation of a summary from the tallies of a run.

use crate::answer;
use crate::figures::{
    FIRST_SEAT, OF_LUCK, Support, distributions, forced, heads, is_measured, supports,
    variant_numbers,
};
use crate::rows::{Conclusion, Difference, Family};
use crate::sample::{Sample, adjust_p_values};
use crate::strategies::{ladder, levels, matchups, population, score_matrix, standings};
use crate::summary::{Comparison, Summary, VariantSummary};
use crate::swept::{SweptFields, tuning_warning};
use crate::units::Unit;
use parlour_arena::{LuckTarget, PlanInfo, Tally, UNIT, pairs};
use parlour_game::{FigureInfo, ForcedByRules};
use parlour_stats::{
    Estimate, jackknife_variance, proportion, proportion_change, with_fewer_deals,
};

/// Computes all numbers from the tallies of all chunks.
pub(super) fn summarize(plan: &PlanInfo, tallies: &[Tally]) -> Summary {
    let blank = Summary { figures: heads(plan).collect(), ..Summary::default() };
    let sample = Sample::new(plan, tallies);
    let total = &sample.total;
    let not_measured = |gaps: &[&str]| {
        let missing = plan.figures.iter().filter(|figure| !is_measured(figure, gaps));
        missing.map(|figure| figure.head.name).collect::<Vec<_>>()
    };
    let estimates = Estimates::new(&sample);
    let decision = plan.stop_decision(&(0..).zip(tallies.iter().cloned()).collect());
    let mut variants = Vec::new();
    for (variant, matchups) in matchups(&sample, &decision.tests).into_iter().enumerate() {
        let frame = &plan.variants[variant];
        let forced: Vec<Option<ForcedByRules>> =
            blank.figures.iter().map(|head| forced(plan, variant, head.name)).collect();
        let hands = plan.hands_of_variant(variant);
        let lucky = total.luck_of(LuckTarget::FirstSeat(variant));
        let less_luck =
            lucky.as_ref().and_then(|it| it.estimate(1.0 / (hands as f64 * UNIT as f64)));
        let figures = blank.figures.iter().zip(&estimates.figures[variant]).zip(&forced);
        let figures = figures.map(|((head, &figure), forced)| match forced {
            Some(forced) => forced.number().map(Estimate::exact),
            None if head.name == OF_LUCK[0].name => less_luck.map(|it| it.clamped(0.0, 1.0)),
            None if Unit::parse(head.unit).is_share() => {
                figure.map(|share| share.clamped(0.0, 1.0))
            }
            None => figure,
        });
        let mut summary = VariantSummary {
            variant: frame.label.clone(),
            seats: frame.seats,
            hands: hands * total.deals,
            figures: figures.collect(),
            forced,
            remaining_variance: lucky.and_then(|lucky| lucky.remaining()),
            standings: standings(&sample, variant, &estimates.ratings[variant]),
            scores: score_matrix(plan.names().len(), &matchups),
            population: population(&sample, variant, &matchups),
            matchups,
            confirmed: Vec::new(),
            levels: Vec::new(),
            distributions: distributions(plan, total, variant),
        };
        summary.levels = levels(&summary);
        variants.push(summary);
    }
    let mut summary = Summary {
        deals: total.deals,
        early: decision.early,
        sample_decisions_every: plan.experiment().sample_decisions_every,
        swept: SweptFields::of(plan),
        tuning_warning: tuning_warning(plan),
        ladder: ladder(&sample, &variants),
        missing: not_measured(&total.missing),
        not_requested: not_measured(&plan.empty.missing),
        comparisons: estimates.comparisons(&sample),
        variants,
        ..blank
    };
    answer::answer(&sample, &mut summary);
    summary
}

/// Figures and ratings of all variants, and the change of each figure between any two variants.
struct Estimates {
    /// The figures of each variant.
    figures: Vec<Vec<Option<Estimate>>>,
    /// The ratings of all strategies under each variant.
    ratings: Vec<Vec<Option<Estimate>>>,
    /// The changes of the figures for each [pair](pairs) of variants.
    changes: Vec<Vec<Option<Estimate>>>,
}

impl Estimates {
    fn new(sample: &Sample<'_>) -> Self {
        let plan = sample.plan;
        let (variants, strategies) = (plan.variants.len(), plan.names().len());
        let (total, chunks) = (&sample.total, sample.chunks.len());
        let supports: Vec<Vec<Support>> =
            (0..variants).map(|variant| supports(plan, total, variant)).collect();
        let count = supports[0].len();
        let mut all = sample
            .jackknife(|tally| {
                let all: Vec<Vec<Option<f64>>> =
                    (0..variants).map(|variant| variant_numbers(plan, tally, variant)).collect();
                let changes = pairs(variants).flat_map(|(from, to)| {
                    let both = all[from].iter().zip(&all[to]).take(count);
                    both.map(|(from, to)| Some((*to)? - (*from)?)).collect::<Vec<_>>()
                });
                all.iter().flatten().copied().chain(changes).collect()
            })
            .into_iter();
        let mut take = |count: usize| all.by_ref().take(count).collect::<Vec<_>>();
        let (mut figures, ratings): (Vec<_>, Vec<_>) =
            (0..variants).map(|_| (take(count), take(strategies))).unzip();
        let mut changes: Vec<_> = pairs(variants).map(|_| take(count)).collect();
        // Shares have intervals with ends between 0 and 1. Only deals are independent trials; the
        // hands of a deal belong together.
        let bounded = |found: Estimate, deals: u64, trials: Option<u64>, is_change: bool| {
            let Some(trials) = trials else { return with_fewer_deals(found, chunks, deals) };
            let (value, variance) = (found.value, jackknife_variance(found, chunks));
            let freedom = deals.min(chunks as u64) as f64 - 1.0;
            match is_change {
                false => proportion(value, variance, freedom, trials.min(deals)),
                true => proportion_change(value, variance, freedom, trials, trials.min(deals)),
            }
        };
        for (variant, figures) in figures.iter_mut().enumerate() {
            for (figure, &Support { deals, trials }) in figures.iter_mut().zip(&supports[variant]) {
                *figure = figure.map(|found| bounded(found, deals, trials, false));
            }
            // The first seat's score has its exact variance between deals.
            let unit = 1.0 / (plan.hands_of_variant(variant) as f64 * UNIT as f64);
            figures[FIRST_SEAT] = total.variants[variant].first_seat.score(unit);
        }
        for ((from, to), changes) in pairs(variants).zip(&mut changes) {
            let supports = supports[from].iter().zip(&supports[to]);
            for (change, (from, to)) in changes.iter_mut().zip(supports) {
                let trials = from.trials.zip(to.trials).map(|(from, to)| from.min(to));
                *change = change.map(|found| bounded(found, from.deals, trials, true));
            }
        }
        Estimates { figures, ratings, changes }
    }

    /// Returns the comparison of any two variants, with Holm's correction over all changes.
    fn comparisons(&self, sample: &Sample<'_>) -> Vec<Comparison> {
        let plan = sample.plan;
        let compare = |((from, to), changes): ((usize, usize), &Vec<Option<Estimate>>)| {
            let row = |(figure, head): (usize, FigureInfo)| {
                // A figure that the rules force on both sides is no result.
                if [from, to].iter().all(|v| forced(plan, *v, head.name).is_some()) {
                    return None;
                }
                let difference = changes[figure]?;
                Some(Difference {
                    variant_a: plan.variants[from].label.clone(),
                    variant_b: plan.variants[to].label.clone(),
                    figure: head.name,
                    unit: head.unit,
                    value_a: self.figures[from][figure]?.value,
                    value_b: self.figures[to][figure]?.value,
                    difference,
                    p_value: sample.p_value(Some(difference)),
                    p_adjusted: None,
                    family: Family::Exploratory,
                    p_adjusted_family: None,
                    conclusion: Conclusion::Measured,
                })
            };
            let changes = heads(plan).enumerate().map(row).collect();
            Comparison { from, to, changes }
        };
        let mut comparisons: Vec<Comparison> =
            pairs(plan.variants.len()).zip(&self.changes).map(compare).collect();
        let rows = comparisons.iter_mut().flat_map(|c| c.changes.iter_mut().flatten());
        adjust_p_values(rows.map(|row| (row.p_value, &mut row.p_adjusted)));
        comparisons
    }
}
