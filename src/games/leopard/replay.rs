//! A written hand played again under its own rules, by a referee who believes nothing.

use super::choice::refusal;
use super::record::{Record, TurnRecord, ends_turn, values};
use super::state::Deck;
use super::{End, Leopard, Move, Plays, State};
use crate::cards::{Card, Pile};
use crate::error::Fault;
use crate::game::record::shortened;
use crate::game::Game;

/// One move of a hand that is played again; the end of a turn is one, too, though it is not
/// written.
pub(super) struct Step {
    /// The turn that it belongs to, from 0.
    pub turn: usize,
    /// The hand before; the seat to move has drawn.
    pub before: State,
    /// The move.
    pub mv: Move,
    /// The hand after; the next seat has drawn already.
    pub after: State,
}

/// A hand that was played again.
pub(super) struct Replayed {
    pub game: Leopard,
    pub steps: Vec<Step>,
    pub end: State,
}

/// The deck of a hand that is played again: the written cards, as far as they can be right.
struct Scripted<'a> {
    cards: &'a [Card],
    drawn: usize,
    /// The first written card of which no copy was left, and its place.
    third: Option<(usize, Card)>,
}

impl<'a> Scripted<'a> {
    fn new(cards: &'a [Card]) -> Self {
        Scripted { cards, drawn: 0, third: None }
    }

    /// That the cards were there to be drawn; `at` says where a card was written.
    fn check(&self, how: &str, at: impl Fn(usize) -> String) -> Result<(), Fault> {
        let Some((index, card)) = self.third else { return Ok(()) };
        let what = format!("`{card}` is {how} a third time; the two decks have two of each card");
        Err(Fault::new(at(index), what))
    }
}

impl Deck for Scripted<'_> {
    fn draw(&mut self, stock: &mut Pile, _: u8) -> Card {
        let index = self.drawn;
        self.drawn += 1;
        match self.cards.get(index) {
            Some(&card) if stock.remove(card) => card,
            written => {
                self.third = self.third.or(written.map(|&card| (index, card)));
                // Any card will do, the hand is refused anyway; nobody draws from an empty stock.
                let card = stock.cards().next().unwrap_or(Card::from_index(0));
                stock.remove(card);
                card
            }
        }
    }
}

/// That something is right.
fn ensure(right: bool, fault: impl FnOnce() -> Fault) -> Result<(), Fault> {
    if right { Ok(()) } else { Err(fault()) }
}

fn at(turn: usize) -> String {
    format!("turn {turn}")
}

/// Plays the hand again to its end, or as far as it is written.
///
/// # Errors
/// The first thing in the head or the turns that is against the rules. The result is not looked
/// at.
pub(super) fn replay(record: &Record) -> Result<Replayed, Fault> {
    let game: Leopard = record.head().check()?;
    let end = deal(record, &game)?;
    let mut played = Replayed { game, steps: Vec::new(), end };
    let drew = |turn: usize| record.turns.get(turn).map_or(&[][..], |turn| &turn.drew);
    let (mut deck, mut stock_len) = (Scripted::new(drew(0)), end.stock_len);
    if !record.turns.is_empty() {
        played.end.begin_turn(&played.game.rules, &mut deck);
    }
    for (index, turn) in record.turns.iter().enumerate() {
        played.check_start(index, turn, &deck, stock_len)?;
        (deck, stock_len) = (Scripted::new(drew(index + 1)), played.end.stock_len);
        played.turn(index, turn, &mut deck)?;
    }
    Ok(played)
}

/// The hands are dealt.
fn deal(record: &Record, game: &Leopard) -> Result<State, Fault> {
    let hands = record.dealt.len();
    ensure(hands == 2, || Fault::new("dealt", format!("two hands are dealt, not {hands}")))?;
    let at = |seat: usize| format!("dealt, seat {seat}");
    let right = usize::from(game.rules.hand_size);
    for (seat, hand) in record.dealt.iter().enumerate() {
        let what = || format!("a hand has {right} cards, not {}", hand.len());
        ensure(hand.len() == right, || Fault::new(at(seat), what()))?;
    }
    let cards = record.dealt.concat();
    let mut deck = Scripted::new(&cards);
    let state = State::dealt(&game.rules, &mut deck);
    deck.check("dealt", |index| at(index / right))?;
    Ok(state)
}

