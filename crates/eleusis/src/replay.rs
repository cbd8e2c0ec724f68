//! A record played again, as strictly as a referee.

use std::collections::VecDeque;

use serde_json::{Map, Value};

use super::record::Written;
use super::rule::compare;
use super::state::Deck;
use super::{Eleusis, End, Move, Record, Rule, Stage, State, Statements, TurnRecord, corpus_rule};
use crate::cards::{Card, CardMultiset};
use crate::error::ensure;
use crate::game::record::shortened;
use crate::game::{Fault, Game, MAX_SEATS, Replay, Seat, Turn};

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
pub(super) enum Step<'a> {
    /// In this state this legal move is about to be made.
    Choice(&'a State, Move),
    /// A turn is over, and the state is the one after it.
    Turn(&'a TurnRecord, &'a State),
}

/// The game that a bot would have sat at, and the choices of the record in it.
pub(super) fn choices(record: &Record) -> Result<Replay<Eleusis>, Fault> {
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
pub(super) fn referees_game(record: &Record) -> Result<Eleusis, Fault> {
    Ok(record.head().check::<Eleusis>()?.with_statements(stated(record)?))
}

/// Plays the record to its end.
pub(super) fn replay(
    game: &Eleusis,
    record: &Record,
    mut told: impl FnMut(Step<'_>),
) -> Result<State, Fault> {
    let secret: Rule = record.rule.parse().map_err(|e| Fault::new("rule", format!("{e}")))?;
    check_rule(game, record, &secret)?;
    let mut script = Script { starter: Some(record.starter), ..Script::default() };
    for (queue, dealt) in script.cards.iter_mut().zip(&record.dealt) {
        queue.extend(dealt);
    }
    let mut hand = Written::deal(game, secret, script);
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
    hand: &mut Written<'_, Script>,
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
