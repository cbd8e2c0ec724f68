//! What a card laid on a cell changes in the value of a square, for all nine cells at once.

use crate::cards::{Card, CardSet};
use crate::cells::{CELLS, Cell, Cells, KINGS, TENS, by_cells, lines_through};
use crate::{Rules, Side, Square, View};

/// The width of a cell's lane. Four lines go through the middle, each worth at most 20, so a
/// change is at most 80 and nine lanes fit a word.
const LANE: u32 = 7;
const LANE_MASK: u64 = (1 << LANE) - 1;

/// For each set of cells, in each cell's lane: how many lines through the cell have their other
/// two cells in the set.
const THROUGH: [u64; 512] = by_cells!(0, CELLS, |lanes, cells, cell| {
    *lanes |= (lines_through(cell, cells) as u64) << (LANE as usize * cell)
});

/// For each set of cells: their lanes filled.
const FILLED: [u64; 512] = by_cells!(0, CELLS, |lanes, cells, cell| {
    *lanes |= ((cells as u64 >> cell & 1) * LANE_MASK) << (LANE as usize * cell)
});

/// The lowest bit of each lane.
const FIRST_BITS: u64 = FILLED[511] / LANE_MASK;

/// Every other lane, and the bit above each of these.
const EVEN: u64 = LANE_MASK * 0x0100_0400_1000_4001;
const ABOVE: u64 = 0x0100_0400_1000_4001 << LANE;

/// Points by cell, each in its lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ByCell(u64);

impl ByCell {
    /// So many points on each of some cells.
    #[inline(always)]
    pub fn on(cells: Cells, points: u64) -> ByCell {
        ByCell((FILLED[cells.index()] & FIRST_BITS) * points)
    }

    /// The sums of two, which must fit the lanes.
    #[inline(always)]
    pub fn sum(self, other: ByCell) -> ByCell {
        ByCell(self.0 + other.0)
    }

    /// The points of a cell.
    pub fn at(self, cell: Cell) -> i32 {
        (self.0 >> (LANE as usize * cell.index()) & LANE_MASK) as i32
    }

    /// Those of a set of cells; no points elsewhere.
    pub fn within(self, cells: Cells) -> ByCell {
        ByCell(self.0 & FILLED[cells.index()])
    }

    /// Not less than either, cell by cell.
    pub fn above(self, other: ByCell) -> ByCell {
        ByCell(self.0 | other.0)
    }

    /// The cells with points.
    #[inline]
    pub fn cells(self) -> Cells {
        /// All bits of each lane but the highest.
        const LOW: u64 = FILLED[511] - (FIRST_BITS << (LANE - 1));
        // The highest bit of each lane where there is any, then all of these side by side.
        let x = (((self.0 & LOW) + LOW) | self.0) >> (LANE - 1) & FIRST_BITS;
        let x = (x | x >> 6) & 0x0100_0C00_3000_C003;
        let x = (x | x >> 12) & 0x0100_0000_F000_000F;
        let x = (x | x >> 24) & 0x0000_0001_0000_00FF;
        Cells::from_bits((x | x >> 24) as u32)
    }

    /// Whether no cell has points.
    pub fn is_nothing(self) -> bool {
        self.0 == 0
    }

    /// Whether a cell has so many points, from 1 to 128.
    #[inline(always)]
    pub fn reach(self, points: i32) -> bool {
        let missing = ((1 << LANE) - points) as u64 * (ABOVE >> LANE);
        (((self.0 & EVEN) + missing) | ((self.0 >> LANE & EVEN) + missing)) & ABOVE != 0
    }

    /// The most points of any cell.
    #[inline]
    pub fn most(self) -> i32 {
        // The greater of two words, lane by lane.
        let greater = |a: u64, b: u64| {
            let not_less = ((a | ABOVE) - b) & ABOVE;
            let a_is = not_less - (not_less >> LANE);
            a & a_is | b & !a_is
        };
        let pairs = greater(self.0 & EVEN, self.0 >> LANE & EVEN);
        let fours = greater(pairs, pairs >> (4 * LANE));
        let eights = greater(fours, fours >> (2 * LANE));
        // The middle of the five was not compared with the first.
        (greater(eights, pairs >> (8 * LANE)) & LANE_MASK) as i32
    }
}

/// The cells with points, ascending, with their points.
impl Iterator for ByCell {
    type Item = (Cell, i32);

