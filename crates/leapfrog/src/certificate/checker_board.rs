//! The checker's own board and moves, by the rules of the game alone.

use super::file::Certificate;
use crate::Chains;

/// The worth of the piece on each cell, 0 for an empty one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Cells(pub [u8; 60]);

/// The canonical image of a position as a number.
pub(super) type Key = u128;

/// The shape of a board: leaps and symmetries.
pub(super) struct CheckerBoard {
    cells: usize,
    /// For each cell, in the order of the ways: the cells leapt over and landed on.
    leaps: Vec<Vec<(usize, usize)>>,
    /// For each symmetry, the image of each cell; empty for coloured boards.
    images: Vec<Vec<usize>>,
    chains: bool,
    /// Base of the digits of a key.
    base: u128,
}

/// Up, left, right, down, and the diagonals: rows and columns.
const WAYS: [(i32, i32); 8] =
    [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

impl CheckerBoard {
    /// Reads the board of a certificate.
    ///
    /// # Errors
    /// The first fault.
    pub fn of(certificate: &Certificate) -> Result<(CheckerBoard, Cells), String> {
        let (rows, cols) = (i32::from(certificate.rows), i32::from(certificate.cols));
        let text: Vec<&str> = certificate.board.split('/').collect();
        if text.len() != rows as usize || text.iter().any(|row| row.len() != cols as usize) {
            return Err(format!("the board must have {rows} rows of {cols} cells"));
        }
        let mut cells = Cells([0; 60]);
        let letters = text.concat();
        for (cell, letter) in cells.0.iter_mut().zip(letters.chars()) {
            *cell = match letter {
                '.' => 0,
                'o' | 'w' => 1,
                'y' => 2,
                'r' => 3,
                'g' => 4,
                _ => return Err(format!("`{letter}` is not a piece; use `o`, `w y r g` or `.`")),
            };
        }
        let coloured = letters.chars().any(|letter| "wyrg".contains(letter));
        if coloured && (letters.contains('o') || letters.len() > 54) {
            return Err("a board must not mix plain and coloured pieces; coloured ones have at most 54 cells".to_owned());
        }
        let places: Vec<(i32, i32)> =
            (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).collect();
        let at = |(row, col): (i32, i32)| {
            let on = (0..rows).contains(&row) && (0..cols).contains(&col);
            on.then_some((row * cols + col) as usize)
        };
        let ways = if certificate.diagonal { 8 } else { 4 };
        let leap = |(row, col): (i32, i32), (down, right): (i32, i32)| {
            Some((at((row + down, col + right))?, at((row + 2 * down, col + 2 * right))?))
        };
        let leaps = |&from: &(i32, i32)| {
            WAYS[..ways].iter().filter_map(|&way| leap(from, way)).collect::<Vec<_>>()
        };
        let mut images: Vec<Vec<usize>> = Vec::new();
        for turn in 0..if coloured { 0 } else { 8 } {
            let image = |&(row, col): &(i32, i32)| {
                let (row, col) = if turn & 1 == 0 { (row, col) } else { (row, cols - 1 - col) };
                let (row, col) = if turn & 2 == 0 { (row, col) } else { (rows - 1 - row, col) };
                at(if turn & 4 == 0 { (row, col) } else { (col, row) })
            };
            // Only a square can be mirrored in the diagonal.
            if turn & 4 == 0 || rows == cols {
                images.extend(places.iter().map(image).collect::<Option<Vec<_>>>());
            }
        }
        let board = CheckerBoard {
            cells: places.len(),
            leaps: places.iter().map(leaps).collect(),
            images,
            chains: certificate.chains == Chains::Optional,
            base: if coloured { 5 } else { 2 },
        };
        Ok((board, cells))
    }

    pub fn cells(&self) -> usize {
        self.cells
    }

    /// The canonical image of a position, and its key.
    pub fn least(&self, position: &Cells) -> (Cells, Key) {
        let key = |cells: &[u8]| {
            cells.iter().rev().fold(0, |key, &worth| key * self.base + u128::from(worth))
        };
        let mut best = (*position, key(&position.0[..self.cells]));
        for image in &self.images {
            let mut turned = Cells([0; 60]);
            for (&to, &worth) in image.iter().zip(&position.0) {
                turned.0[to] = worth;
            }
            let found = key(&turned.0[..self.cells]);
            if found < best.1 {
                best = (turned, found);
            }
        }
        best
    }

    /// Every chain in order: its points, and the position after it.
    pub fn chains(&self, position: &Cells) -> Vec<(i32, Cells)> {
        let mut found = Vec::new();
        for from in (0..self.cells).filter(|&from| position.0[from] > 0) {
            self.leaps(position, from, 0, &mut found);
        }
        found
    }

    fn leaps(&self, position: &Cells, from: usize, points: i32, found: &mut Vec<(i32, Cells)>) {
        for &(over, to) in &self.leaps[from] {
            if position.0[over] > 0 && position.0[to] == 0 {
                let mut after = *position;
                after.0[to] = after.0[from];
                after.0[from] = 0;
                after.0[over] = 0;
                let points = points + i32::from(position.0[over]);
                found.push((points, after));
                if self.chains {
                    self.leaps(&after, to, points, found);
                }
            }
        }
    }
}

impl Cells {
    /// Number of pieces.
    pub fn count(&self) -> u32 {
        self.0.iter().filter(|&&worth| worth > 0).count() as u32
    }

    /// Total worth of the pieces.
    pub fn points(&self) -> i32 {
        self.0.iter().map(|&worth| i32::from(worth)).sum()
    }

    /// Returns the position without the piece on a cell.
    pub fn without(&self, cell: usize) -> Cells {
        let mut rest = *self;
        rest.0[cell] = 0;
        rest
    }
}
