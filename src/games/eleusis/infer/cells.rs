//! The rules that still agree, as products of lists of tests.

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::Grammar;
use super::evidence::{Alike, Clause, Evidence};
use super::grammar::{FEW, FLOCKS, LEVELS};
use super::set::Set;
use crate::games::eleusis::{Join, Verdicts};

/// Tests with their weights.
#[derive(Clone, Debug)]
pub(super) struct List {
    pub tests: Vec<(u16, f64)>,
    pub mass: f64,
    /// The largest weight.
    pub most: f64,
    /// The weight of those under which each card is right, and of those that say yes to it.
    pub right: ByCard,
    pub yes: ByCard,
}

/// A number for each card; the last four are nobody's.
pub(super) type ByCard = [f64; 56];

/// For each value of a byte 1 where its bits are.
static BITS: [[f64; 8]; 256] = {
    let mut bits = [[0.0; 8]; 256];
    let mut at = 0;
    while at < 8 * 256 {
        bits[at / 8][at % 8] = ((at / 8) >> (at % 8) & 1) as f64;
        at += 1;
    }
    bits
};

impl List {
    /// The sums of those that say yes are made where they are `asked` for.
    fn of(tests: Vec<(u16, f64)>, says: &[Verdicts], asked: bool) -> List {
        let (mut right, mut yes) = ([0.0; 56], [0.0; 56]);
        let (mut mass, mut most) = (0.0, 0.0f64);
        for &(test, weight) in &tests {
            let says = says[usize::from(test)];
            mass += weight;
            most = most.max(weight);
            add(&mut right, says.right, weight);
            if asked {
                add(&mut yes, says.yes, weight);
            }
        }
        List { tests, mass, most, right, yes }
    }
}

fn add(sums: &mut ByCard, set: u64, weight: f64) {
    for (byte, sums) in set.to_le_bytes().into_iter().zip(sums.chunks_exact_mut(8)) {
        for (sum, bit) in sums.iter_mut().zip(&BITS[usize::from(byte)]) {
            *sum += weight * bit;
        }
    }
}

/// All rules of one join made of one test of each list, but for those that name one test twice.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    pub join: Join,
    pub factor: f64,
    /// The places of the lists of the condition (of *if* and *exactly one*), the first and the second
    /// side; what there is none of is the empty product.
    pub lists: [Option<u32>; 3],
    /// The tests that are in both lists.
    pub twice: Option<u32>,
    pub mass: f64,
}

/// The rules that agree.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    pub lists: Vec<List>,
    pub cells: Vec<Cell>,
    pub mass: f64,
}

/// What a test does of what two must not do together: of each clause, and of each part of it.
type Key = Vec<u64>;

/// How many words hold the bits of the clauses, and which bits of a part stand for each clause.
struct Lock {
    clauses: usize,
    parts: Vec<Vec<usize>>,
}

impl Lock {
    /// Whether tests with these keys may stand together.
    fn lets(&self, first: &Key, second: &Key) -> bool {
        (0..self.clauses.div_ceil(64)).all(|word| {
            let mut clash = first[word] & second[word];
            while clash != 0 {
                let clause = 64 * word + clash.trailing_zeros() as usize;
                clash &= clash - 1;
                let saved = self.parts[clause]
                    .iter()
                    .any(|&part| first[part / 64] & second[part / 64] & 1 << (part % 64) != 0);
                if !saved {
                    return false;
                }
            }
            true
        })
    }
}

/// Tests by flock and key, in the order met.
type Groups = IndexMap<(u8, Key), Vec<(u16, f64)>, FxBuildHasher>;

struct Maker<'a> {
    grammar: &'a Grammar,
    says: &'a [Verdicts],
    cells: Cells,
}

impl Cells {
    /// The rules that agree with the evidence, and what their tests say now.
    pub fn of(grammar: &Grammar, evidence: &Evidence, says: &[Verdicts]) -> Cells {
        let mut maker = Maker { grammar, says, cells: Cells::default() };
        maker.alone(&evidence.alone);
        let both = [&evidence.both, &evidence.both];
        maker.pairs(Join::And, both, [1, 2], &evidence.clauses_of_both(), None);
        let either = [&evidence.either, &evidence.either];
        let clauses = evidence.clauses_of_either();
        maker.pairs(Join::Or, either, [1, 2], &clauses, None);
        for alike in &evidence.alike {
            maker.choices(alike, evidence);
        }
        let mut cells = maker.cells;
        cells.mass = cells.cells.iter().map(|cell| cell.mass).sum();
        cells
    }
}

