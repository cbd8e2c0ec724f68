//! All numbers of a run, made once from its final tallies.

use super::confirm::Confirmed;
use super::figures::{names, of_variant, rated};
use super::matchups::{Matchup, matchups};
use super::populations::{Population, populations};
use super::standings::Standing;
use super::variants::{Difference, VariantFigure, VariantFigures};
use crate::arena::{Plan, Tally, UNIT};
use crate::stats::{Controlled, Controls, Estimate, holm, jackknife_all, jackknife_p};
use crate::strategy::Strategic;

/// All numbers of a run.
#[derive(Clone, Debug)]
pub struct Summary {
    /// Each pairing (or place in a line-up).
    pub matchups: Vec<Matchup>,
    /// Each strategy under each variant, the best first.
    pub standings: Vec<Standing>,
    /// Each variant's figures.
    pub variants: Vec<VariantFigures>,
    /// Each figure between each two variants, on the same deals.
    pub differences: Vec<Difference>,
    /// The variants under which strategies beat one another in a ring.
    pub populations: Vec<Population>,
    /// Whether the run ended before its last deal, because `until` was reached.
    pub early: bool,
    /// Each variant's best strategy on fresh deals, where the experiment asks for it.
    pub confirmed: Vec<Confirmed>,
}

impl Summary {
    /// Makes the numbers from the tallies of all chunks.
    pub fn new<G: Strategic>(plan: &Plan<G>, tallies: &[Tally]) -> Summary {
        let mut total = plan.layout.empty();
        tallies.iter().for_each(|tally| total.merge(tally));
        let weights: Vec<u64> = tallies.iter().map(|t| t.deals).collect();
        let without = |left_out: Option<usize>| match left_out {
            Some(chunk) => total.without(&tallies[chunk]),
            None => total.clone(),
        };
        let figures = names::<G>();
        let (count, strategies) = (figures.len(), plan.strategies.len());
        // Of every variant the figures, then the ratings: computed once for each chunk left out.
        let wide = count + strategies;
        let numbers = |left_out: Option<usize>| -> Vec<Option<f64>> {
            let tally = without(left_out);
            let one = |variant| {
                let (figures, ratings) = of_variant(plan, &tally, variant);
                figures.into_iter().chain(ratings.ratings.into_iter().map(Some)).collect::<Vec<_>>()
            };
            (0..plan.variants.len()).flat_map(one).collect()
        };
        let full = numbers(None);
        let partial: Vec<Vec<Option<f64>>> = (0..tallies.len()).map(|g| numbers(Some(g))).collect();
        let known = |left_out: Option<usize>| left_out.map_or(&full, |g| &partial[g]);
        let estimates = jackknife_all(&weights, |left_out| known(left_out).clone());

        let variants = (0..plan.variants.len())
            .map(|variant| {
                let mut figures: Vec<VariantFigure> = figures
                    .iter()
                    .zip(&estimates[variant * wide..])
                    .map(|(&(name, unit, meaning), estimate)| VariantFigure {
                        name,
                        unit,
                        meaning,
                        estimate: estimate.map(|e| within(unit, e)),
                    })
                    .collect();
                // The score of the first seat has its exact variance between deals.
                let hands = hands_per_deal(plan, variant);
                figures[0].estimate =
                    plan.layout.first(&total, variant).score(1.0 / (hands as f64 * UNIT as f64));
                VariantFigures {
                    variant: plan.variants[variant].name.clone(),
                    deals: total.deals,
                    hands: hands * total.deals,
                    figures,
                    controlled: controlled(plan, tallies, variant, hands),
                    counters: counters(plan, &total, variant),
                    spread: plan.variants[variant].game.spread(),
                    shape: plan.layout.spread(&total, variant),
                }
            })
            .collect();

        let pairs: Vec<(usize, usize)> = (0..plan.variants.len())
            .flat_map(|a| (a + 1..plan.variants.len()).map(move |b| (a, b)))
            .collect();
        let change = |numbers: &[Option<f64>], a: usize, b: usize, figure: usize| {
            let at = |variant: usize| numbers[variant * wide + figure];
            at(a).zip(at(b)).map(|(a, b)| b - a)
        };
        let changes = jackknife_all(&weights, |left_out| {
            let numbers = known(left_out);
            pairs
                .iter()
                .flat_map(|&(a, b)| (0..count).map(move |f| change(numbers, a, b, f)))
                .collect()
        });
        let mut differences: Vec<Difference> = pairs
            .iter()
            .flat_map(|&(a, b)| (0..count).map(move |figure| (a, b, figure)))
            .zip(changes)
            .filter_map(|((a, b, figure), change)| {
                Some(Difference {
                    from: plan.variants[a].name.clone(),
                    to: plan.variants[b].name.clone(),
                    figure: figures[figure].0,
                    unit: figures[figure].1,
                    before: full[a * wide + figure]?,
                    after: full[b * wide + figure]?,
                    change: change?,
                    p: jackknife_p(change?, tallies.len()),
                    p_holm: None,
                })
            })
            .collect();
        let adjusted = holm(&differences.iter().map(|d| d.p).collect::<Vec<_>>());
        for (difference, p) in differences.iter_mut().zip(adjusted) {
            difference.p_holm = p;
        }

        let mut standings = Vec::new();
        for variant in 0..plan.variants.len() {
            let ratings = &estimates[variant * wide + count..(variant + 1) * wide];
            standings.extend(standing(plan, &total, variant, ratings));
        }
        let chunks = (0..).zip(tallies.iter().cloned()).collect();
        let decision = plan.decision(&chunks);
        let matchups = matchups(plan, &total, tallies, &decision);
        let populations = populations(plan, tallies, &matchups);
        let early = decision.early;
        Summary {
            matchups,
            standings,
            variants,
            differences,
            populations,
            early,
            confirmed: Vec::new(),
        }
    }

