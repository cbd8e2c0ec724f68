//! A hand drawn for a reader.

use super::cells::{CELLS, Cell, Kind};
use super::record::Record;
use super::replay::{Replayed, Step};
use super::{Act, End, State};
use crate::cards::Card;
use crate::error::Fault;
use crate::game::Game;

/// What lies on top of a cell.
#[derive(Clone, Copy)]
enum Top {
    Nothing,
    FaceDown,
    FaceUp(Card),
}

/// A hand being drawn, move by move. It keeps the ranks of the cards on the squares, which the
/// game forgets.
struct Drawing {
    text: String,
    names: [String; 2],
    squares: [[Top; CELLS]; 2],
}

/// The hand as a text, with what is wrong in the record.
pub(super) fn text(record: &Record, played: &Replayed, wrong: Option<Fault>) -> String {
    let names = [0, 1].map(|seat| clean(&record.seats[seat]));
    let mut drawing = Drawing { text: String::new(), names, squares: [[Top::Nothing; CELLS]; 2] };
    drawing.head(record);
    let mut turns = 0;
    for step in &played.steps {
        if step.turn == turns {
            drawing.turn(turns + 1, &record.turns[turns].drew, &step.before);
            turns += 1;
        }
        drawing.step(step);
    }
    drawing.result(played);
    if let Some(fault) = wrong {
        drawing.line(&format!("The record is wrong: {fault}."));
    }
    drawing.text
}

impl Drawing {
    fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    fn head(&mut self, record: &Record) {
        self.line(&format!(
            "Leopard {}, deal {}, hand {} of {}, rotation {}, seed {}",
            clean(&record.variant),
            record.deal,
            u64::from(record.hand) + 1,
            record.rules.hands_per_match,
            record.rotation,
            record.seed
        ));
        let names = &self.names;
        self.line(&format!("seat 0 is {}, who moves first; seat 1 is {}", names[0], names[1]));
        self.line("A cell shows its face-up card, ## for a face-down one, -- for none.");
        for (seat, hand) in record.dealt.iter().enumerate() {
            self.line(&format!("dealt to seat {seat}: {}", cards(hand.iter().copied())));
        }
    }

    /// The head of a turn: what its seat drew, and both hands.
    fn turn(&mut self, number: usize, drew: &[Card], state: &State) {
        let drew = match drew.is_empty() {
            true => "nothing to draw".to_owned(),
            false => format!("draws {}", cards(drew.iter().copied())),
        };
        let (seat, name) = (state.seat.0, &self.names[state.seat.side()]);
        self.line(&format!("\nturn {number}, seat {seat} {name}: {drew}"));
        for (seat, hand) in state.hands.iter().enumerate() {
            let mark = if seat == state.seat.side() { '>' } else { ' ' };
            self.line(&format!("  {mark} hand {seat}: {}", cards(hand.cards())));
        }
    }

    fn step(&mut self, step: &Step) {
        let seat = step.before.seat;
        let what = match step.mv.act() {
            Act::Own(card, cell) => {
                format!("lays {} on its own cell {}", self.lay(seat.side(), card, cell), cell.number())
            }
            Act::Other(card, cell) => {
                let card = self.lay(seat.other().side(), card, cell);
                format!("lays {card} on cell {} of the other square", cell.number())
            }
            Act::Discard(card) => format!("discards {card}"),
            Act::End if step.before.played => return,
            Act::End => "has no card and does not knock".to_owned(),
            Act::Knock => "knocks".to_owned(),
        };
        self.line(&format!("  {what}"));
        if step.mv.is_play() {
            self.squares(&step.after);
        }
    }

    /// Lays a card on a square; returns how it is called.
    fn lay(&mut self, seat: usize, card: Card, cell: Cell) -> String {
        let down = Kind::of(card).is_face_down();
        self.squares[seat][cell.index()] = if down { Top::FaceDown } else { Top::FaceUp(card) };
        format!("{card}{}", if down { ", face down," } else { "" })
    }

    /// Both squares side by side, with the values.
    fn squares(&mut self, state: &State) {
        let head = |seat: usize| format!("seat {seat}: value {}", state.values[seat]);
        self.line(&format!("    {:<18}{}", head(0), head(1)));
        for row in 0..3 {
            let cells = |seat: usize| {
                let tops = self.squares[seat][3 * row..3 * row + 3].iter().map(|top| match top {
                    Top::Nothing => "--".to_owned(),
                    Top::FaceDown => "##".to_owned(),
                    Top::FaceUp(card) => card.to_string(),
                });
                tops.collect::<Vec<_>>().join(" ")
            };
            let line = format!("    {:<18}{}", cells(0), cells(1));
            self.line(&line);
        }
    }

    /// How the hand ended, or stands.
    fn result(&mut self, played: &Replayed) {
        let end = &played.end;
        let how = match end.end {
            End::Knock(seat) => format!("The knock of seat {} ends the hand.", seat.0),
            End::Exhausted => "The stock and both hands are empty.".to_owned(),
            End::Open => "The hand is not over.".to_owned(),
        };
        let scores = played.game.scores(end);
        let ([v0, v1], [s0, s1]) = (end.values, [scores.0[0], scores.0[1]]);
        self.line(&format!("\n{how} Values {v0} and {v1}, points {s0} and {s1}:"));
        let verdict = match scores.winner() {
            None => "a draw.".to_owned(),
            Some(seat) => {
                let does = if end.end == End::Open { "is ahead" } else { "wins" };
                format!("seat {}, {}, {does}.", seat.0, self.names[seat.side()])
            }
        };
        self.line(&verdict);
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
