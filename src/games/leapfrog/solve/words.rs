//! Small boards as one word of bits, row by row.

use super::table::{Direct, Hashed, Table};
use crate::game::Ruled;
use crate::games::leapfrog::board::{Board, Cell};
use crate::games::leapfrog::{Chains, Leapfrog, Rules};

/// A leap in one of the ways from one cell: the bits of the cells leapt over and landed on.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    pub over: u32,
    pub to: u32,
}

/// What can be said of a board before any piece lies on it.
pub(super) struct Grid {
    pub game: Leapfrog,
    /// The leaps from each cell.
    leaps: Vec<Vec<Leap>>,
    /// Each symmetry but the identity as tables by byte: where the bits of the byte go.
    symmetries: Vec<[[u32; 256]; 4]>,
    pub chains: bool,
}

impl Grid {
    /// The board must have at most 31 cells.
    pub fn new(game: Leapfrog) -> Grid {
        let rules = game.rules();
        let shape = rules.shape();
        let cols = usize::from(rules.cols);
        let bit = |cell: Cell| 1u32 << (cell.row() * cols + cell.col());
        let leaps_from = |cell| {
            (0..shape.ways()).filter_map(move |way| {
                shape.leap(cell, way).map(|(over, to)| Leap { over: bit(over), to: bit(to) })
            })
        };
        let leaps = shape.cells().map(|cell| leaps_from(cell).collect()).collect();
        let table = |symmetry| {
            let mut tables = [[0; 256]; 4];
            for (index, cell) in shape.cells().enumerate() {
                for byte in (0..256).filter(|byte| byte >> (index % 8) & 1 == 1) {
                    tables[index / 8][byte] |= bit(shape.image(symmetry, cell));
                }
            }
            tables
        };
        let symmetries = shape.symmetries().map(table).collect();
        let chains = rules.chains == Chains::Optional;
        Grid { game, leaps, symmetries, chains }
    }

    #[inline]
    pub fn leaps(&self, from: usize) -> &[Leap] {
        &self.leaps[from]
    }

    /// The least image under the symmetries of the board.
    #[inline]
    pub fn least(&self, cells: u32) -> u32 {
        let [a, b, c, d] = cells.to_le_bytes().map(usize::from);
        let images = self.symmetries.iter().map(|t| t[0][a] | t[1][b] | t[2][c] | t[3][d]);
        images.fold(cells, u32::min)
    }

    /// The three planes of a board: pieces, and their worth less one.
    pub fn planes(&self, board: &Board) -> [u32; 3] {
        let Rules { rows, cols, .. } = *self.game.rules();
        let (rows, cols) = (usize::from(rows), usize::from(cols));
        [&board.pieces, &board.low, &board.high]
            .map(|plane| (0..rows).fold(0, |all, row| all | plane[row] << (row * cols)))
    }
}

/// A position; two kinds, since plain pieces need one plane of bits and coloured ones three.
pub(super) trait Position: Copy + Eq {
    /// The table for its values.
    type Table: Table;

    fn of(grid: &Grid, board: &Board) -> Self;
    /// The cells with a piece.
    fn pieces(self) -> u32;
    /// After one leap, and the points it brings.
    fn leap(self, from: u32, leap: Leap) -> (Self, i16);
    /// A number that tells the position from all others that are not worth the same.
    fn key(self, grid: &Grid) -> u64;
}

/// Plain pieces. Symmetric positions have the same key.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Plain(u32);

impl Position for Plain {
    type Table = Direct;

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

}

/// Coloured pieces on at most 21 cells: a piece keeps its colour where it goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Coloured([u32; 3]);

impl Position for Coloured {
    type Table = Hashed;

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
}
