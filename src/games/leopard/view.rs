//! What one seat knows of a hand.

use super::choice::Choice;
use super::{End, Rules, Square, State};
use crate::cards::Pile;
use crate::chance::Stream;
use crate::game::{Seat, Turn};

/// What one seat knows: its own hand, both squares, how many cards lie where it cannot look, and
/// which cards those are together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The seat that knows this.
    pub seat: Seat,
    /// Its cards.
    pub hand: Pile,
    /// The squares, by seat.
    pub squares: [Square; 2],
    /// The values of the squares, by seat.
    pub values: [u8; 2],
    /// The cards that lie in the stock or in the other's hand.
    pub unseen: Pile,
    /// How many cards the stock has.
    pub stock_len: u8,
    /// How many cards each seat holds.
    pub held: [u8; 2],
    /// Whose turn it is, or was when the hand ended.
    pub to_move: Seat,
    /// Whether a play has been made in this turn, which goes on.
    pub played: bool,
    /// Whether and how the hand has ended.
    pub end: End,
}

impl View {
    #[inline]
    pub(super) fn of(state: &State, seat: Seat) -> View {
        let (own, other) = (seat.side(), seat.other().side());
        View {
            seat,
            hand: state.hands[own],
            squares: state.squares,
            values: state.values,
            unseen: state.stock.plus(state.hands[other]),
            stock_len: state.stock_len,
            held: state.held,
            to_move: state.seat,
            played: state.played,
            end: state.end,
        }
    }

    /// A state that the view allows: the other's cards are drawn from the unseen ones.
    #[inline]
    pub(super) fn imagine(&self, chance: &mut Stream) -> State {
        let (own, other) = (self.seat.side(), self.seat.other().side());
        let mut stock = self.unseen;
        let mut theirs = Pile::EMPTY;
        for taken in 0..u32::from(self.held[other]) {
            let len = u32::from(self.stock_len) + u32::from(self.held[other]) - taken;
            theirs.add(stock.draw(len, chance));
        }
        let mut hands = [theirs; 2];
        hands[own] = self.hand;
        State {
            hands,
            stock,
            squares: self.squares,
            values: self.values,
            held: self.held,
            stock_len: self.stock_len,
            seat: self.to_move,
            played: self.played,
            end: self.end,
        }
    }

    /// Whose choice it is.
    pub fn turn(&self) -> Turn {
        match self.end {
            End::Open => Turn::Of(self.to_move),
            _ => Turn::Over,
        }
    }

    /// The own square.
    #[inline]
    pub fn own(&self) -> Square {
        self.squares[self.seat.side()]
    }

    /// The other's square.
    #[inline]
    pub fn other(&self) -> Square {
        self.squares[self.seat.other().side()]
    }

    /// The value of the own square.
    #[inline]
    pub fn own_value(&self) -> u8 {
        self.values[self.seat.side()]
    }

    /// The value of the other's square.
    #[inline]
    pub fn other_value(&self) -> u8 {
        self.values[self.seat.other().side()]
    }

    /// The own score and the other's, were this seat to knock now.
    #[inline]
    pub fn knock_scores(&self, rules: &Rules) -> (i32, i32) {
        let (own, other) = (self.own_value(), self.other_value());
        (rules.score(own, true, true), rules.score(other, true, false))
    }

    /// Whether this seat may knock, were it to move now, and has the higher score if it does.
    #[inline]
    pub fn knock_wins(&self, rules: &Rules) -> bool {
        let (own, other) = self.knock_scores(rules);
        self.may_knock(rules) && own > other
    }

    /// Whether a knock is among the moves of this seat, were it to move now.
    #[inline]
    pub fn may_knock(&self, rules: &Rules) -> bool {
        self.choice().may_knock(rules)
    }

    #[inline]
    pub(super) fn choice(&self) -> Choice {
        Choice {
            hand: self.hand.distinct(),
            own: self.own(),
            other: self.other(),
            own_value: self.own_value(),
            played: self.played,
        }
    }
}
