//! The rules that still agree, as products of lists of tests.

use std::sync::{Arc, OnceLock};

use super::Grammar;
use super::evidence::{Alike, Clause, Evidence};
use super::grammar::{FEW, LEVELS};
use super::left::{Key, Left, Lock, by_clause};
use super::list::{ByCard, List, flat, shared, sum_of};
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
    pub lists: Vec<Arc<List>>,
    /// What each list comes to card by card, once that was asked for: the weight of the tests under which
    /// a card is right, and of those that say yes to it, which few are asked for.
    right: Vec<OnceLock<ByCard>>,
    yes: Vec<OnceLock<Box<ByCard>>>,
    pub cells: Vec<Cell>,
    pub mass: f64,
    /// The places of the cells with the most that a rule of each weighs, heaviest first, once that was
    /// asked for.
    pub(super) ranked: OnceLock<Vec<(f64, u32)>>,
}

/// A list that is kept, of one flock, and what its tests do of the clauses.
struct Listed {
    flock: u8,
    key: Key,
    list: u32,
    mass: f64,
}

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
        cells.right.resize_with(cells.lists.len(), OnceLock::new);
        cells.yes.resize_with(cells.lists.len(), OnceLock::new);
        cells
    }
}

impl Maker<'_> {
    fn list(&mut self, tests: Vec<(u16, f64)>) -> u32 {
        self.keep(Arc::new(List::of(tests)))
    }

    fn keep(&mut self, list: Arc<List>) -> u32 {
        self.cells.lists.push(list);
        self.cells.lists.len() as u32 - 1
    }

    fn group(&self, flock: u8) -> usize {
        usize::from(flock) / LEVELS.len()
    }

    fn push(&mut self, cell: Cell) {
        if cell.mass > 0.0 {
            self.cells.cells.push(cell);
        }
    }

    fn alone(&mut self, left: &Left) {
        for Listed { flock, list, mass, .. } in self.listed(left, 0, &[], 0) {
            let share = self.grammar.prior.one[self.group(flock)];
            let factor = share * self.grammar.starter(Join::One, [level(flock)].into_iter());
            let lists = [None, Some(list), None];
            self.push(Cell { join: Join::One, factor, lists, twice: None, mass: factor * mass });
        }
    }

    /// The tests that are left with their weights at a place, as lists by flock and by what they do of
    /// the clauses as the first or second.
    fn listed(
        &mut self,
        left: &Left,
        place: usize,
        clauses: &[&Clause],
        second: usize,
    ) -> Vec<Listed> {
        let grammar = self.grammar;
        let mut listed = |flock: u8, key: Key, list: Arc<List>| {
            let mass = list.mass;
            Listed { flock, key, list: self.keep(list), mass }
        };
        if clauses.is_empty() {
            let lists = left.by_flock(grammar, place).iter();
            return lists.map(|(flock, list)| listed(*flock, Key::new(), list.clone())).collect();
        }
        let lists = by_clause(grammar, left.tests(), place, clauses, second);
        lists.map(|(flock, key, list)| listed(flock, key, Arc::new(list))).collect()
    }

    /// Products of the tests that are left at two places, perhaps with conditions.
    fn pairs(
        &mut self,
        join: Join,
        sides: [&Left; 2],
        places: [usize; 2],
        clauses: &[Clause],
        conditions: Option<(u32, usize)>,
    ) {
        // What no two tests can do together any more is no matter.
        let matters = |clause: &&Clause| {
            clause.tests.iter().zip(sides).all(|(tests, side)| tests.meets(side.tests()))
        };
        let clauses: Vec<&Clause> = clauses.iter().filter(matters).collect();
        let lock = Lock::of(&clauses);
        let firsts = self.listed(sides[0], places[0], &clauses, 0);
        let seconds = self.listed(sides[1], places[1], &clauses, 1);
        let own = conditions.map_or(0, |(_, level)| level);
        let few = places[0] == FEW[1];
        // Where a test does the same as the first and as the second, only lists of one key share any.
        let is_alike = std::ptr::eq(sides[0], sides[1])
            && clauses.iter().all(|clause| clause.tests[0] == clause.tests[1]);
        for a in &firsts {
            for b in &seconds {
                if lock.lets(&a.key, &b.key) {
                    let factor = self.grammar.factor(join, few, own, [a.flock, b.flock]);
                    let may_share = a.flock == b.flock && (!is_alike || a.key == b.key);
                    self.product(join, factor, conditions, [a, b], may_share);
                }
            }
        }
    }

    fn product(
        &mut self,
        join: Join,
        factor: f64,
        conditions: Option<(u32, usize)>,
        [a, b]: [&Listed; 2],
        may_share: bool,
    ) {
        let of = |list: u32| &*self.cells.lists[list as usize];
        let held = conditions.map_or(1.0, |(list, _)| of(list).mass);
        let shared = if may_share { shared(of(a.list), of(b.list)) } else { Vec::new() };
        let twice = (!shared.is_empty()).then(|| self.list(shared));
        let less = twice.map_or(0.0, |list| self.cells.lists[list as usize].mass);
        let mass = (factor * held * (a.mass * b.mass - less)).max(0.0);
        let lists = [conditions.map(|(list, _)| list), Some(a.list), Some(b.list)];
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
        let sides = alike.sides.each_ref();
        if !sides.iter().any(|side| side.is_empty()) {
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
        for Listed { flock, list, mass, .. } in self.listed(&alike.others, 4, &[], 0) {
            let share = self.grammar.prior.exactly_one[self.group(flock)];
            let levels = [own, level(flock)].into_iter();
            let factor = share * self.grammar.starter(Join::Xor, levels);
            let of = |list: u32| &*self.cells.lists[list as usize];
            let shared = shared(of(conditions), of(list));
            let twice = (!shared.is_empty()).then(|| self.list(shared));
            let less = twice.map_or(0.0, |list| self.cells.lists[list as usize].mass);
            let mass = (factor * (held * mass - less)).max(0.0);
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

impl Cells {
    fn right(&self, list: u32, says: &[Verdicts]) -> &ByCard {
        let list = list as usize;
        self.right[list].get_or_init(|| self.lists[list].right(says))
    }

    fn yes(&self, list: u32, says: &[Verdicts]) -> &ByCard {
        let list = list as usize;
        self.yes[list].get_or_init(|| Box::new(self.lists[list].yes(says)))
    }

    /// The mass and the sum of the lists that these cells have somewhere.
    fn sums<'a>(
        &'a self,
        cells: &[Cell],
        list: fn(&Cell) -> Option<u32>,
        says: &[Verdicts],
        weighed: &mut Vec<(f64, &'a ByCard)>,
    ) -> (f64, ByCard) {
        let mut mass = 0.0;
        weighed.clear();
        for cell in cells {
            if let Some(list) = list(cell) {
                mass += cell.factor * self.lists[list as usize].mass;
                weighed.push((cell.factor, self.right(list, says)));
            }
        }
        (mass, sum_of(weighed))
    }

    /// Adds what the rules give each card to be right, given what the tests say.
    pub fn add_chances(&self, says: &[Verdicts], chances: &mut [f64; 52]) {
        let alike = |a: &Cell, b: &Cell| a.join == b.join && a.lists[..2] == b.lists[..2];
        let mut weighed = Vec::new();
        for cells in self.cells.chunk_by(alike) {
            let (mass, right) = self.sums(cells, |cell| cell.lists[2], says, &mut weighed);
            let (same_mass, same) = self.sums(cells, |cell| cell.twice, says, &mut weighed);
            self.add_alike(cells, Seconds { mass, right, same_mass, same }, says, chances);
        }
    }

    /// The same of cells that differ in the second side alone.
    fn add_alike(
        &self,
        cells: &[Cell],
        seconds: Seconds,
        says: &[Verdicts],
        chances: &mut [f64; 52],
    ) {
        let [conditions, Some(first), _] = cells[0].lists else { return };
        let mass = |list: u32| self.lists[list as usize].mass;
        let right = |list: u32| flat(self.right(list, says));
        let yes = |list: u32| flat(self.yes(list, says));
        let (a, a_mass) = (right(first), mass(first));
        let Seconds { mass: b_mass, right: b, same_mass, same } = seconds;
        let (b, same) = (flat(&b), flat(&same));
        let all = a_mass * b_mass - same_mass;
        // Of all pairs, those of which both are wrong.
        let none = |card: usize| (a_mass - a[card]) * (b_mass - b[card]) - (same_mass - same[card]);
        match (cells[0].join, conditions) {
            (Join::One, _) => {
                cells.iter().for_each(|cell| each(chances, |card| cell.factor * a[card]));
            }
            (Join::And, _) => each(chances, |card| a[card] * b[card] - same[card]),
            (Join::Or, _) => each(chances, |card| all - none(card)),
            (Join::If, Some(c)) => {
                let (c_mass, right, says_yes) = (mass(c), right(c), yes(c));
                each(chances, |card| {
                    let (yes, no) = (says_yes[card], c_mass - right[card]);
                    let unknown = right[card] - yes;
                    yes * (a[card] * b_mass - same[card])
                        + no * (a_mass * b[card] - same[card])
                        + unknown * (all - none(card))
                });
            }
            (Join::Xor, Some(c)) => cells.iter().for_each(|cell| {
                let (c_mass, c_right, says_yes, first_yes) =
                    (mass(c), right(c), yes(c), yes(first));
                const NONE: &[f64; 56] = &[0.0; 56];
                let (same, same_yes) =
                    cell.twice.map_or((NONE, NONE), |list| (right(list), yes(list)));
                each(chances, |card| {
                    let (yes, no) = (says_yes[card], c_mass - c_right[card]);
                    let not = a_mass - first_yes[card];
                    // One test beside itself is right where it is unknown.
                    let same = same[card] - same_yes[card];
                    cell.factor * (yes * not + no * a[card] + (c_right[card] - yes) * a_mass - same)
                });
            }),
            (Join::If | Join::Xor, None) => {}
        }
    }
}

impl Cell {
    /// The lists that it has.
    pub fn parts<'a>(&self, lists: &'a [Arc<List>]) -> impl Iterator<Item = &'a List> {
        self.lists.into_iter().flatten().map(|list| &*lists[list as usize])
    }
}
