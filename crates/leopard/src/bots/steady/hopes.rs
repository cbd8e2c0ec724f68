//! What each play changes in the expected points of both squares, rounding left aside.

use fearless_simd::{Simd, f64x2, f64x8, prelude::*};

use super::goals::{Pair, by_cell};
use super::lie::{Lie, OPEN};
use crate::Side;
use crate::cells::{CELLS, Cell};

/// Those of a cell, a pair for each suit: what a card of it changes more than one that fits no goal.
/// Then what such a card changes less than nothing, were the cell open, and nothing to fill the table.
pub(super) type Changes = [f64; 16];

/// The changes by cell.
pub(super) struct Hopes<'a> {
    changes: &'a [Changes; CELLS],
    /// By a card that fits no goal, as the cell lies.
    base: [Pair; CELLS],
}

impl<'a> Hopes<'a> {
    #[inline(always)]
    pub fn new<L: Simd>(lanes: L, lie: Lie, changes: &'a [Changes; CELLS]) -> Hopes<'a> {
        let base = by_cell!(|cell| (-lie.pick(lanes, cell, &changes[cell])).into());
        Hopes { changes, base }
    }

    /// When a card of a suit comes to lie on a cell.
    #[inline(always)]
    pub fn lay(&self, side: Side, cell: Cell, suit: usize) -> f64 {
        let (cell, side) = (cell.index(), side as usize);
        self.base[cell][side] + self.changes[cell][(2 * suit + side) & 15]
    }

    /// When a cell is made open.
    #[inline(always)]
    pub fn open(&self, side: Side, cell: Cell) -> f64 {
        self.lay(side, cell, OPEN)
    }

    /// The most and the least of them over all cells.
    #[inline(always)]
    pub fn ends<L: Simd>(&self, lanes: L) -> Ends {
        let nothing = f64x2::splat(lanes, 0.0);
        let (mut opened, mut spoilt) = (nothing, nothing);
        let mut laid = f64x8::splat(lanes, 0.0);
        for cell in 0..CELLS {
            let base = f64x2::simd_from(lanes, self.base[cell]);
            let [more @ .., own, other, _, _, _, _, _, _] = self.changes[cell];
            let open = base + f64x2::simd_from(lanes, [own, other]);
            (opened, spoilt) = (opened.max(open), spoilt.min(open));
            let base = base.combine(base);
            laid = laid.max(base.combine(base) + f64x8::simd_from(lanes, more));
        }
        Ends { laid: laid.into(), opened: opened[0], spoilt: spoilt[1] }
    }
}

/// How far the changes go, none included.
pub(super) struct Ends {
    /// The most that a card of each suit changes, on both sides.
    laid: [f64; 8],
    /// The most by opening a cell of the own square.
    pub opened: f64,
    /// The least by opening one of the other's.
    pub spoilt: f64,
}

impl Ends {
    /// The most on the own square by a card of this suit.
    #[inline(always)]
    pub fn laid(&self, suit: usize) -> f64 {
        self.laid[(2 * suit) & 7]
    }
}
