//! The whole state of a hand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::cells::{CardKind, Cell};
use super::{Covers, Move, Plays, Rules, Square};
use parlour_base::cards::{Card, Pile};
use parlour_base::chance::Stream;
use parlour_game::Seat;

/// State of a hand: open, or the way in which it ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "LeopardEnd")]
pub enum End {
    /// The hand goes on.
    #[default]
    Open,
    /// This seat knocked.
    Knock(Seat),
    /// The stock and both hands ran out.
    Exhausted,
}

/// The whole state of one hand, hidden cards included.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct State {
    pub(super) hands: [Pile; 2],
    pub(super) stock: Pile,
    pub(super) squares: [Square; 2],
    /// The values of the squares, updated with them.
    pub(super) values: [u8; 2],
    /// Number of cards in each hand.
    pub(super) held: [u8; 2],
    pub(super) stock_len: u8,
    /// The seat to move, or the one that was when the hand ended.
    pub(super) seat: Seat,
    /// `true` if a play has been made in this turn, which goes on.
    pub(super) played: bool,
    pub(super) end: End,
}

/// The source of drawn cards, and an observer of moves.
pub(super) trait Deck {
    /// `true` if each turn draws one card and the next turn still finds one. Then nobody runs out
    /// of cards, and hand sizes, which are known, are not counted.
    const LASTS: bool = false;

    /// Takes one card out of the stock of `len` cards.
    fn draw(&mut self, stock: &mut Pile, len: u8) -> Card;

    /// `true` if the seats exchange their cards.
    fn is_exchanged(&self) -> bool {
        false
    }

    /// Leaves out the next card of the deck.
    fn skip(&mut self) {}

    /// Observes that a card was laid on the other square or the own. The squares now have these
    /// values.
    #[inline(always)]
    fn laid(&mut self, _on_other: bool, _values: [u8; 2]) {}

    /// Observes a move that uses no card: a knock, or the end of a turn.
    #[inline(always)]
    fn idle(&mut self) {}
}

impl Deck for Stream {
    #[inline]
    fn draw(&mut self, stock: &mut Pile, len: u8) -> Card {
        stock.draw(u32::from(len), self)
    }

    fn is_exchanged(&self) -> bool {
        Stream::is_exchanged(self)
    }

    fn skip(&mut self) {
        self.bits();
    }
}

/// A deck that draws from a stream and records the cards.
pub(super) struct RecordingDeck {
    pub stream: Stream,
    pub drawn: SmallVec<[Card; 4]>,
}

impl Deck for RecordingDeck {
    fn draw(&mut self, stock: &mut Pile, len: u8) -> Card {
        let card = Deck::draw(&mut self.stream, stock, len);
        self.drawn.push(card);
        card
    }

    fn is_exchanged(&self) -> bool {
        self.stream.is_exchanged()
    }

    fn skip(&mut self) {
        self.stream.skip();
    }
}

impl State {
    /// Deals two hands; the first seat is to move and has not drawn yet.
    #[inline]
    pub(super) fn dealt(rules: &Rules, deck: &mut impl Deck) -> State {
        let stock = rules.deck.pile();
        let mut state = State { stock, stock_len: stock.len() as u8, ..State::default() };
        let is_exchanged = deck.is_exchanged();
        for seat in [is_exchanged, !is_exchanged] {
            state.draw(seat.into(), rules.hand_size, deck);
        }
        if is_exchanged {
            // Then each seat draws what the other would have drawn a turn earlier or later.
            (0..rules.draw).for_each(|_| deck.skip());
        }
        state
    }

    /// A seat draws up to `count` cards.
    #[inline(always)]
    pub(super) fn draw<D: Deck>(&mut self, seat: usize, count: u8, deck: &mut D) {
        for _ in 0..count {
            if !D::LASTS && self.stock_len == 0 {
                return;
            }
            let card = deck.draw(&mut self.stock, self.stock_len);
            self.stock_len -= 1;
            self.hands[seat].add(card);
            if !D::LASTS {
                self.held[seat] += 1;
            }
        }
    }

    /// Starts the turn of the seat to move: it draws. If it then has neither card nor knock, it is
    /// passed over.
    #[inline(always)]
    pub(super) fn begin_turn<D: Deck>(&mut self, rules: &Rules, deck: &mut D) {
        self.played = false;
        let seat = self.seat.side();
        if D::LASTS || self.stock_len > 0 {
            self.draw(seat, rules.draw, deck);
        } else if self.held[seat] == 0 && self.values[seat] < rules.knock_at {
            // The other seat has cards, or the hand would have ended.
            self.seat = self.seat.other();
        }
    }

    #[inline]
    pub(super) fn play(&mut self, rules: &Rules, mv: Move, deck: &mut impl Deck) {
        self.act(rules, mv, deck);
    }

    #[inline(always)]
    pub(super) fn act<D: Deck>(&mut self, rules: &Rules, act: Move, deck: &mut D) {
        let seat = self.seat.side();
        match act {
            Move::Own(card, _) | Move::Other(card, _) | Move::Discard(card) => {
                self.hands[seat].remove(card);
                if !D::LASTS {
                    self.held[seat] -= 1;
                }
            }
            Move::End => deck.idle(),
            Move::Knock => {
                deck.idle();
                self.end = End::Knock(self.seat);
                return;
            }
        }
        // Each side apart, so that the square lies in a known place.
        match act {
            Move::Own(card, cell) => {
                self.lay(rules, seat, card, cell);
                deck.laid(false, self.values);
            }
            Move::Other(card, cell) => {
                self.lay(rules, seat ^ 1, card, cell);
                deck.laid(true, self.values);
            }
            _ => {}
        }
        if !D::LASTS && self.stock_len == 0 && self.held == [0, 0] {
            self.end = End::Exhausted;
            return;
        }
        if rules.plays == Plays::Many && matches!(act, Move::Own(..) | Move::Other(..)) {
            self.played = true;
            return;
        }
        self.seat = self.seat.other();
        self.begin_turn(rules, deck);
    }

    #[inline(always)]
    fn lay(&mut self, rules: &Rules, at: usize, card: Card, cell: Cell) {
        let square = &mut self.squares[at];
        square.put(card, cell);
        if rules.face_down_covers == Covers::Card {
            square.set_face_down(cell, CardKind::of(card).is_face_down());
        }
        self.values[at] = square.value(rules) as u8;
    }

    /// The square of a seat.
    pub fn square(&self, seat: Seat) -> Square {
        self.squares[seat.index()]
    }

    /// The value of a seat's square.
    pub fn value(&self, seat: Seat) -> u8 {
        self.values[seat.index()]
    }

    /// The cards of a seat.
    pub fn hand(&self, seat: Seat) -> Pile {
        self.hands[seat.index()]
    }

    /// The cards not yet drawn.
    pub fn stock(&self) -> Pile {
        self.stock
    }

    /// State of the hand: open, or the way in which it ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// The points of a seat if the hand ended now, or as it has ended.
    #[inline]
    pub(super) fn score(&self, rules: &Rules, seat: Seat) -> i32 {
        let knocked = matches!(self.end, End::Knock(_));
        rules.score(self.values[seat.side()], knocked, self.end == End::Knock(seat))
    }
}
