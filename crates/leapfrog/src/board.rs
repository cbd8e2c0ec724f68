//! The board: cells and pieces.

use std::fmt;
use std::str::FromStr;

use super::rules::{FirstCaptures, Rules, SIDE};
use parlour_base::error::ensure;

/// A set of cells: one bit per column, row by row from the top.
pub type Rows = [u32; SIDE];

/// A cell, ordered row by row. Its text is a column letter and a row number from the top: `e5`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Cell(pub(super) u16);

impl Cell {
    /// The cell in this row and column, both from 0.
    pub const fn new(row: usize, col: usize) -> Cell {
        Cell((row as u16) << 5 | col as u16)
    }

    /// The row, from 0 at the top.
    pub const fn row(self) -> usize {
        (self.0 >> 5) as usize
    }

    /// The column, from 0 at the left.
    pub const fn col(self) -> usize {
        (self.0 & 31) as usize
    }

    /// The cell over which a leap to `to` passes.
    pub(super) const fn midway(self, to: Cell) -> Cell {
        Cell::new((self.row() + to.row()) / 2, (self.col() + to.col()) / 2)
    }

    /// The landing cell of a leap in one of the eight ways. It may be off the board; see
    /// [`Rules::holds`].
    pub(super) fn landing(self, way: usize) -> Cell {
        let (down, right) = WAYS[way & 7];
        Cell(self.0.wrapping_add_signed((2 * (down * 32 + right)) as i16))
    }

    /// The way of a leap to `to`.
    pub(super) fn way_to(self, to: Cell) -> Result<usize, String> {
        let way = (0..WAYS.len()).find(|&way| self.landing(way) == to);
        way.ok_or_else(|| format!("{self} and {to} are not a leap apart"))
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.col() as u8), self.row() + 1)
    }
}

impl FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Cell, String> {
        let cell = || {
            let (&letter, digits) = text.as_bytes().split_first()?;
            let col = letter.checked_sub(b'a').map(usize::from).filter(|&col| col < SIDE)?;
            let row: usize = std::str::from_utf8(digits).ok()?.parse().ok()?;
            let canonical = row.to_string().as_bytes() == digits;
            ((1..=SIDE).contains(&row) && canonical).then(|| Cell::new(row - 1, col))
        };
        cell().ok_or_else(|| {
            format!("`{text}` is not a cell; write a column letter a to r and a row 1 to 18, such as `e5`")
        })
    }
}

parlour_base::files::text::as_text!(Cell, "^[a-r]([1-9]|1[0-8])$");

/// Returns `true` if a set contains a cell.
pub(super) fn has(rows: &Rows, cell: Cell) -> bool {
    rows[cell.row()] >> cell.col() & 1 == 1
}

/// Adds or removes a cell.
pub(super) fn flip(rows: &mut Rows, cell: Cell) {
    rows[cell.row()] ^= 1 << cell.col();
}

/// The set bits of a word, from the lowest.
pub(super) fn bits(word: impl Into<u64>) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(word.into()), |word| Some(word & word.wrapping_sub(1)))
        .take_while(|word| *word != 0)
        .map(|word| word.trailing_zeros() as usize)
}

/// The cells of a set, in order.
pub(super) fn cells(rows: &Rows) -> impl Iterator<Item = Cell> {
    rows.iter().enumerate().flat_map(|(r, &row)| bits(row).map(move |c| Cell::new(r, c)))
}

/// Number of cells of a set.
pub(super) fn count(rows: &Rows) -> u32 {
    rows.iter().map(|row| row.count_ones()).sum()
}

