//! Expected points of the lines of both squares.
//!
//! Each cell has, for each of a line's six goals, a chance to fit it in the end: 1 if a fitting card
//! lies there. The expected points of a line are the product of its three chances, times the points
//! of the goal, summed over the goals. This takes cells as independent: slightly wrong, but cheap. The
//! sum over all lines is linear in the chances of any one cell, so its slopes give the change by each
//! move.
//!
//! Both squares and all goals are computed at once, as arrays that the compiler turns into vectors.

use std::hint::black_box;
use std::ops::{Add, Div, Mul, Sub};

use super::super::Weights;
use crate::cells::{CELLS, Cell, FACE_DOWN, KINGS, TENS};
use crate::goals::{FITTING, GOALS, GOALS_OF};
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

    /// These numbers, but those of `other` where the mask is 1 instead of 0. Products need no branch.
    #[inline(always)]
    fn replace(self, mask: Goals, other: Goals) -> Goals {
        self * (Goals::splat(1.0) - mask) + other * mask
    }

    /// The chance that at least one of two independent events happens.
    #[inline(always)]
    pub fn or(self, other: Goals) -> Goals {
        self + other - self * other
    }
}

/// For each set of suits: how many of them fit each goal.
const FITS: [Goals; 16] = fits(4, [1.0, 1.0]);
/// For each set of suits: 1 for the goals that any fits, on one side.
const OWN_FITS: [Goals; 16] = fits(1, [1.0, 0.0]);
const OTHER_FITS: [Goals; 16] = fits(1, [0.0, 1.0]);

const fn fits(most: u64, [own, other]: Pair) -> [Goals; 16] {
    let mut fits = [Goals::splat(0.0); 16];
    let mut at = 0;
    while at < 16 * GOALS {
        let (suits, goal) = (at / GOALS, at % GOALS);
        let count = FITTING[suits] >> (8 * goal) & 7;
        let count = (if count < most { count } else { most }) as f64;
        fits[suits].0[2 * goal] = own * count;
        fits[suits].0[2 * goal + 1] = other * count;
        at += 1;
    }
    fits
}

/// All cells, in a loop that the compiler does not vectorize. With AVX-512 it would compute eight cells
/// at once, with gathers and scatters, and a decision would take twice as long.
#[inline(always)]
fn one_by_one() -> impl Iterator<Item = usize> {
    (0..CELLS).map(black_box)
}

/// Sources of cards for both seats.
pub(super) struct Supply<'a> {
    pub hand: Pile,
    pub unseen: Pile,
    /// Expected copies at hand of each unseen card, by side.
    pub rates: Pair,
    pub weights: &'a Weights,
}

/// The suits of a rank in a plane of a pile, a bit each.
#[inline(always)]
fn suits(plane: u64, rank: usize) -> usize {
    (plane >> (4 * rank - 4) & 15) as usize
}

impl Supply<'_> {
    /// Writes the chances of each cell, if it were open, and if a card lay there that does not fit.
    ///
    /// Cards of the own square come from the hand and from draws; those of the other square from that
    /// seat's hidden hand and draws. A chance grows like the expected copies and stays below 1. It is a
    /// quotient, since an exponential differs between machines.
    #[inline(always)]
    pub fn write_chances(&self, open: &mut GoalsByCell, misfits: &mut GoalsByCell) {
        let weights = self.weights;
        let (once, twice) = (self.unseen.distinct().0, self.unseen.doubled().0);
        let hand = self.hand.distinct().0;
        let unseen = |rank| FITS[suits(once, rank)] + FITS[suits(twice, rank)];
        let wild = (unseen(10) + unseen(13)) * Goals::splat(weights.unseen_wild);
        let ten = OWN_FITS[suits(hand, 10)] * Goals::splat(weights.fill_ten);
        let kings = suits(hand, 13);
        let king = OWN_FITS[kings] * Goals::splat(weights.fill_king);
        let (rates, held) = (Goals::sides(self.rates), ten.or(king));
        let fill = Goals::splat(weights.fill_number);
        let replace_king = OWN_FITS[kings] * Goals::splat(weights.replace_king);
        let share = Goals::sides([weights.own_replace, weights.other_replace]);
        for cell in one_by_one() {
            let mut cards = wild + unseen(cell + 1);
            for lane in &mut cards.0 {
                *lane = if *lane > 0.0 { *lane } else { 0.0 };
            }
            let expected = rates * cards;
            let drawn = (expected / (expected + Goals::splat(1.0))).or(held);
            // Mostly none, but a branch costs more than the sums.
            let chances = drawn.or(fill * OWN_FITS[suits(hand, cell + 1)]);
            open[cell] = chances;
            let misfit = share * chances;
            misfits[cell] = if kings > 0 { misfit.or(replace_king) } else { misfit };
        }
    }
}

/// Writes the chances of each cell with the cards that lie there now.
#[inline(always)]
pub(super) fn write_now(
    now: &mut GoalsByCell,
    [own, other]: [Square; 2],
    open: &GoalsByCell,
    misfits: &GoalsByCell,
) {
    let (own, other) = (own.cards().0, other.cards().0);
    for cell in one_by_one() {
        let (own, other) = (suits(own, cell + 1), suits(other, cell + 1));
        let closed = |suits: usize| if suits > 0 { 1.0 } else { 0.0 };
        let closed = Goals::sides([closed(own), closed(other)]);
        let fits = OWN_FITS[own] + OTHER_FITS[other];
        now[cell] = open[cell].replace(closed, misfits[cell]).replace(fits, Goals::splat(1.0));
    }
}

