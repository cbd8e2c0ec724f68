//! Hands and views as text for a reader.

use super::cells::{CELLS, CardKind};
use super::view::named;
use super::{Cell, End, Leopard, Move, Record, Side, Square, State, View};
use parlour_base::cards::{Card, CardStyle};
use parlour_base::error::Fault;
use parlour_game::{Game, Replay, Seat};

/// The text of a hand in progress. Keeps the top card of each cell with its rank, which the game
/// forgets.
struct HandText {
    text: String,
    names: [String; 2],
    squares: [[String; CELLS]; 2],
}

/// Returns the hand as text, with the fault of the record, if any.
pub(super) fn record_text(
    record: &Record,
    replay: &Replay<Leopard>,
    wrong: Option<Fault>,
) -> String {
    let names = [0, 1].map(|seat| clean(&record.seats[seat]));
    let squares = std::array::from_fn(|_| std::array::from_fn(|_| "--".to_owned()));
    let mut hand = HandText { text: String::new(), names, squares };
    hand.head(record);
    let mut turns = (1..).zip(&record.turns);
    let afters = replay.choices.iter().skip(1).map(|(before, _)| before).chain([&replay.end]);
    for ((before, mv), after) in replay.choices.iter().zip(afters) {
        if !before.played
            && let Some((number, turn)) = turns.next()
        {
            hand.turn(number, &turn.drew, before);
        }
        hand.step(before, *mv, after);
    }
    hand.result(replay);
    if let Some(fault) = wrong {
        hand.line(&format!("The record is wrong: {fault}."));
    }
    hand.text
}

impl HandText {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn head(&mut self, record: &Record) {
        let Record { deal, rotation, seed, rules, .. } = record;
        let (variant, hand) = (clean(&record.variant), u64::from(record.hand) + 1);
        let hands = rules.hands_per_match;
        self.line(&format!(
            "Leopard {variant}, deal {deal}, hand {hand} of {hands}, rotation {rotation}, seed {seed}"
        ));
        let [first, second] = &self.names;
        self.line(&format!("seat 0 is {first}, who moves first; seat 1 is {second}"));
        self.line("A cell shows its face-up card, ## for a face-down one, -- for none.");
        for (seat, hand) in record.dealt.iter().enumerate() {
            self.line(&format!("dealt to seat {seat}: {}", named(hand.iter().copied(), "none")));
        }
    }

    /// Writes the head of a turn: the cards drawn, and both hands.
    fn turn(&mut self, number: u32, drew: &[Card], state: &State) {
        let drew = match drew {
            [] => "nothing to draw".to_owned(),
            _ => format!("draws {}", named(drew.iter().copied(), "none")),
        };
        let (seat, name) = (state.seat.0, &self.names[state.seat.side()]);
        self.line(&format!("\nturn {number}, seat {seat} {name}: {drew}"));
        for (seat, hand) in state.hands.iter().enumerate() {
            let mark = if seat == state.seat.side() { '>' } else { ' ' };
            self.line(&format!("  {mark} hand {seat}: {}", named(hand.cards(), "none")));
        }
    }

    fn step(&mut self, before: &State, mv: Move, after: &State) {
        if let Some((side, card, cell)) = mv.laid() {
            let down = CardKind::of(card).is_face_down();
            self.squares[side.seat(before.seat).side()][cell.index()] =
                if down { "##".to_owned() } else { card.to_string() };
            let (how, cell) = (if down { ", face down," } else { "" }, cell.number());
            self.line(&match side {
                Side::Own => format!("  lays {card}{how} on its own cell {cell}"),
                Side::Other => format!("  lays {card}{how} on cell {cell} of the other square"),
            });
            return self.squares(after);
        }
        match mv {
            Move::Discard(card) => self.line(&format!("  discards {card}")),
            Move::Knock => self.line("  knocks"),
            _ if before.played => {}
            _ => self.line("  has no card and does not knock"),
        }
    }

    /// Writes both squares side by side, with their values.
    fn squares(&mut self, state: &State) {
        let head = |seat: usize| format!("seat {seat}: value {}", state.values[seat]);
        self.line(&format!("    {:<18}{}", head(0), head(1)));
        for row in 0..3 {
            let cells = |seat: usize| self.squares[seat][3 * row..3 * row + 3].join(" ");
            self.line(&format!("    {:<18}{}", cells(0), cells(1)));
        }
    }

