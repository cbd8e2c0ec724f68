//! Records of Leopard hands, and the referee that replays them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::choice::refusal;
use super::state::{Deck, RecordingDeck};
use super::{End, Leopard, Move, Plays, Rules, State, View};
use parlour_base::cards::{Card, Pile};
use parlour_base::chance::Stream;
use parlour_base::error::{Fault, ensure};
use parlour_game::record::shortened;
use parlour_game::{Game, Label, Ruled, Seat};

parlour_game::record::record!(Leopard, "LeopardRecord", hand, {
    /// Cards dealt to each seat, in the order drawn; seat 0 is the non-dealer and moves first.
    dealt: Vec<Vec<Card>>,
    /// The turns. A seat that is passed over, with neither card nor knock, has none.
    turns: Vec<TurnRecord>,
    /// Values of the squares at the end, by seat.
    values: Vec<i64>,
});

/// One turn of a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "LeopardTurn")]
pub struct TurnRecord {
    /// The seat.
    pub seat: u8,
    /// Cards drawn at the start of the turn, in order.
    #[schemars(with = "Vec<Card>")]
    pub drew: SmallVec<[Card; 4]>,
    /// Acts: `7H o7` (own square), `2C x2` (other square), `KD -` (discard), `knock`. The end of a
    /// turn of many plays is left out. The list is empty if a seat without cards does not knock.
    #[schemars(with = "Vec<String>")]
    pub acts: SmallVec<[String; 1]>,
}

/// Returns `true` if a legal move ends its turn.
pub(super) fn ends_turn(rules: &Rules, mv: Move) -> bool {
    !(mv.laid().is_some() && rules.plays == Plays::Many)
}

/// The values of both squares.
pub(super) fn values(state: &State) -> Vec<i64> {
    [Seat(0), Seat(1)].map(|seat| i64::from(state.value(seat))).to_vec()
}

/// The record of a new turn.
fn start_turn(deck: &mut RecordingDeck, state: &State) -> TurnRecord {
    let drew = std::mem::take(&mut deck.drawn);
    TurnRecord { seat: state.seat.0, drew, acts: SmallVec::new() }
}

impl Record {
    /// Records a hand. The moves must be legal and in order, ends of turns included; moves after
    /// the end of the hand are ignored.
    pub(super) fn of(game: &Leopard, label: &Label, chance: Stream, moves: &[Move]) -> Record {
        let rules = game.rules();
        let mut deck = RecordingDeck::new(chance);
        let mut state = State::dealt(rules, &mut deck);
        let dealt = deck.drawn.chunks(usize::from(rules.hand_size)).map(<[Card]>::to_vec).collect();
        deck.drawn.clear();
        state.begin_turn(rules, &mut deck);
        let mut turns = vec![start_turn(&mut deck, &state)];
        for &mv in moves {
            if state.end != End::Open {
                break;
            }
            state.play(rules, mv, &mut deck);
            if let (Some(turn), true) = (turns.last_mut(), mv != Move::End) {
                turn.acts.push(mv.to_string());
            }
            if state.end == End::Open && ends_turn(rules, mv) {
                turns.push(start_turn(&mut deck, &state));
            }
        }
        Record::new(game, label, &game.scores(&state), (dealt, turns, values(&state)))
    }
}

/// One move of a replayed hand; the end of a turn is a move, too, although records leave it out.
pub(super) struct ReplayStep {
    /// Index of its turn.
    pub turn: usize,
    /// The state before; the seat to move has drawn.
    pub before: State,
    /// The move.
    pub mv: Move,
    /// The state after; the next seat has drawn already.
    pub after: State,
}

/// A replayed hand.
pub(super) struct ReplayedHand {
    pub game: Leopard,
    pub end: State,
}

/// The deck of a replayed hand: the cards of the record, as far as they are possible.
struct ScriptedDeck<'a> {
    cards: &'a [Card],
    drawn: usize,
    /// The first card of which no copy was left, and its place.
    third: Option<(usize, Card)>,
}

impl<'a> ScriptedDeck<'a> {
    fn new(cards: &'a [Card]) -> Self {
        ScriptedDeck { cards, drawn: 0, third: None }
    }

    /// Checks that all cards were there to be drawn; returns the place of the first that was not.
    fn check(&self, how: &str) -> Result<(), (usize, String)> {
        let Some((index, card)) = self.third else { return Ok(()) };
        let what = format!("`{card}` is {how} a third time; the two decks have two of each card");
        Err((index, what))
    }
}

impl Deck for ScriptedDeck<'_> {
    fn draw(&mut self, stock: &mut Pile, _: u8) -> Card {
        let index = self.drawn;
        self.drawn += 1;
        match self.cards.get(index) {
            Some(&card) if stock.remove(card) => card,
            written => {
                self.third = self.third.or(written.map(|&card| (index, card)));
                // Any card will do, since the hand is refused; nobody draws from an empty stock.
                let card = stock.cards().next().unwrap_or(Card::from_index(0));
                stock.remove(card);
                card
            }
        }
    }
}

