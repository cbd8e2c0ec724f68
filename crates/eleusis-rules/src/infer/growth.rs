//! Rules outside the grammar, found near those that are least wrong.
//!
//! When *none of these* has a good part of the belief, a random walk over trees of the rule language
//! starts from the rules that got least wrong: a part is derived anew, a number or a look-back shifted,
//! a node or an attribute exchanged, a test negated, an exception added or taken away. A step is
//! taken with the chance of Metropolis and others (1953), by how likely the tree is by the
//! [`Derivations`] and how many verdicts it gets wrong (Goodman, Tenenbaum, Feldman and Griffiths
//! 2008). The walk says only where to look. A rule that it meets and that agrees with everything weighs
//! what it has of the prior: its part of *none of these*, times how likely its tree is, times how much
//! better it foretold the starter than any card would. How often it was met does not count.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashSet;

use super::changes::changed;
use super::derivations::Derivations;
use super::evidence::Evidence;
use super::heads::Spot;
use super::joined::{Joined, Parts};
use super::mending::{Mended, Mending};
use super::scene::Scene;
use super::{Grammar, Posterior};
use crate::cards::{Card, CardSet};
use crate::chance::Seed;
use crate::rule::{Kind, kind};
use crate::{Expr, Memory, Rule, Vocabulary};

/// Rules are looked for where *none of these* has more of the belief.
const FROM: f64 = 0.1;

/// So many walks of so many steps a turn.
const WALKS: usize = 12;
const STEPS: usize = 40;

/// What a wrong verdict takes of the weight of a tree on a walk.
const WRONG: f64 = 0.1;

/// Trees with more wrong verdicts are not started from, larger ones not looked at.
const MOST_WRONG: usize = 4;
const LARGEST: usize = 24;

/// How many trees are started from, of how many products and rules that are nearly right.
const STARTS: usize = 48;
const STARTERS: usize = 12;

/// How many grown rules are believed in at once, and how many are made ready a turn.
const GROWN: usize = 64;
const READY: usize = 12;

/// Lines along which rules are told apart, and how many cards each has.
const LINES: u64 = 4;
const LENGTH: usize = 6;

/// Of a rule that can be played a share of the cards between these is right.
const SHARE: (f64, f64) = (0.04, 0.94);

/// A rule that was grown.
#[derive(Clone, Debug)]
pub(super) struct Grown {
    pub rule: Rule,
    pub memory: Memory,
    /// What it says now.
    pub right: CardSet,
    /// Its weight among grown rules, those that say the same included.
    pub weight: f64,
    signature: u64,
}

impl Grown {
    /// A rule made ready; none where it cannot be played.
    fn of(expr: &Expr, chance: f64, line: &[Card]) -> Option<Grown> {
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
                // Multiplication by an odd constant and a turn, as FxHash has it.
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
        let can = (SHARE.0..=SHARE.1).contains(&share) && !right.is_empty();
        let weight = chance * 52.0 / f64::from(first);
        can.then_some(Grown { rule, memory, right, weight, signature })
    }

    fn step(&mut self, card: Card) {
        self.memory = self.rule.step(&self.memory, card);
        self.right = self.rule.right(&self.memory);
    }
}

/// The rules that were grown, and where to look for more.
#[derive(Clone, Debug, Default)]
pub(super) struct Growth {
    scene: Scene,
    strings: Vec<(usize, Vec<Card>)>,
    /// For how much was judged it last looked.
    looked: usize,
    /// The least wrong trees so far, with how likely they are and how many verdicts they get wrong.
    starts: Vec<(Expr, f64, usize)>,
    /// Every tree that was made ready or cannot be.
    seen: FxHashSet<Expr>,
    refuted: Vec<Rule>,
    mending: Mending,
    /// What tests of the vocabulary add to trees that join them, as far as that was worked out.
    parts: Parts,
    /// The rules that agree with everything, heaviest first.
    pub grown: Vec<Grown>,
}

