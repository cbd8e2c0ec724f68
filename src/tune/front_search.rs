//! A search for a Pareto front in a space of rule sets, from a handful to millions.
//!
//! The first round plays a few deals of rule sets that fill the space evenly: points of a Sobol
//! sequence (Owen 1998; Burley 2020), and pairs that differ in one field (Morris, *Factorial sampling
//! plans*, Technometrics 33, 1991). All rule sets meet the same deals. A response surface for each figure
//! is fitted to the results. The next round plays twice as many deals of half as many rule sets. New ones
//! are among them: together, the chosen rule sets extend the front most in draws from the surfaces.
//!
//! The hypervolume of a front is measured along random directions of the space of objectives. It is the
//! mean of the front's reach, to the power of the number of goals. See Golovin and Zhang, *Random
//! hypervolume scalarizations for provable multi-objective black box optimization* (ICML 2020).

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools;
use rayon::prelude::*;
use serde_json::Value;

use crate::error::{Error, Result, ensure};
use crate::game::Sweep;
use crate::results::Goal;
use crate::stats::{Estimate, Reading, Surface, normal};
use crate::{Seed, Stream};

/// The maximum number of rule sets in the last round.
pub(super) const MAX_LAST: usize = 12;

/// The minimum number of deals of a round.
pub(super) const MIN_DEALS: u64 = 64;

/// The maximum number of rule sets that the surfaces are asked about, before those near the best.
const MAX_POOL: usize = 1 << 13;

/// The number of pairs in the first round that differ in the same field only.
const PAIRS: usize = 4;

/// The number of draws from the surfaces, and of directions in each.
const DRAWS: u64 = 32;
const DIRECTIONS: usize = 64;

/// The maximum number of values of a field that have an effect of their own besides the parabola.
const MAX_OWN: usize = 12;

/// A rule set: for each field the number of its value.
pub type RuleSet = Vec<usize>;

/// The results of a rule set: the figures of the objectives, then others that tell rule sets apart.
pub type Figures = Vec<Option<Estimate>>;

/// Plays rule sets, the given number of deals each, in a round that is counted down to 0. Returns the
/// figures of each rule set.
pub type PlayDeals<'a> = &'a mut dyn FnMut(&[RuleSet], u64, u32) -> Result<Vec<Figures>>;

/// A field of a space.
#[derive(Clone, Debug)]
struct Field {
    /// The coordinates of each value: its rank among numbers, from −1 to 1, or one for each other word.
    coordinates: Vec<Vec<f64>>,
    is_ordered: bool,
    /// The values that may be chosen.
    choices: Vec<usize>,
    /// The value of the original rules.
    original: Option<usize>,
}

/// All combinations of values of some fields.
#[derive(Clone, Debug)]
pub struct Space(Vec<Field>);

impl Space {
    /// Returns the space of a sweep around the original rules.
    pub fn new(sweep: &Sweep, original: &Value) -> Space {
        let field = |(name, values): (&str, &[Value])| {
            let numbers: Option<Vec<f64>> = values.iter().map(Value::as_f64).collect();
            let (count, is_ordered) = (values.len(), numbers.is_some());
            let coordinates = |number: usize| match &numbers {
                _ if count == 1 => Vec::new(),
                Some(all) => {
                    let rank = all.iter().filter(|other| **other < all[number]).count();
                    vec![2.0 * rank as f64 / (count - 1) as f64 - 1.0]
                }
                None if count == 2 => vec![2.0 * number as f64 - 1.0],
                None => (1..count).map(|other| f64::from(u8::from(other == number))).collect(),
            };
            Field {
                coordinates: (0..count).map(coordinates).collect(),
                is_ordered,
                choices: (0..count).collect(),
                original: values.iter().position(|value| *value == original[name]),
            }
        };
        Space(sweep.fields().map(field).collect())
    }

    /// The number of rule sets.
    fn count(&self) -> u128 {
        self.0.iter().fold(1, |count, it| count.saturating_mul(it.choices.len() as u128))
    }

