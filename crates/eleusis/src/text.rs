//! Text drawing of a seat's view.

use super::{Act, End, Event, Stage, View};
use parlour_base::cards::{Card, CardStyle};
use parlour_game::Seat;

/// The width of a row of the mainline, in characters.
const WIDE: usize = 72;

/// Draws the mainline with rejected plays under it, then the seats, the stock and the own hand.
/// `seats` is the number of seats.
pub(super) fn draw(view: &View, seats: usize, letters: CardStyle) -> String {
    let public = &view.public;
    let cards = public.mainline.len();
    let mut text = format!("  main line, {cards} card{}:\n", if cards == 1 { "" } else { "s" });
    let mut line = Line { letters, text: String::new(), row: String::new() };
    public.mainline.first().into_iter().for_each(|starter| line.right(*starter));
    for event in public.history.iter() {
        line.event(event);
    }
    line.end();
    text += &line.text;
    if !public.string.is_empty() {
        text += &format!("  being laid: {}\n", letters.cards(public.string.iter().copied()));
    }
    if let Some(hand) = public.shown {
        text += &format!(
            "  seat {} claims no play and shows: {}\n",
            public.player.0,
            letters.cards(hand.cards())
        );
    }
    for seat in (1..seats).map(|seat| Seat(seat as u8)) {
        let mut notes = vec![format!("{} cards", public.held[seat.index()])];
        notes.extend((seat == view.seat).then(|| "you".to_owned()));
        notes.extend((public.prophet == Some(seat)).then(|| "prophet".to_owned()));
        notes.extend(public.is_expelled(seat).then(|| "expelled".to_owned()));
        let turn = public.end == End::Open && public.player == seat;
        text +=
            &format!("  {} seat {}: {}\n", if turn { '>' } else { ' ' }, seat.0, notes.join(", "));
    }
    if let Some(rule) = &view.rule {
        text += &format!("  your secret rule: {rule}\n");
    }
    text += &format!("  the stock has {} cards\n", public.stock());
    if view.seat != Seat(0) {
        let mut hand: Vec<Card> = view.hand.cards().collect();
        hand.sort_by_key(|card| (card.suit(), card.rank()));
        text += &format!("  your hand: {}\n", letters.cards(hand));
    }
    text + question(view)
}

/// Returns a line that explains the pending decision, if it is not an ordinary play.
fn question(view: &View) -> &'static str {
    match view.public.stage {
        _ if view.public.end != End::Open => "",
        Stage::Judge => "  the prophet judges: right or wrong?\n",
        Stage::Verdict => "  the dealer judges: right or wrong?\n",
        Stage::Pick | Stage::Force => "  a card of the shown hand goes on the main line\n",
        _ => "",
    }
}

/// Writer of the mainline. Rejected plays are on separate lines below the card that preceded
/// them.
struct Line {
    letters: CardStyle,
    text: String,
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
                self.note(&format!("wrong, seat {seat}: {cards}{said}"));
            }
            Act::NoPlay { forced, .. } => {
                let true_or_false = if event.right { "true" } else { "false" };
                self.note(&format!("no play, seat {seat}: {true_or_false}{said}"));
                forced.iter().for_each(|card| self.right(*card));
            }
        }
        if event.becomes_prophet {
            self.note(&format!("seat {seat} becomes prophet"));
        }
        if event.expelled {
            self.note(&format!("seat {seat} is expelled"));
        }
        if let Some((_, right)) = event.guess {
            let right = if right { "and is right" } else { "and is wrong" };
            self.note(&format!("seat {seat} states a rule, {right}"));
        }
    }

    fn right(&mut self, card: Card) {
        if self.row.chars().count() > WIDE {
            self.end();
        }
        self.row += if self.row.is_empty() { "    " } else { " " };
        self.row += &self.letters.card(card);
    }

    fn note(&mut self, note: &str) {
        self.end();
        self.text += &format!("        {note}\n");
    }

    fn end(&mut self) {
        if !self.row.is_empty() {
            self.text += &std::mem::take(&mut self.row);
            self.text.push('\n');
        }
    }
}
