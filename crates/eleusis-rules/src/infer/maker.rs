//! The cells of everything that was judged.
//!
//! A cell is a product of lists. Conditions that held differently mostly have a side that is left alike, and
//! the lists of such a side are made once.

use std::rc::Rc;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Grammar;
use super::cells::{Cell, Cells};
use super::evidence::{Alike, Clause, Evidence};
use super::grammar::{FEW, LEVELS};
use super::left::{Key, Left, Lock, by_clause};
use super::list::{List, shared};
use crate::Join;

/// A list that is kept, of one flock, and what its tests do of the clauses.
struct Listed {
    flock: u8,
    key: Key,
    list: u32,
    mass: f64,
}

/// The judged cards that some clauses are of.
type Cards = SmallVec<[usize; 4]>;

struct Maker<'a> {
    grammar: &'a Grammar,
    cells: Cells,
    /// The lists of each set at each place, and the last tests that two sides shared, by flock and place.
    known: FxHashMap<(*const Left, usize, Cards), Rc<[Listed]>>,
    shared: FxHashMap<(u8, usize), u32>,
}

/// Room is made for so many cells a lot of conditions; few have more.
const ROOM: usize = 400;

impl Cells {
    /// The rules that agree with the evidence.
    pub fn of(grammar: &Grammar, evidence: &Evidence) -> Cells {
        let cells = Vec::with_capacity(ROOM * evidence.alike.len());
        let mut maker = Maker {
            grammar,
            cells: Cells { cells, ..Cells::default() },
            known: FxHashMap::default(),
            shared: FxHashMap::default(),
        };
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
        for &Listed { flock, list, mass, .. } in &*self.of_side(left, 0, &[], 0) {
            let share = self.grammar.prior.one[self.group(flock)];
            let factor = share * self.grammar.starter(Join::One, [level(flock)].into_iter());
            let lists = [None, Some(list), None];
            self.push(Cell { join: Join::One, factor, lists, twice: None, mass: factor * mass });
        }
    }

    fn listed(&mut self, flock: u8, key: Key, list: Arc<List>) -> Listed {
        let mass = list.mass;
        Listed { flock, key, list: self.keep(list), mass }
    }

    /// The tests that are left with their weights at a place, as lists by flock and by what they do of
    /// the clauses as the first or second. Those that do not depend on the condition are made once.
    fn of_side(
        &mut self,
        left: &Left,
        place: usize,
        clauses: &[&Clause],
        second: usize,
    ) -> Rc<[Listed]> {
        let cards: Option<Cards> = clauses.iter().map(|clause| clause.card).collect();
        let place_of = cards.map(|cards| (std::ptr::from_ref(left), place, cards));
        let known = place_of.as_ref().and_then(|place_of| self.known.get(place_of));
        if let Some(known) = known {
            return known.clone();
        }
        let grammar = self.grammar;
        let listed: Rc<[Listed]> = if clauses.is_empty() {
            let lists = left.by_flock(grammar, place).iter();
            lists.map(|(flock, list)| self.listed(*flock, Key::new(), list.clone())).collect()
        } else {
            let lists = by_clause(grammar, left.tests(), place, clauses, second);
            lists.map(|(flock, key, list)| self.listed(flock, key, Arc::new(list))).collect()
        };
        self.known.extend(place_of.map(|place_of| (place_of, listed.clone())));
        listed
    }

    /// The list of the tests that two lists share. What two contrary sides have left has agreed with
    /// everything, so it is mostly the same whatever their condition.
    fn twice(&mut self, [a, b]: [&Listed; 2], place: usize) -> Option<u32> {
        let of = |list: u32| &self.cells.lists[list as usize];
        let tests = shared(of(a.list), of(b.list));
        if tests.is_empty() {
            return None;
        }
        let known = self.shared.get(&(a.flock, place)).copied();
        let known = known.filter(|list| *of(*list).tests == *tests);
        let list = known.unwrap_or_else(|| self.list(tests));
        self.shared.insert((a.flock, place), list);
        Some(list)
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
        let own = conditions.map_or(0, |(_, level)| level);
        let few = places[0] == FEW[1];
        // Where a test does the same as the first and as the second, only lists of one key share any.
        let is_alike = clauses.iter().all(|clause| clause.tests[0] == clause.tests[1]);
        let firsts = self.of_side(sides[0], places[0], &clauses, 0);
        let seconds = self.of_side(sides[1], places[1], &clauses, 1);
        let hard: Vec<u64> = seconds.iter().map(|b| lock.hard(&b.key)).collect();
        for a in &*firsts {
            let hard_of_a = lock.hard(&a.key);
            for (b, hard) in seconds.iter().zip(&hard) {
                if hard & hard_of_a == 0 && lock.lets(&a.key, &b.key) {
                    let factor = self.grammar.factor(join, few, own, [a.flock, b.flock]);
                    let may_share = a.flock == b.flock && (!is_alike || a.key == b.key);
                    let shared = may_share.then(|| self.twice([a, b], places[0]));
                    self.product(join, factor, conditions, [a, b], shared.flatten());
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
        twice: Option<u32>,
    ) {
        let of = |list: u32| &*self.cells.lists[list as usize];
        let held = conditions.map_or(1.0, |(list, _)| of(list).mass);
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
        let sides = alike.sides.each_ref().map(|side| &**side);
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
        for &Listed { flock, list, mass, .. } in &*self.of_side(&alike.others, 4, &[], 0) {
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
