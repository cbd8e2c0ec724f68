//! The ladder of a variant: each strategy against the next below it, and how many levels of strength
//! can be told apart. Unlike the spread of all ratings, neither depends on who else was let in.

use schemars::JsonSchema;
use serde::Serialize;

use super::summary::VariantSummary;
use crate::arena::{PlanInfo, Tally, UNIT};
use crate::stats::{Estimate, jackknife_all, luck_at_gap, shares};
use parlour_base::maths::exact::log10;

/// What a strategy of a level scores at least against that of the next.
const LEVEL: f64 = 0.6;

/// One row for each variant and two strategies that are neighbours by their ratings and met.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Rung {
    /// The variant.
    pub variant: String,
    /// The strategy.
    pub strategy: String,
    /// The next below it.
    pub below: String,
    /// What the first scores against the second. Unit: share of the win.
    pub score: Option<Estimate>,
    /// The same in Elo; empty where it always won. Unit: Elo.
    pub gap: Option<Estimate>,
    /// The share of the variance of a match's result between these two that belongs to the deal: with
    /// a gap near 0 the share of luck between equals. Unit: share of variance.
    pub luck_share: Option<Estimate>,
    /// The same were both equally strong: what strength adds to the variance is left out.
    /// Unit: share of variance.
    pub luck_share_equal: Option<Estimate>,
    /// The same were they 100 Elo apart: luck and the rest shrink together as the room that a result
    /// has, and strength adds its part. Unit: share of variance.
    pub luck_share_100: Option<Estimate>,
}

/// The gap of the last column.
const GAP: f64 = 100.0;

/// Farther apart two players say little of what equals would do.
const NEAR: f64 = 200.0;

/// The strongest two neighbours under a variant that are near enough to stand for equal good players.
pub(super) fn equals<'a>(ladder: &'a [Rung], variant: &str) -> Option<&'a Rung> {
    let near = |rung: &&Rung| rung.gap.is_some_and(|gap| gap.value.abs() <= NEAR);
    ladder.iter().filter(|rung| rung.variant == variant).find(near)
}

/// A score as a difference in Elo; ends that are sure wins or losses have none.
pub fn elo(score: Estimate) -> Option<Estimate> {
    let one = |s: f64| (s > 0.0 && s < 1.0).then(|| 400.0 * log10(s / (1.0 - s)));
    let interval = match score.interval {
        Some((low, high)) => one(low).zip(one(high)),
        None => None,
    };
    Some(Estimate { value: one(score.value)?, interval })
}

/// The rungs of all variants.
pub(super) fn rungs(
    plan: &PlanInfo,
    total: &Tally,
    tallies: &[Tally],
    variants: &[VariantSummary],
) -> Vec<Rung> {
    let mut found = Vec::new();
    for (number, variant) in variants.iter().enumerate() {
        for two in variant.standings.windows(2) {
            let (a, b) = (two[0].number, two[1].number);
            let met = |t: &crate::arena::PlannedTable| {
                t.variant == number && (t.line_up == [a, b] || t.line_up == [b, a])
            };
            let Some(table) = plan.tables.iter().position(met) else { continue };
            let score = variant.scores[a][b];
            let rung = Rung {
                variant: variant.variant.clone(),
                strategy: two[0].strategy.clone(),
                below: two[1].strategy.clone(),
                score,
                gap: score.and_then(elo),
                luck_share: None,
                luck_share_equal: None,
                luck_share_100: None,
            };
            found.push((table, rung));
        }
    }
    let luck = |tally: &Tally| {
        let share = |table: &usize| {
            let seatings = &tally.tables[*table].seatings;
            let at = |gap| {
                let first = seatings.first();
                first.and_then(|first| luck_at_gap(first, UNIT as f64, gap))
            };
            [shares(seatings).map(|shares| shares.luck), at(0.0), at(GAP)]
        };
        found.iter().flat_map(|(table, _)| share(table)).collect::<Vec<_>>()
    };
    let weights: Vec<u64> = tallies.iter().map(|tally| tally.deals).collect();
    let luck = jackknife_all(&weights, |left_out| match left_out {
        None => luck(total),
        Some(chunk) => luck(&total.without(&tallies[chunk])),
    });
    let whole = |share: Estimate| share.clamped(0.0, 1.0);
    let rows = found.into_iter().zip(luck.chunks_exact(3));
    let row = |((_, rung), luck): ((usize, Rung), &[Option<Estimate>])| {
        let [luck_share, luck_share_equal, luck_share_100] =
            [luck[0], luck[1], luck[2]].map(|share| share.map(whole));
        Rung { luck_share, luck_share_equal, luck_share_100, ..rung }
    };
    rows.map(row).collect()
}

/// The longest line of strategies of which each scores at least 60 % against the next, and surely
/// more than half; the best first.
pub(super) fn levels(variant: &VariantSummary) -> Vec<String> {
    let order: Vec<usize> = variant.standings.iter().map(|row| row.number).collect();
    let above = |a: usize, b: usize| {
        let score = variant.scores[a][b];
        let sure = |e: Estimate| e.value >= LEVEL && e.interval.is_some_and(|(low, _)| low > 0.5);
        score.is_some_and(sure)
    };
    // From the last on: the longest line that begins at each.
    let mut lines: Vec<Vec<usize>> = Vec::new();
    for (at, &a) in order.iter().enumerate().rev() {
        let below = order[at + 1..].iter().rev().zip(&lines);
        let below = below.filter(|(b, _)| above(a, **b)).map(|(_, line)| line);
        let mut line = vec![a];
        line.extend(below.max_by_key(|line| line.len()).into_iter().flatten());
        lines.push(line);
    }
    let longest = lines.into_iter().rev().max_by_key(Vec::len).unwrap_or_default();
    let name = |number: &usize| {
        let mut rows = variant.standings.iter();
        rows.find(|row| row.number == *number).map(|row| row.strategy.clone())
    };
    longest.iter().filter_map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_in_elo() {
        let found = elo(Estimate::symmetric(0.64, 0.01)).unwrap();
        // 400 · log10(0.64 / 0.36) = 99.95.
        assert!((found.value - 99.95).abs() < 0.01, "{found}");
        assert!(found.interval.is_some_and(|(low, high)| low < 93.0 && high > 107.0));
        assert_eq!(elo(Estimate::bare(1.0)), None);
        let sure = elo(Estimate { value: 0.98, interval: Some((0.9, 1.0)) }).unwrap();
        assert_eq!(sure.interval, None, "an end at 1 is beyond all Elo");
    }
}
