//! Who met whom, and what came of it.

use super::families::EXPLORATORY;
use super::numbers::{adjusted, adjusted_score, correct};
use super::rows::Matchup;
use crate::arena::{LuckTarget, OrderCounts, PlanInfo, SprtResult, TableTally, Tally, UNIT};
use crate::stats::{Estimate, Moments, jackknife_all};

/// All pairings of a run by variant, in the order of its tables; `tested` is what a sequential test says
/// of each table, where one decides on the end of the run.
pub(super) fn matchups(
    plan: &PlanInfo,
    total: &Tally,
    tallies: &[Tally],
    tested: &[SprtResult],
) -> Vec<Vec<Matchup>> {
    let weights: Vec<u64> = tallies.iter().map(|t| t.deals).collect();
    let mut variants = vec![Vec::new(); plan.variants.len()];
    for (number, table) in plan.tables.iter().enumerate() {
        let seats = table.line_up.len();
        let counted = &total.tables[number];
        let parts: Vec<_> = tallies.iter().map(|t| &t.tables[number]).collect();
        // Points for and against by place, then turns.
        let means = jackknife_all(&weights, |left_out| {
            let sum = |of: &dyn Fn(&TableTally) -> i64| {
                (of(counted) - left_out.map_or(0, |chunk| of(parts[chunk]))) as f64
            };
            let ratio = |above: f64, below: f64| (below > 0.0).then(|| above / below);
            let matches = sum(&|t| t.matches as i64);
            let points = (0..seats).flat_map(|slot| {
                let own = sum(&|t| t.slots[slot].points);
                let against = sum(&|t| t.slots[slot].points_against);
                [ratio(own, matches), ratio(against, matches * (seats - 1) as f64)]
            });
            let turns = ratio(sum(&|t| t.turns as i64), sum(&|t| t.hands as i64));
            points.chain([turns]).collect()
        });
        // Of two, the second place only mirrors the first.
        for slot in 0..if seats == 2 { 1 } else { seats } {
            let sums = &counted.slots[slot];
            let unit = 1.0 / (seats as f64 * UNIT as f64);
            let name = |s: &usize| plan.name_of(*s);
            let score = sums.score.score(unit);
            let margin_unit = 1.0 / (seats * (seats - 1)) as f64;
            let margin = sums.margin.mean(margin_unit);
            // A strategy whose hands are the same in both seatings meets itself exactly.
            let is_exact = table.is_mirror() && sums.margin.squares == 0;
            let known = |e: Option<Estimate>| {
                e.map(|e| if is_exact { Estimate::exact(e.value) } else { e })
            };
            let others = table.line_up.iter().enumerate().filter(|(other, _)| *other != slot);
            let is_lucky = seats == 2 && !table.is_mirror();
            let lucky = is_lucky.then(|| adjusted_score(tallies, LuckTarget::Score(number), unit));
            let lucky = lucky.flatten();
            let even = is_lucky.then(|| adjusted(tallies, LuckTarget::Margin(number), margin_unit));
            variants[table.variant].push(Matchup {
                variant: plan.variants[table.variant].name.clone(),
                strategy: name(&table.line_up[slot]).to_owned(),
                opponent: others.map(|(_, s)| name(s)).collect::<Vec<_>>().join("+"),
                pair: (seats == 2).then(|| (table.line_up[0], table.line_up[1])),
                deals: total.deals,
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
                p: sums.score.score_p(unit, 1.0 / seats as f64).filter(|_| !table.is_mirror()),
                p_holm: None,
                family: EXPLORATORY,
                p_family: None,
                sprt: tested.get(number).map(|tested| tested.verdict),
                sprt_llr: tested.get(number).map(|tested| tested.llr),
                sprt_score: tested.get(number).and_then(|tested| tested.score),
                variance_ratio: variance_ratio(counted),
                by_deal: (seats == 2).then_some(counted.pentanomial),
                score_adjusted: lucky.map(|found| found.mean),
                variance_left: lucky.map(|found| 1.0 - found.saved),
                margin_adjusted: even.flatten().map(|found| found.mean),
            });
        }
    }
    correct(variants.iter_mut().flatten().map(|row: &mut Matchup| (row.p, &mut row.p_holm)));
    variants
}

/// What pairing did: `Var(x + y) / (Var(x) + Var(y))` of the results `x` and `y` of the first
/// place's two seatings of a deal. `None` for other numbers of seats, and without variance.
fn variance_ratio(counted: &TableTally) -> Option<f64> {
    let [first, _] = counted.slots.as_slice() else { return None };
    let [OrderCounts { in_order, swapped }] = counted.orders.as_slice() else { return None };
    // Of one seating, in units: a win counts `UNIT`, a draw half of it.
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
