//! New tests, and how tests that are known mend what they get wrong.
//!
//! A rule outside the grammar is often one new test in a rule that is known otherwise: its condition, a
//! side, the main part. Tests are drawn by the [`Derivations`]; for each the likeliest tests of the
//! vocabulary are looked through for those with which it agrees with every verdict, a bit for each.

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::derivations::{Derivations, Part};
use super::evidence::Evidence;
use super::heads::Spot;
use super::scene::Scene;
use crate::chance::Stream;
use crate::games::eleusis::rule::{Kind, Op, kind};
use crate::games::eleusis::{Expr, Vocabulary};

/// How many new tests are drawn a turn, how many are kept, and how many of these are mended.
const DRAWN: usize = 240;
const KEPT: usize = 96;

/// No new test is larger.
const LARGEST: usize = 12;

/// How many conditions and other parts mend.
const CONDITIONS: usize = 160;
const PARTS: usize = 400;

/// How many parts are taken of those that mend alike.
const ALIKE: usize = 2;

/// Where a test says yes, and where it is right.
#[derive(Clone, Copy)]
struct Said {
    yes: u128,
    right: u128,
}

/// A test of the vocabulary and what it says.
type Known = (Part<'static>, Said);

/// A tree that is not made yet: a test alone, or what a connective makes of some.
pub(super) struct Mended<'a> {
    pub op: Option<Op>,
    pub parts: SmallVec<[Part<'a>; 3]>,
}

impl<'a> Mended<'a> {
    pub fn of<const N: usize>(op: Op, parts: [Part<'a>; N]) -> Mended<'a> {
        Mended { op: Some(op), parts: SmallVec::from_slice(&parts) }
    }

    /// How large the tree is.
    pub fn size(&self) -> usize {
        let parts = self.parts.iter().map(|part| part.expr.size());
        usize::from(self.op.is_some()) + parts.sum::<usize>()
    }

    /// The tree.
    pub fn expr(&self) -> Expr {
        match self.op {
            None => self.parts[0].expr.clone(),
            Some(op) => Expr::Op(op, self.parts.iter().map(|part| part.expr.clone()).collect()),
        }
    }
}

/// The parts of a rule that known tests mend: conditions, sides, the first and the second of a pair,
/// and how many of the likeliest tests are looked through for each.
const LOOKED: [(usize, usize); 4] = [(3, CONDITIONS), (4, PARTS), (1, PARTS), (2, PARTS)];

/// The tests that mend.
pub(super) fn menders(derivations: &Derivations) -> impl Iterator<Item = u16> {
    LOOKED.into_iter().flat_map(|(part, most)| derivations.likeliest(part, most).iter().copied())
}

/// New tests, likeliest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Mending {
    tests: Vec<(Expr, f64)>,
}

impl Mending {
    /// Trees that may agree with everything judged, each of a new test and of known ones.
    pub fn found(
        &self,
        derivations: &Derivations,
        scene: &Scene,
        evidence: &Evidence,
    ) -> Vec<Mended<'_>> {
        let Some(verdicts) = scene.verdicts() else { return Vec::new() };
        let (tests, places) = (&Vocabulary::shared().tests, evidence.singles());
        let known = |&test: &u16| {
            let (yes, right) = evidence.said(test, &places);
            let (expr, number) = (tests[usize::from(test)].rule.expr(), usize::from(test));
            (Part { expr, number, head: derivations.head_of(test) }, Said { yes, right })
        };
        let [conditions, sides, mains, others] = LOOKED.map(|(part, most)| -> Vec<Known> {
            derivations.likeliest(part, most).iter().map(known).collect()
        });
        let all = u128::MAX >> (128 - scene.len().clamp(1, 128));
        let mut found = Vec::new();
        for (at, (test, _)) in self.tests.iter().enumerate() {
            let Some((yes, right)) = scene.said(test) else { continue };
            let new = Said { yes, right };
            let test = Part { expr: test, number: tests.len() + at, head: derivations.find(test) };
            let agrees = |said: Said| !(said.right ^ verdicts) & all;
            if agrees(new) == all {
                found.push(Mended { op: None, parts: SmallVec::from_slice(&[test]) });
            }
            // Parts that agree everywhere here.
            let mend = |parts: &[Known], there: u128| {
                let mends = parts.iter().filter(|(_, said)| agrees(*said) & there == there);
                mends.take(ALIKE).map(|(part, _)| *part).collect::<SmallVec<[Part; ALIKE]>>()
            };
            let choice = |c, a, b| Mended::of(Op::If, [c, a, b]);
            for (condition, said) in &conditions {
                let (yes, no) = (said.yes & all, !said.right & all);
                if agrees(new) & yes == yes && yes != 0 {
                    let sides = mend(&sides, no);
                    found.extend(sides.into_iter().map(|side| choice(*condition, test, side)));
                }
                if agrees(new) & no == no && no != 0 {
                    let sides = mend(&sides, yes);
                    found.extend(sides.into_iter().map(|side| choice(*condition, side, test)));
                }
            }
            let (yes, no) = (new.yes & all, !new.right & all);
            if yes != 0 && no != 0 {
                for first in mend(&sides, yes) {
                    let second = mend(&sides, no);
                    found.extend(second.into_iter().map(|side| choice(test, first, side)));
                }
            }
            for (parts, new_first) in [(&others, true), (&mains, false)] {
                let pair = |op, part: Part<'static>| match new_first {
                    true => Mended::of(op, [test, part]),
                    false => Mended::of(op, [part, test]),
                };
                let both =
                    parts.iter().filter(|(_, said)| new.right & said.right & all == verdicts);
                found.extend(both.take(ALIKE).map(|(part, _)| pair(Op::And, *part)));
                let either =
                    parts.iter().filter(|(_, said)| (new.right | said.right) & all == verdicts);
                found.extend(either.take(ALIKE).map(|(part, _)| pair(Op::Or, *part)));
            }
        }
        found
    }

    /// Draws new tests; where there are too many verdicts, none.
    pub fn draw(&mut self, derivations: &Derivations, scene: &Scene, chance: &mut Stream) {
        if scene.verdicts().is_none() {
            return;
        }
        let mut known: FxHashSet<Expr> = self.tests.iter().map(|(test, _)| test.clone()).collect();
        for _ in 0..DRAWN {
            let Some(test) = derivations.draw(Spot::TOP, chance) else { continue };
            let is_known = || {
                let place = Vocabulary::shared().place_of(&test);
                place.is_some_and(|place| derivations.has(place))
            };
            let connected = matches!(test, Expr::Op(Op::And | Op::Or | Op::Xor | Op::If, _));
            let fits = || matches!(kind(&test), Ok(Kind::Bool)) && scene.said(&test).is_some();
            if test.size() <= LARGEST
                && !connected
                && !is_known()
                && fits()
                && known.insert(test.clone())
            {
                let likely = derivations.chance(&test, Spot::TOP);
                self.tests.push((test, likely));
            }
        }
        self.tests.sort_by(|a, b| b.1.total_cmp(&a.1));
        // What says the same of everything that was judged is kept once.
        let mut same: FxHashSet<(u128, u128)> = FxHashSet::default();
        self.tests.retain(|(test, _)| scene.said(test).is_some_and(|said| same.insert(said)));
        self.tests.truncate(KEPT);
    }
}