/// Replays a hand to its end, or as far as the record goes, and calls `each` with every move.
///
/// # Errors
/// The first fault in the head or the turns. The result is not checked.
pub(super) fn replay(
    record: &Record,
    mut each: impl FnMut(ReplayStep),
) -> Result<ReplayedHand, Fault> {
    let game: Leopard = record.head().check()?;
    let end = deal(record, &game)?;
    let mut played = ReplayedHand { game, end };
    let drew = |turn: usize| record.turns.get(turn).map_or(&[][..], |turn| &turn.drew);
    let (mut deck, mut stock_len) = (ScriptedDeck::new(drew(0)), end.stock_len);
    if !record.turns.is_empty() {
        played.end.begin_turn(&played.game.rules, &mut deck);
    }
    for (index, turn) in record.turns.iter().enumerate() {
        let in_turn = |what| Fault::new(format!("turn {}", index + 1), what);
        let in_act = |at, what| Fault::new(format!("turn {}, act {}", index + 1, at + 1), what);
        played.check_start(index, turn, &deck, stock_len).map_err(in_turn)?;
        (deck, stock_len) = (ScriptedDeck::new(drew(index + 1)), played.end.stock_len);
        let mut over = false;
        for (at, act) in turn.acts.iter().enumerate() {
            played.check_goes_on(at, over).map_err(|what| in_act(at, what))?;
            let mv = played.legal(act).map_err(|what| in_act(at, what))?;
            each(played.step(index, mv, &mut deck));
            over = ends_turn(&played.game.rules, mv) || played.end.end != End::Open;
        }
        if !over {
            played.check_idle().map_err(in_turn)?;
            each(played.step(index, Move::End, &mut deck));
        }
    }
    Ok(played)
}

/// Deals the hands.
fn deal(record: &Record, game: &Leopard) -> Result<State, Fault> {
    let (hands, right) = (record.dealt.len(), usize::from(game.rules.hand_size));
    let at = |seat: usize| format!("dealt, seat {seat}");
    ensure(hands == 2, || Fault::new("dealt", format!("two hands are dealt, not {hands}")))?;
    for (seat, hand) in record.dealt.iter().enumerate() {
        let what = || format!("a hand has {right} cards, not {}", hand.len());
        ensure(hand.len() == right, || Fault::new(at(seat), what()))?;
    }
    let cards = record.dealt.concat();
    let mut deck = ScriptedDeck::new(&cards);
    let state = State::dealt(&game.rules, &mut deck);
    let third = deck.check("dealt");
    third.map(|()| state).map_err(|(index, what)| Fault::new(at(index / right), what))
}

impl ReplayedHand {
    /// Checks that a turn is the right seat's and that it drew the right cards. `stock_len` is the
    /// size of the stock before.
    fn check_start(
        &self,
        index: usize,
        turn: &TurnRecord,
        deck: &ScriptedDeck<'_>,
        stock_len: u8,
    ) -> Result<(), String> {
        let (number, right, recorded) = (index + 1, self.end.seat.0, turn.seat);
        let ended = match self.end.end {
            End::Open => String::new(),
            End::Knock(seat) => format!("by the knock of seat {}", seat.0),
            End::Exhausted => "when the stock and both hands had run out".to_owned(),
        };
        ensure(ended.is_empty(), || {
            format!("the hand ended with turn {index}, {ended}; there is no turn {number}")
        })?;
        ensure(recorded == right, || {
            format!("it is the turn of seat {right}, not of seat {recorded}")
        })?;
        let (drew, drawn) = (turn.drew.len(), deck.drawn);
        ensure(drawn == drew, || {
            format!(
                "`drew` has {drew} cards; the stock held {stock_len}, so that seat {recorded} draws \
                 {drawn}"
            )
        })?;
        deck.check("drawn").map_err(|(_, what)| what)
    }

    /// Checks that the turn was not over after this number of acts.
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

    /// Returns the recorded move if it is legal.
    fn legal(&self, act: &str) -> Result<Move, String> {
        let mv: Move = act.parse()?;
        ensure(mv != Move::End, || "the end of a turn is not written; leave `end` out".to_owned())?;
        let (rules, end) = (&self.game.rules, &self.end);
        if !View::of(end, end.seat).allows(rules, mv) {
            let mut legal = Vec::new();
            self.game.legal_moves(end, &mut legal);
            return Err(refusal(rules, end, mv, &legal));
        }
        Ok(mv)
    }

    /// Checks that the turn may end without a move.
    fn check_idle(&self) -> Result<(), String> {
        let (seat, held) = (self.end.seat, self.end.held[self.end.seat.side()]);
        let view = View::of(&self.end, self.end.seat);
        ensure(view.allows(&self.game.rules, Move::End), || {
            format!(
                "seat {} holds {held} cards and did nothing: it must play or discard one, or knock \
                 if its square is worth {} or more",
                seat.0, self.game.rules.knock_at
            )
        })
    }

    /// If the caller ignores the step, its copies are optimized away.
    #[inline(always)]
    fn step(&mut self, turn: usize, mv: Move, deck: &mut ScriptedDeck<'_>) -> ReplayStep {
        let before = self.end;
        self.play(mv, deck);
        ReplayStep { turn, before, mv, after: self.end }
    }

    #[inline(never)]
    fn play(&mut self, mv: Move, deck: &mut ScriptedDeck<'_>) {
        self.end.play(&self.game.rules, mv, deck);
    }

    /// Checks that the hand is over and that the result is that of the record.
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
            let recorded = shortened(&record.values);
            format!("the values of the squares at the end are {right:?}, not {recorded}")
        };
        ensure(record.values == right, || Fault::new("values", what()))?;
        record.head().check_result(&self.game.scores(end))
    }
}
