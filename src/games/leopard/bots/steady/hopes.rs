//! What each play changes in the expected points of both squares, rounding left aside.

use fearless_simd::{Simd, f64x2, prelude::*};

use super::supply::{Pair, Quad, in_lanes};
use crate::games::leopard::Side;
use crate::games::leopard::cells::{CELLS, Cell};

/// The changes by cell. A card that lies there counts in `base` alone.
pub(super) struct Hopes {
    /// By a card that fits no goal, were the cell open.
    pub misfit: [Pair; CELLS],
    /// What a card of each suit changes more: two suits that follow each other, on both sides.
    pub fit: [[Quad; 2]; CELLS],
    /// By a card that fits no goal, as the cell lies.
    pub base: [Pair; CELLS],
}

impl Hopes {
    /// When a card of a suit comes to lie on a cell.
    #[inline(always)]
    pub fn lay(&self, side: Side, cell: Cell, suit: usize) -> f64 {
        self.base[cell.index()][side as usize] + self.fits(side as usize, cell, suit)
    }

    /// What a card of this suit changes more.
    #[inline(always)]
    pub fn fits(&self, side: usize, cell: Cell, suit: usize) -> f64 {
        self.fit[cell.index()].as_flattened()[(2 * suit + side) & 7]
    }

    /// When a cell is made open.
    #[inline(always)]
    pub fn open(&self, side: Side, cell: Cell) -> f64 {
        self.base[cell.index()][side as usize] - self.misfit[cell.index()][side as usize]
    }

    /// The most and the least of them over all cells.
    #[inline(always)]
    pub fn ends<L: Simd>(&self, lanes: L) -> Ends {
        let nothing = f64x2::splat(lanes, 0.0);
        let (mut opened, mut spoilt) = (nothing, nothing);
        let mut laid = [in_lanes(lanes, [0.0; 4]); 2];
        for cell in 0..CELLS {
            let base = f64x2::simd_from(lanes, self.base[cell]);
            let open = base - f64x2::simd_from(lanes, self.misfit[cell]);
            (opened, spoilt) = (opened.max(open), spoilt.min(open));
            let base = base.combine(base);
            laid[0] = laid[0].max(base + in_lanes(lanes, self.fit[cell][0]));
            laid[1] = laid[1].max(base + in_lanes(lanes, self.fit[cell][1]));
        }
        Ends { laid: [laid[0].into(), laid[1].into()], opened: opened[0], spoilt: spoilt[1] }
    }
}

/// How far the changes go, none included.
pub(super) struct Ends {
    /// The most that a card of each suit changes: two suits that follow each other, on both sides.
    laid: [Quad; 2],
    /// The most by opening a cell of the own square.
    pub opened: f64,
    /// The least by opening one of the other's.
    pub spoilt: f64,
}

impl Ends {
    /// The most on the own square by a card of this suit.
    #[inline(always)]
    pub fn laid(&self, suit: usize) -> f64 {
        self.laid.as_flattened()[(2 * suit) & 7]
    }
}
