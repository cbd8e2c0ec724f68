//! Populations that are not a ladder: strategies that beat one another in a ring.

use super::rows::{Matchup, Placed};
use crate::arena::{PlanInfo, PlannedTable, Tally, UNIT};
use crate::stats::{
    Bootstrap, Comparison, Moments, POPULATION, alpha_rank, bootstrap_all, nash_average,
    non_transitive_cycles,
};
use crate::{Estimate, Seed};

/// The intensity of selection for α-rank: from here on rankings of scores no longer change.
const INTENSITY: f64 = 100.0;

/// So many times the chunks are drawn again.
const REPLICATES: usize = 500;

/// All strategies of a variant with a proven ring, where every strategy met every other at tables of
/// two; none of another. `matchups` are the variant's.
pub(super) fn population(
    plan: &PlanInfo,
    tallies: &[Tally],
    variant: usize,
    matchups: &[Matchup],
) -> Vec<Placed> {
    let count = plan.names().len();
    let duel = |row: &Matchup| {
        let (a, b) = row.pair.filter(|(a, b)| a != b)?;
        Some(Comparison { a, b, score: row.score?.value, p: row.p })
    };
    let duels: Vec<Comparison> = matchups.iter().filter_map(duel).collect();
    let rings = non_transitive_cycles(count, &duels);
    if rings.is_empty() || duels.len() != count * (count - 1) / 2 {
        return Vec::new();
    }
    let estimates = place(plan, tallies, variant).unwrap_or_default();
    let row = |s: usize| Placed {
        variant: plan.variants[variant].name.clone(),
        strategy: plan.name_of(s).to_owned(),
        ring: rings.iter().position(|ring| ring.contains(&s)).map(|ring| ring + 1),
        nash_share: estimates[s],
        nash_score: estimates[count + s],
        alpha_rank: estimates[2 * count + s],
    };
    (0..count).filter(|_| !estimates.is_empty()).map(row).collect()
}

/// Of every strategy the share and score of the Nash average, and the share of α-rank, with the
/// bootstrap over chunks.
fn place(plan: &PlanInfo, tallies: &[Tally], variant: usize) -> Option<Vec<Estimate>> {
    let count = plan.names().len();
    let of_pairs = |table: &&PlannedTable| table.variant == variant && !table.is_mirror();
    let statistics = |times: &[u64]| -> Vec<Option<f64>> {
        let mut scores = vec![vec![0.5; count]; count];
        for (number, table) in plan.tables.iter().enumerate().filter(|(_, t)| of_pairs(t)) {
            // The units of the first place, and the most it could have got.
            let sum = |of: &dyn Fn(&Moments) -> f64| -> f64 {
                let chunks = tallies.iter().zip(times);
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
    bootstrap_all(tallies.len(), how, statistics).into_iter().collect()
}
