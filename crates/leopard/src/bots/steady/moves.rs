//! The moves, and the best of them.

use fearless_simd::Simd;

use super::bounds::{Between, Bounds, SLACK};
use super::courts::Court;
use super::decision::Decision;
use super::hopes::Hopes;
use super::standings::{Left, Lines, Standings};
use crate::cards::{Card, CardSet};
use crate::cells::{Cell, JACKS, KINGS, Kind, NUMBERS, QUEENS, TENS};
use crate::{Act, Move, Side};

/// Tells each play and discard of these cards and the end of a turn.
pub(super) fn each(decision: &Decision<'_>, cards: CardSet, mut tell: impl FnMut(Move)) {
    let Decision { view, rules, now, .. } = decision;
    if view.played {
        tell(Move::END);
    }
    for card in cards {
        let kind = Kind::of(card);
        let sides = match kind {
            Kind::Number(_) => [Side::Other, Side::Own],
            _ => Side::BOTH,
        };
        for side in sides {
            for cell in rules.cells(kind, now[side as usize].square, side) {
                tell(Move::lay(side, card, cell));
            }
        }
        if !view.played {
            tell(Move::discard(card));
        }
    }
}

/// The place of a move in that order.
fn place(mv: Move) -> usize {
    let of = |card: Card, at: usize| 1 + 32 * usize::from(card.index()) + at;
    match mv.act() {
        Act::Own(card, cell) => of(card, if NUMBERS.has(card) { 10 } else { cell.index() }),
        Act::Other(card, cell) => of(card, if NUMBERS.has(card) { 0 } else { 9 + cell.index() }),
        Act::Discard(card) => of(card, 18),
        Act::End | Act::Knock => 0,
    }
}

/// The best of the moves that are not a knock, of equals the first told; `plain` says whether bounds
/// hold.
#[inline(always)]
pub(super) fn best<L: Simd>(lanes: L, decision: &Decision<'_>, plain: bool) -> Move {
    // Two jacks, or two queens, do the same.
    let first = |cards: CardSet| CardSet(cards.0 & cards.0.wrapping_neg());
    let hand = decision.view.hand.distinct();
    let faces = CardSet(first(hand & JACKS).0 | first(hand & QUEENS).0);
    let cards = CardSet(hand.0 & !(JACKS.0 | QUEENS.0) | faces.0);
    let hopes = Hopes::new(lanes, decision.lie, decision.changes);
    let (ends, standings) = (hopes.ends(lanes), Standings::new(decision));
    let mut offers = Offers {
        decision,
        bounds: &Bounds::new(decision, (&hopes, ends), &standings),
        plain,
        least: f64::NEG_INFINITY,
        open: [NO_OFFER; MANY],
        count: 0,
    };
    if plain {
        offers.all(cards);
    } else {
        each(decision, cards, |mv| offers.offer(Between::ANY, mv));
    }
    offers.choose()
}

/// All bits nought, which is the least to write.
const NO_OFFER: Offer = Offer {
    most: 0.0,
    mv: Move::lay(Side::Own, Card::from_low_bits(0), Cell::ALL[0]),
    known: Known::Within,
};

/// So many moves wait at most to be weighed.
const MANY: usize = 16;

/// The best move of those that were offered.
pub(super) struct Offers<'a> {
    pub decision: &'a Decision<'a>,
    pub bounds: &'a Bounds<'a>,
    plain: bool,
    /// What the best is worth at least.
    least: f64,
    /// Moves that may be the best.
    open: [Offer; MANY],
    count: usize,
}

/// A move that may be the best.
#[derive(Clone, Copy)]
struct Offer {
    /// What it is worth at most.
    most: f64,
    mv: Move,
    known: Known,
}

/// How well it is known what a move is worth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Known {
    /// Within its bounds.
    Within,
    /// But for rounding.
    Nearly,
    /// It was weighed.
    Exactly,
}

