//! What each play changes in the expected points of both squares, rounding left aside.

use super::supply::{Pair, Quad};
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
}
