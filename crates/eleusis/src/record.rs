//! The record of a hand: written during play, checked by playing the hand again, and shown as text.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::rule::compare;
use super::state::Deck;
use super::{Act, Eleusis, End, Move, Rule, Stage, State, Statements, corpus_rule};
use crate::cards::{Card, CardMultiset, spaced};
use crate::chance::Stream;
use crate::error::ensure;
use crate::game::record::shortened;
use crate::game::{Fault, Game, Label, MAX_SEATS, Recorded, Replay, Ruled, Seat, Turn};

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
    fn of(game: &Eleusis, label: &Label, deck: impl Deck, moves: &[Move], secret: &Rule) -> Record {
        let mut hand = Recorder::deal(game, secret.clone(), deck);
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
struct Recorder<'a, D> {
    game: &'a Eleusis,
    state: State,
    dealt: Vec<Vec<Card>>,
    deck: Logged<D>,
    /// The cards drawn in the turn now on the table.
    open: TurnRecord,
}

impl<'a, D: Deck> Recorder<'a, D> {
    /// A new hand under a secret rule.
    fn deal(game: &'a Eleusis, secret: Rule, deck: D) -> Recorder<'a, D> {
        let mut deck = Logged { deck, drawn: Vec::new() };
        let state = State::dealt(game.rules(), secret, &mut deck);
        let mut dealt = vec![Vec::new(); game.seats()];
        for (seat, card) in deck.drawn.drain(..) {
            dealt[seat.index()].push(card);
        }
        Recorder { game, state, dealt, deck, open: TurnRecord::default() }
    }

    /// Where its cards come from.
    fn deck(&mut self) -> &mut D {
        &mut self.deck.deck
    }

    /// Makes a legal move; the turn, if that was the end of it.
    fn play(&mut self, mv: Move) -> Option<TurnRecord> {
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

/// A deck that gives the cards written down, if they can be there.
#[derive(Default)]
struct Script {
    cards: [VecDeque<Card>; MAX_SEATS],
    starter: Option<Card>,
    wrong: Option<String>,
}

impl Deck for Script {
    fn draw(&mut self, seat: Option<Seat>, from: &mut CardMultiset) -> Option<Card> {
        let (who, next) = match seat {
            Some(seat) => (format!("seat {}", seat.0), self.cards[seat.index()].pop_front()),
            None => ("the starter".to_owned(), self.starter.take()),
        };
        let fault = match next {
            Some(card) if from.remove(card) => return Some(card),
            Some(card) => format!("{who}: no copy of {card} is left where cards are drawn from"),
            None => format!("{who} must draw more cards than are written down"),
        };
        self.wrong.get_or_insert(fault);
        // Play goes on with any card; the fault is reported.
        let card = from.distinct().next()?;
        from.remove(card);
        Some(card)
    }
}

/// What is told of a record that is played again.
enum Step<'a> {
    /// In this state this legal move is about to be made.
    Choice(&'a State, Move),
    /// A turn is over, and the state is the one after it.
    Turn(&'a TurnRecord, &'a State),
}

/// The game that a bot would have sat at, and the choices of the record in it.
fn choices(record: &Record) -> Result<Replay<Eleusis>, Fault> {
    let usual = record.head().check::<Eleusis>()?;
    let mut listed = usual.statements().listed.clone();
    for rule in stated(record)?.listed {
        if usual.statements().of_rule(&rule).is_none() && !listed.contains(&rule) {
            listed.push(rule);
        }
    }
    let game = usual.with_statements(Statements { listed });
    let (mut choices, mut written) = (Vec::new(), Vec::new());
    let end = replay(&game, record, |step| {
        if let Step::Choice(before, mv) = step {
            choices.push((before.clone(), mv));
            written.push(game.notation(mv));
        }
    })?;
    Ok(Replay { game, choices, written, end })
}

/// The game in which exactly the rules that the record states may be stated.
fn referees_game(record: &Record) -> Result<Eleusis, Fault> {
    Ok(record.head().check::<Eleusis>()?.with_statements(stated(record)?))
}

/// Plays the record to its end.
fn replay(game: &Eleusis, record: &Record, mut told: impl FnMut(Step<'_>)) -> Result<State, Fault> {
    let secret: Rule = record.rule.parse().map_err(|e| Fault::new("rule", format!("{e}")))?;
    check_rule(game, record, &secret)?;
    let mut script = Script { starter: Some(record.starter), ..Script::default() };
    for (queue, dealt) in script.cards.iter_mut().zip(&record.dealt) {
        queue.extend(dealt);
    }
    let mut hand = Recorder::deal(game, secret, script);
    let wrong = hand.deck().wrong.take();
    let more = || (hand.dealt != record.dealt).then(|| "more is written than is dealt".to_owned());
    if let Some(what) = wrong.or_else(more) {
        return Err(Fault::new("dealt", what));
    }
    for (index, turn) in record.turns.iter().enumerate() {
        play_turn(game, &mut hand, turn, &mut told)
            .map_err(|what| Fault::new(format!("turn {}", index + 1), what))?;
        told(Step::Turn(turn, &hand.state));
    }
    if hand.state.public.end == End::Open {
        return Err(Fault::new("turns", "the hand of play is not over"));
    }
    record.head().check_result(&game.scores(&hand.state))?;
    Ok(hand.state)
}

/// Whether the secret rule is the one that the variant and the bank's name speak of.
fn check_rule(game: &Eleusis, record: &Record, secret: &Rule) -> Result<(), Fault> {
    if let (Some(_), [variants]) = (&record.rules.secret, &**game.secrets) {
        let what = || format!("the secret rule of this variant is `{variants}`");
        ensure(variants == secret, what).map_err(|what| Fault::new("rule", what))?;
    }
    let Some(name) = &record.rule_name else { return Ok(()) };
    let of_bank = corpus_rule(name).ok_or_else(|| {
        Fault::new("rule_name", format!("the bank has no rule {}", shortened(name)))
    })?;
    // The same rule may have been written in other words.
    let same = of_bank.rule == *secret || compare(&of_bank.rule, secret).is_empty();
    let what = || format!("`{name}` is the rule `{}`", of_bank.rule);
    ensure(same, what).map_err(|what| Fault::new("rule_name", what))
}

/// The rules that are stated in the record.
fn stated(record: &Record) -> Result<Statements, Fault> {
    let mut rules: Vec<Rule> = Vec::new();
    for (index, turn) in record.turns.iter().enumerate() {
        let Some(text) = &turn.guess else { continue };
        let at = format!("turn {}, guess", index + 1);
        rules.push(text.parse().map_err(|e| Fault::new(at, format!("{e}")))?);
    }
    Ok(Statements { listed: rules })
}

/// The moves that a turn is written for, one at a time.
fn next_move(game: &Eleusis, state: &State, turn: &TurnRecord) -> Option<Move> {
    let public = &state.public;
    match public.stage {
        Stage::Play => {
            let play = turn.play.as_deref().unwrap_or_default();
            match play.get(public.string.len()) {
                Some(card) => Some(Move::Lay(*card)),
                None if public.string.is_empty() => turn.no_play.then_some(Move::NoPlay),
                None => Some(Move::Submit),
            }
        }
        Stage::Judge => turn.prophet_said.map(Move::Judge),
        Stage::Pick => turn.prophet_picked.or(turn.forced).map(Move::Force),
        Stage::Force => turn.forced.map(Move::Force),
        // A hand is written down once its rule is told.
        Stage::Verdict => None,
        Stage::After => match &turn.guess {
            _ if turn.becomes_prophet => Some(Move::Prophesy),
            Some(text) => game.statements().of_rule(&text.parse().ok()?).map(Move::Guess),
            None => Some(Move::Pass),
        },
    }
}

/// Plays a turn with the cards that are written down, and compares what it came to.
fn play_turn(
    game: &Eleusis,
    hand: &mut Recorder<'_, Script>,
    turn: &TurnRecord,
    told: &mut impl FnMut(Step<'_>),
) -> Result<(), String> {
    let public = &hand.state.public;
    let (player, prophet) = (public.player, public.prophet);
    if game.turn(&hand.state) == Turn::Over {
        return Err("the hand of play is over".to_owned());
    }
    if turn.seat != player.0 {
        return Err(format!("it is the turn of seat {}, not {}", player.0, turn.seat));
    }
    let script = hand.deck();
    script.cards[player.index()] = turn.drew.iter().chain(&turn.guess_drew).copied().collect();
    if let (Some(prophet), Some(cards)) = (prophet, &turn.prophet_drew) {
        script.cards[prophet.index()] = cards.iter().copied().collect();
    }
    let mut played = loop {
        let Some(mv) = next_move(game, &hand.state, turn) else {
            let what = match hand.state.public.stage {
                Stage::Play => "no card is played and nothing claimed",
                Stage::Judge => "there is a prophet; `prophet_said` is missing",
                Stage::Verdict => "nobody knows the rule",
                Stage::Pick | Stage::Force => "the claim is false; `forced` is missing",
                Stage::After => "the stated rule cannot be read",
            };
            return Err(what.to_owned());
        };
        if !game.is_legal(&hand.state, mv) {
            return Err(format!("`{}` is not legal here", game.notation(mv)));
        }
        told(Step::Choice(&hand.state, mv));
        if let Some(played) = hand.play(mv) {
            break played;
        }
    };
    if let Some(wrong) = hand.deck().wrong.take() {
        return Err(wrong);
    }
    if played.guess.is_some() {
        // The same rule may be written in other words.
        played.guess.clone_from(&turn.guess);
    }
    difference(turn, &played).map_or(Ok(()), Err)
}

/// The first field that is not written as it is.
fn difference(written: &TurnRecord, is: &TurnRecord) -> Option<String> {
    if written == is {
        return None;
    }
    let fields = |turn| match serde_json::to_value(turn) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    };
    let (written, is) = (fields(written), fields(is));
    let shown = |fields: &Map<_, Value>, name| {
        fields.get(name).map_or("absent".to_owned(), Value::to_string)
    };
    let name = written.keys().chain(is.keys()).find(|name| written.get(*name) != is.get(*name))?;
    Some(format!("`{name}` is written {}; it is {}", shown(&written, name), shown(&is, name)))
}
