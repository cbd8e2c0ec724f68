//! Expected points of the lines of both squares.
//!
//! Each cell has, for each of a line's six goals, a chance to fit it in the end: 1 if a fitting card
//! lies there. The expected points of a line are the product of its three chances, times the points
//! of the goal, summed over the goals. This takes cells as independent: slightly wrong, but cheap. The
//! sum over all lines is linear in the chances of any one cell, so its slopes give the change by each
//! move.
//!
//! Both squares and all goals are computed at once, as arrays that the compiler turns into vectors.

#![expect(clippy::needless_range_loop, reason = "iterators over arrays are not inlined")]

use std::ops::{Add, Div, Mul, Sub};

use super::super::Weights;
use crate::cells::{CELLS, Cell, Cells};
use crate::gains::PointsByCell;
use crate::goals::{GOALS, GOALS_OF, rank_counts};
use crate::{Rules, Side, Square};
use parlour_base::cards::{Card, CardSet, Pile};

/// A number for each side.
pub(super) type Pair = [f64; 2];

/// A pair for each goal.
const LANES: usize = 2 * GOALS;

/// A number for each goal and side; arithmetic is by element.
#[derive(Clone, Copy)]
pub(super) struct Goals(pub [f64; LANES]);

/// Numbers for each cell, goal and side.
pub(super) type GoalsByCell = [Goals; CELLS];

macro_rules! by_element {
    ($($trait:ident::$function:ident $operator:tt,)*) => {
        $(impl $trait for Goals {
            type Output = Goals;

            #[inline(always)]
            fn $function(self, other: Goals) -> Goals {
                let mut result = self.0;
                for lane in 0..LANES {
                    result[lane] $operator other.0[lane];
                }
                Goals(result)
            }
        })*
    };
}
by_element! { Add::add +=, Sub::sub -=, Mul::mul *=, Div::div /=, }

impl Goals {
    /// The same number for every goal and side.
    #[inline(always)]
    pub const fn splat(number: f64) -> Goals {
        Goals([number; LANES])
    }

    /// The same pair for every goal.
    #[inline(always)]
    pub const fn sides([own, other]: Pair) -> Goals {
        Goals([own, other, own, other, own, other, own, other, own, other, own, other])
    }

    /// A number for each goal on the own side, and 0 on the other.
    #[inline(always)]
    const fn own([black, red, s, h, d, c]: [f64; GOALS]) -> Goals {
        Goals([black, 0.0, red, 0.0, s, 0.0, h, 0.0, d, 0.0, c, 0.0])
    }

    /// The number of a goal and side.
    #[inline(always)]
    fn at(&self, goal: usize, side: usize) -> f64 {
        self.0[2 * goal + side]
    }

    /// The sums over the goals, by side.
    #[inline(always)]
    fn sum(&self) -> Pair {
        let mut sums = [f64::NAN; 4];
        for lane in 0..4 {
            sums[lane] = self.0[lane] + self.0[lane + 4] + self.0[lane + 8];
        }
        [sums[0] + sums[2], sums[1] + sums[3]]
    }
}

/// The chance that at least one of two independent events happens.
#[inline(always)]
pub(super) fn either<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>>(
    a: T,
    b: T,
) -> T {
    a + b - a * b
}

