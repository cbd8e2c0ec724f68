//! The posterior over secret rules.
//!
//! *Misspecification* is the belief that no rule of the grammar is the secret one. Two predictors
//! share this mass. One gives every verdict a probability of one half. The other takes the
//! likeliest rules of the grammar to be nearly right: each verdict follows the rule except with
//! probability [`SLIP`]. A secret rule outside the grammar mostly resembles some rule in it. Then
//! this mass grows while the rules themselves are refuted one by one. A secret rule inside the
//! grammar gains on its nearly right copy with every verdict.

use std::sync::{Arc, OnceLock};

use super::evidence::Evidence;
use super::grammar::Grammar;
use super::prior::power;
use super::products::Products;
use super::proposals::{FoundRule, RuleSearch, judge_alike, repair_tests};
use super::shortlist::{Shortlist, alike};
use super::test_lists::pick;
use super::tracked_tests::{CardVerdicts, TrackedTests};
use crate::rule::{Memory, Rule, Verdicts};
use crate::vocabulary::{Combination, Join, Vocabulary};
use parlour_base::cards::{Card, CardSet};
use parlour_base::chance::Stream;

/// Number of top rules compared with a refuted rule.
const COMPARED_WITH_REFUTED: usize = 1024;

/// Number of top rules compared with a rule whose belief is asked for.
const COMPARED_WITH_QUERY: usize = 512;

/// Number of top rules considered for a guess.
const GUESS_CANDIDATES: usize = 128;
/// Number of groups of equivalent rules considered for a guess.
const GUESS_GROUPS: usize = 3;

/// Rules are proposed where misspecification has more of the belief.
const SEARCH_THRESHOLD: f64 = 0.1;

// The division of the misspecification and the error rate of nearly right rules. They and the
// initial mass ([`Prior::misspecification`](super::Prior::misspecification)) were chosen on the
// training half with all ideas of the secret rule left out: `lab eleusis-folds --left-out`.

/// Error rate of a rule that is nearly right.
const SLIP: f64 = 0.1;

/// The share of the misspecification that goes to nearly right rules.
const NEARLY_RIGHT: f64 = 0.75;

/// A guess of the secret rule.
#[derive(Clone, Debug)]
pub struct RuleGuess {
    /// The rule.
    pub rule: Rule,
    /// The cards that are right now under the rule.
    pub right: CardSet,
    /// The belief in the rule and in all rules that are expected to judge alike from here on.
    pub belief: f64,
    /// The rules of the grammar that are expected to judge alike, the guess first.
    pub equivalents: Vec<Combination>,
}

/// Belief about the secret rule.
///
/// A hypothesis either agrees with all verdicts (likelihood 1) or is refuted. Misspecification
/// stands for all rules outside the grammar.
#[derive(Clone, Debug)]
pub struct Posterior {
    pub(super) grammar: Arc<Grammar>,
    pub(super) tests: TrackedTests,
    pub(super) evidence: Evidence,
    /// The surviving rules; computed at the first use.
    products: OnceLock<Products>,
    /// Rules that agree with all verdicts but are known not to be the secret one, with their
    /// masses.
    excluded: Vec<(Combination, f64)>,
    pub(super) misspecified: Misspecification,
    pub(super) search: RuleSearch,
    /// `true` once rules were proposed; more tests are tracked then.
    is_searching: bool,
    pub(super) line: Vec<Card>,
}

/// Observations.
impl Posterior {
    /// Creates the belief after the starter, which the rule accepted.
    pub fn new(grammar: &Arc<Grammar>, starter: Card) -> Posterior {
        let mut posterior = Posterior {
            tests: TrackedTests::all(),
            evidence: Evidence::new(grammar),
            products: OnceLock::new(),
            excluded: Vec::new(),
            misspecified: Misspecification::new(grammar),
            search: RuleSearch::default(),
            is_searching: false,
            line: Vec::new(),
            grammar: grammar.clone(),
        };
        posterior.observe(starter, true);
        posterior
    }

