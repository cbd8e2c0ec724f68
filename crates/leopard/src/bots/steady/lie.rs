//! Which suit lies on each cell of both squares, as a place in a table: what follows from it is looked
//! up cell by cell without a branch, since nothing foretells where cards lie.

use fearless_simd::{Simd, f64x2, prelude::*};

use super::goals::{ByGoal, GOALS, GOALS_OF};
use super::hopes::Changes;
use crate::Square;
use crate::cells::Cell;
use crate::gains::ByCell;

/// What stands for an open cell in place of a suit.
pub(super) const OPEN: usize = 4;

/// The suits that lie on both squares.
#[derive(Clone, Copy)]
pub(super) struct Lie(ByCell);

/// For each pair of suits: 1 for the goals that they fit, by side.
const FITS: [ByGoal; 64] = {
    let mut fits = [[0.0; 2 * GOALS]; 64];
    let mut at = 0;
    while at < 2 * 2 * fits.len() {
        let (place, side, goal) = (at / 4, at / 2 % 2, at % 2);
        let suit = place >> (3 * side) & 7;
        if suit < OPEN {
            let goal = GOALS_OF[suit][goal];
            fits[place][2 * goal + side] = 1.0;
        }
        at += 1;
    }
    fits
};

impl Lie {
    #[inline(always)]
    pub fn new([own, other]: [Square; 2]) -> Lie {
        Lie(ByCell::sum(Lie::of(own, 1), Lie::of(other, 8)))
    }

    /// The suits of one square, times so much.
    #[inline(always)]
    fn of(square: Square, step: u64) -> ByCell {
        let [_, h, d, c] = square.suits();
        let open = ByCell::on(square.open(), OPEN as u64 * step);
        let majors = ByCell::sum(open, ByCell::on(h, step));
        ByCell::sum(majors, ByCell::sum(ByCell::on(d, 2 * step), ByCell::on(c, 3 * step)))
    }

    /// Of a cell.
    #[inline(always)]
    fn at(self, cell: usize) -> usize {
        self.0.at(Cell::ALL[cell]) as usize & 63
    }

    /// The goals that what lies there fits: 1, and 0 for the others.
    #[inline(always)]
    pub fn fits(self, cell: usize) -> &'static ByGoal {
        &FITS[self.at(cell)]
    }

    /// What stands in a table by suit, and by side, for what lies there.
    #[inline(always)]
    pub fn pick<L: Simd>(self, lanes: L, cell: usize, table: &Changes) -> f64x2<L> {
        let at = self.at(cell);
        f64x2::simd_from(lanes, [table[2 * (at & 7)], table[2 * (at >> 3) + 1]])
    }

    /// Whether a card lies on the own cell, and on the other's: two bits.
    #[inline(always)]
    pub fn face_up(self, cell: usize) -> usize {
        let at = self.at(cell);
        (at >> 2 & 1 | at >> 4 & 2) ^ 3
    }
}
