//! Markov chain Monte Carlo search for rules outside the grammar, near the rules that are least
//! wrong.
//!
//! When misspecification has a good part of the belief, random walks over trees of the rule
//! language start from the rules with the fewest errors. A mutation derives a subtree again, shifts
//! a number or a look-back, exchanges a node or an attribute, negates a test, or adds or removes an
//! exception. A step is accepted with the probability of Metropolis et al. (1953), given the
//! probability of the tree by the [`TreeGrammar`] and the number of its errors (Goodman, Tenenbaum,
//! Feldman and Griffiths 2008). The walk only says where to look. A rule that agrees with all
//! verdicts gets its share of the prior: its part of the misspecification, times its probability,
//! times the likelihood ratio of the starter. The number of visits does not count.
//!
//! *Repairs* are new tests in rules that are otherwise known. A rule outside the grammar often has
//! one new test as its condition, a side, or the main part. New tests are drawn from the
//! [`TreeGrammar`]. For each, the likeliest tests of the vocabulary are searched for those with
//! which it agrees with all verdicts, with one bit for each verdict.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::evidence::Evidence;
use super::grammar::Grammar;
use super::productions::{ChildFactors, Context, Subtree, TreeGrammar};
use super::tracked_tests::CardVerdicts;
use super::transcript::{Responses, Transcript};
use crate::rule::{Attr, Constant, Expr, Head, Memory, Op, Rule, Sort, Span, kind};
use crate::vocabulary::Vocabulary;
use parlour_base::cards::{Card, CardSet};
use parlour_base::chance::{Seed, Stream};

/// Number of walks a turn, and steps in each.
const WALKS: usize = 12;
const STEPS: usize = 40;

/// Factor for each wrong verdict in the weight of a tree on a walk.
const ERROR_FACTOR: f64 = 0.1;

/// Maximum number of errors of a start, and maximum size of a tree.
const MAX_ERRORS: usize = 4;
const MAX_SIZE: usize = 24;

/// Maximum number of starts.
const MAX_STARTS: usize = 48;

/// Maximum number of found rules, and of rules compiled in a turn.
const MAX_FOUND: usize = 64;
const MAX_COMPILED: usize = 12;

/// Number and length of the lines along which rules are compared.
const LINES: u64 = 4;
const LENGTH: usize = 6;

/// Range of the average share of right cards of a playable rule.
const RIGHT_SHARE: (f64, f64) = (0.04, 0.94);

/// A rule outside the grammar that agrees with all verdicts.
#[derive(Clone, Debug)]
pub(super) struct FoundRule {
    pub rule: Rule,
    pub memory: Memory,
    /// The cards that are right now.
    pub right: CardSet,
    /// The weight among found rules, including merged equivalents.
    pub weight: f64,
    signature: u64,
}

impl FoundRule {
    /// Compiles a tree. Returns `None` if it cannot be played.
    fn new(expr: &Expr, probability: f64, line: &[Card]) -> Option<FoundRule> {
        let rule = Rule::new(expr.clone()).ok()?;
        let first = rule.right(&Memory::default()).len();
        if first == 0 {
            return None;
        }
        let (mut signature, mut cards, mut looks) = (0u64, 0, 0);
        for line in 0..LINES {
            let mut chance = Seed::new(line).named("grown").stream();
            let mut memory = Memory::default();
            for _ in 0..LENGTH {
                let right = rule.right(&memory);
                // Rotation and multiplication by an odd constant, as in FxHash.
                signature =
                    (signature.rotate_left(5) ^ right.0).wrapping_mul(0x517C_C1B7_2722_0A95);
                cards += right.len();
                looks += 52;
                let card = Card::from_index(chance.below(52) as u8);
                memory = rule.step(&memory, card);
            }
        }
        let share = f64::from(cards) / f64::from(looks);
        let memory = rule.after(line);
        let right = rule.right(&memory);
        let is_playable = (RIGHT_SHARE.0..=RIGHT_SHARE.1).contains(&share) && !right.is_empty();
        let weight = probability * 52.0 / f64::from(first);
        is_playable.then_some(FoundRule { rule, memory, right, weight, signature })
    }

    /// Updates the rule after an accepted card.
    pub fn step(&mut self, card: Card) {
        self.memory = self.rule.step(&self.memory, card);
        self.right = self.rule.right(&self.memory);
    }
}

