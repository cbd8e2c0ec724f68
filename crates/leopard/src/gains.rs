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

/// Every other lane, and the bit above each of these.
const EVEN: u64 = LANE_MASK * 0x0100_0400_1000_4001;
const ABOVE: u64 = 0x0100_0400_1000_4001 << LANE;

/// Points by cell, each in its lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct PointsByCell(u64);

impl PointsByCell {
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

    /// The larger points of cells 0 and 1, 2 and 3, and so on, in the lanes of the first of each.
    #[inline(always)]
    fn pairs(self) -> u64 {
        greater(self.0 & EVEN, self.0 >> LANE & EVEN)
    }

    /// The largest points of a cell.
    #[inline]
    pub fn most(self) -> i32 {
        most(self.pairs())
    }
}

/// The larger of two words, lane by lane, for every other lane.
#[inline(always)]
fn greater(a: u64, b: u64) -> u64 {
    let not_less = ((a | ABOVE) - b) & ABOVE;
    let a_is = not_less - (not_less >> LANE);
    a & a_is | b & !a_is
}

/// The largest of [pairs](PointsByCell::pairs).
#[inline(always)]
fn most(pairs: u64) -> i32 {
    let fours = greater(pairs, pairs >> (4 * LANE));
    let eights = greater(fours, fours >> (2 * LANE));
    // The middle of the five was not compared with the first.
    (greater(eights, pairs >> (8 * LANE)) & LANE_MASK) as i32
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

/// A square and the changes by cards on it.
#[derive(Clone, Copy)]
pub(super) struct SquareGains {
    pub square: Square,
    pub value: i32,
    /// Gain of each suit on each cell, if the cell were open.
    pub gains: [PointsByCell; 4],
    /// Points of each face-up card, which are lost when it is covered.
    pub losses: PointsByCell,
}

impl SquareGains {
    /// Computes the value of a square and the changes on it.
    #[inline(always)]
    pub fn new(square: Square, rules: &Rules) -> SquareGains {
        SquareGains::with_value(square, square.value(rules) as i32, rules)
    }

    /// Computes the changes on a square of this value.
    ///
    /// A line through a cell counts if its other two cells show the suit, or its colour. The cell
    /// itself makes no difference, so a face-up card of the suit loses the same points when it is
    /// covered.
    #[inline(always)]
    pub fn with_value(square: Square, value: i32, rules: &Rules) -> SquareGains {
        let color_line = u64::from(rules.color_line);
        // Modulo 2⁶⁴, so it is also exact for a suit line that is worth less than a colour line.
        let step = u64::from(rules.suit_line).wrapping_sub(color_line);
        let [s, h, d, c] = square.suits();
        let through = |cells: Cells| THROUGH[cells.index()];
        let black = through(s | c).wrapping_mul(color_line);
        let red = through(h | d).wrapping_mul(color_line);
        let gain =
            |cells, color: u64| PointsByCell(through(cells).wrapping_mul(step).wrapping_add(color));
        let gains = [gain(s, black), gain(h, red), gain(d, red), gain(c, black)];
        let [spades, hearts, diamonds, clubs] = gains;
        let losses = spades.within(s).above(hearts.within(h));
        let losses = losses.above(diamonds.within(d)).above(clubs.within(c));
        SquareGains { square, value, gains, losses }
    }

    /// Both squares as a seat sees them, by side.
    #[inline(always)]
    pub fn both(view: &View, rules: &Rules) -> [SquareGains; 2] {
        let [own, other] = [view.square(Side::Own), view.square(Side::Other)];
        // Written out: a closure is not inlined.
        [SquareGains::new(own, rules), SquareGains::new(other, rules)]
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

    /// Upper bound of the gain of a card of each suit on these cells, if they were open.
    #[inline(always)]
    pub fn limit(&self, [s, h, d, c]: [Cells; 4]) -> i32 {
        let [spades, hearts, diamonds, clubs] = self.gains;
        let black = spades.within(s).above(clubs.within(c));
        black.above(hearts.within(h)).above(diamonds.within(d)).most()
    }

    /// Largest gain of any card on an open cell.
    pub fn reach(&self) -> i32 {
        let open = self.square.open();
        let [s, h, d, c] = self.gains.map(|gains| gains.within(open).pairs());
        most(greater(greater(s, h), greater(d, c)))
    }

    /// Calls `offer` with the change by each ten, king and number card of a hand on the own square, if
    /// it may be laid and may change something.
    #[inline(always)]
    pub fn each_gain(&self, hand: CardSet, mut offer: impl FnMut(i32, Card, Cell)) {
        if self.gains.iter().all(|gains| gains.is_nothing()) {
            return;
        }
        let open = self.square.open();
        for card in hand & open.cards() {
            let cell = Cell::of_number(card);
            offer(self.gain(card, cell), card, cell);
        }
        for card in hand & TENS {
            for (cell, gain) in self.of(card).within(open) {
                offer(gain, card, cell);
            }
        }
        for card in hand & KINGS {
            for (cell, gain) in self.of(card) {
                offer(gain - self.losses.at(cell), card, cell);
            }
        }
    }

    /// The largest change by one of these cards on the own square, at least 0.
    pub fn best_gain(&self, cards: CardSet) -> i32 {
        let mut best = 0;
        self.each_gain(cards, |gain, _, _| best = best.max(gain));
        best
    }
}
