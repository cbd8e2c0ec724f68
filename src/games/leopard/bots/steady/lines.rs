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
use super::hopes::Hopes;
use super::supply::{
    ByCell, ByGoal, Fillers, GOALS, GOALS_OF, Pair, Quad, Supply, TWOS, at, at_mut, by_cell,
    either, in_lanes,
};
use crate::cards::{Card, CardSet, Pile, Suit};
use crate::games::leopard::cells::{CELLS, Cell, Cells, by_cells};
use crate::games::leopard::{Rules, Square};

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

/// For each set of cells: their bits twice as far apart.
const TWICE_AS_FAR: [u32; 512] =
    by_cells!(0, CELLS, |bits, cells, cell| { *bits |= (cells as u32 >> cell & 1) << (2 * cell) });

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

    /// The chances of each cell as the squares lie, but for [what lies](Wrong::lying) there.
    #[inline(always)]
    pub fn shares<L: Simd>(&self, lanes: L, squares: [Square; 2], open: &ByCell) -> ByCell {
        let [own, other] = self.share;
        let shares = [[1.0, 1.0], [own, 1.0], [1.0, other], [own, other]];
        let shares = shares.map(|[own, other]| [own, other, own, other]);
        let [own, other] = squares.map(|square| TWICE_AS_FAR[square.face_up().index()]);
        let lie = own | other << 1;
        by_cell!(|cell| {
            let share = in_lanes(lanes, shares[(lie >> (2 * cell)) as usize & 3]);
            let [colors, majors, minors] = open[cell];
            [
                (share * in_lanes(lanes, colors)).into(),
                (share * in_lanes(lanes, majors)).into(),
                (share * in_lanes(lanes, minors)).into(),
            ]
        })
    }

    /// Adds what lies there, and that kings replace it.
    #[inline(always)]
    pub fn lying(&self, squares: [Square; 2], now: &mut ByCell) {
        if let Some(king) = &self.king {
            for goal in 0..GOALS {
                if king[goal] == 0.0 {
                    continue;
                }
                for cell in squares[0].face_up() {
                    let chance = at_mut(&mut now[cell.index()], goal, 0);
                    *chance = either(*chance, king[goal]);
                }
            }
        }
        for side in 0..2 {
            for suit in 0..4 {
                let [color, own] = GOALS_OF[suit];
                for cell in squares[side].suit(Suit::ALL[suit]) {
                    *at_mut(&mut now[cell.index()], color, side) = 1.0;
                    *at_mut(&mut now[cell.index()], own, side) = 1.0;
                }
            }
        }
    }
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
    /// Of these chances and slopes.
    #[inline(always)]
    pub fn new<L: Simd>(
        lanes: L,
        open: &'a ByCell,
        now: &'a ByCell,
        slope: &'a ByCell,
        wrong: &'a Wrong,
    ) -> Potential<'a> {
        let mut points = f64x2::splat(lanes, 0.0);
        for cell in 0..CELLS {
            for two in 0..TWOS {
                let slope = in_lanes(lanes, slope[cell][two]);
                let (first, second) = (slope * in_lanes(lanes, now[cell][two])).split();
                points = points + first + second;
            }
        }
        // Each line was met at each of its three cells.
        Potential { open, now, slope, wrong, points: (points / 3.0).into() }
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

    /// What each play changes, [what lies there](Potential::lying) left aside.
    #[inline(always)]
    pub fn hopes<L: Simd>(&self, lanes: L) -> Hopes {
        match &self.wrong.king {
            None => self.look::<false, L>(lanes, &[0.0; GOALS]),
            Some(king) => self.look::<true, L>(lanes, king),
        }
    }

    /// A card that lies there counts in `base` alone.
    #[inline(always)]
    pub fn lying(&self, squares: [Square; 2], hopes: &mut Hopes) {
        for side in 0..2 {
            for suit in 0..4 {
                for cell in squares[side].suit(Suit::ALL[suit]) {
                    hopes.base[cell.index()][side] = -hopes.fits(side, cell, suit);
                }
            }
        }
    }

    #[inline(always)]
    fn look<const KING: bool, L: Simd>(&self, lanes: L, king: &[f64; GOALS]) -> Hopes {
        let [c0, c1, c2, c3, c4, c5, c6, c7, c8] =
            by_cell!(|cell| self.look_at::<KING, L>(lanes, cell, king));
        Hopes {
            misfit: [c0.0, c1.0, c2.0, c3.0, c4.0, c5.0, c6.0, c7.0, c8.0],
            fit: [c0.1, c1.1, c2.1, c3.1, c4.1, c5.1, c6.1, c7.1, c8.1],
            base: [c0.0, c1.0, c2.0, c3.0, c4.0, c5.0, c6.0, c7.0, c8.0],
        }
    }

    /// Those of a cell: by a card that fits no goal, and what a card of each suit changes more.
    #[inline(always)]
    fn look_at<const KING: bool, L: Simd>(
        &self,
        lanes: L,
        cell: usize,
        king: &[f64; GOALS],
    ) -> (Pair, [Quad; 2]) {
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
            let king = |two: usize| [king[2 * two], 0.0, king[2 * two + 1], 0.0];
            let good = [
                fit[0] * in_lanes(lanes, king(0)),
                fit[1] * in_lanes(lanes, king(1)),
                fit[2] * in_lanes(lanes, king(2)),
            ];
            let (first, second) = (good[0] + good[1] + good[2]).split();
            misfit = misfit + first + second;
            fit = [fit[0] - good[0], fit[1] - good[1], fit[2] - good[2]];
        }
        let (black, red) = fit[0].split();
        let [fits, more] = [fit[0] + fit[1], red.combine(black) + fit[2]];
        (misfit.into(), [fits.into(), more.into()])
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
