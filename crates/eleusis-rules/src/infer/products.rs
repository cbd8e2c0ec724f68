//! The surviving rules as products of lists of tests.
//!
//! A product stands for all rules of one join with one test of each list. Conditions that held
//! differently mostly have a side with the same surviving tests, and the lists of such a side are
//! made once. The heaviest rules are searched for by bounds, and rules are drawn, in the products.

use std::cmp::Ordering;
use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::evidence::{Clause, ClauseBits, ClauseFilter, ConditionClass, Evidence};
use super::evidence::{SurvivingTests, by_clause};
use super::grammar::{Grammar, TestClass, starter_factor};
use super::prior::COMMON;
use super::test_lists::{ByCard, TestList, flat, pick, shared, sums, weighted_sum};
use crate::rule::Verdicts;
use crate::vocabulary::{Combination, Join};
use parlour_base::chance::Stream;
use parlour_base::simd::dispatch;

/// All rules of one join with one test of each list, except those with one test twice.
#[derive(Clone, Debug)]
pub(super) struct Product {
    pub join: Join,
    pub factor: f64,
    /// Indices of the lists of the condition (of *if* and *exactly one*), the first and the second
    /// side. A missing list is the empty product.
    pub lists: [Option<u32>; 3],
    /// Index of the list of the tests that are in both lists.
    pub shared: Option<u32>,
    pub mass: f64,
}

impl Product {
    /// Iterates over the lists of the product.
    pub fn parts<'a>(&self, lists: &'a [Arc<TestList>]) -> impl Iterator<Item = &'a TestList> {
        self.lists.into_iter().flatten().map(|list| &*lists[list as usize])
    }
}

/// The surviving rules.
#[derive(Clone, Debug, Default)]
pub(super) struct Products {
    pub lists: Vec<Arc<TestList>>,
    /// For each list and card, the weight of the tests under which the card is right; computed at
    /// the first use.
    right: Vec<OnceLock<ByCard>>,
    /// For each list and card, the weight of the tests that the card satisfies; needed for few
    /// lists.
    yes: Vec<OnceLock<Box<ByCard>>>,
    pub products: Vec<Product>,
    pub mass: f64,
    /// The maximum mass of a rule of each product, and the product's index: the heaviest 1024 in
    /// order, then the others in any order; computed at the first use.
    ranked: OnceLock<Vec<(f64, u32)>>,
}

/// Adds a probability to each card.
#[inline(always)]
fn add_each(chances: &mut [f64; 52], value: impl Fn(usize) -> f64) {
    dispatch(
        #[inline(always)]
        || {
            // A local array lets the compiler vectorise.
            let mut values = [0.0; 52];
            for (card, to) in values.iter_mut().enumerate() {
                *to = value(card);
            }
            chances.iter_mut().zip(values).for_each(|(chance, more)| *chance += more);
        },
    );
}

impl Products {
    fn right(&self, list: u32, verdicts: &[Verdicts]) -> &ByCard {
        let tests = &self.lists[list as usize].tests;
        self.right[list as usize].get_or_init(|| sums(tests, verdicts, |one| one.right))
    }

    fn yes(&self, list: u32, verdicts: &[Verdicts]) -> &ByCard {
        let tests = &self.lists[list as usize].tests;
        self.yes[list as usize].get_or_init(|| Box::new(sums(tests, verdicts, |one| one.yes)))
    }

    fn mass_of(&self, list: u32) -> f64 {
        self.lists[list as usize].mass
    }

    /// Returns the weighted mass of one list of each product, and its weighted sum by card.
    fn sums(
        &self,
        products: &[Product],
        list: fn(&Product) -> Option<u32>,
        verdicts: &[Verdicts],
    ) -> (f64, ByCard) {
        let mut mass = 0.0;
        let mut weighted = Vec::with_capacity(products.len());
        for product in products {
            if let Some(list) = list(product) {
                mass += product.factor * self.mass_of(list);
                weighted.push((product.factor, self.right(list, verdicts)));
            }
        }
        (mass, weighted_sum(&weighted))
    }

    /// Adds for each card the mass of the rules under which it is right, given the verdicts of the
    /// tests.
    pub fn add_chances(&self, verdicts: &[Verdicts], chances: &mut [f64; 52]) {
        let all = self.products.chunk_by(|a, b| a.join == b.join && a.lists[..2] == b.lists[..2]);
        all.for_each(|products| self.add_group(products, verdicts, chances));
    }

