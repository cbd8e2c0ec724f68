//! The record of a hand of Eleusis: how it is written down, and shown to a reader.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::replay::{Step, choices, referees_game, replay};
use super::state::Deck;
use super::{Act, Eleusis, End, Move, Rule, Stage, State};
use crate::cards::{Card, CardMultiset, spaced};
use crate::chance::Stream;
use crate::game::{Fault, Game, Label, Recorded, Replay, Ruled, Seat};

crate::game::record::record!(Eleusis, "EleusisRecord", #[serde(default)] hand, before seats {
    /// The secret rule.
    rule: String,
    /// Its name in the bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule_name: Option<String>,
}, {
    /// The hands dealt, by seat; seat 0 is the dealer.
    dealt: Vec<Vec<Card>>,
    /// The starter.
    starter: Card,
    /// The turns.
    turns: Vec<TurnRecord>,
});

fn is_false(value: &bool) -> bool {
    !value
}

/// One turn of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
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
    /// The wrong card that the prophet picked after a false claim; the dealer then put `forced`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prophet_picked: Option<Card>,
    /// The card that was put on the mainline after a false claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<Card>,
    /// The cards drawn by the player, as a penalty or as a new hand.
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

impl Record {
    /// `deck` is as it was after the secret rule was drawn.
    pub(super) fn of(
        game: &Eleusis,
        label: &Label,
        deck: impl Deck,
        moves: &[Move],
        secret: &Rule,
    ) -> Record {
        let mut hand = Written::deal(game, secret.clone(), deck);
        let turns = moves.iter().filter_map(|&mv| hand.play(mv)).collect();
        let state = hand.state;
        let entry = super::corpus().iter().find(|entry| entry.rule == state.rule);
        let (rule, name) = (state.rule.to_string(), entry.map(|entry| entry.name.clone()));
        let own = (rule, name, hand.dealt, state.public.mainline[0], turns);
        Record::new(game, label, &game.scores(&state), own)
    }
}

/// A deck of which is written down what is drawn.
struct Logged<D> {
    deck: D,
    drawn: Vec<(Seat, Card)>,
}

impl<D: Deck> Deck for Logged<D> {
    fn draw(&mut self, seat: Option<Seat>, from: &mut CardMultiset) -> Option<Card> {
        let card = self.deck.draw(seat, from)?;
        self.drawn.extend(seat.map(|seat| (seat, card)));
        Some(card)
    }
}

/// A hand that is written down while it is played.
pub(super) struct Written<'a, D> {
    game: &'a Eleusis,
    pub state: State,
    pub dealt: Vec<Vec<Card>>,
    deck: Logged<D>,
    /// The cards drawn in the turn now on the table.
    open: TurnRecord,
}

impl<'a, D: Deck> Written<'a, D> {
    /// A new hand under a secret rule.
    pub fn deal(game: &'a Eleusis, secret: Rule, deck: D) -> Written<'a, D> {
        let mut deck = Logged { deck, drawn: Vec::new() };
        let state = State::dealt(game.rules(), secret, &mut deck);
        let mut dealt = vec![Vec::new(); game.seats()];
        for (seat, card) in deck.drawn.drain(..) {
            dealt[seat.index()].push(card);
        }
        Written { game, state, dealt, deck, open: TurnRecord::default() }
    }

    /// Where its cards come from.
    pub fn deck(&mut self) -> &mut D {
        &mut self.deck.deck
    }

    /// Makes a legal move; the turn, if that was the end of it.
    pub fn play(&mut self, mv: Move) -> Option<TurnRecord> {
        let player = self.state.public.player;
        let open = &mut self.open;
        let game = self.game;
        self.state.play(game.rules(), game.statements(), mv, &mut self.deck);
        for (seat, card) in self.deck.drawn.drain(..) {
            let drew = match mv {
                _ if seat != player => open.prophet_drew.get_or_insert_default(),
                Move::Guess(_) => &mut open.guess_drew,
                _ => &mut open.drew,
            };
            drew.push(card);
        }
        // A turn is over when the next one begins, or the hand ends.
        let public = &self.state.public;
        let begins = public.stage == Stage::Play && public.string.is_empty();
        let event = public.history.last().filter(|_| begins || public.end != End::Open)?;
        let (play, forced) = match &event.act {
            Act::Play(cards) => (Some(cards.clone()), None),
            Act::NoPlay { forced, .. } => (None, *forced),
        };
        let rule = |(number, _)| self.game.statements().rule(number);
        Some(TurnRecord {
            seat: event.seat.0,
            no_play: play.is_none(),
            play,
            right: event.right,
            prophet_said: event.prophet_said.map(|(_, said)| said),
            prophet_picked: event.prophet_picked,
            forced,
            expelled: event.expelled,
            becomes_prophet: event.becomes_prophet,
            stock_out: public.end == End::StockOut,
            guess: event.guess.and_then(rule).map(|rule| rule.to_string()),
            guess_right: event.guess.map(|(_, right)| right),
            ..std::mem::take(open)
        })
    }
}

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

    fn replay(record: &Record) -> Result<Replay<Eleusis>, Fault> {
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
            turn.prophet_picked.map(|card| format!(", the prophet picks {card}, which is wrong")),
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
    let scores = record.scores.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    Ok(text + &format!("End: {end}. Scores, the dealer's first: {scores}.\n"))
}
