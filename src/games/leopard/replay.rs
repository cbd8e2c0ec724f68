//! A written hand played again under its own rules, by a referee who believes nothing.

use std::fmt::Debug;

use super::record::{Record, TurnRecord, ends_turn};
use super::state::Deck;
use super::choice::refusal;
use super::{End, Leopard, Move, Plays, Rules, State};
use crate::cards::{Card, Pile};
use crate::game::{Fault, Game, Ruled};

/// Who watches a hand being played again.
pub(super) trait Witness {
    /// The seat to move has drawn; its turn begins.
    fn turn(&mut self, turn: &TurnRecord, state: &State);
    /// The seat to move of `before` has made a move, an unwritten end of a turn included. The
    /// next seat has drawn already.
    fn act(&mut self, mv: Move, before: &State, after: &State);
}

/// Nobody.
pub(super) struct Silent;

impl Witness for Silent {
    fn turn(&mut self, _: &TurnRecord, _: &State) {}
    fn act(&mut self, _: Move, _: &State, _: &State) {}
}

/// The deck of a hand that is played again: the written cards, as far as they can be right.
struct Scripted<'a> {
    cards: &'a [Card],
    drawn: usize,
    /// The first written card of which no copy was left, by its index.
    missing: Option<usize>,
}

impl<'a> Scripted<'a> {
    fn new(cards: &'a [Card]) -> Self {
        Scripted { cards, drawn: 0, missing: None }
    }
}

impl Deck for Scripted<'_> {
    fn draw(&mut self, stock: &mut Pile, _: u8) -> Card {
        let index = self.drawn;
        self.drawn += 1;
        match self.cards.get(index) {
            Some(&card) if stock.try_remove(card) => card,
            written => {
                if written.is_some() && self.missing.is_none() {
                    self.missing = Some(index);
                }
                // Any card will do, the hand is refused anyway; nobody draws from an empty stock.
                let card = stock.cards().next().unwrap_or(Card::from_index(0));
                stock.remove(card);
                card
            }
        }
    }
}

/// Plays the hand again to its end, or as far as it is written.
///
/// # Errors
/// The first thing in the head or the turns that is against the rules. The result is not looked
/// at.
pub(super) fn replay(record: &Record, witness: &mut impl Witness) -> Result<State, Fault> {
    let game = check_head(record)?;
    let rules = game.rules();
    let mut state = deal(record, rules)?;
    let first = match record.turns.first() {
        Some(turn) => turn,
        None => return Ok(state),
    };
    let mut deck = Scripted::new(&first.drew);
    let stock_len = state.stock_len;
    state.begin_turn(rules, &mut deck);
    check_start(1, first, &state, &deck, stock_len)?;
    let mut legal = Vec::new();
    for (index, turn) in record.turns.iter().enumerate() {
        let number = index + 1;
        if state.end != End::Open {
            let how = match state.end {
                End::Knock(seat) => format!("by the knock of seat {}", seat.0),
                _ => "when the stock and both hands had run out".to_owned(),
            };
            let what =
                format!("the hand ended with turn {index}, {how}; there is no turn {number}");
            return Err(Fault::new(at(number), what));
        }
        witness.turn(turn, &state);
        let next = record.turns.get(index + 1);
        let drew = next.map_or(&[][..], |next| &next.drew);
        let mut deck = Scripted::new(drew);
        let stock_len = state.stock_len;
        let mut over = false;
        for (act_index, text) in turn.acts.iter().enumerate() {
            let place = || format!("turn {number}, act {}", act_index + 1);
            if over {
                let why = match rules.plays {
                    Plays::One => "a turn is one act",
                    Plays::Many => {
                        "a discard is the only act of its turn, and a knock or the last \
                                    card of all ends the hand"
                    }
                };
                let what = format!("the turn ended with act {act_index}: {why}");
                return Err(Fault::new(place(), what));
            }
            let mv: Move = text.parse().map_err(|e: String| Fault::new(place(), e))?;
            if mv == Move::END {
                let what = "the end of a turn is not written; leave `end` out";
                return Err(Fault::new(place(), what));
            }
            game.moves(&state, &mut legal);
            if legal.binary_search(&mv).is_err() {
                return Err(Fault::new(place(), refusal(rules, &state, mv, &legal)));
            }
            let before = state;
            state.play(rules, mv, &mut deck);
            witness.act(mv, &before, &state);
            over = ends_turn(rules, mv) || state.end != End::Open;
        }
        if !over {
            game.moves(&state, &mut legal);
            if legal.binary_search(&Move::END).is_err() {
                let (seat, held) = (state.seat.0, state.held[state.seat.side()]);
                let what = format!(
                    "seat {seat} holds {held} cards and did nothing: it must play or discard one, \
                     or knock if its square is worth {} or more",
                    rules.knock_at
                );
                return Err(Fault::new(at(number), what));
            }
            let before = state;
            state.play(rules, Move::END, &mut deck);
            witness.act(Move::END, &before, &state);
        }
        if let (Some(next), End::Open) = (next, state.end) {
            check_start(number + 1, next, &state, &deck, stock_len)?;
        }
    }
    Ok(state)
}