    /// Adds the masses of products that differ only in the second side.
    fn add_group(&self, products: &[Product], verdicts: &[Verdicts], chances: &mut [f64; 52]) {
        let [conditions, Some(first), _] = products[0].lists else { return };
        let right = |list: u32| flat(self.right(list, verdicts));
        let yes = |list: u32| flat(self.yes(list, verdicts));
        let (a, a_mass) = (right(first), self.mass_of(first));
        let (b_mass, b) = self.sums(products, |one| one.lists[2], verdicts);
        // The pairs with one test twice.
        let (shared_mass, shared) = self.sums(products, |one| one.shared, verdicts);
        let (b, shared) = (flat(&b), flat(&shared));
        let all = a_mass * b_mass - shared_mass;
        // Mass of the pairs of two wrong tests.
        let none = |at: usize| (a_mass - a[at]) * (b_mass - b[at]) - (shared_mass - shared[at]);
        let conditions = conditions.map(|list| (self.mass_of(list), right(list), yes(list)));
        match (products[0].join, conditions) {
            (Join::One, _) => {
                products.iter().for_each(|one| add_each(chances, |card| one.factor * a[card]));
            }
            (Join::And, _) => add_each(chances, |card| a[card] * b[card] - shared[card]),
            (Join::Or, _) => add_each(chances, |card| all - none(card)),
            (Join::If, Some((c_mass, c_right, c_yes))) => add_each(chances, |card| {
                let (yes, no) = (c_yes[card], c_mass - c_right[card]);
                let unknown = c_right[card] - yes;
                yes * (a[card] * b_mass - shared[card])
                    + no * (a_mass * b[card] - shared[card])
                    + unknown * (all - none(card))
            }),
            (Join::Xor, Some((c_mass, c_right, c_yes))) => products.iter().for_each(|product| {
                let a_yes = yes(first);
                const NONE: &[f64; 56] = &[0.0; 56];
                let (shared, shared_yes) =
                    product.shared.map_or((NONE, NONE), |list| (right(list), yes(list)));
                add_each(chances, |card| {
                    let (yes, no) = (c_yes[card], c_mass - c_right[card]);
                    let not = a_mass - a_yes[card];
                    // A test joined to itself is right where it is unknown.
                    let shared = shared[card] - shared_yes[card];
                    let unknown = c_right[card] - yes;
                    product.factor * (yes * not + no * a[card] + unknown * a_mass - shared)
                });
            }),
            (Join::If | Join::Xor, None) => {}
        }
    }

    /// Builds the products of the rules that agree with the evidence.
    pub fn of(grammar: &Grammar, evidence: &Evidence) -> Products {
        let products = Vec::with_capacity(PRODUCTS_PER_CLASS * evidence.classes.len());
        let mut builder = ProductBuilder {
            grammar,
            result: Products { products, ..Products::default() },
            sides: FxHashMap::default(),
            shared: FxHashMap::default(),
        };
        builder.add_single(&evidence.single);
        let both = [&evidence.both, &evidence.both];
        builder.add_pairs(Join::And, both, [1, 2], &evidence.clauses_of_both(), None);
        let either = [&evidence.either, &evidence.either];
        builder.add_pairs(Join::Or, either, [1, 2], &evidence.clauses_of_either(), None);
        for class in &evidence.classes {
            builder.add_conditional(class, evidence);
        }
        let mut result = builder.result;
        result.mass = result.products.iter().map(|product| product.mass).sum();
        result.right.resize_with(result.lists.len(), OnceLock::new);
        result.yes.resize_with(result.lists.len(), OnceLock::new);
        result
    }
}

/// Initial capacity for the products of each class of conditions; few classes have more.
const PRODUCTS_PER_CLASS: usize = 400;

/// A list of one class of tests with equal clause bits.
struct SideList {
    class: TestClass,
    bits: ClauseBits,
    list: u32,
    mass: f64,
}

/// The judged cards of some clauses.
type Cards = SmallVec<[usize; 4]>;

/// A list of conditions and its level.
type Conditions = (u32, usize);

struct ProductBuilder<'a> {
    grammar: &'a Grammar,
    result: Products,
    /// The lists of each set at each place.
    sides: FxHashMap<(*const SurvivingTests, usize, Cards), Rc<[SideList]>>,
    /// The last list of tests shared by two sides, by class and place.
    shared: FxHashMap<(TestClass, usize), u32>,
}

