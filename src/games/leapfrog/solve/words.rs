//! Small boards as one word of bits, row by row.

use crate::game::Ruled;
use crate::games::leapfrog::board::{Board, Cell, Rows, cells};
use crate::games::leapfrog::{Chains, Leapfrog};

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
    pub leaps: Vec<Vec<Leap>>,
    /// Each symmetry but the identity as tables by byte: where the bits of the byte go.
    symmetries: Vec<[[u32; 256]; 4]>,
    pub chains: bool,
}

impl Grid {
    /// The board must have at most 31 cells.
    pub fn new(game: Leapfrog) -> Grid {
        let rules = game.rules();
        let cols = usize::from(rules.cols);
        let bit = |cell: Cell| 1u32 << (cell.row() * cols + cell.col());
        let leaps_from = |cell| {
            (0..rules.ways()).filter_map(move |way| {
                rules.leap(cell, way).map(|(over, to)| Leap { over: bit(over), to: bit(to) })
            })
        };
        let leaps = rules.each_cell().map(|cell| leaps_from(cell).collect()).collect();
        let table = |symmetry| {
            let mut tables = [[0; 256]; 4];
            for (index, cell) in rules.each_cell().enumerate() {
                for byte in (0..256).filter(|byte| byte >> (index % 8) & 1 == 1) {
                    tables[index / 8][byte] |= bit(rules.image(symmetry, cell));
                }
            }
            tables
        };
        let symmetries = rules.symmetries().map(table).collect();
        let chains = rules.chains == Chains::Optional;
        Grid { game, leaps, symmetries, chains }
    }

    /// The least image under the symmetries of the board.
    pub fn least(&self, cells: u32) -> u32 {
        let [a, b, c, d] = cells.to_le_bytes().map(usize::from);
        let images = self.symmetries.iter().map(|t| t[0][a] | t[1][b] | t[2][c] | t[3][d]);
        images.fold(cells, u32::min)
    }

    /// The cells of a plane of a board.
    fn word(&self, plane: &Rows) -> u32 {
        let cols = usize::from(self.game.rules().cols);
        cells(plane).fold(0, |word, cell| word | 1 << (cell.row() * cols + cell.col()))
    }
}

/// A position as planes of bits, pieces and their worth less one: a single plane for plain pieces,
/// three for coloured ones, at most 21 cells each.
#[derive(Clone, Copy)]
pub(super) struct Position<const PLANES: usize>([u32; PLANES]);

impl<const PLANES: usize> Position<PLANES> {
    pub fn of(grid: &Grid, board: &Board) -> Self {
        let planes = [&board.pieces, &board.low, &board.high];
        Position(std::array::from_fn(|plane| grid.word(planes[plane])))
    }

    /// The cells with a piece.
    pub fn pieces(self) -> u32 {
        self.0[0]
    }

    /// After one leap, and the points it brings: a piece keeps its colour where it goes.
    pub fn leap(mut self, from: u32, leap: Leap) -> (Self, i16) {
        let mut points = 0;
        for (number, plane) in self.0.iter_mut().enumerate() {
            points += i16::from(*plane & leap.over != 0) << (number / 2);
            let lands = if *plane & from != 0 { leap.to } else { 0 };
            *plane = *plane & !(from | leap.over) | lands;
        }
        (self, points)
    }

    /// A number that tells the position from all others that are not worth the same: symmetric
    /// positions of plain pieces have the same.
    pub fn key(self, grid: &Grid) -> u64 {
        match self.0[..] {
            [pieces] => grid.least(pieces).into(),
            _ => self.0.iter().rev().fold(0, |key, &plane| key << 21 | u64::from(plane)),
        }
    }
}