impl Offers<'_> {
    /// What is worth less at most is not the best.
    #[inline(always)]
    pub fn enough(&self) -> f64 {
        self.least - SLACK
    }

    /// A move, and what it is worth.
    #[inline(always)]
    pub fn offer(&mut self, worth: Between, mv: Move) {
        if cfg!(test) {
            let exactly = self.decision.worth(None, mv);
            let within = worth.least - SLACK <= exactly && exactly <= worth.most + SLACK;
            assert!(
                within,
                "{mv} is worth {exactly}, not {} to {}: {:?}",
                worth.least, worth.most, self.decision.view
            );
        }
        if worth.most >= self.enough() {
            if worth.least > self.least {
                self.least = worth.least;
            }
            if self.count == MANY {
                self.settle();
            }
            let is_known = worth.most - worth.least < SLACK;
            let known = if is_known { Known::Nearly } else { Known::Within };
            self.open[self.count % MANY] = Offer { most: worth.most, mv, known };
            self.count += 1;
        }
    }

    /// All moves of these cards, but those that cannot be the best.
    #[inline(always)]
    fn all(&mut self, cards: CardSet) {
        let played = self.decision.view.played;
        if played {
            self.offer(Between::NOTHING, Move::END);
        }
        let [own, other] = self.decision.now;
        for card in cards & own.square.open().cards() {
            self.lay_number(card);
        }
        for card in cards & other.square.open().cards() {
            self.harm_by(card);
        }
        // To discard a number card is never worth more than nothing.
        if !played && 0.0 >= self.enough() {
            for card in cards & NUMBERS {
                self.discard_number(card, Cell::of_number(card));
            }
        }
        // Each way compiled once, as a processor keeps only so much of a program at hand.
        for card in cards & CardSet(TENS.0 | KINGS.0) {
            Court::lay_up(self, card, if TENS.has(card) { Kind::Ten } else { Kind::King });
        }
        for card in cards & CardSet(JACKS.0 | QUEENS.0) {
            Court::lay_down(self, card, if JACKS.has(card) { Kind::Jack } else { Kind::Queen });
        }
    }

    /// On the own square.
    #[inline(always)]
    fn lay_number(&mut self, card: Card) {
        let cell = Cell::of_number(card);
        let left = self.bounds.standings.left(card);
        let worth = self.fill((Side::Own, cell), card, &left, self.enough());
        if worth.most >= self.enough() {
            let keep = self.keep_number(card, cell, &left);
            self.offer(worth.minus(keep), Move::lay(Side::Own, card, cell));
        }
    }

    /// On the other's.
    #[inline(always)]
    fn harm_by(&mut self, card: Card) {
        let cell = Cell::of_number(card);
        let left = self.bounds.standings.left(card);
        let harm = self.fill((Side::Other, cell), card, &left, f64::INFINITY);
        if harm.most >= self.enough() {
            let worth = harm.plus(-self.decision.lost(card));
            self.offer(worth, Move::lay(Side::Other, card, cell));
        }
    }

    #[inline(always)]
    fn discard_number(&mut self, card: Card, cell: Cell) {
        let left = self.bounds.standings.left(card);
        let gone = self.bounds.standings.without(card, &left) - self.decision.lost(card);
        if gone >= self.enough() {
            let keep = self.keep_number(card, cell, &left);
            self.offer(Between::NOTHING.plus(gone).minus(keep), Move::discard(card));
        }
    }

    /// What it is worth to lay a number card on its cell, which is open; what the card is worth in the
    /// hand is not counted.
    #[inline(always)]
    fn fill(&self, (side, cell): (Side, Cell), card: Card, left: &Left, enough: f64) -> Between {
        let won = self.decision.now[side as usize].gain(card, cell);
        let suit = Some(card.suit().index());
        self.bounds.lay((side, cell), (card, suit), Lines { won, lost: 0 }, left, enough)
    }

    /// What a number card is worth keeping, for the harm that it can do.
    #[inline(always)]
    fn keep_number(&self, card: Card, cell: Cell, left: &Left) -> Between {
        if !self.decision.now[1].square.open().has(cell) {
            return Between::NOTHING;
        }
        let harm = self.fill((Side::Other, cell), card, left, f64::INFINITY);
        let of = |harm| self.decision.keep_harm(card, harm);
        Between { least: of(harm.least), most: of(harm.most) }
    }

    /// The best, weighed only where bounds do not tell.
    #[inline(always)]
    fn choose(&mut self) -> Move {
        self.drop_lesser();
        if self.count > 1 {
            self.settle();
        }
        if self.count == 0 { Move::END } else { self.open[0].mv }
    }

    /// Keeps those that may be the best.
    #[inline(always)]
    fn drop_lesser(&mut self) {
        let mut left = 0;
        for at in 0..self.count {
            if self.open[at].most >= self.enough() {
                self.open[left] = self.open[at];
                left += 1;
            }
        }
        self.count = left;
    }

    /// Keeps the best alone. Weighs what is least known first, and of that the most promising, and
    /// what is known but for rounding only where others may be as good.
    fn settle(&mut self) {
        loop {
            self.drop_lesser();
            if self.count < 2 {
                return;
            }
            let (mut next, mut offer) = (0, self.open[0]);
            for (at, other) in self.open[..self.count].iter().enumerate() {
                if (other.known, offer.most) < (offer.known, other.most) {
                    (next, offer) = (at, *other);
                }
            }
            if offer.known == Known::Exactly {
                break;
            }
            let worth = self.decision.worth(self.plain.then_some(self.bounds), offer.mv);
            self.least = self.least.max(worth);
            self.open[next] = Offer { most: worth, known: Known::Exactly, ..offer };
        }
        let mut best = self.open[0];
        for offer in &self.open[..self.count] {
            let is_better = offer.most > best.most
                || (offer.most == best.most && place(offer.mv) < place(best.mv));
            best = if is_better { *offer } else { best };
        }
        (self.open[0], self.count) = (best, 1);
    }
}
