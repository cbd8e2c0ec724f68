//! One hand of Leopard written down.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::state::Deck;
use super::{End, Leopard, Move, Plays, Rules, State};
use crate::cards::{Card, Pile};
use crate::chance::Stream;
use crate::game::{Game, Label, Ruled, Seat};

crate::game::record::record!(Leopard, "LeopardRecord", hand, {
    /// The cards dealt to each seat, in the order drawn; seat 0 is the non-dealer and moves first.
    dealt: Vec<Vec<Card>>,
    /// The turns. A seat that was passed over, with neither card nor knock, has none.
    turns: Vec<TurnRecord>,
    /// The values of the squares at the end, by seat.
    values: Vec<i64>,
});

/// One turn of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LeopardTurn")]
pub struct TurnRecord {
    /// Whose turn.
    pub seat: u8,
    /// The cards drawn at its start, in order.
    pub drew: Vec<Card>,
    /// What was done: `7H o7` (own square), `2C x2` (the other's), `KD -` (discard), `knock`. The
    /// end of a turn of many plays is not written; a seat without cards that could have knocked
    /// and did not has an empty list.
    pub acts: Vec<String>,
}

/// The deck of a hand that is written down: the stream's cards, noted.
struct Noted {
    stream: Stream,
    drawn: Vec<Card>,
}

impl Deck for Noted {
    fn draw(&mut self, stock: &mut Pile, len: u8) -> Card {
        let card = Deck::draw(&mut self.stream, stock, len);
        self.drawn.push(card);
        card
    }
}

impl Noted {
    fn turn_of(&mut self, state: &State) -> TurnRecord {
        TurnRecord { seat: state.seat.0, drew: std::mem::take(&mut self.drawn), acts: Vec::new() }
    }
}

/// Whether a legal move ends its turn.
pub(super) fn ends_turn(rules: &Rules, mv: Move) -> bool {
    !(mv.laid().is_some() && rules.plays == Plays::Many)
}

/// The values of both squares.
pub(super) fn values(state: &State) -> Vec<i64> {
    [Seat(0), Seat(1)].map(|seat| i64::from(state.value(seat))).to_vec()
}

impl Record {
    /// The moves must be legal ones in order, ends of turns included; what follows the end of the
    /// hand is left out.
    pub(super) fn of(game: &Leopard, label: &Label, chance: Stream, moves: &[Move]) -> Record {
        let rules = game.rules();
        let mut deck = Noted { stream: chance, drawn: Vec::new() };
        let mut state = State::dealt(rules, &mut deck);
        let dealt = deck.drawn.chunks(usize::from(rules.hand_size)).map(<[Card]>::to_vec).collect();
        deck.drawn.clear();
        state.begin_turn(rules, &mut deck);
        let mut turns = vec![deck.turn_of(&state)];
        for &mv in moves {
            if state.end != End::Open {
                break;
            }
            state.play(rules, mv, &mut deck);
            if let (Some(turn), true) = (turns.last_mut(), mv != Move::END) {
                turn.acts.push(mv.to_string());
            }
            if state.end == End::Open && ends_turn(rules, mv) {
                turns.push(deck.turn_of(&state));
            }
        }
        Record::new(game, label, &game.scores(&state), (dealt, turns, values(&state)))
    }
}
