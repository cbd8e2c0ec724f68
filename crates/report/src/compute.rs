//! Computation of a summary from the tallies of a run.

use super::answer;
use super::distribution::distributions;
use super::estimates::{Estimates, standings};
use super::figures::{forced, is_measured};
use super::ladder::{ladder, levels};
use super::matchups::matchups;
use super::populations::population;
use super::rows::Matchup;
use super::sample::Sample;
use super::summary::{Summary, VariantSummary};
use super::swept::{SweptFields, tuning_warning};
use super::units::Unit;
use parlour_arena::{LuckTarget, PlanInfo, Tally, UNIT};
use parlour_game::ForcedByRules;
use parlour_stats::Estimate;

/// Computes all numbers from the tallies of all chunks.
pub(super) fn summarize(plan: &PlanInfo, tallies: &[Tally]) -> Summary {
    let blank = Summary::blank(&plan.figures);
    let sample = Sample::new(&plan.empty, tallies);
    let total = &sample.total;
    let not_measured = |gaps: &[&str]| {
        let missing = plan.figures.iter().filter(|figure| !is_measured(figure, gaps));
        missing.map(|figure| figure.head.name).collect::<Vec<_>>()
    };
    let estimates = Estimates::new(plan, &sample);
    let decision = plan.stop_decision(&(0..).zip(tallies.iter().cloned()).collect());
    let mut variants = Vec::new();
    for (variant, matchups) in matchups(plan, &sample, &decision.tests).into_iter().enumerate() {
        let mut figures = estimates.variants[variant].figures.clone();
        let forced: Vec<Option<ForcedByRules>> =
            blank.figures.iter().map(|head| forced(plan, variant, head.name)).collect();
        for ((head, figure), forced) in blank.figures.iter().zip(&mut figures).zip(&forced) {
            if Unit::parse(head.unit).is_share() {
                *figure = figure.map(|share| share.clamped(0.0, 1.0));
            }
            if let Some(forced) = forced {
                *figure = forced.number().map(Estimate::exact);
            }
        }
        let hands = plan.hands_of_variant(variant);
        let scale = 1.0 / (hands as f64 * UNIT as f64);
        let frame = &plan.variants[variant];
        variants.push(VariantSummary {
            variant: frame.name.clone(),
            seats: frame.seats,
            hands: hands * total.deals,
            figures,
            forced,
            controlled: sample.controlled(plan, variant),
            luck_adjusted: sample.luck_adjusted_score(LuckTarget::FirstSeat(variant), scale),
            standings: standings(plan, total, variant, &estimates.variants[variant].ratings),
            scores: score_matrix(plan.names().len(), &matchups),
            population: population(plan, &sample, variant, &matchups),
            matchups,
            confirmed: Vec::new(),
            levels: Vec::new(),
            distributions: distributions(plan, total, variant),
        });
    }
    for variant in &mut variants {
        variant.levels = levels(variant);
    }
    let mut summary = Summary {
        deals: total.deals,
        early: decision.early,
        sample_decisions_every: plan.experiment().sample_decisions_every,
        swept: SweptFields::of(plan),
        tuning_warning: tuning_warning(plan),
        ladder: ladder(plan, &sample, &variants),
        missing: not_measured(&total.missing),
        not_requested: not_measured(&plan.empty.missing),
        comparisons: estimates.comparisons(plan, &sample),
        variants,
        ..blank
    };
    answer::answer(plan, &sample, &mut summary);
    summary
}

/// Score of each of `count` strategies against each other one at tables of two.
fn score_matrix(count: usize, rows: &[Matchup]) -> Vec<Vec<Option<Estimate>>> {
    let mut scores = vec![vec![None; count]; count];
    let swapped = rows.iter().cloned().map(Matchup::swapped);
    for row in rows.iter().cloned().chain(swapped) {
        if let Some((a, b)) = row.pair {
            scores[a][b] = scores[a][b].or(row.score);
        }
    }
    scores
}
