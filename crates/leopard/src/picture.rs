//! What a seat sees, as text.

use super::{Cell, Square, View};
use crate::cards::{Card, CardStyle};
use crate::game::Seat;

/// Both squares side by side, the own first, and what is known beside them. An open cell shows its
/// number, any other the suit that lies on top.
pub(super) fn text(view: &View, letters: CardStyle) -> String {
    let (own, other) = (view.seat, view.seat.other());
    let value = |seat: Seat| view.values[seat.side()];
    let mut text =
        format!("  your square: {:<8} square of seat {}: {}\n", value(own), other.0, value(other));
    for row in 0..3 {
        let [ours, theirs] =
            [own, other].map(|seat| cells(view.squares[seat.side()], row, letters));
        text += &format!("    {ours:<20}{theirs}\n");
    }
    let mut hand: Vec<Card> = view.hand.cards().collect();
    hand.sort_by_key(|card| (card.suit(), card.rank()));
    text += &format!("  your hand: {}\n", letters.cards(hand));
    let held = view.held[other.side()];
    text + &format!("  seat {} holds {held} cards; the stock has {}\n", other.0, view.stock_len)
}

fn cells(square: Square, row: usize, letters: CardStyle) -> String {
    let cell = |cell: &Cell| match square.at(*cell) {
        Some(suit) => letters.suit(suit).to_string(),
        None => cell.number().to_string(),
    };
    Cell::ALL[3 * row..3 * row + 3].iter().map(cell).collect::<Vec<_>>().join("  ")
}