/// Returns `true` if two rules judge alike along some lines of the first.
pub(super) fn judge_alike(a: &Rule, of_a: &Memory, b: &Rule, of_b: &Memory) -> bool {
    (0..LINES).all(|line| {
        let mut chance = Seed::new(line).named("alike grown").stream();
        let (mut of_a, mut of_b) = (*of_a, *of_b);
        for _ in 0..LENGTH {
            let right = a.right(&of_a);
            if right != b.right(&of_b) {
                return false;
            }
            let Some(card) = right.pick(&mut chance) else { break };
            (of_a, of_b) = (a.step(&of_a, card), b.step(&of_b, card));
        }
        true
    })
}

/// A tree on a walk.
#[derive(Clone, Debug)]
struct Proposal {
    expr: Expr,
    probability: f64,
    errors: usize,
}

impl Proposal {
    /// Returns the unnormalised weight on a walk.
    fn weight(&self) -> f64 {
        let factors = 0..self.errors.min(40);
        factors.fold(self.probability, |weight, _| weight * ERROR_FACTOR).max(f64::MIN_POSITIVE)
    }
}

/// The rules that were found, and the state of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct RuleSearch {
    transcript: Transcript,
    wrong_strings: Vec<(usize, Vec<Card>)>,
    /// Number of observations at the last run.
    pub observed: usize,
    /// The trees with the fewest errors so far.
    starts: Vec<Proposal>,
    /// All trees that were compiled or cannot be.
    seen: FxHashSet<Expr>,
    refuted: Vec<Rule>,
    repairs: Repairs,
    /// Cached factors of tests in unions; new tests have other numbers in each run.
    factors: ChildFactors,
    /// The rules that agree with all verdicts, heaviest first.
    pub found: Vec<FoundRule>,
}

impl RuleSearch {
    /// Number of rules of each kind from which a run starts.
    pub const SEEDS: usize = 12;

    /// Returns the total weight of the found rules.
    pub fn weight(&self) -> f64 {
        self.found.iter().map(|found| found.weight).sum()
    }

    /// Returns the number of observations.
    pub fn observations(&self) -> usize {
        self.transcript.len() + self.wrong_strings.len()
    }

    /// Observes a verdict on a card; a right card extends the line.
    pub fn observe(&mut self, card: Card, right: bool) {
        self.transcript.push(card, right);
        self.found.retain(|found| found.right.has(card) == right);
        if right {
            self.found.iter_mut().for_each(|found| found.step(card));
        }
    }

    /// Observes a wrong string after the line.
    pub fn observe_wrong_string(&mut self, line: &[Card], string: &[Card]) {
        self.found.retain(|found| found.rule.accepts(&found.memory, string).is_none());
        self.wrong_strings.push((line.len(), string.to_vec()));
    }

    /// Rules out a rule and its equivalents.
    pub fn refute(&mut self, rule: &Rule, line: &[Card]) {
        let memory = rule.after(line);
        self.found.retain(|found| !judge_alike(rule, &memory, &found.rule, &found.memory));
        self.refuted.push(rule.clone());
    }

    /// Searches from these trees and from the best earlier ones.
    pub fn run(&mut self, grammar: &Grammar, seeds: Vec<Expr>, evidence: &Evidence, line: &[Card]) {
        self.observed = self.observations();
        let trees = grammar.tree_grammar();
        let before = self.starts.len();
        for expr in seeds {
            if self.starts[..before].iter().all(|known| known.expr != expr) {
                let probability = trees.probability(&expr);
                self.starts.push(Proposal { expr, probability, errors: 0 });
            }
        }
        for start in &mut self.starts {
            start.errors = self.transcript.errors(&start.expr).unwrap_or(usize::MAX);
        }
        self.prune_starts();
        let mut chance = Seed::new(self.transcript.len() as u64).named("growth").stream();
        let agreeing = self.walk(trees, &mut chance);
        self.prune_starts();
        self.repairs.draw(trees, &self.transcript, &mut chance);
        let known = Vocabulary::shared().tests.len();
        self.factors.retain(|(test, _), _| *test < known);
        let walked = agreeing.iter().map(|one| (Candidate::Tree(&one.expr), one.probability));
        let repaired = self.repairs.candidates(trees, &self.transcript, evidence).into_iter();
        let repaired = repaired.filter(|tree| tree.size() <= MAX_SIZE).map(|tree| {
            let probability = match &tree {
                Candidate::Tree(expr) => trees.probability(expr),
                Candidate::Union(op, tests) => trees.union_prior(*op, tests, &mut self.factors),
            };
            (tree, probability)
        });
        let mut candidates: Vec<(Candidate, f64)> = walked.chain(repaired).collect();
        candidates.sort_by(|a, b| b.1.total_cmp(&a.1));
        let is_inside = |expr: &Expr| {
            let found = Vocabulary::shared().find(expr);
            found.is_some_and(|rule| grammar.mass(rule) > 0.0)
        };
        let mut compiled = 0;
        for (tree, probability) in candidates {
            if compiled == MAX_COMPILED {
                break;
            }
            let expr = tree.expr();
            let is_new = !self.seen.contains(&expr) && !is_inside(&expr);
            if is_new && self.transcript.errors(&expr) == Some(0) {
                compiled += 1;
                let rule = FoundRule::new(&expr, probability, line);
                if let Some(rule) = rule.filter(|rule| self.agrees_with_strings(rule, line)) {
                    match self.found.iter_mut().find(|known| known.signature == rule.signature) {
                        Some(known) => known.weight += rule.weight,
                        None => self.found.push(rule),
                    }
                }
                self.seen.insert(expr);
            }
        }
        self.found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        self.found.truncate(MAX_FOUND);
    }

