//! A hand of Eleusis written down.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::deck::Deck;
use super::public::Act;
use super::rule::Rule;
use super::{Counts, Eleusis, Move, Rules, State};
use crate::cards::Card;
use crate::chance::Stream;
use crate::game::{Fault, Game, Label, Recorded, Ruled, Seat};

fn is_false(value: &bool) -> bool {
    !value
}

/// One turn of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord {
    /// Whose turn it is.
    pub seat: u8,
    /// The cards played, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<Vec<Card>>,
    /// Whether the player claimed *no play* instead.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_play: bool,
    /// Whether the play or claim was right.
    pub right: bool,
    /// The prophet's verdict, when there was a prophet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prophet_said: Option<bool>,
    /// The card that the dealer put on the mainline after a false claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<Card>,
    /// The cards drawn by the player, as a penalty or as a new hand.
    #[serde(default)]
    pub drew: Vec<Card>,
    /// The cards drawn by an overthrown prophet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prophet_drew: Option<Vec<Card>>,
    /// Whether the player was expelled.
    #[serde(default, skip_serializing_if = "is_false")]
    pub expelled: bool,
    /// Whether the player became prophet afterwards.
    #[serde(default, skip_serializing_if = "is_false")]
    pub becomes_prophet: bool,
    /// Whether the stock ran out in this turn.
    #[serde(default, skip_serializing_if = "is_false")]
    pub stock_out: bool,
    /// Express: the rule that the player stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// Express: whether it was the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess_right: Option<bool>,
    /// Express: the cards drawn for a wrong guess, where that costs any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guess_drew: Vec<Card>,
}

/// One hand: a line of `records.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "EleusisRecord")]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of the format: 1.
    pub format: u8,
    /// The game: `eleusis`.
    pub game: String,
    /// The variant's name.
    pub variant: String,
    /// Its rules in full.
    pub rules: Rules,
    /// The deal's number.
    pub deal: u64,
    /// The hand's number in its match.
    #[serde(default)]
    pub hand: u32,
    /// The rotation of the strategies.
    pub rotation: u32,
    /// The experiment's seed.
    pub seed: u64,
    /// The secret rule.
    pub rule: String,
    /// Its name in the bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_name: Option<String>,
    /// The strategies by seat; seat 0 is the dealer.
    pub seats: Vec<String>,
    /// The hands dealt, by seat.
    pub dealt: Vec<Vec<Card>>,
    /// The starter.
    pub starter: Card,
    /// The turns.
    pub turns: Vec<TurnRecord>,
    /// The points by seat.
    pub scores: Vec<i32>,
    /// The only seat with the top score.
    pub winner: Option<u8>,
}

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
        super::verify::verify(record)
    }

    fn show(record: &Record) -> Result<String, Fault> {
        super::show::show(record)
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
            state.play(self, mv, &mut deck);
            note(&mut open, self, mv, &before, &deck.drawn);
            deck.drawn.clear();
            // A turn is over when the next one begins, or the hand ends.
            let public = state.public();
            let begins = public.stage == super::Stage::Play && public.string.is_empty();
            if begins || public.end != super::End::Open || index + 1 == moves.len() {
                if let Some(event) = public.history.last() {
                    open.right = event.right;
                    open.expelled = event.expelled;
                    open.guess_right = event.guess.map(|(_, right)| right);
                    if let Act::NoPlay { forced, .. } = &event.act {
                        open.forced = *forced;
                    }
                }
                open.stock_out = public.end == super::End::StockOut;
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
