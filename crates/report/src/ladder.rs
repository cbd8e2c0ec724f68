//! The ladder of a variant: each strategy against the next below it, and the levels of strength.
//! Unlike the spread of all ratings, neither depends on the other participants.

use super::rows::LadderRow;
use super::sample::Sample;
use super::summary::VariantSummary;
use parlour_arena::{PlanInfo, PlannedTable, Tally, UNIT};
use parlour_base::maths::exact::log10;
use parlour_stats::{Estimate, luck_at_gap, shares};

/// The minimum score of a level against the next.
const LEVEL_SCORE: f64 = 0.6;

/// The gap in Elo of `luck_share_100_elo`.
const GAP: f64 = 100.0;

/// The largest gap in Elo of two players that represent equal ones.
const MAX_EQUAL_GAP: f64 = 200.0;

/// Returns the strongest two neighbours under a variant that are close enough to represent equally
/// good players.
pub(super) fn equal_players<'a>(ladder: &'a [LadderRow], variant: &str) -> Option<&'a LadderRow> {
    let is_close = |row: &&LadderRow| row.elo_gap.is_some_and(|g| g.value.abs() <= MAX_EQUAL_GAP);
    ladder.iter().filter(|row| row.variant == variant).find(is_close)
}

/// Converts a score to a difference in Elo. Scores of 0 and 1 have none.
pub fn elo(score: Estimate) -> Option<Estimate> {
    let one = |s: f64| (s > 0.0 && s < 1.0).then(|| 400.0 * log10(s / (1.0 - s)));
    let interval = match score.interval {
        Some((low, high)) => one(low).zip(one(high)),
        None => None,
    };
    Some(Estimate { value: one(score.value)?, interval })
}

/// Returns the neighbours of all variants.
pub(super) fn ladder(
    plan: &PlanInfo,
    sample: &Sample<'_>,
    variants: &[VariantSummary],
) -> Vec<LadderRow> {
    let mut found = Vec::new();
    for (number, variant) in variants.iter().enumerate() {
        for two in variant.standings.windows(2) {
            let (a, b) = (two[0].number, two[1].number);
            let met = |t: &PlannedTable| {
                t.variant == number && (t.line_up == [a, b] || t.line_up == [b, a])
            };
            let Some(table) = plan.tables.iter().position(met) else { continue };
            let score = variant.scores[a][b];
            let row = LadderRow {
                variant: variant.variant.clone(),
                strategy: two[0].strategy.clone(),
                below: two[1].strategy.clone(),
                score,
                elo_gap: score.and_then(elo),
                luck_share: None,
                luck_share_equal: None,
                luck_share_100_elo: None,
            };
            found.push((table, row));
        }
    }
    let luck = sample.jackknife(|tally: &Tally| {
        let share = |table: &usize| {
            let seatings = &tally.tables[*table].seatings;
            let at = |gap| {
                let first = seatings.first();
                first.and_then(|first| luck_at_gap(first, UNIT as f64, gap))
            };
            [shares(seatings).map(|shares| shares.luck), at(0.0), at(GAP)]
        };
        found.iter().flat_map(|(table, _)| share(table)).collect()
    });
    let as_share = |share: Estimate| share.clamped(0.0, 1.0);
    let rows = found.into_iter().zip(luck.chunks_exact(3));
    let row = |((_, row), luck): ((usize, LadderRow), &[Option<Estimate>])| {
        let [luck_share, luck_share_equal, luck_share_100_elo] =
            [luck[0], luck[1], luck[2]].map(|share| share.map(as_share));
        LadderRow { luck_share, luck_share_equal, luck_share_100_elo, ..row }
    };
    rows.map(row).collect()
}

/// Returns the longest chain of strategies, best first, in which each scores at least 60 % against
/// the next and significantly more than half.
pub(super) fn levels(variant: &VariantSummary) -> Vec<String> {
    let order: Vec<usize> = variant.standings.iter().map(|row| row.number).collect();
    let above = |a: usize, b: usize| {
        let score = variant.scores[a][b];
        let is_clear =
            |e: Estimate| e.value >= LEVEL_SCORE && e.interval.is_some_and(|(low, _)| low > 0.5);
        score.is_some_and(is_clear)
    };
    // From the last strategy backwards: the longest chain that starts at each.
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
    fn score_converts_to_elo() {
        let found = elo(Estimate::symmetric(0.64, 0.01)).unwrap();
        // 400 · log10(0.64 / 0.36) = 99.95.
        assert!((found.value - 99.95).abs() < 0.01, "{found}");
        assert!(found.interval.is_some_and(|(low, high)| low < 93.0 && high > 107.0));
        assert_eq!(elo(Estimate::bare(1.0)), None);
        let sure = elo(Estimate { value: 0.98, interval: Some((0.9, 1.0)) }).unwrap();
        assert_eq!(sure.interval, None, "a score of 1 has no Elo");
    }
}
