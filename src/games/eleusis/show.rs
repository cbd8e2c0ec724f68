//! A record for a reader.

use std::fmt::Write;

use super::verify::replay;
use super::{End, Record};
use crate::cards::Card;
use crate::game::Fault;

fn cards(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

pub(super) fn show(record: &Record) -> Result<String, Fault> {
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
    let state = replay(record, |turn, state| {
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
