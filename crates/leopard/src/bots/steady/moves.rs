//! The moves, and the best of them.

use super::bounds::{Lines, PlayBounds, RestOfHand, SLACK};
use super::decision::Decision;
use super::lines::Layout;
use super::race::Interval;
use crate::cells::{CardKind, Cell, Cells, JACKS, KINGS, NUMBERS, QUEENS, TENS};
use crate::{Act, Move, Side};
use parlour_base::cards::{Card, CardSet};

/// Calls `visit` with each play and discard of these cards and the end of a turn.
pub(super) fn for_each_move(decision: &Decision<'_>, cards: CardSet, mut visit: impl FnMut(Move)) {
    let Decision { view, rules, now, .. } = decision;
    if view.played {
        visit(Move::END);
    }
    for card in cards {
        let kind = CardKind::of(card);
        let sides = match kind {
            CardKind::Number(_) => [Side::Other, Side::Own],
            _ => Side::BOTH,
        };
        for side in sides {
            for cell in rules.cells(kind, now[side as usize].square, side) {
                visit(Move::lay(side, card, cell));
            }
        }
        if !view.played {
            visit(Move::discard(card));
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

/// The exact value of a move other than a knock. Bounds, if they hold, only save time.
pub(super) fn exact_value(
    decision: &Decision<'_>,
    bounds: Option<&PlayBounds<'_>>,
    mv: Move,
) -> f64 {
    match mv.act() {
        Act::Own(card, cell) => {
            let keep = match CardKind::of(card) {
                CardKind::Number(cell) => decision.keep_number(card, cell),
                kind => decision.keep(kind),
            };
            decision.lay(Side::Own, card, cell) - keep
        }
        Act::Other(card, cell) => {
            let keep = match CardKind::of(card) {
                CardKind::Number(_) => decision.line_value(card),
                kind => decision.keep(kind),
            };
            decision.lay(Side::Other, card, cell) - keep
        }
        Act::Discard(card) => {
            let keep = match CardKind::of(card) {
                CardKind::Number(cell) => {
                    decision.keep_number(card, cell) + decision.line_value(card)
                }
                kind => {
                    let best = best_play(decision, bounds, card, kind);
                    decision.keep(kind) + decision.fade * decision.weights.keep_best * best
                }
            };
            decision.stays_without(card) - keep
        }
        Act::End | Act::Knock => 0.0,
    }
}

/// The value of the best play of a ten or a face card, at least 0.
fn best_play(
    decision: &Decision<'_>,
    bounds: Option<&PlayBounds<'_>>,
    card: Card,
    kind: CardKind,
) -> f64 {
    let mut most = 0.0;
    for side in Side::BOTH {
        for cell in decision.rules.cells(kind, decision.now[side as usize].square, side) {
            if bounds.is_none_or(|bounds| bounds.may_exceed((side, cell), card, most)) {
                most = decision.lay(side, card, cell).max(most);
            }
        }
    }
    most
}

/// The best move other than a knock, the first of equals. `plain` is `true` if bounds hold.
#[inline(always)]
pub(super) fn best(decision: &Decision<'_>, layout: Layout, plain: bool) -> Move {
    // Two jacks, or two queens, do the same.
    let first = |cards: CardSet| CardSet(cards.0 & cards.0.wrapping_neg());
    let hand = decision.view.hand.distinct();
    let faces = CardSet(first(hand & JACKS).0 | first(hand & QUEENS).0);
    let cards = CardSet(hand.0 & !(JACKS.0 | QUEENS.0) | faces.0);
    let deltas = decision.lines.deltas(layout);
    let mut candidates = Candidates {
        decision,
        bounds: &PlayBounds::new(decision, &deltas),
        plain,
        least: f64::NEG_INFINITY,
        open: [NO_CANDIDATE; MOST_OPEN],
        count: 0,
    };
    if plain {
        candidates.offer_all(cards);
    } else {
        for_each_move(decision, cards, |mv| candidates.offer(Interval::UNBOUNDED, mv));
    }
    candidates.choose()
}

/// Has all bits 0, which is the least to write.
const NO_CANDIDATE: Candidate = Candidate {
    most: 0.0,
    mv: Move::lay(Side::Own, Card::from_low_bits(0), Cell::ALL[0]),
    precision: Precision::Bounds,
};

/// Largest number of moves that wait to be valued exactly.
const MOST_OPEN: usize = 16;

/// The moves that may be the best of those offered so far.
struct Candidates<'a> {
    decision: &'a Decision<'a>,
    bounds: &'a PlayBounds<'a>,
    plain: bool,
    /// Lower bound of the value of the best.
    least: f64,
    open: [Candidate; MOST_OPEN],
    count: usize,
}

/// A move that may be the best.
#[derive(Clone, Copy)]
struct Candidate {
    /// Upper bound of the value.
    most: f64,
    mv: Move,
    precision: Precision,
}

/// Precision of a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Precision {
    Bounds,
    /// Exact, rounding aside.
    Rounded,
    Exact,
}

/// A ten or a face card whose plays are offered.
struct HighCard {
    card: Card,
    /// The suit of a card that lies face up.
    suit: Option<usize>,
    rest: RestOfHand,
    keep: f64,
    /// Bounds on the value of its best play, at least 0.
    best: Interval,
}

impl Candidates<'_> {
    /// A move that is worth less is not the best.
    #[inline(always)]
    fn enough(&self) -> f64 {
        self.least - SLACK
    }

    /// Offers a move with bounds on its value.
    #[inline(always)]
    fn offer(&mut self, value: Interval, mv: Move) {
        if cfg!(test) {
            let exactly = exact_value(self.decision, None, mv);
            let within = value.least - SLACK <= exactly && exactly <= value.most + SLACK;
            let Interval { least, most } = value;
            let view = self.decision.view;
            assert!(within, "{mv} is worth {exactly}, not {least} to {most}: {view:?}");
        }
        if value.most >= self.enough() {
            if value.least > self.least {
                self.least = value.least;
            }
            if self.count == MOST_OPEN {
                self.settle();
            }
            let is_known = value.most - value.least < SLACK;
            let precision = if is_known { Precision::Rounded } else { Precision::Bounds };
            self.open[self.count % MOST_OPEN] = Candidate { most: value.most, mv, precision };
            self.count += 1;
        }
    }

    /// Offers all moves of these cards, except those that cannot be the best.
    #[inline(always)]
    fn offer_all(&mut self, cards: CardSet) {
        let played = self.decision.view.played;
        if played {
            self.offer(Interval::ZERO, Move::END);
        }
        let [own, other] = self.decision.now;
        for card in cards & own.square.open().cards() {
            self.lay_number(card);
        }
        for card in cards & other.square.open().cards() {
            self.lay_number_on_other(card);
        }
        // The discard of a number card is never worth more than 0.
        if !played && 0.0 >= self.enough() {
            for card in cards & NUMBERS {
                self.discard_number(card, Cell::of_number(card));
            }
        }
        for card in cards & CardSet(TENS.0 | KINGS.0) {
            self.lay_face_up(card, if TENS.has(card) { CardKind::Ten } else { CardKind::King });
        }
        for card in cards & CardSet(JACKS.0 | QUEENS.0) {
            self.lay_face_down(
                card,
                if JACKS.has(card) { CardKind::Jack } else { CardKind::Queen },
            );
        }
    }

    #[inline(always)]
    fn lay_number(&mut self, card: Card) {
        let cell = Cell::of_number(card);
        let rest = self.bounds.rest(card);
        let value = self.fill((Side::Own, cell), card, &rest, self.enough());
        if value.most >= self.enough() {
            let keep = self.keep_number(card, cell, &rest);
            self.offer(value.minus(keep), Move::lay(Side::Own, card, cell));
        }
    }

    #[inline(always)]
    fn lay_number_on_other(&mut self, card: Card) {
        let cell = Cell::of_number(card);
        let rest = self.bounds.rest(card);
        let harm = self.fill((Side::Other, cell), card, &rest, f64::INFINITY);
        if harm.most >= self.enough() {
            let value = harm.plus(-self.decision.line_value(card));
            self.offer(value, Move::lay(Side::Other, card, cell));
        }
    }

    #[inline(always)]
    fn discard_number(&mut self, card: Card, cell: Cell) {
        let rest = self.bounds.rest(card);
        let gone = self.bounds.without(card, &rest) - self.decision.line_value(card);
        if gone >= self.enough() {
            let keep = self.keep_number(card, cell, &rest);
            self.offer(Interval::ZERO.plus(gone).minus(keep), Move::discard(card));
        }
    }

    /// The value of a number card on its open cell, without its value in hand.
    #[inline(always)]
    fn fill(
        &self,
        (side, cell): (Side, Cell),
        card: Card,
        rest: &RestOfHand,
        enough: f64,
    ) -> Interval {
        let won = self.decision.now[side as usize].gain(card, cell);
        let suit = Some(card.suit().index());
        self.bounds.lay((side, cell), (card, suit), Lines { won, lost: 0 }, rest, enough)
    }

    /// The value of keeping a number card for the harm that it can do.
    #[inline(always)]
    fn keep_number(&self, card: Card, cell: Cell, rest: &RestOfHand) -> Interval {
        if !self.decision.now[1].square.open().has(cell) {
            return Interval::ZERO;
        }
        let harm = self.fill((Side::Other, cell), card, rest, f64::INFINITY);
        let of = |harm| self.decision.keep_harm(card, harm);
        Interval { least: of(harm.least), most: of(harm.most) }
    }

    #[inline(always)]
    fn high_card(&self, card: Card, kind: CardKind) -> HighCard {
        let suit = (!kind.is_face_down()).then_some(card.suit().index());
        let (rest, keep) = (self.bounds.rest(card), self.decision.keep(kind));
        HighCard { card, suit, rest, keep, best: Interval::ZERO }
    }

    /// Offers the moves of a ten or a king.
    #[inline(always)]
    fn lay_face_up(&mut self, card: Card, kind: CardKind) {
        let mut high = self.high_card(card, kind);
        let now = &self.decision.now[0];
        let suit = card.suit().index();
        let cells = if kind == CardKind::Ten { now.square.open() } else { Cells::ALL };
        let won = now.gains[suit].within(cells.without(now.square.suits()[suit])).most();
        self.lay_all(&mut high, (Side::Own, cells), self.bounds.most_laid(suit, won));
        self.discard_high(&high);
    }

    /// Offers the moves of a jack or a queen.
    #[inline(always)]
    fn lay_face_down(&mut self, card: Card, kind: CardKind) {
        let mut high = self.high_card(card, kind);
        let Decision { rules, now: [own, other], .. } = self.decision;
        let cells = rules.cells(kind, own.square, Side::Own);
        self.lay_all(&mut high, (Side::Own, cells), self.bounds.most_opened());
        if kind == CardKind::Jack {
            let most = self.bounds.most_spoilt(other.losses.most(), &high.rest);
            let cells = rules.cells(kind, other.square, Side::Other);
            self.lay_all(&mut high, (Side::Other, cells), most);
        }
        self.discard_high(&high);
    }

    /// Offers a ten or a face card on these cells. No such play is worth more than `most`, which is
    /// mostly too little.
    #[inline(always)]
    fn lay_all(&mut self, high: &mut HighCard, (side, cells): (Side, Cells), most: f64) {
        if cfg!(test) {
            for cell in cells {
                let (exactly, view) =
                    (self.decision.lay(side, high.card, cell), self.decision.view);
                assert!(exactly <= most + SLACK, "{exactly} > {most}: {view:?}");
            }
        }
        if most - high.keep < self.enough() {
            high.best.most = if most > high.best.most { most } else { high.best.most };
            return;
        }
        let now = &self.decision.now[side as usize];
        for cell in cells {
            let won = high.suit.map_or(0, |suit| now.gains[suit].at(cell));
            let lines = Lines { won, lost: now.losses.at(cell) };
            let enough = self.enough() + high.keep;
            let (play, card) = ((side, cell), (high.card, high.suit));
            let value = self.bounds.lay(play, card, lines, &high.rest, enough);
            if value.least > high.best.least {
                high.best.least = value.least;
            }
            if value.most > high.best.most {
                high.best.most = value.most;
            }
            self.offer(value.plus(-high.keep), Move::lay(side, high.card, cell));
        }
    }

    #[inline(always)]
    fn discard_high(&mut self, high: &HighCard) {
        let decision = self.decision;
        if !decision.view.played {
            let share = decision.fade * decision.weights.keep_best;
            let gone = self.bounds.without(high.card, &high.rest) - high.keep;
            let least = gone - share * high.best.most;
            let most = gone - share * high.best.least;
            self.offer(Interval { least, most }, Move::discard(high.card));
        }
    }

    /// The best move; values exactly only where bounds do not decide.
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

    /// Keeps only the best. Values the least precise first, and of these the most promising.
    fn settle(&mut self) {
        loop {
            self.drop_lesser();
            if self.count < 2 {
                return;
            }
            let (mut next, mut candidate) = (0, self.open[0]);
            for (at, other) in self.open[..self.count].iter().enumerate() {
                if (other.precision, candidate.most) < (candidate.precision, other.most) {
                    (next, candidate) = (at, *other);
                }
            }
            if candidate.precision == Precision::Exact {
                break;
            }
            let bounds = self.plain.then_some(self.bounds);
            let value = exact_value(self.decision, bounds, candidate.mv);
            self.least = self.least.max(value);
            self.open[next] = Candidate { most: value, precision: Precision::Exact, ..candidate };
        }
        let mut best = self.open[0];
        for candidate in &self.open[..self.count] {
            let is_better = candidate.most > best.most
                || (candidate.most == best.most && place(candidate.mv) < place(best.mv));
            best = if is_better { *candidate } else { best };
        }
        (self.open[0], self.count) = (best, 1);
    }
}
