//! The search for fronts, on a toy with figures in closed form: its cost against that of a full grid, and
//! the truth of the confirmed intervals.

use std::collections::BTreeMap;

use itertools::Itertools;
use parlour::game::Sweep;
use parlour::results::Goal;
use parlour::stats::{Estimate, Moments, normal};
use parlour::tune::{Figures, FrontSearch, RuleSet, Space};
use parlour::{Result, Seed};
use rayon::prelude::*;
use serde_json::json;

/// The number of searches, and in how many of them the front is to be found.
const SEEDS: u64 = 50;
const MOST: usize = 45;

/// Deals of each rule set in the last round.
const DEALS: u64 = 64_000;

/// The fields of the toy: 7200 rule sets.
const FIELDS: [&str; 5] = ["a=0..9", "b=0..9", "c=0..5", "d=0..3", "w=x,y,z"];

/// Length to minimize, a score that is to be one half, and a draw rate of at most 0.2.
const GOALS: [Goal; 3] = [Goal::Min, Goal::Near(0.5), Goal::AtMost(0.2)];

/// Standard deviations of the figures of one deal. Half of the variance is common to all rule sets.
const DEVIATIONS: [f64; 3] = [12.0, 0.5, 0.4];

/// A front is found if its rule sets, by their true figures, dominate this share of the area that the true
/// front dominates. Rule sets beyond the limit do not count.
const ENOUGH: f64 = 0.98;

/// The figures of a rule set: no parabolas, so that the surfaces do not fit exactly.
fn truth(set: &RuleSet) -> [f64; 3] {
    let [a, b, c, d, w] = set[..] else { unreachable!() };
    let [a, b, c, d] = [(a, 9.0), (b, 9.0), (c, 5.0), (d, 3.0)].map(|(x, most)| x as f64 / most);
    let length = 20.0 + 40.0 * a / (0.3 + a) * (1.0 - 0.3 * b) + 8.0 * c * d + [0.0, 2.0, 5.0][w];
    let score = 0.5 + 0.3 / (1.0 + 4.0 * a) - 0.1 * b * c - [0.0, 0.03, 0.02][w] + 0.03 * d;
    let draws = 0.05 + 0.35 * b / (0.5 + b) * (1.0 - 0.7 * d) + 0.05 * c * a;
    [length, score, draws]
}

/// The two losses, unless the rule set is beyond the limit.
fn losses(set: &RuleSet) -> Option<[f64; 2]> {
    let truth = truth(set);
    (truth[2] <= 0.2).then(|| [GOALS[0].loss(truth[0]), GOALS[1].loss(truth[1])])
}

/// The area that the true losses of rule sets dominate.
fn area<'a>(sets: impl IntoIterator<Item = &'a RuleSet>, end: [f64; 2]) -> f64 {
    let all = sets.into_iter().filter_map(losses).sorted_by(|a, b| a[0].total_cmp(&b[0]));
    let mut height = end[1];
    let mut area = 0.0;
    for [x, y] in all {
        area += (end[0] - x).max(0.0) * (height - y).max(0.0);
        height = height.min(y);
    }
    area
}

/// Measured figures after some deals. More deals of a rule set begin with the same ones.
fn measure(seed: Seed, set: &RuleSet, deals: u64) -> Figures {
    let own = set.iter().fold(seed.named("own"), |seed, value| seed.child(*value as u64));
    let truth = truth(set);
    let figure = |figure: usize| {
        let (mut sum, mut done, mut block) = (0.0, 0, 0);
        while done < deals {
            let next = (64 << block).min(deals);
            for of in [seed.named("common"), own] {
                let mut chance = of.child(figure as u64).child(block).stream();
                sum += ((next - done) as f64 / 2.0).sqrt() * normal(&mut chance);
            }
            (done, block) = (next, block + 1);
        }
        let value = truth[figure] + DEVIATIONS[figure] * sum / deals as f64;
        let half = 1.96 * DEVIATIONS[figure] / (deals as f64).sqrt();
        Some(Estimate::symmetric(value, half))
    };
    (0..3).map(figure).collect()
}

