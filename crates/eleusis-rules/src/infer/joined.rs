//! Trees that join whole tests by a connective, weighed before any is made.

use rustc_hash::FxHashMap;

use super::derivations::{Derivations, below, part};
use super::heads::{Head, Sort, Spot};
use crate::rule::Op;
use crate::{Expr, Vocabulary};

/// A whole test as a part of trees that are not made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a> {
    pub expr: &'a Expr,
    /// Another for each test.
    pub number: usize,
    pub head: Head,
    /// Its [`Expr::size`].
    pub size: usize,
}

/// What tests add at a spot, each by its number.
pub(super) type Parts = FxHashMap<(usize, Spot), f64>;

/// How likely trees are that join whole tests. What a test adds at a spot is worked out once.
pub(super) struct Joined<'a> {
    derivations: &'a Derivations,
    /// Of the tests of the vocabulary.
    known: &'a mut Parts,
    /// Of new tests.
    new: Parts,
    nodes: Vec<Connective>,
}

/// A connective with so many parts, its head, and how likely that is at the top.
struct Connective {
    op: Op,
    parts: usize,
    node: Expr,
    head: Head,
    likely: f64,
}

impl<'a> Joined<'a> {
    /// `known` is what was worked out of the tests of the vocabulary before, by the same derivations.
    pub fn of(derivations: &'a Derivations, known: &'a mut Parts) -> Joined<'a> {
        Joined { derivations, known, new: Parts::default(), nodes: Vec::new() }
    }

    /// What [`Derivations::chance`] says of the tree that a connective makes of the tests.
    pub fn chance(&mut self, op: Op, tests: &[Part]) -> f64 {
        let known =
            self.nodes.iter().position(|known| known.op == op && known.parts == tests.len());
        let at = known.unwrap_or_else(|| {
            let node = Expr::Op(op, vec![Expr::Length; tests.len()]);
            let head = self.derivations.numbered(&node, Sort::Test);
            let likely = self.derivations.chance_of(head, Spot::TOP);
            self.nodes.push(Connective { op, parts: tests.len(), node, head, likely });
            self.nodes.len() - 1
        });
        let Connective { node, head, likely, .. } = &self.nodes[at];
        let mut spot = below(*head, node, Spot::TOP);
        let mut tree = *likely;
        for (place, test) in tests.iter().enumerate() {
            spot.place = place as u8;
            let worked_out = || {
                let whole = part(node, place);
                self.derivations.chance_of_part(test.expr, test.head, spot, whole)
            };
            let is_known = test.number < Vocabulary::shared().tests.len();
            let parts = if is_known { &mut *self.known } else { &mut self.new };
            tree *= *parts.entry((test.number, spot)).or_insert_with(worked_out);
            spot.left = test.head;
        }
        tree
    }
}
