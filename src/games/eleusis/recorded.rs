//! Eleusis as a [`Recorded`] game, and a recorded hand for a reader.

use super::replay::{Step, choices, referees_game, replay};
use super::{Eleusis, End, Move, Record, State};
use crate::cards::{Card, spaced};
use crate::chance::Stream;
use crate::game::{Choices, Fault, Label, Recorded};

impl Recorded for Eleusis {
    type Record = Record;

    fn record(&self, label: &Label, mut chance: Stream, moves: &[Move]) -> Record {
        // The secret is drawn as in `deal`.
        let secret = chance.below(self.secrets.len() as u32) as usize;
        Record::of(self, label, chance, moves, &self.secrets[secret])
    }

    fn record_to(&self, label: &Label, mut chance: Stream, moves: &[Move], end: &State) -> Record {
        chance.below(self.secrets.len() as u32);
        Record::of(self, label, chance, moves, &end.rule)
    }

    fn verify(record: &Record) -> Result<(), Fault> {
        replay(&referees_game(record)?, record, |_| {}).map(|_| ())
    }

    fn show(record: &Record) -> Result<String, Fault> {
        show(record)
    }

    fn choices(record: &Record) -> Result<(Eleusis, Choices<Eleusis>), Fault> {
        choices(record)
    }

    fn place(record: &Record) -> (u64, u32) {
        (record.deal, record.hand)
    }
}

fn show(record: &Record) -> Result<String, Fault> {
    let name = record.rule_name.as_ref().map_or_else(String::new, |name| format!(" ({name})"));
    let mut seats = record.seats.iter().map(String::as_str).chain(std::iter::repeat(""));
    let dealer = seats.next().unwrap_or_default();
    let mut text = format!("Rule: {}{name}\nDealer: {dealer}\n", record.rule);
    for ((seat, hand), name) in record.dealt.iter().enumerate().skip(1).zip(seats) {
        text += &format!("Seat {seat}, {name}: {}\n", spaced(hand));
    }
    text += &format!("Starter: {}\n", record.starter);
    let mut number = 0;
    let state = replay(&referees_game(record)?, record, |step| {
        let Step::Turn(turn, state) = step else { return };
        number += 1;
        let verdict = |right: bool| if right { "right" } else { "wrong" };
        let stated = |(guess, right): (&String, bool)| {
            format!("; states `{guess}`: {}the rule", if right { "" } else { "not " })
        };
        let overthrown =
            |drew: &Vec<Card>| format!("; the prophet is overthrown and draws {}", spaced(drew));
        let parts = [
            Some(match &turn.play {
                Some(play) => format!("plays {}", spaced(play)),
                None => "claims no play".to_owned(),
            }),
            turn.prophet_said.map(|said| format!("; the prophet says {}", verdict(said))),
            Some(format!(": {}", verdict(turn.right))),
            turn.forced.map(|card| format!(", {card} is put on the mainline")),
            turn.prophet_drew.as_ref().map(overthrown),
            (!turn.drew.is_empty()).then(|| format!("; draws {}", spaced(&turn.drew))),
            turn.expelled.then(|| "; expelled".to_owned()),
            turn.becomes_prophet.then(|| "; becomes prophet".to_owned()),
            turn.guess.as_ref().zip(turn.guess_right).map(stated),
        ];
        let (seat, parts) = (turn.seat, parts.into_iter().flatten().collect::<String>());
        let line = spaced(&state.public.mainline);
        text += &format!("{number:>3}. Seat {seat} {parts}   [{line}]\n");
    })?;
    let end = match state.public.end {
        End::Open => "not over".to_owned(),
        End::Out(seat) => format!("seat {} is out of cards", seat.0),
        End::NoPlay(seat) => format!("seat {} has no play", seat.0),
        End::Expelled => "all players are expelled".to_owned(),
        End::StockOut => "the stock is used up".to_owned(),
        End::Guessed(seat) => format!("seat {} stated the rule", seat.0),
    };
    Ok(text + &format!("End: {end}. Scores: {:?}\n", record.scores))
}
