//! Small boards as one word of bits, row by row.

use crate::games::leapfrog::board::{Board, Cell};
use crate::games::leapfrog::{Chains, Rules};

/// A leap in one of the ways from one cell: the bits of the cells leapt over and landed on.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    pub over: u32,
    pub to: u32,
}

/// What can be said of a board before any piece lies on it.
pub(super) struct Grid {
    pub rules: Rules,
    /// The leaps from each cell.
    leaps: Vec<Vec<Leap>>,
    /// Each symmetry but the identity as tables by byte: where the bits of the byte go.
    symmetries: Vec<[[u32; 256]; 4]>,
    pub chains: bool,
}

impl Grid {
    /// The board must have at most 31 cells.
    pub fn new(rules: &Rules) -> Grid {
        let shape = rules.shape();
        let cols = usize::from(rules.cols);
        let bit = |cell: Cell| 1u32 << (cell.row() * cols + cell.col());
        let leaps_from = |cell| {
            (0..shape.ways()).filter_map(move |way| {
                let (over, to) = (shape.step(cell, way, 1)?, shape.step(cell, way, 2)?);
                Some(Leap { over: bit(over), to: bit(to) })
            })
        };
        let leaps = shape.cells().map(|cell| leaps_from(cell).collect()).collect();
        let (rows, square) = (usize::from(rules.rows), rules.rows == rules.cols);
        let images = (1..if square { 8 } else { 4 }).map(|kind: u32| {
            let image = |cell: Cell| {
                let row = if kind & 1 == 1 { rows - 1 - cell.row() } else { cell.row() };
                let col = if kind & 2 == 2 { cols - 1 - cell.col() } else { cell.col() };
                bit(if kind & 4 == 4 { Cell::new(col, row) } else { Cell::new(row, col) })
            };
            let mut tables = [[0; 256]; 4];
            for (index, cell) in shape.cells().enumerate() {
                for byte in (0..256).filter(|byte| byte >> (index % 8) & 1 == 1) {
                    tables[index / 8][byte] |= image(cell);
                }
            }
            tables
        });
        let symmetries = images.collect();
        let chains = rules.chains == Chains::Optional;
        Grid { rules: rules.clone(), leaps, symmetries, chains }
    }

    #[inline]
    pub fn leaps(&self, from: u32) -> &[Leap] {
        &self.leaps[from as usize]
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
        let cols = u32::from(self.rules.cols);
        [&board.pieces, &board.low, &board.high].map(|plane| {
            (0..u32::from(self.rules.rows)).fold(0, |all, r| all | plane[r as usize] << (r * cols))
        })
    }
}
