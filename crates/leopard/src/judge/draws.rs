//! The draws of a hand that was played: it is played again from the same chance.

use arrayvec::ArrayVec;

use crate::cards::{Card, Pile};
use crate::chance::Stream;
use crate::game::Seat;
use crate::state::Deck;
use crate::{Leopard, Move, State};

/// A card that a seat drew.
#[derive(Clone, Debug)]
pub struct Draw {
    /// The truth before it.
    pub before: State,
    /// Who drew.
    pub seat: Seat,
    /// What came.
    pub card: Card,
}

impl Draw {
    /// The truth, had this card of the stock come.
    pub fn with(&self, card: Card) -> State {
        let (mut state, seat) = (self.before, self.seat.side());
        state.stock.remove(card);
        state.stock_len -= 1;
        state.hands[seat].add(card);
        state.held[seat] += 1;
        state
    }
}

/// A deck that remembers what was drawn.
struct Noted {
    chance: Stream,
    drawn: ArrayVec<Card, 104>,
}

impl Deck for Noted {
    fn draw(&mut self, stock: &mut Pile, len: u8) -> Card {
        let card = self.chance.draw(stock, len);
        self.drawn.push(card);
        card
    }
}

impl Noted {
    /// Tells the draws that led to a state, each after those before it, and forgets them.
    fn tell(
        &mut self,
        after: &State,
        seat_of: impl Fn(usize) -> Seat,
        tell: &mut impl FnMut(&Draw),
    ) {
        let mut before = *after;
        for (at, card) in self.drawn.iter().enumerate() {
            let seat = seat_of(at).side();
            before.hands[seat].remove(*card);
            before.held[seat] -= 1;
            before.stock.add(*card);
            before.stock_len += 1;
        }
        for (at, card) in self.drawn.drain(..).enumerate() {
            let draw = Draw { before, seat: seat_of(at), card };
            tell(&draw);
            before = draw.with(card);
        }
    }
}

/// Tells every draw of a hand, the cards dealt first, given the chance before its deal and its moves.
/// While cards are dealt it is the first seat's turn. Returns how the hand ended.
pub fn draws(
    game: &Leopard,
    start: &Stream,
    moves: &[(Seat, Move)],
    tell: &mut impl FnMut(&Draw),
) -> State {
    let rules = &game.rules;
    let mut deck = Noted { chance: start.clone(), drawn: ArrayVec::new() };
    let mut state = State::dealt(rules, &mut deck);
    let size = usize::from(rules.hand_size);
    deck.tell(&state, |at| Seat(u8::from(at >= size)), tell);
    state.begin_turn(rules, &mut deck);
    deck.tell(&state, |_| state.seat, tell);
    for (_, mv) in moves {
        state.play(rules, *mv, &mut deck);
        deck.tell(&state, |_| state.seat, tell);
    }
    state
}
