//! A heuristic for playouts that values lines, in whole numbers.

use super::BriskWeights;
use super::brisk_lines::{Grades, Lanes, line_values};
use super::weights::POINT;
use crate::cells::{CardKind, Cell, Cells, JACKS, KINGS, NUMBERS, QUEENS, TENS};
use crate::gains::SquareGains;
use crate::{Leopard, Move, Rules, Side, View};
use parlour_base::cards::{Card, Suit};
use parlour_base::chance::Stream;
use parlour_base::simd::dispatch;
use parlour_game::{Policy, Ruled};

/// Values each move by the lines that it makes, extends and blocks, by the squares after it, and by
/// the card's value in hand. It knocks if its score would be higher. All numbers are whole, and
/// nine cells are computed at a time.
#[derive(Clone, Debug)]
pub struct Brisk {
    /// By side: for colours and for suits.
    grades: [[Grades; 2]; 2],
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
    /// Creates a player with these weights.
    ///
    /// # Errors
    /// One sentence for each fault of the weights.
    pub fn new(weights: BriskWeights) -> Result<Brisk, Vec<String>> {
        let (w, faults) = (&weights, weights.faults());
        if !faults.is_empty() {
            return Err(faults);
        }
        let own_colors = [w.own_done, w.own_color_two, w.own_color_one, w.own_color_ready, 0.0];
        let own_suits = [w.own_done, w.own_two, w.own_one, w.own_ready, w.own_plan];
        let other_colors = [w.other_done, w.other_color_two, w.other_color_one, 0.0, 0.0];
        let other_suits = [w.other_done, w.other_two, w.other_one, 0.0, 0.0];
        let grades = [[own_colors, own_suits], [other_colors, other_suits]];
        Ok(Brisk {
            grades: grades.map(|side| side.map(|grades| grades.map(part))),
            keep_number: part(w.keep_number).into(),
            keep_use: part(w.keep_use).into(),
            keep: [w.keep_ten, w.keep_jack, w.keep_queen, w.keep_king].map(|w| part(w).into()),
            threat: part(w.threat).into(),
            danger: part(w.danger).into(),
            looming: part(w.looming).into(),
            poised: part(w.poised).into(),
        })
    }
}

/// A square and the value of each card on it.
struct SquarePlan {
    now: SquareGains,
    line_values: [Lanes; 4],
    /// Value of the face-up card of each cell; filled on demand.
    lying: Lanes,
}

impl SquarePlan {
    #[inline(always)]
    fn new(view: &View, side: Side, held: [Cells; 4], brisk: &Brisk, rules: &Rules) -> SquarePlan {
        let now = SquareGains::new(view.square(side), rules);
        let line_values = line_values(now.square, held, &brisk.grades[side as usize], rules);
        SquarePlan { now, line_values, lying: [0; 16] }
    }

    /// The value of a card for the lines through an open cell.
    #[inline(always)]
    fn line_value(&self, card: Card, cell: Cell) -> i32 {
        self.line_values[card.suit().index()][cell.index() & 15].into()
    }

    /// The value of the card that lies on a cell.
    #[inline(always)]
    fn lying(&self, cell: Cell) -> i32 {
        self.lying[cell.index() & 15].into()
    }

    /// Fills in the values of the cards that lie there.
    #[inline]
    fn fill_lying(&mut self) {
        for suit in Suit::ALL {
            let line_values = &self.line_values[suit.index()];
            for cell in self.now.square.suit(suit) {
                self.lying[cell.index() & 15] = line_values[cell.index() & 15];
            }
        }
    }
}

/// The decision in progress.
struct Chooser<'a> {
    brisk: &'a Brisk,
    rules: &'a Rules,
    own: SquarePlan,
    other: SquarePlan,
    /// Value of the race if no square changes.
    still: i32,
    best: i32,
    mv: Move,
}

