//! What the lines of a square may still bring.
//!
//! Each cell has for each of a line's six goals a chance to come to fit it, 1 where a fitting card
//! lies. A line's expected points are the products of its three chances, times what the goal adds,
//! summed over the goals; this takes the cells as independent, which is wrong by a little and cheap.
//! The sum over all lines is linear in the chances of any one cell, so its slopes say what each move
//! changes.

#![expect(clippy::needless_range_loop, reason = "iterators over arrays are not inlined")]

use std::ops::{Add, Mul};

use fearless_simd::{Simd, f64x2, f64x4, f64x8, prelude::*};

use super::super::Weights;
use super::goals::{
    ByCell, ByGoal, GOALS, GOALS_OF, Goals, Pair, at, by_cell, cell_by_cell, either,
};
use super::hopes::Changes;
use super::lie::Lie;
use super::supply::{Fillers, Supply};
use crate::Rules;
use crate::cards::{Card, CardSet, Pile};
use crate::cells::{CELLS, Cell, Cells};

/// The expected points of both squares, and what they depend on.
pub(super) struct Potential<'a> {
    /// The chances of each cell, were it open.
    open: &'a ByCell,
    /// The chances as the cells lie now.
    now: &'a ByCell,
    /// What the expected points gain for each unit of a chance.
    slope: &'a ByCell,
    wrong: &'a Wrong,
    /// The expected points of all lines, by side.
    pub points: Pair,
}

/// The chances of a cell where a card lies that does not fit.
pub(super) struct Wrong {
    /// As a share of that of an open one.
    share: Pair,
    /// That a king at hand makes it fit, if there is one.
    king: Option<[f64; GOALS]>,
}

impl Wrong {
    #[inline(always)]
    pub fn new(supply: &Supply<'_>) -> Wrong {
        let weights = supply.weights;
        let share = [weights.own_replace, weights.other_replace];
        let kings = Fillers::rank(supply.hand, 13);
        if kings == 0 {
            return Wrong { share, king: None };
        }
        let mut king = [0.0; GOALS];
        for goal in 0..GOALS {
            king[goal] = if kings >> (8 * goal) & 7 > 0 { weights.replace_king } else { 0.0 };
        }
        Wrong { share, king: Some(king) }
    }

    /// For a side.
    #[inline(always)]
    fn at(&self, open: &ByGoal, goal: usize, side: usize) -> f64 {
        let chance = at(open, goal, side) * self.share[side];
        match &self.king {
            Some(king) if side == 0 => either(chance, king[goal]),
            _ => chance,
        }
    }

    /// The chances of each cell as the squares lie.
    #[inline(always)]
    pub fn now<L: Simd>(&self, lanes: L, lie: Lie, open: &ByCell) -> ByCell {
        match &self.king {
            None => self.look::<false, L>(lanes, (lie, open), &[0.0; GOALS]),
            Some(king) => self.look::<true, L>(lanes, (lie, open), king),
        }
    }

    #[inline(always)]
    fn look<const KING: bool, L: Simd>(
        &self,
        lanes: L,
        (lie, open): (Lie, &ByCell),
        king: &[f64; GOALS],
    ) -> ByCell {
        let [own, other] = self.share;
        let shares = [[1.0, 1.0], [own, 1.0], [1.0, other], [own, other]];
        let kings = [[0.0; 2 * GOALS], by_side(king)];
        let full = Goals::splat(lanes, 1.0);
        cell_by_cell!(|cell| {
            let face_up = lie.face_up(cell);
            let mut chances = Goals::sides(lanes, shares[face_up]) * Goals::of(lanes, &open[cell]);
            if KING {
                chances = either(chances, Goals::of(lanes, &kings[face_up & 1]));
            }
            Goals::of(lanes, lie.fits(cell)).choose(full, chances).into()
        })
    }
}

/// What a king does for the own square, and nothing for the other's.
#[inline(always)]
fn by_side(king: &[f64; GOALS]) -> ByGoal {
    let [k0, k1, k2, k3, k4, k5] = *king;
    [k0, 0.0, k1, 0.0, k2, 0.0, k3, 0.0, k4, 0.0, k5, 0.0]
}

/// What the expected points gain for each unit of each chance.
#[inline(always)]
pub(super) fn slopes<L: Simd>(lanes: L, rules: &Rules, now: &ByCell) -> ByCell {
    let color_line = f64::from(rules.color_line);
    let step = f64::from(rules.suit_line) - color_line;
    let mut slopes = [[f64::NAN; 2 * GOALS]; CELLS];
    let of = |cell: usize| Goals::of(lanes, &now[cell]);
    let colors = slope(f64x4::splat(lanes, color_line), by_cell!(|cell| of(cell).colors));
    by_cell!(|cell| slopes[cell][..4].copy_from_slice(&*colors[cell]));
    let suits = slope(f64x8::splat(lanes, step), by_cell!(|cell| of(cell).suits));
    by_cell!(|cell| slopes[cell][4..].copy_from_slice(&*suits[cell]));
    slopes
}

/// Those of goals that are worth so much.
#[inline(always)]
fn slope<T: Copy + Add<Output = T> + Mul<Output = T>>(worth: T, now: [T; CELLS]) -> [T; CELLS] {
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8] = now;
    // What the earlier of two cells that lie in a line with a third gives.
    let (l0, l1, l2, l3) = (worth * c0, worth * c1, worth * c2, worth * c3);
    let (l4, l5, l6, l7) = (worth * c4, worth * c5, worth * c6, worth * c7);
    [
        l1 * c2 + l3 * c6 + l4 * c8,
        l0 * c2 + l4 * c7,
        l0 * c1 + l5 * c8 + l4 * c6,
        l4 * c5 + l0 * c6,
        l3 * c5 + l1 * c7 + l0 * c8 + l2 * c6,
        l3 * c4 + l2 * c8,
        l7 * c8 + l0 * c3 + l2 * c4,
        l6 * c8 + l1 * c4,
        l6 * c7 + l2 * c5 + l0 * c4,
    ]
}