impl ProductBuilder<'_> {
    fn add_list(&mut self, list: Arc<TestList>) -> u32 {
        self.result.lists.push(list);
        self.result.lists.len() as u32 - 1
    }

    fn list_of(&mut self, tests: Vec<(u16, f64)>) -> u32 {
        self.add_list(Arc::new(TestList::of(tests)))
    }

    fn tests(&self, list: u32) -> &TestList {
        &self.result.lists[list as usize]
    }

    fn add(&mut self, product: Product) {
        if product.mass > 0.0 {
            self.result.products.push(product);
        }
    }

    fn add_single(&mut self, tests: &SurvivingTests) {
        for &SideList { class, list, mass, .. } in &*self.side(tests, 0, &[], 0) {
            let share = self.grammar.prior.single[class.group()];
            let factor = share * starter_factor(Join::One, [class.level()].into_iter());
            let lists = [None, Some(list), None];
            let mass = factor * mass;
            self.add(Product { join: Join::One, factor, lists, shared: None, mass });
        }
    }

    fn side_list(&mut self, class: TestClass, bits: ClauseBits, list: Arc<TestList>) -> SideList {
        let mass = list.mass;
        SideList { class, bits, list: self.add_list(list), mass }
    }

    /// Returns the surviving tests with their weights at a place, as lists by class and by clause
    /// bits. Lists that do not depend on the condition are made once. `second` is 0 for the first
    /// side, 1 for the second.
    fn side(
        &mut self,
        tests: &SurvivingTests,
        place: usize,
        clauses: &[&Clause],
        second: usize,
    ) -> Rc<[SideList]> {
        let cards: Option<Cards> = clauses.iter().map(|clause| clause.card).collect();
        let key = cards.map(|cards| (std::ptr::from_ref(tests), place, cards));
        if let Some(known) = key.as_ref().and_then(|key| self.sides.get(key)) {
            return known.clone();
        }
        let grammar = self.grammar;
        let side: Rc<[SideList]> = if clauses.is_empty() {
            let lists = tests.by_class(grammar, place).iter();
            lists
                .map(|(class, list)| self.side_list(*class, ClauseBits::new(), list.clone()))
                .collect()
        } else {
            let lists = by_clause(grammar, &tests.tests, place, clauses, second);
            lists.map(|(class, bits, list)| self.side_list(class, bits, Arc::new(list))).collect()
        };
        self.sides.extend(key.map(|key| (key, side.clone())));
        side
    }

    /// Returns the list of the tests in both lists. The surviving tests of two opposite sides
    /// agreed with all verdicts, so the list is mostly the same for all conditions.
    fn shared_list(&mut self, [a, b]: [&SideList; 2], place: usize) -> Option<u32> {
        let tests = shared(self.tests(a.list), self.tests(b.list));
        if tests.is_empty() {
            return None;
        }
        let known = self.shared.get(&(a.class, place)).copied();
        let known = known.filter(|list| self.tests(*list).tests == tests);
        let list = known.unwrap_or_else(|| self.list_of(tests));
        self.shared.insert((a.class, place), list);
        Some(list)
    }

    /// Returns the factor of the product of the weights of two tests of these classes, for *if*
    /// with conditions of this level.
    fn factor(&self, join: Join, common: bool, level: Option<usize>, sides: [TestClass; 2]) -> f64 {
        let ([a, b], prior) = (sides.map(TestClass::group), &self.grammar.prior);
        let mass = match join {
            Join::And => prior.both[a][b],
            Join::Or => prior.either[a][b],
            _ if common => prior.common,
            _ => prior.choice[a][b],
        };
        mass * starter_factor(join, level.into_iter().chain(sides.map(TestClass::level)))
    }

    /// Adds the products of the surviving tests at two places, optionally with conditions.
    fn add_pairs(
        &mut self,
        join: Join,
        sides: [&SurvivingTests; 2],
        places: [usize; 2],
        clauses: &[Clause],
        conditions: Option<Conditions>,
    ) {
        // A clause that no surviving pair can violate is irrelevant.
        let is_relevant = |clause: &&Clause| {
            clause.tests.iter().zip(sides).all(|(tests, side)| tests.intersects(&side.tests))
        };
        let clauses: Vec<&Clause> = clauses.iter().filter(is_relevant).collect();
        let filter = ClauseFilter::new(&clauses);
        let (conditions, level) = conditions.unzip();
        let is_common = places[0] == COMMON[1];
        // If the clauses constrain both sides alike, only lists with equal bits share tests.
        let is_symmetric = clauses.iter().all(|clause| clause.tests[0] == clause.tests[1]);
        let firsts = self.side(sides[0], places[0], &clauses, 0);
        let seconds = self.side(sides[1], places[1], &clauses, 1);
        let strict: Vec<u64> = seconds.iter().map(|b| filter.strict_bits(&b.bits)).collect();
        for a in &*firsts {
            let strict_of_a = filter.strict_bits(&a.bits);
            for (b, strict) in seconds.iter().zip(&strict) {
                if strict & strict_of_a == 0 && filter.allows(&a.bits, &b.bits) {
                    let factor = self.factor(join, is_common, level, [a.class, b.class]);
                    let may_share = a.class == b.class && (!is_symmetric || a.bits == b.bits);
                    let shared = may_share.then(|| self.shared_list([a, b], places[0])).flatten();
                    let condition_mass = conditions.map_or(1.0, |list| self.tests(list).mass);
                    let shared_mass = shared.map_or(0.0, |list| self.tests(list).mass);
                    let mass = factor * condition_mass * (a.mass * b.mass - shared_mass);
                    let lists = [conditions, Some(a.list), Some(b.list)];
                    self.add(Product { join, factor, lists, shared, mass: mass.max(0.0) });
                }
            }
        }
    }

    /// Adds the products with these conditions.
    fn add_conditional(&mut self, class: &ConditionClass, evidence: &Evidence) {
        let grammar = self.grammar;
        let weigh = |&test: &u16| {
            let share = grammar.prior.conditions[grammar.class(test).group()];
            (test, share * grammar.weights[3][usize::from(test)])
        };
        let level = grammar.class(class.conditions[0]).level();
        let conditions = self.list_of(class.conditions.iter().map(weigh).collect());
        let condition_mass = self.tests(conditions).mass;
        let sides = class.sides.each_ref().map(|side| &**side);
        if !sides.iter().any(|side| side.tests.is_empty()) {
            let clauses = evidence.clauses_of(class);
            self.add_pairs(Join::If, sides, [4, 4], &clauses, Some((conditions, level)));
            let weights = &grammar.weights[COMMON[0]];
            let common = class.conditions.iter().map(|&test| (test, weights[usize::from(test)]));
            let common: Vec<(u16, f64)> = common.filter(|(_, weight)| *weight > 0.0).collect();
            if !common.is_empty() {
                let condition = (self.list_of(common), level);
                self.add_pairs(Join::If, sides, [COMMON[1]; 2], &clauses, Some(condition));
            }
        }
        for &SideList { class, list, mass, .. } in &*self.side(&class.others, 4, &[], 0) {
            let share = grammar.prior.exactly_one[class.group()];
            let factor = share * starter_factor(Join::Xor, [level, class.level()].into_iter());
            let shared = shared(self.tests(conditions), self.tests(list));
            let shared = (!shared.is_empty()).then(|| self.list_of(shared));
            let shared_mass = shared.map_or(0.0, |list| self.tests(list).mass);
            let mass = (factor * (condition_mass * mass - shared_mass)).max(0.0);
            let lists = [Some(conditions), Some(list), None];
            self.add(Product { join: Join::Xor, factor, lists, shared, mass });
        }
    }
}

