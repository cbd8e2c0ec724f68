//! A probabilistic context-free grammar (PCFG) of trees, estimated from the vocabulary.
//!
//! A tree is derived from the top: each node is drawn given the node above it, its position there,
//! and the node to its left. The probabilities are relative frequencies in the tests of a grammar,
//! weighted by their prior. Unseen combinations back off to the frequencies without the left
//! neighbour, then to all nodes of the same sort. Below a connective, a whole test of the
//! vocabulary may be drawn at once. So rules outside the vocabulary remain expressible in its style
//! (Goodman, Tenenbaum, Feldman and Griffiths 2008, with estimated productions).

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::prior::Prior;
use super::test_lists::pick;
use super::transcript::Transcript;
use crate::rule::{Expr, Head, Op, Sort};
use crate::{GROUPS, PLACES, Vocabulary};
use parlour_base::chance::Stream;

/// A node without its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct BareNode {
    head: Head,
    parts: usize,
    sort: Sort,
}

impl BareNode {
    fn of(expr: &Expr) -> BareNode {
        BareNode { head: expr.head.clone(), parts: expr.parts.len(), sort: Sort::of(expr) }
    }
}

/// A production: the number of a [`BareNode`].
pub(super) type Production = u16;

/// No production: above the top of a tree, or left of the first child.
const NONE: Production = u16::MAX;

/// The context of a node: the node above it, its position there, and its left neighbour.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Context {
    above: Production,
    position: u8,
    left: Production,
}

impl Context {
    /// The top of a tree.
    pub const TOP: Context = Context { above: NONE, position: 0, left: NONE };

    fn without_left(self) -> Context {
        Context { left: NONE, ..self }
    }

    /// Returns the context of the first child of a node. A node that only looks back is
    /// transparent.
    fn below(self, production: Production, head: &Head) -> Context {
        let is_transparent = matches!(head, Head::Was(_) | Head::At(_));
        let left = if is_transparent { self.left } else { NONE };
        Context { above: production, position: 0, left }
    }

    /// Returns the context of the next child, after a child with this production.
    fn next(self, left: Production) -> Context {
        Context { position: (self.position + 1).min(3), left, ..self }
    }
}

/// Weighted counts of productions.
#[derive(Clone, Debug, Default)]
struct ProductionCounts {
    counts: IndexMap<Production, f64, FxBuildHasher>,
    total: f64,
}

impl ProductionCounts {
    fn add(&mut self, production: Production, count: f64) {
        *self.counts.entry(production).or_default() += count;
        self.total += count;
    }

    #[inline]
    fn of(&self, production: Production) -> f64 {
        self.counts.get(&production).copied().unwrap_or(0.0)
    }

    fn draw(&self, chance: &mut Stream) -> Option<Production> {
        let counts = self.counts.iter().map(|(production, count)| (*production, *count));
        pick(counts, chance.unit() * self.total)
    }
}

/// Weights of the back-off distributions, as counts: without the left neighbour, and by sort.
const BACK_OFF: [f64; 2] = [4.0, 8.0];

/// Probability of a whole test of the vocabulary where one is possible.
const WHOLE_TEST: f64 = 0.5;

/// Maximum depth of a drawn tree.
const MAX_DEPTH: usize = 7;

/// Total count of the weights of all tests at all places.
const TOTAL_COUNT: f64 = 1000.0;

/// The grammar of trees.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeGrammar {
    productions: IndexSet<BareNode, FxBuildHasher>,
    by_context: FxHashMap<Context, ProductionCounts>,
    /// Counts without the left neighbour.
    by_parent: FxHashMap<Context, ProductionCounts>,
    by_sort: [ProductionCounts; 4],
    /// The shares of whole tests at each place.
    whole_tests: [Vec<(u16, f64)>; PLACES],
    /// The production and the size of each test of the vocabulary.
    tests: Vec<(Production, usize)>,
    /// The tests that a [`Transcript`] can evaluate, most probable first.
    ranked: [Vec<u16>; PLACES],
}

