//! Which card goes where, and with it all that a seat may do.

use super::cells::{Cells, Kind};
use super::{Covers, KnockWindow, Move, Rules, Square, State};
use crate::cards::CardSet;

/// Whose square, as the seat to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The own.
    Own,
    /// The other seat's.
    Other,
}

impl Rules {
    /// The cells of a square, the own or the other's, on which a card of this kind may be laid.
    /// `Choice::sample_with` counts the same cells in its own way, and a test compares them.
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

/// All that decides what the seat to move may do.
#[derive(Clone, Copy)]
pub(super) struct Choice {
    pub hand: CardSet,
    pub own: Square,
    pub other: Square,
    pub own_value: u8,
    pub played: bool,
}

impl Choice {
    #[inline]
    pub fn may_knock(&self, rules: &Rules) -> bool {
        self.own_value >= rules.knock_at
            && (!self.played || rules.knock_window == KnockWindow::AnyTime)
    }

    /// After a play (with many plays), or with nothing to play or discard.
    #[inline]
    pub fn may_end(&self) -> bool {
        self.played || self.hand.is_empty()
    }

    /// Every legal move, in order.
    pub fn list(&self, rules: &Rules, out: &mut Vec<Move>) {
        out.clear();
        for card in self.hand {
            let cells = rules.cells(Kind::of(card), self.own, Side::Own);
            out.extend(cells.map(|cell| Move::own(card, cell)));
        }
        for card in self.hand {
            let cells = rules.cells(Kind::of(card), self.other, Side::Other);
            out.extend(cells.map(|cell| Move::other(card, cell)));
        }
        if !self.played {
            out.extend(self.hand.map(Move::discard));
        }
        if self.may_end() {
            out.push(Move::END);
        }
        if self.may_knock(rules) {
            out.push(Move::KNOCK);
        }
    }
}

/// Says why a move that is not among the legal ones is refused, and what would be right.
pub(super) fn refusal(rules: &Rules, state: &State, mv: Move, legal: &[Move]) -> String {
    let seat = state.seat;
    if mv == Move::KNOCK {
        let (value, least) = (state.values[seat.side()], rules.knock_at);
        return if value < least {
            format!("a knock needs a square worth {least}; that of seat {} is worth {value}", seat.0)
        } else {
            "a knock comes before the first play of the turn".to_owned()
        };
    }
    if mv == Move::END {
        return "a turn ends after a play or a discard".to_owned();
    }
    let (card, hand) = (mv.card(), state.hands[seat.side()]);
    if hand.count(card) == 0 {
        let held: Vec<String> = hand.cards().map(|c| c.to_string()).collect();
        let held = if held.is_empty() { "no card".to_owned() } else { held.join(" ") };
        return format!("seat {} does not hold {card}; it holds {held}", seat.0);
    }
    let same_card = legal.iter().filter(|m| m.uses_card() && m.card() == card);
    let right: Vec<String> = same_card.map(|m| format!("`{m}`")).collect();
    let right = match right.len() {
        0 => format!("nothing can be done with {card} now"),
        _ => format!("with {card}: {}", right.join(", ")),
    };
    format!("`{mv}` is not legal, {}; {right}", reason(rules, state, mv))
}

/// What stands in the way of using a card that is held.
fn reason(rules: &Rules, state: &State, mv: Move) -> String {
    if !mv.is_play() {
        return "a seat that has made a play does not discard".to_owned();
    }
    let (card, cell) = (mv.card(), mv.cell());
    let at = if mv.is_on_other() { state.seat.other() } else { state.seat };
    let is_open = state.square(at).open().has(cell);
    match Kind::of(card) {
        Kind::Ten | Kind::Queen | Kind::King if mv.is_on_other() => {
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
