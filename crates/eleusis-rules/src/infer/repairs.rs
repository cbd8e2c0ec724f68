//! Repairs: new tests in rules that are otherwise known.
//!
//! A rule outside the grammar often has one new test as its condition, a side, or the main part.
//! New tests are drawn from the [`TreeGrammar`]. For each, the likeliest tests of the vocabulary
//! are searched for those with which it agrees with all verdicts, with one bit for each verdict.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::evidence::Evidence;
use super::productions::{Context, Subtree, TreeGrammar};
use super::tracked_tests::CardVerdicts;
use super::transcript::{Responses, Transcript};
use crate::rule::{Expr, Head, Op, Sort, kind};
use crate::vocabulary::Vocabulary;
use parlour_base::chance::Stream;

/// Number of new tests drawn in a turn, and number of tests kept.
const DRAWN: usize = 120;
const KEPT: usize = 48;

/// Maximum size of a new test.
const MAX_SIZE: usize = 12;

/// Maximum number of conditions and of other parts tried for a repair.
const CONDITIONS: usize = 160;
const PARTS: usize = 400;

/// Maximum number of equivalent repairs.
const EQUIVALENT: usize = 2;

/// A test of the vocabulary with its responses.
type KnownTest = (Subtree<'static>, Responses);

/// A candidate for a rule; unions are not built yet.
pub(super) enum Candidate<'a> {
    /// A complete tree.
    Tree(&'a Expr),
    /// A connective of some tests.
    Union(Op, SmallVec<[Subtree<'a>; 3]>),
}

impl Candidate<'_> {
    /// Returns the [`Expr::size`].
    pub fn size(&self) -> usize {
        match self {
            Candidate::Tree(expr) => expr.size(),
            Candidate::Union(_, parts) => 1 + parts.iter().map(|part| part.size).sum::<usize>(),
        }
    }

    /// Builds the tree.
    pub fn expr(&self) -> Expr {
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
const PLACES: [(usize, usize); 4] = [(3, CONDITIONS), (4, PARTS), (1, PARTS), (2, PARTS)];

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
pub(super) struct Repairs {
    tests: Vec<NewTest>,
}

impl Repairs {
    /// Returns trees of a new test and known tests that may agree with all verdicts.
    pub fn candidates(
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
        let mut cache: FxHashMap<u128, SmallVec<[Subtree; EQUIVALENT]>> = FxHashMap::default();
        let mut sides_for = |there: u128| {
            let agreeing = sides.iter().filter(|(_, known)| agrees(*known) & there == there);
            let new = || agreeing.take(EQUIVALENT).map(|(side, _)| *side).collect();
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
                found.extend(both.take(EQUIVALENT).map(|(part, _)| pair(Op::And, *part)));
                let any = parts.iter().filter(|(_, one)| (new.right | one.right) & all == verdicts);
                found.extend(any.take(EQUIVALENT).map(|(part, _)| pair(Op::Or, *part)));
            }
        }
        found
    }

    /// Draws new tests, unless there are too many verdicts.
    pub fn draw(&mut self, trees: &TreeGrammar, transcript: &Transcript, chance: &mut Stream) {
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
        for _ in 0..DRAWN {
            let Some(expr) = trees.draw(Context::TOP, chance) else { continue };
            let is_known = || {
                let index = Vocabulary::shared().index_of(&expr);
                index.is_some_and(|index| trees.has(index))
            };
            let is_connective = matches!(expr.head, Head::Op(Op::And | Op::Or | Op::Xor | Op::If));
            if expr.size() <= MAX_SIZE
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
        self.tests.truncate(KEPT);
    }
}
