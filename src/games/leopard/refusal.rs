//! Why a move is not legal, in words.

use super::{Covers, Move, Rules, State};
use crate::cards::Card;

/// Says why a move that is not among the legal ones is refused, and what would be right.
pub(super) fn why(rules: &Rules, state: &State, mv: Move, legal: &[Move]) -> String {
    let own = usize::from(state.seat) & 1;
    if mv == Move::KNOCK {
        let (value, least) = (state.values[own], rules.knock_at);
        return if value < least {
            format!("a knock needs a square worth {least}; that of seat {own} is worth {value}")
        } else {
            "a knock comes before the first play of the turn".to_owned()
        };
    }
    if mv == Move::END {
        return "a turn ends after a play or a discard".to_owned();
    }
    let card = Card::from_index(mv.card().min(51));
    let hand = state.hands[own];
    if hand.count(card) == 0 {
        let held: Vec<String> = hand.cards().map(|c| c.to_string()).collect();
        let held = if held.is_empty() { "no card".to_owned() } else { held.join(" ") };
        return format!("seat {own} does not hold {card}; it holds {held}");
    }
    let same_card = legal.iter().filter(|m| m.uses_card() && m.card() == mv.card());
    let right: Vec<String> = same_card.map(|m| format!("`{m}`")).collect();
    let right = match right.len() {
        0 => format!("nothing can be done with {card} now"),
        _ => format!("with {card}: {}", right.join(", ")),
    };
    format!("`{mv}` is not legal, {}; {right}", reason(rules, state, mv, card))
}

/// What stands in the way of using a card that is held.
fn reason(rules: &Rules, state: &State, mv: Move, card: Card) -> String {
    if !mv.is_play() {
        return "a seat that has made a play does not discard".to_owned();
    }
    let rank = card.rank();
    if mv.is_on_other() && matches!(rank, 10 | 12 | 13) {
        return "a ten, a queen and a king go on the own square only".to_owned();
    }
    if rank <= 9 && mv.cell() != rank - 1 {
        return format!("{card} goes on cell {rank} only");
    }
    let at = usize::from(state.seat ^ u8::from(mv.is_on_other())) & 1;
    let open = state.squares[at].open() >> mv.cell() & 1 == 1;
    let cell = mv.cell() + 1;
    match (rank, open) {
        (11 | 12, true) if rules.face_down_covers == Covers::FaceUp => {
            format!("a jack or a queen covers a face-up card, and cell {cell} is open")
        }
        (1..=10, false) => format!("cell {cell} is not open"),
        _ => "the rules do not allow it here".to_owned(),
    }
}