/// The larger of two numbers; unlike `f64::max` it is one instruction.
#[inline(always)]
fn larger(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// In place of a suit: an open cell.
pub(super) const OPEN: usize = 4;

/// The suits on both squares, as one table index for each cell: the own suit in bits 0 to 2, the other
/// square's in bits 3 to 5.
#[derive(Clone, Copy)]
pub(super) struct Layout(PointsByCell);

/// For each pair of suits: 1 for the goals that they fit, by side.
const FITS: [Goals; 64] = {
    let mut fits = [Goals::splat(0.0); 64];
    let mut at = 0;
    while at < 4 * fits.len() {
        let (place, side, goal) = (at / 4, at / 2 % 2, at % 2);
        let suit = place >> (3 * side) & 7;
        if suit < OPEN {
            let goal = GOALS_OF[suit][goal];
            fits[place].0[2 * goal + side] = 1.0;
        }
        at += 1;
    }
    fits
};

impl Layout {
    #[inline(always)]
    pub fn new([own, other]: [Square; 2]) -> Layout {
        Layout(PointsByCell::sum(Layout::of(own, 1), Layout::of(other, 8)))
    }

    /// The suits of one square, times a factor.
    #[inline(always)]
    fn of(square: Square, factor: u64) -> PointsByCell {
        let [_, h, d, c] = square.suits();
        let open = PointsByCell::on(square.open(), OPEN as u64 * factor);
        let majors = PointsByCell::sum(open, PointsByCell::on(h, factor));
        let minors =
            PointsByCell::sum(PointsByCell::on(d, 2 * factor), PointsByCell::on(c, 3 * factor));
        PointsByCell::sum(majors, minors)
    }

    #[inline(always)]
    fn at(self, cell: usize) -> usize {
        self.0.at(Cell::ALL[cell]) as usize & 63
    }

    /// Returns whether a card lies on the own cell (bit 0) and on the other's (bit 1).
    #[inline(always)]
    fn face_up(self, cell: usize) -> usize {
        let at = self.at(cell);
        (at >> 2 & 1 | at >> 4 & 2) ^ 3
    }
}

/// Chances of a cell on which a card lies that does not fit.
pub(super) struct Misfits {
    /// Share of the chance of an open cell, by side.
    share: Pair,
    /// Chances that a king in hand makes it fit, if there is a king.
    king: Option<[f64; GOALS]>,
}

impl Misfits {
    #[inline(always)]
    pub fn new(weights: &Weights, hand: Pile) -> Misfits {
        let share = [weights.own_replace, weights.other_replace];
        let kings = rank_counts(hand, 13);
        if kings == 0 {
            return Misfits { share, king: None };
        }
        let mut king = [0.0; GOALS];
        for goal in 0..GOALS {
            king[goal] = if kings >> (8 * goal) & 7 > 0 { weights.replace_king } else { 0.0 };
        }
        Misfits { share, king: Some(king) }
    }

    /// The chance for a goal and side.
    #[inline(always)]
    fn at(&self, open: &Goals, goal: usize, side: usize) -> f64 {
        let chance = open.at(goal, side) * self.share[side];
        match &self.king {
            Some(king) if side == 0 => either(chance, king[goal]),
            _ => chance,
        }
    }

    /// The chances of each cell with the cards that lie there now.
    #[inline(always)]
    pub fn now(&self, layout: Layout, open: &GoalsByCell) -> GoalsByCell {
        let [own, other] = self.share;
        let shares = [[1.0, 1.0], [own, 1.0], [1.0, other], [own, other]];
        let kings = [Goals::splat(0.0), Goals::own(self.king.unwrap_or_default())];
        let mut now = [Goals::splat(f64::NAN); CELLS];
        for cell in 0..CELLS {
            let face_up = layout.face_up(cell);
            let mut chances = Goals::sides(shares[face_up]) * open[cell];
            if self.king.is_some() {
                chances = either(chances, kings[face_up & 1]);
            }
            let fits = &FITS[layout.at(cell)];
            for lane in 0..LANES {
                now[cell].0[lane] = if fits.0[lane] > 0.0 { 1.0 } else { chances.0[lane] };
            }
        }
        now
    }
}

/// The derivatives of the expected points by each chance.
#[inline(always)]
pub(super) fn slopes(rules: &Rules, now: &GoalsByCell) -> GoalsByCell {
    let color_line = f64::from(rules.color_line);
    let step = f64::from(rules.suit_line) - color_line;
    let [c, s] = [color_line, step];
    let points = Goals([c, c, c, c, s, s, s, s, s, s, s, s]);
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8] = *now;
    // The earlier of two cells that lie in a line with a third.
    let (l0, l1, l2, l3) = (points * c0, points * c1, points * c2, points * c3);
    let (l4, l5, l6, l7) = (points * c4, points * c5, points * c6, points * c7);
    let mut slopes = [Goals::splat(f64::NAN); CELLS];
    slopes[0] = l1 * c2 + l3 * c6 + l4 * c8;
    slopes[1] = l0 * c2 + l4 * c7;
    slopes[2] = l0 * c1 + l5 * c8 + l4 * c6;
    slopes[3] = l4 * c5 + l0 * c6;
    slopes[4] = l3 * c5 + l1 * c7 + l0 * c8 + l2 * c6;
    slopes[5] = l3 * c4 + l2 * c8;
    slopes[6] = l7 * c8 + l0 * c3 + l2 * c4;
    slopes[7] = l6 * c8 + l1 * c4;
    slopes[8] = l6 * c7 + l2 * c5 + l0 * c4;
    slopes
}

