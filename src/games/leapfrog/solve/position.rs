//! What lies on a small board.

use super::grid::{Grid, Leap};
use crate::games::leapfrog::Board;

/// A position; two kinds, since plain pieces need one plane of bits and coloured ones three.
pub(super) trait Position: Copy + Eq {
    fn of(grid: &Grid, board: &Board) -> Self;
    /// The cells with a piece.
    fn pieces(self) -> u32;
    /// After one leap, and the points it brings.
    fn leap(self, from: u32, leap: Leap) -> (Self, i16);
    /// A number that tells the position from all others that are not worth the same.
    fn key(self, grid: &Grid) -> u64;
    /// What all pieces are worth.
    fn points(self) -> i16;
}

/// Plain pieces. Symmetric positions have the same key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Plain(u32);

impl Position for Plain {
    fn of(grid: &Grid, board: &Board) -> Plain {
        Plain(grid.planes(board)[0])
    }

    #[inline]
    fn pieces(self) -> u32 {
        self.0
    }

    #[inline]
    fn leap(self, from: u32, leap: Leap) -> (Plain, i16) {
        (Plain(self.0 & !(from | leap.over) | leap.to), 1)
    }

    #[inline]
    fn key(self, grid: &Grid) -> u64 {
        grid.least(self.0).into()
    }

    #[inline]
    fn points(self) -> i16 {
        self.0.count_ones() as i16
    }
}

/// Coloured pieces on at most 21 cells: a piece keeps its colour where it goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Coloured([u32; 3]);

impl Position for Coloured {
    fn of(grid: &Grid, board: &Board) -> Coloured {
        Coloured(grid.planes(board))
    }

    #[inline]
    fn pieces(self) -> u32 {
        self.0[0]
    }

    #[inline]
    fn leap(self, from: u32, leap: Leap) -> (Coloured, i16) {
        let [_, low, high] = self.0.map(|plane| (plane & leap.over != 0) as i16);
        let gone = !(from | leap.over);
        let after = |plane: u32| plane & gone | if plane & from != 0 { leap.to } else { 0 };
        (Coloured(self.0.map(after)), 1 + low + 2 * high)
    }

    #[inline]
    fn key(self, _: &Grid) -> u64 {
        let [pieces, low, high] = self.0.map(u64::from);
        pieces | low << 21 | high << 42
    }

    #[inline]
    fn points(self) -> i16 {
        let [pieces, low, high] = self.0.map(|plane| plane.count_ones() as i16);
        pieces + low + 2 * high
    }
}
