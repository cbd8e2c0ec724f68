//! The record of a hand: written during play, checked by playing the hand again, and shown as text.

use std::collections::VecDeque;
use std::ops::Not;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::rule::compare;
use super::state::Deck;
use super::{Act, Eleusis, End, Move, Public, Rule, Stage, State, corpus, corpus_rule};
use parlour_base::cards::{Card, CardMultiset, spaced};
use parlour_base::chance::Stream;
use parlour_base::error::ensure;
use parlour_game::record::shortened;
use parlour_game::{Fault, Game, Label, MAX_SEATS, Recorded, Replay, Seat};

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

/// One turn of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct TurnRecord {
    /// The player.
    pub seat: u8,
    /// The cards played, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<Vec<Card>>,
    /// `true` if the player claimed *no play* instead.
    #[serde(default, skip_serializing_if = "Not::not")]
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
    #[serde(default, skip_serializing_if = "Not::not")]
    pub expelled: bool,
    /// `true` if the player became prophet afterwards.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub becomes_prophet: bool,
    /// `true` if the stock ran out in this turn.
    #[serde(default, skip_serializing_if = "Not::not")]
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
    /// Express: the rules that other players stated after this play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_guesses: Vec<GuessRecord>,
}

/// A rule that another player stated.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
pub struct GuessRecord {
    /// The player.
    pub seat: u8,
    /// The rule.
    pub guess: String,
    /// `true` if it was right.
    pub right: bool,
    /// The cards drawn for a wrong guess.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub drew: Vec<Card>,
}

/// A recorder that plays a hand and writes its turns.
struct Recorder<'a, D> {
    game: &'a Eleusis,
    state: State,
    dealt: Vec<Vec<Card>>,
    deck: D,
    /// The cards drawn in the current turn.
    open: TurnRecord,
}