    /// Walks from the starts, collects new ones, and returns the trees without errors.
    fn walk(&mut self, trees: &TreeGrammar, chance: &mut Stream) -> Vec<Proposal> {
        let starts = self.starts.clone();
        let mut met: FxHashSet<Expr> = starts.iter().map(|start| start.expr.clone()).collect();
        let mut agreeing: Vec<_> = starts.iter().filter(|one| one.errors == 0).cloned().collect();
        for walk in 0..WALKS {
            // Half of the walks start from the best trees.
            let few = starts.len().min(if walk % 2 == 0 { 6 } else { MAX_STARTS });
            let Some(start) = starts.get(chance.below(few.max(1) as u32) as usize) else { break };
            let mut here = start.clone();
            for _ in 0..STEPS {
                let Some(expr) = mutate(trees, &here.expr, chance) else { continue };
                if expr.size() > MAX_SIZE || !kind(&expr).is_ok_and(|kind| kind.sort == Sort::Test)
                {
                    continue;
                }
                let Some(errors) = self.transcript.errors(&expr) else { continue };
                let next = Proposal { probability: trees.probability(&expr), expr, errors };
                if errors <= MAX_ERRORS && met.insert(next.expr.clone()) {
                    agreeing.extend((errors == 0).then(|| next.clone()));
                    self.starts.push(next.clone());
                }
                let ratio = next.weight() / here.weight();
                if ratio >= 1.0 || chance.unit() < ratio {
                    here = next;
                }
            }
        }
        agreeing
    }

    fn prune_starts(&mut self) {
        self.starts.retain(|start| start.errors <= MAX_ERRORS);
        self.starts.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
        self.starts.truncate(MAX_STARTS);
    }

    /// Returns `true` if a rule agrees with the wrong strings and is not refuted.
    fn agrees_with_strings(&self, found: &FoundRule, line: &[Card]) -> bool {
        let rule = &found.rule;
        let is_wrong = |(length, string): &(usize, Vec<Card>)| {
            rule.accepts(&rule.after(&line[..*length]), string).is_none()
        };
        let is_alike = |other: &Rule| judge_alike(other, &other.after(line), rule, &found.memory);
        self.wrong_strings.iter().all(is_wrong) && !self.refuted.iter().any(is_alike)
    }
}

/// Proposes a tree with one mutation. Returns `None` if the mutation is impossible or has no
/// effect.
fn mutate(trees: &TreeGrammar, expr: &Expr, chance: &mut Stream) -> Option<Expr> {
    let mut new = expr.clone();
    let at = chance.below(expr.nodes() as u32) as usize;
    let kind = chance.below(20);
    let (node, context) = trees.nth(&mut new, Context::TOP, at)?;
    match kind {
        0..8 => *node = trees.draw(context, chance)?,
        8..11 => *node = trees.replace_top(node, chance)?,
        11..14 => shift(node, chance)?,
        14..16 => {
            let count = Attr::all().count() as u32;
            let mut any = || Attr::all().nth(chance.below(count) as usize);
            let (from, to) = (any()?, any()?);
            replace_attribute(&mut new, from, to);
        }
        16 => new = Expr::new(Op::Not, [new]),
        17..19 => {
            let op = if chance.below(2) == 0 { Op::Or } else { Op::And };
            new = Expr::new(op, [new, Expr::leaf(Head::Length)]);
            new.parts[1] = trees.draw(trees.contexts(&new, Context::TOP)[1], chance)?;
        }
        _ => {
            let last = node.parts.len().checked_sub(1)?;
            *node = node.parts.swap_remove(chance.below(last as u32 + 1) as usize);
        }
    }
    (new != *expr).then_some(new)
}