impl Maker<'_> {
    fn list(&mut self, tests: Vec<(u16, f64)>, asked: bool) -> u32 {
        self.cells.lists.push(List::of(tests, self.says, asked));
        self.cells.lists.len() as u32 - 1
    }

    fn weighed(&self, set: &Set, place: usize) -> impl Iterator<Item = (u16, f64)> {
        let weights = &self.grammar.weights[place];
        set.iter()
            .map(|test| (test, weights[usize::from(test)]))
            .filter(|(_, weight)| *weight > 0.0)
    }

    fn group(&self, flock: u8) -> usize {
        usize::from(flock) / LEVELS.len()
    }

    fn push(&mut self, cell: Cell) {
        if cell.mass > 0.0 {
            self.cells.cells.push(cell);
        }
    }

    fn alone(&mut self, set: &Set) {
        for (flock, _, list) in self.listed(set, 0, &[], 0, false) {
            let mass = self.grammar.prior.one[self.group(flock)];
            let factor = mass * self.grammar.starter(Join::One, [level(flock)].into_iter());
            let mass = factor * self.cells.lists[list as usize].mass;
            let lists = [None, Some(list), None];
            self.push(Cell { join: Join::One, factor, lists, twice: None, mass });
        }
    }

    /// The tests of a set with their weights at a place, as lists by flock and by what they do of the
    /// clauses as the first or second.
    fn listed(
        &mut self,
        set: &Set,
        place: usize,
        clauses: &[Clause],
        second: usize,
        asked: bool,
    ) -> Vec<(u8, Key, u32)> {
        if clauses.is_empty() {
            return self.by_flock(set, place, asked);
        }
        let words = clauses.len().div_ceil(64);
        let parts: usize = clauses.iter().map(|clause| clause.either.len()).sum();
        let mut groups = Groups::default();
        for (test, weight) in self.weighed(set, place) {
            let mut key = vec![0; words + parts.div_ceil(64)];
            let mut part = 64 * words;
            for (at, clause) in clauses.iter().enumerate() {
                key[at / 64] |= u64::from(clause.tests[second].has(test)) << (at % 64);
                for set in &clause.either {
                    key[part / 64] |= u64::from(set.has(test)) << (part % 64);
                    part += 1;
                }
            }
            let flock = self.grammar.flocks[usize::from(test)];
            groups.entry((flock, key)).or_default().push((test, weight));
        }
        let lists = groups.into_iter();
        lists.map(|((flock, key), tests)| (flock, key, self.list(tests, asked))).collect()
    }

    /// The same where there are no clauses.
    fn by_flock(&mut self, set: &Set, place: usize, asked: bool) -> Vec<(u8, Key, u32)> {
        let mut groups: [Vec<(u16, f64)>; FLOCKS] = std::array::from_fn(|_| Vec::new());
        for (test, weight) in self.weighed(set, place) {
            groups[usize::from(self.grammar.flocks[usize::from(test)])].push((test, weight));
        }
        let groups = (0u8..).zip(groups).filter(|(_, tests)| !tests.is_empty());
        groups.map(|(flock, tests)| (flock, Key::new(), self.list(tests, asked))).collect()
    }

    /// Products of two sets of tests at places, perhaps with conditions.
    fn pairs(
        &mut self,
        join: Join,
        sets: [&Set; 2],
        places: [usize; 2],
        clauses: &[Clause],
        conditions: Option<(u32, usize)>,
    ) {
        // What no two tests can do together any more is no matter.
        let matters =
            |clause: &&Clause| clause.tests[0].meets(sets[0]) && clause.tests[1].meets(sets[1]);
        let clauses: Vec<Clause> = clauses.iter().filter(matters).cloned().collect();
        let mut part = 64 * clauses.len().div_ceil(64);
        let parts = clauses.iter().map(|clause| {
            part += clause.either.len();
            (part - clause.either.len()..part).collect()
        });
        let lock = Lock { parts: parts.collect(), clauses: clauses.len() };
        let firsts = self.listed(sets[0], places[0], &clauses, 0, false);
        let seconds = self.listed(sets[1], places[1], &clauses, 1, false);
        let own = conditions.map_or(0, |(_, level)| level);
        let few = places[0] == FEW[1];
        for (first, key, a) in &firsts {
            for (second, other, b) in &seconds {
                if lock.lets(key, other) {
                    let factor = self.grammar.factor(join, few, own, [*first, *second]);
                    self.product(join, factor, conditions, [*a, *b], first == second);
                }
            }
        }
    }

    fn product(
        &mut self,
        join: Join,
        factor: f64,
        conditions: Option<(u32, usize)>,
        [a, b]: [u32; 2],
        may_share: bool,
    ) {
        let of = |list: u32| &self.cells.lists[list as usize];
        let held = conditions.map_or(1.0, |(list, _)| of(list).mass);
        let shared = if may_share { shared(of(a), of(b)) } else { Vec::new() };
        let product = of(a).mass * of(b).mass;
        let twice = (!shared.is_empty()).then(|| self.list(shared, true));
        let less = twice.map_or(0.0, |list| self.cells.lists[list as usize].mass);
        let mass = (factor * held * (product - less)).max(0.0);
        let lists = [conditions.map(|(list, _)| list), Some(a), Some(b)];
        self.push(Cell { join, factor, lists, twice, mass });
    }

    /// The rules with these conditions.
    fn choices(&mut self, alike: &Alike, evidence: &Evidence) {
        let shares = self.grammar.prior.conditions;
        let weigh = |&test: &u16| {
            let group = self.group(self.grammar.flocks[usize::from(test)]);
            (test, shares[group] * self.grammar.weights[3][usize::from(test)])
        };
        let own = level(self.grammar.flocks[usize::from(alike.conditions[0])]);
        let conditions = self.list(alike.conditions.iter().map(weigh).collect(), true);
        let held = self.cells.lists[conditions as usize].mass;
        let sides = [&alike.sides[0], &alike.sides[1]];
        if !sides.iter().any(|set| set.is_empty()) {
            let clauses = evidence.clauses_of(alike);
            let condition = Some((conditions, own));
            self.pairs(Join::If, sides, [4, 4], &clauses, condition);
            let few = &self.grammar.weights[FEW[0]];
            let few = alike.conditions.iter().map(|&test| (test, few[usize::from(test)]));
            let few: Vec<(u16, f64)> = few.filter(|(_, weight)| *weight > 0.0).collect();
            if !few.is_empty() {
                let condition = Some((self.list(few, true), own));
                self.pairs(Join::If, sides, [FEW[1]; 2], &clauses, condition);
            }
        }
        for (flock, _, list) in self.listed(&alike.others, 4, &[], 0, true) {
            let mass = self.grammar.prior.exactly_one[self.group(flock)];
            let levels = [own, level(flock)].into_iter();
            let factor = mass * self.grammar.starter(Join::Xor, levels);
            let of = |list: u32| &self.cells.lists[list as usize];
            let shared = shared(of(conditions), of(list));
            let product = held * of(list).mass;
            let twice = (!shared.is_empty()).then(|| self.list(shared, true));
            let less = twice.map_or(0.0, |list| self.cells.lists[list as usize].mass);
            let mass = (factor * (product - less)).max(0.0);
            let lists = [Some(conditions), Some(list), None];
            self.push(Cell { join: Join::Xor, factor, lists, twice, mass });
        }
    }
}

