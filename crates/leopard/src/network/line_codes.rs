//! Codes of lines by the classes of their three cells, in any order.

use crate::cells::{Cell, LINE_CELLS};

/// The part that a cell plays in a line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CellRole {
    /// A fitting card lies there.
    Fit,
    /// A fitting card is in hand.
    Held,
    /// A fitting card may still come.
    Open,
    /// No fitting card will come.
    Blocked,
}

/// A table from three classes to a code; 0 for a line that has no feature.
///
/// `SIZE` is 512 for classes below 8 and 4096 for classes below 16.
pub(super) struct LineCodes<const SIZE: usize> {
    table: [u16; SIZE],
    /// Number of codes, 0 not counted.
    pub count: usize,
}

/// Returns `true` if a line has a feature: a card lies there or two are held; with one blocked cell,
/// the other two must be fitting or held.
const fn has_feature(roles: &[CellRole], cells: [usize; 3]) -> bool {
    use CellRole::{Blocked, Fit, Held};
    let (mut fit, mut held, mut blocked, mut at) = (0, 0, 0, 0);
    while at < 3 {
        let role = roles[cells[at]];
        fit += matches!(role, Fit) as u8;
        held += matches!(role, Held) as u8;
        blocked += matches!(role, Blocked) as u8;
        at += 1;
    }
    match blocked {
        0 => fit > 0 || held > 1,
        1 => fit + held == 2,
        _ => false,
    }
}

impl<const SIZE: usize> LineCodes<SIZE> {
    const BITS: u32 = SIZE.ilog2() / 3;
    const MASK: usize = (1 << Self::BITS) - 1;

    const fn place(a: usize, b: usize, c: usize) -> usize {
        (a & Self::MASK) | (b & Self::MASK) << Self::BITS | (c & Self::MASK) << (2 * Self::BITS)
    }

    /// Creates the codes for cells whose classes have these roles.
    pub const fn new(roles: &[CellRole]) -> Self {
        let (mut table, mut count) = ([0; SIZE], 0);
        let mut word = 0;
        while word < SIZE {
            let (a, b) = (word & Self::MASK, word >> Self::BITS & Self::MASK);
            let c = word >> (2 * Self::BITS);
            if a <= b && b <= c && c < roles.len() && has_feature(roles, [a, b, c]) {
                count += 1;
                let orders = [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]];
                let mut order = 0;
                while order < 6 {
                    let [x, y, z] = orders[order];
                    table[Self::place(x, y, z)] = count as u16;
                    order += 1;
                }
            }
            word += 1;
        }
        LineCodes { table, count }
    }

    /// Calls `add` with the index and the code, less 1, of each line that has one. `class` returns the
    /// class of a cell.
    #[inline(always)]
    pub fn for_each(&self, class: impl Fn(Cell) -> usize, mut add: impl FnMut(usize, usize)) {
        // A nibble for each cell.
        let mut classes = 0;
        for cell in Cell::ALL {
            classes |= (class(cell) as u64) << (4 * cell.index());
        }
        for (line, cells) in LINE_CELLS.into_iter().enumerate() {
            let [a, b, c] = cells.map(|cell| (classes >> (4 * cell)) as usize);
            let code = self.table[Self::place(a, b, c)];
            if code != 0 {
                add(line, usize::from(code) - 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CellRole::{Blocked, Fit, Held, Open};

    const ROLES: [CellRole; 4] = [Fit, Held, Open, Blocked];

    #[test]
    fn a_code_forgets_the_order_of_cells_and_nothing_else() {
        let codes = LineCodes::<512>::new(&ROLES);
        let mut seen = std::collections::BTreeMap::new();
        for word in 0..512 {
            let mut cells = [word & 7, word >> 3 & 7, word >> 6];
            cells.sort_unstable();
            if codes.table[word] != 0 {
                assert_eq!(*seen.entry(codes.table[word]).or_insert(cells), cells);
            }
        }
        // FFF FFH FFO FFB FHH FHO FHB FOO HHH HHO HHB.
        assert_eq!(seen.len(), codes.count);
        assert_eq!(seen.len(), 11);
    }
}