    /// Observes a verdict on a single card; a right card extends the mainline.
    pub fn observe(&mut self, card: Card, right: bool) {
        self.observe_aside(card, right);
        if right {
            self.tests.step(card);
            self.line.push(card);
            self.stop_unused_tests();
        }
    }

    /// Starts another line under the same rule.
    pub(super) fn start_line(&mut self, starter: Card) {
        self.tests = TrackedTests::all();
        self.search = RuleSearch::default();
        self.line.clear();
        self.observe(starter, true);
    }

    /// Observes a verdict on a card that does not extend the mainline.
    pub(super) fn observe_aside(&mut self, card: Card, right: bool) {
        self.add_verdict(vec![self.tests.on(card)], right);
        self.search.observe(card, right);
    }

    /// Adds a verdict on one card or a string.
    fn add_verdict(&mut self, cards: Vec<CardVerdicts>, right: bool) {
        self.products.take();
        let agrees = |rule: Combination| cards.iter().all(|card| card.accepts(rule)) == right;
        let all_right = power(0.5, cards.len() as u32);
        self.misspecified.update(if right { all_right } else { 1.0 - all_right }, agrees);
        self.excluded.retain(|(rule, _)| agrees(*rule));
        self.evidence.observe(cards, right);
    }

    /// Stops tracking the tests that nothing uses any more.
    fn stop_unused_tests(&mut self) {
        let used = self.evidence.used();
        let rules = self.excluded.iter().chain(&self.misspecified.nearly_right);
        let mut is_used = vec![false; self.tests.verdicts.len()];
        rules.flat_map(|(one, _)| one.tests()).for_each(|&test| is_used[usize::from(test)] = true);
        if self.is_searching {
            let trees = self.grammar.tree_grammar();
            repair_tests(trees).for_each(|test| is_used[usize::from(test)] = true);
        }
        self.tests.retain(|test| used.has(test) || is_used[usize::from(test)]);
    }

    /// Observes a wrong string: at least one of its cards is wrong if those before it are right.
    pub fn observe_wrong_string(&mut self, string: &[Card]) {
        if let [card] = string {
            return self.observe(*card, false);
        }
        let mut tests = self.tests.clone();
        let verdicts = string.iter().map(|&card| {
            let verdicts = tests.on(card);
            tests.step(card);
            verdicts
        });
        let verdicts = verdicts.collect();
        self.add_verdict(verdicts, false);
        self.search.observe_wrong_string(&self.line, string);
    }

    /// Observes a claim that a shown hand has no right card. If it was false, `forced` is the card
    /// put on the mainline.
    pub fn observe_claim(&mut self, hand: CardSet, forced: Option<Card>) {
        match forced {
            None => hand.for_each(|card| self.observe_aside(card, false)),
            Some(card) => self.observe(card, true),
        }
    }

    /// Rules out a rule that was stated and is not the secret one, with all hypotheses that judge
    /// as it does now and along its likely continuations.
    pub fn rule_out(&mut self, stated: &Rule) {
        let equivalents = self.equivalents(stated, COMPARED_WITH_REFUTED);
        self.exclude(equivalents.into_iter().map(|(rule, _)| rule));
        self.search.refute(stated, &self.line);
    }

    /// Rules out a guess and all rules that were expected to judge alike.
    pub fn refute(&mut self, guess: &RuleGuess) {
        self.exclude(guess.equivalents.iter().copied());
        self.search.refute(&guess.rule, &self.line);
    }

    pub(super) fn exclude(&mut self, rules: impl Iterator<Item = Combination>) {
        for rule in rules {
            let is_new = self.excluded.iter().all(|(known, _)| *known != rule);
            if is_new && self.evidence.agrees(rule) {
                self.excluded.push((rule, self.grammar.mass(rule)));
            }
        }
    }

    /// Proposes rules outside the grammar if misspecification has a good part of the belief. The
    /// result depends only on the evidence and on the times of the calls; a second call without new
    /// evidence does nothing.
    pub fn propose_rules(&mut self) {
        self.is_searching = true;
        let outside = 1.0 - self.inside() / self.total();
        if self.search.observed == self.search.observations() || outside < SEARCH_THRESHOLD {
            return;
        }
        let nearly_right = self.misspecified.heaviest(RuleSearch::SEEDS);
        let inside = self.heaviest(RuleSearch::SEEDS);
        let seeds = nearly_right.into_iter().chain(inside).map(|(rule, _)| rule.expr()).collect();
        self.search.run(&self.grammar, seeds, &self.evidence, &self.line);
    }
}

