//! How likely trees of the rule language are: a probabilistic grammar whose numbers are counted.
//!
//! A tree is derived from the top: each node is drawn by the node above it, its place there, and what
//! stands to its left. How often each node comes there is counted in the tests that a [`Grammar`] has,
//! by their weights; what was never seen at a place is backed off to what comes there whatever stands
//! to the left, and then to all nodes of its sort. Below a connective a whole test of the vocabulary may
//! stand at once. So what a vocabulary lacks can still be said in its way of speaking (Goodman, Tenenbaum,
//! Feldman and Griffiths 2008, with productions that are counted).

use rustc_hash::FxHashMap;

use super::Grammar;
use super::heads::{Counts, Head, NONE, Sort, Spot};
use super::joined::Part;
use super::scene::Scene;
use crate::chance::Stream;
use crate::rule::Op;
use crate::{Expr, PLACES, Vocabulary};

/// Counts that what is backed off to weighs as much as.
const BACKED_OFF: [f64; 2] = [4.0, 8.0];

/// Where a test of the vocabulary may stand, how often it does.
const WHOLE: f64 = 0.5;

/// Trees are no deeper.
const DEEPEST: usize = 7;

/// The weights of all tests at all places together count for so many trees.
const COUNTED: f64 = 1000.0;

/// The grammar of trees.
#[derive(Clone, Debug)]
pub(super) struct Derivations {
    heads: Vec<(Expr, Sort)>,
    numbers: FxHashMap<(Expr, Sort), Head>,
    close: FxHashMap<Spot, Counts>,
    wide: FxHashMap<Spot, Counts>,
    sorts: [Counts; 4],
    /// The shares of whole tests at each place.
    whole: [Vec<(u16, f64)>; PLACES],
    /// The head and the size of each test of the vocabulary.
    tests: Vec<(Head, usize)>,
    /// Those tests that a [`Scene`] can work out, likeliest first.
    ranked: [Vec<u16>; PLACES],
}

/// The place of a test in a rule below a connective, as the vocabulary counts places.
pub(super) fn part(above: &Expr, place: usize) -> Option<usize> {
    match (above, place) {
        (Expr::Op(Op::And | Op::Or, _), 0) => Some(1),
        (Expr::Op(Op::And | Op::Or, _), _) => Some(2),
        (Expr::Op(Op::Xor | Op::If, _), 0) => Some(3),
        (Expr::Op(Op::Xor | Op::If, _), _) => Some(4),
        _ => None,
    }
}

impl Derivations {
    /// Counts what the tests of a grammar are made of.
    pub fn of(grammar: &Grammar) -> Derivations {
        let mut all = Derivations {
            heads: Vec::new(),
            numbers: FxHashMap::default(),
            close: FxHashMap::default(),
            wide: FxHashMap::default(),
            sorts: Default::default(),
            whole: Default::default(),
            tests: Vec::new(),
            ranked: Default::default(),
        };
        let prior = &grammar.prior;
        let rows = |pairs: &[[f64; 6]; 6]| pairs.map(|row| row.iter().sum::<f64>());
        let columns = |pairs: &[[f64; 6]; 6]| {
            std::array::from_fn::<f64, 6, _>(|at| pairs.iter().map(|row| row[at]).sum())
        };
        let plus = |a: [f64; 6], b: [f64; 6]| std::array::from_fn::<f64, 6, _>(|at| a[at] + b[at]);
        let choices = plus(rows(&prior.choice), columns(&prior.choice));
        let shares: [[f64; 6]; PLACES] = [
            prior.one,
            plus(rows(&prior.both), rows(&prior.either)),
            plus(columns(&prior.both), columns(&prior.either)),
            prior.conditions,
            plus(choices, prior.exactly_one),
            [prior.few; 6],
            [2.0 * prior.few; 6],
        ];
        let vocabulary = Vocabulary::shared();
        let mut sums = [0.0; PLACES];
        for (at, test) in vocabulary.tests.iter().enumerate() {
            let group = usize::from(vocabulary.ideas[usize::from(test.idea)].group);
            let mut count = 0.0;
            for (place, sum) in sums.iter_mut().enumerate() {
                let share = shares[place][group] * grammar.weights[place][at];
                if share > 0.0 {
                    all.whole[place].push((at as u16, share));
                    *sum += share;
                    count += share;
                }
            }
            if count > 0.0 {
                all.count(test.rule.expr(), Spot::TOP, COUNTED / 4.0 * count);
            }
        }
        for (tests, sum) in all.whole.iter_mut().zip(sums) {
            tests.iter_mut().for_each(|(_, share)| *share /= sum.max(f64::MIN_POSITIVE));
        }
        all.ranked = all.whole.each_ref().map(|tests| {
            let mut ranked = tests.clone();
            let nothing = Scene::default();
            let expr = |test: u16| vocabulary.tests[usize::from(test)].rule.expr();
            ranked.retain(|(test, _)| nothing.said(expr(*test)).is_some());
            ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            ranked.into_iter().map(|(test, _)| test).collect()
        });
        // The connectives that are no tests.
        let mass = |pairs: &[[f64; 6]; 6]| pairs.iter().flatten().sum::<f64>();
        let exactly_one: f64 = prior.exactly_one.iter().sum();
        let connectives = [
            (Op::And, 2, mass(&prior.both)),
            (Op::Or, 2, mass(&prior.either)),
            (Op::Xor, 2, exactly_one),
            (Op::If, 3, mass(&prior.choice) + prior.few),
        ];
        for (op, parts, mass) in connectives {
            let head = all.head(&Expr::Op(op, vec![Expr::Length; parts]), Sort::Test);
            all.add(Spot::TOP, head, COUNTED * mass);
        }
        let trees = vocabulary.tests.iter().map(|test| test.rule.expr());
        all.tests = trees.map(|expr| (all.find(expr), expr.size())).collect();
        all
    }

