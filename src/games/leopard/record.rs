//! One hand of Leopard written down.

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use super::replay::{self, Silent};
use super::state::Deck;
use super::{End, Leopard, Move, Plays, Rules, State, show};
use crate::cards::{Card, Pile};
use crate::chance::Stream;
use crate::game::{Choices, Fault, Label, Recorded, Ruled, Seat};

/// One hand: a line of `records.jsonl`. Keys that are not known are passed over.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LeopardRecord")]
pub struct Record {
    /// The version of this format: 1.
    pub format: u32,
    /// `leopard`.
    pub game: String,
    /// The variant's name.
    pub variant: String,
    /// The variant's rules in full.
    pub rules: Rules,
    /// The deal's number, from 0.
    pub deal: u64,
    /// The hand's number within its match, from 0.
    pub hand: u32,
    /// Which rotation of the strategies over the seats: 0 or 1.
    pub rotation: u32,
    /// The experiment's seed.
    pub seed: u64,
    /// The strategies' names by seat; seat 0 is the non-dealer and moves first.
    pub seats: Vec<String>,
    /// The cards dealt to each seat, in the order drawn.
    pub dealt: Vec<Vec<Card>>,
    /// The turns. A seat that was passed over, with neither card nor knock, has none.
    pub turns: Vec<TurnRecord>,
    /// The values of the squares at the end, by seat.
    pub values: Vec<i64>,
    /// The points, by seat.
    pub scores: Vec<i64>,
    /// The seat with more points; null for a draw.
    // Without this an absent key would read as a draw.
    #[serde(deserialize_with = "required")]
    pub winner: Option<u8>,
}

/// One turn of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LeopardTurn")]
pub struct TurnRecord {
    /// Whose turn.
    pub seat: u8,
    /// The cards drawn at its start, in order.
    pub drew: Vec<Card>,
    /// What was done: `7H o7` (own square), `2C x2` (the other's), `KD -` (discard), `knock`. The
    /// end of a turn of many plays is not written; a seat without cards that could have knocked
    /// and did not has an empty list.
    pub acts: Vec<String>,
}

fn required<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u8>, D::Error> {
    Option::deserialize(deserializer)
}

/// The deck of a hand that is written down: the stream's cards, noted.
struct Noted {
    stream: Stream,
    drawn: Vec<Card>,
}

impl Deck for Noted {
    fn draw(&mut self, stock: &mut Pile, len: u8) -> Card {
        let card = Deck::draw(&mut self.stream, stock, len);
        self.drawn.push(card);
        card
    }
}

impl Noted {
    fn turn_of(&mut self, state: &State) -> TurnRecord {
        TurnRecord { seat: state.seat.0, drew: std::mem::take(&mut self.drawn), acts: Vec::new() }
    }
}

/// Whether a legal move ends its turn.
pub(super) fn ends_turn(rules: &Rules, mv: Move) -> bool {
    !(mv.is_play() && rules.plays == Plays::Many)
}

impl Recorded for Leopard {
    type Record = Record;

    /// The moves must be legal ones in order, ends of turns included; what follows the end of the
    /// hand is left out.
    fn record(&self, label: &Label, chance: Stream, moves: &[Move]) -> Record {
        let rules = self.rules();
        let mut deck = Noted { stream: chance, drawn: Vec::new() };
        let mut state = State::dealt(rules, &mut deck);
        let dealt = deck.drawn.chunks(usize::from(rules.hand_size)).map(<[Card]>::to_vec).collect();
        deck.drawn.clear();

        state.begin_turn(rules, &mut deck);
        let mut turns = vec![deck.turn_of(&state)];
        for &mv in moves {
            if state.end != End::Open {
                break;
            }
            state.play(rules, mv, &mut deck);
            if let (Some(turn), true) = (turns.last_mut(), mv != Move::END) {
                turn.acts.push(mv.to_string());
            }
            if state.end == End::Open && ends_turn(rules, mv) {
                turns.push(deck.turn_of(&state));
            }
        }

        let result = Outcome::of(rules, &state);
        Record {
            format: 1,
            game: Leopard::NAME.to_owned(),
            variant: label.variant.clone(),
            rules: rules.clone(),
            deal: label.deal,
            hand: label.hand,
            rotation: label.rotation,
            seed: label.seed,
            seats: label.seats.clone(),
            dealt,
            turns,
            values: result.values.to_vec(),
            scores: result.scores.to_vec(),
            winner: result.winner,
        }
    }

