//! A record played again, as strictly as a referee.

use std::collections::VecDeque;
use std::fmt::Debug;

use super::public::Act;
use super::record::{Record, TurnRecord};
use super::rule::Rule;
use super::state::{Deck, State};
use super::statements::Statements;
use super::{Eleusis, End, Event, Move, Stage};
use crate::cards::{Card, Counts};
use crate::game::{Choices, Fault, Game, MAX_SEATS, Ruled, Seat, Turn};

/// A deck that gives the cards written down, if they can be there.
#[derive(Default)]
struct Script {
    cards: [VecDeque<Card>; MAX_SEATS],
    starter: Option<Card>,
    wrong: Option<String>,
}

impl Deck for Script {
    fn draw(&mut self, seat: Option<Seat>, from: &mut Counts) -> Option<Card> {
        let (who, next) = match seat {
            Some(seat) => (format!("seat {}", seat.0), self.cards[seat.index()].pop_front()),
            None => ("the starter".to_owned(), self.starter.take()),
        };
        let fault = match next {
            Some(card) if from.remove(card) => return Some(card),
            Some(card) => {
                format!(
                    "{who}: {card} cannot be drawn, no copy of it is left where cards are \
                         drawn from"
                )
            }
            None => format!("{who} must draw more cards than are written down"),
        };
        self.wrong.get_or_insert(fault);
        // Play goes on with any card; the fault is reported.
        let card = from.distinct().next()?;
        from.remove(card);
        Some(card)
    }
}