/// Masses.
impl Posterior {
    pub(super) fn products(&self) -> &Products {
        self.products.get_or_init(|| Products::of(&self.grammar, &self.evidence))
    }

    /// Returns the prior mass, given the starter, of the rules that survive.
    pub fn surviving_mass(&self) -> f64 {
        let excluded: f64 = self.excluded.iter().map(|(_, mass)| mass).sum();
        (self.products().mass - excluded).max(0.0)
    }

    fn inside_share(&self) -> f64 {
        1.0 - self.grammar.prior.misspecification
    }

    /// Returns the unnormalised belief in the surviving rules.
    pub(super) fn inside(&self) -> f64 {
        self.inside_share() * self.surviving_mass()
    }

    /// Returns the unnormalised belief in the found rules.
    fn found(&self) -> f64 {
        self.grammar.prior.misspecification * self.search.weight()
    }

    /// Returns the unnormalised belief in all rules.
    pub(super) fn total(&self) -> f64 {
        (self.inside() + self.misspecified.mass() + self.found()).max(f64::MIN_POSITIVE)
    }

    /// Returns the belief for each unit of prior mass.
    fn per_mass(&self) -> f64 {
        self.inside_share() / self.total()
    }

    /// Returns the belief for each unit of weight of the found rules.
    fn per_found_weight(&self) -> f64 {
        self.grammar.prior.misspecification / self.total()
    }

    /// Returns the belief in misspecification.
    pub fn misspecification(&self) -> f64 {
        self.misspecified.mass() / self.total()
    }
}

/// Estimates.
impl Posterior {
    /// Returns for each card the probability that it is right now.
    pub fn probabilities(&self) -> [f64; 52] {
        let (products, verdicts) = (self.products(), &self.tests.verdicts);
        let mut sums = [0.0; 52];
        products.add_chances(verdicts, &mut sums);
        for (rule, mass) in &self.excluded {
            CardSet(rule.right(verdicts)).for_each(|card| sums[usize::from(card.index())] -= mass);
        }
        let per_mass = self.per_mass();
        sums.iter_mut().for_each(|sum| *sum *= per_mass);
        self.misspecified.add_chances(verdicts, 1.0 / self.total(), &mut sums);
        let per_weight = self.per_found_weight();
        for found in &self.search.found {
            let add = per_weight * found.weight;
            found.right.for_each(|card| sums[usize::from(card.index())] += add);
        }
        sums.map(|sum| sum.clamp(0.0, 1.0))
    }

    /// Returns at most `most` surviving rules with their beliefs, most believed first. Rules that
    /// leave no card right cannot be secret rules and are skipped.
    pub fn top(&self, most: usize) -> Vec<(Combination, f64)> {
        let mut top = self.heaviest(most + most / 2 + 16);
        top.retain(|(rule, _)| rule.is_playable());
        top.truncate(most);
        top
    }

    /// Returns the surviving rules with the most belief, playable or not.
    pub(super) fn heaviest(&self, most: usize) -> Vec<(Combination, f64)> {
        let mut top = self.products().heaviest(most + self.excluded.len());
        top.retain(|(rule, _)| self.excluded.iter().all(|(known, _)| known != rule));
        top.truncate(most);
        let per_mass = self.per_mass();
        top.iter_mut().for_each(|(_, mass)| *mass *= per_mass);
        top
    }

    /// Returns those of the `most` top rules that judge as `rule` does now and along its likely
    /// continuations, with their beliefs.
    fn equivalents(&self, rule: &Rule, most: usize) -> Vec<(Combination, f64)> {
        let memory = rule.after(&self.line);
        let here = rule.right(&memory).0;
        let mut same = self.heaviest(most);
        same.retain(|(known, _)| known.right(&self.tests.verdicts) == here);
        alike(&self.tests, &same, Some((rule, memory)), self.line.len() as u64)
    }

