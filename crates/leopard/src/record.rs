//! One hand of Leopard written down, and played again under its own rules, by a referee who believes
//! nothing.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::choice::refusal;
use super::state::Deck;
use super::{End, Leopard, Move, Plays, Rules, State, View, WrittenAct};
use crate::cards::{Card, Pile};
use crate::chance::Stream;
use crate::error::{Fault, ensure};
use crate::game::record::shortened;
use crate::game::{Game, Label, Ruled, Seat};

crate::game::record::record!(Leopard, "LeopardRecord", hand, {
    /// The cards dealt to each seat, in the order drawn; seat 0 is the non-dealer and moves first.
    dealt: Vec<Vec<Card>>,
    /// The turns. A seat that was passed over, with neither card nor knock, has none.
    turns: Vec<TurnRecord>,
    /// The values of the squares at the end, by seat.
    values: Vec<i64>,
});

/// One turn of a seat. What a usual turn has needs no memory of its own: of a file of a million hands
/// every line is read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LeopardTurn")]
pub struct TurnRecord {
    /// Whose turn.
    pub seat: u8,
    /// The cards drawn at its start, in order.
    #[schemars(with = "Vec<Card>")]
    pub drew: SmallVec<[Card; 4]>,
    /// What was done: `7H o7` (own square), `2C x2` (the other's), `KD -` (discard), `knock`. The
    /// end of a turn of many plays is not written; a seat without cards that could have knocked
    /// and did not has an empty list.
    #[schemars(with = "Vec<String>")]
    pub acts: SmallVec<[WrittenAct; 1]>,
}

/// The deck of a hand that is written down: the stream's cards, noted.
struct Noted {
    stream: Stream,
    drawn: SmallVec<[Card; 4]>,
}

impl Deck for Noted {
    fn draw(&mut self, stock: &mut Pile, len: u8) -> Card {
        let card = Deck::draw(&mut self.stream, stock, len);
        self.drawn.push(card);
        card
    }
}

impl Noted {
    fn turn_of(&mut self, state: &State) -> TurnRecord {
        TurnRecord {
            seat: state.seat.0,
            drew: std::mem::take(&mut self.drawn),
            acts: SmallVec::new(),
        }
    }
}

/// Whether a legal move ends its turn.
pub(super) fn ends_turn(rules: &Rules, mv: Move) -> bool {
    !(mv.laid().is_some() && rules.plays == Plays::Many)
}

/// The values of both squares.
pub(super) fn values(state: &State) -> Vec<i64> {
    [Seat(0), Seat(1)].map(|seat| i64::from(state.value(seat))).to_vec()
}

