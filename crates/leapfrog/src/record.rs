//! One hand of Leap Frog written down, and played again as a referee would: every cell and every
//! leap is looked at.

use super::board::has;
use super::{Board, Cell, Chains, FirstCaptures, Leapfrog, Move, Phase, Rules, State};
use crate::chance::Stream;
use crate::error::{Fault, ensure};
use crate::game::{Game, Label, Ruled};

crate::game::record::record!(Leapfrog, "LeapfrogRecord", #[serde(default)] hand, {
    /// The full board: rows from the top joined by `/`, `o` a plain piece, `w y r g` coloured ones.
    board: String,
    /// First captures `xe5`, then chains `e5-g5-g7`.
    moves: Vec<String>,
});

impl Record {
    /// The moves must be legal ones in order, each chain in one piece when written; what follows
    /// the end of the hand is left out.
    pub(super) fn of(game: &Leapfrog, label: &Label, mut chance: Stream, moves: &[Move]) -> Record {
        let mut state = game.deal(&mut chance);
        let board = state.board.text(game.rules());
        let mut texts: Vec<String> = Vec::new();
        for &mv in moves {
            let phase = state.phase;
            if phase == Phase::Over {
                break;
            }
            state.play(game.rules(), mv);
            match (texts.last_mut(), mv) {
                (Some(chain), Move::Leap(_, to)) if phase == Phase::Continue => {
                    *chain += &format!("-{to}");
                }
                (_, Move::Stop) => {}
                _ => texts.push(mv.to_string()),
            }
        }
        Record::new(game, label, &game.scores(&state), (board, texts))
    }
}

/// One turn of a record.
pub(super) struct Step {
    /// The hand before.
    pub before: State,
    /// The cell of a first capture, or all cells of a chain.
    pub cells: Vec<Cell>,
    /// The hand after.
    pub after: State,
}

/// A hand that was played again.
pub(super) struct Replayed {
    pub game: Leapfrog,
    pub steps: Vec<Step>,
    pub end: State,
}

/// Plays a record to its last move. The result is not looked at.
pub(super) fn replay(record: &Record) -> Result<Replayed, Fault> {
    let game: Leapfrog = record.head().check()?;
    let rules = game.rules();
    let board = full_board(&record.board, rules).map_err(|what| Fault::new("board", what))?;
    let mut end = State::new(rules, board);
    let mut steps = Vec::new();
    for (index, text) in record.moves.iter().enumerate() {
        let before = end;
        let cells = turn(rules, &mut end, text).map_err(|what| {
            Fault::new(format!("move {}", index + 1), format!("`{}`: {what}", cut(text)))
        })?;
        steps.push(Step { before, cells, after: end });
    }
    Ok(Replayed { game, steps, end })
}

impl Replayed {
    /// Whether the hand is over and came to what the record says.
    pub fn check(&self, record: &Record) -> Result<(), Fault> {
        if self.end.phase != Phase::Over {
            let seat = self.end.seat;
            let what = format!("the hand is not over: seat {seat} can still capture a piece");
            return Err(Fault::new(format!("move {}", record.moves.len() + 1), what));
        }
        record.head().check_result(&self.game.scores(&self.end))
    }
}

/// What a reader needs of a long text.
fn cut(text: &str) -> String {
    if text.chars().count() <= 60 {
        return text.to_owned();
    }
    text.chars().take(57).chain("...".chars()).collect()
}

/// A board with a piece on every cell, and as many of each colour as the rules say.
fn full_board(text: &str, rules: &Rules) -> Result<Board, String> {
    let board = Board::read(text, rules)?;
    if let Some(cell) = rules.each_cell().find(|cell| !board.has(*cell)) {
        return Err(format!("{cell} is empty; at the start every cell has a piece"));
    }
    let Some(colors) = rules.colors() else { return Ok(board) };
    for (name, worth, right) in colors.each() {
        let found = rules.each_cell().filter(|cell| board.worth(*cell) == worth).count();
        let what = || format!("it has {found} {name} pieces; the rules say {right}");
        ensure(found == usize::from(right), what)?;
    }
    Ok(board)
}

/// Makes the turn that a text names; returns its cells.
pub(super) fn turn(rules: &Rules, state: &mut State, text: &str) -> Result<Vec<Cell>, String> {
    match state.phase {
        Phase::Over => Err("the hand is over, no capture is left".to_owned()),
        Phase::Remove => {
            let cell = text.strip_prefix('x').ok_or("a first capture, `xe5`, is due")?;
            let cell = on_board(rules, cell)?;
            ensure(state.board.has(cell), || format!("{cell} is empty"))?;
            let which = match rules.first_captures {
                FirstCaptures::FirstSeatGreen => "green",
                _ => "of the lowest value",
            };
            ensure(has(&state.board.removable(rules), cell), || {
                format!("the piece on {cell} is not {which}")
            })?;
            state.remove(rules, cell);
            Ok(vec![cell])
        }
        Phase::Leap | Phase::Continue => {
            let late = "all first captures are made; a chain, `e5-g5-g7`, is due";
            ensure(!text.starts_with('x'), || late)?;
            let cells = text.split('-').map(|cell| on_board(rules, cell));
            let cells = cells.collect::<Result<Vec<Cell>, String>>()?;
            ensure(cells.len() > 1, || "a chain, `e5-g5-g7`, is due")?;
            let single = rules.chains == Chains::Single;
            ensure(!single || cells.len() == 2, || "these rules allow one leap a turn")?;
            ensure(state.board.has(cells[0]), || format!("there is no piece on {}", cells[0]))?;
            for leap in cells.windows(2) {
                let (from, to) = (leap[0], leap[1]);
                ensure(from.way_to(to)? < rules.ways(), || {
                    format!("{from} and {to} are not a leap apart")
                })?;
                let over = from.midway(to);
                ensure(state.board.has(over), || {
                    format!("from {from} to {to} there is no piece to leap over")
                })?;
                ensure(!state.board.has(to), || format!("there is a piece on {to}"))?;
                state.capture(over);
                state.board.carry(from, to);
            }
            state.end_turn(rules);
            Ok(cells)
        }
    }
}

fn on_board(rules: &Rules, text: &str) -> Result<Cell, String> {
    let cell: Cell = cut(text).parse()?;
    let Rules { rows, cols, .. } = rules;
    let what = || format!("{cell} is not on a board of {rows} rows and {cols} columns");
    ensure(rules.holds(cell), what).map(|()| cell)
}