    /// Returns the top rules, and a quarter as many nearly right rules that represent
    /// misspecification.
    pub fn shortlist(&self, most: usize) -> Shortlist {
        let per_weight = self.per_found_weight();
        let mut found = self.search.found.clone();
        found.truncate(most / 8);
        found.iter_mut().for_each(|one| one.weight *= per_weight);
        let nearly_right = self.misspecified.heaviest(most / 4);
        Shortlist::new(&self.tests, self.top(most), nearly_right, self.misspecification(), found)
    }

    /// Returns the best guess of the secret rule. Top rules that judge alike along likely
    /// continuations are grouped; the guess is the heaviest rule of the heaviest group.
    pub fn best_guess(&self) -> Option<RuleGuess> {
        let mut left = self.top(GUESS_CANDIDATES);
        let mut best: Option<RuleGuess> = None;
        for _ in 0..GUESS_GROUPS {
            let Some(&(first, _)) = left.first() else { break };
            let rest: f64 = left.iter().map(|(_, share)| share).sum();
            if best.as_ref().is_some_and(|best| rest <= best.belief) {
                break;
            }
            let here = first.right(&self.tests.verdicts);
            let mut same = left.clone();
            same.retain(|(other, _)| other.right(&self.tests.verdicts) == here);
            let group = alike(&self.tests, &same, None, self.line.len() as u64);
            let belief: f64 = group.iter().map(|(_, share)| share).sum();
            let equivalents: Vec<Combination> = group.into_iter().map(|(rule, _)| rule).collect();
            left.retain(|(rule, _)| !equivalents.contains(rule));
            if best.as_ref().is_none_or(|best| belief > best.belief)
                && let Ok(rule) = first.rule()
            {
                best = Some(RuleGuess { right: CardSet(here), rule, belief, equivalents });
            }
        }
        self.with_found_rules(best)
    }

    /// Adds equivalent found rules to a guess, or replaces it by a found rule with more belief.
    fn with_found_rules<'a>(&'a self, mut best: Option<RuleGuess>) -> Option<RuleGuess> {
        let per_weight = self.per_found_weight();
        let split = |left: Vec<&'a FoundRule>, rule: &Rule, memory: &Memory| {
            let is_same = |one: &&FoundRule| judge_alike(rule, memory, &one.rule, &one.memory);
            let (same, others) = left.into_iter().partition::<Vec<_>, _>(is_same);
            (per_weight * same.into_iter().map(|one| one.weight).sum::<f64>(), others)
        };
        let mut left: Vec<&FoundRule> = self.search.found.iter().collect();
        if let Some(best) = &mut best {
            let (belief, others) = split(left, &best.rule, &best.rule.after(&self.line));
            best.belief += belief;
            left = others;
        }
        for _ in 0..GUESS_GROUPS {
            let Some(first) = left.first().copied() else { break };
            let (belief, others) = split(left, &first.rule, &first.memory);
            left = others;
            if best.as_ref().is_none_or(|best| belief > best.belief) {
                let (rule, right) = (first.rule.clone(), first.right);
                best = Some(RuleGuess { rule, right, belief, equivalents: Vec::new() });
            }
        }
        best
    }

    /// Returns the belief in all top rules that judge as this one from here on, as far as a look
    /// ahead distinguishes them.
    pub fn belief_in(&self, rule: &Rule) -> f64 {
        let memory = rule.after(&self.line);
        let found = self.search.found.iter();
        let found = found.filter(|one| judge_alike(rule, &memory, &one.rule, &one.memory));
        let per_weight = self.per_found_weight();
        let found: f64 = found.map(|one| per_weight * one.weight).sum();
        let same = self.equivalents(rule, COMPARED_WITH_QUERY);
        same.iter().fold(found, |sum, (_, share)| sum + share)
    }

    /// Draws rules from the posterior, with replacement. Nearly right rules represent
    /// misspecification.
    pub fn sample(&self, count: usize, chance: &mut Stream) -> Vec<Rule> {
        let nearly_right = &self.misspecified.nearly_right;
        let mass: f64 = nearly_right.iter().map(|(_, weight)| weight).sum();
        let outside = self.misspecification();
        let found = self.found() / self.total();
        let mut quantiles: Vec<f64> = Vec::new();
        let mut drawn = Vec::with_capacity(count);
        let mut drawn_found = Vec::new();
        for _ in 0..count {
            let at = chance.unit();
            if at >= outside + found {
                quantiles.push(chance.unit());
            } else if at >= outside {
                let at = (at - outside) / found * self.search.weight();
                let rules = self.search.found.iter().map(|found| (&found.rule, found.weight));
                drawn_found.extend(pick(rules, at).cloned());
            } else {
                drawn.extend(pick(nearly_right.iter().copied(), chance.unit() * mass));
            }
        }
        quantiles.sort_by(f64::total_cmp);
        let is_excluded = |rule: &Combination| self.excluded.iter().any(|(known, _)| known == rule);
        let mut inside = self.products().at(&quantiles, chance);
        inside.retain(|rule| !is_excluded(rule) && rule.is_playable());
        // Rejected draws are replaced by copies of accepted ones.
        if !inside.is_empty() {
            let draw = |_| inside[chance.below(inside.len() as u32) as usize];
            drawn.extend((0..quantiles.len()).map(draw));
        }
        drawn.into_iter().filter_map(|rule| rule.rule().ok()).chain(drawn_found).collect()
    }
}

