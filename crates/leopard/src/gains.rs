//! Changes of the value of a square when a card is laid, for all nine cells at once.

use crate::cells::{CELLS, Cell, Cells, KINGS, TENS, by_cells, lines_through};
use crate::{Rules, Side, Square, View};
use parlour_base::cards::{Card, CardSet};

/// Width of a cell's lane. Four lines go through the middle, each worth at most 20, so a change is
/// at most 80 and nine lanes fit in a word.
const LANE: u32 = 7;
const LANE_MASK: u64 = (1 << LANE) - 1;

/// For each set of cells, in each cell's lane: the number of lines through the cell whose other two
/// cells are in the set.
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
pub(super) struct PointsByCell(u64);

impl PointsByCell {
    /// The same points on each cell of a set.
    #[inline(always)]
    pub fn on(cells: Cells, points: u64) -> PointsByCell {
        PointsByCell((FILLED[cells.index()] & FIRST_BITS) * points)
    }

    /// Adds points by cell; sums must fit in the lanes.
    #[inline(always)]
    pub fn sum(self, other: PointsByCell) -> PointsByCell {
        PointsByCell(self.0 + other.0)
    }

    /// The points of a cell.
    pub fn at(self, cell: Cell) -> i32 {
        (self.0 >> (LANE as usize * cell.index()) & LANE_MASK) as i32
    }

    /// The points within a set of cells; 0 elsewhere.
    pub fn within(self, cells: Cells) -> PointsByCell {
        PointsByCell(self.0 & FILLED[cells.index()])
    }

    /// An upper bound of both, cell by cell.
    pub fn above(self, other: PointsByCell) -> PointsByCell {
        PointsByCell(self.0 | other.0)
    }

    /// Returns `true` if no cell has points.
    pub fn is_nothing(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if a cell has at least these points, from 1 to 128.
    #[inline(always)]
    pub fn reach(self, points: i32) -> bool {
        let missing = ((1 << LANE) - points) as u64 * (ABOVE >> LANE);
        (((self.0 & EVEN) + missing) | ((self.0 >> LANE & EVEN) + missing)) & ABOVE != 0
    }

    /// The largest points of a cell.
    #[inline]
    pub fn most(self) -> i32 {
        // The larger of two words, lane by lane.
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

/// Iterates over the cells with points, ascending.
impl Iterator for PointsByCell {
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

/// For each suit: the points that a card of it gives on each cell, if the cell were open.
#[inline]
pub(super) fn gains(square: Square, rules: &Rules) -> [PointsByCell; 4] {
    let color_line = u64::from(rules.color_line);
    // Modulo 2⁶⁴, so it is also exact for a suit line that is worth less than a colour line.
    let step = u64::from(rules.suit_line).wrapping_sub(color_line);
    suit_gains(square.suits(), [color_line, step])
}

/// The gains of suits on these cells, given the points of a colour line and the points that a suit
/// line gives more.
///
/// A line through a cell counts if its other two cells show the suit, or its colour. The cell
/// itself makes no difference, so a face-up card of the suit loses the same points when it is
/// covered.
#[inline(always)]
pub(super) fn suit_gains(suits: [Cells; 4], [color_line, step]: [u64; 2]) -> [PointsByCell; 4] {
    let [spades, hearts, diamonds, clubs] = suits;
    let through = |cells: Cells| THROUGH[cells.index()];
    let black = through(spades | clubs).wrapping_mul(color_line);
    let red = through(hearts | diamonds).wrapping_mul(color_line);
    let gain =
        |cells, color: u64| PointsByCell(through(cells).wrapping_mul(step).wrapping_add(color));
    [gain(spades, black), gain(hearts, red), gain(diamonds, red), gain(clubs, black)]
}

/// Calls `offer` with the change by each ten, king and number card of a hand on the own square, if
/// it may be laid and may change something. `lost` computes the [`losses`]; it is called only if
/// there is a king.
#[inline(always)]
pub(super) fn each_gain(
    square: Square,
    gains: &[PointsByCell; 4],
    lost: impl FnOnce() -> PointsByCell,
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

/// The largest change by one of these cards on the own square, at least 0. `gains` and `lost` are
/// those of the square.
pub(super) fn best_gain(
    square: Square,
    gains: &[PointsByCell; 4],
    lost: PointsByCell,
    cards: CardSet,
) -> i32 {
    let mut best = 0;
    each_gain(square, gains, || lost, cards, |gain, _, _| best = best.max(gain));
    best
}

/// The points of each face-up card, which are lost when it is covered.
#[inline(always)]
pub(super) fn losses(square: Square, gains: &[PointsByCell; 4]) -> PointsByCell {
    suit_losses(square.suits(), gains)
}

/// The losses of suits on these cells.
#[inline(always)]
pub(super) fn suit_losses([s, h, d, c]: [Cells; 4], gains: &[PointsByCell; 4]) -> PointsByCell {
    let [spades, hearts, diamonds, clubs] = gains;
    PointsByCell(spades.within(s).0 | hearts.within(h).0 | diamonds.within(d).0 | clubs.within(c).0)
}

/// A square and the changes by cards on it.
#[derive(Clone, Copy)]
pub(super) struct SquareGains {
    pub square: Square,
    pub value: i32,
    /// Gain of each suit on each cell, if the cell were open.
    pub gains: [PointsByCell; 4],
    /// Points of each face-up card.
    pub losses: PointsByCell,
}

impl SquareGains {
    /// Creates the outlook of a square with this value.
    #[inline(always)]
    pub fn new(square: Square, value: i32, rules: &Rules) -> SquareGains {
        let gains = gains(square, rules);
        SquareGains { square, value, gains, losses: losses(square, &gains) }
    }

    /// Both squares as a seat sees them, by side.
    #[inline(always)]
    pub fn both(view: &View, rules: &Rules) -> [SquareGains; 2] {
        // Written out: a closure is not inlined.
        [
            SquareGains::new(view.square(Side::Own), view.value(Side::Own).into(), rules),
            SquareGains::new(view.square(Side::Other), view.value(Side::Other).into(), rules),
        ]
    }

    /// The gain of a card on an open cell.
    #[inline(always)]
    pub fn gain(&self, card: Card, cell: Cell) -> i32 {
        self.of(card).at(cell)
    }

    /// The gain of a card on each cell, if the cell were open.
    #[inline(always)]
    pub fn of(&self, card: Card) -> PointsByCell {
        self.gains[card.suit().index()]
    }
}
