//! What one seat knows of a hand.

use super::sample::Choice;
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
        let (own, other) = (seat.index() & 1, seat.index() & 1 ^ 1);
        View {
            seat,
            hand: state.hands[own],
            squares: state.squares,
            values: state.values,
            unseen: state.stock.plus(state.hands[other]),
            stock_len: state.stock_len,
            held: state.held,
            to_move: Seat(state.seat),
            played: state.played,
            end: state.end,
        }
    }

    /// A state that the view allows: the other's cards are drawn from the unseen ones.
    #[inline]
    pub(super) fn imagine(&self, chance: &mut Stream) -> State {
        let (own, other) = (self.seat.index() & 1, self.seat.index() & 1 ^ 1);
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
            seat: self.to_move.0,
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
        self.squares[self.seat.index() & 1]
    }

    /// The other's square.
    #[inline]
    pub fn other(&self) -> Square {
        self.squares[self.seat.index() & 1 ^ 1]
    }

    /// The value of the own square.
    #[inline]
    pub fn own_value(&self) -> u8 {
        self.values[self.seat.index() & 1]
    }

    /// The value of the other's square.
    #[inline]
    pub fn other_value(&self) -> u8 {
        self.values[self.seat.index() & 1 ^ 1]
    }

    /// The own score and the other's, were this seat to knock now.
    pub fn knock_scores(&self, rules: &Rules) -> (i32, i32) {
        let points = |own: bool| {
            rules.score(self.values[self.seat.index() & 1 ^ usize::from(!own)], true, own)
        };
        (points(true), points(false))
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