    /// Writes the end of the hand, or its current state.
    fn result(&mut self, played: &Replay<Leopard>) {
        let end = &played.end;
        let how = match end.end {
            End::Knock(seat) => format!("The knock of seat {} ends the hand.", seat.0),
            End::Exhausted => "The stock and both hands are empty.".to_owned(),
            End::Open => "The hand is not over.".to_owned(),
        };
        let scores = played.game.scores(end);
        let ([v0, v1], [s0, s1]) = (end.values, [scores.0[0], scores.0[1]]);
        self.line(&format!("\n{how} Values {v0} and {v1}, points {s0} and {s1}:"));
        let does = if end.end == End::Open { "is ahead" } else { "wins" };
        let winner = |seat: Seat| format!("seat {}, {}, {does}.", seat.0, self.names[seat.side()]);
        let verdict = scores.winner().map_or("a draw.".to_owned(), winner);
        self.line(&verdict);
    }
}

/// Draws both squares side by side, the own first, and the other visible facts. An open cell shows
/// its number, any other cell the suit of its top card.
pub(super) fn view_text(view: &View, letters: CardStyle) -> String {
    let [own, theirs] = Side::BOTH.map(|side| view.value(side));
    let other = view.seat.other();
    let mut text = format!("  your square: {own:<8} square of seat {}: {theirs}\n", other.0);
    for row in 0..3 {
        let [ours, theirs] = Side::BOTH.map(|side| row_text(view.square(side), row, letters));
        text += &format!("    {ours:<20}{theirs}\n");
    }
    let mut hand: Vec<Card> = view.hand.cards().collect();
    hand.sort_by_key(|card| (card.suit(), card.rank()));
    text += &format!("  your hand: {}\n", letters.cards(hand));
    let held = view.held[other.side()];
    text + &format!("  seat {} holds {held} cards; the stock has {}\n", other.0, view.stock_len)
}

fn row_text(square: Square, row: usize, letters: CardStyle) -> String {
    let cell = |cell: &Cell| match square.at(*cell) {
        Some(suit) => letters.suit(suit).to_string(),
        None => cell.number().to_string(),
    };
    Cell::ALL[3 * row..3 * row + 3].iter().map(cell).collect::<Vec<_>>().join("  ")
}

/// Cleans a name for a terminal: no control characters, at most 80 characters.
fn clean(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(80).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rules;
    use parlour_base::chance::Seed;
    use parlour_game::strategy::Strategic;
    use parlour_game::{Ruled, Turn};

    #[test]
    fn the_sentence_offers_a_knock_with_its_numbers_if_it_is_legal() {
        let mut knocks = 0;
        for preset in Leopard::presets() {
            let game = Leopard::new(&Rules { knock_at: 2, ..preset.rules }).unwrap();
            let mut chance = Seed::new(3).stream();
            let (mut state, mut legal) = (game.deal(&mut chance), Vec::new());
            while let Turn::Seat(seat) = game.turn(&state) {
                game.legal_moves(&state, &mut legal);
                let text = game.what_to_do(&game.view(&state, seat));
                let have = state.values[seat.side()];
                let numbers = format!("knock: you need 2, you have {have}.");
                let may_knock = legal.pop_if(|mv| *mv == Move::Knock).is_some();
                assert_eq!(text.ends_with(&format!("or {numbers}")), may_knock, "{text}");
                assert_eq!(text.contains("discard"), !state.played && state.held[seat.side()] > 0);
                knocks += u32::from(may_knock);
                let mv = legal[chance.below(legal.len() as u32) as usize];
                game.apply(&mut state, mv, &mut chance);
            }
        }
        assert!(knocks > 50, "{knocks}");
        let game = Leopard::new(&Rules::ORIGINAL).unwrap();
        let state = game.deal(&mut Seed::new(3).stream());
        let text = game.what_to_do(&game.view(&state, Seat(0)));
        assert_eq!(text, "Play a card or discard one; to knock you need 5, you have 0.");
    }
}