/// The eight ways to leap, as steps of rows and columns. The first four are orthogonal; the opposite
/// of way `w` is `w ^ 3`.
pub(super) const WAYS: [(isize, isize); 8] =
    [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

/// Geometry of the board.
impl Rules {
    /// Number of [`WAYS`] that the rules allow.
    pub(super) fn ways(&self) -> usize {
        if self.diagonal { 8 } else { 4 }
    }

    /// A full row.
    pub(super) fn full(&self) -> u32 {
        (1 << self.cols) - 1
    }

    /// Returns `true` if a cell is on the board.
    pub(super) fn holds(&self, cell: Cell) -> bool {
        cell.row() < usize::from(self.rows) && cell.col() < usize::from(self.cols)
    }

    /// The cells that a leap passes over and lands on. Returns `None` if they are off the board.
    pub(super) fn leap(&self, from: Cell, way: usize) -> Option<(Cell, Cell)> {
        let to = from.landing(way);
        self.holds(to).then(|| (from.midway(to), to))
    }

    /// Number of symmetries, including the identity: four for a rectangle, eight for a square.
    pub(super) fn symmetries(&self) -> u8 {
        if self.rows == self.cols { 8 } else { 4 }
    }

    /// The image of a cell: mirrored in the main diagonal (bit 4), then top and bottom (bit 2), then
    /// left and right (bit 1).
    pub(super) fn image(&self, symmetry: u8, cell: Cell) -> Cell {
        let (rows, cols) = (usize::from(self.rows), usize::from(self.cols));
        let (row, col) = (cell.row(), cell.col());
        let (row, col) = if symmetry & 4 != 0 { (col, row) } else { (row, col) };
        let row = if symmetry & 2 != 0 { rows - 1 - row } else { row };
        Cell::new(row, if symmetry & 1 != 0 { cols - 1 - col } else { col })
    }

    /// The number of a cell, row by row.
    pub(super) fn index(&self, cell: Cell) -> usize {
        cell.row() * usize::from(self.cols) + cell.col()
    }

    /// The cell with a number.
    pub(super) fn cell_at(&self, index: usize) -> Cell {
        Cell::new(index / usize::from(self.cols), index % usize::from(self.cols))
    }

    /// Every cell, row by row.
    pub(super) fn each_cell(&self) -> impl Iterator<Item = Cell> {
        (0..self.cells().into()).map(|index| self.cell_at(index))
    }
}

/// The pieces, with two more bit planes for their worth minus one.
///
/// Plain and white pieces are worth 1, yellow 2, red 3, green 4.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Board {
    pub(super) pieces: Rows,
    pub(super) low: Rows,
    pub(super) high: Rows,
}

impl Board {
    /// Worth of the piece on a cell; 0 for an empty cell.
    pub fn worth(&self, cell: Cell) -> u8 {
        let bit = |rows: &Rows| (rows[cell.row()] >> cell.col() & 1) as u8;
        bit(&self.pieces) + bit(&self.low) + 2 * bit(&self.high)
    }

    /// Returns `true` if there is a piece on a cell.
    pub fn has(&self, cell: Cell) -> bool {
        has(&self.pieces, cell)
    }

    /// The pieces of this worth.
    pub(super) fn of_worth(&self, worth: u8) -> Rows {
        let (low, high) = ((worth - 1) & 1 == 1, worth > 2);
        let plane = |row: u32, set: bool| if set { row } else { !row };
        std::array::from_fn(|r| {
            self.pieces[r] & plane(self.low[r], low) & plane(self.high[r], high)
        })
    }

    /// The pieces that may be removed as a first capture.
    pub(super) fn removable(&self, rules: &Rules) -> Rows {
        match rules.first_captures {
            FirstCaptures::Each => self.pieces,
            FirstCaptures::FirstSeatGreen => self.of_worth(4),
            FirstCaptures::FirstSeatLowest => {
                let lowest = (1..=4).map(|worth| self.of_worth(worth)).find(|r| count(r) > 0);
                lowest.unwrap_or_default()
            }
        }
    }

    /// Number of pieces.
    pub fn count(&self) -> u32 {
        count(&self.pieces)
    }

    /// Total worth of the pieces.
    pub fn points(&self) -> u32 {
        count(&self.pieces) + count(&self.low) + 2 * count(&self.high)
    }

    /// Puts a piece of worth 1 to 4 on an empty cell.
    pub(super) fn lay(&mut self, cell: Cell, worth: u8) {
        flip(&mut self.pieces, cell);
        self.low[cell.row()] |= u32::from((worth - 1) & 1) << cell.col();
        self.high[cell.row()] |= u32::from((worth - 1) >> 1) << cell.col();
    }

    /// Removes the piece on a cell and returns its worth.
    pub(super) fn take(&mut self, cell: Cell) -> u8 {
        let worth = self.worth(cell);
        for plane in [&mut self.pieces, &mut self.low, &mut self.high] {
            plane[cell.row()] &= !(1 << cell.col());
        }
        worth
    }

    /// Moves a piece to an empty cell.
    pub(super) fn carry(&mut self, from: Cell, to: Cell) {
        let worth = self.take(from);
        self.lay(to, worth);
    }