/// The front of a full grid: no measured rule set within the limit dominates it.
fn grid(seed: Seed, all: &[RuleSet], deals: u64) -> Vec<RuleSet> {
    let measured = all.iter().map(|set| (set, measure(seed, set, deals)));
    let losses = measured.filter_map(|(set, figures)| {
        let found: Vec<f64> = figures.iter().flatten().map(|e| e.value).collect();
        let loss = [GOALS[0].loss(found[0]), GOALS[1].loss(found[1])];
        (found[2] <= 0.2).then_some((loss, set))
    });
    let mut best = f64::INFINITY;
    let order = losses.sorted_by(|a, b| a.0[0].total_cmp(&b.0[0]));
    let is_better = |(loss, _): &([f64; 2], &RuleSet)| {
        let is_better = loss[1] < best;
        best = best.min(loss[1]);
        is_better
    };
    order.filter(is_better).map(|(_, set)| set.clone()).collect()
}

#[test]
fn a_front_is_found_with_a_third_of_the_deals_of_a_grid() -> Result<()> {
    let sweep = Sweep::parse(FIELDS)?;
    let space = Space::new(&sweep, &json!({ "a": 5, "b": 0, "c": 2, "d": 1, "w": "x" }));
    let sizes = sweep.fields().map(|(_, values)| 0..values.len());
    let all: Vec<RuleSet> = sizes.multi_cartesian_product().collect();
    // The front ends where each loss of the true front is the highest, and a tenth further.
    let front = {
        let losses: BTreeMap<_, _> =
            all.iter().filter_map(|set| Some((set, losses(set)?))).collect();
        let beats = |a: &[f64; 2], b: &[f64; 2]| a != b && a[0] <= b[0] && a[1] <= b[1];
        let is_best = |own: &[f64; 2]| !losses.values().any(|other| beats(other, own));
        losses.values().filter(|own| is_best(own)).copied().collect_vec()
    };
    let end = [0, 1].map(|goal| {
        let (low, high) = front.iter().map(|it| it[goal]).minmax().into_option().unwrap();
        high + 0.1 * (high - low)
    });
    let most = area(&all, end);
    let share = |sets: &[RuleSet]| area(sets, end) / most;
    let search = |number: u64| {
        let (seed, mut deals) = (Seed::new(number), 0);
        let search =
            FrontSearch { space: &space, goals: &GOALS, rule_sets: 192, deals: DEALS, seed };
        let found = search.run(&mut |sets, each, _| {
            deals += sets.len() as u64 * each;
            Ok(sets.iter().map(|set| measure(seed, set, each)).collect())
        })?;
        // The front on fresh deals, by the intervals of real runs.
        let mut covered = Vec::new();
        for set in &found.front {
            let mut moments = [Moments::default(); 3];
            let mut chance = seed.named("fresh").child(covered.len() as u64).stream();
            for _ in 0..1000 {
                for (figure, moments) in moments.iter_mut().enumerate() {
                    let x = truth(set)[figure] + DEVIATIONS[figure] * normal(&mut chance);
                    moments.add((1000.0 * x).round() as i64);
                }
            }
            let means = moments.iter().map(|it| it.mean(0.001).unwrap());
            covered.extend(means.zip(truth(set)).map(|(mean, truth)| !mean.excludes(truth)));
        }
        Ok((share(&found.front), deals, covered))
    };
    let found: Vec<_> = (0..SEEDS).into_par_iter().map(search).collect::<Result<_>>()?;
    let successes =
        |shares: &mut dyn Iterator<Item = f64>| shares.filter(|it| *it >= ENOUGH).count();
    let found_in = successes(&mut found.iter().map(|it| it.0));
    let deals = found.iter().map(|it| it.1).max().unwrap();
    let covered = found.iter().flat_map(|it| &it.2).collect_vec();
    let coverage = covered.iter().filter(|it| ***it).count() as f64 / covered.len() as f64;
    // The grid has three times as many deals.
    let each = 3 * deals / all.len() as u64;
    let shares: Vec<f64> = (0..SEEDS)
        .into_par_iter()
        .map(|number| share(&grid(Seed::new(number), &all, each)))
        .collect();
    let found_by_grid = successes(&mut shares.iter().copied());
    let text = format!(
        "found in {found_in} of {SEEDS} seeds with {deals} deals, by the grid in {found_by_grid} with {}; \
         {:.1} % of {} intervals cover the truth",
        each * all.len() as u64,
        100.0 * coverage,
        covered.len()
    );
    println!("{text}");
    assert!(found_in >= MOST && found_by_grid < MOST, "{text}");
    assert!((0.93..=0.97).contains(&coverage), "{text}");
    Ok(())
}
