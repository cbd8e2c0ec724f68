//! A written hand played again under its own rules, by a referee who believes nothing.

use super::choice::refusal;
use super::record::{Record, TurnRecord, ends_turn, values};
use super::state::Deck;
use super::{End, Leopard, Move, Plays, State};
use crate::cards::{Card, Pile};
use crate::error::Fault;
use crate::game::record::shortened;
use crate::game::{Game, Ruled};

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
    /// The place of the first written card of which no copy was left.
    missing: Option<usize>,
}

impl<'a> Scripted<'a> {
    fn new(cards: &'a [Card]) -> Self {
        Scripted { cards, drawn: 0, missing: None }
    }

    /// The card of which no copy was left, and its place.
    fn third(&self) -> Option<(usize, Card)> {
        self.missing.and_then(|index| Some((index, *self.cards.get(index)?)))
    }
}

impl Deck for Scripted<'_> {
    fn draw(&mut self, stock: &mut Pile, _: u8) -> Card {
        let index = self.drawn;
        self.drawn += 1;
        match self.cards.get(index) {
            Some(&card) if stock.remove(card) => card,
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
pub(super) fn replay(record: &Record) -> Result<Replayed, Fault> {
    let game: Leopard = record.head().check()?;
    let state = deal(record, &game)?;
    let mut played = Replayed { game, steps: Vec::new(), end: state };
    let Some(first) = record.turns.first() else { return Ok(played) };
    let mut deck = Scripted::new(&first.drew);
    played.end.begin_turn(&played.game.rules, &mut deck);
    check_start(1, first, &played.end, &deck, state.stock_len)?;
    for (index, turn) in record.turns.iter().enumerate() {
        let ended = match played.end.end {
            End::Open => None,
            End::Knock(seat) => Some(format!("by the knock of seat {}", seat.0)),
            End::Exhausted => Some("when the stock and both hands had run out".to_owned()),
        };
        if let Some(how) = ended {
            let next = index + 1;
            let what = format!("the hand ended with turn {index}, {how}; there is no turn {next}");
            return Err(Fault::new(at(next), what));
        }
        let next = record.turns.get(index + 1);
        let mut deck = Scripted::new(next.map_or(&[], |next| &next.drew));
        let stock_len = played.end.stock_len;
        played.turn(index, turn, &mut deck)?;
        if let (Some(next), End::Open) = (next, played.end.end) {
            check_start(index + 2, next, &played.end, &deck, stock_len)?;
        }
    }
    Ok(played)
}

impl Replayed {
    /// Plays one turn, with the cards that the next one drew.
    fn turn(&mut self, turn: usize, said: &TurnRecord, deck: &mut Scripted<'_>) -> Result<(), Fault> {
        let rules = self.game.rules().clone();
        let mut legal = Vec::new();
        let mut over = false;
        for (index, text) in said.acts.iter().enumerate() {
            let fault = |what: String| {
                Fault::new(format!("{}, act {}", at(turn + 1), index + 1), what)
            };
            if over {
                let why = match rules.plays {
                    Plays::One => "a turn is one act",
                    Plays::Many => {
                        "a discard is the only act of its turn, and a knock or the last \
                         card of all ends the hand"
                    }
                };
                return Err(fault(format!("the turn ended with act {index}: {why}")));
            }
            let mv: Move = text.parse().map_err(|e: String| fault(e))?;
            if mv == Move::END {
                let what = "the end of a turn is not written; leave `end` out";
                return Err(fault(what.to_owned()));
            }
            self.game.moves(&self.end, &mut legal);
            if legal.binary_search(&mv).is_err() {
                return Err(fault(refusal(&rules, &self.end, mv, &legal)));
            }
            self.step(turn, mv, deck);
            over = ends_turn(&rules, mv) || self.end.end != End::Open;
        }
        if over {
            return Ok(());
        }
        self.game.moves(&self.end, &mut legal);
        if legal.binary_search(&Move::END).is_err() {
            let (seat, held) = (self.end.seat.0, self.end.held[self.end.seat.side()]);
            let what = format!(
                "seat {seat} holds {held} cards and did nothing: it must play or discard one, \
                 or knock if its square is worth {} or more",
                rules.knock_at
            );
            return Err(Fault::new(at(turn + 1), what));
        }
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
        if end.end == End::Open {
            let turns = record.turns.len();
            let stock = match end.stock_len {
                0 => "the stock is empty".to_owned(),
                n => format!("the stock has {n} cards"),
            };
            let what = format!(
                "the hand is not over after turn {turns}: nobody has knocked, {stock}, the seats \
                 hold {} and {} cards, and it is the turn of seat {}",
                end.held[0], end.held[1], end.seat.0
            );
            return Err(Fault::new(at(turns + 1), what));
        }
        let (right, said) = (values(end), shortened(&record.values));
        if record.values != right {
            let what = format!("the values of the squares at the end are {right:?}, not {said}");
            return Err(Fault::new("values", what));
        }
        record.head().check_result(&self.game.scores(end))
    }
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
    let (right, said) = (state.seat.0, turn.seat);
    if said != right {
        let what = format!("it is the turn of seat {right}, not of seat {said}");
        return Err(Fault::new(at(number), what));
    }
    if deck.drawn != turn.drew.len() {
        let what = format!(
            "`drew` has {} cards; the stock held {stock_len}, so that seat {said} draws {}",
            turn.drew.len(),
            deck.drawn
        );
        return Err(Fault::new(at(number), what));
    }
    match deck.third() {
        Some((_, card)) => Err(Fault::new(at(number), third(card, "drawn"))),
        None => Ok(()),
    }
}

fn third(card: Card, how: &str) -> String {
    format!("`{card}` is {how} a third time; the two decks have two of each card")
}

fn deal(record: &Record, game: &Leopard) -> Result<State, Fault> {
    let hands = record.dealt.len();
    if hands != 2 {
        return Err(Fault::new("dealt", format!("two hands are dealt, not {hands}")));
    }
    let right = usize::from(game.rules.hand_size);
    for (seat, hand) in record.dealt.iter().enumerate() {
        if hand.len() != right {
            let what = format!("a hand has {right} cards, not {}", hand.len());
            return Err(Fault::new(format!("dealt, seat {seat}"), what));
        }
    }
    let cards = record.dealt.concat();
    let mut deck = Scripted::new(&cards);
    let state = State::dealt(&game.rules, &mut deck);
    match deck.third() {
        Some((index, card)) => {
            Err(Fault::new(format!("dealt, seat {}", index / right), third(card, "dealt")))
        }
        None => Ok(state),
    }
}
