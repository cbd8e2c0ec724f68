//! A small board as one word of bits, row by row: leaps, symmetries and reachable cells.

use crate::board::{Rows, WAYS, cells};
use crate::{Chains, Rules};

/// A leap from one cell: the cells leapt over and landed on, as bits and as numbers.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    pub over: u64,
    pub to: u64,
    pub over_at: u8,
    pub to_at: u8,
    /// The three cells of the leap, in each image of the board.
    pub images: CellImages,
}

/// A set of cells in each image of the board under its symmetries, the set itself first.
///
/// A board that is not square has four images; each is stored twice.
pub(super) type CellImages = [u64; 8];

/// The shape of a board and the leaps on it, which determine the values of positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub rows: u8,
    pub cols: u8,
    pub chains: bool,
    pub diagonal: bool,
    pub coloured: bool,
}

impl Shape {
    pub fn of(rules: &Rules) -> Shape {
        Shape {
            rows: rules.rows,
            cols: rules.cols,
            chains: rules.chains == Chains::Optional,
            diagonal: rules.diagonal,
            coloured: rules.colors().is_some(),
        }
    }

    pub fn cells(self) -> u32 {
        u32::from(self.rows) * u32::from(self.cols)
    }

    /// Number of symmetries, including the identity.
    pub fn symmetries(self) -> u8 {
        if self.rows == self.cols { 8 } else { 4 }
    }
}

/// Tables for a shape, independent of the pieces.
pub(super) struct Grid {
    pub shape: Shape,
    /// The leaps from each cell.
    pub leaps: Vec<Vec<Leap>>,
    /// For each cell, its images.
    pub images: Vec<CellImages>,
    /// For each pair of opposite ways: bits per step, and the cells from which two steps stay on the
    /// board.
    lines: Vec<(u32, u64)>,
}

impl Grid {
    /// Builds the tables of a board with at most 63 cells.
    pub fn new(shape: Shape) -> Grid {
        let (rows, cols) = (isize::from(shape.rows), isize::from(shape.cols));
        let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let at = |(row, col): (isize, isize)| row * cols + col;
        let image = |cell: (isize, isize)| -> CellImages {
            std::array::from_fn(|symmetry| {
                let symmetry = symmetry as u8 % shape.symmetries();
                let (row, col) = if symmetry & 4 != 0 { (cell.1, cell.0) } else { cell };
                let row = if symmetry & 2 != 0 { rows - 1 - row } else { row };
                let col = if symmetry & 1 != 0 { cols - 1 - col } else { col };
                1 << at((row, col))
            })
        };
        let ways = &WAYS[..if shape.diagonal { 8 } else { 4 }];
        let leap = |(row, col): (isize, isize), (down, right): (isize, isize)| {
            let to = (row + 2 * down, col + 2 * right);
            let on = (0..rows).contains(&to.0) && (0..cols).contains(&to.1);
            on.then_some(((row + down, col + right), to))
        };
        let leaps_from = |from| {
            ways.iter().filter_map(move |&way| {
                let (over, to) = leap(from, way)?;
                let of = [from, over, to].map(image);
                Some(Leap {
                    over: 1 << at(over),
                    to: 1 << at(to),
                    over_at: at(over) as u8,
                    to_at: at(to) as u8,
                    images: std::array::from_fn(|s| of[0][s] | of[1][s] | of[2][s]),
                })
            })
        };
        let line = |&way: &(isize, isize)| {
            let starts = cells.clone().filter(|&cell| leap(cell, way).is_some());
            (at(way) as u32, starts.fold(0, |all, cell| all | 1 << at(cell)))
        };
        // Only ways to higher bits; the others are their opposites.
        let forth = ways.iter().filter(|&&(down, right)| (down, right) > (0, 0));
        Grid {
            shape,
            leaps: cells.clone().map(|cell| leaps_from(cell).collect()).collect(),
            images: cells.clone().map(image).collect(),
            lines: forth.map(line).filter(|&(_, starts)| starts != 0).collect(),
        }
    }

    /// Converts a set of cells.
    pub fn word(&self, plane: &Rows) -> u64 {
        let cols = usize::from(self.shape.cols);
        cells(plane).fold(0, |word, cell| word | 1 << (cell.row() * cols + cell.col()))
    }

    /// Number of possible leaps.
    #[inline]
    pub fn mobility(&self, pieces: u64) -> u32 {
        let count = |&(step, starts): &(u32, u64)| {
            let over = pieces >> step;
            let (far, near) = (pieces >> (2 * step), pieces);
            // One end of a leap is occupied, the other is free.
            ((far ^ near) & over & starts).count_ones()
        };
        self.lines.iter().map(count).sum()
    }

    /// An upper bound of the cells that any line of play changes.
    ///
    /// It assumes that a cell once reachable may be occupied and a cell once left may be free. Pieces
    /// elsewhere are still there at the end.
    #[inline]
    pub fn touched(&self, pieces: u64) -> u64 {
        let (mut taken, mut free, mut touched) = (pieces, !pieces, 0);
        loop {
            let (mut lands, mut leaves) = (0, 0);
            for &(step, starts) in &self.lines {
                let over = taken >> step & starts;
                let forth = taken & over & free >> (2 * step);
                let back = free & over & taken >> (2 * step);
                lands |= forth << (2 * step) | back;
                leaves |= forth | (forth | back) << step | back << (2 * step);
            }
            touched |= lands | leaves;
            let changes = lands & !taken | leaves & !free;
            if changes == 0 {
                return touched;
            }
            taken |= lands;
            free |= leaves;
        }
    }

    /// The pieces without those that never move, are never captured and block no leap.
    pub fn live(&self, pieces: u64, touched: u64) -> u64 {
        let live = pieces & touched;
        if live == pieces || self.touched(live) == touched { live } else { pieces }
    }
}
