//! Hashes of boards for search, and a key that a board shares with its images: turned and mirrored
//! boards are worth the same.

use arrayvec::ArrayVec;

use crate::board::Cell;
use crate::chance::{GAMMA, mix};
use crate::{Board, Rules};

/// A cell with two cells of wall around the board: `(row + 2) · 32 + column + 2`.
pub(super) type Place = u16;

/// The place of a cell.
pub(super) fn place(cell: Cell) -> Place {
    ((cell.row() + 2) << 5 | (cell.col() + 2)) as Place
}

/// The cell of a place on the board.
pub(super) fn cell(place: Place) -> Cell {
    Cell::new(usize::from(place >> 5) - 2, usize::from(place & 31) - 2)
}

/// A number for a piece of this worth on this place (SplitMix64's finalizer).
pub(super) fn mark(place: Place, worth: u8) -> u64 {
    mix((u64::from(place) << 3 | u64::from(worth)).wrapping_mul(GAMMA))
}

/// By how many cells a board may differ from its image so that positions a few chains ahead can
/// still be images of each other: each of two chains on either way changes three cells or more.
const NEAR: usize = 12;

/// The hashes of a board's images, the board itself left out. Each changes with a piece as the
/// board's own hash does (Zobrist 1970), so the least of them all names the board and its images.
#[derive(Clone)]
pub(super) struct ImageHashes {
    rules: Rules,
    /// The symmetries, with the hash of the image.
    hashes: ArrayVec<(u8, u64), 7>,
}

impl ImageHashes {
    /// Of the symmetries, if they are wanted, those that the board nearly has: the others bring no
    /// two positions together. Without any the board stands for itself alone.
    pub fn new(rules: &Rules, board: &Board, wanted: bool) -> ImageHashes {
        let mut images = ImageHashes { rules: rules.clone(), hashes: ArrayVec::new() };
        if !wanted {
            return images;
        }
        for symmetry in rules.symmetries() {
            let differs =
                |&cell: &Cell| board.worth(cell) != board.worth(rules.image(symmetry, cell));
            if rules.each_cell().filter(differs).count() <= NEAR {
                images.hashes.push((symmetry, 0));
            }
        }
        for cell in rules.each_cell().filter(|&cell| board.has(cell)) {
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
            *hash ^= mark(place(self.rules.image(*symmetry, cell(at))), worth);
        }
    }

    /// The least hash of the images and of the board, whose own is given.
    pub fn least(&self, hash: u64) -> u64 {
        self.hashes.iter().fold(hash, |least, &(_, image)| least.min(image))
    }
}