    /// What a strategy scores against another in their pairing under a variant.
    pub fn score(&self, variant: &str, strategy: &str, opponent: &str) -> Option<Estimate> {
        let met = |a: &str, b: &str| {
            let same = |m: &&Matchup| m.variant == variant && m.strategy == a && m.opponent == b;
            self.matchups.iter().find(same)?.score
        };
        let turned = || met(opponent, strategy).map(|score| score.scaled(-1.0).shifted(1.0));
        met(strategy, opponent).or_else(turned)
    }
}

/// The first seat's score by the control variate; the parts whose coefficients are fitted apart are
/// the chunks.
fn controlled<G: Strategic>(
    plan: &Plan<G>,
    tallies: &[Tally],
    variant: usize,
    hands: u64,
) -> Option<Controlled> {
    let parts: Option<Vec<Controls>> =
        tallies.iter().map(|tally| plan.layout.controls(tally, variant)).collect();
    let found = Controls::mean(&parts?, 1.0 / (hands as f64 * UNIT as f64))?;
    Some(Controlled { mean: found.mean.clamped(0.0, 1.0), ..found })
}

/// The game's counters over all tables of a variant.
fn counters<G: Strategic>(plan: &Plan<G>, total: &Tally, variant: usize) -> Vec<i64> {
    let mut sums = vec![0; G::COUNTERS.len()];
    for (number, _) in plan.tables.iter().enumerate().filter(|(_, t)| t.variant == variant) {
        for (sum, x) in sums.iter_mut().zip(plan.layout.table(total, number).counters) {
            *sum += x;
        }
    }
    sums
}

/// A share lies between 0 and 1, and so do the ends of its interval.
fn within(unit: &str, estimate: Estimate) -> Estimate {
    if unit.starts_with("share") { estimate.clamped(0.0, 1.0) } else { estimate }
}

fn hands_per_deal<G: Strategic>(plan: &Plan<G>, variant: usize) -> u64 {
    let tables = 0..plan.tables.len();
    tables.filter(|&t| plan.tables[t].variant == variant).map(|t| plan.hands_of(t)).sum()
}

/// The strategies of one variant, the best rated first; equal ratings stand as in the experiment.
fn standing<G: Strategic>(
    plan: &Plan<G>,
    total: &Tally,
    variant: usize,
    ratings: &[Option<Estimate>],
) -> Vec<Standing> {
    let mut rows: Vec<Standing> = rated(plan, variant)
        .into_iter()
        .map(|strategy| {
            let (mut matches, mut hands) = (0, 0);
            for (number, table) in plan.tables.iter().enumerate() {
                if table.variant == variant && !table.is_mirror() {
                    let places = table.line_up.iter().filter(|&&s| s == strategy).count() as u64;
                    matches += places * table.line_up.len() as u64;
                    hands += places * plan.hands_of(number);
                }
            }
            let score = plan.layout.standing(total, variant, strategy);
            Standing {
                variant: plan.variants[variant].name.clone(),
                strategy: plan.strategies[strategy].name.clone(),
                matches: matches * total.deals,
                hands: hands * total.deals,
                score: score.score(1.0 / (matches as f64 * UNIT as f64)),
                rating: ratings[strategy],
                rank: 0,
            }
        })
        .collect();
    let rating = |row: &Standing| row.rating.map_or(0.0, |r| r.value);
    rows.sort_by(|a, b| rating(b).total_cmp(&rating(a)));
    for (index, row) in rows.iter_mut().enumerate() {
        row.rank = index + 1;
    }
    rows
}
