//! A board's images under the symmetries of its rules: turned and mirrored boards are worth the
//! same.

use arrayvec::ArrayVec;

use super::desk::{Place, mark, place};
use crate::games::leapfrog::{Board, Cell, Rules};

/// By how many cells a board may differ from its image so that positions a few chains ahead can
/// still be images of each other: each of two chains on either way changes three cells or more.
const NEAR: usize = 12;

/// The hashes of a board's images, the board itself left out. Each changes with a piece as the
/// board's own hash does (Zobrist 1970), so the least of them all names the board and its images.
#[derive(Clone)]
pub(super) struct Images {
    rows: u16,
    cols: u16,
    /// The symmetries, as [`image`] counts them, with the hash of the image.
    hashes: ArrayVec<(u8, u64), 7>,
}

/// Where a symmetry takes a cell: mirrored left and right (1), top and bottom (2), in the main
/// diagonal (4), in this order from the last.
fn image(symmetry: u8, sides: (u16, u16), cell: (u16, u16)) -> (u16, u16) {
    let (mut row, mut col) = cell;
    if symmetry & 4 != 0 {
        (row, col) = (col, row);
    }
    if symmetry & 2 != 0 {
        row = sides.0 - 1 - row;
    }
    if symmetry & 1 != 0 {
        col = sides.1 - 1 - col;
    }
    (row, col)
}

impl Images {
    /// None: the board stands for itself alone.
    pub fn none(rules: &Rules) -> Images {
        let (rows, cols) = (u16::from(rules.rows), u16::from(rules.cols));
        Images { rows, cols, hashes: ArrayVec::new() }
    }

    /// Of the symmetries those that the board nearly has: the others bring no two positions
    /// together. A rectangle has three beside itself, a square seven.
    pub fn new(rules: &Rules, board: &Board) -> Images {
        let mut images = Images::none(rules);
        let (rows, cols) = (images.rows, images.cols);
        let cells = || (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
        let worth = |(row, col): (u16, u16)| board.worth(Cell::new(row.into(), col.into()));
        for symmetry in 1..if rows == cols { 8 } else { 4 } {
            let differs =
                |cell: &(u16, u16)| worth(*cell) != worth(image(symmetry, (rows, cols), *cell));
            if cells().filter(differs).count() <= NEAR {
                images.hashes.push((symmetry, 0));
            }
        }
        for cell in cells().filter(|&cell| worth(cell) > 0) {
            images.flip(place(cell.0.into(), cell.1.into()), worth(cell));
        }
        images
    }

    /// A piece is put on a place, or taken from it.
    pub fn flip(&mut self, at: Place, worth: u8) {
        let (sides, cell) = ((self.rows, self.cols), ((at >> 5) - 2, (at & 31) - 2));
        for (symmetry, hash) in &mut self.hashes {
            let (row, col) = image(*symmetry, sides, cell);
            *hash ^= mark(place(row.into(), col.into()), worth);
        }
    }

    /// The least hash of the images and of the board, whose own is given.
    pub fn least(&self, hash: u64) -> u64 {
        self.hashes.iter().fold(hash, |least, &(_, image)| least.min(image))
    }
}

#[cfg(test)]
mod tests {
    use super::super::desk::Desk;
    use super::*;
    use crate::game::Ruled;
    use crate::games::leapfrog::Leapfrog;

    fn desk(variant: &str, board: &str) -> Desk {
        let rules = Leapfrog::preset(variant).unwrap();
        Desk::new(&rules, &Board::read(board, &rules).unwrap(), true)
    }

    #[test]
    fn a_square_and_its_eight_images_have_one_key() {
        let key = |board| desk("mini-3x3", board).key();
        let images = [
            "oo./oo./ooo",
            ".oo/.oo/ooo",
            "ooo/oo./oo.",
            "ooo/.oo/.oo",
            "ooo/ooo/..o",
            "..o/ooo/ooo",
            "ooo/ooo/o..",
            "o../ooo/ooo",
        ];
        assert!(images.iter().all(|board| key(board) == key(images[0])));
        assert_ne!(key("ooo/o.o/oo."), key(images[0]));
    }

    #[test]
    fn a_rectangle_has_four_images() {
        let key = |board| desk("mini-2x3", board).key();
        let images = ["o../ooo", "..o/ooo", "ooo/o..", "ooo/..o"];
        assert!(images.iter().all(|board| key(board) == key(images[0])));
        assert_ne!(key(".o./ooo"), key(images[0]));
    }

    #[test]
    fn a_board_far_from_its_images_stands_for_itself_alone() {
        let rows = ["oooooo......"; 2].into_iter().chain(["............"; 10]);
        let far = desk("mini-12x12", &rows.collect::<Vec<_>>().join("/"));
        assert_eq!(far.images.hashes.len(), 0);
        assert_eq!(far.key(), far.hash);
    }
}
