//! Text drawing of a seat's view.

use super::{Act, End, Event, Stage, View};
use parlour_base::cards::{Card, CardStyle};
use parlour_game::Seat;

/// The width of a row of the mainline, in characters.
const WIDE: usize = 70;

/// Draws the mainline with rejected plays under it, then the seats, the stock and the own hand.
/// `seats` is the number of seats.
pub(super) fn draw(view: &View, seats: usize, letters: CardStyle) -> String {
    let public = &view.public;
    let cards = public.mainline.len();
    let mut line = Line { letters, rows: Vec::new(), row: String::new() };
    public.mainline.first().into_iter().for_each(|starter| line.right(*starter));
    public.history.iter().for_each(|event| line.event(event));
    line.end();
    let mut rows = vec![format!("main line, {cards} card{}:", if cards == 1 { "" } else { "s" })];
    rows.append(&mut line.rows);
    if !public.string.is_empty() {
        rows.push(format!("being laid: {}", letters.cards(public.string.iter().copied())));
    }
    if let Some(hand) = public.shown {
        let hand = letters.cards(hand.cards());
        rows.push(format!("seat {} claims no play and shows: {hand}", public.player.0));
    }
    for seat in (1..seats).map(|seat| Seat(seat as u8)) {
        let notes = [
            (seat == view.seat, ", you"),
            (public.prophet == Some(seat), ", prophet"),
            (public.expelled.contains(&seat), ", expelled"),
        ];
        let notes: String = notes.iter().filter_map(|(is, note)| is.then_some(*note)).collect();
        let turn = if public.end == End::Open && public.player == seat { '>' } else { ' ' };
        rows.push(format!("{turn} seat {}: {} cards{notes}", seat.0, public.held[seat.index()]));
    }
    rows.extend(view.rule.as_ref().map(|rule| format!("your secret rule: {rule}")));
    rows.push(format!("the stock has {} cards", public.stock()));
    if view.seat != Seat(0) {
        let mut hand: Vec<Card> = view.hand.cards().collect();
        hand.sort_by_key(|card| (card.suit(), card.rank()));
        rows.push(format!("your hand: {}", letters.cards(hand)));
    }
    let question = match public.stage {
        Stage::Judge => Some("the prophet judges: right or wrong?"),
        Stage::Verdict => Some("the dealer judges: right or wrong?"),
        Stage::Pick | Stage::Force => Some("a card of the shown hand goes on the main line"),
        Stage::Play | Stage::After => None,
    };
    rows.extend(question.filter(|_| public.end == End::Open).map(str::to_owned));
    rows.iter().map(|row| format!("  {row}\n")).collect()
}

/// Writer of the mainline. Rejected plays are on separate rows below the card that preceded them.
struct Line {
    letters: CardStyle,
    rows: Vec<String>,
    row: String,
}

impl Line {
    fn event(&mut self, event: &Event) {
        let seat = event.seat.0;
        let said = event.prophet_said.map_or(String::new(), |(prophet, said)| {
            format!(" (prophet {} says {})", prophet.0, if said { "right" } else { "wrong" })
        });
        match &event.act {
            Act::Play(cards) if event.right => cards.iter().for_each(|card| self.right(*card)),
            Act::Play(cards) => {
                let cards = self.letters.cards(cards.iter().copied());
                self.note(format!("wrong, seat {seat}: {cards}{said}"));
            }
            Act::NoPlay { forced, .. } => {
                let is_true = event.right;
                self.note(format!("no play, seat {seat}: {is_true}{said}"));
                forced.iter().for_each(|card| self.right(*card));
            }
        }
        if event.becomes_prophet {
            self.note(format!("seat {seat} becomes prophet"));
        }
        if event.expelled {
            self.note(format!("seat {seat} is expelled"));
        }
        if let Some((_, right)) = event.guess {
            let right = if right { "right" } else { "wrong" };
            self.note(format!("seat {seat} states a rule, and is {right}"));
        }
    }

    fn right(&mut self, card: Card) {
        if self.row.chars().count() > WIDE {
            self.end();
        }
        self.row += if self.row.is_empty() { "  " } else { " " };
        self.row += &self.letters.card(card);
    }

    fn note(&mut self, note: String) {
        self.end();
        self.rows.push(format!("      {note}"));
    }

    fn end(&mut self) {
        if !self.row.is_empty() {
            self.rows.push(std::mem::take(&mut self.row));
        }
    }
}