/// Expected points of both squares, with the chances that they depend on.
pub(super) struct Potential<'a> {
    /// Chances of each cell, if it were open.
    open: &'a GoalsByCell,
    /// Chances of each cell now.
    now: &'a GoalsByCell,
    /// Derivatives of the expected points.
    slope: &'a GoalsByCell,
    misfits: &'a Misfits,
    /// Expected points of all lines, by side.
    pub points: Pair,
}

impl<'a> Potential<'a> {
    #[inline(always)]
    pub fn new(
        open: &'a GoalsByCell,
        now: &'a GoalsByCell,
        slope: &'a GoalsByCell,
        misfits: &'a Misfits,
    ) -> Potential<'a> {
        let mut points = [0.0; 2];
        for cell in 0..CELLS {
            let all = slope[cell] * now[cell];
            for lane in 0..LANES {
                points[lane % 2] += all.0[lane];
            }
        }
        // Each line was met at each of its three cells.
        Potential { open, now, slope, misfits, points: points.map(|sum| sum / 3.0) }
    }

    /// The change of the expected points of a side when a card of a suit is laid on a cell, or when
    /// the cell is opened.
    pub fn change(&self, side: usize, cell: Cell, suit: Option<usize>) -> f64 {
        let open = &self.open[cell.index()];
        let (now, slope) = (&self.now[cell.index()], &self.slope[cell.index()]);
        let fits = suit.map(|suit| GOALS_OF[suit & 3]);
        let mut sum = 0.0;
        for goal in 0..GOALS {
            let to = match fits {
                None => open.at(goal, side),
                Some(fits) if fits.contains(&goal) => 1.0,
                Some(_) => self.misfits.at(open, goal, side),
            };
            sum += slope.at(goal, side) * (to - now.at(goal, side));
        }
        sum
    }

    /// The changes by each play on each cell.
    #[inline(always)]
    pub fn deltas(&self, layout: Layout) -> LineDeltas {
        let king = self.misfits.king.map(Goals::own);
        let [own, other] = self.misfits.share;
        // Not filled with zeros, for which the compiler would call a function.
        let mut deltas =
            LineDeltas { changes: [[f64::NAN; 16]; CELLS], base: [[f64::NAN; 2]; CELLS] };
        for cell in 0..CELLS {
            // The part of each goal when open, and what a card that does not fit leaves of it out.
            let slope = self.slope[cell];
            let open = slope * self.open[cell];
            let mut fit = slope - open * Goals::sides([own, other]);
            let [own_sum, other_sum] = open.sum();
            let mut misfit = [own_sum * (own - 1.0), other_sum * (other - 1.0)];
            if let Some(king) = king {
                // The points that a king adds.
                let good = fit * king;
                let [own_good, other_good] = good.sum();
                misfit = [misfit[0] + own_good, misfit[1] + other_good];
                fit = fit - good;
            }
            let [b0, b1, r0, r1, suits @ ..] = fit.0;
            let colors = [b0, b1, r0, r1, r0, r1, b0, b1];
            let row = &mut deltas.changes[cell];
            for lane in 0..8 {
                row[lane] = colors[lane] + suits[lane];
            }
            [row[8], row[9]] = [-misfit[0], -misfit[1]];
            let at = layout.at(cell);
            deltas.base[cell] = [-row[2 * (at & 7)], -row[2 * (at >> 3) + 1]];
        }
        deltas
    }

    /// The change when a number card, of which one copy is held, leaves the hand. `open` has the open
    /// cells of the own square.
    #[inline(always)]
    pub fn lose(&self, card: Card, hand: Pile, open: Cells, weights: &Weights) -> f64 {
        let (fill, cell) = (weights.fill_number, Cell::of_number(card));
        let left = 1.0 - fill;
        if hand.doubled().has(card) || left <= 0.0 {
            return 0.0;
        }
        let (suit, is_open) = (card.suit().index() & 3, open.has(cell));
        // Without the card the cell is missed more often, by the factor that the card gave.
        let of = |goal: usize| {
            let missed = (1.0 - self.open[cell.index()].at(goal, 0)) / left;
            let slope = self.slope[cell.index()].at(goal, 0);
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

    /// The share of a change of an own cell's chance when open that counts as the cell is now.
    #[inline(always)]
    fn share_of_open(&self, cell: Cell, goal: usize) -> f64 {
        let (open, now) = (&self.open[cell.index()], &self.now[cell.index()]);
        let chance = now.at(goal, 0);
        if chance == open.at(goal, 0) {
            1.0
        } else if chance == self.misfits.at(open, goal, 0) {
            self.misfits.share[0]
        } else {
            0.0
        }
    }
}

/// Changes of the expected points by each play.
pub(super) struct LineDeltas {
    /// By cell, a pair for each suit: the change by a card of the suit, more than by a card that fits no
    /// goal. The fifth pair is for opening the cell; the rest only fills the table.
    changes: [[f64; 16]; CELLS],
    /// By cell: the change by a card that fits no goal, with the cards that lie there now.
    base: [Pair; CELLS],
}

impl LineDeltas {
    /// The change when a card of a suit is laid on a cell, or when it is opened ([`OPEN`]).
    #[inline(always)]
    pub fn lay(&self, side: Side, cell: Cell, suit: usize) -> f64 {
        let (cell, side) = (cell.index(), side as usize);
        self.base[cell][side] + self.changes[cell][(2 * suit + side) & 15]
    }

    /// The largest and smallest changes over all cells.
    #[inline(always)]
    pub fn range(&self) -> DeltaRange {
        let (mut laid, mut opened, mut spoilt) = ([0.0; 8], 0.0, 0.0);
        for cell in 0..CELLS {
            let (base, row) = (self.base[cell], self.changes[cell]);
            opened = larger(opened, base[0] + row[8]);
            spoilt = -larger(-spoilt, -(base[1] + row[9]));
            for lane in 0..8 {
                laid[lane] = larger(laid[lane], base[lane & 1] + row[lane]);
            }
        }
        DeltaRange { laid, opened, spoilt }
    }
}

/// Largest and smallest changes of the expected points, 0 included.
pub(super) struct DeltaRange {
    /// Largest change by a card of each suit, on both sides.
    laid: [f64; 8],
    /// Largest change by opening a cell of the own square.
    pub opened: f64,
    /// Smallest change by opening a cell of the other square.
    pub spoilt: f64,
}

impl DeltaRange {
    /// Largest change on the own square by a card of this suit.
    #[inline(always)]
    pub fn laid(&self, suit: usize) -> f64 {
        self.laid[(2 * suit) & 7]
    }
}
