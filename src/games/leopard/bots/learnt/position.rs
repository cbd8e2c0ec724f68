//! A position as the seat that has just moved knows it, and its rows.

use super::codes::Classes;
use super::rows::{
    DEAD, HELD, KING_GAIN, LEAD, NEED, OTHER_CARDS, OTHER_CODES, OTHER_COLOR, OTHER_GAIN,
    OTHER_SHORT, OTHER_SUIT, OTHER_WORST, OWN_COLOR, OWN_COLOR_CODES, OWN_GAIN, OWN_SUIT,
    OWN_SUIT_CODES, OWN_WORST, SHORT, STOCK, Sink, TEN_GAIN, UNSEEN,
};
use super::scene::{Scene, Side, by_suit};
use crate::cards::{Pile, Suit};
use crate::games::leopard::bots::change::ByCell;
use crate::games::leopard::bots::greedy::{JACK, KING, TEN, four, numbers};

/// Four suits, then black and red.
pub(super) const GOALS: usize = 6;

/// The suits of each colour.
const COLORS: [[usize; 2]; 2] = [[0, 3], [1, 2]];

/// The position after a move.
#[derive(Clone, Copy)]
pub(super) struct Position<'a> {
    pub scene: &'a Scene<'a>,
    pub own: Side,
    pub other: Side,
    pub hand: Pile,
    /// For each suit, the cells whose number card is held.
    pub held: [u32; 4],
    /// The cards in the stock.
    pub stock: u8,
}

impl<'a> Position<'a> {
    pub fn new(scene: &'a Scene<'a>, own: Side, other: Side, hand: Pile, stock: u8) -> Self {
        Position { scene, own, other, hand, held: by_suit(hand.distinct().0), stock }
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
        (0..9).fold(Classes::default(), |all, cell| all.with(cell, self.own_class(goal, cell)))
    }

    /// What each cell of the other is to a goal.
    #[inline]
    pub fn other_classes(&self, goal: usize) -> Classes {
        (0..9).fold(Classes::default(), |all, cell| all.with(cell, self.other_class(goal, cell)))
    }

    #[inline(always)]
    pub fn own_class(&self, goal: usize, cell: usize) -> usize {
        let (scene, square) = (self.scene, self.own.square);
        let has = |cells: u32| cells >> cell & 1 == 1;
        if goal < 4 {
            let held = has(self.held[goal]);
            match () {
                () if has(square.suit(Suit::ALL[goal])) => 0,
                () if has(square.face_up()) => 6 - usize::from(held),
                () if held => 1,
                () => 4 - usize::from(has(scene.once[goal])) - usize::from(has(scene.twice[goal])),
            }
        } else {
            let [a, b] = COLORS[goal - 4];
            match () {
                () if has(square.suit(Suit::ALL[a]) | square.suit(Suit::ALL[b])) => 0,
                () if has(square.face_up()) => 5,
                () if has(self.held[a] | self.held[b]) => 1,
                () => 4 - scene.few(a, b, cell),
            }
        }
    }

    #[inline(always)]
    pub fn other_class(&self, goal: usize, cell: usize) -> usize {
        let (scene, square) = (self.scene, self.other.square);
        let has = |cells: u32| cells >> cell & 1 == 1;
        let held = |suit: usize| self.held[suit & 3];
        let (fits, guard, unseen) = if goal < 4 {
            let once = usize::from(has(scene.once[goal]));
            (
                square.suit(Suit::ALL[goal]),
                held(goal + 1) | held(goal + 2) | held(goal + 3),
                once + usize::from(has(scene.twice[goal])),
            )
        } else {
            let [a, b] = COLORS[goal - 4];
            (
                square.suit(Suit::ALL[a]) | square.suit(Suit::ALL[b]),
                held(a ^ 1) | held(b ^ 1),
                scene.few(a, b, cell),
            )
        };
        match () {
            () if has(fits) => 0,
            () if has(square.face_up()) => 7,
            () => 3 - unseen + 3 * usize::from(has(guard)),
        }
    }

    /// What number cards would give at once on the own square.
    #[inline]
    pub fn own_gains(&self, sink: &mut impl Sink) {
        let open = self.own.square.open();
        for suit in 0..4 {
            for (cell, points) in self.own.gains[suit].within(open) {
                let class = self.own_class(suit, cell as usize);
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
            let unseen = self.scene.once[suit];
            for (cell, points) in self.other.gains[suit].within(open & unseen) {
                // Once or twice unseen, unguarded or guarded.
                let class = match self.other_class(suit, cell as usize) {
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
        let (own, other, scene) = (&self.own, &self.other, self.scene);
        let mut reach = 0;
        let open = own.square.open();
        let cards = self.hand.distinct().0;
        for suit in 0..4 {
            reach = reach.max(most(own.gains[suit].within(open & self.held[suit])));
        }
        for card in four(cards, TEN) {
            let most = most(own.gains[card.suit().index()].within(open));
            sink.add(TEN_GAIN + most.min(7) as usize);
            reach = reach.max(most);
        }
        for card in four(cards, KING) {
            let gains = own.gains[card.suit().index()];
            let most = gains.fold(0, |most, (cell, gain)| most.max(gain - own.losses.at(cell)));
            sink.add(KING_GAIN + most.min(7) as usize);
            reach = reach.max(most);
        }
        let jacks = usize::from(scene.unseen_courts[0].div_ceil(2).min(2));
        sink.add(OWN_WORST + 10 * jacks + most(own.losses).min(9) as usize);
        let jack = usize::from(!four(cards, JACK).is_empty());
        sink.add(OTHER_WORST + 10 * jack + most(other.losses).min(9) as usize);
        let own_need = scene.need(own.value, other.value);
        let other_need = scene.need(other.value, own.value);
        sink.add(NEED + 12 * own_need.min(11) as usize + other_need.min(11) as usize);
        sink.add(LEAD + ((own.value - other.value).clamp(-12, 12) + 12) as usize);
        sink.add(SHORT + (own_need - reach).clamp(0, 8) as usize);
        let (mut cards, mut best) = (0, 0);
        let open = other.square.open();
        for suit in 0..4 {
            for (cell, gain) in other.gains[suit].within(open) {
                best = best.max(gain);
                if gain >= other_need {
                    cards += (scene.once[suit] >> cell & 1) + (scene.twice[suit] >> cell & 1);
                }
            }
        }
        sink.add(OTHER_SHORT + (other_need - best).clamp(0, 8) as usize);
        sink.add(OTHER_CARDS + cards.min(6) as usize);
    }

    /// The cards held, unseen and to come.
    #[inline]
    pub fn cards(&self, sink: &mut impl Sink) {
        let stock = usize::from(self.stock);
        sink.add(STOCK + if stock < 10 { stock } else { (10 + (stock - 10) / 4).min(31) });
        let (once, twice) = (self.hand.distinct().0, self.hand.doubled().0);
        for (kind, first) in [JACK, JACK + 4, KING, TEN].into_iter().enumerate() {
            let count = four(once, first).len() + four(twice, first).len();
            sink.add(HELD + 4 * kind + count.min(3) as usize);
            sink.add(UNSEEN + 9 * kind + usize::from(self.scene.unseen_courts[kind].min(8)));
        }
        let closed = self.own.square.face_up() & self.other.square.face_up();
        let dead = numbers(once, closed).len() + numbers(twice, closed).len();
        sink.add(DEAD + dead.min(9) as usize);
    }
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

#[inline]
pub(super) fn most(points: ByCell) -> i32 {
    points.fold(0, |best, (_, points)| best.max(points))
}
