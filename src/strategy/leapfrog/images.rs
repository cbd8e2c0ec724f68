//! A board's images under the symmetries of its rules: turned and mirrored boards are worth the
//! same.

use super::desk::{Place, mark, place};
use crate::leapfrog::{Board, Cell, Rules};

/// The hashes of a board and of its images. Each changes with a piece as the board's own hash does
/// (Zobrist 1970), so the least of them names the board and all its images.
#[derive(Clone)]
pub(super) struct Images {
    rows: u16,
    cols: u16,
    hashes: [u64; 8],
    /// How many images there are, the board itself counted: 8 of a square, 4 of another rectangle;
    /// 1 of a coloured board, as no two positions of one hand are images of each other there.
    count: usize,
}

impl Images {
    pub fn new(rules: &Rules, board: &Board) -> Images {
        let (rows, cols) = (u16::from(rules.rows), u16::from(rules.cols));
        let cells = |rows: u16, cols: u16| {
            (0..rows).flat_map(move |row| (0..cols).map(move |col| (row.into(), col.into())))
        };
        let plain = cells(rows, cols).all(|(row, col)| board.worth(Cell::new(row, col)) <= 1);
        let count = match plain {
            false => 1,
            true if rows == cols => 8,
            true => 4,
        };
        let mut images = Images { rows, cols, hashes: [0; 8], count };
        for (row, col) in cells(rows, cols) {
            let worth = board.worth(Cell::new(row, col));
            if worth > 0 {
                images.flip(place(row, col), worth);
            }
        }
        images
    }

    /// A piece is put on a place, or taken from it.
    pub fn flip(&mut self, at: Place, worth: u8) {
        let (row, col) = ((at >> 5) - 2, (at & 31) - 2);
        let (down, right) = (self.rows - 1 - row, self.cols - 1 - col);
        let cells = [
            (row, col),
            (row, right),
            (down, col),
            (down, right),
            (col, row),
            (right, row),
            (col, down),
            (right, down),
        ];
        for (hash, (row, col)) in self.hashes.iter_mut().zip(cells).take(self.count) {
            *hash ^= mark(place(row.into(), col.into()), worth);
        }
    }

    /// The same for all images.
    pub fn key(&self) -> u64 {
        self.hashes[..self.count].iter().copied().min().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Ruled;
    use crate::leapfrog::Leapfrog;

    /// The key of a board of so many rows and columns with pieces on these cells.
    fn key(rows: u8, cols: u8, cells: &[(usize, usize)], worth: u8) -> u64 {
        let rules = Rules { rows, cols, ..Leapfrog::preset("mini-4x4").unwrap() };
        let mut images = Images::new(&rules, &Board::EMPTY);
        cells.iter().for_each(|&(row, col)| images.flip(place(row, col), worth));
        images.key()
    }

    #[test]
    fn a_square_and_its_eight_images_have_one_key() {
        let cells = [(0, 1), (1, 3), (2, 3)];
        let turn = |cells: Vec<(usize, usize)>| -> Vec<(usize, usize)> {
            cells.into_iter().map(|(row, col)| (col, 3 - row)).collect()
        };
        let mut image = cells.to_vec();
        for _ in 0..4 {
            let mirrored: Vec<_> = image.iter().map(|&(row, col)| (row, 3 - col)).collect();
            assert_eq!(key(4, 4, &image, 1), key(4, 4, &cells, 1));
            assert_eq!(key(4, 4, &mirrored, 1), key(4, 4, &cells, 1));
            image = turn(image);
        }
        assert_ne!(key(4, 4, &[(0, 1), (1, 3), (2, 2)], 1), key(4, 4, &cells, 1));
    }

    #[test]
    fn a_rectangle_has_four_images() {
        let all = [[(0, 1)], [(0, 3)], [(3, 1)], [(3, 3)]];
        for image in all {
            assert_eq!(key(4, 5, &image, 1), key(4, 5, &all[0], 1));
        }
        assert_ne!(key(4, 5, &[(1, 0)], 1), key(4, 5, &all[0], 1));
    }

    #[test]
    fn a_coloured_board_stands_for_itself_alone() {
        let rules = Leapfrog::preset("murray-mini-4x4").unwrap();
        let key = |text| Images::new(&rules, &Board::read(text, &rules).unwrap()).key();
        assert_ne!(key("wyrg/yyyy/wwww/gggg"), key("gryw/yyyy/wwww/gggg"));
    }
}