/// The belief that the secret rule is outside the grammar, without the found rules.
#[derive(Clone, Debug)]
pub(super) struct Misspecification {
    /// Mass of the predictor that gives every verdict one half.
    uniform: f64,
    /// Rules that are taken to be nearly right, with their weights.
    nearly_right: Vec<(Combination, f64)>,
}

impl Misspecification {
    fn new(grammar: &Grammar) -> Misspecification {
        let share = grammar.prior.misspecification;
        let tests = 0..Vocabulary::shared().tests.len() as u16;
        let single = |test| Combination::of(Join::One, &[test]);
        let all: Vec<_> = tests.map(|test| (single(test), grammar.mass(single(test)))).collect();
        let total: f64 = all.iter().map(|(_, mass)| mass).sum();
        let scale = share * NEARLY_RIGHT / total.max(f64::MIN_POSITIVE);
        let all = all.into_iter().filter(|(_, mass)| *mass > 0.0);
        let nearly_right = all.map(|(rule, mass)| (rule, mass * scale)).collect();
        Misspecification { uniform: share * (1.0 - NEARLY_RIGHT), nearly_right }
    }

    /// Returns the unnormalised belief.
    pub fn mass(&self) -> f64 {
        self.uniform + self.nearly_right.iter().map(|(_, weight)| weight).sum::<f64>()
    }

    /// Returns the nearly right rules with the largest weights, heaviest first.
    fn heaviest(&self, most: usize) -> Vec<(Combination, f64)> {
        let mut rules = self.nearly_right.clone();
        rules.sort_by(|a, b| b.1.total_cmp(&a.1));
        rules.truncate(most);
        rules
    }

    /// Updates the weights after an observation that each rule predicts or not. A random verdict
    /// predicts it with `probability`.
    fn update(&mut self, probability: f64, predicts: impl Fn(Combination) -> bool) {
        self.uniform *= probability;
        for (rule, weight) in &mut self.nearly_right {
            *weight *= if predicts(*rule) { 1.0 - SLIP } else { SLIP };
        }
        let least = 1e-6 * self.mass();
        self.nearly_right.retain(|(_, weight)| *weight >= least);
    }

    /// Adds for each card the scaled probability that it is right.
    pub fn add_chances(&self, verdicts: &[Verdicts], scale: f64, sums: &mut [f64; 52]) {
        let every = scale * (self.uniform / 2.0 + (self.mass() - self.uniform) * SLIP);
        sums.iter_mut().for_each(|sum| *sum += every);
        for (rule, weight) in &self.nearly_right {
            for card in CardSet(rule.right(verdicts)) {
                sums[card.index() as usize] += scale * weight * (1.0 - 2.0 * SLIP);
            }
        }
    }
}
