//! Results of the strategies: pairings, ratings, neighbours on the ladder, levels of strength, and
//! non-transitive populations, whose strategies beat one another in a cycle.
//!
//! Unlike the spread of all ratings, neither neighbours nor levels depend on the other participants.

use itertools::Itertools;

use crate::figures::{anchor, rated};
use crate::rows::{LadderRow, Matchup, PopulationRow, Standing};
use crate::sample::{Sample, adjust_p_values};
use crate::summary::VariantSummary;
use parlour_arena::{
    FaultCounts, LuckTarget, OrderCounts, PlannedTable, SprtResult, TableTally, Tally, UNIT,
};
use parlour_base::chance::Seed;
use parlour_base::maths::exact::log10;
use parlour_stats::{
    Comparison, Estimate, Moments, POPULATION, alpha_rank, bootstrap_all, luck_at_gap,
    nash_average, non_transitive_cycles, shares,
};

/// The minimum score of a level against the next.
const LEVEL_SCORE: f64 = 0.6;

/// The gap in Elo of `luck_share_100_elo`.
const GAP: f64 = 100.0;

/// The largest gap in Elo of two players that represent equal ones.
const MAX_EQUAL_GAP: f64 = 200.0;

/// The intensity of selection of α-rank. Higher values no longer change the ranking.
const INTENSITY: f64 = 100.0;

/// Number of bootstrap replicates.
const REPLICATES: usize = 500;