impl Chooser<'_> {
    #[inline(always)]
    fn plan(&self, side: Side) -> &SquarePlan {
        if side == Side::Own { &self.own } else { &self.other }
    }

    /// The value of the race with these square values and the other seat to move.
    #[inline]
    fn race(&self, own: i32, other: i32) -> i32 {
        let step = i32::from(self.rules.suit_line);
        let mut value = 0;
        if self.rules.knock_wins(own, other) {
            value += self.brisk.threat;
        } else if self.rules.knock_wins(own + step, other) {
            value += self.brisk.poised;
        }
        if self.rules.knock_wins(other, own) {
            value -= self.brisk.danger;
        } else if self.rules.knock_wins(other + step, own) {
            value -= self.brisk.looming;
        }
        value
    }

    /// Offers a move with its value and its changes of both square values.
    #[inline]
    fn offer(&mut self, value: i32, own: i32, other: i32, mv: Move) {
        let race = match (own, other) {
            (0, 0) => self.still,
            _ => self.race(self.own.now.value + own, self.other.now.value + other),
        };
        if value + race > self.best {
            (self.best, self.mv) = (value + race, mv);
        }
    }

    #[inline]
    fn number(&mut self, card: Card, single: bool, may_discard: bool) {
        let cell = Cell::of_number(card);
        let own_open = self.own.now.square.open().has(cell);
        let use_here = if own_open { self.own.line_value(card, cell) } else { 0 };
        let held_use = if single { (use_here.max(0) * self.brisk.keep_use) >> 5 } else { 0 };
        let keep = self.brisk.keep_number;
        if own_open {
            let gain = self.own.now.gain(card, cell);
            self.offer(use_here - keep, gain, 0, Move::lay(Side::Own, card, cell));
        }
        let other = &self.other;
        if other.now.square.open().has(cell) {
            let (line_value, gain) = (other.line_value(card, cell), other.now.gain(card, cell));
            self.offer(-line_value - keep - held_use, 0, gain, Move::lay(Side::Other, card, cell));
        }
        if may_discard {
            self.offer(-keep - held_use, 0, 0, Move::Discard(card));
        }
    }

    /// Offers a ten or a face card, with its value in hand, on each cell where it may be laid.
    #[inline(always)]
    fn anywhere(&mut self, side: Side, card: Card, kind: CardKind, keep: i32) {
        for cell in self.rules.cells(kind, self.plan(side).now.square, side) {
            let plan = self.plan(side);
            let (mut line_value, mut gain) = match kind {
                CardKind::Ten => (0, 0),
                _ => (-plan.lying(cell), -plan.now.losses.at(cell)),
            };
            if !kind.is_face_down() {
                line_value += plan.line_value(card, cell);
                gain += plan.now.gain(card, cell);
            }
            let mv = Move::lay(side, card, cell);
            match side {
                // Covering a card of value has no use.
                Side::Own if kind.is_face_down() && line_value <= 0 => {}
                Side::Own => self.offer(line_value - keep, gain, 0, mv),
                Side::Other => self.offer(-line_value - keep, 0, gain, mv),
            }
        }
    }
}

impl Policy<Leopard> for Brisk {
    #[inline]
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        dispatch(
            #[inline(always)]
            || self.choose(game.rules(), view),
        )
    }
}

impl Brisk {
    /// The move, compiled for the registers of the caller.
    #[inline(always)]
    fn choose(&self, rules: &Rules, view: &View) -> Move {
        if view.knock_wins(rules) {
            return Move::Knock;
        }
        let hand = view.hand.distinct();
        if hand.is_empty() {
            return Move::End;
        }
        let mut chooser = Chooser {
            brisk: self,
            rules,
            own: SquarePlan::new(view, Side::Own, Cells::by_suit(hand), self, rules),
            other: SquarePlan::new(view, Side::Other, [Cells::NONE; 4], self, rules),
            still: 0,
            best: i32::MIN,
            mv: Move::End,
        };
        chooser.still = chooser.race(chooser.own.now.value, chooser.other.now.value);
        if view.played {
            chooser.best = chooser.still;
        }
        let may_discard = !view.played;
        let doubled = view.hand.doubled();
        for card in hand & NUMBERS {
            chooser.number(card, !doubled.has(card), may_discard);
        }
        let [ten, jack, queen, king] = self.keep;
        for card in hand & TENS {
            chooser.anywhere(Side::Own, card, CardKind::Ten, ten);
        }
        let (jacks, queens, kings) = (hand & JACKS, hand & QUEENS, hand & KINGS);
        if !(jacks.is_empty() && queens.is_empty() && kings.is_empty()) {
            chooser.own.fill_lying();
        }
        // Two jacks, or two queens, do the same.
        if let Some(card) = { jacks }.next() {
            chooser.other.fill_lying();
            chooser.anywhere(Side::Other, card, CardKind::Jack, jack);
            chooser.anywhere(Side::Own, card, CardKind::Jack, jack);
        }
        if let Some(card) = { queens }.next() {
            if rules.queens_on.includes(Side::Other) {
                chooser.other.fill_lying();
                chooser.anywhere(Side::Other, card, CardKind::Queen, queen);
            }
            chooser.anywhere(Side::Own, card, CardKind::Queen, queen);
        }
        for card in kings {
            chooser.anywhere(Side::Own, card, CardKind::King, king);
        }
        if may_discard {
            for (cards, keep) in [TENS, JACKS, QUEENS, KINGS].into_iter().zip(self.keep) {
                if let Some(card) = (hand & cards).next() {
                    chooser.offer(-keep, 0, 0, Move::Discard(card));
                }
            }
        }
        chooser.mv
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;
    use parlour_game::{Game, Turn};

    #[test]
    fn the_wider_registers_change_no_move() {
        let (rules, mut positions) = (Rules::REVISED, 0);
        let game = Leopard::new(&rules).unwrap();
        let brisk = Brisk::new(BriskWeights::default()).unwrap();
        for hand in 0..200 {
            let mut chance = Seed::new(hand).stream();
            let mut state = game.deal(&mut chance);
            while let Turn::Seat(seat) = game.turn(&state) {
                let view = game.view(&state, seat);
                let mv = brisk.pick(&game, &view, &mut chance);
                assert_eq!(brisk.choose(&rules, &view), mv, "{view:?}");
                game.apply(&mut state, mv, &mut chance);
                positions += 1;
            }
        }
        assert!(positions > 5_000, "{positions}");
    }
}