impl Record {
    /// The moves must be legal ones in order, ends of turns included; what follows the end of the
    /// hand is left out.
    pub(super) fn of(game: &Leopard, label: &Label, chance: Stream, moves: &[Move]) -> Record {
        let rules = game.rules();
        let mut deck = Noted { stream: chance, drawn: SmallVec::new() };
        let mut state = State::dealt(rules, &mut deck);
        let dealt = deck.drawn.chunks(usize::from(rules.hand_size)).map(<[Card]>::to_vec).collect();
        deck.drawn.clear();
        state.begin_turn(rules, &mut deck);
        let mut turns = vec![deck.turn_of(&state)];
        for &mv in moves {
            if state.end != End::Open {
                break;
            }
            state.play(rules, mv, &mut deck);
            if let (Some(turn), true) = (turns.last_mut(), mv != Move::END) {
                turn.acts.push(mv.into());
            }
            if state.end == End::Open && ends_turn(rules, mv) {
                turns.push(deck.turn_of(&state));
            }
        }
        Record::new(game, label, &game.scores(&state), (dealt, turns, values(&state)))
    }
}

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

    /// That the cards were there to be drawn; if not, the place of the first that was not.
    fn check(&self, how: &str) -> Result<(), (usize, String)> {
        let Some((index, card)) = self.third else { return Ok(()) };
        let what = format!("`{card}` is {how} a third time; the two decks have two of each card");
        Err((index, what))
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

/// Plays the hand again to its end, or as far as it is written, and hands over each move.
///
/// # Errors
/// The first thing in the head or the turns that is against the rules. The result is not looked
/// at.
pub(super) fn replay(record: &Record, mut each: impl FnMut(Step)) -> Result<Replayed, Fault> {
    let game: Leopard = record.head().check()?;
    let end = deal(record, &game)?;
    let mut played = Replayed { game, end };
    let drew = |turn: usize| record.turns.get(turn).map_or(&[][..], |turn| &turn.drew);
    let (mut deck, mut stock_len) = (Scripted::new(drew(0)), end.stock_len);
    if !record.turns.is_empty() {
        played.end.begin_turn(&played.game.rules, &mut deck);
    }
    for (index, turn) in record.turns.iter().enumerate() {
        let in_turn = |what| Fault::new(format!("turn {}", index + 1), what);
        let in_act = |at, what| Fault::new(format!("turn {}, act {}", index + 1, at + 1), what);
        played.check_start(index, turn, &deck, stock_len).map_err(in_turn)?;
        (deck, stock_len) = (Scripted::new(drew(index + 1)), played.end.stock_len);
        let mut over = false;
        for (at, act) in turn.acts.iter().enumerate() {
            played.check_goes_on(at, over).map_err(|what| in_act(at, what))?;
            let mv = played.legal(act).map_err(|what| in_act(at, what))?;
            each(played.step(index, mv, &mut deck));
            over = ends_turn(&played.game.rules, mv) || played.end.end != End::Open;
        }
        if !over {
            played.check_idle().map_err(in_turn)?;
            each(played.step(index, Move::END, &mut deck));
        }
    }
    Ok(played)
}

/// The hands are dealt.
fn deal(record: &Record, game: &Leopard) -> Result<State, Fault> {
    let (hands, right) = (record.dealt.len(), usize::from(game.rules.hand_size));
    let at = |seat: usize| format!("dealt, seat {seat}");
    ensure(hands == 2, || Fault::new("dealt", format!("two hands are dealt, not {hands}")))?;
    for (seat, hand) in record.dealt.iter().enumerate() {
        let what = || format!("a hand has {right} cards, not {}", hand.len());
        ensure(hand.len() == right, || Fault::new(at(seat), what()))?;
    }
    let cards = record.dealt.concat();
    let mut deck = Scripted::new(&cards);
    let state = State::dealt(&game.rules, &mut deck);
    let third = deck.check("dealt");
    third.map(|()| state).map_err(|(index, what)| Fault::new(at(index / right), what))
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
    ) -> Result<(), String> {
        let (number, right, said) = (index + 1, self.end.seat.0, turn.seat);
        let ended = match self.end.end {
            End::Open => String::new(),
            End::Knock(seat) => format!("by the knock of seat {}", seat.0),
            End::Exhausted => "when the stock and both hands had run out".to_owned(),
        };
        ensure(ended.is_empty(), || {
            format!("the hand ended with turn {index}, {ended}; there is no turn {number}")
        })?;
        ensure(said == right, || format!("it is the turn of seat {right}, not of seat {said}"))?;
        let (drew, drawn) = (turn.drew.len(), deck.drawn);
        ensure(drawn == drew, || {
            format!(
                "`drew` has {drew} cards; the stock held {stock_len}, so that seat {said} draws \
                 {drawn}"
            )
        })?;
        deck.check("drawn").map_err(|(_, what)| what)
    }

    /// That the turn was not over with the acts so far, which are so many.
    fn check_goes_on(&self, acts: usize, over: bool) -> Result<(), String> {
        let why = match self.game.rules.plays {
            Plays::One => "a turn is one act",
            Plays::Many => {
                "a discard is the only act of its turn, and a knock or the last card of all ends \
                 the hand"
            }
        };
        ensure(!over, || format!("the turn ended with act {acts}: {why}"))
    }

    /// The move that is written, if it is legal now.
    fn legal(&self, act: &WrittenAct) -> Result<Move, String> {
        let mv = act.read()?;
        ensure(mv != Move::END, || "the end of a turn is not written; leave `end` out".to_owned())?;
        let (rules, end) = (&self.game.rules, &self.end);
        if !View::of(end, end.seat).allows(rules, mv) {
            let mut legal = Vec::new();
            self.game.legal_moves(end, &mut legal);
            return Err(refusal(rules, end, mv, &legal));
        }
        Ok(mv)
    }

    /// That the turn may end as it is.
    fn check_idle(&self) -> Result<(), String> {
        let (seat, held) = (self.end.seat, self.end.held[self.end.seat.side()]);
        let view = View::of(&self.end, self.end.seat);
        ensure(view.allows(&self.game.rules, Move::END), || {
            format!(
                "seat {} holds {held} cards and did nothing: it must play or discard one, or knock \
                 if its square is worth {} or more",
                seat.0, self.game.rules.knock_at
            )
        })
    }

    /// Where nobody looks at the step, the copies in it are left out.
    #[inline(always)]
    fn step(&mut self, turn: usize, mv: Move, deck: &mut Scripted<'_>) -> Step {
        let before = self.end;
        self.play(mv, deck);
        Step { turn, before, mv, after: self.end }
    }

    #[inline(never)]
    fn play(&mut self, mv: Move, deck: &mut Scripted<'_>) {
        self.end.play(&self.game.rules, mv, deck);
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
            Fault::new(format!("turn {}", turns + 1), what)
        })?;
        let right = values(end);
        let what = || {
            let said = shortened(&record.values);
            format!("the values of the squares at the end are {right:?}, not {said}")
        };
        ensure(record.values == right, || Fault::new("values", what()))?;
        record.head().check_result(&self.game.scores(end))
    }
}
