//! A position as the seat that has just moved knows it, and its rows.

use super::rows::{
    Classes, DEAD, HELD, KING_GAIN, LEAD, LINE_ROWS, NEED, OTHER_CARDS, OTHER_GAIN, OTHER_SHORT,
    OTHER_WORST, OWN_GAIN, OWN_WORST, SHORT, STOCK, TEN_GAIN, UNSEEN,
};
use crate::bots::steady::{Fillers, GOALS};
use crate::cards::{CardSet, Pile, Suit};
use crate::cells::{Cell, Cells, JACKS, KINGS, QUEENS, TENS, count};
use crate::gains::Outlook;
use crate::{Rules, Side, View};

/// The cards that are counted by rank, in the order of their rows.
const COURTS: [CardSet; 4] = [JACKS, QUEENS, KINGS, TENS];

/// What stays the same for all moves of one decision: the rules, and what is unseen.
pub(super) struct Unseen<'a> {
    pub rules: &'a Rules,
    pub fillers: Fillers,
    /// How many jacks, queens, kings and tens are unseen.
    pub courts: [u8; 4],
}

impl<'a> Unseen<'a> {
    pub fn new(view: &View, rules: &'a Rules) -> Unseen<'a> {
        let courts = COURTS.map(|rank| count(view.unseen, rank) as u8);
        Unseen { rules, fillers: Fillers::of(view.unseen), courts }
    }

    /// How many number cards of a suit for a cell are unseen; of the two suits of a colour 2 when
    /// at least three are, 1 when at least one is.
    #[inline(always)]
    fn left(&self, goal: usize, cell: Cell) -> usize {
        let count = usize::from(self.fillers.numbers[cell.index()][goal]);
        if goal < 2 { count.div_ceil(2) } else { count }
    }
}

/// The suits that fit each goal.
const FIT: [[usize; 2]; GOALS] = [[0, 3], [1, 2], [0; 2], [1; 2], [2; 2], [3; 2]];

/// The suits that do not.
const SPOIL: [[usize; 3]; GOALS] =
    [[1, 2, 2], [0, 3, 3], [1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]];

/// The position after a move.
#[derive(Clone, Copy)]
pub(super) struct Position<'a> {
    pub unseen: &'a Unseen<'a>,
    /// By side.
    pub now: [Outlook; 2],
    pub hand: Pile,
    /// For each suit, the cells whose number card is held.
    pub held: [Cells; 4],
    /// The cards in the stock.
    pub stock: u8,
}

impl<'a> Position<'a> {
    /// What the seat sees whose view this is, with so many cards in the stock.
    pub fn new(unseen: &'a Unseen<'a>, view: &View, stock: u8) -> Self {
        let (now, held) = (Outlook::both(view, unseen.rules), Cells::by_suit(view.hand.distinct()));
        Position { unseen, now, hand: view.hand, held, stock }
    }

    /// All rows.
    pub fn rows(&self, tell: &mut impl FnMut(usize)) {
        for side in Side::BOTH {
            for goal in 0..GOALS {
                lines(side, goal, self.classes(side, goal), tell);
            }
        }
        self.gains(Side::Own, tell);
        self.gains(Side::Other, tell);
        self.race(tell);
        self.cards(tell);
    }

    /// What each cell of a side is to a goal.
    #[inline(always)]
    pub fn classes(&self, side: Side, goal: usize) -> Classes {
        let mut all = Classes::default();
        for cell in Cell::ALL {
            all = all.with(cell.index(), self.class(side, goal, cell));
        }
        all
    }

