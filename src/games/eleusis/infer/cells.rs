//! The rules that still agree, as products of lists of tests.

use std::sync::OnceLock;

use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use smallvec::{SmallVec, smallvec};

use super::Grammar;
use super::evidence::{Alike, Clause, Evidence};
use super::grammar::{FEW, FLOCKS, LEVELS};
use super::list::{ByCard, List, flat, shared};
use super::set::Set;
use crate::games::eleusis::{Join, Verdicts};
use crate::lanes::wide;

/// Adds to each card's chance what there is for it.
#[inline(always)]
fn each(chances: &mut [f64; 52], what: impl Fn(usize) -> f64) {
    wide(
        #[inline(always)]
        || {
            // Nothing else can reach these, so that several are worked out at once.
            let mut each = [0.0; 52];
            for (card, to) in each.iter_mut().enumerate() {
                *to = what(card);
            }
            chances.iter_mut().zip(each).for_each(|(chance, more)| *chance += more);
        },
    );
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
    /// The places of the cells with the most that a rule of each weighs, heaviest first, once that was
    /// asked for.
    pub(super) ranked: OnceLock<Vec<(f64, u32)>>,
}

/// What a test does of what two must not do together: of each clause, and of each part of it.
type Key = SmallVec<[u64; 2]>;

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
    cells: Cells,
}