/// Maximum number of draws for one rule.
const TRIES: usize = 20;

/// The k heaviest rules so far.
struct TopK {
    k: usize,
    rules: Vec<(Combination, f64)>,
    /// Lower bound of the masses of the k heaviest rules.
    least: f64,
}

fn by_mass(a: &(Combination, f64), b: &(Combination, f64)) -> Ordering {
    b.1.total_cmp(&a.1).then(a.0.cmp(&b.0))
}

/// Number of products that are ranked at once; more are rarely needed.
const RANKED: usize = 1024;

fn by_bound(a: &(f64, u32), b: &(f64, u32)) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1))
}

impl TopK {
    fn add(&mut self, rule: Combination, mass: f64) {
        self.rules.push((rule, mass));
        if self.rules.len() >= 2 * self.k {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.rules.len() > self.k {
            self.rules.select_nth_unstable_by(self.k - 1, by_mass);
            self.rules.truncate(self.k);
            self.least = self.rules.iter().map(|(_, mass)| *mass).fold(f64::INFINITY, f64::min);
        }
    }
}

impl Product {
    /// Returns an upper bound of the mass of its rules.
    fn bound(&self, lists: &[Arc<TestList>]) -> f64 {
        self.parts(lists).fold(self.factor, |bound, list| bound * list.max)
    }

