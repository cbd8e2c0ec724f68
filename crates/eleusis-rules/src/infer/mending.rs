//! New tests, and how tests that are known mend what they get wrong.
//!
//! A rule outside the grammar is often one new test in a rule that is known otherwise: its condition, a
//! side, the main part. Tests are drawn by the [`Derivations`]; for each the likeliest tests of the
//! vocabulary are looked through for those with which it agrees with every verdict, a bit for each.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::derivations::Derivations;
use super::evidence::Evidence;
use super::heads::Spot;
use super::joined::Part;
use super::scene::Scene;
use crate::chance::Stream;
use crate::rule::{Kind, Op, kind};
use crate::{Expr, Vocabulary};

/// How many new tests are drawn a turn, and how many are kept and looked at.
const DRAWN: usize = 120;
const KEPT: usize = 48;

/// No new test is larger.
const LARGEST: usize = 12;

/// How many conditions and other parts mend.
const CONDITIONS: usize = 160;
const PARTS: usize = 400;

/// How many parts are taken of those that mend alike.
const ALIKE: usize = 2;

/// Where a test says yes, and where it is right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Said {
    yes: u128,
    right: u128,
}

/// A test of the vocabulary and what it says.
type Known = (Part<'static>, Said);

/// A tree that is not made yet.
pub(super) enum Mended<'a> {
    /// One that was found as it is.
    Alone(&'a Expr),
    /// What a connective makes of some tests.
    Joined(Op, SmallVec<[Part<'a>; 3]>),
}

impl<'a> Mended<'a> {
    fn of<const N: usize>(op: Op, parts: [Part<'a>; N]) -> Mended<'a> {
        Mended::Joined(op, SmallVec::from_slice(&parts))
    }

    /// How large the tree is: its [`Expr::size`].
    pub fn size(&self) -> usize {
        match self {
            Mended::Alone(expr) => expr.size(),
            Mended::Joined(_, parts) => 1 + parts.iter().map(|part| part.size).sum::<usize>(),
        }
    }

    /// The tree.
    pub fn expr(&self) -> Expr {
        match self {
            Mended::Alone(expr) => (*expr).clone(),
            Mended::Joined(op, parts) => {
                Expr::Op(*op, parts.iter().map(|part| part.expr.clone()).collect())
            }
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

/// A test that no player knows, how likely it is, and what it says of what was judged.
#[derive(Clone, Debug)]
struct New {
    expr: Expr,
    likely: f64,
    said: Said,
}

/// New tests, likeliest first.
#[derive(Clone, Debug, Default)]
pub(super) struct Mending {
    tests: Vec<New>,
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
        let (tests, places) = (Vocabulary::shared().tests.len(), evidence.singles());
        let known = |&test: &u16| {
            let (yes, right) = evidence.said(test, &places);
            (derivations.known(test), Said { yes, right })
        };
        let [conditions, sides, mains, others] = LOOKED.map(|(part, most)| -> Vec<Known> {
            derivations.likeliest(part, most).iter().map(known).collect()
        });
        let all = u128::MAX >> (128 - scene.len().clamp(1, 128));
        let mut found = Vec::new();
        let agrees = |said: Said| !(said.right ^ verdicts) & all;
        // Sides that agree everywhere there. Many conditions ask for the same.
        let mut mended: FxHashMap<u128, SmallVec<[Part; ALIKE]>> = FxHashMap::default();
        let mut mend = |there: u128| {
            let mends = sides.iter().filter(|(_, said)| agrees(*said) & there == there);
            let worked_out = || mends.take(ALIKE).map(|(part, _)| *part).collect();
            mended.entry(there).or_insert_with(worked_out).clone()
        };
        for (at, &New { ref expr, said: new, .. }) in self.tests.iter().enumerate() {
            let (head, size) = (derivations.find(expr), expr.size());
            let test = Part { expr, number: tests + at, head, size };
            if agrees(new) == all {
                found.push(Mended::Alone(expr));
            }
            let choice = |c, a, b| Mended::of(Op::If, [c, a, b]);
            for (condition, said) in &conditions {
                let (yes, no) = (said.yes & all, !said.right & all);
                if agrees(new) & yes == yes && yes != 0 {
                    found.extend(mend(no).into_iter().map(|side| choice(*condition, test, side)));
                }
                if agrees(new) & no == no && no != 0 {
                    found.extend(mend(yes).into_iter().map(|side| choice(*condition, side, test)));
                }
            }
            let (yes, no) = (new.yes & all, !new.right & all);
            if yes != 0 && no != 0 {
                for first in mend(yes) {
                    let second = mend(no);
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
        let said = |expr: &Expr| scene.said(expr).map(|(yes, right)| Said { yes, right });
        let mut known: FxHashSet<Expr> = FxHashSet::default();
        for new in std::mem::take(&mut self.tests) {
            if let Some(said) = said(&new.expr) {
                known.insert(new.expr.clone());
                self.tests.push(New { said, ..new });
            }
        }
        for _ in 0..DRAWN {
            let Some(expr) = derivations.draw(Spot::TOP, chance) else { continue };
            let is_known = || {
                let place = Vocabulary::shared().place_of(&expr);
                place.is_some_and(|place| derivations.has(place))
            };
            let connected = matches!(expr, Expr::Op(Op::And | Op::Or | Op::Xor | Op::If, _));
            if expr.size() <= LARGEST
                && !connected
                && !is_known()
                && matches!(kind(&expr), Ok(Kind::Bool))
                && let Some(said) = said(&expr)
                && known.insert(expr.clone())
            {
                let likely = derivations.chance(&expr, Spot::TOP);
                self.tests.push(New { expr, likely, said });
            }
        }
        self.tests.sort_by(|a, b| b.likely.total_cmp(&a.likely));
        // What says the same of everything that was judged is kept once.
        let mut same: FxHashSet<Said> = FxHashSet::default();
        self.tests.retain(|new| same.insert(new.said));
        self.tests.truncate(KEPT);
    }
}