/// Shifts a number, a look-back, a window or a list item by one.
fn shift(expr: &mut Expr, chance: &mut Stream) -> Option<()> {
    let up = chance.below(2) == 1;
    let step = if up { 1 } else { -1 };
    match &mut expr.head {
        Head::Const(constant) if constant.sort == Sort::Number => constant.value += step,
        Head::Was(back) | Head::At(back) | Head::Aggregate(_, Span::Last(back)) => {
            let shifted = if up { back.checked_add(1) } else { back.checked_sub(1) };
            *back = shifted.filter(|back| *back > 0)?;
        }
        Head::List(_, list) => {
            let place = chance.below(list.len() as u32) as usize;
            let neighbour = |constant: Constant| {
                let value = constant.value + step;
                (constant.sort == Sort::Number).then_some(Constant { value, ..constant })
            };
            match (chance.below(3), list.len()) {
                (0, 2..) => _ = list.remove(place),
                (1, ..6) => list.insert(place + usize::from(up), neighbour(list[place])?),
                _ => list[place] = neighbour(list[place])?,
            }
        }
        _ => return None,
    }
    Some(())
}

/// Replaces an attribute everywhere.
fn replace_attribute(expr: &mut Expr, from: Attr, to: Attr) {
    if expr.head == Head::Attr(from) {
        expr.head = Head::Attr(to);
    }
    expr.parts.iter_mut().for_each(|part| replace_attribute(part, from, to));
}

/// Number of new tests drawn in a turn, and number of tests kept.
const TESTS_DRAWN: usize = 120;
const TESTS_KEPT: usize = 48;

/// Maximum size of a new test.
const MAX_TEST_SIZE: usize = 12;

/// Maximum number of conditions and of other parts tried for a repair.
const MAX_CONDITIONS: usize = 160;
const MAX_PARTS: usize = 400;

/// Maximum number of equivalent repairs.
const MAX_EQUIVALENT: usize = 2;