impl Cells {
    /// The rules that agree with the evidence.
    pub fn of(grammar: &Grammar, evidence: &Evidence) -> Cells {
        let mut maker = Maker { grammar, cells: Cells::default() };
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
    fn list(&mut self, tests: Vec<(u16, f64)>) -> u32 {
        self.cells.lists.push(List::of(tests));
        self.cells.lists.len() as u32 - 1
    }

    fn weighed<'b>(&'b self, set: &'b Set, place: usize) -> impl Iterator<Item = (u16, f64)> + 'b {
        let weights = &self.grammar.weights[place];
        let standing = set.in_both(&self.grammar.standing[place]);
        standing.map(|test| (test, weights[usize::from(test)]))
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
        for (flock, _, list) in self.listed(set, 0, &[], 0) {
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
        clauses: &[&Clause],
        second: usize,
    ) -> Vec<(u8, Key, u32)> {
        if clauses.is_empty() {
            return self.by_flock(set, place);
        }
        let words = clauses.len().div_ceil(64);
        let parts: usize = clauses.iter().map(|clause| clause.either.len()).sum();
        let mut groups = Groups::default();
        let mut key: Key = smallvec![0; words + parts.div_ceil(64)];
        let mut last = 0;
        for (test, weight) in self.weighed(set, place) {
            key.fill(0);
            let mut part = 64 * words;
            for (at, clause) in clauses.iter().enumerate() {
                key[at / 64] |= u64::from(clause.tests[second].has(test)) << (at % 64);
                for set in &clause.either {
                    key[part / 64] |= u64::from(set.has(test)) << (part % 64);
                    part += 1;
                }
            }
            let flock = self.grammar.flocks[usize::from(test)];
            // Tests of one idea follow one another, and mostly belong together.
            let is_last = |((of, with), _): (&(u8, Key), _)| *of == flock && *with == key;
            if !groups.get_index(last).is_some_and(is_last) {
                let entry = groups.entry((flock, key.clone()));
                last = entry.index();
                entry.or_default();
            }
            groups[last].push((test, weight));
        }
        let lists = groups.into_iter();
        lists.map(|((flock, key), tests)| (flock, key, self.list(tests))).collect()
    }

    /// The same where there are no clauses.
    fn by_flock(&mut self, set: &Set, place: usize) -> Vec<(u8, Key, u32)> {
        let flock = |test: u16| usize::from(self.grammar.flocks[usize::from(test)]);
        let mut counts = [0; FLOCKS];
        self.weighed(set, place).for_each(|(test, _)| counts[flock(test)] += 1);
        let mut groups: [Vec<(u16, f64)>; FLOCKS] = counts.map(Vec::with_capacity);
        self.weighed(set, place)
            .for_each(|(test, weight)| groups[flock(test)].push((test, weight)));
        let groups = (0u8..).zip(groups).filter(|(_, tests)| !tests.is_empty());
        groups.map(|(flock, tests)| (flock, Key::new(), self.list(tests))).collect()
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
        let clauses: Vec<&Clause> = clauses.iter().filter(matters).collect();
        let mut part = 64 * clauses.len().div_ceil(64);
        let parts = clauses.iter().map(|clause| {
            part += clause.either.len();
            (part - clause.either.len()..part).collect()
        });
        let lock = Lock { parts: parts.collect(), clauses: clauses.len() };
        let firsts = self.listed(sets[0], places[0], &clauses, 0);
        let seconds = self.listed(sets[1], places[1], &clauses, 1);
        let own = conditions.map_or(0, |(_, level)| level);
        let few = places[0] == FEW[1];
        // Where a test does the same as the first and as the second, only lists of one key share any.
        let is_alike = std::ptr::eq(sets[0], sets[1])
            && clauses.iter().all(|clause| clause.tests[0] == clause.tests[1]);
        for (first, key, a) in &firsts {
            for (second, other, b) in &seconds {
                if lock.lets(key, other) {
                    let factor = self.grammar.factor(join, few, own, [*first, *second]);
                    let may_share = first == second && (!is_alike || key == other);
                    self.product(join, factor, conditions, [*a, *b], may_share);
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
        let twice = (!shared.is_empty()).then(|| self.list(shared));
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
        let conditions = self.list(alike.conditions.iter().map(weigh).collect());
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
                let condition = Some((self.list(few), own));
                self.pairs(Join::If, sides, [FEW[1]; 2], &clauses, condition);
            }
        }
        for (flock, _, list) in self.listed(&alike.others, 4, &[], 0) {
            let mass = self.grammar.prior.exactly_one[self.group(flock)];
            let levels = [own, level(flock)].into_iter();
            let factor = mass * self.grammar.starter(Join::Xor, levels);
            let of = |list: u32| &self.cells.lists[list as usize];
            let shared = shared(of(conditions), of(list));
            let product = held * of(list).mass;
            let twice = (!shared.is_empty()).then(|| self.list(shared));
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

/// The second sides of the rules that have one first, each as often as its cell weighs.
struct Seconds {
    mass: f64,
    right: ByCard,
    /// Those that are one test beside itself.
    same_mass: f64,
    same: ByCard,
}

impl Seconds {
    fn of(cells: &[Cell], lists: &[List], says: &[Verdicts]) -> Seconds {
        const NONE: ByCard = [[0.0; 8]; 7];
        let mut all = Seconds { mass: 0.0, right: NONE, same_mass: 0.0, same: NONE };
        for cell in cells {
            let of = |list: Option<u32>| list.map(|list| &lists[list as usize]);
            if let Some(second) = of(cell.lists[2]) {
                all.mass += cell.factor * second.mass;
                second.add_right(says, cell.factor, &mut all.right);
            }
            if let Some(twice) = of(cell.twice) {
                all.same_mass += cell.factor * twice.mass;
                twice.add_right(says, cell.factor, &mut all.same);
            }
        }
        all
    }
}

impl Cells {
    /// Adds what the rules give each card to be right, given what the tests say.
    pub fn add_chances(&self, says: &[Verdicts], chances: &mut [f64; 52]) {
        let alike = |a: &Cell, b: &Cell| a.join == b.join && a.lists[..2] == b.lists[..2];
        for cells in self.cells.chunk_by(alike) {
            add_alike(cells, &self.lists, says, chances);
        }
    }
}

/// The same of cells that differ in the second side alone.
fn add_alike(cells: &[Cell], lists: &[List], says: &[Verdicts], chances: &mut [f64; 52]) {
    let of = |list: Option<u32>| list.map(|list| &lists[list as usize]);
    let [conditions, Some(first), _] = cells[0].lists.map(of) else { return };
    let (a, a_mass) = (first.right(says), first.mass);
    let Seconds { mass: b_mass, right, same_mass, same } = Seconds::of(cells, lists, says);
    let (b, same) = (flat(&right), flat(&same));
    let all = a_mass * b_mass - same_mass;
    // Of all pairs, those of which both are wrong.
    let none = |card: usize| (a_mass - a[card]) * (b_mass - b[card]) - (same_mass - same[card]);
    match (cells[0].join, conditions) {
        (Join::One, _) => cells.iter().for_each(|cell| each(chances, |card| cell.factor * a[card])),
        (Join::And, _) => each(chances, |card| a[card] * b[card] - same[card]),
        (Join::Or, _) => each(chances, |card| all - none(card)),
        (Join::If, Some(c)) => {
            let (right, says_yes) = (c.right(says), c.yes(says));
            each(chances, |card| {
                let (yes, no) = (says_yes[card], c.mass - right[card]);
                let unknown = right[card] - yes;
                yes * (a[card] * b_mass - same[card])
                    + no * (a_mass * b[card] - same[card])
                    + unknown * (all - none(card))
            });
        }
        (Join::Xor, Some(c)) => cells.iter().for_each(|cell| {
            let (right, says_yes) = (c.right(says), c.yes(says));
            let (first_yes, twice) = (first.yes(says), of(cell.twice));
            const NONE: &[f64; 56] = &[0.0; 56];
            let same = twice.map_or(NONE, |list| list.right(says));
            let same_yes = twice.map_or(NONE, |list| list.yes(says));
            each(chances, |card| {
                let (yes, no) = (says_yes[card], c.mass - right[card]);
                let not = a_mass - first_yes[card];
                // One test beside itself is right where it is unknown.
                let same = same[card] - same_yes[card];
                cell.factor * (yes * not + no * a[card] + (right[card] - yes) * a_mass - same)
            });
        }),
        (Join::If | Join::Xor, None) => {}
    }
}

impl Cell {
    /// The lists that it has.
    pub fn parts<'a>(&self, lists: &'a [List]) -> impl Iterator<Item = &'a List> {
        self.lists.into_iter().flatten().map(|list| &lists[list as usize])
    }
}