impl Growth {
    /// The weight of all of them.
    pub fn weight(&self) -> f64 {
        self.grown.iter().map(|grown| grown.weight).sum()
    }

    /// A card was judged; where it was right, the line goes on.
    pub fn judged(&mut self, card: Card, right: bool) {
        self.scene.judged(card, right);
        self.grown.retain(|grown| grown.right.has(card) == right);
        if right {
            self.grown.iter_mut().for_each(|grown| grown.step(card));
        }
    }

    /// At least one card of a string was wrong.
    pub fn wrong_string(&mut self, line: &[Card], string: &[Card]) {
        self.grown.retain(|grown| grown.rule.accepts(&grown.memory, string).is_none());
        self.strings.push((line.len(), string.to_vec()));
    }

    /// A rule is not the secret one.
    pub fn refute(&mut self, rule: &Rule, line: &[Card]) {
        let memory = rule.after(line);
        self.grown.retain(|grown| !alike(rule, &memory, &grown.rule, &grown.memory));
        self.refuted.push(rule.clone());
    }

    /// Looks for rules, from these trees and those of before on.
    fn look(&mut self, grammar: &Grammar, starters: Vec<Expr>, evidence: &Evidence, line: &[Card]) {
        let derivations = &*grammar.derivations();
        let before = self.starts.len();
        for expr in starters {
            if self.starts[..before].iter().all(|(known, ..)| *known != expr) {
                let likely = derivations.chance(&expr, Spot::TOP);
                self.starts.push((expr, likely, 0));
            }
        }
        for (expr, _, wrong) in &mut self.starts {
            *wrong = self.scene.errors(expr).unwrap_or(usize::MAX);
        }
        self.cut();
        let mut chance = Seed::new(self.scene.len() as u64).named("growth").stream();
        let mut met: FxHashSet<Expr> = self.starts.iter().map(|(expr, ..)| expr.clone()).collect();
        let mut agreeing: Vec<(Expr, f64)> = Vec::new();
        let starts = self.starts.clone();
        let right = starts.iter().filter(|(.., wrong)| *wrong == 0);
        agreeing.extend(right.map(|(expr, likely, _)| (expr.clone(), *likely)));
        for walk in 0..WALKS {
            // Half of the walks start from the best, half from any.
            let few = starts.len().min(if walk % 2 == 0 { 6 } else { STARTS });
            let Some(start) = starts.get(chance.below(few.max(1) as u32) as usize) else { break };
            let mut here = start.clone();
            for _ in 0..STEPS {
                let Some(expr) = changed(derivations, &here.0, &mut chance) else { continue };
                if expr.size() > LARGEST || !matches!(kind(&expr), Ok(Kind::Bool)) {
                    continue;
                }
                let Some(wrong) = self.scene.errors(&expr) else { continue };
                let likely = derivations.chance(&expr, Spot::TOP);
                if wrong <= MOST_WRONG && met.insert(expr.clone()) {
                    if wrong == 0 {
                        agreeing.push((expr.clone(), likely));
                    }
                    self.starts.push((expr.clone(), likely, wrong));
                }
                let ratio = value(likely, wrong) / value(here.1, here.2);
                if ratio >= 1.0 || chance.unit() < ratio {
                    here = (expr, likely, wrong);
                }
            }
        }
        self.cut();
        self.mending.draw(derivations, &self.scene, &mut chance);
        let mut joined = Joined::of(derivations, &mut self.parts);
        let walked = agreeing.iter().map(|(expr, likely)| (Mended::Alone(expr), *likely));
        let mended = self.mending.found(derivations, &self.scene, evidence).into_iter();
        let mended = mended.filter(|tree| tree.size() <= LARGEST).map(|tree| {
            let likely = match &tree {
                Mended::Alone(expr) => derivations.chance(expr, Spot::TOP),
                Mended::Joined(op, parts) => joined.chance(*op, parts),
            };
            (tree, likely)
        });
        let found: Vec<(Mended, f64)> = walked.chain(mended).collect();
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by(|&a, &b| found[b].1.total_cmp(&found[a].1));
        let holds = |expr: &Expr| {
            let found = Vocabulary::shared().find_tree(expr);
            found.is_some_and(|rule| grammar.mass(rule) > 0.0)
        };
        let mut ready = 0;
        for (tree, likely) in order.into_iter().map(|at| &found[at]) {
            if ready == READY {
                break;
            }
            let expr = tree.expr();
            let new = !self.seen.contains(&expr) && !holds(&expr);
            if !new || self.scene.errors(&expr) != Some(0) {
                continue;
            }
            ready += 1;
            let grown = Grown::of(&expr, *likely, line);
            self.seen.insert(expr);
            if let Some(grown) = grown.filter(|grown| self.agrees(grown, line)) {
                match self.grown.iter_mut().find(|known| known.signature == grown.signature) {
                    Some(known) => known.weight += grown.weight,
                    None => self.grown.push(grown),
                }
            }
        }
        self.grown.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        self.grown.truncate(GROWN);
    }

