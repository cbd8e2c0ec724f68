//! What each play changes in the expected points of both squares, rounding left aside.

use super::supply::Pair;
use crate::games::leopard::Side;
use crate::games::leopard::cells::{CELLS, Cell};

/// The changes by cell. A card that lies there counts in `base` alone.
pub(super) struct Hopes {
    /// By a card that fits no goal, were the cell open.
    pub misfit: [Pair; CELLS],
    /// What a card of each suit changes more.
    pub fit: [[Pair; 4]; CELLS],
    /// By a card that fits no goal, as the cell lies.
    pub base: [Pair; CELLS],
}

impl Hopes {
    /// Room for them.
    pub const ROOM: Hopes =
        Hopes { misfit: [[0.0; 2]; CELLS], fit: [[[0.0; 2]; 4]; CELLS], base: [[0.0; 2]; CELLS] };

    /// When a card of a suit comes to lie on a cell.
    #[inline(always)]
    pub fn lay(&self, side: Side, cell: Cell, suit: usize) -> f64 {
        self.base[cell.index()][side as usize] + self.fit[cell.index()][suit & 3][side as usize]
    }

    /// When a cell is made open.
    #[inline(always)]
    pub fn open(&self, side: Side, cell: Cell) -> f64 {
        self.base[cell.index()][side as usize] - self.misfit[cell.index()][side as usize]
    }
}
