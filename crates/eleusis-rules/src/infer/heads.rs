//! Nodes of trees without what stands below them: of what sort they are, where they stand, how often
//! they came there.

use rustc_hash::FxHashMap;

use crate::Expr;
use crate::chance::Stream;
use crate::rule::{Attr, Listed, Op, Over};

/// Yes or no, a number, a suit, a colour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Sort {
    Test,
    Number,
    Suit,
    Color,
}

impl Sort {
    /// The sort of an expression that fits together.
    pub fn of(expr: &Expr) -> Sort {
        use Op::{Abs, Add, Default, Div, Gcd, Holds, If, Larger, Mod, Mul, Neg, Smaller, Sub};
        match expr {
            Expr::Num(_) | Expr::Length | Expr::Attr(Attr::RANK) => Sort::Number,
            Expr::Suit(_) | Expr::Attr(Attr::SUIT) => Sort::Suit,
            Expr::Color(_) | Expr::Attr(Attr::COLOR) => Sort::Color,
            Expr::Was(_, a) | Expr::At(_, a) | Expr::This(a) => Sort::of(a),
            Expr::Latest(_, a) | Expr::Among(_, a) => Sort::of(a),
            Expr::Op(If | Default, items) => items.last().map_or(Sort::Test, Sort::of),
            Expr::Op(
                Neg | Abs | Add | Sub | Mul | Div | Mod | Gcd | Larger | Smaller | Holds,
                _,
            ) => Sort::Number,
            Expr::Listed(Listed::Place, ..) => Sort::Number,
            Expr::Listed(Listed::After, _, list) => list.first().map_or(Sort::Test, Sort::of),
            Expr::Over(over, a, _) | Expr::OverSince(over, a, _) => match over {
                Over::Some | Over::Every | Over::Seen | Over::Commonest | Over::Rarest => {
                    Sort::Test
                }
                Over::Majority | Over::Minority => Sort::of(a),
                _ => Sort::Number,
            },
            _ => Sort::Test,
        }
    }
}

/// A node without what stands below it.
pub(super) type Head = u16;

/// No head: the top of a tree, or nothing to the left.
pub(super) const NONE: Head = u16::MAX;

/// Where a node stands: the head above it, its place there, and the head that it follows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Spot {
    pub above: Head,
    pub place: u8,
    pub left: Head,
}

impl Spot {
    /// The top of a tree.
    pub const TOP: Spot = Spot { above: NONE, place: 0, left: NONE };

    pub fn wide(self) -> Spot {
        Spot { left: NONE, ..self }
    }
}

/// How often each head came.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub heads: Vec<(Head, f64)>,
    places: FxHashMap<Head, usize>,
    pub total: f64,
}

impl Counts {
    pub fn add(&mut self, head: Head, count: f64) {
        let next = self.heads.len();
        let place = *self.places.entry(head).or_insert(next);
        if place == next {
            self.heads.push((head, 0.0));
        }
        self.heads[place].1 += count;
        self.total += count;
    }

    pub fn of(&self, head: Head) -> f64 {
        self.places.get(&head).map_or(0.0, |&place| self.heads[place].1)
    }

    pub fn draw(&self, chance: &mut Stream) -> Option<Head> {
        let mut left = chance.unit() * self.total;
        let found = self.heads.iter().find(|(_, count)| {
            left -= count;
            left < 0.0
        });
        found.or(self.heads.last()).map(|(head, _)| *head)
    }
}
