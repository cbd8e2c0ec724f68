//! What the lines of a square may still bring.
//!
//! Each cell has for each of a line's six goals a chance to come to fit it, 1 where a fitting card
//! lies. A line's expected points are the products of its three chances, times what the goal adds,
//! summed over the goals; this takes the cells as independent, which is wrong by a little and cheap.
//! The sum over all lines is linear in the chances of any one cell, so its slopes say what each move
//! changes.

#![expect(clippy::needless_range_loop, reason = "iterators over arrays are not inlined")]

use fearless_simd::{Simd, f64x2, f64x4, prelude::*};

use super::super::Weights;
use super::hopes::Changes;
use super::lie::Lie;
use super::supply::{
    ByCell, ByGoal, Fillers, GOALS, GOALS_OF, Pair, Supply, TWOS, at, by_cell, cell_by_cell,
    either, either_of, in_lanes,
};
use crate::cards::{Card, CardSet, Pile};
use crate::games::leopard::Rules;
use crate::games::leopard::cells::{CELLS, Cell, Cells};

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
        let shares = shares.map(|[own, other]| [own, other, own, other]);
        let [colors, majors, minors] = by_two(king);
        let kings = [[[0.0; 4]; TWOS], [colors, majors, minors]];
        let (none, full) = (f64x4::splat(lanes, 0.0), f64x4::splat(lanes, 1.0));
        cell_by_cell!(TWOS, |cell| {
            let face_up = lie.face_up(cell);
            let (share, fits) = (in_lanes(lanes, shares[face_up]), lie.fits(cell));
            let mut chances = open[cell].map(|open| share * in_lanes(lanes, open));
            if KING {
                let [colors, majors, minors] = kings[face_up & 1];
                chances = [
                    either_of(chances[0], in_lanes(lanes, colors)),
                    either_of(chances[1], in_lanes(lanes, majors)),
                    either_of(chances[2], in_lanes(lanes, minors)),
                ];
            }
            [
                in_lanes(lanes, fits[0]).simd_gt(none).select(full, chances[0]).into(),
                in_lanes(lanes, fits[1]).simd_gt(none).select(full, chances[1]).into(),
                in_lanes(lanes, fits[2]).simd_gt(none).select(full, chances[2]).into(),
            ]
        })
    }
}

/// What a king does for the own square, two goals by two.
#[inline(always)]
fn by_two(king: &[f64; GOALS]) -> ByGoal {
    let [k0, k1, k2, k3, k4, k5] = *king;
    [[k0, 0.0, k1, 0.0], [k2, 0.0, k3, 0.0], [k4, 0.0, k5, 0.0]]
}

/// What the expected points gain for each unit of each chance.
#[inline(always)]
pub(super) fn slopes<L: Simd>(lanes: L, rules: &Rules, now: &ByCell) -> ByCell {
    let color_line = f64::from(rules.color_line);
    let step = f64::from(rules.suit_line) - color_line;
    let colors = slope(lanes, color_line, now, 0);
    let (majors, minors) = (slope(lanes, step, now, 1), slope(lanes, step, now, 2));
    by_cell!(|cell| [colors[cell].into(), majors[cell].into(), minors[cell].into()])
}

/// Those of two goals that are worth so much.
#[inline(always)]
fn slope<L: Simd>(lanes: L, worth: f64, now: &ByCell, two: usize) -> [f64x4<L>; CELLS] {
    let worth = f64x4::splat(lanes, worth);
    let [c0, c1, c2, c3, c4, c5, c6, c7, c8] = by_cell!(|cell| in_lanes(lanes, now[cell][two]));
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
            None => cell_by_cell!(4, |cell| {
                points = self.points_at(lanes, cell, points);
                self.look_at::<false, L>(lanes, cell, &[[0.0; 4]; TWOS])
            }),
            Some(king) => {
                let king = by_two(king);
                cell_by_cell!(4, |cell| {
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
    fn points_at<L: Simd>(&self, lanes: L, cell: usize, mut points: f64x2<L>) -> f64x2<L> {
        for two in 0..TWOS {
            let slope = in_lanes(lanes, self.slope[cell][two]);
            let (first, second) = (slope * in_lanes(lanes, self.now[cell][two])).split();
            points = points + first + second;
        }
        points
    }

    /// Those of a cell: what a card of each suit changes more than one that fits no goal, and what
    /// such a card changes less than nothing.
    #[inline(always)]
    fn look_at<const KING: bool, L: Simd>(&self, lanes: L, cell: usize, king: &ByGoal) -> Changes {
        let [own, other] = self.wrong.share;
        let share = in_lanes(lanes, [own, other, own, other]);
        // What each goal gives when open, and as far as a card that does not fit leaves it out.
        let slope = self.slope[cell].map(|slope| in_lanes(lanes, slope));
        let of_open = self.open[cell].map(|open| in_lanes(lanes, open));
        let open = [slope[0] * of_open[0], slope[1] * of_open[1], slope[2] * of_open[2]];
        let mut fit =
            [slope[0] - open[0] * share, slope[1] - open[1] * share, slope[2] - open[2] * share];
        let (first, second) = (open[0] + open[1] + open[2]).split();
        let mut misfit = (first + second) * f64x2::simd_from(lanes, [own - 1.0, other - 1.0]);
        if KING {
            // What of that a king makes good.
            let good = [
                fit[0] * in_lanes(lanes, king[0]),
                fit[1] * in_lanes(lanes, king[1]),
                fit[2] * in_lanes(lanes, king[2]),
            ];
            let (first, second) = (good[0] + good[1] + good[2]).split();
            misfit = misfit + first + second;
            fit = [fit[0] - good[0], fit[1] - good[1], fit[2] - good[2]];
        }
        let (black, red) = fit[0].split();
        let [fits, more] = [fit[0] + fit[1], red.combine(black) + fit[2]];
        let none = f64x2::splat(lanes, 0.0);
        [fits.into(), more.into(), (-misfit).combine(none).into(), [0.0; 4]]
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
