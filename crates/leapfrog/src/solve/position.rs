//! The solver's board: leaps, symmetries and reachable cells, and the positions on it.
//!
//! A set of cells is one word of bits, row by row. Plain pieces are kept in all images of the board,
//! coloured ones in bit planes.

use crate::board::{Rows, WAYS, bits, cells};
use crate::{Board, Cell, Rules};
use parlour_base::error::{Error, Result, ensure};

/// Most cells of a plain board, because a board is one word of bits.
const MOST_PLAIN: u32 = 60;

/// Most pieces of a position that is solved in days.
pub(super) const MOST_PIECES: u32 = 40;

/// Refuses boards that are too large for the solver.
///
/// # Errors
/// Invalid input: too many cells, or too many pieces to finish in days.
pub(super) fn check_size(rules: &Rules, pieces: u32) -> Result<()> {
    let (kind, most) = match rules.colors() {
        Some(_) => ("coloured", MOST_COLOURED),
        None => ("plain", MOST_PLAIN),
    };
    let limits = [(rules.cells().into(), most, "cells"), (pieces, MOST_PIECES, "pieces")];
    for (count, most, unit) in limits {
        ensure(count <= most, || {
            Error::input(format!(
                "{kind} boards of more than {most} {unit} cannot be solved; this one has {count}"
            ))
        })?;
    }
    Ok(())
}

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

/// A position of the pieces, which all seats share.
pub(super) trait Position: Copy + Send + Sync {
    fn of(grid: &Grid, board: &Board) -> Self;

    /// The cells with a piece.
    fn pieces(&self) -> u64;

    /// A number that identifies a position up to symmetry.
    fn key(&self) -> u64;

    /// Number of bits of a key.
    fn key_bits(grid: &Grid) -> u32;

    /// Number of pieces of the position with this key.
    fn count(key: u64) -> u32;

    /// Returns the position after one leap, and the points of the leap.
    fn leap(&self, from: usize, leap: &Leap) -> (Self, i16);

    /// Returns the position with only the pieces on these cells.
    fn keep(&self, grid: &Grid, cells: u64) -> Self;

    /// The canonical image of a position.
    fn least(&self, _: &Grid) -> Self {
        *self
    }

    /// Total worth of the pieces.
    fn points(&self) -> i16;

    /// An upper bound of the points that can be captured. The position must not be empty.
    fn most(&self) -> i16;
}

/// Plain pieces, in every image of the board.
#[derive(Clone, Copy)]
pub(super) struct Plain(CellImages);

impl Plain {
    /// Creates a position with pieces on these cells.
    pub fn laid(grid: &Grid, pieces: u64) -> Plain {
        let mut images = [0; 8];
        for cell in bits(pieces) {
            images.iter_mut().zip(&grid.images[cell]).for_each(|(all, one)| *all |= one);
        }
        Plain(images)
    }
}

impl Position for Plain {
    fn of(grid: &Grid, board: &Board) -> Plain {
        Plain::laid(grid, grid.word(&board.pieces))
    }

    #[inline]
    fn pieces(&self) -> u64 {
        self.0[0]
    }

    #[inline]
    fn key(&self) -> u64 {
        let [a, b, c, d, e, f, g, h] = self.0;
        a.min(b).min(c.min(d)).min(e.min(f).min(g.min(h)))
    }

    fn key_bits(grid: &Grid) -> u32 {
        grid.rules.cells().into()
    }

    fn count(key: u64) -> u32 {
        key.count_ones()
    }

    #[inline]
    fn leap(&self, _: usize, leap: &Leap) -> (Plain, i16) {
        (Plain(std::array::from_fn(|s| self.0[s] ^ leap.images[s])), 1)
    }

    fn keep(&self, grid: &Grid, cells: u64) -> Plain {
        Plain::laid(grid, cells)
    }

    fn least(&self, grid: &Grid) -> Plain {
        Plain::laid(grid, self.key())
    }

    fn points(&self) -> i16 {
        self.pieces().count_ones() as i16
    }

    /// The last piece is never captured.
    #[inline]
    fn most(&self) -> i16 {
        self.pieces().count_ones() as i16 - 1
    }
}

/// Coloured pieces: bit planes for the pieces and for their worth minus one, and the key.
///
/// Each cell is a digit of the key in base 5: 0 for empty, 1 to 4 for the colours.
#[derive(Clone, Copy)]
pub(super) struct Coloured {
    /// The pieces, and the low and the high bit of their worth minus one.
    planes: [u64; 3],
    key: u64,
}

/// Most cells of a coloured board, because a key has 64 bits.
pub(super) const MOST_COLOURED: u32 = 27;

/// The contribution of a piece worth 1 on each cell to the key.
const DIGITS: [u64; MOST_COLOURED as usize] = {
    let mut digits = [1; MOST_COLOURED as usize];
    let mut cell = 1;
    while cell < digits.len() {
        digits[cell] = 5 * digits[cell - 1];
        cell += 1;
    }
    digits
};

impl Coloured {
    fn worth(&self, cell: u64) -> u64 {
        let [piece, low, high] = self.planes.map(|plane| u64::from(plane & cell != 0));
        piece + low + 2 * high
    }

    fn laid(planes: [u64; 3]) -> Coloured {
        let mut laid = Coloured { planes, key: 0 };
        laid.key = bits(planes[0]).map(|cell| laid.worth(1 << cell) * DIGITS[cell]).sum();
        laid
    }
}

impl Position for Coloured {
    fn of(grid: &Grid, board: &Board) -> Coloured {
        Coloured::laid([&board.pieces, &board.low, &board.high].map(|plane| grid.word(plane)))
    }

    fn pieces(&self) -> u64 {
        self.planes[0]
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_bits(grid: &Grid) -> u32 {
        (DIGITS[usize::from(grid.rules.cells()) - 1] * 5 - 1).ilog2() + 1
    }

    fn count(key: u64) -> u32 {
        let digits = std::iter::successors(Some(key), |key| Some(key / 5));
        digits.take_while(|key| *key != 0).filter(|key| key % 5 != 0).count() as u32
    }

    fn leap(&self, from: usize, leap: &Leap) -> (Coloured, i16) {
        let (worth, points) = (self.worth(1 << from), self.worth(leap.over));
        let [over, to] = [leap.over, leap.to].map(|cell| DIGITS[cell.trailing_zeros() as usize]);
        let planes = self.planes.map(|plane| {
            let lands = if plane & 1 << from != 0 { leap.to } else { 0 };
            plane & !(1 << from | leap.over) | lands
        });
        let key = self.key - points * over - worth * DIGITS[from] + worth * to;
        (Coloured { planes, key }, points as i16)
    }

    fn keep(&self, _: &Grid, cells: u64) -> Coloured {
        Coloured::laid(self.planes.map(|plane| plane & cells))
    }

    fn points(&self) -> i16 {
        let [pieces, low, high] = self.planes.map(|plane| plane.count_ones() as i16);
        pieces + low + 2 * high
    }

    /// The last piece, at best one of the lowest worth, is never captured.
    fn most(&self) -> i16 {
        let worths = bits(self.planes[0]).map(|cell| self.worth(1 << cell) as i16);
        self.points() - worths.min().unwrap_or(0)
    }
}
