//! Records of Leopard hands, and the referee that replays them.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::state::{Deck, RecordingDeck};
use super::view::refusal;
use super::{End, Leopard, Move, Patch, Plays, Rules, State, View, text};
use parlour_base::cards::{Card, Pile};
use parlour_base::chance::Stream;
use parlour_base::error::{self, Fault, ensure};
use parlour_game::record::shortened;
use parlour_game::{Game, Label, Measured, Position, PositionFile, Recorded, Replay};

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

/// The record of a new turn.
fn start_turn(deck: &mut RecordingDeck, state: &State) -> TurnRecord {
    let drew = std::mem::take(&mut deck.drawn);
    TurnRecord { seat: state.seat.0, drew, acts: SmallVec::new() }
}

impl Recorded for Leopard {
    type Record = Record;

    /// Records a hand. The moves must be legal and in order, ends of turns included; moves after
    /// the end of the hand are ignored.
    fn record(&self, label: &Label, chance: Stream, moves: &[Move], _: &State) -> Record {
        let rules = &self.rules;
        let mut deck = RecordingDeck { stream: chance, drawn: SmallVec::new() };
        let mut state = State::dealt(rules, &mut deck);
        let hands = deck.drawn.chunks(usize::from(rules.hand_size)).map(<[Card]>::to_vec);
        let mut dealt: Vec<_> = hands.collect();
        if deck.is_exchanged() {
            dealt.reverse();
        }
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
            if state.end == End::Open && !state.played {
                turns.push(start_turn(&mut deck, &state));
            }
        }
        Record::new(self, label, &self.scores(&state), (dealt, turns, self.values(&state)))
    }

    fn verify(record: &Record) -> Result<(), Fault> {
        let (game, end) = replay(record, |_, _| {})?;
        record.check_end(&game, &end)
    }

    /// Also shows a hand that is unfinished or has a wrong result, with a remark.
    fn show(record: &Record) -> Result<String, Fault> {
        let replay = Leopard::replay(record)?;
        let wrong = record.check_end(&replay.game, &replay.end).err();
        Ok(text::record_text(record, &replay, wrong))
    }

    fn replay(record: &Record) -> Result<Replay<Leopard>, Fault> {
        let (mut choices, mut written) = (Vec::new(), Vec::new());
        let (game, end) = replay(record, |before, mv| {
            choices.push((*before, mv));
            written.push(mv.to_string());
        })?;
        Ok(Replay { game, choices, written, end })
    }

    fn position(file: &str, text: &str) -> error::Result<Position<Leopard>> {
        super::position::read(file, text)
    }

    fn position_schema(generator: &mut SchemaGenerator) -> Schema {
        let forms = [
            generator.subschema_for::<PositionFile<Patch, View>>(),
            generator.subschema_for::<super::BoardPosition>(),
        ];
        schemars::json_schema!({ "anyOf": forms })
    }
}

/// The deck of a replayed hand: the cards of the record, as far as they are possible.
#[derive(Default)]
struct ScriptedDeck<'a> {
    cards: &'a [Card],
    drawn: usize,
    /// The first card of which no copy was left, and its place.
    missing: Option<(usize, Card)>,
}

impl<'a> ScriptedDeck<'a> {
    fn new(cards: &'a [Card]) -> Self {
        ScriptedDeck { cards, ..ScriptedDeck::default() }
    }

    /// Checks that all cards were there to be drawn; returns the place of the first that was not.
    fn check(&self, how: &str) -> Result<(), (usize, String)> {
        let Some((index, card)) = self.missing else { return Ok(()) };
        Err((index, format!("`{card}` is {how} more often than the deck has it")))
    }
}

impl Deck for ScriptedDeck<'_> {
    fn draw(&mut self, stock: &mut Pile, _: u8) -> Card {
        let index = self.drawn;
        self.drawn += 1;
        match self.cards.get(index) {
            Some(&card) if stock.remove(card) => card,
            written => {
                self.missing = self.missing.or(written.map(|&card| (index, card)));
                // Any card will do, since the hand is refused; nobody draws from an empty stock.
                let card = stock.cards().next().unwrap_or(Card::from_index(0));
                stock.remove(card);
                card
            }
        }
    }
}

