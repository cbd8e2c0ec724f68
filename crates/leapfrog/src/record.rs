//! Records of hands, and their replay, which checks every cell and leap.

use itertools::Itertools;

use super::board::{count, has};
use super::picture;
use super::{
    Board, Cell, Chains, Colors, FirstCaptures, FirstToLeap, Leapfrog, Move, Phase, Rules, State,
};
use parlour_base::chance::Stream;
use parlour_base::error::{Fault, ensure};
use parlour_game::{Game, Label, Recorded, Replay, Seat};

parlour_game::record::record!(Leapfrog, "LeapfrogRecord", #[serde(default)] hand, {
    /// The full board: rows from the top joined by `/`, `o` plain, `w y r g` coloured.
    board: String,
    /// First captures `xe5`, then a choice `first 1` if there is one, then chains `e5-g5-g7`.
    moves: Vec<String>,
    /// The seat that leaps first by lot; missing if no lot was drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lot: Option<u8>,
});

impl Recorded for Leapfrog {
    type Record = Record;

    /// Records legal moves, with each chain as one text. Moves after the end are dropped.
    fn record(&self, label: &Label, mut chance: Stream, moves: &[Move], _: &State) -> Record {
        let mut state = self.deal(&mut chance);
        let board = state.board.text(&self.rules);
        let (mut texts, mut lot) = (Vec::<String>::new(), None);
        for &mv in moves {
            let phase = state.phase;
            if phase == Phase::Over {
                break;
            }
            self.apply(&mut state, mv, &mut chance);
            let is_drawn = phase == Phase::Remove && state.phase == Phase::Leap;
            if is_drawn && self.rules.first_to_leap == FirstToLeap::Lot {
                lot = Some(state.seat.0);
            }
            match (texts.last_mut(), mv) {
                (Some(chain), Move::Leap(_, to)) if phase == Phase::Continue => {
                    *chain += &format!("-{to}");
                }
                (_, Move::Stop) => {}
                _ => texts.push(mv.to_string()),
            }
        }
        Record::new(self, label, &self.scores(&state), (board, texts, lot))
    }

    fn verify(record: &Record) -> Result<(), Fault> {
        record.check(&Leapfrog::replay(record)?)
    }

    /// Shows unfinished hands and hands with a wrong result too, with a remark.
    fn show(record: &Record) -> Result<String, Fault> {
        let replay = Leapfrog::replay(record)?;
        Ok(picture::hand(record, &replay, record.check(&replay).err()))
    }

    /// Replays the first capture or the first leap of each turn.
    fn replay(record: &Record) -> Result<Replay<Leapfrog>, Fault> {
        let game: Leapfrog = record.head().check()?;
        let rules = &game.rules;
        let board = full_board(&record.board, rules).map_err(|what| Fault::new("board", what))?;
        let mut end = State::new(rules, board);
        let (mut choices, mut lot) = (Vec::new(), record.lot);
        for (index, text) in record.moves.iter().enumerate() {
            let before = end;
            let mv = turn(rules, &mut end, text).map_err(|what| {
                Fault::new(format!("move {}", index + 1), format!("`{}`: {what}", cut(text)))
            })?;
            choices.push((before, mv));
            if end.phase == Phase::Choose && rules.first_to_leap == FirstToLeap::Lot {
                let seat = lot.take().filter(|&seat| seat < rules.seats);
                let seat = seat.ok_or_else(|| Fault::new("lot", "no seat leaps first by lot"))?;
                end.play(rules, Move::First(Seat(seat)));
            }
        }
        ensure(lot.is_none(), || Fault::new("lot", "no lot was drawn in this hand"))?;
        Ok(Replay { game, choices, written: record.moves.clone(), end })
    }
}

impl Record {
    /// Checks that a replayed hand is over and has the recorded result.
    fn check(&self, Replay { game, end, .. }: &Replay<Leapfrog>) -> Result<(), Fault> {
        if end.phase != Phase::Over {
            let seat = end.seat.0;
            let what = format!("the hand is not over: seat {seat} can still capture a piece");
            return Err(Fault::new(format!("move {}", self.moves.len() + 1), what));
        }
        self.head().check_result(&game.scores(end))
    }
}

/// Shortens a long text for a message.
fn cut(text: &str) -> String {
    if text.chars().count() <= 60 {
        return text.to_owned();
    }
    text.chars().take(57).chain("...".chars()).collect()
}

/// Reads a board with a piece on every cell and the colours of the rules.
fn full_board(text: &str, rules: &Rules) -> Result<Board, String> {
    let board = Board::read(text, rules)?;
    if let Some(cell) = rules.each_cell().find(|cell| !board.has(*cell)) {
        return Err(format!("{cell} is empty; at the start every cell has a piece"));
    }
    for (name, worth, right) in rules.colors().into_iter().flat_map(Colors::each) {
        let found = count(&board.of_worth(worth));
        let what = || format!("it has {found} {name} pieces; the rules need {right}");
        ensure(found == u32::from(right), what)?;
    }
    Ok(board)
}

/// Plays a turn given as text and returns its first move.
fn turn(rules: &Rules, state: &mut State, text: &str) -> Result<Move, String> {
    match state.phase {
        Phase::Over => Err("the hand is over; no capture is left".to_owned()),
        Phase::Remove => {
            let cell = text
                .strip_prefix('x')
                .ok_or("the next move must be a first capture, such as `xe5`")?;
            let cell = on_board(rules, cell)?;
            ensure(state.board.has(cell), || format!("{cell} is empty"))?;
            let is_green = rules.first_captures == FirstCaptures::FirstSeatGreen;
            let which = if is_green { "green" } else { "of the lowest value" };
            ensure(has(&state.board.removable(rules), cell), || {
                format!("the piece on {cell} is not {which}")
            })?;
            state.remove(rules, cell);
            Ok(Move::Remove(cell))
        }
        Phase::Choose => {
            let first = Move::firsts(rules).find(|first| first.to_string() == text);
            let first = first.ok_or("the next move must be a choice, such as `first 1`")?;
            state.play(rules, first);
            Ok(first)
        }
        Phase::Leap | Phase::Continue => {
            let late =
                "all first captures are made; the next move must be a chain, such as `e5-g5-g7`";
            ensure(!text.starts_with('x'), || late)?;
            let cells = text.split('-').map(|cell| on_board(rules, cell));
            let cells = cells.collect::<Result<Vec<Cell>, String>>()?;
            ensure(cells.len() > 1, || "the next move must be a chain, such as `e5-g5-g7`")?;
            let single = rules.chains == Chains::Single;
            ensure(!single || cells.len() == 2, || "these rules allow one leap per turn")?;
            ensure(state.board.has(cells[0]), || format!("there is no piece on {}", cells[0]))?;
            for (&from, &to) in cells.iter().tuple_windows() {
                ensure(from.way_to(to)? < rules.ways(), || {
                    format!("{from} and {to} are not a leap apart")
                })?;
                let over = from.midway(to);
                ensure(state.board.has(over), || {
                    format!("there is no piece between {from} and {to} to leap over")
                })?;
                ensure(!state.board.has(to), || format!("there is a piece on {to}"))?;
                state.capture(over);
                state.board.carry(from, to);
            }
            state.end_turn(rules);
            Ok(Move::Leap(cells[0], cells[1]))
        }
    }
}

fn on_board(rules: &Rules, text: &str) -> Result<Cell, String> {
    let cell: Cell = cut(text).parse()?;
    let Rules { rows, cols, .. } = rules;
    let what = || format!("{cell} is not on a board of {rows} rows and {cols} columns");
    ensure(rules.holds(cell), what).map(|()| cell)
}