/// Returns the place of a test below a connective, as numbered by the vocabulary.
fn test_place(above: &Head, position: u8) -> Option<usize> {
    match (above, position) {
        (Head::Op(Op::And | Op::Or), 0) => Some(1),
        (Head::Op(Op::And | Op::Or), _) => Some(2),
        (Head::Op(Op::Xor | Op::If), 0) => Some(3),
        (Head::Op(Op::Xor | Op::If), _) => Some(4),
        _ => None,
    }
}

impl TreeGrammar {
    /// Estimates the productions from the tests with these weights at each place.
    pub fn new(prior: &Prior, weights: &[Vec<f64>; PLACES]) -> TreeGrammar {
        type ByGroup = [f64; GROUPS];
        let mut all = TreeGrammar::default();
        let rows = |pairs: &[ByGroup; GROUPS]| pairs.map(|row| row.iter().sum::<f64>());
        let columns = |pairs: &[ByGroup; GROUPS]| -> ByGroup {
            std::array::from_fn(|at| pairs.iter().map(|row| row[at]).sum())
        };
        let plus = |a: ByGroup, b: ByGroup| -> ByGroup { std::array::from_fn(|at| a[at] + b[at]) };
        let choices = plus(rows(&prior.choice), columns(&prior.choice));
        let shares: [ByGroup; PLACES] = [
            prior.single,
            plus(rows(&prior.both), rows(&prior.either)),
            plus(columns(&prior.both), columns(&prior.either)),
            prior.conditions,
            plus(choices, prior.exactly_one),
            [prior.common; GROUPS],
            [2.0 * prior.common; GROUPS],
        ];
        let vocabulary = Vocabulary::shared();
        let mut sums = [0.0f64; PLACES];
        for (at, test) in vocabulary.tests.iter().enumerate() {
            let group = usize::from(vocabulary.ideas[usize::from(test.idea)].group);
            let mut count = 0.0;
            for (place, sum) in sums.iter_mut().enumerate() {
                let share = shares[place][group] * weights[place][at];
                if share > 0.0 {
                    all.whole_tests[place].push((at as u16, share));
                    *sum += share;
                    count += share;
                }
            }
            if count > 0.0 {
                all.count(test.rule.expr(), Context::TOP, TOTAL_COUNT / 4.0 * count);
            }
        }
        for (tests, sum) in all.whole_tests.iter_mut().zip(sums) {
            tests.iter_mut().for_each(|(_, share)| *share /= sum.max(f64::MIN_POSITIVE));
        }
        all.ranked = all.whole_tests.each_ref().map(|tests| {
            let mut ranked = tests.clone();
            let empty = Transcript::default();
            let expr = |test: u16| vocabulary.tests[usize::from(test)].rule.expr();
            ranked.retain(|(test, _)| empty.responses(expr(*test)).is_some());
            ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            ranked.into_iter().map(|(test, _)| test).collect()
        });
        // Connectives do not occur as tests.
        let mass = |pairs: &[ByGroup; GROUPS]| pairs.iter().flatten().sum::<f64>();
        let exactly_one: f64 = prior.exactly_one.iter().sum();
        let connectives = [
            (Op::And, 2, mass(&prior.both)),
            (Op::Or, 2, mass(&prior.either)),
            (Op::Xor, 2, exactly_one),
            (Op::If, 3, mass(&prior.choice) + prior.common),
        ];
        for (op, parts, mass) in connectives {
            let production = all.number(BareNode { head: op.into(), parts, sort: Sort::Test });
            all.add(Context::TOP, production, TOTAL_COUNT * mass);
        }
        let trees = vocabulary.tests.iter().map(|test| test.rule.expr());
        all.tests = trees.map(|expr| (all.find(expr), expr.size())).collect();
        all
    }

    fn add(&mut self, context: Context, production: Production, count: f64) {
        self.by_context.entry(context).or_default().add(production, count);
        self.by_parent.entry(context.without_left()).or_default().add(production, count);
        let sort = self.productions[usize::from(production)].sort;
        self.by_sort[sort as usize].add(production, count);
    }

    /// Returns the number of a production, which is added if necessary.
    fn number(&mut self, node: BareNode) -> Production {
        self.productions.insert_full(node).0 as Production
    }

