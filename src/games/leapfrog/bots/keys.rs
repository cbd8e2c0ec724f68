//! Hashes of boards for search, and a key that a board shares with its images: turned and mirrored
//! boards are worth the same.

use arrayvec::ArrayVec;

use crate::games::leapfrog::board::{Cell, Shape};
use crate::games::leapfrog::{Board, Rules};

/// A cell with two cells of wall around the board: `(row + 2) · 32 + column + 2`.
pub(super) type Place = u16;

/// The place of a cell.
#[inline]
pub(super) fn place(cell: Cell) -> Place {
    ((cell.row() + 2) << 5 | (cell.col() + 2)) as Place
}

/// The cell of a place on the board.
#[inline]
pub(super) fn cell(place: Place) -> Cell {
    Cell::new(usize::from(place >> 5) - 2, usize::from(place & 31) - 2)
}

/// A number for a piece of this worth on this place (SplitMix64's finalizer).
#[inline]
pub(super) fn mark(place: Place, worth: u8) -> u64 {
    let mut z = (u64::from(place) << 3 | u64::from(worth)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// By how many cells a board may differ from its image so that positions a few chains ahead can
/// still be images of each other: each of two chains on either way changes three cells or more.
const NEAR: usize = 12;

/// The hashes of a board's images, the board itself left out. Each changes with a piece as the
/// board's own hash does (Zobrist 1970), so the least of them all names the board and its images.
#[derive(Clone)]
pub(super) struct Images {
    shape: Shape,
    /// The symmetries, with the hash of the image.
    hashes: ArrayVec<(u8, u64), 7>,
}

impl Images {
    /// None: the board stands for itself alone.
    pub fn none(rules: &Rules) -> Images {
        Images { shape: rules.shape(), hashes: ArrayVec::new() }
    }

    /// Of the symmetries those that the board nearly has: the others bring no two positions
    /// together.
    pub fn new(rules: &Rules, board: &Board) -> Images {
        let mut images = Images::none(rules);
        let shape = images.shape;
        for symmetry in shape.symmetries() {
            let differs =
                |&cell: &Cell| board.worth(cell) != board.worth(shape.image(symmetry, cell));
            if shape.cells().filter(differs).count() <= NEAR {
                images.hashes.push((symmetry, 0));
            }
        }
        for cell in shape.cells().filter(|&cell| board.has(cell)) {
            images.flip(place(cell), board.worth(cell));
        }
        images
    }

    /// How many images there are.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.hashes.len()
    }

    /// A piece is put on a place, or taken from it.
    pub fn flip(&mut self, at: Place, worth: u8) {
        for (symmetry, hash) in &mut self.hashes {
            *hash ^= mark(place(self.shape.image(*symmetry, cell(at))), worth);
        }
    }

    /// The least hash of the images and of the board, whose own is given.
    pub fn least(&self, hash: u64) -> u64 {
        self.hashes.iter().fold(hash, |least, &(_, image)| least.min(image))
    }
}