    fn verify(record: &Record) -> Result<(), Fault> {
        let state = replay::replay(record, &mut Silent)?;
        if state.end == End::Open {
            return Err(unfinished(record, &state));
        }
        Outcome::of(&record.rules, &state).check(record)
    }

    /// A hand that is unfinished, or whose result is wrong, is shown, with a remark.
    fn show(record: &Record) -> Result<String, Fault> {
        let mut text = show::Drawing::new(record);
        let state = replay::replay(record, &mut text)?;
        let result = Outcome::of(&record.rules, &state);
        Ok(text.finish(&state, &result, Self::verify(record).err()))
    }

    fn choices(record: &Record) -> Result<(Leopard, Choices<Leopard>), Fault> {
        struct Choosing(Choices<Leopard>);
        impl replay::Witness for Choosing {
            fn turn(&mut self, _: &TurnRecord, _: &State) {}
            fn act(&mut self, mv: Move, before: &State, _: &State) {
                self.0.push((*before, mv));
            }
        }
        let mut choosing = Choosing(Vec::new());
        replay::replay(record, &mut choosing)?;
        let game = Leopard::new(&record.rules);
        Ok((game.map_err(|all| Fault::new("rules", all.to_string()))?, choosing.0))
    }

    fn place(record: &Record) -> (u64, u32) {
        (record.deal, record.hand)
    }
}

fn unfinished(record: &Record, state: &State) -> Fault {
    let turns = record.turns.len();
    let stock = match state.stock_len {
        0 => "the stock is empty".to_owned(),
        n => format!("the stock has {n} cards"),
    };
    let what = format!(
        "the hand is not over after turn {turns}: nobody has knocked, {stock}, the seats hold {} \
         and {} cards, and it is the turn of seat {}",
        state.held[0], state.held[1], state.seat.0
    );
    Fault::new(format!("turn {}", turns.saturating_add(1)), what)
}

/// What a hand came to.
pub(super) struct Outcome {
    pub values: [i64; 2],
    pub scores: [i64; 2],
    pub winner: Option<u8>,
}

impl Outcome {
    pub fn of(rules: &Rules, state: &State) -> Outcome {
        let scores = [Seat(0), Seat(1)].map(|seat| i64::from(state.score(rules, seat)));
        let winner = match scores[0].cmp(&scores[1]) {
            std::cmp::Ordering::Greater => Some(0),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(1),
        };
        let values = [Seat(0), Seat(1)].map(|seat| i64::from(state.value(seat)));
        Outcome { values, scores, winner }
    }

    fn check(&self, record: &Record) -> Result<(), Fault> {
        let pair = |at: &str, what: &str, said: &[i64], right: [i64; 2]| {
            if said == right {
                return Ok(());
            }
            let said = replay::shortened(said);
            Err(Fault::new(at, format!("{what} are {right:?}, not {said}")))
        };
        pair("values", "the values of the squares at the end", &record.values, self.values)?;
        pair("scores", "the points", &record.scores, self.scores)?;
        if record.winner != self.winner {
            let name = |winner: Option<u8>| winner.map_or("null".to_owned(), |w| w.to_string());
            let (said, right) = (name(record.winner), name(self.winner));
            let what = format!("with the points {:?} it is {right}, not {said}", self.scores);
            return Err(Fault::new("winner", what));
        }
        Ok(())
    }
}
