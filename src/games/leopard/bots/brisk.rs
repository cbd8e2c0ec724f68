//! A heuristic much faster than steady that plans lines, for playouts.

use super::BriskWeights;
use super::brisk_weights::POINT;
use super::change::{ByCell, gains, losses};
use super::greedy::{JACK, KING, TEN, four};
use super::hopes::{Grades, hopes, numbers_by_suit};
use super::lanes::Lanes;
use crate::cards::{Card, CardSet, Suit};
use crate::chance::Stream;
use crate::game::{Policy, Ruled};
use crate::games::leopard::{Covers, Leopard, Move, Rules, Square, View};

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
    square: Square,
    value: i32,
    points: [ByCell; 4],
    losses: ByCell,
    hopes: [Lanes; 4],
    /// What the face-up card of each cell is worth there; not filled before it is asked for.
    lying: Lanes,
}

impl Side {
    #[inline(always)]
    fn new(square: Square, value: u8, hopes: [Lanes; 4], rules: &Rules) -> Side {
        let points = gains(square, rules);
        let losses = losses(square, &points);
        Side { square, value: value.into(), points, losses, hopes, lying: [0; 16] }
    }

    /// Fills in what lies there.
    #[inline]
    fn look(&mut self) {
        for suit in Suit::ALL {
            let hopes = &self.hopes[suit.index()];
            for cell in Cells(self.square.suit(suit)) {
                self.lying[cell as usize & 15] = hopes[cell as usize & 15];
            }
        }
    }
}

/// The decision at hand.
struct Thought<'a> {
    brisk: &'a Brisk,
    rules: &'a Rules,
    own: Side,
    other: Side,
    /// How the race stands when no value changes.
    still: i32,
    best: i32,
    mv: Move,
}

impl Thought<'_> {
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
            _ => self.race(self.own.value + own, self.other.value + other),
        };
        if worth + race > self.best {
            (self.best, self.mv) = (worth + race, mv);
        }
    }

    #[inline]
    fn number(&mut self, card: Card, single: bool, may_discard: bool) {
        let (index, suit) = (card.index(), card.suit().index());
        let cell = u32::from(index / 4);
        let own_open = self.own.square.open() >> cell & 1 == 1;
        let use_here = if own_open { self.own.hopes[suit][cell as usize].into() } else { 0i32 };
        let held_use = if single { (use_here.max(0) * self.brisk.keep_use) >> 5 } else { 0 };
        let keep = self.brisk.keep_number;
        if own_open {
            let gain = self.own.points[suit].at(cell);
            self.offer(use_here - keep, gain, 0, Move::own(index, cell as u8));
        }
        if self.other.square.open() >> cell & 1 == 1 {
            let hope = i32::from(self.other.hopes[suit][cell as usize]);
            let gain = self.other.points[suit].at(cell);
            self.offer(-hope - keep - held_use, 0, gain, Move::other(index, cell as u8));
        }
        if may_discard {
            self.offer(-keep - held_use, 0, 0, Move::discard(index));
        }
    }

    #[inline]
    fn ten(&mut self, card: Card) {
        let (index, suit) = (card.index(), card.suit().index());
        for cell in Cells(self.own.square.open()) {
            let hope = i32::from(self.own.hopes[suit][cell as usize]);
            let gain = self.own.points[suit].at(cell);
            self.offer(hope - self.brisk.keep[0], gain, 0, Move::own(index, cell as u8));
        }
    }

    #[inline]
    fn king(&mut self, card: Card) {
        let (index, suit) = (card.index(), card.suit().index());
        for cell in Cells(0x1FF) {
            let hope = i32::from(
                self.own.hopes[suit][cell as usize & 15] - self.own.lying[cell as usize & 15],
            );
            let gain = self.own.points[suit].at(cell) - self.own.losses.at(cell);
            self.offer(hope - self.brisk.keep[3], gain, 0, Move::own(index, cell as u8));
        }
    }

    /// A jack or, which lies on the own square only, a queen.
    #[inline]
    fn cover(&mut self, card: Card, is_jack: bool) {
        let any = self.rules.face_down_covers == Covers::Any;
        let cells = |square: Square| if any { 0x1FF } else { square.face_up() };
        let (index, keep) = (card.index(), self.brisk.keep[if is_jack { 1 } else { 2 }]);
        if is_jack {
            for cell in Cells(cells(self.other.square)) {
                let hope = i32::from(self.other.lying[cell as usize & 15]);
                let loss = self.other.losses.at(cell);
                self.offer(hope - keep, 0, -loss, Move::other(index, cell as u8));
            }
        }
        for cell in Cells(cells(self.own.square)) {
            let hope = i32::from(self.own.lying[cell as usize & 15]);
            if hope < 0 {
                let loss = self.own.losses.at(cell);
                self.offer(-hope - keep, -loss, 0, Move::own(index, cell as u8));
            }
        }
    }
}

impl Policy<Leopard> for Brisk {
    #[inline]
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        let rules = game.rules();
        if view.may_knock(rules) {
            let (own, other) = view.knock_scores(rules);
            if own > other {
                return Move::KNOCK;
            }
        }
        let hand = view.hand.distinct().0;
        if hand == 0 {
            return Move::END;
        }
        let held = numbers_by_suit(hand);
        let mut thought = Thought {
            brisk: self,
            rules,
            own: Side::new(
                view.own(),
                view.own_value(),
                hopes(view.own(), held, &self.own, rules),
                rules,
            ),
            other: Side::new(
                view.other(),
                view.other_value(),
                hopes(view.other(), [0; 4], &self.other, rules),
                rules,
            ),
            still: 0,
            best: i32::MIN,
            mv: Move::END,
        };
        thought.still = thought.race(thought.own.value, thought.other.value);
        if view.played {
            thought.best = thought.still;
        }
        let may_discard = !view.played;
        let doubled = view.hand.doubled();
        for card in CardSet(hand & ((1 << TEN) - 1)) {
            thought.number(card, !doubled.has(card), may_discard);
        }
        let court = hand >> TEN;
        if court != 0 {
            for card in four(hand, TEN) {
                thought.ten(card);
            }
            if hand >> JACK != 0 {
                thought.own.look();
            }
            if hand >> JACK & 0xF != 0 {
                thought.other.look();
            }
            // Two jacks, or two queens, do the same.
            for (first, is_jack) in [(JACK, true), (JACK + 4, false)] {
                if let Some(card) = four(hand, first).next() {
                    thought.cover(card, is_jack);
                }
            }
            for card in four(hand, KING) {
                thought.king(card);
            }
            if may_discard {
                for rank in 0..4 {
                    let keep = self.keep[rank];
                    if let Some(card) = four(hand, TEN + 4 * rank as u32).next() {
                        thought.offer(-keep, 0, 0, Move::discard(card.index()));
                    }
                }
            }
        }
        thought.mv
    }
}

/// The cells of a mask, ascending.
struct Cells(u32);

impl Iterator for Cells {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        if self.0 == 0 {
            return None;
        }
        let cell = self.0.trailing_zeros();
        self.0 &= self.0 - 1;
        Some(cell)
    }
}
