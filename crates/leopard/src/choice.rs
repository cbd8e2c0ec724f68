//! Which card goes where, and with it all that a seat may do.

use super::cells::{Cells, Kind};
use super::{Act, Covers, KnockWindow, Move, Rules, Side, Square, State, View};
use crate::cards::Card;

impl Rules {
    /// The cells of a square, the own or the other's, on which a card of this kind may be laid.
    /// `View::sample_with` counts the same cells in its own way, and a test compares them.
    #[inline(always)]
    pub fn cells(&self, kind: Kind, square: Square, side: Side) -> Cells {
        match (kind, side) {
            (Kind::Number(cell), _) => square.open() & Cells::only(cell),
            (Kind::Ten, Side::Own) => square.open(),
            (Kind::Jack, _) | (Kind::Queen, Side::Own) => match self.face_down_covers {
                Covers::FaceUp => square.face_up(),
                Covers::Any => Cells::ALL,
            },
            (Kind::King, Side::Own) => Cells::ALL,
            (Kind::Ten | Kind::Queen | Kind::King, Side::Other) => Cells::NONE,
        }
    }
}

impl View {
    /// Whether a knock is among the moves of this seat, were it to move now.
    #[inline]
    pub fn may_knock(&self, rules: &Rules) -> bool {
        self.value(Side::Own) >= rules.knock_at
            && (!self.played || rules.knock_window == KnockWindow::AnyTime)
    }

    /// After a play (with many plays), or with nothing to play or discard.
    #[inline]
    pub(super) fn may_end(&self) -> bool {
        self.played || self.hand.is_empty()
    }

    /// Adds the plays on a side. It is compiled for each, since searches list moves at every node.
    #[inline(always)]
    fn list_plays(&self, side: Side, rules: &Rules, out: &mut Vec<Move>) {
        for card in self.hand.distinct() {
            let cells = rules.cells(Kind::of(card), self.square(side), side);
            out.extend(cells.map(|cell| Move::lay(side, card, cell)));
        }
    }

    /// Adds every legal move, in order.
    pub(super) fn list(&self, rules: &Rules, out: &mut Vec<Move>) {
        self.list_plays(Side::Own, rules, out);
        self.list_plays(Side::Other, rules, out);
        if !self.played {
            out.extend(self.hand.distinct().map(Move::discard));
        }
        if self.may_end() {
            out.push(Move::END);
        }
        if self.may_knock(rules) {
            out.push(Move::KNOCK);
        }
    }

    /// Whether a move is among those that [`list`](View::list) adds.
    pub(super) fn allows(&self, rules: &Rules, mv: Move) -> bool {
        if let Some((side, card, cell)) = mv.laid() {
            return self.hand.count(card) > 0
                && rules.cells(Kind::of(card), self.square(side), side).has(cell);
        }
        match mv.act() {
            Act::End => self.may_end(),
            Act::Knock => self.may_knock(rules),
            _ => !self.played && mv.card().is_some_and(|card| self.hand.count(card) > 0),
        }
    }
}

/// The names of cards, or what stands for none.
pub(super) fn named(cards: impl Iterator<Item = Card>, none: &str) -> String {
    let names: Vec<String> = cards.map(|card| card.to_string()).collect();
    if names.is_empty() { none.to_owned() } else { names.join(" ") }
}

/// Says why a move that is not among the legal ones is refused, and what would be right.
pub(super) fn refusal(rules: &Rules, state: &State, mv: Move, legal: &[Move]) -> String {
    let seat = state.seat;
    let Some(card) = mv.card() else {
        let (value, least) = (state.values[seat.side()], rules.knock_at);
        return match mv.act() {
            Act::Knock if value < least => {
                format!(
                    "a knock needs a square worth {least}; that of seat {} is worth {value}",
                    seat.0
                )
            }
            Act::Knock => "a knock comes before the first play of the turn".to_owned(),
            _ => "a turn ends after a play or a discard".to_owned(),
        };
    };
    let hand = state.hands[seat.side()];
    if hand.count(card) == 0 {
        return format!(
            "seat {} does not hold {card}; it holds {}",
            seat.0,
            named(hand.cards(), "no card")
        );
    }
    let same_card = legal.iter().filter(|m| m.card() == Some(card));
    let right: Vec<String> = same_card.map(|m| format!("`{m}`")).collect();
    let right = match right.len() {
        0 => format!("nothing can be done with {card} now"),
        _ => format!("with {card}: {}", right.join(", ")),
    };
    format!("`{mv}` is not legal, {}; {right}", reason(rules, state, mv))
}

/// What stands in the way of using a card that is held.
fn reason(rules: &Rules, state: &State, mv: Move) -> String {
    let Some((side, card, cell)) = mv.laid() else {
        return "a seat that has made a play does not discard".to_owned();
    };
    let is_open = state.square(side.seat(state.seat)).open().has(cell);
    match Kind::of(card) {
        Kind::Ten | Kind::Queen | Kind::King if side == Side::Other => {
            "a ten, a queen and a king go on the own square only".to_owned()
        }
        Kind::Number(right) if right != cell => {
            format!("{card} goes on cell {} only", right.number())
        }
        Kind::Jack | Kind::Queen if is_open && rules.face_down_covers == Covers::FaceUp => {
            let cell = cell.number();
            format!("a jack or a queen covers a face-up card, and cell {cell} is open")
        }
        Kind::Number(_) | Kind::Ten if !is_open => format!("cell {} is not open", cell.number()),
        _ => "the rules do not allow it here".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Leopard;
    use crate::chance::Seed;
    use crate::game::{Game, Ruled, Turn};

    #[test]
    fn what_is_allowed_is_what_is_listed() {
        let cards: Vec<Card> = (0..52).map(Card::from_index).collect();
        let laid = |card: &Card| {
            let on = |cell| [Side::Own, Side::Other].map(|side| Move::lay(side, *card, cell));
            Cells::ALL.flat_map(on).collect::<Vec<Move>>()
        };
        let mut every: Vec<Move> = cards.iter().flat_map(laid).collect();
        every.extend(cards.iter().map(|card| Move::discard(*card)));
        every.extend([Move::END, Move::KNOCK]);
        for preset in Leopard::presets() {
            let game = Leopard::new(&preset.rules).unwrap();
            let mut chance = Seed::new(5).stream();
            let (mut state, mut legal) = (game.deal(&mut chance), Vec::new());
            while let Turn::Seat(seat) = game.turn(&state) {
                game.legal_moves(&state, &mut legal);
                let view = View::of(&state, seat);
                for mv in &every {
                    assert_eq!(view.allows(&game.rules, *mv), legal.contains(mv), "{mv}");
                }
                let mv = legal[chance.below(legal.len() as u32) as usize];
                game.apply(&mut state, mv, &mut chance);
            }
        }
    }
}
