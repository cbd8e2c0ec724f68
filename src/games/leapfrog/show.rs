//! A record as a text for a reader.

use std::fmt::Write;

use super::picture;
use super::record::outcome;
use super::replay::{Listener, Step};
use super::{Leapfrog, Phase, Record, Rules, State};
use crate::game::Fault;

/// The text as it grows.
pub(super) struct Drawing {
    text: String,
    rules: Rules,
    names: Vec<String>,
}

impl Drawing {
    pub fn new(record: &Record) -> Drawing {
        let mut text = format!(
            "Leap Frog, {}, deal {}, rotation {}, seed {}\n",
            record.variant, record.deal, record.rotation, record.seed
        );
        for (seat, name) in record.seats.iter().enumerate() {
            _ = writeln!(text, "seat {seat}: {name}");
        }
        Drawing { text, rules: record.rules.clone(), names: record.seats.clone() }
    }

    pub fn finish(mut self, game: &Leapfrog, end: &State, wrong: Option<Fault>) -> String {
        _ = write!(self.text, "\nat the end\n{}", picture::text(&self.rules, end.board(), &[]));
        let (scores, winner) = outcome(game, end);
        let points = scores.iter().map(i64::to_string).collect::<Vec<_>>().join(" : ");
        let result = match winner {
            _ if end.phase() != Phase::Over => "so far".to_owned(),
            Some(seat) => format!("seat {seat} ({}) wins", self.names[usize::from(seat)]),
            None => "drawn".to_owned(),
        };
        _ = writeln!(self.text, "points {points}, {result}");
        if let Some(fault) = wrong {
            _ = writeln!(self.text, "wrong in this record: {fault}");
        }
        self.text
    }
}

impl Listener for Drawing {
    fn step(&mut self, step: &Step<'_>) {
        let seat = step.seat;
        let gain = step.after.points(seat) - step.before.points(seat);
        let name = &self.names[seat.index() % self.names.len().max(1)];
        _ = write!(
            self.text,
            "\n{}. seat {} ({name}) {}  +{gain}, now {}\n{}",
            step.number,
            seat.0,
            step.text,
            step.after.points(seat),
            picture::text(&self.rules, step.before.board(), step.cells)
        );
    }
}