impl<'a, D: Deck> Recorder<'a, D> {
    /// Deals a hand under a secret rule.
    fn deal(game: &'a Eleusis, secret: Rule, mut deck: D) -> Recorder<'a, D> {
        let (state, dealt) = State::deal(&game.rules, secret, &mut deck);
        Recorder { game, state, dealt, deck, open: TurnRecord::default() }
    }

    /// Applies a legal move. Returns the turn if the move ended it.
    fn play(&mut self, mv: Move) -> Option<TurnRecord> {
        let Public { player, guesser, .. } = self.state.public;
        let mut hand = self.game.hand(&mut self.state, &mut self.deck);
        hand.play(mv);
        let open = &mut self.open;
        if let (Some(Seat(seat)), Move::Guess(_)) = (guesser, mv) {
            let (drew, right) = (Vec::new(), hand.state.public.end == End::Guessed(Seat(seat)));
            let guess = self.game.notation(mv).split_off("guess ".len());
            open.other_guesses.push(GuessRecord { seat, guess, right, drew });
        }
        for (seat, card) in hand.drawn {
            let drew = match (mv, open.other_guesses.last_mut()) {
                (Move::Guess(_), Some(other)) => &mut other.drew,
                _ if seat != player => open.prophet_drew.get_or_insert_default(),
                (Move::Guess(_), None) => &mut open.guess_drew,
                _ => &mut open.drew,
            };
            drew.push(card);
        }
        // A turn ends when the next turn starts or the hand ends.
        let public = &self.state.public;
        let is_over = public.is_turn_start() || public.end != End::Open;
        let event = public.history.last().filter(|_| is_over)?;
        let (play, forced) = match &event.act {
            Act::Play(cards) => (Some(cards.clone()), None),
            Act::NoPlay { forced, .. } => (None, *forced),
        };
        let rule = |(number, _)| self.game.statements.rule(number);
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

    fn record(&self, label: &Label, mut chance: Stream, moves: &[Move], end: &State) -> Record {
        // The secret was drawn in `deal`.
        chance.below(self.secrets.len() as u32);
        let mut hand = Recorder::deal(self, end.rule.clone(), chance);
        let turns = moves.iter().filter_map(|&mv| hand.play(mv)).collect();
        let entry = corpus().iter().find(|entry| entry.rule == end.rule);
        let (rule, name) = (end.rule.to_string(), entry.map(|entry| entry.name.clone()));
        let own = (rule, name, hand.dealt, end.public.mainline[0], turns);
        Record::new(self, label, &self.scores(end), own)
    }

    fn verify(record: &Record) -> Result<(), Fault> {
        run(&record.head().check::<Eleusis>()?, record, |_, _| {}).map(|_| ())
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
        let mut lines = Vec::new();
        let end = run(&record.head().check::<Eleusis>()?, record, |state, _| {
            let line = || spaced(&state.public.mainline);
            lines.extend(state.public.is_turn_start().then(line));
        })?;
        lines.push(spaced(&end.public.mainline));
        for (number, (turn, line)) in (1..).zip(record.turns.iter().zip(&lines[1..])) {
            text += &format!("{number:>3}. Seat {} {}   [{line}]\n", turn.seat, turn.text());
        }
        let end = match end.public.end {
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

    fn replay(record: &Record) -> Result<Replay<Eleusis>, Fault> {
        let game = record.head().check::<Eleusis>()?;
        let (mut choices, mut written) = (Vec::new(), Vec::new());
        let end = run(&game, record, |before, mv| {
            choices.push((before.clone(), mv));
            written.push(game.notation(mv));
        })?;
        Ok(Replay { game, choices, written, end })
    }
}

impl TurnRecord {
    /// Describes the turn in words.
    fn text(&self) -> String {
        let verdict = |right: bool| if right { "right" } else { "wrong" };
        let stated = |(guess, right): (&String, bool)| {
            format!("; states `{guess}`: {}the rule", if right { "" } else { "not " })
        };
        let overthrown =
            |drew: &Vec<Card>| format!("; the prophet is overthrown and draws {}", spaced(drew));
        let play = |cards: &Vec<Card>| format!("plays {}", spaced(cards));
        let parts = [
            Some(self.play.as_ref().map_or_else(|| "claims no play".to_owned(), play)),
            self.prophet_said.map(|said| format!("; the prophet says {}", verdict(said))),
            Some(format!(": {}", verdict(self.right))),
            self.prophet_picked.map(|card| format!(", the prophet picks {card}, which is wrong")),
            self.forced.map(|card| format!(", {card} is put on the mainline")),
            self.prophet_drew.as_ref().map(overthrown),
            (!self.drew.is_empty()).then(|| format!("; draws {}", spaced(&self.drew))),
            self.expelled.then(|| "; expelled".to_owned()),
            self.becomes_prophet.then(|| "; becomes prophet".to_owned()),
            self.guess.as_ref().zip(self.guess_right).map(stated),
        ];
        let others = self.other_guesses.iter().map(|other| {
            format!("; seat {}{}", other.seat, stated((&other.guess, other.right)).split_off(1))
        });
        parts.into_iter().flatten().chain(others).collect()
    }
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
        None
    }
}

/// Replays the record strictly to its end. Calls `each` with every choice and the state before it.
fn run(
    game: &Eleusis,
    record: &Record,
    mut each: impl FnMut(&State, Move),
) -> Result<State, Fault> {
    let secret: Rule = record.rule.parse().map_err(|e| Fault::new("rule", format!("{e}")))?;
    check_rule(game, record, &secret)?;
    let mut script = Script { starter: Some(record.starter), ..Script::default() };
    for (queue, dealt) in script.cards.iter_mut().zip(&record.dealt) {
        queue.extend(dealt);
    }
    let mut hand = Recorder::deal(game, secret, script);
    let fault = hand.deck.wrong.take().or_else(|| {
        let is_more = hand.dealt != record.dealt;
        is_more.then(|| "more cards are recorded than are dealt".to_owned())
    });
    fault.map_or(Ok(()), |what| Err(Fault::new("dealt", what)))?;
    for (number, turn) in (1..).zip(&record.turns) {
        hand.run(turn, &mut each).map_err(|what| Fault::new(format!("turn {number}"), what))?;
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
        ensure(variants == secret, || Fault::new("rule", what()))?;
    }
    let Some(name) = &record.rule_name else { return Ok(()) };
    let unknown = || format!("the corpus has no rule {}", shortened(name));
    let entry = corpus_rule(name).ok_or_else(|| Fault::new("rule_name", unknown()))?;
    // An equivalent rule may have another text.
    let same = entry.rule == *secret || compare(&entry.rule, secret).is_empty();
    ensure(same, || Fault::new("rule_name", format!("`{name}` is the rule `{}`", entry.rule)))
}

impl Recorder<'_, Script> {
    /// Returns the next move of a recorded turn.
    ///
    /// # Errors
    /// The missing field.
    fn next_move(&self, turn: &TurnRecord) -> Result<Move, &'static str> {
        let public = &self.state.public;
        let (no_verdict, no_card, no_rule) = (
            "there is a prophet; `prophet_said` is missing",
            "the claim is false; `forced` is missing",
            "the stated rule cannot be read",
        );
        Ok(match public.stage {
            Stage::Play => {
                match turn.play.as_deref().unwrap_or_default().get(public.string.len()) {
                    Some(card) => Move::Lay(*card),
                    None if !public.string.is_empty() => Move::Submit,
                    None if turn.no_play => Move::NoPlay,
                    None => return Err("neither `play` nor `no_play` is present"),
                }
            }
            Stage::Judge => Move::Judge(turn.prophet_said.ok_or(no_verdict)?),
            Stage::Pick => Move::Force(turn.prophet_picked.or(turn.forced).ok_or(no_card)?),
            Stage::Force => Move::Force(turn.forced.ok_or(no_card)?),
            // A hand is recorded after its rule is revealed.
            Stage::Verdict => return Err("nobody knows the rule"),
            Stage::After if turn.becomes_prophet => Move::Prophesy,
            Stage::After => match self.guess(turn) {
                Some(text) => {
                    let rule = text.parse().map_err(|_| no_rule)?;
                    Move::Guess(self.game.statements.of_rule(&rule).ok_or(no_rule)?)
                }
                None => Move::Pass,
            },
        })
    }

    /// Returns the rule that the seat to move states in a recorded turn.
    fn guess<'t>(&self, turn: &'t TurnRecord) -> Option<&'t String> {
        let Some(other) = self.state.public.guesser else { return turn.guess.as_ref() };
        Some(&turn.other_guesses.iter().find(|guess| guess.seat == other.0)?.guess)
    }

    /// Replays a turn with the recorded cards, and compares the result with the record.
    fn run(&mut self, turn: &TurnRecord, mut each: impl FnMut(&State, Move)) -> Result<(), String> {
        let public = &self.state.public;
        let player = public.player;
        if public.end != End::Open {
            return Err("the hand of play is over".to_owned());
        }
        if turn.seat != player.0 {
            return Err(format!("it is the turn of seat {}, not {}", player.0, turn.seat));
        }
        let cards = &mut self.deck.cards;
        cards[player.index()] = turn.drew.iter().chain(&turn.guess_drew).copied().collect();
        if let (Some(prophet), Some(drew)) = (public.prophet, &turn.prophet_drew) {
            cards[prophet.index()] = drew.iter().copied().collect();
        }
        for other in turn.other_guesses.iter().filter(|other| other.seat != player.0) {
            if let Some(cards) = cards.get_mut(usize::from(other.seat)) {
                *cards = other.drew.iter().copied().collect();
            }
        }
        let mut played = loop {
            let mv = self.next_move(turn)?;
            if !self.game.is_legal(&self.state, mv) {
                return Err(format!("`{}` is not legal here", self.game.notation(mv)));
            }
            each(&self.state, mv);
            if let Some(played) = self.play(mv) {
                break played;
            }
        };
        if let Some(wrong) = self.deck.wrong.take() {
            return Err(wrong);
        }
        if played.guess.is_some() {
            // An equivalent rule may have another text.
            played.guess.clone_from(&turn.guess);
        }
        for (played, written) in played.other_guesses.iter_mut().zip(&turn.other_guesses) {
            played.guess.clone_from(&written.guess);
        }
        ensure(*turn == played, || difference(turn, &played))
    }
}

/// Describes the first field that differs between the record and the replay.
fn difference(written: &TurnRecord, is: &TurnRecord) -> String {
    let [written, is] = [written, is].map(|turn| serde_json::to_value(turn).unwrap_or_default());
    let mut names = [&written, &is].into_iter().filter_map(Value::as_object).flat_map(Map::keys);
    let name = names.find(|name| written.get(name) != is.get(name)).map_or("", String::as_str);
    let shown = |fields: &Value| fields.get(name).map_or("absent".to_owned(), Value::to_string);
    format!("`{name}` is {}; it should be {}", shown(&written), shown(&is))
}
