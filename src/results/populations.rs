//! Populations that are not a ladder: strategies that beat one another in a ring.

use super::rows::{Matchup, Placed};
use crate::arena::{Plan, Tally, UNIT};
use crate::chance::Seed;
use crate::stats::{
    Bootstrap, Duel, Estimate, POPULATION, alpha_rank, bootstrap_all, nash_average, rings,
};
use crate::strategy::Strategic;

/// The strategies of a variant under which some beat one another in a ring.
#[derive(Clone, Debug)]
pub struct Population {
    /// The rings, by their members' names.
    pub rings: Vec<Vec<String>>,
    /// Every strategy.
    pub rows: Vec<Placed>,
}

/// The intensity of selection for α-rank: from here on rankings of scores no longer change.
const INTENSITY: f64 = 100.0;

/// So many times the chunks are drawn again.
const REPLICATES: usize = 500;

/// The population of a variant with a proven ring, where every strategy met every other at tables of
/// two; `matchups` are the variant's.
pub(super) fn population<G: Strategic>(
    plan: &Plan<G>,
    tallies: &[Tally],
    variant: usize,
    matchups: &[Matchup],
) -> Option<Population> {
    let count = plan.names().len();
    let duel = |row: &Matchup| {
        let (a, b) = row.pair.filter(|(a, b)| a != b)?;
        Some(Duel { a, b, score: row.score?.value, p: row.p })
    };
    let duels: Vec<Duel> = matchups.iter().filter_map(duel).collect();
    let rings = rings(count, &duels);
    if rings.is_empty() || duels.len() != count * (count - 1) / 2 {
        return None;
    }
    let estimates = place(plan, tallies, variant)?;
    let name = |s: usize| plan.name_of(s).to_owned();
    let row = |s: usize| Placed {
        variant: plan.variants[variant].name.clone(),
        strategy: name(s),
        ring: rings.iter().position(|ring| ring.contains(&s)).map(|ring| ring + 1),
        nash_share: estimates[s],
        nash_score: estimates[count + s],
        alpha_rank: estimates[2 * count + s],
    };
    Some(Population {
        rings: rings.iter().map(|ring| ring.iter().map(|&s| name(s)).collect()).collect(),
        rows: (0..count).map(row).collect(),
    })
}

/// Of every strategy the share and score of the Nash average, and the share of α-rank, with the
/// bootstrap over chunks.
fn place<G: Strategic>(plan: &Plan<G>, tallies: &[Tally], variant: usize) -> Option<Vec<Estimate>> {
    let count = plan.names().len();
    // By chunk and table: the units of the first place, and the most it could have got.
    let tables: Vec<usize> = (0..plan.tables.len())
        .filter(|&t| plan.tables[t].variant == variant && !plan.tables[t].is_mirror())
        .collect();
    let units: Vec<Vec<(f64, f64)>> = tallies
        .iter()
        .map(|tally| {
            let one = |&table: &usize| {
                let score = tally.tables[table].slots[0].score;
                (score.sum as f64, 2.0 * (UNIT as f64) * score.n as f64)
            };
            tables.iter().map(one).collect()
        })
        .collect();
    let statistics = |times: &[u64]| -> Vec<Option<f64>> {
        let mut scores = vec![vec![0.5; count]; count];
        for (at, &table) in tables.iter().enumerate() {
            let sum = |of: &dyn Fn(&(f64, f64)) -> f64| -> f64 {
                units.iter().zip(times).map(|(row, &n)| n as f64 * of(&row[at])).sum()
            };
            let score = sum(&|u| u.0) / sum(&|u| u.1).max(1.0);
            let (a, b) = (plan.tables[table].line_up[0], plan.tables[table].line_up[1]);
            (scores[a][b], scores[b][a]) = (score, 1.0 - score);
        }
        let nash = nash_average(&scores);
        let alpha = alpha_rank(&scores, POPULATION, INTENSITY);
        let of = |list: Option<&Vec<f64>>, s: usize| list.map(|l| l[s]);
        let shares = (0..count).map(|s| of(nash.as_ref().map(|n| &n.shares), s));
        let against = (0..count).map(|s| of(nash.as_ref().map(|n| &n.scores), s));
        shares.chain(against).chain((0..count).map(|s| of(alpha.as_ref(), s))).collect()
    };
    let seed =
        Seed::new(plan.experiment().seed).named("bootstrap").named(&plan.variants[variant].name);
    let how = Bootstrap { replicates: REPLICATES, seed };
    bootstrap_all(tallies.len(), how, statistics).into_iter().collect()
}
