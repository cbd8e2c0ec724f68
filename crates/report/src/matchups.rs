//! Results of the pairings.

use super::rows::{Family, Matchup};
use super::sample::{Sample, adjust_p_values};
use parlour_arena::{
    LuckTarget, OrderCounts, PlanInfo, PlannedTable, SprtResult, TableTally, UNIT,
};
use parlour_stats::{Estimate, Moments};

/// Returns all pairings of a run by variant, in the order of its tables. `tested` has the state of the
/// sequential test of each table, or is empty without a test.
pub(super) fn matchups(
    plan: &PlanInfo,
    sample: &Sample<'_>,
    tested: &[SprtResult],
) -> Vec<Vec<Matchup>> {
    // For each table points for and against by place, then turns.
    let mut means = sample
        .jackknife(|tally| plan.tables.iter().zip(&tally.tables).flat_map(means).collect())
        .into_iter();
    let mut variants = vec![Vec::new(); plan.variants.len()];
    for (number, table) in plan.tables.iter().enumerate() {
        let seats = table.line_up.len();
        let counted = &sample.total.tables[number];
        let means: Vec<Option<Estimate>> = means.by_ref().take(2 * seats + 1).collect();
        // At a table of two the second place mirrors the first.
        for slot in 0..if seats == 2 { 1 } else { seats } {
            let sums = &counted.slots[slot];
            let unit = 1.0 / (seats as f64 * UNIT as f64);
            let name = |s: &usize| plan.name_of(*s);
            let score = sums.score.score(unit);
            let margin_unit = 1.0 / (seats * (seats - 1)) as f64;
            let margin = sums.margin.mean(margin_unit);
            // A strategy that plays the same in both seatings scores exactly one half against itself.
            let is_exact = table.is_mirror() && sums.margin.squares == 0;
            let known = |e: Option<Estimate>| {
                e.map(|e| if is_exact { Estimate::exact(e.value) } else { e })
            };
            let others = table.line_up.iter().enumerate().filter(|(other, _)| *other != slot);
            let has_luck = seats == 2 && !table.is_mirror();
            let lucky =
                has_luck.then(|| sample.luck_adjusted_score(LuckTarget::Score(number), unit));
            let lucky = lucky.flatten();
            let even =
                has_luck.then(|| sample.luck_adjusted(LuckTarget::Margin(number), margin_unit));
            let tested = tested.get(number);
            variants[table.variant].push(Matchup {
                variant: plan.variants[table.variant].name.clone(),
                strategy: name(&table.line_up[slot]).to_owned(),
                opponent: others.map(|(_, s)| name(s)).collect::<Vec<_>>().join("+"),
                pair: (seats == 2).then(|| (table.line_up[0], table.line_up[1])),
                deals: sample.deals(),
                matches: counted.matches,
                hands: counted.hands,
                wins: sums.wins,
                draws: sums.draws,
                losses: sums.losses,
                score: known(score),
                points_for: means[2 * slot],
                points_against: means[2 * slot + 1],
                margin: known(margin),
                turns: means[2 * seats],
                p_value: sums
                    .score
                    .score_p(unit, 1.0 / seats as f64)
                    .filter(|_| !table.is_mirror()),
                p_adjusted: None,
                family: Family::Exploratory,
                p_adjusted_family: None,
                sprt_verdict: tested.map(|tested| tested.verdict),
                sprt_llr: tested.map(|tested| tested.llr),
                sprt_score: tested.and_then(|tested| tested.score),
                variance_ratio: variance_ratio(counted),
                pentanomial: (seats == 2).then_some(counted.pentanomial),
                score_luck_adjusted: lucky.map(|found| found.mean),
                remaining_variance: lucky.map(|found| 1.0 - found.saved),
                margin_luck_adjusted: even.flatten().map(|found| found.mean),
            });
        }
    }
    adjust_p_values(
        variants.iter_mut().flatten().map(|row: &mut Matchup| (row.p_value, &mut row.p_adjusted)),
    );
    variants
}

/// Returns a table's mean points for and against by place, then its mean turns.
fn means((table, tally): (&PlannedTable, &TableTally)) -> Vec<Option<f64>> {
    let ratio = |above: f64, below: f64| (below > 0.0).then(|| above / below);
    let (seats, matches) = (table.line_up.len(), tally.matches as f64);
    let points = tally.slots.iter().flat_map(|slot| {
        let others = matches * (seats - 1) as f64;
        [ratio(slot.points as f64, matches), ratio(slot.points_against as f64, others)]
    });
    points.chain([ratio(tally.turns as f64, tally.hands as f64)]).collect()
}

/// Effect of pairing: `Var(x + y) / (Var(x) + Var(y))` of the results `x` and `y` of the first
/// place's two seatings of a deal. `None` for other numbers of seats, and without variance.
fn variance_ratio(counted: &TableTally) -> Option<f64> {
    let [first, _] = counted.slots.as_slice() else { return None };
    let [OrderCounts { in_order, swapped }] = counted.orders.as_slice() else { return None };
    // Variance of one seating: a win counts `UNIT`, a draw half of it.
    let seating = |[wins, draws, losses]: [u64; 3]| {
        let half = UNIT / 2;
        let sum = UNIT * wins as i64 + half * draws as i64;
        let squares = (UNIT * UNIT) as u64 * wins + (half * half) as u64 * draws;
        Moments { n: wins + draws + losses, sum, squares }.variance(1.0)
    };
    let apart = seating(*in_order)? + seating(*swapped)?;
    let together = first.score.variance(1.0)?;
    (apart > 0.0).then(|| together / apart)
}
