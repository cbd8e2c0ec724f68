//! A small board as one word of bits, row by row: leaps, symmetries and reachable cells.

use crate::board::{Rows, WAYS, cells};
use crate::{Cell, Rules};

/// A leap from one cell.
#[derive(Clone, Copy)]
pub(super) struct Leap {
    /// The cell leapt over.
    pub over: u64,
    /// The landing cell.
    pub to: u64,
    /// The three cells of the leap, in each image of the board.
    pub images: CellImages,
}

/// A set of cells in each image of the board under its symmetries, the set itself first.
///
/// A board that is not square has four images; each is stored twice.
pub(super) type CellImages = [u64; 8];

/// Tables for a board of at most 63 cells, independent of the pieces.
pub(super) struct Grid {
    pub rules: Rules,
    /// The leaps from each cell.
    pub leaps: Vec<Vec<Leap>>,
    /// For each cell, its images.
    pub images: Vec<CellImages>,
    /// For each pair of opposite ways: bits per step, and the cells from which two steps stay on the
    /// board.
    lines: Vec<(u32, u64)>,
}

impl Grid {
    /// Builds the tables of a board.
    pub fn new(rules: &Rules) -> Grid {
        let bit = |cell| 1 << rules.index(cell);
        let images = |cell| -> CellImages {
            std::array::from_fn(|s| bit(rules.image(s as u8 % rules.symmetries(), cell)))
        };
        let leaps_from = |from| {
            let leap = |way| {
                let (over, to) = rules.leap(from, way)?;
                let [a, b, c] = [from, over, to].map(images);
                let images = std::array::from_fn(|s| a[s] | b[s] | c[s]);
                Some(Leap { over: bit(over), to: bit(to), images })
            };
            (0..rules.ways()).filter_map(leap).collect()
        };
        let line = |way: usize| {
            let starts = rules.each_cell().filter(|&cell| rules.leap(cell, way).is_some());
            let (down, right) = WAYS[way];
            let step = down * isize::from(rules.cols) + right;
            (step as u32, starts.fold(0, |all, cell| all | bit(cell)))
        };
        // Only ways to higher bits; the others are their opposites.
        let forth = (0..rules.ways()).filter(|&way| WAYS[way] > (0, 0));
        Grid {
            leaps: rules.each_cell().map(leaps_from).collect(),
            images: rules.each_cell().map(images).collect(),
            lines: forth.map(line).filter(|&(_, starts)| starts != 0).collect(),
            rules: rules.clone(),
        }
    }

    /// Converts a set of cells.
    pub fn word(&self, plane: &Rows) -> u64 {
        cells(plane).fold(0, |word, cell: Cell| word | 1 << self.rules.index(cell))
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