    /// Returns the fields that may change, each with its choices.
    pub(super) fn free(&self) -> impl Iterator<Item = (usize, &[usize])> {
        let all = self.0.iter().map(|field| field.choices.as_slice()).enumerate();
        all.filter(|(_, choices)| choices.len() > 1)
    }

    /// Returns at most `count` different rule sets: all, or points of a scrambled Sobol sequence.
    pub(super) fn spread(&self, count: usize, seed: Seed) -> Vec<RuleSet> {
        if self.count() <= count as u128 {
            let choices = self.0.iter().map(|field| field.choices.iter().copied());
            return choices.multi_cartesian_product().collect();
        }
        let scramble = seed.number() as u32;
        let value = |number: u32, (at, field): (u32, &Field)| {
            let unit = sobol_burley::sample(number, at % 256, scramble.wrapping_add(at / 256));
            let choices = &field.choices;
            choices[((f64::from(unit) * choices.len() as f64) as usize).min(choices.len() - 1)]
        };
        let point = |number| (0..).zip(&self.0).map(|field| value(number, field)).collect();
        (0..1 << 16).map(point).unique().take(count).collect()
    }

    /// Returns the rule sets of the first round, at most this many.
    fn design(&self, most: usize, seed: Seed) -> Vec<RuleSet> {
        let fields = self.free().map(|(field, _)| field);
        let pairs = fields.cartesian_product(0..PAIRS).take(most / 2).collect_vec();
        let all = self.count() <= most as u128;
        let sets = self.spread(if all { most } else { most - 1 - pairs.len() }, seed);
        let pair = |(field, pair): &(usize, usize)| {
            let mut set = sets[(field + pair) % sets.len()].clone();
            let count = self.0[*field].choices.len();
            set[*field] = (set[*field] + 1 + pair % (count - 1)) % count;
            set
        };
        // The original rules are the mark to beat.
        let original: Option<RuleSet> = self.0.iter().map(|field| field.original).collect();
        let all = sets.iter().cloned().chain(pairs.iter().map(pair)).chain(original);
        all.sorted_unstable().dedup().collect()
    }

    /// Returns the rule sets that differ in one field, by little or more.
    fn neighbours(&self, set: &RuleSet) -> Vec<RuleSet> {
        let mut near = Vec::new();
        for (at, Field { choices, .. }) in self.0.iter().enumerate() {
            let count = choices.len();
            let now = choices.iter().position(|it| *it == set[at]).unwrap_or(0);
            for step in [1, count / 8, count / 3] {
                for to in [now + step, now + count - step] {
                    let mut next = set.clone();
                    next[at] = choices[to % count];
                    near.push(next);
                }
            }
        }
        near
    }

