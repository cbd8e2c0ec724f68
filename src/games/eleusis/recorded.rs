//! Hands of Eleusis written down, and shown to a reader.

use std::fmt::Write;

use super::public::{Act, End, Stage};
use super::record::{Record, TurnRecord};
use super::replay::{self, Step, referees_game, replay};
use super::rule::Rule;
use super::state::{Deck, State};
use super::{Eleusis, Move};
use crate::cards::{Card, Counts};
use crate::chance::Stream;
use crate::game::{Choices, Fault, Game, Label, Recorded, Ruled, Seat};

/// A deck that writes down what is drawn.
struct Logged {
    chance: Stream,
    drawn: Vec<(Seat, Card)>,
}

impl Deck for Logged {
    fn draw(&mut self, seat: Option<Seat>, from: &mut Counts) -> Option<Card> {
        let card = from.draw(&mut self.chance)?;
        self.drawn.extend(seat.map(|seat| (seat, card)));
        Some(card)
    }
}

/// What the turn now on the table has so far.
fn note(turn: &mut TurnRecord, game: &Eleusis, mv: Move, before: &State, drawn: &[(Seat, Card)]) {
    let player = before.public().player;
    turn.seat = player.0;
    match mv {
        Move::Lay(card) => turn.play.get_or_insert_default().push(card),
        Move::NoPlay => turn.no_play = true,
        Move::Judge(said) => turn.prophet_said = Some(said),
        Move::Prophesy => turn.becomes_prophet = true,
        Move::Guess(number) => {
            turn.guess = game.statements().rule(number).map(|rule| rule.to_string());
        }
        Move::Submit | Move::Force(_) | Move::Pass => {}
    }
    for (seat, card) in drawn {
        if *seat != player {
            turn.prophet_drew.get_or_insert_default().push(*card);
        } else if matches!(mv, Move::Guess(_)) {
            turn.guess_drew.push(*card);
        } else {
            turn.drew.push(*card);
        }
    }
}

impl Recorded for Eleusis {
    type Record = Record;

    fn record(&self, label: &Label, chance: Stream, moves: &[Move]) -> Record {
        // The secret is drawn as in `deal`.
        let secret = chance.clone().below(self.secrets().len() as u32) as usize;
        self.written(label, chance, moves, &self.secrets()[secret])
    }

    fn record_to(&self, label: &Label, chance: Stream, moves: &[Move], end: &State) -> Record {
        self.written(label, chance, moves, end.rule())
    }

    fn verify(record: &Record) -> Result<(), Fault> {
        replay(&referees_game(record)?, record, |_| {}).map(|_| ())
    }

    fn show(record: &Record) -> Result<String, Fault> {
        show(record)
    }

    fn choices(record: &Record) -> Result<(Eleusis, Choices<Eleusis>), Fault> {
        replay::choices(record)
    }

    fn place(record: &Record) -> (u64, u32) {
        (record.deal, record.hand)
    }
}

impl Eleusis {
    fn written(&self, label: &Label, chance: Stream, moves: &[Move], secret: &Rule) -> Record {
        let mut deck = Logged { chance, drawn: Vec::new() };
        deck.chance.below(self.secrets().len() as u32);
        let mut state = State::dealt(self.rules(), secret.clone(), &mut deck);
        let mut dealt = vec![Vec::new(); self.seats()];
        for (seat, card) in deck.drawn.drain(..) {
            dealt[seat.index()].push(card);
        }
        let starter = state.public().mainline[0];
        let mut turns: Vec<TurnRecord> = Vec::new();
        let mut open = TurnRecord::default();
        for (index, &mv) in moves.iter().enumerate() {
            let before = state.clone();
            state.play(self.terms(), mv, &mut deck);
            note(&mut open, self, mv, &before, &deck.drawn);
            deck.drawn.clear();
            // A turn is over when the next one begins, or the hand ends.
            let public = state.public();
            let begins = public.stage == Stage::Play && public.string.is_empty();
            if begins || public.end != End::Open || index + 1 == moves.len() {
                if let Some(event) = public.history.last() {
                    open.right = event.right;
                    open.expelled = event.expelled;
                    open.guess_right = event.guess.map(|(_, right)| right);
                    if let Act::NoPlay { forced, .. } = &event.act {
                        open.forced = *forced;
                    }
                }
                open.stock_out = public.end == End::StockOut;
                turns.push(std::mem::take(&mut open));
            }
        }
        let scores = self.scores(&state);
        let name = super::bank().iter().find(|entry| entry.rule == state.rule);
        Record {
            format: 1,
            game: Eleusis::NAME.to_owned(),
            variant: label.variant.clone(),
            rules: self.rules().clone(),
            deal: label.deal,
            hand: label.hand,
            rotation: label.rotation,
            seed: label.seed,
            rule: state.rule.to_string(),
            rule_name: name.map(|entry| entry.name.clone()),
            seats: label.seats.clone(),
            dealt,
            starter,
            turns,
            winner: scores.winner().map(|seat| seat.0),
            scores: scores.0.to_vec(),
        }
    }
}

fn cards(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

fn show(record: &Record) -> Result<String, Fault> {
    let mut text = format!("Rule: {}", record.rule);
    if let Some(name) = &record.rule_name {
        let _ = write!(text, " ({name})");
    }
    let _ = writeln!(text, "\nDealer: {}", record.seats.first().map_or("", String::as_str));
    for (seat, hand) in record.dealt.iter().enumerate().skip(1) {
        let name = record.seats.get(seat).map_or("", String::as_str);
        let _ = writeln!(text, "Seat {seat}, {name}: {}", cards(hand));
    }
    let _ = writeln!(text, "Starter: {}", record.starter);
    let mut number = 0;
    let state = replay(&referees_game(record)?, record, |step| {
        let Step::Turn(turn, state) = step else { return };
        number += 1;
        let _ = write!(text, "{number:>3}. Seat {}", turn.seat);
        match &turn.play {
            Some(play) => {
                let _ = write!(text, " plays {}", cards(play));
            }
            None => text += " claims no play",
        }
        if let Some(said) = turn.prophet_said {
            let _ = write!(text, "; the prophet says {}", if said { "right" } else { "wrong" });
        }
        text += if turn.right { ": right" } else { ": wrong" };
        if let Some(card) = turn.forced {
            let _ = write!(text, ", {card} is put on the mainline");
        }
        if let Some(drew) = &turn.prophet_drew {
            let _ = write!(text, "; the prophet is overthrown and draws {}", cards(drew));
        }
        if !turn.drew.is_empty() {
            let _ = write!(text, "; draws {}", cards(&turn.drew));
        }
        if turn.expelled {
            text += "; expelled";
        }
        if turn.becomes_prophet {
            text += "; becomes prophet";
        }
        if let (Some(guess), Some(right)) = (&turn.guess, turn.guess_right) {
            let verdict = if right { "the rule" } else { "not the rule" };
            let _ = write!(text, "; states `{guess}`: {verdict}");
        }
        let _ = writeln!(text, "   [{}]", cards(&state.public().mainline));
    })?;
    let end = match state.public().end {
        End::Open => "not over".to_owned(),
        End::Out(seat) => format!("seat {} is out of cards", seat.0),
        End::NoPlay(seat) => format!("seat {} has no play", seat.0),
        End::Expelled => "all players are expelled".to_owned(),
        End::StockOut => "the stock is used up".to_owned(),
        End::Guessed(seat) => format!("seat {} stated the rule", seat.0),
    };
    let _ = writeln!(text, "End: {end}. Scores: {:?}", record.scores);
    Ok(text)
}
