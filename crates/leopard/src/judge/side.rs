//! What one side can come to at once: the value that its cards in hand reach in one play or two, and
//! what the other's cards can do against it.

use crate::cards::{Card, CardSet, Pile};
use crate::cells::{
    CELLS, Cell, Cells, JACKS, KINGS, NUMBERS, QUEENS, TENS, by_cells, count, lines_through,
};
use crate::{Rules, Square};

/// The width of a cell's lane: four lines go through the middle, each worth at most 20.
const LANE: u32 = 7;
const LANE_MASK: u64 = (1 << LANE) - 1;

/// For each set of cells, in each cell's lane: how many lines through the cell have their other two
/// cells in the set.
static THROUGH: [u64; 512] = by_cells!(0, CELLS, |lanes, cells, cell| {
    *lanes |= (lines_through(cell, cells) as u64) << (LANE as usize * cell)
});

/// For each set of cells: their lanes filled.
static FILLED: [u64; 512] = by_cells!(0, CELLS, |lanes, cells, cell| {
    *lanes |= ((cells as u64 >> cell & 1) * LANE_MASK) << (LANE as usize * cell)
});

/// The cells of the number cards of a suit, by the suit's place in a nibble.
pub(super) fn numbers(cards: CardSet) -> [usize; 4] {
    Cells::by_suit(cards).map(Cells::index)
}

/// Points by cell, each in its lane.
#[derive(Clone, Copy)]
pub(super) struct Points(u64);

impl Points {
    #[inline(always)]
    pub fn at(self, cell: usize) -> i16 {
        (self.0 >> (LANE as usize * cell) & LANE_MASK) as i16
    }

    #[inline(always)]
    pub fn within(self, cells: usize) -> Points {
        Points(self.0 & FILLED[cells & 511])
    }

    /// The most points of any cell.
    #[inline(always)]
    pub fn most(self) -> i16 {
        self.map(|(_, points)| points).fold(0, i16::max)
    }
}

/// The cells with points.
impl Iterator for Points {
    type Item = (usize, i16);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, i16)> {
        if self.0 == 0 {
            return None;
        }
        let cell = self.0.trailing_zeros() / LANE;
        let points = (self.0 >> (LANE * cell) & LANE_MASK) as i16;
        self.0 &= !(LANE_MASK << (LANE * cell));
        Some((cell as usize, points))
    }
}

/// What a line is worth.
#[derive(Clone, Copy)]
struct Worth {
    color: u64,
    /// What one suit gives more than one colour, modulo 2⁶⁴.
    more: u64,
}

/// The suits on a square, as sets of cells, and what a card of each suit gives on each cell were it
/// open; the same is lost where a face-up card is covered.
#[derive(Clone, Copy)]
pub(super) struct Board {
    pub suits: [usize; 4],
    pub gains: [Points; 4],
    worth: Worth,
}

impl Board {
    pub fn new(square: Square, rules: &Rules) -> Board {
        let color = u64::from(rules.color_line);
        let worth = Worth { color, more: u64::from(rules.suit_line).wrapping_sub(color) };
        Board::of(square.suits().map(Cells::index), worth)
    }

    #[inline(always)]
    fn of(suits: [usize; 4], worth: Worth) -> Board {
        let [s, h, d, c] = suits;
        let black = THROUGH[(s | c) & 511].wrapping_mul(worth.color);
        let red = THROUGH[(h | d) & 511].wrapping_mul(worth.color);
        let gains = |suit: usize, color: u64| {
            Points(THROUGH[suit & 511].wrapping_mul(worth.more).wrapping_add(color))
        };
        Board {
            suits,
            gains: [gains(s, black), gains(h, red), gains(d, red), gains(c, black)],
            worth,
        }
    }

    /// The open cells.
    #[inline(always)]
    pub fn open(&self) -> usize {
        let [s, h, d, c] = self.suits;
        511 & !(s | h | d | c)
    }

    /// What each face-up card gives.
    #[inline(always)]
    fn losses(&self) -> Points {
        let lost = |suit: usize| self.gains[suit].within(self.suits[suit]).0;
        Points(lost(0) | lost(1) | lost(2) | lost(3))
    }

