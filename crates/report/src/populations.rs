//! Non-transitive populations: strategies that beat one another in a cycle.

use super::rows::{Matchup, PopulationRow};
use super::sample::Sample;
use parlour_arena::{PlanInfo, PlannedTable, UNIT};
use parlour_base::chance::Seed;
use parlour_stats::Estimate;
use parlour_stats::{
    Bootstrap, Comparison, Moments, POPULATION, alpha_rank, bootstrap_all, nash_average,
    non_transitive_cycles,
};

/// The intensity of selection of α-rank. Higher values no longer change the ranking.
const INTENSITY: f64 = 100.0;

/// Number of bootstrap replicates.
const REPLICATES: usize = 500;

/// Returns all strategies of a variant with a significant cycle; nothing without a cycle, or if some
/// strategies did not meet at a table of two. `matchups` are the variant's.
pub(super) fn population(
    plan: &PlanInfo,
    sample: &Sample<'_>,
    variant: usize,
    matchups: &[Matchup],
) -> Vec<PopulationRow> {
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
    let estimates = placements(plan, sample, variant).unwrap_or_default();
    let row = |s: usize| PopulationRow {
        variant: plan.variants[variant].name.clone(),
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
fn placements(plan: &PlanInfo, sample: &Sample<'_>, variant: usize) -> Option<Vec<Estimate>> {
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
        let nash = nash_average(&scores);
        let alpha = alpha_rank(&scores, POPULATION, INTENSITY);
        let nash = nash.map_or((None, None), |nash| (Some(nash.shares), Some(nash.scores)));
        let all = [nash.0, nash.1, alpha].into_iter();
        all.flat_map(|list| (0..count).map(move |s| Some(list.as_ref()?[s]))).collect()
    };
    let seed =
        Seed::new(plan.experiment().seed).named("bootstrap").named(&plan.variants[variant].name);
    let how = Bootstrap { replicates: REPLICATES, seed };
    bootstrap_all(sample.chunks.len(), how, statistics).into_iter().collect()
}