/// Replays a hand to its end, or as far as the record goes, and calls `each` with every move and the
/// state before it. The end of a turn is a move, too, although records leave it out.
///
/// # Errors
/// The first fault in the head or the turns. The result is not checked.
fn replay(record: &Record, mut each: impl FnMut(&State, Move)) -> Result<(Leopard, State), Fault> {
    let game: Leopard = record.head().check()?;
    let (rules, mut state) = (&game.rules, deal(record, &game)?);
    let mut deck = ScriptedDeck::default();
    for (index, turn) in record.turns.iter().enumerate() {
        let in_turn = |what| Fault::new(format!("turn {}", index + 1), what);
        let in_act = |at, what| Fault::new(format!("turn {}, act {}", index + 1, at + 1), what);
        if index == 0 {
            deck = ScriptedDeck::new(&turn.drew);
            state.begin_turn(rules, &mut deck);
        }
        check_start(&state, index, turn, &deck).map_err(in_turn)?;
        let next = record.turns.get(index + 1);
        deck = ScriptedDeck::new(next.map_or(&[], |turn| &turn.drew));
        let mut is_over = false;
        for (at, act) in turn.acts.iter().enumerate() {
            let why = match rules.plays {
                Plays::One => "a turn is one act",
                Plays::Many => {
                    "a discard is the only act of its turn, and a knock or the last card of all \
                     ends the hand"
                }
            };
            ensure(!is_over, || in_act(at, format!("the turn ended with act {at}: {why}")))?;
            let mv = legal_act(&game, &state, act).map_err(|what| in_act(at, what))?;
            each(&state, mv);
            state.play(rules, mv, &mut deck);
            is_over = !state.played || state.end != End::Open;
        }
        if !is_over {
            check_idle(rules, &state).map_err(in_turn)?;
            each(&state, Move::End);
            state.play(rules, Move::End, &mut deck);
        }
    }
    Ok((game, state))
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
    let missing = deck.check("dealt");
    missing.map(|()| state).map_err(|(index, what)| Fault::new(at(index / right), what))
}

/// Checks that a turn is the right seat's and that it drew the right cards.
fn check_start(
    state: &State,
    index: usize,
    turn: &TurnRecord,
    deck: &ScriptedDeck<'_>,
) -> Result<(), String> {
    let (number, right, recorded) = (index + 1, state.seat.0, turn.seat);
    let ended = match state.end {
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
    let stock_len = usize::from(state.stock_len) + drawn;
    ensure(drawn == drew, || {
        format!(
            "`drew` has {drew} cards; the stock held {stock_len}, so that seat {recorded} draws \
             {drawn}"
        )
    })?;
    deck.check("drawn").map_err(|(_, what)| what)
}

/// Returns the recorded move if it is legal.
fn legal_act(game: &Leopard, state: &State, act: &str) -> Result<Move, String> {
    let mv: Move = act.parse()?;
    ensure(mv != Move::End, || "the end of a turn is not written; leave `end` out".to_owned())?;
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    if game.is_legal_among(&legal, mv) {
        return Ok(mv);
    }
    Err(refusal(&game.rules, state, mv, &legal))
}

/// Checks that the turn may end without a move.
fn check_idle(rules: &Rules, state: &State) -> Result<(), String> {
    ensure(View::of(state, state.seat).may_end(), || {
        let (seat, held) = (state.seat.0, state.held[state.seat.side()]);
        format!(
            "seat {seat} holds {held} cards and did nothing: it must play or discard one, or knock \
             if its square is worth {} or more",
            rules.knock_at
        )
    })
}

impl Record {
    /// Checks that the hand is over and that the result is that of the record.
    fn check_end(&self, game: &Leopard, end: &State) -> Result<(), Fault> {
        let turns = self.turns.len();
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
        let right = game.values(end);
        let what = || {
            let recorded = shortened(&self.values);
            format!("the values of the squares at the end are {right:?}, not {recorded}")
        };
        ensure(self.values == right, || Fault::new("values", what()))?;
        self.head().check_result(&game.scores(end))
    }
}
