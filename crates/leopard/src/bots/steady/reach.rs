//! Largest gains of cards on a square, and the chance of a jack.

use crate::cells::{Cells, JACKS, KINGS, count};
use crate::gains::{PointsByCell, SquareGains, each_gain};
use crate::{Rules, View};
use parlour_base::cards::{Card, CardSet};

/// Upper bound of the gain of any card on any cell, open or not.
#[inline(always)]
pub(super) fn limit(side: &SquareGains) -> i32 {
    let [s, h, d, c] = side.gains;
    s.above(h).above(d).above(c).most()
}

/// Largest gain of any card on an open cell.
pub(super) fn reach(side: &SquareGains) -> i32 {
    let open = side.square.open();
    let [s, h, d, c] = side.gains;
    let of = |gains: PointsByCell| gains.within(open).most();
    of(s).max(of(h)).max(of(d)).max(of(c))
}

/// Largest gain of a card in hand on a square.
#[derive(Clone, Copy)]
pub(super) struct Reach {
    pub most: i32,
    /// The card, and the cell.
    pub by: Option<Card>,
    pub at: Cells,
    /// Largest gain of any other card.
    pub next: i32,
}

impl Reach {
    pub const NONE: Reach = Reach { most: 0, by: None, at: Cells::NONE, next: 0 };

    /// Computes the reach on a square with this hand.
    pub fn with(side: &SquareGains, hand: CardSet) -> Reach {
        let mut reach = Reach::NONE;
        each_gain(
            side.square,
            &side.gains,
            || side.losses,
            hand,
            |gain, card, cell| {
                if gain > reach.most {
                    let next = if reach.by == Some(card) { reach.next } else { reach.most };
                    reach = Reach { most: gain, by: Some(card), at: Cells::only(cell), next };
                } else if reach.by != Some(card) {
                    reach.next = reach.next.max(gain);
                }
            },
        );
        reach
    }
}

/// The cells that a hand can fill.
#[derive(Clone, Copy)]
pub(super) struct Fills {
    hand: CardSet,
    /// For each suit, the cells of its number cards.
    numbers: [Cells; 4],
}

impl Fills {
    #[inline(always)]
    pub fn of(hand: CardSet) -> Fills {
        Fills { hand, numbers: Cells::by_suit(hand) }
    }

    /// Returns the fills with these cards left: all but one, which is laid on its cell or is no
    /// number card.
    #[inline(always)]
    pub fn left(self, hand: CardSet) -> Fills {
        Fills { hand, ..self }
    }

    /// All cells if the hand has the card of this rank and suit.
    #[inline(always)]
    fn all(&self, rank: usize, suit: usize) -> Cells {
        let holds = self.hand.0 >> (4 * rank - 4 + suit) & 1 == 1;
        if holds { Cells::ALL } else { Cells::NONE }
    }

    /// Gains on these cells, if they were open, without kings.
    #[inline(always)]
    fn gains(&self, side: &SquareGains, cells: Cells) -> [PointsByCell; 4] {
        let of = |suit: usize| {
            side.gains[suit].within((self.numbers[suit] | self.all(10, suit)) & cells)
        };
        // Spelled out: closures over arrays are not always inlined.
        [of(0), of(1), of(2), of(3)]
    }

    /// Upper bound of the gain of a card in hand.
    #[inline(always)]
    pub fn most(&self, side: &SquareGains) -> i32 {
        let [s, h, d, c] = self.gains(side, side.square.open());
        let king = |suit: usize| side.gains[suit].within(self.all(13, suit));
        let (black, red) = (king(0).above(king(3)), king(1).above(king(2)));
        s.above(h).above(d).above(c).above(black).above(red).most()
    }

    /// Upper bound of the gain on the cell of a face-up card, if it were open, without kings.
    #[inline(always)]
    pub fn most_opened(&self, side: &SquareGains) -> i32 {
        let [s, h, d, c] = self.gains(side, side.square.face_up());
        s.above(h).above(d).above(c).most()
    }

    /// Returns `true` if a card gives this many points, which are more than 0.
    #[inline(always)]
    pub fn reach(&self, side: &SquareGains, points: i32) -> bool {
        let [s, h, d, c] = self.gains(side, side.square.open());
        if s.reach(points) | h.reach(points) | d.reach(points) | c.reach(points) {
            return true;
        }
        for card in self.hand & KINGS {
            for (cell, gain) in side.of(card) {
                if gain - side.losses.at(cell) >= points {
                    return true;
                }
            }
        }
        false
    }
}

/// The chance that the other seat has a jack on its next turn.
pub(super) fn chance_of_jack(rules: &Rules, view: &View) -> f64 {
    let held = f64::from(view.held[view.seat.other().side()]);
    let unseen = (f64::from(view.stock_len) + held).max(1.0);
    let expected =
        f64::from(count(view.unseen, JACKS)) * ((held + f64::from(rules.draw)) / unseen).min(1.0);
    expected / (1.0 + expected)
}