    /// Returns the features of a rule set: a constant, coordinates, squares, products of two fields, and an
    /// effect of each single value.
    pub(super) fn features(&self, set: &RuleSet) -> Vec<f64> {
        let mut features = vec![1.0];
        let at = |(field, value): (&'_ Field, &usize)| field.coordinates[*value].clone();
        let coordinates = self.0.iter().zip(set).map(at).collect_vec();
        features.extend(coordinates.iter().flatten());
        for (field, value) in self.0.iter().zip(set).filter(|(it, _)| it.is_ordered) {
            let count = field.coordinates.len();
            features.extend((count > 2).then(|| field.coordinates[*value][0]).map(|x| x * x));
            if (3..=MAX_OWN).contains(&count) {
                features.extend((0..count).map(|own| f64::from(u8::from(own == *value))));
            }
        }
        for (one, two) in coordinates.iter().array_combinations().map(|[one, two]| (one, two)) {
            features.extend(one.iter().cartesian_product(two).map(|(x, y)| x * y));
        }
        features
    }

    /// Fixes each field that changed no result in any pair of rule sets that differ in it only. Returns the
    /// numbers of these fields.
    fn fix(&mut self, results: &BTreeMap<RuleSet, Figures>) -> Vec<usize> {
        let is_alike = |at: usize| {
            let others = |(set, _): &(&RuleSet, &Figures)| [&set[..at], &set[at + 1..]].concat();
            let groups = results.iter().into_group_map_by(others);
            let mut groups = groups.values().filter(|group| group.len() > 1).peekable();
            groups.peek().is_some() && groups.all(|group| group.iter().map(|it| it.1).all_equal())
        };
        let fixed = (0..self.0.len()).filter(|at| is_alike(*at)).collect_vec();
        for &at in &fixed {
            self.0[at].choices = vec![self.0[at].original.unwrap_or(0)];
        }
        fixed
    }

    /// The rule set with the fixed values.
    fn fixed(&self, set: &RuleSet) -> RuleSet {
        let value = |(field, value): (&Field, &usize)| match field.choices[..] {
            [only] => only,
            _ => *value,
        };
        self.0.iter().zip(set).map(value).collect()
    }

    /// The number of fields whose value is not the original one.
    fn changes(&self, set: &RuleSet) -> usize {
        self.0.iter().zip(set).filter(|(field, value)| field.original != Some(**value)).count()
    }
}

/// A search for the Pareto front of a space.
#[derive(Clone, Copy, Debug)]
pub struct FrontSearch<'a> {
    /// The space.
    pub space: &'a Space,
    /// The goals and limits of the first figures.
    pub goals: &'a [Goal],
    /// The maximum number of rule sets in the first round.
    pub rule_sets: usize,
    /// Deals of each rule set in the last round; each earlier round has half as many as the next.
    pub deals: u64,
    /// Random seed.
    pub seed: Seed,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct FoundFront {
    /// The rule sets of the front. If all are clearly beyond a limit, the one that is the least so.
    pub front: Vec<RuleSet>,
    /// The figures of all rule sets, except those whose hands end as those of another.
    pub results: BTreeMap<RuleSet, Figures>,
    /// The deals of each.
    pub deals: BTreeMap<RuleSet, u64>,
    /// The space without the fields that change nothing.
    pub space: Space,
    /// The number of rule sets played.
    pub played: usize,
    /// The numbers of the fields that change nothing: all hands ended alike.
    pub without_effect: Vec<usize>,
}

impl FrontSearch<'_> {
    /// Searches for the front.
    ///
    /// # Errors
    /// Bad input if no field has an effect, and the errors of `play`.
    pub fn run(&self, play: PlayDeals<'_>) -> Result<FoundFront> {
        let mut space = self.space.clone();
        let mut sets = space.design(self.rule_sets, self.seed);
        let (mut played, mut excluded) = (BTreeSet::new(), BTreeSet::new());
        let (mut results, mut without_effect) = (BTreeMap::new(), Vec::new());
        let mut all_deals = BTreeMap::new();
        let first = rounds(sets.len());
        for round in (0..=first).rev() {
            let deals = deals_of(self.deals, round);
            let found = play(&sets, deals, round)?;
            played.extend(sets.iter().cloned());
            let found: BTreeMap<RuleSet, Figures> = sets.iter().cloned().zip(found).collect();
            if round == first {
                without_effect = space.fix(&found);
            }
            for (set, figures) in found {
                all_deals.insert(space.fixed(&set), deals);
                results.insert(space.fixed(&set), figures);
            }
            // Of rule sets whose hands end alike, one that changes the fewest rules stays.
            let mut seen: Vec<&Figures> = Vec::new();
            for set in results.keys().cloned().sorted_by_cached_key(|set| space.changes(set)) {
                let figures = &results[&set];
                let is_complete = figures.iter().take(self.goals.len()).all(Option::is_some);
                match is_complete && !seen.contains(&figures) {
                    true => seen.push(figures),
                    false => _ = excluded.insert(set),
                }
            }
            results.retain(|set, _| !excluded.contains(set));
            ensure(results.len() > 1 || round < first, || {
                Error::input("nothing to tune: the hands end alike under all values")
            })?;
            let model = Model::new(self, &space, &results);
            if round > 0 {
                sets =
                    model.choose(&excluded, MAX_LAST << (round - 1), self.seed.child(round.into()));
                continue;
            }
            sets.retain(|set| results.contains_key(set));
            let (front, deals, played) = (model.front(&sets), all_deals, played.len());
            return Ok(FoundFront { front, results, deals, space, played, without_effect });
        }
        Err(Error::input("a search needs a round"))
    }
}

