//! A heuristic much faster than steady that plans lines, for playouts.

use super::BriskWeights;
use super::brisk_lines::{Grades, Lanes, hopes};
use super::gains::Side as Gains;
use super::weights::POINT;
use crate::cards::{Card, Suit};
use crate::chance::Stream;
use crate::game::{Policy, Ruled};
use crate::games::leopard::cells::{
    Cell, Cells, JACKS, KINGS, Kind, NUMBERS, QUEENS, TENS,
};
use crate::games::leopard::{Leopard, Move, Rules, Side as Whose, Square, View};

/// Weighs for each move the lines that it makes, furthers and blocks, by how many of their cells
/// fit, the exact values after it, and what the card is worth in hand; knocks when its score
/// would then be the higher one. All in whole numbers, nine cells at a time.
#[derive(Clone, Debug)]
pub struct Brisk {
    weights: BriskWeights,
    own: [Grades; 2],
    other: [Grades; 2],
    keep_number: i32,
    /// In parts of a point.
    keep_use: i32,
    /// Tens, jacks, queens, kings.
    keep: [i32; 4],
    threat: i32,
    danger: i32,
    looming: i32,
    poised: i32,
}

fn part(weight: f64) -> i16 {
    (weight * POINT).round() as i16
}

impl Brisk {
    /// A player with these weights.
    ///
    /// # Errors
    /// Everything that is wrong with them, a sentence each.
    pub fn new(weights: BriskWeights) -> Result<Brisk, Vec<String>> {
        let faults = weights.faults();
        if !faults.is_empty() {
            return Err(faults);
        }
        let w = &weights;
        let grades = |done, two, one, ready, plan| Grades {
            done: part(done),
            two: part(two),
            one: part(one),
            ready: part(ready),
            plan: part(plan),
        };
        Ok(Brisk {
            own: [
                grades(w.own_done, w.own_color_two, w.own_color_one, w.own_color_ready, 0.0),
                grades(w.own_done, w.own_two, w.own_one, w.own_ready, w.own_plan),
            ],
            other: [
                grades(w.other_done, w.other_color_two, w.other_color_one, 0.0, 0.0),
                grades(w.other_done, w.other_two, w.other_one, 0.0, 0.0),
            ],
            keep_number: part(w.keep_number).into(),
            keep_use: part(w.keep_use).into(),
            keep: [w.keep_ten, w.keep_jack, w.keep_queen, w.keep_king].map(|w| part(w).into()),
            threat: part(w.threat).into(),
            danger: part(w.danger).into(),
            looming: part(w.looming).into(),
            poised: part(w.poised).into(),
            weights,
        })
    }

    /// The weights it goes by.
    pub fn weights(&self) -> &BriskWeights {
        &self.weights
    }
}

/// One side: its square and what each card brings on it.
struct Side {
    now: Gains,
    hopes: [Lanes; 4],
    /// What the face-up card of each cell is worth there; not filled before it is asked for.
    lying: Lanes,
}

impl Side {
    #[inline(always)]
    fn new(square: Square, value: u8, hopes: [Lanes; 4], rules: &Rules) -> Side {
        Side { now: Gains::new(square, value.into(), rules), hopes, lying: [0; 16] }
    }

    /// What a card brings to the lines through an open cell.
    #[inline(always)]
    fn hope(&self, card: Card, cell: Cell) -> i32 {
        self.hopes[card.suit().index()][cell.index() & 15].into()
    }

    /// What lies on a cell is worth this there.
    #[inline(always)]
    fn lying(&self, cell: Cell) -> i32 {
        self.lying[cell.index() & 15].into()
    }

    /// Fills in what lies there.
    #[inline]
    fn look(&mut self) {
        for suit in Suit::ALL {
            let hopes = &self.hopes[suit.index()];
            for cell in self.now.square.suit(suit) {
                self.lying[cell.index() & 15] = hopes[cell.index() & 15];
            }
        }
    }
}

/// The decision at hand.
struct Decision<'a> {
    brisk: &'a Brisk,
    rules: &'a Rules,
    own: Side,
    other: Side,
    /// How the race stands when no value changes.
    still: i32,
    best: i32,
    mv: Move,
}

