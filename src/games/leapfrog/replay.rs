//! A record played again, as a referee would: every cell and every leap is looked at.

use super::{Board, Cell, Chains, FirstCaptures, Leapfrog, Move, Phase, Record, Rules, State};
use crate::error::Fault;
use crate::game::{Game, Ruled};

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
        if found != usize::from(right) {
            return Err(format!("it has {found} {name} pieces; the rules say {right}"));
        }
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
            if !state.board.has(cell) {
                return Err(format!("{cell} is empty"));
            }
            if rules.first_captures == FirstCaptures::FirstSeatGreen && state.board.worth(cell) != 4
            {
                return Err(format!("the piece on {cell} is not green"));
            }
            state.remove(rules, cell);
            Ok(vec![cell])
        }
        Phase::Leap | Phase::Continue => {
            if text.starts_with('x') {
                return Err("all first captures are made; a chain, `e5-g5-g7`, is due".to_owned());
            }
            let cells = text.split('-').map(|cell| on_board(rules, cell));
            let cells = cells.collect::<Result<Vec<Cell>, String>>()?;
            if cells.len() < 2 {
                return Err("a chain, `e5-g5-g7`, is due".to_owned());
            }
            if rules.chains == Chains::Single && cells.len() > 2 {
                return Err("these rules allow one leap a turn".to_owned());
            }
            if !state.board.has(cells[0]) {
                return Err(format!("there is no piece on {}", cells[0]));
            }
            for leap in cells.windows(2) {
                leap_over(rules, state, leap[0], leap[1])?;
            }
            state.end_turn(rules);
            Ok(cells)
        }
    }
}

fn on_board(rules: &Rules, text: &str) -> Result<Cell, String> {
    let cell: Cell = cut(text).parse()?;
    if rules.holds(cell) {
        return Ok(cell);
    }
    Err(format!("{cell} is not on a board of {} rows and {} columns", rules.rows, rules.cols))
}

fn leap_over(rules: &Rules, state: &mut State, from: Cell, to: Cell) -> Result<(), String> {
    let leap = Move::between(from, to).filter(|leap| leap.way() < rules.ways());
    let Some(leap) = leap else {
        return Err(format!("{from} and {to} are not a leap apart"));
    };
    if !state.board.has(leap.over()) {
        return Err(format!("from {from} to {to} there is no piece to leap over"));
    }
    if state.board.has(to) {
        return Err(format!("there is a piece on {to}"));
    }
    state.capture(leap.over());
    state.board.carry(from, to);
    Ok(())
}
