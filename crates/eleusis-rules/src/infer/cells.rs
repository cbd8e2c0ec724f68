//! The rules that still agree, as products of lists of tests.

use std::sync::{Arc, OnceLock};

use super::list::{ByCard, List, flat, sum_of};
use crate::simd::dispatch;
use crate::{Join, Verdicts};

/// Adds to each card's chance what there is for it.
#[inline(always)]
fn each(chances: &mut [f64; 52], what: impl Fn(usize) -> f64) {
    dispatch(
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
    pub(super) right: Vec<OnceLock<ByCard>>,
    pub(super) yes: Vec<OnceLock<Box<ByCard>>>,
    pub cells: Vec<Cell>,
    pub mass: f64,
    /// The places of the cells with the most that a rule of each weighs, heaviest first, once that was
    /// asked for.
    pub(super) ranked: OnceLock<Vec<(f64, u32)>>,
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
        sum: &mut ByCard,
    ) -> f64 {
        let mut mass = 0.0;
        weighed.clear();
        for cell in cells {
            if let Some(list) = list(cell) {
                mass += cell.factor * self.lists[list as usize].mass;
                weighed.push((cell.factor, self.right(list, says)));
            }
        }
        sum_of(weighed, sum);
        mass
    }

    /// Adds what the rules give each card to be right, given what the tests say.
    pub fn add_chances(&self, says: &[Verdicts], chances: &mut [f64; 52]) {
        let alike = |a: &Cell, b: &Cell| a.join == b.join && a.lists[..2] == b.lists[..2];
        let mut weighed = Vec::new();
        let (right, same) = (ByCard::default(), ByCard::default());
        let mut seconds = Seconds { mass: 0.0, right, same_mass: 0.0, same };
        for cells in self.cells.chunk_by(alike) {
            let Seconds { mass, right, same_mass, same } = &mut seconds;
            *mass = self.sums(cells, |cell| cell.lists[2], says, &mut weighed, right);
            *same_mass = self.sums(cells, |cell| cell.twice, says, &mut weighed, same);
            self.add_alike(cells, &seconds, says, chances);
        }
    }

    /// The same of cells that differ in the second side alone.
    fn add_alike(
        &self,
        cells: &[Cell],
        seconds: &Seconds,
        says: &[Verdicts],
        chances: &mut [f64; 52],
    ) {
        let [conditions, Some(first), _] = cells[0].lists else { return };
        let mass = |list: u32| self.lists[list as usize].mass;
        let right = |list: u32| flat(self.right(list, says));
        let yes = |list: u32| flat(self.yes(list, says));
        let (a, a_mass) = (right(first), mass(first));
        let &Seconds { mass: b_mass, right: ref b, same_mass, ref same } = seconds;
        let (b, same) = (flat(b), flat(same));
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