fn at(turn: usize) -> String {
    format!("turn {turn}")
}

/// A turn begins: is it the right seat's, and did it draw the right cards? `stock_len` is what the
/// stock held before.
fn check_start(
    number: usize,
    turn: &TurnRecord,
    state: &State,
    deck: &Scripted<'_>,
    stock_len: u8,
) -> Result<(), Fault> {
    if turn.seat != state.seat.0 {
        let right = state.seat.0;
        let what = format!("it is the turn of seat {right}, not of seat {}", turn.seat);
        return Err(Fault::new(at(number), what));
    }
    if deck.drawn != turn.drew.len() {
        let (right, said) = (deck.drawn, turn.drew.len());
        let what = format!(
            "`drew` has {said} cards; the stock held {stock_len}, so that seat {} draws {right}",
            turn.seat
        );
        return Err(Fault::new(at(number), what));
    }
    match deck.missing.and_then(|index| turn.drew.get(index)) {
        Some(card) => Err(Fault::new(at(number), third(*card, "drawn"))),
        None => Ok(()),
    }
}

fn third(card: Card, how: &str) -> String {
    format!("`{card}` is {how} a third time; the two decks have two of each card")
}

/// Checks everything that stands before the cards.
fn check_head(record: &Record) -> Result<Leopard, Fault> {
    let expect = |at: &str, right: bool, what: String| match right {
        true => Ok(()),
        false => Err(Fault::new(at, what)),
    };
    let said = record.format;
    expect("format", said == 1, format!("this program reads format 1, not {said}"))?;
    let said = shortened(&record.game);
    let is_ours = record.game == Leopard::NAME;
    expect("game", is_ours, format!("this is a record of {said}, not of `{}`", Leopard::NAME))?;
    let game = Leopard::new(&record.rules).map_err(|all| Fault::new("rules", all.to_string()))?;
    if let Some(named) = Leopard::preset(&record.variant) {
        let what = || differences(&record.variant, &named, &record.rules);
        expect("rules", named == record.rules, what())?;
    }
    let (hand, hands) = (record.hand, game.hands_per_match());
    let what = format!("a match has hands 0 to {}; there is no hand {hand}", hands - 1);
    expect("hand", hand < hands, what)?;
    let rotation = record.rotation;
    let what = format!("two seats have rotations 0 and 1, not {rotation}");
    expect("rotation", rotation < 2, what)?;
    let names = record.seats.len();
    expect("seats", names == 2, format!("Leopard has 2 seats; {names} are named"))?;
    Ok(game)
}

/// The fields in which rules differ from those that their name stands for.
fn differences(variant: &str, named: &Rules, said: &Rules) -> String {
    let fields = |rules| match serde_json::to_value(rules) {
        Ok(serde_json::Value::Object(fields)) => fields,
        _ => serde_json::Map::new(),
    };
    let (named, said) = (fields(named), fields(said));
    let differ = named.iter().filter(|(name, value)| said.get(*name) != Some(value));
    let list: Vec<String> = differ.map(|(name, value)| format!("`{name}` is {value}")).collect();
    format!("in the variant `{variant}`, {}", list.join(", "))
}

fn deal(record: &Record, rules: &Rules) -> Result<State, Fault> {
    let hands = record.dealt.len();
    if hands != 2 {
        return Err(Fault::new("dealt", format!("two hands are dealt, not {hands}")));
    }
    for (seat, hand) in record.dealt.iter().enumerate() {
        let (said, right) = (hand.len(), rules.hand_size);
        if said != usize::from(right) {
            let what = format!("a hand has {right} cards, not {said}");
            return Err(Fault::new(format!("dealt, seat {seat}"), what));
        }
    }
    let cards = record.dealt.concat();
    let mut deck = Scripted::new(&cards);
    let state = State::dealt(rules, &mut deck);
    match deck.missing.and_then(|index| Some((index, cards.get(index)?))) {
        Some((index, card)) => {
            let seat = index / usize::from(rules.hand_size);
            Err(Fault::new(format!("dealt, seat {seat}"), third(*card, "dealt")))
        }
        None => Ok(state),
    }
}

/// A value as it was written, cut where it is too long to be read.
pub(super) fn shortened<T: Debug + ?Sized>(value: &T) -> String {
    let text = format!("{value:?}");
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
