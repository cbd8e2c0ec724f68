//! A position as the seat that has just moved knows it, and its rows.

use super::rows::{
    Classes, DEAD, HELD, KING_GAIN, LEAD, NEED, OTHER_CARDS, OTHER_CODES, OTHER_COLOR, OTHER_GAIN,
    OTHER_SHORT, OTHER_SUIT, OTHER_WORST, OWN_COLOR, OWN_COLOR_CODES, OWN_GAIN, OWN_SUIT,
    OWN_SUIT_CODES, OWN_WORST, SHORT, STOCK, Sink, TEN_GAIN, UNSEEN,
};
use crate::cards::{CardSet, Pile, Suit};
use crate::games::leopard::bots::gains::Side;
use crate::games::leopard::cells::{Cell, Cells, JACKS, KINGS, QUEENS, TENS};
use crate::games::leopard::{Rules, View};

/// The cards that are counted by rank, in the order of their rows.
const COURTS: [CardSet; 4] = [JACKS, QUEENS, KINGS, TENS];

/// What stays the same for all moves of one decision: the rules, and what is unseen.
pub(super) struct Unseen<'a> {
    pub rules: &'a Rules,
    /// For each suit, the cells whose number card is unseen at least once.
    pub once: [Cells; 4],
    /// The same for two copies.
    pub twice: [Cells; 4],
    /// How many jacks, queens, kings and tens are unseen.
    pub courts: [u8; 4],
}

impl<'a> Unseen<'a> {
    pub fn new(view: &View, rules: &'a Rules) -> Unseen<'a> {
        let (once, twice) = (view.unseen.distinct(), view.unseen.doubled());
        let count = |rank| ((once & rank).len() + (twice & rank).len()) as u8;
        Unseen {
            rules,
            once: Cells::by_suit(once),
            twice: Cells::by_suit(twice),
            courts: COURTS.map(count),
        }
    }

    /// Of the number cards of two suits for a cell: 2 when at least three are unseen, 1 when at
    /// least one is, 0 when none.
    #[inline(always)]
    pub fn few(&self, a: usize, b: usize, cell: Cell) -> usize {
        let has = |cells: Cells| usize::from(cells.has(cell));
        let count = has(self.once[a]) + has(self.twice[a]) + has(self.once[b]) + has(self.twice[b]);
        count.div_ceil(2)
    }

    /// How many points a seat lacks to win by a knock.
    #[inline]
    pub fn need(&self, mine: i32, theirs: i32) -> i32 {
        let rules = self.rules;
        let enough = i32::from(rules.knock_at).max(theirs + i32::from(rules.knock_penalty) + 1);
        (enough - mine).max(0)
    }
}

/// Four suits, then black and red.
pub(super) const GOALS: usize = 6;

/// The suits of each colour.
const COLORS: [[usize; 2]; 2] = [[0, 3], [1, 2]];

/// The position after a move.
#[derive(Clone, Copy)]
pub(super) struct Position<'a> {
    pub unseen: &'a Unseen<'a>,
    pub own: Side,
    pub other: Side,
    pub hand: Pile,
    /// For each suit, the cells whose number card is held.
    pub held: [Cells; 4],
    /// The cards in the stock.
    pub stock: u8,
}

impl<'a> Position<'a> {
    pub fn new(unseen: &'a Unseen<'a>, own: Side, other: Side, hand: Pile, stock: u8) -> Self {
        Position { unseen, own, other, hand, held: Cells::by_suit(hand.distinct()), stock }
    }

    /// All rows.
    pub fn rows(&self, sink: &mut impl Sink) {
        for goal in 0..GOALS {
            let (own, other) = (self.own_classes(goal), self.other_classes(goal));
            own_lines(goal, own, sink);
            other_lines(goal, other, sink);
        }
        self.own_gains(sink);
        self.other_gains(sink);
        self.race(sink);
        self.cards(sink);
    }

    /// What each own cell is to a goal.
    #[inline]
    pub fn own_classes(&self, goal: usize) -> Classes {
        classes(|cell| self.own_class(goal, cell))
    }

    /// What each cell of the other is to a goal.
    #[inline]
    pub fn other_classes(&self, goal: usize) -> Classes {
        classes(|cell| self.other_class(goal, cell))
    }

    #[inline(always)]
    pub fn own_class(&self, goal: usize, cell: Cell) -> usize {
        let (unseen, square) = (self.unseen, self.own.square);
        let has = |cells: Cells| cells.has(cell);
        if goal < 4 {
            let held = has(self.held[goal]);
            match () {
                () if has(square.suit(Suit::ALL[goal])) => 0,
                () if has(square.face_up()) => 6 - usize::from(held),
                () if held => 1,
                () => 4 - usize::from(has(unseen.once[goal])) - usize::from(has(unseen.twice[goal])),
            }
        } else {
            let [a, b] = COLORS[goal - 4];
            match () {
                () if has(square.suit(Suit::ALL[a]) | square.suit(Suit::ALL[b])) => 0,
                () if has(square.face_up()) => 5,
                () if has(self.held[a] | self.held[b]) => 1,
                () => 4 - unseen.few(a, b, cell),
            }
        }
    }