    /// The trees that are worth starting from stay.
    fn cut(&mut self) {
        self.starts.retain(|(.., wrong)| *wrong <= MOST_WRONG);
        self.starts.sort_by(|a, b| value(b.1, b.2).total_cmp(&value(a.1, a.2)));
        self.starts.truncate(STARTS);
    }

    /// Whether a rule agrees with what the scene does not tell.
    fn agrees(&self, grown: &Grown, line: &[Card]) -> bool {
        let rule = &grown.rule;
        let wrong = |(place, string): &(usize, Vec<Card>)| {
            rule.accepts(&rule.after(&line[..*place]), string).is_none()
        };
        let refuted = |other: &Rule| alike(other, &other.after(line), rule, &grown.memory);
        self.strings.iter().all(wrong) && !self.refuted.iter().any(refuted)
    }
}

/// What a tree weighs on a walk.
fn value(likely: f64, wrong: usize) -> f64 {
    (0..wrong.min(40)).fold(likely, |value, _| value * WRONG).max(f64::MIN_POSITIVE)
}

/// Whether two rules judge alike along some lines of the first.
pub(super) fn alike(a: &Rule, of_a: &Memory, b: &Rule, of_b: &Memory) -> bool {
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

impl Grammar {
    /// The trees that its tests are like, counted when they are first asked for.
    pub(super) fn derivations(&self) -> Arc<Derivations> {
        self.derivations.get_or_init(|| Arc::new(Derivations::of(self))).clone()
    }
}

/// Counted once.
pub(super) type Lazy = OnceLock<Arc<Derivations>>;

impl Posterior {
    /// Looks for rules outside the grammar, where *none of these* has a good part of the belief. What is
    /// found is a function of what was judged and of when this was asked for; asked twice of the
    /// same evidence it does nothing more.
    pub fn grow(&mut self) {
        self.grows = true;
        let judged = self.growth.scene.len() + self.growth.strings.len();
        let outside = 1.0 - self.inside() / self.total();
        if self.growth.looked == judged || outside < FROM {
            return;
        }
        self.growth.looked = judged;
        let mut near = self.misspecified.near.clone();
        near.sort_by(|a, b| b.1.total_cmp(&a.1));
        near.truncate(STARTERS);
        let inside = self.heaviest(STARTERS).into_iter().map(|(rule, _)| rule);
        let near = near.into_iter().map(|(rule, _)| rule);
        let starters = near.chain(inside).map(|rule| rule.expr()).collect();
        self.growth.look(&self.grammar, starters, &self.evidence, &self.line);
    }

    /// What is believed of the grown rules, not scaled, for each unit of their weight.
    pub(super) fn per_weight(&self) -> f64 {
        self.grammar.prior.outside * super::posterior::GROWN
    }
}
