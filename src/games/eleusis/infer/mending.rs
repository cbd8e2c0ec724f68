//! New tests, and how tests that are known mend what they get wrong.
//!
//! A rule outside the grammar is often one new test in a rule that is known otherwise: its condition, a
//! side, the main part. Tests are drawn by the [`Derivations`]; for each the likeliest tests of the
//! vocabulary are looked through for those with which it agrees with every verdict, a bit for each.

use rustc_hash::FxHashSet;

use super::derivations::{Derivations, Spot};
use super::evidence::Evidence;
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
type Known = (&'static Expr, Said);

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
        &mut self,
        derivations: &Derivations,
        scene: &Scene,
        evidence: &Evidence,
        chance: &mut Stream,
    ) -> Vec<Expr> {
        let Some(verdicts) = scene.verdicts() else { return Vec::new() };
        self.draw(derivations, scene, chance);
        let said = |expr: &Expr| scene.said(expr).map(|(yes, right)| Said { yes, right });
        let (tests, places) = (&Vocabulary::shared().tests, evidence.singles());
        let known = |&test: &u16| {
            let (yes, right) = evidence.said(test, &places);
            (tests[usize::from(test)].rule.expr(), Said { yes, right })
        };
        let [conditions, sides, mains, others] = LOOKED.map(|(part, most)| -> Vec<Known> {
            derivations.likeliest(part, most).iter().map(known).collect()
        });
        let all = u128::MAX >> (128 - scene.len().clamp(1, 128));
        let mut found = Vec::new();
        for (test, _) in &self.tests {
            let Some(new) = said(test) else { continue };
            let agrees = |said: Said| !(said.right ^ verdicts) & all;
            if agrees(new) == all {
                found.push(test.clone());
            }
            let joined = |op, parts: [&Expr; 2]| Expr::Op(op, parts.map(Expr::clone).to_vec());
            // Parts that agree everywhere here.
            let mend = |parts: &[Known], there: u128, join: &dyn Fn(&Expr) -> Expr| {
                let mends = parts.iter().filter(|(_, said)| agrees(*said) & there == there);
                mends.take(ALIKE).map(|(part, _)| join(part)).collect::<Vec<Expr>>()
            };
            let choice = |c: &Expr, a: &Expr, b: &Expr| {
                Expr::Op(Op::If, [c, a, b].map(Expr::clone).to_vec())
            };
            for (condition, said) in &conditions {
                let (yes, no) = (said.yes & all, !said.right & all);
                if agrees(new) & yes == yes && yes != 0 {
                    found.extend(mend(&sides, no, &|side| choice(condition, test, side)));
                }
                if agrees(new) & no == no && no != 0 {
                    found.extend(mend(&sides, yes, &|side| choice(condition, side, test)));
                }
            }
            let (yes, no) = (new.yes & all, !new.right & all);
            if yes != 0 && no != 0 {
                for first in mend(&sides, yes, &Expr::clone) {
                    found.extend(mend(&sides, no, &|side| choice(test, &first, side)));
                }
            }
            for (parts, new_first) in [(&others, true), (&mains, false)] {
                let pair = |op, part: &Expr| match new_first {
                    true => joined(op, [test, part]),
                    false => joined(op, [part, test]),
                };
                let both =
                    parts.iter().filter(|(_, said)| new.right & said.right & all == verdicts);
                found.extend(both.take(ALIKE).map(|(part, _)| pair(Op::And, part)));
                let either =
                    parts.iter().filter(|(_, said)| (new.right | said.right) & all == verdicts);
                found.extend(either.take(ALIKE).map(|(part, _)| pair(Op::Or, part)));
            }
        }
        found
    }

    /// Draws new tests.
    fn draw(&mut self, derivations: &Derivations, scene: &Scene, chance: &mut Stream) {
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
