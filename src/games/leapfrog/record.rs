//! One hand of Leap Frog written down.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::replay::{self, Silent};
use super::{Leapfrog, Move, Phase, Rules, State, show};
use crate::chance::Stream;
use crate::game::{Choices, Fault, Game, Label, Recorded, Ruled};

/// One hand: a line of `records.jsonl`. Keys that are not known are passed over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LeapfrogRecord")]
pub struct Record {
    /// The version of this format: 1.
    pub format: u32,
    /// `leapfrog`.
    pub game: String,
    /// The variant's name.
    pub variant: String,
    /// The variant's rules in full.
    pub rules: Rules,
    /// The deal's number, from 0.
    pub deal: u64,
    /// The hand's number within its match, from 0; a match of Leap Frog is one hand.
    #[serde(default)]
    pub hand: u32,
    /// Which rotation of the strategies over the seats.
    pub rotation: u32,
    /// The experiment's seed.
    pub seed: u64,
    /// The strategies' names by seat.
    pub seats: Vec<String>,
    /// The full board: rows from the top joined by `/`, `o` a plain piece, `w y r g` coloured ones.
    pub board: String,
    /// First captures `xe5`, then chains `e5-g5-g7`.
    pub moves: Vec<String>,
    /// The points, by seat.
    pub scores: Vec<i64>,
    /// The only seat with the most points; null if there are several.
    // Without this an absent key would read as a draw.
    #[serde(deserialize_with = "required")]
    pub winner: Option<u8>,
}

fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    Option::deserialize(deserializer)
}

/// The moves with each chain in one piece: `e5-g5-g7`.
fn written(rules: &Rules, mut state: State, moves: &[Move]) -> (State, Vec<String>) {
    let mut texts: Vec<String> = Vec::new();
    for &mv in moves {
        if state.phase == Phase::Over {
            break;
        }
        let goes_on = state.phase == Phase::Continue;
        state.play(rules, mv);
        match texts.last_mut() {
            Some(chain) if goes_on && mv.is_leap() => *chain += &format!("-{}", mv.landing()),
            _ if mv == Move::STOP => {}
            _ => texts.push(mv.to_string()),
        }
    }
    (state, texts)
}

/// What a hand came to: the points by seat, and the winner.
pub(super) fn outcome(game: &Leapfrog, state: &State) -> (Vec<i64>, Option<u8>) {
    let scores = game.scores(state);
    let winner = scores.winner().map(|seat| seat.0);
    (scores.0.iter().map(|&points| i64::from(points)).collect(), winner)
}

impl Recorded for Leapfrog {
    type Record = Record;

    /// The moves must be legal ones in order; what follows the end of the hand is left out.
    fn record(&self, label: &Label, mut chance: Stream, moves: &[Move]) -> Record {
        let rules = self.rules();
        let start = self.deal(&mut chance);
        let (end, moves) = written(rules, start, moves);
        let (scores, winner) = outcome(self, &end);
        Record {
            format: 1,
            game: Leapfrog::NAME.to_owned(),
            variant: label.variant.clone(),
            rules: rules.clone(),
            deal: label.deal,
            hand: label.hand,
            rotation: label.rotation,
            seed: label.seed,
            seats: label.seats.clone(),
            board: start.board.text(rules),
            moves,
            scores,
            winner,
        }
    }

    fn verify(record: &Record) -> Result<(), Fault> {
        let (game, end) = replay::replay(record, &mut Silent)?;
        if end.phase != Phase::Over {
            let what = format!("the hand is not over: seat {} can still capture a piece", end.seat);
            return Err(Fault::new(format!("move {}", record.moves.len() + 1), what));
        }
        let (scores, winner) = outcome(&game, &end);
        if record.scores != scores {
            let said = &record.scores[..record.scores.len().min(8)];
            let what = format!("the points are {scores:?}, not {said:?}");
            return Err(Fault::new("scores", what));
        }
        if record.winner != winner {
            let name = |winner: Option<u8>| winner.map_or("null".to_owned(), |w| w.to_string());
            let (said, right) = (name(record.winner), name(winner));
            let what = format!("with the points {scores:?} it is {right}, not {said}");
            return Err(Fault::new("winner", what));
        }
        Ok(())
    }

    /// A hand that is unfinished, or whose result is wrong, is shown, with a remark.
    fn show(record: &Record) -> Result<String, Fault> {
        let mut drawing = show::Drawing::new(record);
        let (game, end) = replay::replay(record, &mut drawing)?;
        Ok(drawing.finish(&game, &end, Self::verify(record).err()))
    }

    /// The first capture or the first leap of each turn.
    fn choices(record: &Record) -> Result<(Leapfrog, Choices<Leapfrog>), Fault> {
        struct Choosing(Choices<Leapfrog>);
        impl replay::Listener for Choosing {
            fn step(&mut self, step: &replay::Step<'_>) {
                let mv = match step.cells {
                    [cell] => Some(Move::remove(*cell)),
                    [from, to, ..] => Move::between(*from, *to),
                    [] => None,
                };
                self.0.extend(mv.map(|mv| (*step.before, mv)));
            }
        }
        let mut choosing = Choosing(Vec::new());
        let (game, _) = replay::replay(record, &mut choosing)?;
        Ok((game, choosing.0))
    }

    fn place(record: &Record) -> (u64, u32) {
        (record.deal, record.hand)
    }
}
