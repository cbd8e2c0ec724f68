//! The truth of one hand.

use super::cells::Cell;
use super::{Act, Move, Plays, Rules, Square};
use crate::cards::{Card, Pile};
use crate::chance::Stream;
use crate::game::Seat;

/// Whether and how a hand has ended.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "LeopardEnd")]
pub enum End {
    /// It goes on.
    Open,
    /// This seat knocked.
    Knock(Seat),
    /// The stock and both hands ran out.
    Exhausted,
}

/// The whole truth of one hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) hands: [Pile; 2],
    pub(super) stock: Pile,
    pub(super) squares: [Square; 2],
    /// The value of each square, kept while the squares change.
    pub(super) values: [u8; 2],
    /// How many cards each hand holds.
    pub(super) held: [u8; 2],
    pub(super) stock_len: u8,
    /// The seat whose turn it is, or was when the hand ended.
    pub(super) seat: Seat,
    /// Whether a play has been made in this turn, which goes on.
    pub(super) played: bool,
    pub(super) end: End,
}

/// Where drawn cards come from, and who watches where they go.
pub(super) trait Deck {
    /// Whether each turn draws one card, and the next one still finds a card. Then nobody runs out
    /// of cards, and the hands, whose sizes are known, are not counted.
    const LASTS: bool = false;

    /// Takes one card out of the stock of `len` cards.
    fn draw(&mut self, stock: &mut Pile, len: u8) -> Card;

    /// A card was laid, on the square of the other seat or the own; the squares now have these
    /// values.
    #[inline(always)]
    fn laid(&mut self, _on_other: bool, _values: [u8; 2]) {}

    /// A move was made that uses no card: a knock, or the end of a turn.
    #[inline(always)]
    fn idle(&mut self) {}
}

impl Deck for Stream {
    #[inline]
    fn draw(&mut self, stock: &mut Pile, len: u8) -> Card {
        stock.draw(u32::from(len), self)
    }
}

impl State {
    /// Two hands dealt, the first seat's turn, nothing drawn yet.
    #[inline]
    pub(super) fn dealt(rules: &Rules, deck: &mut impl Deck) -> State {
        let mut state = State {
            hands: [Pile::EMPTY; 2],
            stock: Pile::TWO_DECKS,
            squares: [Square::EMPTY; 2],
            values: [0; 2],
            held: [0; 2],
            stock_len: 104,
            seat: Seat(0),
            played: false,
            end: End::Open,
        };
        for seat in 0..2 {
            state.draw(seat, rules.hand_size, deck);
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

    /// The start of the turn of the seat whose turn it now is: it draws; if it then has neither
    /// card nor knock it is passed over.
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
        self.act(rules, mv.act(), deck);
    }

    #[inline(always)]
    pub(super) fn act<D: Deck>(&mut self, rules: &Rules, act: Act, deck: &mut D) {
        let seat = self.seat.side();
        match act {
            Act::Own(card, _) | Act::Other(card, _) | Act::Discard(card) => {
                self.hands[seat].remove(card);
                if !D::LASTS {
                    self.held[seat] -= 1;
                }
            }
            Act::End => deck.idle(),
            Act::Knock => {
                deck.idle();
                self.end = End::Knock(self.seat);
                return;
            }
        }
        // Each side apart, so that the square lies in a known place.
        match act {
            Act::Own(card, cell) => {
                self.lay(rules, seat, card, cell);
                deck.laid(false, self.values);
            }
            Act::Other(card, cell) => {
                self.lay(rules, seat ^ 1, card, cell);
                deck.laid(true, self.values);
            }
            _ => {}
        }
        if !D::LASTS && self.stock_len == 0 && self.held == [0, 0] {
            self.end = End::Exhausted;
            return;
        }
        if rules.plays == Plays::Many && matches!(act, Act::Own(..) | Act::Other(..)) {
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

    /// The cards a seat holds.
    pub fn hand(&self, seat: Seat) -> Pile {
        self.hands[seat.index()]
    }

    /// The cards not yet drawn.
    pub fn stock(&self) -> Pile {
        self.stock
    }

    /// Whether and how the hand has ended.
    pub fn end(&self) -> End {
        self.end
    }

    /// A seat's points, were the hand to end as it has ended or stands.
    #[inline]
    pub(super) fn score(&self, rules: &Rules, seat: Seat) -> i32 {
        let by = match self.end {
            End::Knock(by) => Some(by),
            _ => None,
        };
        rules.score(self.values[seat.side()], by.is_some(), by == Some(seat))
    }
}