impl Replayed {
    /// A turn begins: is it the right seat's, and did it draw the right cards? `stock_len` is what
    /// the stock held before.
    fn check_start(
        &self,
        index: usize,
        turn: &TurnRecord,
        deck: &Scripted<'_>,
        stock_len: u8,
    ) -> Result<(), Fault> {
        let (number, right, said) = (index + 1, self.end.seat.0, turn.seat);
        let ended = match self.end.end {
            End::Open => String::new(),
            End::Knock(seat) => format!("by the knock of seat {}", seat.0),
            End::Exhausted => "when the stock and both hands had run out".to_owned(),
        };
        let fault = |what: String| Fault::new(at(number), what);
        ensure(ended.is_empty(), || {
            fault(format!("the hand ended with turn {index}, {ended}; there is no turn {number}"))
        })?;
        ensure(said == right, || {
            fault(format!("it is the turn of seat {right}, not of seat {said}"))
        })?;
        let (drew, drawn) = (turn.drew.len(), deck.drawn);
        ensure(drawn == drew, || {
            fault(format!(
                "`drew` has {drew} cards; the stock held {stock_len}, so that seat {said} draws \
                 {drawn}"
            ))
        })?;
        deck.check("drawn", |_| at(number))
    }

    /// Plays one turn, with the cards that the next one drew.
    fn turn(&mut self, turn: usize, said: &TurnRecord, deck: &mut Scripted<'_>) -> Result<(), Fault> {
        let rules = self.game.rules.clone();
        let mut legal = Vec::new();
        let mut over = false;
        for (index, text) in said.acts.iter().enumerate() {
            let fault = |what| Fault::new(format!("{}, act {}", at(turn + 1), index + 1), what);
            ensure(!over, || {
                let why = match rules.plays {
                    Plays::One => "a turn is one act",
                    Plays::Many => {
                        "a discard is the only act of its turn, and a knock or the last \
                         card of all ends the hand"
                    }
                };
                fault(format!("the turn ended with act {index}: {why}"))
            })?;
            let mv: Move = text.parse().map_err(fault)?;
            ensure(mv != Move::END, || {
                fault("the end of a turn is not written; leave `end` out".to_owned())
            })?;
            self.game.moves(&self.end, &mut legal);
            ensure(legal.contains(&mv), || fault(refusal(&rules, &self.end, mv, &legal)))?;
            self.step(turn, mv, deck);
            over = ends_turn(&rules, mv) || self.end.end != End::Open;
        }
        if over {
            return Ok(());
        }
        self.game.moves(&self.end, &mut legal);
        ensure(legal.contains(&Move::END), || {
            let (seat, held) = (self.end.seat.0, self.end.held[self.end.seat.side()]);
            let what = format!(
                "seat {seat} holds {held} cards and did nothing: it must play or discard one, \
                 or knock if its square is worth {} or more",
                rules.knock_at
            );
            Fault::new(at(turn + 1), what)
        })?;
        self.step(turn, Move::END, deck);
        Ok(())
    }

    fn step(&mut self, turn: usize, mv: Move, deck: &mut Scripted<'_>) {
        let before = self.end;
        self.end.play(&self.game.rules, mv, deck);
        self.steps.push(Step { turn, before, mv, after: self.end });
    }

    /// Whether the hand is over and came to what the record says.
    pub fn check(&self, record: &Record) -> Result<(), Fault> {
        let end = &self.end;
        let turns = record.turns.len();
        ensure(end.end != End::Open, || {
            let stock = match end.stock_len {
                0 => "the stock is empty".to_owned(),
                n => format!("the stock has {n} cards"),
            };
            let ([first, second], seat) = (end.held, end.seat.0);
            let what = format!(
                "the hand is not over after turn {turns}: nobody has knocked, {stock}, the seats \
                 hold {first} and {second} cards, and it is the turn of seat {seat}"
            );
            Fault::new(at(turns + 1), what)
        })?;
        let (right, said) = (values(end), shortened(&record.values));
        ensure(record.values == right, || {
            let what = format!("the values of the squares at the end are {right:?}, not {said}");
            Fault::new("values", what)
        })?;
        record.head().check_result(&self.game.scores(end))
    }
}