    #[inline]
    fn next(&mut self) -> Option<(Cell, i32)> {
        if self.0 == 0 {
            return None;
        }
        let cell = self.0.trailing_zeros() / LANE;
        let points = (self.0 >> (LANE * cell) & LANE_MASK) as i32;
        self.0 &= !(LANE_MASK << (LANE * cell));
        Some((Cell::from_low_bits(cell as u8), points))
    }
}

/// For each suit: the points that a card of it gives on each cell, were the cell open.
///
/// Lines through a cell whose other two cells show the suit give `suit_line`, those whose other
/// two show its colour but not the suit alone give `color_line`. Whether the cell itself is open
/// makes no difference to that, so the same numbers are what a face-up card of the suit loses
/// when it is covered.
#[inline]
pub(super) fn gains(square: Square, rules: &Rules) -> [ByCell; 4] {
    let color_line = u64::from(rules.color_line);
    // Modulo 2⁶⁴, so it is exact for a suit line that is worth less than a colour line, too.
    let step = u64::from(rules.suit_line).wrapping_sub(color_line);
    let [spades, hearts, diamonds, clubs] = square.suits();
    let look = |cells: Cells| THROUGH[cells.index()];
    let black = look(spades | clubs) * color_line;
    let red = look(hearts | diamonds) * color_line;
    let gain = |cells, color: u64| ByCell(look(cells).wrapping_mul(step).wrapping_add(color));
    [gain(spades, black), gain(hearts, red), gain(diamonds, red), gain(clubs, black)]
}

/// Offers what each ten, king and number card of a hand would change on the own square, where it
/// may be laid and a change is likely; `lost` are the [`losses`], asked for only if there is a king.
#[inline(always)]
pub(super) fn each_gain(
    square: Square,
    gains: &[ByCell; 4],
    lost: impl FnOnce() -> ByCell,
    hand: CardSet,
    mut offer: impl FnMut(i32, Card, Cell),
) {
    if gains.iter().all(|gains| gains.is_nothing()) {
        return;
    }
    let (open, of) = (square.open(), |card: Card| gains[card.suit().index()]);
    for card in hand & open.cards() {
        let cell = Cell::of_number(card);
        offer(of(card).at(cell), card, cell);
    }
    for card in hand & TENS {
        for (cell, gain) in of(card).within(open) {
            offer(gain, card, cell);
        }
    }
    let kings = hand & KINGS;
    if !kings.is_empty() {
        let lost = lost();
        for card in kings {
            for (cell, gain) in of(card) {
                offer(gain - lost.at(cell), card, cell);
            }
        }
    }
}

/// The most that one of these cards changes on the own square, and nothing where that would be a loss
/// or none may be laid; `gains` and `lost` are the square's.
pub(super) fn best_gain(square: Square, gains: &[ByCell; 4], lost: ByCell, cards: CardSet) -> i32 {
    let mut best = 0;
    each_gain(square, gains, || lost, cards, |gain, _, _| best = best.max(gain));
    best
}

/// The points that each face-up card gives, which are lost when it is covered.
#[inline(always)]
pub(super) fn losses(square: Square, gains: &[ByCell; 4]) -> ByCell {
    let ([s, h, d, c], suits) = (square.suits(), gains);
    ByCell(
        suits[0].within(s).0 | suits[1].within(h).0 | suits[2].within(d).0 | suits[3].within(c).0,
    )
}

/// A square and what cards change on it at once.
#[derive(Clone, Copy)]
pub(super) struct Outlook {
    pub square: Square,
    pub value: i32,
    /// What each suit would give on each cell, were it open.
    pub gains: [ByCell; 4],
    /// What each face-up card gives.
    pub losses: ByCell,
}

impl Outlook {
    /// A square of this value.
    #[inline(always)]
    pub fn new(square: Square, value: i32, rules: &Rules) -> Outlook {
        let gains = gains(square, rules);
        Outlook { square, value, gains, losses: losses(square, &gains) }
    }

    /// Both squares as a seat sees them, by side.
    #[inline(always)]
    pub fn both(view: &View, rules: &Rules) -> [Outlook; 2] {
        // Spelled out: a closure is not inlined.
        [
            Outlook::new(view.square(Side::Own), view.value(Side::Own).into(), rules),
            Outlook::new(view.square(Side::Other), view.value(Side::Other).into(), rules),
        ]
    }

    /// What a card gives on an open cell.
    #[inline(always)]
    pub fn gain(&self, card: Card, cell: Cell) -> i32 {
        self.of(card).at(cell)
    }

    /// What a card gives on each cell, were it open.
    #[inline(always)]
    pub fn of(&self, card: Card) -> ByCell {
        self.gains[card.suit().index()]
    }
}