    fn add(&mut self, spot: Spot, head: Head, count: f64) {
        self.close.entry(spot).or_default().add(head, count);
        self.wide.entry(spot.wide()).or_default().add(head, count);
        self.sorts[self.heads[usize::from(head)].1 as usize].add(head, count);
    }

    fn head(&mut self, head: &Expr, sort: Sort) -> Head {
        let next = self.heads.len() as Head;
        let number = *self.numbers.entry((head.clone(), sort)).or_insert(next);
        if number == next {
            self.heads.push((head.clone(), sort));
        }
        number
    }

    fn count(&mut self, expr: &Expr, spot: Spot, count: f64) {
        let head = self.head(&expr.alone(), Sort::of(expr));
        self.add(spot, head, count);
        let mut below = below(head, expr, spot);
        for (place, child) in expr.children().into_iter().enumerate() {
            below.place = place.min(3) as u8;
            self.count(child, below, count);
            let left = self.head(&child.alone(), Sort::of(child));
            below.left = left;
        }
    }

    /// The head of a node.
    pub fn find(&self, expr: &Expr) -> Head {
        self.numbered(expr, Sort::of(expr))
    }

    /// The head of a node of this sort.
    pub fn numbered(&self, expr: &Expr, sort: Sort) -> Head {
        self.numbers.get(&(expr.alone(), sort)).copied().unwrap_or(NONE)
    }