fn level(flock: u8) -> usize {
    usize::from(flock) % LEVELS.len()
}

/// The tests of both lists, each with the product of its weights.
fn shared(a: &List, b: &List) -> Vec<(u16, f64)> {
    let mut others = b.tests.iter().peekable();
    let mut shared = Vec::new();
    for &(test, weight) in &a.tests {
        while others.next_if(|(other, _)| *other < test).is_some() {}
        if let Some((_, other)) = others.next_if(|(other, _)| *other == test) {
            shared.push((test, weight * other));
        }
    }
    shared
}

impl Cell {
    /// Adds what its rules give each card to be right.
    pub fn add_chances(&self, lists: &[List], chances: &mut [f64; 52]) {
        let of = |list: Option<u32>| list.map(|list| &lists[list as usize]);
        let [conditions, first, second] = self.lists.map(of);
        let (Some(first), twice) = (first, of(self.twice)) else { return };
        let same = |card: usize| twice.map_or((0.0, 0.0), |list| (list.right[card], list.mass));
        for (card, chance) in chances.iter_mut().enumerate() {
            let (same, same_mass) = same(card);
            let a = (first.right[card], first.mass);
            let b = second.map_or((0.0, 0.0), |list| (list.right[card], list.mass));
            // Of all pairs, those of which both are wrong.
            let none = (a.1 - a.0) * (b.1 - b.0) - (same_mass - same);
            let all = a.1 * b.1 - same_mass;
            let part = match (self.join, conditions) {
                (Join::One, _) => a.0,
                (Join::And, _) => a.0 * b.0 - same,
                (Join::Or, _) => all - none,
                (Join::If, Some(c)) => {
                    let (yes, no) = (c.yes[card], c.mass - c.right[card]);
                    let unknown = c.right[card] - yes;
                    yes * (a.0 * b.1 - same) + no * (a.1 * b.0 - same) + unknown * (all - none)
                }
                (Join::Xor, Some(c)) => {
                    let (yes, no) = (c.yes[card], c.mass - c.right[card]);
                    let not = first.mass - first.yes[card];
                    // One test beside itself is right where it is unknown.
                    let same = twice.map_or(0.0, |list| list.right[card] - list.yes[card]);
                    yes * not + no * a.0 + (c.right[card] - yes) * a.1 - same
                }
                (Join::If | Join::Xor, None) => 0.0,
            };
            *chance += self.factor * part;
        }
    }

    /// The lists that it has.
    pub fn parts<'a>(&self, lists: &'a [List]) -> impl Iterator<Item = &'a List> {
        self.lists.into_iter().flatten().map(|list| &lists[list as usize])
    }
}