    /// What a cell of a side is to a goal.
    #[inline(always)]
    pub fn class(&self, side: Side, goal: usize, cell: Cell) -> usize {
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
            Side::Own => 4 - self.unseen.left(goal, cell),
            Side::Other => {
                let [a, b, c] = SPOIL[goal].map(|suit| self.held[suit]);
                3 - self.unseen.left(goal, cell) + 3 * usize::from((a | b | c).has(cell))
            }
        }
    }

    /// What number cards would give at once on a side.
    pub fn gains(&self, side: Side, tell: &mut impl FnMut(usize)) {
        let now = &self.now[side as usize];
        for suit in 0..4 {
            for (cell, points) in now.gains[suit].within(now.square.open()) {
                let rows = match (side, self.class(side, 2 + suit, cell)) {
                    (Side::Own, class @ 1..4) => OWN_GAIN + 8 * (class - 1),
                    // Once or twice unseen, unguarded or guarded.
                    (Side::Other, class @ (1 | 2)) => OTHER_GAIN + 8 * (class - 1),
                    (Side::Other, class @ (4 | 5)) => OTHER_GAIN + 8 * (class - 2),
                    // No such card is left.
                    _ => continue,
                };
                tell(rows + points.clamp(1, 8) as usize - 1);
            }
        }
    }

    /// How near both are to a winning knock.
    pub fn race(&self, tell: &mut impl FnMut(usize)) {
        let ([own, other], unseen) = (&self.now, self.unseen);
        let mut reach = 0;
        let open = own.square.open();
        let cards = self.hand.distinct();
        for suit in 0..4 {
            reach = reach.max(own.gains[suit].within(open & self.held[suit]).most());
        }
        for card in cards & TENS {
            let most = own.of(card).within(open).most();
            tell(TEN_GAIN + most.min(7) as usize);
            reach = reach.max(most);
        }
        for card in cards & KINGS {
            let net = own.of(card).map(|(cell, gain)| gain - own.losses.at(cell));
            let most = net.fold(0, i32::max);
            tell(KING_GAIN + most.min(7) as usize);
            reach = reach.max(most);
        }
        let jacks = usize::from(unseen.courts[0].div_ceil(2).min(2));
        tell(OWN_WORST + 10 * jacks + own.losses.most().min(9) as usize);
        let jack = usize::from(!(cards & JACKS).is_empty());
        tell(OTHER_WORST + 10 * jack + other.losses.most().min(9) as usize);
        let need = |mine: i32, theirs| (unseen.rules.winning_value(theirs) - mine).max(0);
        let own_need = need(own.value, other.value);
        let other_need = need(other.value, own.value);
        tell(NEED + 12 * own_need.min(11) as usize + other_need.min(11) as usize);
        tell(LEAD + ((own.value - other.value).clamp(-12, 12) + 12) as usize);
        tell(SHORT + (own_need - reach).clamp(0, 8) as usize);
        let (mut cards, mut best) = (0, 0);
        let open = other.square.open();
        for suit in 0..4 {
            for (cell, gain) in other.gains[suit].within(open) {
                best = best.max(gain);
                if gain >= other_need {
                    cards += usize::from(unseen.fillers.numbers[cell.index()][2 + suit]);
                }
            }
        }
        tell(OTHER_SHORT + (other_need - best).clamp(0, 8) as usize);
        tell(OTHER_CARDS + cards.min(6));
    }

    /// The cards held, unseen and to come.
    pub fn cards(&self, tell: &mut impl FnMut(usize)) {
        let stock = usize::from(self.stock);
        tell(STOCK + if stock < 10 { stock } else { (10 + (stock - 10) / 4).min(31) });
        for (kind, rank) in COURTS.into_iter().enumerate() {
            tell(HELD + 4 * kind + count(self.hand, rank).min(3) as usize);
            tell(UNSEEN + 9 * kind + usize::from(self.unseen.courts[kind].min(8)));
        }
        let [own, other] = self.now.map(|now| now.square.face_up());
        tell(DEAD + count(self.hand, (own & other).cards()).min(9) as usize);
    }
}

/// The rows of the lines on a side for a goal.
#[inline(always)]
pub(super) fn lines(side: Side, goal: usize, classes: Classes, tell: &mut impl FnMut(usize)) {
    let (codes, start) = &LINE_ROWS[side as usize][usize::from(goal < 2)];
    codes.each(classes, |code| tell(start + code));
}
