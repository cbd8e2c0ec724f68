//! Features of a position as seen by the seat that has just moved.

use std::array::from_fn;

use CellRole::{Blocked, Fit, Held, Open};

use super::line_codes::{CellRole, LineCodes};
use super::{lead_group, stock_group};
use crate::cells::{CELLS, Cell, Cells, JACKS, KINGS, NUMBERS, TENS, count, high_counts};
use crate::gains::SquareGains;
use crate::goals::{FIT, GOALS, MISFIT, rank_counts};
use crate::{Rules, Side, View};
use parlour_base::cards::{CardSet, Suit};

/// Roles of an own cell for a suit: a card of the suit lies there; its number card is held, unseen
/// twice, unseen once, gone; another card lies there, and the number card is held, or not.
const OWN_SUIT_ROLES: [CellRole; 7] = [Fit, Held, Open, Open, Blocked, Blocked, Blocked];

/// Roles of an own cell for a colour: a card of the colour lies there; one of its number cards is
/// held, at least three are unseen, at least one, none; another card lies there.
const OWN_COLOR_ROLES: [CellRole; 6] = [Fit, Held, Open, Open, Blocked, Blocked];

/// Roles of a cell of the other square: a fitting card lies there; two fitting cards are unseen (three
/// for a colour), one, none; the same three if a number card that does not fit is held; another card
/// lies there.
const OTHER_ROLES: [CellRole; 8] = [Fit, Open, Open, Blocked, Open, Open, Blocked, Blocked];

type Codes = LineCodes<512>;
const OWN_SUIT_CODES: Codes = LineCodes::new(&OWN_SUIT_ROLES);
const OWN_COLOR_CODES: Codes = LineCodes::new(&OWN_COLOR_ROLES);
const OTHER_CODES: Codes = LineCodes::new(&OTHER_ROLES);

/// Line codes on each side, of one suit and of one colour, each with its first feature.
static LINE_FEATURES: [[(Codes, usize); 2]; 2] = [
    [(OWN_SUIT_CODES, OWN_SUIT), (OWN_COLOR_CODES, OWN_COLOR)],
    [(OTHER_CODES, OTHER_SUIT), (OTHER_CODES, OTHER_COLOR)],
];

// Groups of features. Each begins where the one before it ends.

/// Own lines that may be of one suit, by their cells.
const OWN_SUIT: usize = 0;
/// Own lines that may be of one colour.
const OWN_COLOR: usize = OWN_SUIT + OWN_SUIT_CODES.count;
/// Lines of the other square that may be of one suit.
const OTHER_SUIT: usize = OWN_COLOR + OWN_COLOR_CODES.count;
/// Lines of the other square that may be of one colour.
const OTHER_COLOR: usize = OTHER_SUIT + OTHER_CODES.count;
/// Gain of a number card on an open own cell, by where the card is.
const OWN_GAIN: usize = OTHER_COLOR + OTHER_CODES.count;
/// Gain on the other square, by unseen copies and by whether the own hand could close the cell.
const OTHER_GAIN: usize = OWN_GAIN + 3 * 8;
/// Largest gain of each king in hand.
const KING_GAIN: usize = OTHER_GAIN + 2 * 2 * 8;
/// Largest gain of each ten in hand.
const TEN_GAIN: usize = KING_GAIN + 8;
/// Largest loss of the own square by a jack, by the number of unseen jacks.
const OWN_LOSS: usize = TEN_GAIN + 8;
/// Largest loss of the other square by a jack, by whether a jack is in hand.
const OTHER_LOSS: usize = OWN_LOSS + 3 * 10;
/// Points that each seat needs for a winning knock.
const NEED: usize = OTHER_LOSS + 2 * 10;
/// Difference of the values.
const LEAD: usize = NEED + 12 * 12;
/// Points missing for a winning knock after the best card in hand.
const SHORT: usize = LEAD + 25;
/// Points that the other seat misses after the best possible card.
const OTHER_SHORT: usize = SHORT + 9;
/// Unseen number cards with which the other seat would have a winning knock.
const OTHER_WINNING_CARDS: usize = OTHER_SHORT + 9;
/// Cards in the stock.
const STOCK: usize = OTHER_WINNING_CARDS + 7;
/// Jacks, queens, kings and tens in hand.
const HELD: usize = STOCK + 32;
/// Number cards in hand whose cells are closed on both squares.
const DEAD: usize = HELD + 4 * 4;
/// Unseen jacks, queens, kings and tens.
const UNSEEN: usize = DEAD + 10;
/// Number of features of a view.
pub(super) const VIEW_FEATURES: usize = UNSEEN + 4 * 9;

/// Calls `add` with each active feature of a position after a move of the seat whose view this is.
pub fn view_features(rules: &Rules, view: &View, add: &mut impl FnMut(usize)) {
    let position = ViewPosition {
        rules,
        view,
        now: SquareGains::both(view, rules),
        held: Cells::by_suit(view.hand.distinct()),
        unseen: from_fn(|cell| rank_counts(view.unseen, cell + 1).to_le_bytes()),
    };
    for side in Side::BOTH {
        for goal in 0..GOALS {
            let (codes, start) = &LINE_FEATURES[side as usize][usize::from(goal < 2)];
            codes.for_each(|cell| position.class(side, goal, cell), |_, code| add(start + code));
        }
        position.gains(side, add);
    }
    position.race(add);
    position.cards(add);
}