impl<'a> Potential<'a> {
    /// Of these chances and slopes; the expected points come with the [changes](Potential::changes).
    #[inline(always)]
    pub fn new(
        open: &'a ByCell,
        now: &'a ByCell,
        slope: &'a ByCell,
        wrong: &'a Wrong,
    ) -> Potential<'a> {
        Potential { open, now, slope, wrong, points: [0.0; 2] }
    }

    /// What the expected points of a side change by when a card of a suit comes to lie on a cell,
    /// or when the cell is made open.
    pub fn change(&self, side: usize, cell: Cell, suit: Option<usize>) -> f64 {
        let open = &self.open[cell.index()];
        let (now, slope) = (&self.now[cell.index()], &self.slope[cell.index()]);
        let fits = suit.map(|suit| GOALS_OF[suit & 3]);
        let mut sum = 0.0;
        for goal in 0..GOALS {
            let to = match fits {
                None => at(open, goal, side),
                Some(fits) if fits.contains(&goal) => 1.0,
                Some(_) => self.wrong.at(open, goal, side),
            };
            sum += at(slope, goal, side) * (to - at(now, goal, side));
        }
        sum
    }

    /// What each play changes on each cell; and the expected points, one sum after another, for which a
    /// processor would wait if it had nothing else to do meanwhile.
    #[inline(always)]
    pub fn changes<L: Simd>(&mut self, lanes: L) -> [Changes; CELLS] {
        let (mut points, wrong) = (f64x2::splat(lanes, 0.0), self.wrong);
        let changes = match &wrong.king {
            None => cell_by_cell!(|cell| {
                points = self.points_at(lanes, cell, points);
                self.look_at::<false, L>(lanes, cell, &[0.0; 2 * GOALS])
            }),
            Some(king) => {
                let king = by_side(king);
                cell_by_cell!(|cell| {
                    points = self.points_at(lanes, cell, points);
                    self.look_at::<true, L>(lanes, cell, &king)
                })
            }
        };
        // Each line was met at each of its three cells.
        self.points = (points / 3.0).into();
        changes
    }

    /// Adds the points of the lines through a cell.
    #[inline(always)]
    fn points_at<L: Simd>(&self, lanes: L, cell: usize, points: f64x2<L>) -> f64x2<L> {
        let slope = Goals::of(lanes, &self.slope[cell]);
        let [black, red, spades, hearts, diamonds, clubs] =
            (slope * Goals::of(lanes, &self.now[cell])).pairs();
        points + black + red + spades + hearts + diamonds + clubs
    }

    /// Those of a cell: what a card of each suit changes more than one that fits no goal, and what
    /// such a card changes less than nothing.
    #[inline(always)]
    fn look_at<const KING: bool, L: Simd>(&self, lanes: L, cell: usize, king: &ByGoal) -> Changes {
        let [own, other] = self.wrong.share;
        // What each goal gives when open, and as far as a card that does not fit leaves it out.
        let slope = Goals::of(lanes, &self.slope[cell]);
        let open = slope * Goals::of(lanes, &self.open[cell]);
        let mut fit = slope - open * Goals::sides(lanes, [own, other]);
        let mut misfit = open.sum() * f64x2::simd_from(lanes, [own - 1.0, other - 1.0]);
        if KING {
            // What of that a king makes good.
            let good = fit * Goals::of(lanes, king);
            misfit += good.sum();
            fit = fit - good;
        }
        let (black, red) = fit.colors.split();
        let colors = fit.colors.combine(red.combine(black));
        let mut row = [0.0; 16];
        row[..8].copy_from_slice(&*(colors + fit.suits));
        row[8..10].copy_from_slice(&*-misfit);
        row
    }

    /// The change when this number card, of which one copy is held, leaves the hand; `open` are the
    /// square's open cells, and `weights` and the rest of the hand say what the chances were made of.
    #[inline(always)]
    pub fn lose(&self, card: Card, hand: Pile, open: Cells, weights: &Weights) -> f64 {
        let (fill, cell) = (weights.fill_number, Cell::of_number(card));
        let left = 1.0 - fill;
        if hand.doubled().has(card) || left <= 0.0 {
            return 0.0;
        }
        let (suit, is_open) = (card.suit().index() & 3, open.has(cell));
        // Without the card the cell is missed with its other chances alone, and so more often by the
        // factor that the card gave.
        let of = |goal: usize| {
            let missed = (1.0 - at(&self.open[cell.index()], goal, 0)) / left;
            let slope = at(&self.slope[cell.index()], goal, 0);
            slope * (missed * fill) * if is_open { 1.0 } else { self.share_of_open(cell, goal) }
        };
        let mut sum = 0.0;
        // The cell's card of the other suit of its colour does as well.
        let twin = CardSet::EMPTY.with(Card::from_index(card.index() ^ 3));
        if (hand.distinct() & twin).is_empty() {
            sum -= of(usize::from(suit == 1 || suit == 2));
        }
        sum - of(2 + suit)
    }

    /// How much of a change of an own cell's chance when open is felt as the cell lies now.
    #[inline(always)]
    fn share_of_open(&self, cell: Cell, goal: usize) -> f64 {
        let (open, now) = (&self.open[cell.index()], &self.now[cell.index()]);
        let lies = at(now, goal, 0);
        if lies == at(open, goal, 0) {
            1.0
        } else if lies == self.wrong.at(open, goal, 0) {
            self.wrong.share[0]
        } else {
            0.0
        }
    }
}