impl Script {
    fn check(&mut self, at: &str) -> Result<(), Fault> {
        if let Some(what) = self.wrong.take() {
            return Err(Fault::new(at, what));
        }
        match self.cards.iter().position(|cards| !cards.is_empty()) {
            Some(seat) => {
                let more = self.cards[seat].len();
                let what = format!("seat {seat} draws {more} cards too many");
                Err(Fault::new(at, what))
            }
            None => Ok(()),
        }
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
pub(super) fn choices(record: &Record) -> Result<(Eleusis, Choices<Eleusis>), Fault> {
    let usual = game_of(record)?;
    let mut listed = usual.statements().listed().to_vec();
    for rule in stated(record)?.listed() {
        if usual.statements().of_rule(rule).is_none() && !listed.contains(rule) {
            listed.push(rule.clone());
        }
    }
    let game = usual.with_statements(Statements::new(listed));
    let mut choices = Vec::new();
    replay(&game, record, |step| {
        if let Step::Choice(before, mv) = step {
            choices.push((before.clone(), mv));
        }
    })?;
    Ok((game, choices))
}

/// The game in which exactly the rules that the record states may be stated.
pub(super) fn referees_game(record: &Record) -> Result<Eleusis, Fault> {
    Ok(game_of(record)?.with_statements(stated(record)?))
}

fn game_of(record: &Record) -> Result<Eleusis, Fault> {
    if record.format != 1 || record.game != Eleusis::NAME {
        return Err(Fault::new("format", "must be 1, and the game `eleusis`"));
    }
    Eleusis::new(&record.rules).map_err(|all| Fault::new("rules", all.to_string()))
}

/// Plays the record to its end.
pub(super) fn replay(
    game: &Eleusis,
    record: &Record,
    mut told: impl FnMut(Step<'_>),
) -> Result<State, Fault> {
    let secret: Rule = record.rule.parse().map_err(|e| Fault::new("rule", format!("{e}")))?;
    let seats = game.seats();
    for (name, count) in [("seats", record.seats.len()), ("dealt", record.dealt.len())] {
        if count != seats {
            let what = format!("{count} entries; the rules have {seats} seats");
            return Err(Fault::new(name, what));
        }
    }
    let mut script = Script { starter: Some(record.starter), ..Script::default() };
    for (queue, dealt) in script.cards.iter_mut().zip(&record.dealt) {
        queue.extend(dealt);
    }
    let mut state = State::dealt(game.rules(), secret, &mut script);
    script.check("dealt")?;
    for (index, turn) in record.turns.iter().enumerate() {
        let at = format!("turn {}", index + 1);
        play_turn(game, &mut state, turn, &mut script, &at, &mut told)?;
        told(Step::Turn(turn, &state));
    }
    if state.public().end == End::Open {
        return Err(Fault::new("turns", "the hand of play is not over"));
    }
    let scores = game.scores(&state);
    if scores.0.as_slice() != record.scores {
        let what = format!("{:?}; they are {:?}", record.scores, scores.0);
        return Err(Fault::new("scores", what));
    }
    let winner = scores.winner().map(|seat| seat.0);
    if winner != record.winner {
        let what = format!("{:?}; it is {winner:?}", record.winner);
        return Err(Fault::new("winner", what));
    }
    Ok(state)
}

/// The rules that are stated in the record.
fn stated(record: &Record) -> Result<Statements, Fault> {
    let mut rules: Vec<Rule> = Vec::new();
    for (index, turn) in record.turns.iter().enumerate() {
        let Some(text) = &turn.guess else { continue };
        let at = format!("turn {}, guess", index + 1);
        rules.push(text.parse().map_err(|e| Fault::new(at, format!("{e}")))?);
    }
    Ok(Statements::new(rules))
}

/// The moves that a turn is written for, one at a time.
fn next_move(game: &Eleusis, state: &State, turn: &TurnRecord) -> Option<Move> {
    let public = state.public();
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
        Stage::Force => turn.forced.map(Move::Force),
        Stage::After => match &turn.guess {
            _ if turn.becomes_prophet => Some(Move::Prophesy),
            Some(text) => game.statements().of_rule(&text.parse().ok()?).map(Move::Guess),
            None => Some(Move::Pass),
        },
    }
}

fn play_turn(
    game: &Eleusis,
    state: &mut State,
    turn: &TurnRecord,
    script: &mut Script,
    at: &str,
    told: &mut impl FnMut(Step<'_>),
) -> Result<(), Fault> {
    let fault = |what: String| Fault::new(at, what);
    if game.turn(state) == Turn::Over {
        return Err(fault("the hand of play is over".to_owned()));
    }
    let player = state.public().player;
    if turn.seat != player.0 {
        return Err(fault(format!("it is the turn of seat {}, not {}", player.0, turn.seat)));
    }
    if turn.play.is_some() == turn.no_play {
        return Err(fault("a turn has either `play` or `no_play`".to_owned()));
    }
    let prophet = state.public().prophet;
    script.cards[player.index()].extend(&turn.drew);
    if let Some(cards) = &turn.prophet_drew {
        let Some(prophet) = prophet else {
            return Err(fault("`prophet_drew` without a prophet".to_owned()));
        };
        script.cards[prophet.index()].extend(cards);
    }
    let turns_before = state.public().history.len();
    loop {
        let before = state.public().stage;
        let Some(mv) = next_move(game, state, turn) else {
            return Err(fault(match before {
                Stage::Play => "no card is played and nothing claimed".to_owned(),
                Stage::Judge => "there is a prophet; `prophet_said` is missing".to_owned(),
                Stage::Force => "the claim is false; `forced` is missing".to_owned(),
                Stage::After => "the stated rule cannot be read".to_owned(),
            }));
        };
        if !game.is_legal(state, mv) {
            return Err(fault(format!("`{}` is not legal here", game.notation(mv))));
        }
        if matches!(mv, Move::Guess(_)) {
            // What was drawn before the guess is complete.
            script.check(at)?;
            script.cards[player.index()].extend(&turn.guess_drew);
        }
        told(Step::Choice(state, mv));
        state.play(game.terms(), mv, script);
        let public = state.public();
        let done = public.history.len() > turns_before && public.stage != Stage::After;
        if done || public.end != End::Open {
            break;
        }
    }
    script.check(at)?;
    let ended = state.public().end == End::StockOut;
    match state.public().history.last() {
        Some(event) => compare(event, turn, ended, at),
        None => Ok(()),
    }
}

/// Whether the turn went as it is written.
fn compare(event: &Event, turn: &TurnRecord, stock_out: bool, at: &str) -> Result<(), Fault> {
    let said = event.prophet_said.map(|(_, said)| said);
    let forced = match &event.act {
        Act::NoPlay { forced, .. } => *forced,
        Act::Play(_) => None,
    };
    let guessed = event.guess.map(|(_, right)| right);
    same("right", turn.right, event.right, at)?;
    same("expelled", turn.expelled, event.expelled, at)?;
    same("becomes_prophet", turn.becomes_prophet, event.becomes_prophet, at)?;
    same("stock_out", turn.stock_out, stock_out, at)?;
    same("prophet_said", turn.prophet_said, said, at)?;
    same("forced", turn.forced, forced, at)?;
    same("guess_right", turn.guess_right, guessed, at)?;
    if event.guess.is_none() && turn.guess.is_some() {
        return Err(Fault::new(at, "no rule can be stated in this turn"));
    }
    let overthrown = said.is_some_and(|said| said != event.right);
    if turn.prophet_drew.is_some() && !overthrown {
        return Err(Fault::new(at, "`prophet_drew`, but the prophet was right"));
    }
    Ok(())
}

fn same<T: PartialEq + Debug>(name: &str, written: T, is: T, at: &str) -> Result<(), Fault> {
    if written == is {
        return Ok(());
    }
    Err(Fault::new(at, format!("`{name}` is written {written:?}; it is {is:?}")))
}
