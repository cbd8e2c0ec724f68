//! The part of a hand that one seat knows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{End, Rules, Side, Square, State};
use parlour_base::cards::Pile;
use parlour_base::error::{Fault, Faults};
use parlour_game::Seat;

/// The knowledge of one seat: its hand, both squares, the numbers of hidden cards, and which cards
/// they are together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeopardView")]
pub struct View {
    /// The seat.
    pub seat: Seat,
    /// The cards of the seat.
    pub hand: Pile,
    /// The squares, by seat.
    pub squares: [Square; 2],
    /// The values of the squares, by seat.
    pub values: [u8; 2],
    /// The cards in the stock or in the other hand.
    pub unseen: Pile,
    /// Number of cards in the stock.
    #[serde(rename = "stock")]
    pub stock_len: u8,
    /// Number of cards of each seat.
    pub held: [u8; 2],
    /// The seat to move, or the one that was when the hand ended.
    pub to_move: Seat,
    /// `true` if a play has been made in this turn, which goes on.
    pub played: bool,
    /// State of the hand: open, or the way in which it ended.
    pub end: End,
}

impl View {
    #[inline(always)]
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

    /// Every fault of a view that no hand can have.
    pub(super) fn faults(&self, rules: &Rules) -> Faults {
        let mut faults = Faults::default();
        faults.range("seat", self.seat.0, 0..=1);
        faults.range("to_move", self.to_move.0, 0..=1);
        let (own, other) = (self.seat.side(), self.seat.other().side());
        let mut count = |field: &str, is: u32, right: u32, why: &str| {
            if is != right {
                let what = format!("it has {is} cards; {why} {right}");
                faults.push(Fault::field(field, what));
            }
        };
        count("hand", self.hand.len(), self.held[own].into(), "`held` says");
        let hidden = u32::from(self.stock_len) + u32::from(self.held[other]);
        count("unseen", self.unseen.len(), hidden, "`stock` and the other's `held` make");
        let mut all = self.unseen;
        for card in self.hand.cards() {
            if !all.add(card) {
                let what = format!("with those in `unseen` there are more than two `{card}`");
                faults.push(Fault::field("hand", what));
            }
        }
        let values = self.squares.map(|square| square.value(rules) as u8);
        if self.values != values {
            let what = format!("the squares are worth {values:?}, not {:?}", self.values);
            faults.push(Fault::field("values", what));
        }
        faults
    }

    /// The square on a side.
    #[inline]
    pub fn square(&self, side: Side) -> Square {
        self.squares[self.seat.side() ^ side as usize]
    }

    /// The value of the square on a side.
    #[inline]
    pub fn value(&self, side: Side) -> u8 {
        self.values[self.seat.side() ^ side as usize]
    }

    /// The own and the other score if this seat knocked now.
    #[inline]
    pub fn knock_scores(&self, rules: &Rules) -> (i32, i32) {
        let (own, other) = (self.value(Side::Own), self.value(Side::Other));
        (rules.score(own, true, true), rules.score(other, true, false))
    }

    /// Returns `true` if this seat, when it is to move, may knock and then has the higher score.
    #[inline]
    pub fn knock_wins(&self, rules: &Rules) -> bool {
        let (own, other) = self.knock_scores(rules);
        self.may_knock(rules) && own > other
    }
}
