//! The part of a hand that one seat knows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cells::{CardKind, Cells};
use super::{Covers, End, KnockWindow, Move, Rules, Side, Square, State};
use parlour_base::cards::{Card, Pile};
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
        let &State { hands, stock, squares, values, held, stock_len, seat: to_move, played, end } =
            state;
        let (hand, unseen) = (hands[seat.side()], stock.plus(hands[seat.other().side()]));
        View { seat, hand, squares, values, unseen, stock_len, held, to_move, played, end }
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
        let mut left = rules.deck.pile();
        for (field, pile) in [("unseen", self.unseen), ("hand", self.hand)] {
            for card in pile.cards().filter(|card| !left.remove(*card)) {
                let what = format!("with it, `{card}` is seen more often than the deck has it");
                faults.push(Fault::field(field, what));
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

    /// Returns `true` if a knock is legal for this seat when it is to move.
    #[inline]
    pub fn may_knock(&self, rules: &Rules) -> bool {
        self.value(Side::Own) >= rules.knock_at
            && (!self.played || rules.knock_window == KnockWindow::AnyTime)
    }

    /// Returns `true` after a play (with many plays), or with nothing to play or discard.
    #[inline]
    pub(super) fn may_end(&self) -> bool {
        self.played || self.hand.is_empty()
    }

    /// Returns `true` if the hand goes on and this seat is to move.
    #[inline]
    pub(super) fn is_to_move(&self) -> bool {
        self.end == End::Open && self.to_move == self.seat
    }

    /// Calls `visit` with every legal move, in order.
    #[inline(always)]
    pub(super) fn for_each_legal(&self, rules: &Rules, mut visit: impl FnMut(Move)) {
        for side in Side::BOTH {
            for card in self.hand.distinct() {
                let cells = rules.cells(CardKind::of(card), self.square(side), side);
                cells.for_each(|cell| visit(Move::lay(side, card, cell)));
            }
        }
        if !self.played {
            self.hand.distinct().map(Move::Discard).for_each(&mut visit);
        }
        if self.may_end() {
            visit(Move::End);
        }
        if self.may_knock(rules) {
            visit(Move::Knock);
        }
    }
}

impl Rules {
    /// The cells of the own or the other square on which a card of this kind may be laid.
    /// `View::sample_with` counts the same cells in its own way, and a test compares them.
    #[inline(always)]
    pub fn cells(&self, kind: CardKind, square: Square, side: Side) -> Cells {
        match (kind, side) {
            (CardKind::Number(cell), _) => square.open() & Cells::only(cell),
            (CardKind::Ten, Side::Own) => square.open(),
            (CardKind::Jack, side) if !self.jacks_on.includes(side) => Cells::NONE,
            (CardKind::Queen, side) if !self.queens_on.includes(side) => Cells::NONE,
            (CardKind::Jack | CardKind::Queen, _) => match self.face_down_covers {
                Covers::FaceUp => square.face_up(),
                Covers::Card => square.occupied(),
                Covers::Any => Cells::ALL,
            },
            (CardKind::King, Side::Own) => Cells::ALL,
            (CardKind::Ten | CardKind::King, Side::Other) => Cells::NONE,
        }
    }
}

/// The names of cards, or `none` if there are none.
pub(super) fn named(cards: impl Iterator<Item = Card>, none: &str) -> String {
    let names: Vec<String> = cards.map(|card| card.to_string()).collect();
    if names.is_empty() { none.to_owned() } else { names.join(" ") }
}

/// Explains why a move is refused and which moves are legal.
pub(super) fn refusal(rules: &Rules, state: &State, mv: Move, legal: &[Move]) -> String {
    let (seat, at) = (state.seat.0, state.seat.side());
    let Some(card) = mv.card() else {
        let (value, least) = (state.values[at], rules.knock_at);
        return match mv {
            Move::Knock if value < least => {
                format!(
                    "a knock needs a square worth {least}; that of seat {seat} is worth {value}"
                )
            }
            Move::Knock => "a knock comes before the first play of the turn".to_owned(),
            _ => "a turn ends after a play or a discard".to_owned(),
        };
    };
    if state.hands[at].count(card) == 0 {
        let held = named(state.hands[at].cards(), "no card");
        return format!("seat {seat} does not hold {card}; it holds {held}");
    }
    let same_card = legal.iter().filter(|m| m.card() == Some(card));
    let right: Vec<String> = same_card.map(|m| format!("`{m}`")).collect();
    let right = match right.len() {
        0 => format!("nothing can be done with {card} now"),
        _ => format!("with {card}: {}", right.join(", ")),
    };
    format!("`{mv}` is not legal, {}; {right}", reason(rules, state, mv))
}

/// The reason why a card in hand cannot be used like this.
fn reason(rules: &Rules, state: &State, mv: Move) -> String {
    let Some((side, card, cell)) = mv.laid() else {
        return "a seat that has made a play does not discard".to_owned();
    };
    let is_open = state.square(side.seat(state.seat)).open().has(cell);
    match CardKind::of(card) {
        CardKind::Ten | CardKind::Queen | CardKind::King
            if side == Side::Other && !rules.covers_oddly() =>
        {
            "a ten, a queen and a king go on the own square only".to_owned()
        }
        CardKind::Number(right) if right != cell => {
            format!("{card} goes on cell {} only", right.number())
        }
        CardKind::Jack | CardKind::Queen if is_open && rules.face_down_covers == Covers::FaceUp => {
            let cell = cell.number();
            format!("a jack or a queen covers a face-up card, and cell {cell} is open")
        }
        CardKind::Number(_) | CardKind::Ten if !is_open => {
            format!("cell {} is not open", cell.number())
        }
        _ => "the rules do not allow it here".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Leopard;
    use parlour_base::chance::Seed;
    use parlour_game::{Game, Ruled, Turn};

    #[test]
    fn allowed_moves_are_the_listed_ones() {
        let cards: Vec<Card> = (0..52).map(Card::from_index).collect();
        let laid = |card: &Card| {
            let on = |cell| [Side::Own, Side::Other].map(|side| Move::lay(side, *card, cell));
            Cells::ALL.flat_map(on).collect::<Vec<Move>>()
        };
        let mut every: Vec<Move> = cards.iter().flat_map(laid).collect();
        every.extend(cards.iter().map(|card| Move::Discard(*card)));
        every.extend([Move::End, Move::Knock]);
        for preset in Leopard::presets() {
            let game = Leopard::new(&preset.rules).unwrap();
            let mut chance = Seed::new(5).stream();
            let (mut state, mut legal) = (game.deal(&mut chance), Vec::new());
            while let Turn::Seat(_) = game.turn(&state) {
                game.legal_moves(&state, &mut legal);
                for mv in &every {
                    assert_eq!(game.is_legal(&state, *mv), legal.contains(mv), "{mv}");
                }
                let mv = legal[chance.below(legal.len() as u32) as usize];
                game.apply(&mut state, mv, &mut chance);
            }
        }
    }
}
