//! What each move is worth: at most, which is cheap, and exactly.

use super::decision::Decision;
use super::race::Most;
use crate::cards::{Card, CardSet};
use crate::games::leopard::cells::{Cell, JACKS, KINGS, Kind, NUMBERS, QUEENS, TENS};
use crate::games::leopard::{Act, Move, Side};

/// Who is told of moves.
pub(super) trait Tell {
    /// What is worth less need not be told.
    fn least(&self) -> f64;

    /// A move and what it is worth at most.
    fn tell(&mut self, decision: &Decision<'_>, most: Most, mv: Move);
}

impl Decision<'_> {
    /// Tells what each play and discard of these cards is worth at most, and the end of a turn.
    /// A play that can only be worse than the best so far may be left out.
    #[inline(always)]
    pub fn each(&self, cards: CardSet, to: &mut impl Tell) {
        if self.view.played {
            to.tell(self, Most { most: 0.0, sure: true }, Move::END);
        }
        for card in cards & NUMBERS {
            self.each_number(card, Cell::of_number(card), to);
        }
        for card in cards & TENS {
            self.each_anywhere(card, Kind::Ten, Some(card.suit().index()), to);
        }
        for card in cards & JACKS {
            self.each_anywhere(card, Kind::Jack, None, to);
        }
        for card in cards & QUEENS {
            self.each_anywhere(card, Kind::Queen, None, to);
        }
        for card in cards & KINGS {
            self.each_anywhere(card, Kind::King, Some(card.suit().index()), to);
        }
    }

    #[inline(always)]
    fn each_number(&self, card: Card, cell: Cell, to: &mut impl Tell) {
        let (still, suit) = (&self.still(card), Some(card.suit().index()));
        let lost = self.lost(card, cell);
        let mut keep = Most { most: 0.0, sure: true };
        if self.now[1].square.open().has(cell) {
            let Most { most, sure } = self.lay_most(Side::Other, cell, suit, still);
            to.tell(self, Most { most: most - lost, sure }, Move::lay(Side::Other, card, cell));
            // At least.
            let harm = self.keep_harm(card, most);
            keep = Most { most: if sure { harm } else { harm.min(0.0) }, sure };
        }
        if self.now[0].square.open().has(cell) {
            let Most { most, sure } = self.lay_most(Side::Own, cell, suit, still);
            let most = Most { most: most - keep.most, sure: sure && keep.sure };
            to.tell(self, most, Move::lay(Side::Own, card, cell));
        }
        if !self.view.played {
            let most = still.stays - self.still.stays - (keep.most + lost);
            to.tell(self, Most { most, sure: keep.sure }, Move::discard(card));
        }
    }

    #[inline(always)]
    fn each_anywhere(&self, card: Card, kind: Kind, suit: Option<usize>, to: &mut impl Tell) {
        let (still, keep) = (&self.still(card), self.keep(kind));
        let mut best = 0.0;
        for side in Side::BOTH {
            if side == Side::Other && kind != Kind::Jack {
                continue;
            }
            let square = self.now[side as usize].square;
            let mut cells = self.rules.cells(kind, square, side);
            if side == Side::Own {
                let (quiet, most) = self.own_quiet(cells, suit, still);
                if most - keep < to.least() {
                    cells = cells.without(quiet);
                    best = if most > best { most } else { best };
                }
            }
            for cell in cells {
                let Most { most, sure } = self.lay_most(side, cell, suit, still);
                best = if most > best { most } else { best };
                to.tell(self, Most { most: most - keep, sure }, Move::lay(side, card, cell));
            }
        }
        if !self.view.played {
            let share = self.fade * self.weights.keep_best;
            let sure = best == 0.0;
            let best = if share >= 0.0 { 0.0 } else { best };
            let most = still.stays - self.still.stays - (keep + share * best);
            to.tell(self, Most { most, sure }, Move::discard(card));
        }
    }

    /// What a move is worth that is no knock.
    pub fn worth(&self, mv: Move) -> f64 {
        match mv.act() {
            Act::Own(card, cell) => {
                let keep = match Kind::of(card) {
                    Kind::Number(cell) => self.keep_number(card, cell),
                    kind => self.keep(kind),
                };
                self.lay(Side::Own, card, cell) - keep
            }
            Act::Other(card, cell) => {
                let keep = match Kind::of(card) {
                    Kind::Number(cell) => self.lost(card, cell),
                    kind => self.keep(kind),
                };
                self.lay(Side::Other, card, cell) - keep
            }
            Act::Discard(card) => {
                let keep = match Kind::of(card) {
                    Kind::Number(cell) => self.keep_number(card, cell) + self.lost(card, cell),
                    kind => self.keep(kind) + self.fade * self.weights.keep_best * self.most(card),
                };
                self.still(card).stays - self.still.stays - keep
            }
            Act::End | Act::Knock => 0.0,
        }
    }

    /// What a number card in hand is worth to the lines of the own square.
    #[inline(always)]
    fn lost(&self, card: Card, cell: Cell) -> f64 {
        let lost = self.lines.lose(cell, card.suit().index(), self.hand, self.weights);
        -self.weights.own_hope * lost
    }

    /// What a number card is worth keeping that would do the other's square so much harm.
    #[inline(always)]
    fn keep_harm(&self, card: Card, harm: f64) -> f64 {
        let single = !self.view.hand.doubled().has(card);
        if single { self.fade * self.weights.keep_harm * harm.max(0.0) } else { 0.0 }
    }

    /// What a number card is worth keeping.
    fn keep_number(&self, card: Card, cell: Cell) -> f64 {
        if !self.now[1].square.open().has(cell) {
            return 0.0;
        }
        let suit = Some(card.suit().index());
        let Most { most, sure } = self.lay_most(Side::Other, cell, suit, &self.still(card));
        self.keep_harm(card, if sure { most } else { self.lay(Side::Other, card, cell) })
    }

    /// What a ten or a face card is worth keeping.
    #[inline(always)]
    fn keep(&self, kind: Kind) -> f64 {
        let weights = self.weights;
        let hope = |side: usize| self.lines.points[side] - f64::from(self.now[side].value);
        let keep = match kind {
            Kind::Ten => weights.keep_ten,
            Kind::Jack => weights.keep_jack + weights.keep_jack_hope * hope(1),
            Kind::Queen => weights.keep_queen,
            _ => weights.keep_king + weights.keep_king_hope * hope(0),
        };
        self.fade * keep
    }

    /// The most that a ten or a face card could do now; not less than nothing.
    fn most(&self, card: Card) -> f64 {
        let (kind, still) = (Kind::of(card), &self.still(card));
        let suit = (!kind.is_face_down()).then_some(card.suit().index());
        let mut most = 0.0;
        for side in Side::BOTH {
            for cell in self.rules.cells(kind, self.now[side as usize].square, side) {
                if self.lay_most(side, cell, suit, still).most > most {
                    most = self.lay(side, card, cell).max(most);
                }
            }
        }
        most
    }
}