/// The derivatives of the expected points by each chance.
#[inline(always)]
pub(super) fn slopes(rules: &Rules, now: &GoalsByCell) -> GoalsByCell {
    let color_line = f64::from(rules.color_line);
    let step = f64::from(rules.suit_line) - color_line;
    let [c, s] = [color_line, step];
    let points = Goals([c, c, c, c, s, s, s, s, s, s, s, s]);
    let [c0, c1, c2] = [now[0], now[1], now[2]];
    let [c3, c4, c5] = [now[3], now[4], now[5]];
    let [c6, c7, c8] = [now[6], now[7], now[8]];
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

/// The expected points of all lines, by side.
#[inline(always)]
pub(super) fn expected_points(slope: &GoalsByCell, now: &GoalsByCell) -> Pair {
    let mut points = [0.0; 2];
    for cell in one_by_one() {
        let all = slope[cell] * now[cell];
        for lane in 0..LANES {
            points[lane % 2] += all.0[lane];
        }
    }
    // Each line was met at each of its three cells.
    points.map(|sum| sum / 3.0)
}

/// The place of an open cell in [`Changes`]; the suits come before it.
const OPEN: usize = 4;

/// For each cell, a pair for each suit that may be laid there and a pair for opening it: the changes of
/// the expected points. The rest only fills the table.
pub(super) type Changes = [[f64; 16]; CELLS];

/// Writes the changes of the expected points by each play of a hand.
#[inline(always)]
pub(super) fn write_changes(
    changes: &mut Changes,
    slope: &GoalsByCell,
    open: &GoalsByCell,
    misfits: &GoalsByCell,
    now: &GoalsByCell,
    hand: CardSet,
) {
    let opens = !(hand & FACE_DOWN).is_empty();
    let has_wild = hand.0 & (TENS.0 | KINGS.0) != 0;
    for cell in one_by_one() {
        let (slope, now, open) = (&slope[cell], &now[cell], &open[cell]);
        let row = &mut changes[cell];
        if opens {
            let [b0, b1, r0, r1, s0, s1, h0, h1, d0, d1, c0, c1] = (*slope * (*open - *now)).0;
            row[2 * OPEN] = b0 + r0 + s0 + h0 + d0 + c0;
            row[2 * OPEN + 1] = b1 + r1 + s1 + h1 + d1 + c1;
        }
        if !has_wild && suits(hand.0, cell + 1) == 0 {
            continue;
        }
        let fit = *slope * (Goals::splat(1.0) - *now);
        let miss = *slope * (misfits[cell] - *now);
        let [b0, b1, r0, r1, fit @ ..] = fit.0;
        let [no_b0, no_b1, no_r0, no_r1, miss @ ..] = miss.0;
        // Spades, hearts, diamonds and clubs, each on both sides.
        let blacks = [b0, b1, no_b0, no_b1, no_b0, no_b1, b0, b1];
        let reds = [no_r0, no_r1, r0, r1, r0, r1, no_r0, no_r1];
        for lane in 0..8 {
            row[lane] = blacks[lane] + reds[lane];
        }
        for suit in 0..4 {
            let [own, other] = [miss[2 * suit], miss[2 * suit + 1]];
            let mut goal = [own, other, own, other, own, other, own, other];
            [goal[2 * suit], goal[2 * suit + 1]] = [fit[2 * suit], fit[2 * suit + 1]];
            for lane in 0..8 {
                row[lane] += goal[lane];
            }
        }
    }
}

/// Expected points of both squares, and their changes.
pub(super) struct Potential<'a> {
    /// Chances of each cell, if it were open.
    pub open: &'a GoalsByCell,
    /// Derivatives of the expected points.
    pub slope: &'a GoalsByCell,
    pub changes: &'a Changes,
    /// Expected points of all lines, by side.
    pub points: Pair,
}

impl Potential<'_> {
    /// The largest change of the own expected points by a card of a suit on any cell, or by opening one.
    #[inline(always)]
    pub fn largest_change(&self, suit: Option<usize>) -> f64 {
        let place = (2 * suit.unwrap_or(OPEN)) & 15;
        let larger = |most: f64, row: &[f64; 16]| if row[place] > most { row[place] } else { most };
        self.changes.iter().fold(f64::NEG_INFINITY, larger)
    }

    /// The change of the expected points of a side when a card of a suit is laid on a cell, or when
    /// the cell is opened.
    #[inline(always)]
    pub fn change(&self, side: Side, cell: Cell, suit: Option<usize>) -> f64 {
        self.changes[cell.index()][(2 * suit.unwrap_or(OPEN) + side as usize) & 15]
    }

    /// The change when a number card, of which one copy is held, leaves the hand. `own` is the own
    /// square.
    #[inline(always)]
    pub fn lose(&self, card: Card, hand: Pile, own: Square, weights: &Weights) -> f64 {
        let (fill, cell) = (weights.fill_number, Cell::of_number(card));
        let left = 1.0 - fill;
        if hand.doubled().has(card) || left <= 0.0 {
            return 0.0;
        }
        let lying = own.suits_at(cell);
        // The share of a change of the chance when open that counts as the cell is now.
        let share = if lying == 0 { 1.0 } else { weights.own_replace };
        let [color, suit] = GOALS_OF[card.suit().index() & 3];
        // The cell's card of the other suit of its colour does as well.
        let twin = CardSet::EMPTY.with(Card::from_index(card.index() ^ 3));
        let has_twin = !(hand.distinct() & twin).is_empty();
        let mut sum = 0.0;
        for (goal, is_missed) in [(2 * color, !has_twin), (2 * suit, true)] {
            if is_missed && OWN_FITS[lying].0[goal] == 0.0 {
                // Without the card the cell is missed more often, by the factor that the card gave.
                let missed = (1.0 - self.open[cell.index()].0[goal]) / left;
                sum -= self.slope[cell.index()].0[goal] * (missed * fill) * share;
            }
        }
        sum
    }
}