/// A test of the vocabulary with its responses.
type KnownTest = (Subtree<'static>, Responses);

/// A candidate for a rule; unions are not built yet.
enum Candidate<'a> {
    /// A complete tree.
    Tree(&'a Expr),
    /// A connective of some tests.
    Union(Op, SmallVec<[Subtree<'a>; 3]>),
}

impl Candidate<'_> {
    /// Returns the [`Expr::size`].
    fn size(&self) -> usize {
        match self {
            Candidate::Tree(expr) => expr.size(),
            Candidate::Union(_, parts) => 1 + parts.iter().map(|part| part.size).sum::<usize>(),
        }
    }

    /// Builds the tree.
    fn expr(&self) -> Expr {
        match self {
            Candidate::Tree(expr) => (*expr).clone(),
            Candidate::Union(op, parts) => {
                let parts = parts.iter().map(|part| part.expr.clone());
                Expr::new(*op, parts.collect::<Vec<_>>())
            }
        }
    }
}

/// The places of known tests in a repair: condition, side, first and second of a pair; with the
/// number of likeliest tests that are tried.
const PLACES: [(usize, usize); 4] =
    [(3, MAX_CONDITIONS), (4, MAX_PARTS), (1, MAX_PARTS), (2, MAX_PARTS)];

/// Returns the known tests that are tried in repairs.
pub(super) fn repair_tests(trees: &TreeGrammar) -> impl Iterator<Item = u16> {
    PLACES.into_iter().flat_map(|(place, most)| trees.likeliest(place, most).iter().copied())
}

/// A test outside the vocabulary, with its probability and its responses.
#[derive(Clone, Debug)]
struct NewTest {
    expr: Expr,
    probability: f64,
    responses: Responses,
}

/// Repairs of rules by new tests, most probable first.
#[derive(Clone, Debug, Default)]
struct Repairs {
    tests: Vec<NewTest>,
}

impl Repairs {
    /// Returns trees of a new test and known tests that may agree with all verdicts.
    fn candidates(
        &self,
        trees: &TreeGrammar,
        transcript: &Transcript,
        evidence: &Evidence,
    ) -> Vec<Candidate<'_>> {
        let Some(verdicts) = transcript.verdicts() else { return Vec::new() };
        let (tests, cards) = (Vocabulary::shared().tests.len(), evidence.singles());
        let known = |&test: &u16| (trees.subtree(test), CardVerdicts::responses(&cards, test));
        let [conditions, sides, mains, others] = PLACES.map(|(place, most)| -> Vec<KnownTest> {
            trees.likeliest(place, most).iter().map(known).collect()
        });
        let all = u128::MAX >> (128 - transcript.len().clamp(1, 128));
        let mut found = Vec::new();
        let agrees = |responses: Responses| !(responses.right ^ verdicts) & all;
        // Sides that agree on a set of cards; many conditions ask for the same set.
        let mut cache: FxHashMap<u128, SmallVec<[Subtree; MAX_EQUIVALENT]>> = FxHashMap::default();
        let mut sides_for = |there: u128| {
            let agreeing = sides.iter().filter(|(_, known)| agrees(*known) & there == there);
            let new = || agreeing.take(MAX_EQUIVALENT).map(|(side, _)| *side).collect();
            cache.entry(there).or_insert_with(new).clone()
        };
        for (at, &NewTest { ref expr, responses: new, .. }) in self.tests.iter().enumerate() {
            let (production, size) = (trees.find(expr), expr.size());
            let test = Subtree { expr, number: tests + at, production, size };
            if agrees(new) == all {
                found.push(Candidate::Tree(expr));
            }
            let union = |op, parts: &[_]| Candidate::Union(op, SmallVec::from_slice(parts));
            let choice = |c, a, b| union(Op::If, &[c, a, b]);
            for (condition, responses) in &conditions {
                let (yes, no) = (responses.yes & all, !responses.right & all);
                if agrees(new) & yes == yes && yes != 0 {
                    found.extend(sides_for(no).iter().map(|side| choice(*condition, test, *side)));
                }
                if agrees(new) & no == no && no != 0 {
                    found.extend(sides_for(yes).iter().map(|side| choice(*condition, *side, test)));
                }
            }
            let (yes, no) = (new.yes & all, !new.right & all);
            if yes != 0 && no != 0 {
                for first in sides_for(yes) {
                    let second = sides_for(no);
                    found.extend(second.into_iter().map(|side| choice(test, first, side)));
                }
            }
            for (parts, new_first) in [(&others, true), (&mains, false)] {
                let pair =
                    |op, part| union(op, &if new_first { [test, part] } else { [part, test] });
                let both = parts.iter().filter(|(_, one)| new.right & one.right & all == verdicts);
                found.extend(both.take(MAX_EQUIVALENT).map(|(part, _)| pair(Op::And, *part)));
                let any = parts.iter().filter(|(_, one)| (new.right | one.right) & all == verdicts);
                found.extend(any.take(MAX_EQUIVALENT).map(|(part, _)| pair(Op::Or, *part)));
            }
        }
        found
    }

    /// Draws new tests, unless there are too many verdicts.
    fn draw(&mut self, trees: &TreeGrammar, transcript: &Transcript, chance: &mut Stream) {
        if transcript.verdicts().is_none() {
            return;
        }
        let mut seen: FxHashSet<Expr> = FxHashSet::default();
        for new in std::mem::take(&mut self.tests) {
            if let Some(responses) = transcript.responses(&new.expr) {
                seen.insert(new.expr.clone());
                self.tests.push(NewTest { responses, ..new });
            }
        }
        for _ in 0..TESTS_DRAWN {
            let Some(expr) = trees.draw(Context::TOP, chance) else { continue };
            let is_known = || {
                let index = Vocabulary::shared().index_of(&expr);
                index.is_some_and(|index| trees.has(index))
            };
            let is_connective = matches!(expr.head, Head::Op(Op::And | Op::Or | Op::Xor | Op::If));
            if expr.size() <= MAX_TEST_SIZE
                && !is_connective
                && !is_known()
                && kind(&expr).is_ok_and(|kind| kind.sort == Sort::Test)
                && let Some(responses) = transcript.responses(&expr)
                && seen.insert(expr.clone())
            {
                let probability = trees.probability(&expr);
                self.tests.push(NewTest { expr, probability, responses });
            }
        }
        self.tests.sort_by(|a, b| b.probability.total_cmp(&a.probability));
        // Tests with equal responses are kept once.
        let mut distinct: FxHashSet<Responses> = FxHashSet::default();
        self.tests.retain(|new| distinct.insert(new.responses));
        self.tests.truncate(TESTS_KEPT);
    }
}
