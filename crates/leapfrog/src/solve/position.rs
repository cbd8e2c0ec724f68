//! Positions of the solver: plain pieces in all images of the board, coloured ones in bit planes.

use super::grid::{CellImages, Grid, Leap, Shape};
use crate::Board;
use parlour_base::error::{Error, Result, ensure};

/// Most cells of a plain board with four-byte entries, and most pieces of any plain position.
pub(super) const MOST_IN_FOUR_BYTES: u32 = 40;

/// Most cells of a plain board, because a board is one word of bits.
const MOST_PLAIN: u32 = 60;

/// Refuses boards that are too large for the solver.
///
/// # Errors
/// Invalid input: too many cells, or too many pieces to finish in days.
pub(super) fn check_size(shape: Shape, pieces: u32) -> Result<()> {
    let (kind, most) = match shape.coloured {
        true => ("coloured", MOST_COLOURED),
        false => ("plain", MOST_PLAIN),
    };
    for (count, most, unit) in
        [(shape.cells(), most, "cells"), (pieces, MOST_IN_FOUR_BYTES, "pieces")]
    {
        ensure(count <= most, || {
            Error::input(format!(
                "{kind} boards of more than {most} {unit} cannot be solved; this one has {count}"
            ))
        })?;
    }
    Ok(())
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
    fn least(&self, grid: &Grid) -> Self;

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
        grid.shape.cells()
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
    pieces: u64,
    low: u64,
    high: u64,
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
        u64::from(self.pieces & cell != 0)
            + u64::from(self.low & cell != 0)
            + 2 * u64::from(self.high & cell != 0)
    }

    fn laid(pieces: u64, low: u64, high: u64) -> Coloured {
        let mut laid = Coloured { pieces, low, high, key: 0 };
        laid.key = bits(pieces).map(|cell| laid.worth(1 << cell) * DIGITS[cell]).sum();
        laid
    }
}

impl Position for Coloured {
    fn of(grid: &Grid, board: &Board) -> Coloured {
        let [pieces, low, high] =
            [&board.pieces, &board.low, &board.high].map(|plane| grid.word(plane));
        Coloured::laid(pieces, low, high)
    }

    fn pieces(&self) -> u64 {
        self.pieces
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_bits(grid: &Grid) -> u32 {
        (DIGITS[grid.shape.cells() as usize - 1] * 5 - 1).ilog2() + 1
    }

    fn count(mut key: u64) -> u32 {
        let mut count = 0;
        while key != 0 {
            count += u32::from(!key.is_multiple_of(5));
            key /= 5;
        }
        count
    }

    fn leap(&self, from: usize, leap: &Leap) -> (Coloured, i16) {
        let cell = 1 << from;
        let (worth, points) = (self.worth(cell), self.worth(leap.over));
        let moved = |plane: u64| {
            let lands = if plane & cell != 0 { leap.to } else { 0 };
            plane & !(cell | leap.over) | lands
        };
        let [over, to] = [leap.over_at, leap.to_at].map(|at| DIGITS[usize::from(at)]);
        let after = Coloured {
            pieces: moved(self.pieces),
            low: moved(self.low),
            high: moved(self.high),
            key: self.key - points * over - worth * DIGITS[from] + worth * to,
        };
        (after, points as i16)
    }

    fn keep(&self, _: &Grid, cells: u64) -> Coloured {
        Coloured::laid(self.pieces & cells, self.low & cells, self.high & cells)
    }

    fn least(&self, _: &Grid) -> Coloured {
        *self
    }

    fn points(&self) -> i16 {
        let Coloured { pieces, low, high, .. } = *self;
        (pieces.count_ones() + low.count_ones() + 2 * high.count_ones()) as i16
    }

    /// The last piece, at best one of the lowest worth, is never captured.
    fn most(&self) -> i16 {
        let Coloured { pieces, low, high, .. } = *self;
        let [white, yellow, red] = [!low & !high, low & !high, !low & high];
        let least = match pieces {
            _ if pieces & white != 0 => 1,
            _ if pieces & yellow != 0 => 2,
            _ if pieces & red != 0 => 3,
            _ => 4,
        };
        self.points() - least
    }
}

/// The set bits, from the lowest.
pub(super) fn bits(word: u64) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
        .take_while(|word| *word != 0)
        .map(|word| word.trailing_zeros() as usize)
}
