//! Hashes of boards for search, with one key for a board and its turned and mirrored images.

use arrayvec::ArrayVec;

use crate::board::Cell;
use crate::{Board, Rules};
use parlour_base::chance::{GAMMA, mix};

/// A cell of a board with two cells of wall around it: `(row + 2) · 32 + column + 2`.
pub(super) type Place = u16;

/// The place of a cell.
pub(super) fn place(cell: Cell) -> Place {
    ((cell.row() + 2) << 5 | (cell.col() + 2)) as Place
}

/// The cell of a place on the board.
pub(super) fn cell(place: Place) -> Cell {
    Cell::new(usize::from(place >> 5) - 2, usize::from(place & 31) - 2)
}

/// The Zobrist number of a piece of this worth on this place (SplitMix64's finalizer).
pub(super) fn mark(place: Place, worth: u8) -> u64 {
    mix((u64::from(place) << 3 | u64::from(worth)).wrapping_mul(GAMMA))
}

/// Most cells in which a board may differ from an image that is tracked.
///
/// Positions a few chains ahead can then still be images of each other: each of two chains on either
/// side changes at least three cells.
const NEAR: usize = 12;

/// Hashes of the images of a board, without the board itself.
///
/// They are updated piece by piece, as the board's own hash (Zobrist 1970). The least of all is the
/// common key of the board and its images.
#[derive(Clone)]
pub(super) struct ImageHashes {
    rules: Rules,
    /// Symmetries with the hash of the image.
    hashes: ArrayVec<(u8, u64), 7>,
}

impl ImageHashes {
    /// Tracks the symmetries that the board nearly has, or none if they are not `wanted`.
    ///
    /// Other symmetries never map one searched position to another.
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

    /// Number of tracked images.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.hashes.len()
    }

    /// Adds or removes a piece on a place.
    pub fn flip(&mut self, at: Place, worth: u8) {
        for (symmetry, hash) in &mut self.hashes {
            *hash ^= mark(place(self.rules.image(*symmetry, cell(at))), worth);
        }
    }

    /// The least hash of the board, whose own is given, and its images.
    pub fn least(&self, hash: u64) -> u64 {
        self.hashes.iter().fold(hash, |least, &(_, image)| least.min(image))
    }
}