/// The position after a move.
struct ViewPosition<'a> {
    rules: &'a Rules,
    view: &'a View,
    /// The squares, by side.
    now: [SquareGains; 2],
    /// For each suit, the cells whose number card is held.
    held: [Cells; 4],
    /// Numbers of unseen number cards.
    unseen: [[u8; 8]; CELLS],
}

impl ViewPosition<'_> {
    /// Unseen number cards of a suit for a cell. For a colour: 2 if at least three are unseen, 1 if at
    /// least one is.
    #[inline(always)]
    fn left(&self, goal: usize, cell: Cell) -> usize {
        let count = usize::from(self.unseen[cell.index()][goal]);
        if goal < 2 { count.div_ceil(2) } else { count }
    }

    /// The class of a cell of a side for a goal.
    #[inline(always)]
    fn class(&self, side: Side, goal: usize, cell: Cell) -> usize {
        let (square, [a, b]) = (self.now[side as usize].square, FIT[goal]);
        if (square.suit(Suit::ALL[a]) | square.suit(Suit::ALL[b])).has(cell) {
            return 0;
        }
        let held = (self.held[a] | self.held[b]).has(cell);
        if square.face_up().has(cell) {
            return match side {
                Side::Own if goal >= 2 => 6 - usize::from(held),
                Side::Own => 5,
                Side::Other => 7,
            };
        }
        match side {
            Side::Own if held => 1,
            Side::Own => 4 - self.left(goal, cell),
            Side::Other => {
                let [a, b, c] = MISFIT[goal].map(|suit| self.held[suit]);
                3 - self.left(goal, cell) + 3 * usize::from((a | b | c).has(cell))
            }
        }
    }

    /// Adds the features of the immediate gains of number cards on a side.
    fn gains(&self, side: Side, add: &mut impl FnMut(usize)) {
        let now = &self.now[side as usize];
        for suit in 0..4 {
            for (cell, points) in now.gains[suit].within(now.square.open()) {
                let first = match (side, self.class(side, 2 + suit, cell)) {
                    (Side::Own, class @ 1..4) => OWN_GAIN + 8 * (class - 1),
                    // Once or twice unseen, unguarded or guarded.
                    (Side::Other, class @ (1 | 2)) => OTHER_GAIN + 8 * (class - 1),
                    (Side::Other, class @ (4 | 5)) => OTHER_GAIN + 8 * (class - 2),
                    // No such card is left.
                    _ => continue,
                };
                add(first + points.clamp(1, 8) as usize - 1);
            }
        }
    }

    /// Adds the features of the race to a winning knock.
    fn race(&self, add: &mut impl FnMut(usize)) {
        let [own, other] = &self.now;
        let cards = self.view.hand.distinct();
        let mut reach = own.best_gain(cards & NUMBERS);
        for (first, rank) in [(TEN_GAIN, TENS), (KING_GAIN, KINGS)] {
            for card in cards & rank {
                let most = own.best_gain(CardSet::EMPTY.with(card));
                add(first + most.min(7) as usize);
                reach = reach.max(most);
            }
        }
        let jacks = count(self.view.unseen, JACKS).div_ceil(2).min(2) as usize;
        add(OWN_LOSS + 10 * jacks + own.losses.most().min(9) as usize);
        let jack = usize::from(!(cards & JACKS).is_empty());
        add(OTHER_LOSS + 10 * jack + other.losses.most().min(9) as usize);
        let need = |mine: i32, theirs| (self.rules.winning_value(theirs) - mine).max(0);
        let own_need = need(own.value, other.value);
        let other_need = need(other.value, own.value);
        add(NEED + 12 * own_need.min(11) as usize + other_need.min(11) as usize);
        add(LEAD + lead_group(own.value, other.value));
        add(SHORT + (own_need - reach).clamp(0, 8) as usize);
        let (mut cards, mut best) = (0, 0);
        let open = other.square.open();
        for suit in 0..4 {
            for (cell, gain) in other.gains[suit].within(open) {
                best = best.max(gain);
                if gain >= other_need {
                    cards += usize::from(self.unseen[cell.index()][2 + suit]);
                }
            }
        }
        add(OTHER_SHORT + (other_need - best).clamp(0, 8) as usize);
        add(OTHER_WINNING_CARDS + cards.min(6));
    }

    /// Adds the features of the cards in hand, unseen and in the stock.
    fn cards(&self, add: &mut impl FnMut(usize)) {
        add(STOCK + stock_group(self.view.stock_len));
        let [held, unseen] = [self.view.hand, self.view.unseen].map(high_counts);
        for kind in 0..4 {
            add(HELD + 4 * kind + held[kind].min(3));
            add(UNSEEN + 9 * kind + unseen[kind].min(8));
        }
        let [own, other] = self.now.each_ref().map(|now| now.square.face_up());
        add(DEAD + count(self.view.hand, (own & other).cards()).min(9) as usize);
    }
}