    #[inline(always)]
    pub fn other_class(&self, goal: usize, cell: Cell) -> usize {
        let (unseen, square) = (self.unseen, self.other.square);
        let has = |cells: Cells| cells.has(cell);
        let held = |suit: usize| self.held[suit & 3];
        let (fits, guard, left) = if goal < 4 {
            let once = usize::from(has(unseen.once[goal]));
            (
                square.suit(Suit::ALL[goal]),
                held(goal + 1) | held(goal + 2) | held(goal + 3),
                once + usize::from(has(unseen.twice[goal])),
            )
        } else {
            let [a, b] = COLORS[goal - 4];
            (
                square.suit(Suit::ALL[a]) | square.suit(Suit::ALL[b]),
                held(a ^ 1) | held(b ^ 1),
                unseen.few(a, b, cell),
            )
        };
        match () {
            () if has(fits) => 0,
            () if has(square.face_up()) => 7,
            () => 3 - left + 3 * usize::from(has(guard)),
        }
    }

    /// What number cards would give at once on the own square.
    #[inline]
    pub fn own_gains(&self, sink: &mut impl Sink) {
        let open = self.own.square.open();
        for suit in 0..4 {
            for (cell, points) in self.own.gains[suit].within(open) {
                let class = self.own_class(suit, cell);
                if class < 4 {
                    sink.add(OWN_GAIN + 8 * (class - 1) + points.clamp(1, 8) as usize - 1);
                }
            }
        }
    }

    /// What unseen number cards would give at once on the other's square.
    #[inline]
    pub fn other_gains(&self, sink: &mut impl Sink) {
        let open = self.other.square.open();
        for suit in 0..4 {
            let unseen = self.unseen.once[suit];
            for (cell, points) in self.other.gains[suit].within(open & unseen) {
                // Once or twice unseen, unguarded or guarded.
                let class = match self.other_class(suit, cell) {
                    class @ (1 | 2) => class - 1,
                    class => class - 2,
                };
                sink.add(OTHER_GAIN + 8 * class + points.clamp(1, 8) as usize - 1);
            }
        }
    }

    /// How near both are to a winning knock.
    #[inline]
    pub fn race(&self, sink: &mut impl Sink) {
        let (own, other, unseen) = (&self.own, &self.other, self.unseen);
        let mut reach = 0;
        let open = own.square.open();
        let cards = self.hand.distinct();
        for suit in 0..4 {
            reach = reach.max(own.gains[suit].within(open & self.held[suit]).most());
        }
        for card in cards & TENS {
            let most = own.of(card).within(open).most();
            sink.add(TEN_GAIN + most.min(7) as usize);
            reach = reach.max(most);
        }
        for card in cards & KINGS {
            let net = own.of(card).map(|(cell, gain)| gain - own.losses.at(cell));
            let most = net.fold(0, i32::max);
            sink.add(KING_GAIN + most.min(7) as usize);
            reach = reach.max(most);
        }
        let jacks = usize::from(unseen.courts[0].div_ceil(2).min(2));
        sink.add(OWN_WORST + 10 * jacks + own.losses.most().min(9) as usize);
        let jack = usize::from(!(cards & JACKS).is_empty());
        sink.add(OTHER_WORST + 10 * jack + other.losses.most().min(9) as usize);
        let own_need = unseen.need(own.value, other.value);
        let other_need = unseen.need(other.value, own.value);
        sink.add(NEED + 12 * own_need.min(11) as usize + other_need.min(11) as usize);
        sink.add(LEAD + ((own.value - other.value).clamp(-12, 12) + 12) as usize);
        sink.add(SHORT + (own_need - reach).clamp(0, 8) as usize);
        let (mut cards, mut best) = (0, 0);
        let open = other.square.open();
        for suit in 0..4 {
            for (cell, gain) in other.gains[suit].within(open) {
                best = best.max(gain);
                if gain >= other_need {
                    cards += usize::from(unseen.once[suit].has(cell));
                    cards += usize::from(unseen.twice[suit].has(cell));
                }
            }
        }
        sink.add(OTHER_SHORT + (other_need - best).clamp(0, 8) as usize);
        sink.add(OTHER_CARDS + cards.min(6));
    }

    /// The cards held, unseen and to come.
    #[inline]
    pub fn cards(&self, sink: &mut impl Sink) {
        let stock = usize::from(self.stock);
        sink.add(STOCK + if stock < 10 { stock } else { (10 + (stock - 10) / 4).min(31) });
        let (once, twice) = (self.hand.distinct(), self.hand.doubled());
        for (kind, rank) in COURTS.into_iter().enumerate() {
            let count = (once & rank).len() + (twice & rank).len();
            sink.add(HELD + 4 * kind + count.min(3) as usize);
            sink.add(UNSEEN + 9 * kind + usize::from(self.unseen.courts[kind].min(8)));
        }
        let closed = self.own.square.face_up() & self.other.square.face_up();
        let dead = (once & closed.cards()).len() + (twice & closed.cards()).len();
        sink.add(DEAD + dead.min(9) as usize);
    }
}

/// The class of each cell.
#[inline(always)]
fn classes(class: impl Fn(Cell) -> usize) -> Classes {
    let mut all = Classes::default();
    for cell in Cell::ALL {
        all = all.with(cell.index(), class(cell));
    }
    all
}

/// The rows of the own lines for a goal.
#[inline(always)]
pub(super) fn own_lines(goal: usize, classes: Classes, sink: &mut impl Sink) {
    if goal < 4 {
        OWN_SUIT_CODES.each(classes, |code| sink.add(OWN_SUIT + code));
    } else {
        OWN_COLOR_CODES.each(classes, |code| sink.add(OWN_COLOR + code));
    }
}

/// The rows of the other's lines for a goal.
#[inline(always)]
pub(super) fn other_lines(goal: usize, classes: Classes, sink: &mut impl Sink) {
    let group = if goal < 4 { OTHER_SUIT } else { OTHER_COLOR };
    OTHER_CODES.each(classes, |code| sink.add(group + code));
}