    /// The rows from the top joined by `/`: `o` plain, `w y r g` coloured, `.` empty.
    pub fn text(&self, rules: &Rules) -> String {
        self.rows(rules.rows.into(), rules.cols.into(), letters(rules)).join("/")
    }

    /// The rows of a board as text, with one letter for each worth.
    pub(super) fn rows(&self, rows: usize, cols: usize, letters: &[char]) -> Vec<String> {
        let letter = |r, c| letters[usize::from(self.worth(Cell::new(r, c)))];
        (0..rows).map(|r| (0..cols).map(|c| letter(r, c)).collect()).collect()
    }

    /// Reads rows, which must fit on the largest board.
    ///
    /// # Errors
    /// The first unknown letter and its cell.
    pub(super) fn of_rows<'a>(
        rows: impl IntoIterator<Item = &'a str>,
        letters: &[char],
    ) -> Result<Board, (char, Cell)> {
        let mut board = Board::default();
        for (r, row) in rows.into_iter().enumerate() {
            for (c, letter) in row.chars().enumerate() {
                let cell = Cell::new(r, c);
                let worth = letters.iter().position(|&known| known == letter);
                match worth.ok_or((letter, cell))? {
                    0 => {}
                    worth => board.lay(cell, worth as u8),
                }
            }
        }
        Ok(board)
    }

    /// Reads the form that [`text`](Board::text) writes.
    ///
    /// # Errors
    /// The first row, length or letter that does not fit the rules.
    pub fn read(text: &str, rules: &Rules) -> Result<Board, String> {
        let rows: Vec<&str> = text.split('/').collect();
        let (found, right) = (rows.len(), rules.rows);
        ensure(found == usize::from(right), || {
            format!("the board has {found} rows (joined by `/`); the rules need {right}")
        })?;
        for (number, row) in (1..).zip(&rows) {
            let (length, cols) = (row.chars().count(), rules.cols);
            ensure(length == usize::from(cols), || {
                format!(
                    "row {number} of the board, `{row}`, has {length} cells; the rules need {cols}"
                )
            })?;
        }
        Board::of_rows(rows, letters(rules)).map_err(|(letter, cell)| {
            let (known, other) = match rules.colors() {
                Some(_) => ("w y r g", "mini-4x4"),
                None => ("o", "murray-mini-4x4"),
            };
            format!(
                "`{letter}` on {cell} is not a piece of these rules; use {known}, or `.` for an empty \
                 cell; variants such as `{other}` have other pieces"
            )
        })
    }
}

/// The letters for an empty cell and for pieces of worth 1, 2, …
fn letters(rules: &Rules) -> &'static [char] {
    if rules.colors().is_some() { &['.', 'w', 'y', 'r', 'g'] } else { &['.', 'o'] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_a_letter_and_a_number() {
        for cell in Rules::plain(18, 18).each_cell() {
            assert_eq!(cell.to_string().parse(), Ok(cell));
        }
        assert_eq!(Cell::new(4, 4).to_string(), "e5");
        for text in ["", "e", "5e", "e0", "e19", "s1", "E5", "e05", "e+5", "é5", "e5 "] {
            assert!(text.parse::<Cell>().is_err(), "{text}");
        }
    }

    #[test]
    fn boards_round_trip_as_text() {
        let rules = Rules::murray(2, 3);
        let board = Board::read("wy./rgw", &rules).unwrap();
        assert_eq!(board.text(&rules), "wy./rgw");
        assert_eq!((board.count(), board.points()), (5, 11));
        let mut other = board;
        other.carry(Cell::new(1, 1), Cell::new(0, 2));
        assert_eq!(other.take(Cell::new(0, 1)), 2);
        assert_eq!(other.text(&rules), "w.g/r.w");
    }

    #[test]
    fn boards_that_do_not_fit_are_refused() {
        let refuse = |text, rules: &Rules| Board::read(text, rules).unwrap_err();
        let plain = Rules::plain(2, 3);
        assert_eq!(refuse("ooo", &plain), "the board has 1 rows (joined by `/`); the rules need 2");
        assert_eq!(
            refuse("ooo/oo", &plain),
            "row 2 of the board, `oo`, has 2 cells; the rules need 3"
        );
        assert!(refuse("ooo/owo", &plain).starts_with("`w` on b2 is not a piece"));
        assert!(refuse("www/wow", &Rules::murray(2, 3)).starts_with("`o` on b2"));
        assert!(refuse("oöo/ooo", &plain).starts_with("`ö` on b1"));
    }
}