/// Returns all pairings of a run by variant, in the order of its tables. `tested` has the state of the
/// sequential test of each table, or is empty without a test.
pub(super) fn matchups(sample: &Sample<'_>, tested: &[SprtResult]) -> Vec<Vec<Matchup>> {
    let plan = sample.plan;
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
            let lucky = |target| sample.total.luck_of(target).filter(|_| has_luck);
            let [lucky, even] = [LuckTarget::Score(number), LuckTarget::Margin(number)].map(lucky);
            let tested = tested.get(number);
            variants[table.variant].push(Matchup {
                variant: plan.variants[table.variant].label.clone(),
                strategy: name(&table.line_up[slot]).to_owned(),
                opponent: others.map(|(_, s)| name(s)).join("+"),
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
                sprt_verdict: tested.map(|tested| tested.verdict),
                sprt_llr: tested.map(|tested| tested.llr),
                sprt_score: tested.and_then(|tested| tested.score),
                variance_ratio: variance_ratio(counted),
                pentanomial: (seats == 2).then_some(counted.pentanomial),
                score_luck_adjusted: lucky
                    .as_ref()
                    .and_then(|lucky| lucky.estimate(unit))
                    .map(|score| score.clamped(0.0, 1.0)),
                remaining_variance: lucky.and_then(|lucky| lucky.remaining()),
                margin_luck_adjusted: even.and_then(|even| even.estimate(margin_unit)),
                ..Matchup::default()
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

/// Score of each of `count` strategies against each other one at tables of two.
pub(super) fn score_matrix(count: usize, rows: &[Matchup]) -> Vec<Vec<Option<Estimate>>> {
    let mut scores = vec![vec![None; count]; count];
    let swapped = rows.iter().cloned().map(Matchup::swapped);
    for row in rows.iter().cloned().chain(swapped) {
        if let Some((a, b)) = row.pair {
            scores[a][b] = scores[a][b].or(row.score);
        }
    }
    scores
}

/// Returns the strategies of a variant, best rating first; equal ratings in the experiment's order.
pub(super) fn standings(
    sample: &Sample<'_>,
    variant: usize,
    ratings: &[Option<Estimate>],
) -> Vec<Standing> {
    let (plan, total) = (sample.plan, &sample.total);
    let row = |number: usize| {
        let (mut matches, mut hands, mut faults, mut results) = (0, 0, 0, [0_u64; 3]);
        let mut fault_kinds = FaultCounts::default().0;
        let tables = plan.tables.iter().enumerate();
        for (index, table) in tables.filter(|(_, t)| t.variant == variant && !t.is_mirror()) {
            let slots = table.line_up.iter().zip(&total.tables[index].slots);
            for (_, slot) in slots.filter(|(strategy, _)| **strategy == number) {
                matches += table.line_up.len() as u64;
                hands += plan.hands_of(index);
                faults += slot.faults;
                fault_kinds.iter_mut().zip(slot.fault_kinds.0).for_each(|(sum, n)| *sum += n);
                let counts = [slot.wins, slot.draws, slot.losses];
                results.iter_mut().zip(counts).for_each(|(sum, n)| *sum += n);
            }
        }
        let [wins, draws, losses] = results;
        let row = Standing {
            variant: plan.variants[variant].label.clone(),
            strategy: plan.name_of(number).to_owned(),
            number,
            rank: 0,
            matches: matches * total.deals,
            hands: hands * total.deals,
            score: total.variants[variant].standings[number]
                .score(1.0 / (matches as f64 * UNIT as f64)),
            rating: ratings[number],
            faults,
            fault_kinds,
        };
        (row, draws == 0 && (wins == 0) != (losses == 0))
    };
    let mut rows: Vec<(Standing, bool)> = rated(plan, variant).into_iter().map(row).collect();
    // After winning or losing every match a rating depends on the prior: its error is unknown.
    let anchor = anchor(plan);
    let is_anchor = |row: &Standing| anchor.is_some_and(|(number, _)| row.number == number);
    let has_extreme_anchor = rows.iter().any(|(row, is_extreme)| *is_extreme && is_anchor(row));
    for (row, is_extreme) in &mut rows {
        row.rating = row.rating.map(|rating| match rating.value {
            value if is_anchor(row) => Estimate::exact(value),
            value if *is_extreme || has_extreme_anchor => Estimate::bare(value),
            _ => rating,
        });
    }
    let mut rows: Vec<Standing> = rows.into_iter().map(|(row, _)| row).collect();
    // Compare written digits only: smaller differences are rounding.
    let rating = |row: &Standing| row.rating.map_or(0.0, |r| (r.value * 1e6).round());
    rows.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
    rows.iter_mut().zip(1..).for_each(|(row, rank)| row.rank = rank);
    rows
}

/// Returns the strongest two neighbours under a variant that are close enough to represent equally
/// good players.
pub(super) fn equal_players<'a>(ladder: &'a [LadderRow], variant: &str) -> Option<&'a LadderRow> {
    let is_close = |row: &&LadderRow| row.elo_gap.is_some_and(|g| g.value.abs() <= MAX_EQUAL_GAP);
    ladder.iter().filter(|row| row.variant == variant).find(is_close)
}

/// Converts a score to a difference in Elo. Scores of 0 and 1 have none.
pub fn elo(score: Estimate) -> Option<Estimate> {
    let one = |s: f64| (s > 0.0 && s < 1.0).then(|| 400.0 * log10(s / (1.0 - s)));
    let interval = score.interval.and_then(|(low, high)| one(low).zip(one(high)));
    Some(Estimate { value: one(score.value)?, interval })
}

/// Returns the neighbours of all variants.
pub(super) fn ladder(sample: &Sample<'_>, variants: &[VariantSummary]) -> Vec<LadderRow> {
    let mut found = Vec::new();
    for (number, variant) in variants.iter().enumerate() {
        for two in variant.standings.windows(2) {
            let (a, b) = (two[0].number, two[1].number);
            let met = |t: &PlannedTable| {
                t.variant == number && (t.line_up == [a, b] || t.line_up == [b, a])
            };
            let Some(table) = sample.plan.tables.iter().position(met) else { continue };
            let score = variant.scores[a][b];
            let row = LadderRow {
                variant: variant.variant.clone(),
                strategy: two[0].strategy.clone(),
                below: two[1].strategy.clone(),
                score,
                elo_gap: score.and_then(elo),
                ..LadderRow::default()
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
            [shares(seatings).map(|[luck, ..]| luck), at(0.0), at(GAP)]
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

/// Returns the levels of strength, best first. A level begins with each member of the longest chain of
/// strategies in which each scores at least 60 % against the next and significantly more than half;
/// the others belong to the level of their rating.
pub(super) fn levels(variant: &VariantSummary) -> Vec<String> {
    let rows = &variant.standings;
    let is_clear =
        |e: Estimate| e.value >= LEVEL_SCORE && e.interval.is_some_and(|(low, _)| low > 0.5);
    let is_above =
        |a: &Standing, b: &Standing| variant.scores[a.number][b.number].is_some_and(is_clear);
    // From the last strategy backwards: the longest chain that starts at each.
    let mut chains: Vec<Vec<&Standing>> = Vec::new();
    for (at, a) in rows.iter().enumerate().rev() {
        let below = rows[at + 1..].iter().rev().zip(&chains);
        let below = below.filter(|(b, _)| is_above(a, b)).map(|(_, chain)| chain);
        let longest = below.max_by_key(|chain| chain.len()).into_iter().flatten();
        chains.push(std::iter::once(a).chain(longest.copied()).collect());
    }
    let longest = chains.into_iter().rev().max_by_key(Vec::len).unwrap_or_default();
    let starts_level =
        |row: &Standing| longest.iter().skip(1).any(|first| first.number == row.number);
    let mut levels = vec![Vec::new(); usize::from(!rows.is_empty())];
    for row in rows {
        levels.extend(starts_level(row).then(Vec::new));
        levels.last_mut().into_iter().for_each(|level| level.push(row.strategy.as_str()));
    }
    levels.into_iter().map(|level| level.join(", ")).collect()
}

/// Returns all strategies of a variant with a significant cycle; nothing without a cycle, or if some
/// strategies did not meet at a table of two. `matchups` are the variant's.
pub(super) fn population(
    sample: &Sample<'_>,
    variant: usize,
    matchups: &[Matchup],
) -> Vec<PopulationRow> {
    let plan = sample.plan;
    let count = plan.names().len();
    let duel = |row: &Matchup| {
        let (a, b) = row.pair.filter(|(a, b)| a != b)?;
        Some(Comparison { a, b, score: row.score?.value, p: row.p_value })
    };
    let duels: Vec<Comparison> = matchups.iter().filter_map(duel).collect();
    let rings = non_transitive_cycles(count, &duels);
    if rings.is_empty() || duels.len() != count * (count - 1) / 2 {
        return Vec::new();
    }
    let estimates = placements(sample, variant).unwrap_or_default();
    let row = |s: usize| PopulationRow {
        variant: plan.variants[variant].label.clone(),
        strategy: plan.name_of(s).to_owned(),
        cycle: rings.iter().position(|ring| ring.contains(&s)).map(|ring| ring + 1),
        nash_share: estimates[s],
        nash_score: estimates[count + s],
        alpha_rank: estimates[2 * count + s],
    };
    (0..count).filter(|_| !estimates.is_empty()).map(row).collect()
}

/// Bootstrap estimates over chunks: Nash shares of all strategies, then their Nash scores, then their
/// α-rank shares.
fn placements(sample: &Sample<'_>, variant: usize) -> Option<Vec<Estimate>> {
    let plan = sample.plan;
    let count = plan.names().len();
    let of_pairs = |table: &&PlannedTable| table.variant == variant && !table.is_mirror();
    let statistics = |times: &[u64]| -> Vec<Option<f64>> {
        let mut scores = vec![vec![0.5; count]; count];
        for (number, table) in plan.tables.iter().enumerate().filter(|(_, t)| of_pairs(t)) {
            // Points of the first place, and the maximum that it could have scored.
            let sum = |of: &dyn Fn(&Moments) -> f64| -> f64 {
                let chunks = sample.chunks.iter().zip(times);
                chunks.map(|(t, &n)| n as f64 * of(&t.tables[number].slots[0].score)).sum()
            };
            let most = sum(&|score| 2.0 * UNIT as f64 * score.n as f64);
            let score = sum(&|score| score.sum as f64) / most.max(1.0);
            let (a, b) = (table.line_up[0], table.line_up[1]);
            (scores[a][b], scores[b][a]) = (score, 1.0 - score);
        }
        let (nash_shares, nash_scores) = nash_average(&scores).unzip();
        let all = [nash_shares, nash_scores, alpha_rank(&scores, POPULATION, INTENSITY)];
        all.into_iter().flat_map(|list| (0..count).map(move |s| Some(list.as_ref()?[s]))).collect()
    };
    let seed =
        Seed::new(plan.experiment().seed).named("bootstrap").named(&plan.variants[variant].name);
    bootstrap_all(sample.chunks.len(), REPLICATES, seed, statistics).into_iter().collect()
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
