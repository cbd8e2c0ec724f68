//! The record of a hand: written during play, checked by playing the hand again, and shown as text.

use std::collections::VecDeque;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::rule::compare;
use super::state::Deck;
use super::{Act, Eleusis, End, Move, Rule, Stage, State, Statements, corpus_rule};
use parlour_base::cards::{Card, CardMultiset, spaced};
use parlour_base::chance::Stream;
use parlour_base::error::ensure;
use parlour_game::record::shortened;
use parlour_game::{Fault, Game, Label, MAX_SEATS, Recorded, Replay, Ruled, Seat, Turn};

parlour_game::record::record!(Eleusis, "EleusisRecord", #[serde(default)] hand, before seats {
    /// The secret rule.
    rule: String,
    /// The name of the secret rule in the corpus.
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
    /// The player.
    pub seat: u8,
    /// The cards played, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<Vec<Card>>,
    /// `true` if the player claimed *no play* instead.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_play: bool,
    /// `true` if the play or claim was right.
    pub right: bool,
    /// The prophet's verdict, if there was a prophet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prophet_said: Option<bool>,
    /// The wrong card that the prophet picked after a false claim; the dealer then picked `forced`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prophet_picked: Option<Card>,
    /// The card put on the mainline after a false claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<Card>,
    /// The cards that the player drew as a penalty or as a new hand.
    pub drew: Vec<Card>,
    /// The cards that an overthrown prophet drew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prophet_drew: Option<Vec<Card>>,
    /// `true` if the player was expelled.
    #[serde(default, skip_serializing_if = "is_false")]
    pub expelled: bool,
    /// `true` if the player became prophet afterwards.
    #[serde(default, skip_serializing_if = "is_false")]
    pub becomes_prophet: bool,
    /// `true` if the stock ran out in this turn.
    #[serde(default, skip_serializing_if = "is_false")]
    pub stock_out: bool,
    /// Express: the rule that the player stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// Express: `true` if the stated rule was right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess_right: Option<bool>,
    /// Express: the cards drawn for a wrong guess.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guess_drew: Vec<Card>,
}

impl Record {
    /// Records a hand. `deck` is the source of cards after the secret rule was drawn.
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

/// A deck that logs the drawn cards.
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

/// A recorder that plays a hand and writes its turns.
struct Recorder<'a, D> {
    game: &'a Eleusis,
    state: State,
    dealt: Vec<Vec<Card>>,
    deck: Logged<D>,
    /// The cards drawn in the current turn.
    open: TurnRecord,
}

impl<'a, D: Deck> Recorder<'a, D> {
    /// Deals a hand under a secret rule.
    fn deal(game: &'a Eleusis, secret: Rule, deck: D) -> Recorder<'a, D> {
        let mut deck = Logged { deck, drawn: Vec::new() };
        let state = State::new_hand(game.rules(), secret, &mut deck);
        let mut dealt = vec![Vec::new(); game.seats()];
        for (seat, card) in deck.drawn.drain(..) {
            dealt[seat.index()].push(card);
        }
        Recorder { game, state, dealt, deck, open: TurnRecord::default() }
    }

    /// Returns the source of cards.
    fn deck(&mut self) -> &mut D {
        &mut self.deck.deck
    }

    /// Applies a legal move. Returns the turn if the move ended it.
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
        // A turn ends when the next turn starts or the hand ends.
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
        replay_moves(record)
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

/// A deck that deals the recorded cards, if they can be there.
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
            Some(card) => format!("{who}: no copy of {card} is left to draw"),
            None => format!("{who} must draw more cards than are recorded"),
        };
        self.wrong.get_or_insert(fault);
        // Play continues with any card, and the fault is reported.
        let card = from.distinct().next()?;
        from.remove(card);
        Some(card)
    }
}

/// A step of a replayed record.
enum Step<'a> {
    /// This legal move follows in this state.
    Choice(&'a State, Move),
    /// A finished turn and the state after it.
    Turn(&'a TurnRecord, &'a State),
}

/// Returns the game as the bots saw it, and the moves of the record in it.
fn replay_moves(record: &Record) -> Result<Replay<Eleusis>, Fault> {
    let usual = record.head().check::<Eleusis>()?;
    let mut listed = usual.statements().listed.clone();
    for rule in stated_rules(record)?.listed {
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

/// Returns the game in which exactly the rules that the record states may be stated.
fn referees_game(record: &Record) -> Result<Eleusis, Fault> {
    Ok(record.head().check::<Eleusis>()?.with_statements(stated_rules(record)?))
}

/// Replays the record strictly to its end and reports each step.
fn replay(game: &Eleusis, record: &Record, mut told: impl FnMut(Step<'_>)) -> Result<State, Fault> {
    let secret: Rule = record.rule.parse().map_err(|e| Fault::new("rule", format!("{e}")))?;
    check_rule(game, record, &secret)?;
    let mut script = Script { starter: Some(record.starter), ..Script::default() };
    for (queue, dealt) in script.cards.iter_mut().zip(&record.dealt) {
        queue.extend(dealt);
    }
    let mut hand = Recorder::deal(game, secret, script);
    let wrong = hand.deck().wrong.take();
    let more = || {
        (hand.dealt != record.dealt).then(|| "more cards are recorded than are dealt".to_owned())
    };
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

/// Checks the secret rule against the variant's and against the named corpus rule.
fn check_rule(game: &Eleusis, record: &Record, secret: &Rule) -> Result<(), Fault> {
    if let (Some(_), [variants]) = (&record.rules.secret, &**game.secrets) {
        let what = || format!("the secret rule of this variant is `{variants}`");
        ensure(variants == secret, what).map_err(|what| Fault::new("rule", what))?;
    }
    let Some(name) = &record.rule_name else { return Ok(()) };
    let of_corpus = corpus_rule(name).ok_or_else(|| {
        Fault::new("rule_name", format!("the corpus has no rule {}", shortened(name)))
    })?;
    // An equivalent rule may have another text.
    let same = of_corpus.rule == *secret || compare(&of_corpus.rule, secret).is_empty();
    let what = || format!("`{name}` is the rule `{}`", of_corpus.rule);
    ensure(same, what).map_err(|what| Fault::new("rule_name", what))
}

/// Returns the rules that are stated in the record.
fn stated_rules(record: &Record) -> Result<Statements, Fault> {
    let mut rules: Vec<Rule> = Vec::new();
    for (index, turn) in record.turns.iter().enumerate() {
        let Some(text) = &turn.guess else { continue };
        let at = format!("turn {}, guess", index + 1);
        rules.push(text.parse().map_err(|e| Fault::new(at, format!("{e}")))?);
    }
    Ok(Statements { listed: rules })
}

/// Returns the next move of a recorded turn.
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
        // A hand is recorded after its rule is revealed.
        Stage::Verdict => None,
        Stage::After => match &turn.guess {
            _ if turn.becomes_prophet => Some(Move::Prophesy),
            Some(text) => game.statements().of_rule(&text.parse().ok()?).map(Move::Guess),
            None => Some(Move::Pass),
        },
    }
}

/// Replays a turn with the recorded cards, and compares the result with the record.
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
                Stage::Play => "neither `play` nor `no_play` is present",
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
        // An equivalent rule may have another text.
        played.guess.clone_from(&turn.guess);
    }
    difference(turn, &played).map_or(Ok(()), Err)
}

/// Describes the first field that differs between the record and the replay.
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
    Some(format!("`{name}` is {}; it should be {}", shown(&written, name), shown(&is, name)))
}
