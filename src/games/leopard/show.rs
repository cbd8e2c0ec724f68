//! A hand drawn for a reader.

use std::fmt::Write;

use super::cells::{CELLS, Cell, Kind};
use super::record::{Outcome, Record, TurnRecord};
use super::replay::Witness;
use super::{Act, End, Move, State};
use crate::cards::Card;
use crate::game::Fault;

/// What lies on top of a cell.
#[derive(Clone, Copy)]
enum Top {
    Nothing,
    FaceDown,
    FaceUp(Card),
}

/// A hand being drawn, move by move. It keeps the ranks of the cards on the squares, which the
/// game forgets.
pub(super) struct Drawing {
    text: String,
    names: [String; 2],
    squares: [[Top; CELLS]; 2],
    turns: usize,
}

impl Drawing {
    /// The head of a record.
    pub fn new(record: &Record) -> Drawing {
        // The names are only counted when the hand is replayed.
        let name = |seat: usize| record.seats.get(seat).map_or("?", |name| name.as_str());
        let names = [0, 1].map(|seat| clean(name(seat)));
        let mut text = String::new();
        let rules = &record.rules;
        let head = [
            format!(
                "Leopard {}, deal {}, hand {} of {}, rotation {}, seed {}",
                clean(&record.variant),
                record.deal,
                u64::from(record.hand) + 1,
                rules.hands_per_match,
                record.rotation,
                record.seed
            ),
            format!("seat 0 is {}, who moves first; seat 1 is {}", names[0], names[1]),
            "A cell shows its face-up card, ## for a face-down one, -- for none.".to_owned(),
        ];
        for line in head {
            text.push_str(&line);
            text.push('\n');
        }
        for (seat, hand) in record.dealt.iter().take(2).enumerate() {
            let _ =
                writeln!(text, "dealt to seat {seat}: {}", cards(hand.iter().copied().take(104)));
        }
        Drawing { text, names, squares: [[Top::Nothing; CELLS]; 2], turns: 0 }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Both squares side by side, with the values.
    fn draw_squares(&mut self, state: &State) {
        let head = |seat: usize| format!("seat {seat}: value {}", state.values[seat]);
        self.line(&format!("    {:<18}{}", head(0), head(1)));
        for row in 0..3 {
            let cells = |seat: usize| {
                let tops = &self.squares[seat][3 * row..3 * row + 3];
                tops.iter().map(|top| top.text()).collect::<Vec<_>>().join(" ")
            };
            let line = format!("    {:<18}{}", cells(0), cells(1));
            self.line(&line);
        }
    }

    /// The text, with how the hand ended.
    pub fn finish(mut self, state: &State, result: &Outcome, fault: Option<Fault>) -> String {
        let how = match state.end {
            End::Knock(seat) => format!("The knock of seat {} ends the hand.", seat.0),
            End::Exhausted => "The stock and both hands are empty.".to_owned(),
            End::Open => "The hand is not over.".to_owned(),
        };
        let ([v0, v1], [s0, s1]) = (result.values, result.scores);
        self.line("");
        self.line(&format!("{how} Values {v0} and {v1}, points {s0} and {s1}:"));
        let verdict = match result.winner.map(usize::from) {
            Some(seat) if state.end != End::Open => {
                format!("seat {seat}, {}, wins.", self.names[seat & 1])
            }
            Some(seat) => format!("seat {seat}, {}, is ahead.", self.names[seat & 1]),
            None => "a draw.".to_owned(),
        };
        self.line(&verdict);
        if let Some(fault) = fault {
            self.line(&format!("The record is wrong: {fault}."));
        }
        self.text
    }
}

impl Top {
    fn text(self) -> String {
        match self {
            Top::Nothing => "--".to_owned(),
            Top::FaceDown => "##".to_owned(),
            Top::FaceUp(card) => card.to_string(),
        }
    }
}

impl Witness for Drawing {
    fn turn(&mut self, turn: &TurnRecord, state: &State) {
        self.turns += 1;
        let drew = match turn.drew.is_empty() {
            true => "nothing to draw".to_owned(),
            false => format!("draws {}", cards(turn.drew.iter().copied())),
        };
        let name = &self.names[state.seat.side()];
        let head = format!("turn {}, seat {} {name}: {drew}", self.turns, state.seat.0);
        self.line("");
        self.line(&head);
        for (seat, hand) in state.hands.iter().enumerate() {
            let mark = if seat == state.seat.side() { '>' } else { ' ' };
            self.line(&format!("  {mark} hand {seat}: {}", cards(hand.cards())));
        }
    }

    fn act(&mut self, mv: Move, before: &State, after: &State) {
        let own = before.seat.side();
        let what = match mv.act() {
            Act::Own(card, cell) => {
                self.lay(own, card, cell);
                let down = if Kind::of(card).is_face_down() { ", face down," } else { "" };
                format!("lays {card}{down} on its own cell {}", cell.number())
            }
            Act::Other(card, cell) => {
                self.lay(own ^ 1, card, cell);
                let down = if Kind::of(card).is_face_down() { ", face down," } else { "" };
                format!("lays {card}{down} on cell {} of the other square", cell.number())
            }
            Act::Discard(card) => format!("discards {card}"),
            Act::End => match before.played {
                true => return,
                false => "has no card and does not knock".to_owned(),
            },
            Act::Knock => "knocks".to_owned(),
        };
        self.line(&format!("  {what}"));
        if mv.is_play() {
            self.draw_squares(after);
        }
    }
}

impl Drawing {
    fn lay(&mut self, seat: usize, card: Card, cell: Cell) {
        let top = if Kind::of(card).is_face_down() { Top::FaceDown } else { Top::FaceUp(card) };
        self.squares[seat & 1][cell.index()] = top;
    }
}

fn cards(cards: impl Iterator<Item = Card>) -> String {
    let cards: Vec<String> = cards.map(|card| card.to_string()).collect();
    if cards.is_empty() { "none".to_owned() } else { cards.join(" ") }
}

/// A name as it may stand in a terminal: no control characters, not too long.
fn clean(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).take(80).collect()
}