    /// A test of the vocabulary as a part.
    pub fn known(&self, test: u16) -> Part<'static> {
        let number = usize::from(test);
        let (head, size) = self.tests[number];
        Part { expr: Vocabulary::shared().tests[number].rule.expr(), number, head, size }
    }

    /// The spots of the parts of a node that stands at one.
    pub fn spots(&self, expr: &Expr, spot: Spot) -> Vec<Spot> {
        let mut below = below(self.find(expr), expr, spot);
        let mut spots = Vec::new();
        for (place, child) in expr.children().into_iter().enumerate() {
            below.place = place.min(3) as u8;
            spots.push(below);
            below.left = self.find(child);
        }
        spots
    }

    /// What a head at a spot is of; the sort of its left neighbour where the two are compared.
    fn sort(&self, spot: Spot) -> Sort {
        let of = |head: Head| self.heads.get(usize::from(head)).map(|(_, sort)| *sort);
        let above = self.heads.get(usize::from(spot.above)).map(|(head, _)| head);
        let compared = matches!(above, Some(Expr::Op(Op::Eq | Op::Ne | Op::Default, _)));
        let left = of(spot.left).filter(|_| compared && spot.place > 0);
        let usual = || {
            let counts = self.wide.get(&spot.wide())?;
            of(counts.heads.first()?.0)
        };
        left.or_else(usual).unwrap_or(Sort::Test)
    }

    pub fn chance_of(&self, head: Head, spot: Spot) -> f64 {
        let share = |counts: Option<&Counts>, weight: f64, other: f64| {
            let (count, total) = counts.map_or((0.0, 0.0), |c| (c.of(head), c.total));
            (count + weight * other) / (total + weight)
        };
        let all = &self.sorts[self.sort(spot) as usize];
        let any = (all.of(head) / all.total.max(f64::MIN_POSITIVE)).max(1e-6);
        let wide = share(self.wide.get(&spot.wide()), BACKED_OFF[1], any);
        share(self.close.get(&spot), BACKED_OFF[0], wide)
    }

    /// How likely a tree is.
    pub fn chance(&self, expr: &Expr, spot: Spot) -> f64 {
        self.chance_from(expr, self.find(expr), spot)
    }

    /// The same of a tree with this head.
    fn chance_from(&self, expr: &Expr, head: Head, spot: Spot) -> f64 {
        let mut tree = self.chance_of(head, spot);
        let mut below = below(head, expr, spot);
        for (place, child) in expr.children().into_iter().enumerate() {
            below.place = place.min(3) as u8;
            let head = self.find(child);
            tree *= self.chance_of_part(child, head, below, part(expr, place));
            below.left = head;
        }
        tree
    }

    /// How likely a part of a node is, which may be a whole test at some places.
    pub fn chance_of_part(&self, expr: &Expr, head: Head, spot: Spot, part: Option<usize>) -> f64 {
        let derived = self.chance_from(expr, head, spot);
        match part {
            None => derived,
            Some(part) => WHOLE * self.chance_of_whole(expr, part) + (1.0 - WHOLE) * derived,
        }
    }

    fn chance_of_whole(&self, expr: &Expr, part: usize) -> f64 {
        let Some(test) = Vocabulary::shared().place_of(expr) else { return 0.0 };
        let found = self.whole[part].binary_search_by_key(&test, |(test, _)| *test);
        found.map_or(0.0, |at| self.whole[part][at].1)
    }

    fn draw_whole(&self, part: usize, chance: &mut Stream) -> Option<Expr> {
        let mut left = chance.unit();
        let found = self.whole[part].iter().find(|(_, share)| {
            left -= share;
            left < 0.0
        });
        let (test, _) = found.or(self.whole[part].last())?;
        Some(Vocabulary::shared().tests[usize::from(*test)].rule.expr().clone())
    }

    /// A tree drawn for a spot; none where it gets too deep.
    pub fn draw(&self, spot: Spot, chance: &mut Stream) -> Option<Expr> {
        self.draw_at(spot, DEEPEST, chance)
    }

    fn draw_at(&self, spot: Spot, deepest: usize, chance: &mut Stream) -> Option<Expr> {
        let deepest = deepest.checked_sub(1)?;
        let above = self.heads.get(usize::from(spot.above)).map(|(head, _)| head);
        if let Some(part) = above.and_then(|above| part(above, spot.place.into()))
            && chance.unit() < WHOLE
        {
            return self.draw_whole(part, chance);
        }
        let mut from = &self.sorts[self.sort(spot) as usize];
        let backed = [self.wide.get(&spot.wide()), self.close.get(&spot)];
        for (counts, weight) in backed.into_iter().zip([BACKED_OFF[1], BACKED_OFF[0]]) {
            if let Some(counts) = counts
                && chance.unit() * (counts.total + weight) < counts.total
            {
                from = counts;
            }
        }
        let head = from.draw(chance)?;
        let mut expr = self.heads[usize::from(head)].0.clone();
        let mut below = below(head, &expr, spot);
        for (place, child) in expr.children_mut().into_iter().enumerate() {
            below.place = place.min(3) as u8;
            *child = self.draw_at(below, deepest, chance)?;
            below.left = self.find(child);
        }
        Some(expr)
    }

    /// Whether the grammar has a test of the vocabulary at some place.
    pub fn has(&self, test: u16) -> bool {
        self.whole.iter().any(|whole| whole.binary_search_by_key(&test, |(at, _)| *at).is_ok())
    }

    /// The likeliest tests at a part of a rule that a [`Scene`] can work out, likeliest first.
    pub fn likeliest(&self, part: usize, most: usize) -> &[u16] {
        let ranked = &self.ranked[part];
        &ranked[..ranked.len().min(most)]
    }

    /// A head that may stand in the place of another: with as many parts.
    pub fn like(&self, expr: &Expr, chance: &mut Stream) -> Option<Expr> {
        let head = self.sorts[Sort::of(expr) as usize].draw(chance)?;
        let mut like = self.heads[usize::from(head)].0.clone();
        let parts = expr.children();
        if parts.len() != like.children().len() {
            return None;
        }
        like.children_mut().into_iter().zip(parts).for_each(|(to, from)| *to = from.clone());
        Some(like)
    }
}

/// The spot of what stands first below a node; what only looks back is transparent.
pub(super) fn below(head: Head, expr: &Expr, spot: Spot) -> Spot {
    let looks_back = matches!(expr, Expr::Was(..) | Expr::At(..));
    Spot { above: head, place: 0, left: if looks_back { spot.left } else { NONE } }
}