    /// The most that covering one card takes.
    pub fn worst(&self) -> i16 {
        self.losses().most()
    }

    #[inline(always)]
    fn with(&self, cell: usize, suit: usize) -> Board {
        let mut suits = self.suits.map(|cells| cells & !(1 << cell));
        suits[suit] |= 1 << cell;
        Board::of(suits, self.worth)
    }

    #[inline(always)]
    fn without(&self, cell: usize) -> Board {
        Board::of(self.suits.map(|cells| cells & !(1 << cell)), self.worth)
    }

    /// The most that one play of these cards on the own square gives.
    #[inline(always)]
    pub fn one(&self, hand: &Cards) -> i16 {
        let [a, b, c, d] = self.gains;
        if a.0 | b.0 | c.0 | d.0 == 0 {
            return 0;
        }
        let open = self.open();
        let mut best = 0;
        for suit in 0..4 {
            let gains = self.gains[suit];
            // A ten fits every open cell.
            let fit = if hand.tens >> suit & 1 == 1 { open } else { open & hand.numbers[suit] };
            best = best.max(gains.within(fit).most());
            if hand.kings >> suit & 1 == 1 {
                let losses = self.losses();
                best = gains.fold(best, |best, (cell, gain)| best.max(gain - losses.at(cell)));
            }
        }
        best
    }

    /// The most that two plays give.
    pub fn two(&self, hand: Pile) -> i16 {
        let (cards, open, losses) = (Cards::of(hand.distinct()), self.open(), self.losses());
        let mut best = 0;
        let mut first = |suit: usize, card: Card, cells: usize, covers: bool| {
            let mut rest = hand;
            rest.remove(card);
            let rest = Cards::of(rest.distinct());
            let mut cells = cells;
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let lost = if covers { losses.at(cell) } else { 0 };
                let gain = self.gains[suit].at(cell) - lost;
                best = best.max(gain + self.with(cell, suit).one(&rest));
            }
        };
        for suit in 0..4 {
            let mut cells = open & cards.numbers[suit];
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                first(suit, Card::from_index((4 * cell + suit) as u8), 1 << cell, false);
            }
            if cards.tens >> suit & 1 == 1 {
                first(suit, Card::from_index((36 + suit) as u8), open, false);
            }
            if cards.kings >> suit & 1 == 1 {
                first(suit, Card::from_index((48 + suit) as u8), 511, true);
            }
        }
        best
    }

    /// The most that one play gives after the other's best play against it, what that takes being
    /// counted.
    pub fn guarded(&self, hand: &Cards, other: &Cards) -> i16 {
        let mut least = self.one(hand);
        for suit in 0..4 {
            let mut cells = self.open() & other.numbers[suit];
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                let after = self.with(cell, suit).one(hand);
                least = least.min(self.gains[suit].at(cell) + after);
            }
        }
        if other.has_jack {
            let losses = self.losses();
            let mut cells = 511 & !self.open();
            while cells != 0 {
                let cell = cells.trailing_zeros() as usize;
                cells &= cells - 1;
                least = least.min(self.without(cell).one(hand) - losses.at(cell));
            }
        }
        least
    }
}

/// The distinct cards of a hand, by what they do.
#[derive(Clone, Copy)]
pub(super) struct Cards {
    /// For each suit, the cells of its number cards.
    pub numbers: [usize; 4],
    /// A bit for each suit.
    pub tens: usize,
    pub kings: usize,
    has_jack: bool,
}

impl Cards {
    #[inline(always)]
    pub fn of(cards: CardSet) -> Cards {
        Cards {
            numbers: numbers(cards & NUMBERS),
            tens: ((cards & TENS).0 >> 36) as usize,
            kings: ((cards & KINGS).0 >> 48) as usize,
            has_jack: (cards & JACKS).0 != 0,
        }
    }
}

/// How many jacks, queens, kings and tens.
#[inline(always)]
pub(super) fn courts(pile: Pile) -> [usize; 4] {
    [JACKS, QUEENS, KINGS, TENS].map(|rank| count(pile, rank) as usize)
}

/// The cell of a number card.
#[inline(always)]
pub(super) fn cell_of(card: Card) -> usize {
    Cell::of_number(card).index()
}