/// Returns the number of rounds before the last one.
fn rounds(count: usize) -> u32 {
    count.div_ceil(MAX_LAST).next_power_of_two().ilog2()
}

/// Returns the deals of each rule set in a round.
fn deals_of(last: u64, round: u32) -> u64 {
    (last >> round).max(MIN_DEALS)
}

/// Returns the maximum number of deals of all rule sets in a search of a space of this size.
pub(super) fn total_deals(count: u128, rule_sets: usize, last: u64) -> u64 {
    let first = count.min(rule_sets as u128) as usize;
    let round = |round: u32| first.min(MAX_LAST << round) as u64 * deals_of(last, round);
    (0..=rounds(first)).map(round).sum()
}

/// The surfaces that the results so far give.
struct Model<'a> {
    space: &'a Space,
    goals: &'a [Goal],
    results: &'a BTreeMap<RuleSet, Figures>,
    /// A surface for each goal and limit.
    surfaces: Vec<Surface>,
    /// For each goal and limit the loss where the front ends, and the range of losses up to there.
    frame: Vec<(f64, f64)>,
}

impl<'a> Model<'a> {
    fn new(
        search: &'a FrontSearch<'_>,
        space: &'a Space,
        results: &'a BTreeMap<RuleSet, Figures>,
    ) -> Model<'a> {
        let features = results.keys().map(|set| space.features(set)).collect_vec();
        let points = features.iter().map(Vec::as_slice).collect_vec();
        let surface = |goal: usize| {
            let readings = results.values().filter_map(|it| reading(it, goal)).collect_vec();
            Surface::fit(&points, &readings)
        };
        let surfaces = (0..search.goals.len()).into_par_iter().map(surface).collect();
        let mut model = Model { space, goals: search.goals, results, surfaces, frame: Vec::new() };
        let losses = results.keys().map(|set| model.losses(set)).collect_vec();
        let all = losses.iter().filter(|it| model.is_within(it)).collect_vec();
        let all = if all.is_empty() { losses.iter().collect() } else { all };
        let best = all.iter().filter(|it| !model.is_dominated(it, &all)).copied().collect_vec();
        let ends = |of: &[&Vec<f64>], goal: usize| {
            let ends = of.iter().map(|it| it[goal]).minmax().into_option();
            ends.unwrap_or_default()
        };
        model.frame = (0..model.goals.len())
            .map(|goal| {
                let (low, high) = ends(&best, goal);
                let (lowest, highest) = ends(&all, goal);
                let spans = [high - low, highest - lowest, 1.0];
                let range = spans.into_iter().find(|span| *span > 1e-12).unwrap_or(1.0);
                (high + 0.1 * range, range)
            })
            .collect();
        model
    }

    /// The most probable losses of a rule set.
    fn losses(&self, set: &RuleSet) -> Vec<f64> {
        let (x, figures) = (self.space.features(set), self.results.get(set));
        let loss = |(at, (surface, goal)): (usize, (&Surface, &Goal))| {
            let reading = figures.and_then(|it| reading(it, at));
            goal.loss(surface.at(surface.weights(), &x, reading).0)
        };
        self.surfaces.iter().zip(self.goals).enumerate().map(loss).collect()
    }

    /// Returns `true` if losses keep all limits.
    fn is_within(&self, losses: &[f64]) -> bool {
        losses.iter().zip(self.goals).all(|(loss, goal)| !goal.is_limit() || *loss <= 0.0)
    }

    /// Returns `true` if some other losses are nowhere worse and somewhere better, limits aside.
    fn is_dominated(&self, losses: &[f64], all: &[&Vec<f64>]) -> bool {
        let goals = |of: &[f64]| {
            let goals = of.iter().zip(self.goals).filter(|(_, goal)| !goal.is_limit());
            goals.map(|(loss, _)| *loss).collect_vec()
        };
        let own = goals(losses);
        let beats = |other: Vec<f64>| other != own && other.iter().zip(&own).all(|(a, b)| a <= b);
        all.iter().any(|other| beats(goals(other)))
    }

    /// Returns how far losses reach in a direction: negative far beyond a limit.
    fn reach(&self, losses: &[f64], direction: &[f64]) -> f64 {
        let (mut beyond, mut reach, mut lengths) = (0.0, f64::INFINITY, direction.iter());
        for ((loss, (end, range)), goal) in losses.iter().zip(&self.frame).zip(self.goals) {
            match goal.is_limit() {
                true => beyond += loss / range,
                false => {
                    let length = lengths.next().copied().unwrap_or(1.0);
                    reach = reach.min((end - loss) / range / length);
                }
            }
        }
        if beyond > 0.0 { -1e9 * (1.0 + beyond) } else { reach }
    }

    /// Returns the rule set that is the farthest in each direction, by their losses.
    fn winners(&self, losses: &[Vec<f64>], directions: &[Vec<f64>]) -> Vec<usize> {
        let farthest = |direction: &Vec<f64>| {
            let all = losses.iter().map(|losses| self.reach(losses, direction)).enumerate();
            all.fold((0, f64::NEG_INFINITY), |best, it| if it.1 > best.1 { it } else { best }).0
        };
        directions.iter().map(farthest).collect()
    }

    /// Draws directions in the space of objectives.
    fn directions(&self, chance: &mut Stream) -> Vec<Vec<f64>> {
        let count = self.goals.iter().filter(|goal| !goal.is_limit()).count();
        let one = |_| {
            let parts = (0..count).map(|_| normal(chance).abs().max(1e-6)).collect_vec();
            let length = parts.iter().map(|x| x * x).sum::<f64>().sqrt();
            parts.into_iter().map(|x| x / length).collect()
        };
        (0..DIRECTIONS).map(one).collect()
    }

    /// Returns at most `count` rule sets for the next round, in the order of the space.
    fn choose(&self, excluded: &BTreeSet<RuleSet>, count: usize, seed: Seed) -> Vec<RuleSet> {
        let directions = self.directions(&mut seed.named("pool").stream());
        let mut pool: BTreeSet<RuleSet> = self.space.spread(MAX_POOL, seed).into_iter().collect();
        pool.extend(self.results.keys().cloned());
        // Steps from the best rule sets known, until none leads on.
        for _ in 0..8 {
            let sets = pool.iter().filter(|set| !excluded.contains(*set)).collect_vec();
            let losses: Vec<_> = sets.par_iter().map(|set| self.losses(set)).collect();
            let best = self.winners(&losses, &directions).into_iter().unique();
            let near = best.flat_map(|at| self.space.neighbours(sets[at])).collect_vec();
            let before = pool.len();
            pool.extend(near);
            if pool.len() == before {
                break;
            }
        }
        let sets = pool.into_iter().filter(|set| !excluded.contains(set)).collect_vec();
        let features: Vec<_> = sets.par_iter().map(|set| self.space.features(set)).collect();
        let draw = |draw: u64| {
            let mut chance = seed.child(draw).stream();
            let weights = self.surfaces.iter().map(|it| it.draw(&mut chance)).collect_vec();
            let directions = self.directions(&mut chance);
            let losses = |(set, x): (&RuleSet, &Vec<f64>)| {
                let figures = self.results.get(set);
                let loss = |at: usize| {
                    let reading = figures.and_then(|it| reading(it, at));
                    let (number, rest) = self.surfaces[at].at(&weights[at], x, reading);
                    let error = if rest > 0.0 { rest * normal(&mut chance) } else { 0.0 };
                    self.goals[at].loss(number + error)
                };
                (0..self.goals.len()).map(loss).collect()
            };
            (sets.iter().zip(&features).map(losses).collect(), directions)
        };
        let draws: Vec<(Vec<Vec<f64>>, _)> = (0..DRAWS).into_par_iter().map(draw).collect();
        let won = draws.par_iter().map(|(losses, directions)| self.winners(losses, directions));
        let won: Vec<Vec<usize>> = won.collect();
        let won = won.into_iter().flatten().sorted_unstable().dedup().collect_vec();
        // The part of the hypervolume in each direction of each draw.
        let volumes = |at: &usize| -> Vec<f64> {
            let along = |(losses, directions): &'_ (Vec<Vec<f64>>, Vec<Vec<f64>>)| {
                let volume = |direction: &Vec<f64>| {
                    let reach = self.reach(&losses[*at], direction).max(0.0);
                    direction.iter().fold(1.0, |volume, _| volume * reach)
                };
                directions.iter().map(volume).collect_vec()
            };
            draws.iter().flat_map(along).collect()
        };
        let volumes: Vec<Vec<f64>> = won.par_iter().map(volumes).collect();
        let mut covered = vec![0.0; volumes.first().map_or(0, Vec::len)];
        let mut chosen = BTreeSet::new();
        while chosen.len() < count {
            let gain = |volumes: &Vec<f64>| -> f64 {
                volumes.iter().zip(&covered).map(|(new, old)| (new - old).max(0.0)).sum()
            };
            let gains: Vec<f64> = volumes.par_iter().map(gain).collect();
            let best = (0..won.len()).max_by(|a, b| gains[*a].total_cmp(&gains[*b]).then(b.cmp(a)));
            let Some(best) = best.filter(|best| gains[*best] > 0.0 || chosen.is_empty()) else {
                break;
            };
            covered.iter_mut().zip(&volumes[best]).for_each(|(old, new)| *old = old.max(*new));
            chosen.insert(won[best]);
        }
        chosen.into_iter().map(|at| sets[at].clone()).collect()
    }

    /// Returns those of the rule sets that are not clearly beyond a limit and that no other dominates; or the
    /// one that is the least beyond.
    fn front(&self, sets: &[RuleSet]) -> Vec<RuleSet> {
        let is_out = |set: &RuleSet| {
            let mut limits = self.results[set].iter().zip(self.goals).filter(|it| it.1.is_limit());
            limits.any(|(figure, limit)| figure.is_none_or(|e| limit.verdict_on(e) == "beyond"))
        };
        let kept = sets.iter().filter(|set| !is_out(set)).collect_vec();
        if kept.is_empty() {
            let losses = sets.iter().map(|set| self.losses(set)).collect_vec();
            let best = self.winners(&losses, &[vec![1.0; self.goals.len()]]);
            return best.iter().map(|at| sets[*at].clone()).collect();
        }
        let losses = kept.iter().map(|set| self.losses(set)).collect_vec();
        // A rule set that may be beyond a limit is no reason to leave out another one.
        let all = losses.iter().filter(|it| self.is_within(it)).collect_vec();
        let front = kept.iter().zip(&losses).filter(|(_, it)| !self.is_dominated(it, &all));
        front.map(|(set, _)| (*set).clone()).collect()
    }
}

/// The reading of a figure, with the variance behind its interval.
pub(super) fn reading(figures: &Figures, at: usize) -> Option<Reading> {
    let estimate = figures.get(at).copied().flatten()?;
    let error = estimate.half_width().unwrap_or(0.0) / 1.96;
    Some(Reading { value: estimate.value, variance: error * error })
}