impl Decision<'_> {
    /// Whether a seat with this value may knock and wins by it.
    #[inline]
    fn wins(&self, mine: i32, theirs: i32) -> bool {
        mine >= i32::from(self.rules.knock_at)
            && self.rules.score(mine as u8, true, true)
                > self.rules.score(theirs as u8, true, false)
    }

    /// How the race stands with these values, the other to move.
    #[inline]
    fn race(&self, own: i32, other: i32) -> i32 {
        let step = i32::from(self.rules.suit_line);
        let mut worth = 0;
        if self.wins(own, other) {
            worth += self.brisk.threat;
        } else if self.wins(own + step, other) {
            worth += self.brisk.poised;
        }
        if self.wins(other, own) {
            worth -= self.brisk.danger;
        } else if self.wins(other + step, own) {
            worth -= self.brisk.looming;
        }
        worth
    }

    /// Offers a move that is worth so much and changes the two values.
    #[inline]
    fn offer(&mut self, worth: i32, own: i32, other: i32, mv: Move) {
        let race = match (own, other) {
            (0, 0) => self.still,
            _ => self.race(self.own.now.value + own, self.other.now.value + other),
        };
        if worth + race > self.best {
            (self.best, self.mv) = (worth + race, mv);
        }
    }

    #[inline]
    fn number(&mut self, card: Card, single: bool, may_discard: bool) {
        let cell = Cell::of_number(card);
        let own_open = self.own.now.square.open().has(cell);
        let use_here = if own_open { self.own.hope(card, cell) } else { 0 };
        let held_use = if single { (use_here.max(0) * self.brisk.keep_use) >> 5 } else { 0 };
        let keep = self.brisk.keep_number;
        if own_open {
            let gain = self.own.now.gain(card, cell);
            self.offer(use_here - keep, gain, 0, Move::own(card, cell));
        }
        if self.other.now.square.open().has(cell) {
            let (hope, gain) = (self.other.hope(card, cell), self.other.now.gain(card, cell));
            self.offer(-hope - keep - held_use, 0, gain, Move::other(card, cell));
        }
        if may_discard {
            self.offer(-keep - held_use, 0, 0, Move::discard(card));
        }
    }

    #[inline]
    fn ten(&mut self, card: Card) {
        for cell in self.own.now.square.open() {
            let (hope, gain) = (self.own.hope(card, cell), self.own.now.gain(card, cell));
            self.offer(hope - self.brisk.keep[0], gain, 0, Move::own(card, cell));
        }
    }

    #[inline]
    fn king(&mut self, card: Card) {
        for cell in Cells::ALL {
            let hope = self.own.hope(card, cell) - self.own.lying(cell);
            let gain = self.own.now.gain(card, cell) - self.own.now.losses.at(cell);
            self.offer(hope - self.brisk.keep[3], gain, 0, Move::own(card, cell));
        }
    }

    /// A jack or, which lies on the own square only, a queen.
    #[inline]
    fn cover(&mut self, card: Card, kind: Kind) {
        let keep = self.brisk.keep[if kind == Kind::Jack { 1 } else { 2 }];
        for cell in self.rules.cells(kind, self.other.now.square, Whose::Other) {
            let (hope, loss) = (self.other.lying(cell), self.other.now.losses.at(cell));
            self.offer(hope - keep, 0, -loss, Move::other(card, cell));
        }
        for cell in self.rules.cells(kind, self.own.now.square, Whose::Own) {
            let hope = self.own.lying(cell);
            if hope < 0 {
                let loss = self.own.now.losses.at(cell);
                self.offer(-hope - keep, -loss, 0, Move::own(card, cell));
            }
        }
    }
}

impl Policy<Leopard> for Brisk {
    #[inline]
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        let rules = game.rules();
        if view.knock_wins(rules) {
            return Move::KNOCK;
        }
        let hand = view.hand.distinct();
        if hand.is_empty() {
            return Move::END;
        }
        let (own, other) = (view.own(), view.other());
        let own_hopes = hopes(own, Cells::by_suit(hand), &self.own, rules);
        let other_hopes = hopes(other, [Cells::NONE; 4], &self.other, rules);
        let mut decision = Decision {
            brisk: self,
            rules,
            own: Side::new(own, view.own_value(), own_hopes, rules),
            other: Side::new(other, view.other_value(), other_hopes, rules),
            still: 0,
            best: i32::MIN,
            mv: Move::END,
        };
        decision.still = decision.race(decision.own.now.value, decision.other.now.value);
        if view.played {
            decision.best = decision.still;
        }
        let may_discard = !view.played;
        let doubled = view.hand.doubled();
        for card in hand & NUMBERS {
            decision.number(card, !doubled.has(card), may_discard);
        }
        for card in hand & TENS {
            decision.ten(card);
        }
        let (jacks, kings) = (hand & JACKS, hand & KINGS);
        if !(jacks.is_empty() && (hand & QUEENS).is_empty() && kings.is_empty()) {
            decision.own.look();
        }
        if !jacks.is_empty() {
            decision.other.look();
        }
        // Two jacks, or two queens, do the same.
        for (mut cards, kind) in [(jacks, Kind::Jack), (hand & QUEENS, Kind::Queen)] {
            if let Some(card) = cards.next() {
                decision.cover(card, kind);
            }
        }
        for card in kings {
            decision.king(card);
        }
        if may_discard {
            for (cards, keep) in [TENS, JACKS, QUEENS, KINGS].into_iter().zip(self.keep) {
                if let Some(card) = (hand & cards).next() {
                    decision.offer(-keep, 0, 0, Move::discard(card));
                }
            }
        }
        decision.mv
    }
}
