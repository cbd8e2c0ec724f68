//! A number for each cell of a square, all nine computed at once.

use crate::games::leopard::LINES;

/// A number for each cell; the last seven lanes are only there to fill two registers.
pub(super) type Lanes = [i16; 16];

/// For each set of cells, for each cell: how many lines through it have their other two cells in
/// the set.
static THROUGH: [[u8; 16]; 512] = {
    let mut table = [[0; 16]; 512];
    let mut cells = 0;
    while cells < 512 {
        let mut line = 0;
        while line < 8 {
            let mut cell = 0;
            while cell < 9 {
                let others = LINES[line] & !(1 << cell);
                if LINES[line] >> cell & 1 == 1 && cells as u16 & others == others {
                    table[cells][cell] += 1;
                }
                cell += 1;
            }
            line += 1;
        }
        cells += 1;
    }
    table
};

/// How many lines through each cell have their other two cells in the set.
#[inline(always)]
pub(super) fn through(cells: u32) -> Lanes {
    let counts = &THROUGH[cells as usize & 511];
    let mut lanes = [0; 16];
    // Plain loops here and in what uses this: iterators over arrays are not inlined.
    for lane in 0..16 {
        lanes[lane] = i16::from(counts[lane]);
    }
    lanes
}