    fn count(&mut self, expr: &Expr, context: Context, count: f64) {
        let production = self.number(BareNode::of(expr));
        self.add(context, production, count);
        let mut below = context.below(production, &expr.head);
        for part in &expr.parts {
            self.count(part, below, count);
            below = below.next(self.number(BareNode::of(part)));
        }
    }

    /// Finds the production of a node.
    pub fn find(&self, expr: &Expr) -> Production {
        self.find_node(&BareNode::of(expr))
    }

    fn find_node(&self, node: &BareNode) -> Production {
        self.productions.get_index_of(node).map_or(NONE, |number| number as Production)
    }

    fn node(&self, production: Production) -> Option<&BareNode> {
        self.productions.get_index(production.into())
    }

    /// Returns a test of the vocabulary as a subtree.
    pub fn subtree(&self, test: u16) -> Subtree<'static> {
        let number = usize::from(test);
        let (production, size) = self.tests[number];
        Subtree { expr: Vocabulary::shared().rule(test).expr(), number, production, size }
    }

    /// Returns the contexts of the children of a node.
    pub fn contexts(&self, expr: &Expr, context: Context) -> Vec<Context> {
        let mut below = context.below(self.find(expr), &expr.head);
        let mut contexts = Vec::new();
        for child in &expr.parts {
            contexts.push(below);
            below = below.next(self.find(child));
        }
        contexts
    }

    /// Returns the node at an index in preorder, and its context, given that of the tree.
    pub fn nth<'a>(
        &self,
        expr: &'a mut Expr,
        top: Context,
        at: usize,
    ) -> Option<(&'a mut Expr, Context)> {
        let Some(mut left) = at.checked_sub(1) else { return Some((expr, top)) };
        let contexts = self.contexts(expr, top);
        for (part, context) in expr.parts.iter_mut().zip(contexts) {
            let size = part.nodes();
            if left < size {
                return self.nth(part, context, left);
            }
            left -= size;
        }
        None
    }

    /// Returns the usual sort in a context; for the second operand of a comparison, the sort of the
    /// first.
    fn sort(&self, context: Context) -> Sort {
        let of = |production: Production| self.node(production).map(|node| node.sort);
        let above = self.node(context.above).map(|node| &node.head);
        let is_compared = matches!(above, Some(Head::Op(Op::Eq | Op::Ne | Op::Default)));
        let left = of(context.left).filter(|_| is_compared && context.position > 0);
        let usual = || {
            let counts = self.by_parent.get(&context.without_left())?;
            of(*counts.counts.first()?.0)
        };
        left.or_else(usual).unwrap_or(Sort::Test)
    }

    fn production_probability(&self, production: Production, context: Context) -> f64 {
        let share = |counts: Option<&ProductionCounts>, weight: f64, other: f64| {
            let (count, total) = counts.map_or((0.0, 0.0), |c| (c.of(production), c.total));
            (count + weight * other) / (total + weight)
        };
        let all = &self.by_sort[self.sort(context) as usize];
        let any = (all.of(production) / all.total.max(f64::MIN_POSITIVE)).max(1e-6);
        let by_parent = share(self.by_parent.get(&context.without_left()), BACK_OFF[1], any);
        share(self.by_context.get(&context), BACK_OFF[0], by_parent)
    }

    /// Returns the probability of a whole tree.
    pub fn probability(&self, expr: &Expr) -> f64 {
        self.derivation_probability(expr, self.find(expr), Context::TOP)
    }

    /// Returns the probability to derive a tree with this production at its top.
    fn derivation_probability(&self, expr: &Expr, top: Production, context: Context) -> f64 {
        let mut tree = self.production_probability(top, context);
        let mut below = context.below(top, &expr.head);
        for child in &expr.parts {
            let production = self.find(child);
            let place = test_place(&expr.head, below.position);
            tree *= self.factor(child, production, below, place);
            below = below.next(production);
        }
        tree
    }

    /// Returns the probability of a child, which may be a whole test at some places.
    fn factor(&self, expr: &Expr, top: Production, context: Context, place: Option<usize>) -> f64 {
        let derived = self.derivation_probability(expr, top, context);
        let Some(place) = place else { return derived };
        let whole = Vocabulary::shared().index_of(expr).and_then(|test| self.share(place, test));
        WHOLE_TEST * whole.unwrap_or(0.0) + (1.0 - WHOLE_TEST) * derived
    }

    /// Returns the share of a test among the whole tests at a place.
    fn share(&self, place: usize, test: u16) -> Option<f64> {
        let tests = &self.whole_tests[place];
        tests.binary_search_by_key(&test, |(test, _)| *test).ok().map(|at| tests[at].1)
    }

    /// Draws a tree for a context. Returns `None` if it gets too deep.
    pub fn draw(&self, context: Context, chance: &mut Stream) -> Option<Expr> {
        self.draw_below(context, MAX_DEPTH, chance)
    }

    fn draw_below(&self, context: Context, depth: usize, chance: &mut Stream) -> Option<Expr> {
        let depth = depth.checked_sub(1)?;
        let above = self.node(context.above);
        if let Some(place) = above.and_then(|node| test_place(&node.head, context.position))
            && chance.unit() < WHOLE_TEST
        {
            let test = pick(self.whole_tests[place].iter().copied(), chance.unit())?;
            return Some(Vocabulary::shared().rule(test).expr().clone());
        }
        let mut from = &self.by_sort[self.sort(context) as usize];
        let specific = [self.by_parent.get(&context.without_left()), self.by_context.get(&context)];
        for (counts, weight) in specific.into_iter().zip([BACK_OFF[1], BACK_OFF[0]]) {
            if let Some(counts) = counts
                && chance.unit() * (counts.total + weight) < counts.total
            {
                from = counts;
            }
        }
        let production = from.draw(chance)?;
        let BareNode { head, parts, .. } = self.node(production)?;
        let mut below = context.below(production, head);
        let parts = (0..*parts).map(|_| {
            let part = self.draw_below(below, depth, chance)?;
            below = below.next(self.find(&part));
            Some(part)
        });
        let parts = parts.collect::<Option<Vec<Expr>>>()?;
        Some(Expr::new(head.clone(), parts))
    }

    /// Returns `true` if the grammar has a test of the vocabulary at any place.
    pub fn has(&self, test: u16) -> bool {
        (0..PLACES).any(|place| self.share(place, test).is_some())
    }

    /// Returns the most probable tests at a place that a [`Transcript`] can evaluate, most probable
    /// first.
    pub fn likeliest(&self, place: usize, most: usize) -> &[u16] {
        let ranked = &self.ranked[place];
        &ranked[..ranked.len().min(most)]
    }

    /// Replaces the top node by another of the same sort. Returns `None` if their numbers of
    /// children differ.
    pub fn replace_top(&self, expr: &Expr, chance: &mut Stream) -> Option<Expr> {
        let production = self.by_sort[Sort::of(expr) as usize].draw(chance)?;
        let node = self.node(production).filter(|node| node.parts == expr.parts.len())?;
        Some(Expr::new(node.head.clone(), expr.parts.clone()))
    }

    /// Returns the [probability](TreeGrammar::probability) of a connective of whole tests, without
    /// building the tree. The factor of a test in a context is computed once.
    pub fn union_prior(&self, op: Op, tests: &[Subtree], known: &mut ChildFactors) -> f64 {
        let node = BareNode { head: op.into(), parts: tests.len(), sort: Sort::Test };
        let production = self.find_node(&node);
        let mut tree = self.production_probability(production, Context::TOP);
        let mut context = Context::TOP.below(production, &node.head);
        for test in tests {
            let probability = || {
                let place = test_place(&node.head, context.position);
                self.factor(test.expr, test.production, context, place)
            };
            tree *= *known.entry((test.number, context)).or_insert_with(probability);
            context = context.next(test.production);
        }
        tree
    }
}

/// A whole test as a child of trees that are not built yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subtree<'a> {
    pub expr: &'a Expr,
    /// A unique number for each test.
    pub number: usize,
    pub production: Production,
    /// The [`Expr::size`].
    pub size: usize,
}

/// Factors of tests as children, by the number of the test and its context.
pub(super) type ChildFactors = FxHashMap<(usize, Context), f64>;