    /// Returns the rule of one test of each list, or `None` if it has one test twice.
    fn rule(&self, tests: &[u16]) -> Option<Combination> {
        let is_repeated = match (self.join, tests) {
            (Join::If, [_, a, b]) => a == b,
            (Join::And | Join::Or | Join::Xor, [a, b]) => a == b,
            _ => false,
        };
        (!is_repeated).then(|| Combination::of(self.join, tests))
    }

    fn add_heaviest(&self, lists: &[Arc<TestList>], best: &mut TopK) {
        let parts: SmallVec<[&[(u16, f64)]; 3]> = self.parts(lists).map(TestList::ranked).collect();
        self.walk(&parts, self.factor, &mut Vec::new(), best);
    }

    /// Combines the tests of the first list with those of the others, heaviest first, until no
    /// combination can be heavy enough.
    fn walk(&self, parts: &[&[(u16, f64)]], mass: f64, tests: &mut Vec<u16>, best: &mut TopK) {
        let Some((part, rest)) = parts.split_first() else {
            if let Some(rule) = self.rule(tests) {
                best.add(rule, mass);
            }
            return;
        };
        let bound: f64 = rest.iter().map(|part| part[0].1).product();
        for &(test, weight) in *part {
            if mass * weight * bound < best.least {
                break;
            }
            tests.push(test);
            self.walk(rest, mass * weight, tests, best);
            tests.pop();
        }
    }
}

impl Products {
    /// Returns the products with their bounds: the first [`RANKED`] sorted, then the lighter ones.
    fn rank(&self) -> Vec<(f64, u32)> {
        let bounds = self.products.iter().map(|product| product.bound(&self.lists));
        let mut ranked: Vec<(f64, u32)> = bounds.zip(0..).collect();
        let first = ranked.len().min(RANKED);
        if first < ranked.len() {
            ranked.select_nth_unstable_by(first, by_bound);
        }
        ranked[..first].sort_unstable_by(by_bound);
        ranked
    }

    /// Adds the rules of ranked products. Returns `false` if the last ones were too light.
    fn add_heaviest(&self, ranked: &[(f64, u32)], best: &mut TopK) -> bool {
        ranked.iter().all(|&(bound, product)| {
            let is_heavy = bound >= best.least;
            if is_heavy {
                self.products[product as usize].add_heaviest(&self.lists, best);
            }
            is_heavy
        })
    }

    /// Returns the heaviest rules with their masses, heaviest first. The masses of a rule in two
    /// products are added.
    pub fn heaviest(&self, most: usize) -> Vec<(Combination, f64)> {
        let ranked = self.ranked.get_or_init(|| self.rank());
        // Two orders of two tests are the same rule.
        let mut best = TopK { k: 2 * most.max(1), rules: Vec::new(), least: 0.0 };
        let (first, others) = ranked.split_at(ranked.len().min(RANKED));
        if self.add_heaviest(first, &mut best) && !others.is_empty() {
            let mut others = others.to_vec();
            others.sort_unstable_by(by_bound);
            self.add_heaviest(&others, &mut best);
        }
        let mut sums: FxHashMap<Combination, f64> = FxHashMap::default();
        best.prune();
        best.rules.sort_unstable_by(by_mass);
        best.rules.iter().for_each(|(rule, mass)| *sums.entry(*rule).or_default() += mass);
        let mut found: Vec<(Combination, f64)> = sums.into_iter().collect();
        found.sort_unstable_by(by_mass);
        found.truncate(most);
        found
    }

    /// Draws the rules at these ascending quantiles of the mass.
    pub fn at(&self, quantiles: &[f64], chance: &mut Stream) -> Vec<Combination> {
        let mut drawn = Vec::with_capacity(quantiles.len());
        let (mut sum, mut at) = (0.0, 0);
        for product in &self.products {
            sum += product.mass;
            while at < quantiles.len() && quantiles[at] * self.mass < sum {
                // A rule with one test twice is drawn again.
                let rule = (0..TRIES).find_map(|_| {
                    let parts = product.parts(&self.lists);
                    let tests = parts
                        .map(|list| pick(list.tests.iter().copied(), chance.unit() * list.mass));
                    product.rule(&tests.collect::<Option<Vec<u16>>>()?)
                });
                drawn.extend(rule);
                at += 1;
            }
        }
        drawn
    }
}
