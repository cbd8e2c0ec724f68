//! The complete solution of a board, from the values of its positions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use schemars::JsonSchema;
use serde::Serialize;

use super::bounds_table::AtomicEntry;
use super::grid::Grid;
use super::position::Position;
use super::search::{Progress, Question, answers};
use super::shared_table::SharedTable;
use crate::board::cells;
use crate::{Board, Cell, Leapfrog, Move, State};
use parlour_game::{Ruled, Seat};

/// A first capture of the first seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FirstCapture {
    /// The move, for example `xe5`.
    pub mv: String,
    /// The value of the hand after it.
    pub value: i32,
    /// The second seat's best replies; empty if it makes no first capture.
    pub replies: Vec<String>,
}

/// The best chains after some first captures.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct FirstMoves {
    /// The first captures.
    pub after: Vec<String>,
    /// The future points of the seat that leaps first minus the other's.
    pub value: i32,
    /// All chains that keep this value.
    pub best: Vec<String>,
}

/// A solved board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct Solution {
    /// The board, as in a record, with `.` for an empty cell.
    pub board: String,
    /// Points of the first seat minus those of the second, with best play. On a board with an empty
    /// cell: future points of the seat to leap minus the other's.
    pub value: i32,
    /// All first captures with their values; empty on a board with an empty cell.
    pub first_captures: Vec<FirstCapture>,
    /// The first captures that keep the value of the board.
    pub best_first_captures: Vec<String>,
    /// The best chains after the best first captures and replies; symmetric cases are listed once.
    pub first_moves: Vec<FirstMoves>,
    /// Positions searched; only for one thread, because the number depends on timing otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u64>,
    /// The size of the table in megabytes.
    pub table_mb: u64,
}

/// Collects the values that a [`Solution`] needs.
pub(super) struct Report<'a, P, E> {
    game: &'a Leapfrog,
    grid: &'a Grid,
    shared: &'a SharedTable<E>,
    threads: usize,
    progress: &'a mut dyn FnMut(Progress),
    /// Known values by key.
    values: BTreeMap<u64, i32>,
    position: std::marker::PhantomData<P>,
}

/// A board after the first captures, and the first seat's gain from them minus the second's.
struct Case {
    captures: Vec<Cell>,
    gain: i32,
    board: Board,
}

impl<'a, P: Position, E: AtomicEntry> Report<'a, P, E> {
    pub fn new(
        game: &'a Leapfrog,
        grid: &'a Grid,
        shared: &'a SharedTable<E>,
        threads: usize,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let (values, position) = (BTreeMap::new(), std::marker::PhantomData);
        Report { game, grid, shared, threads, progress, values, position }
    }

    /// Solves a board.
    pub fn solution(mut self, board: &Board) -> Solution {
        let rules = self.game.rules();
        let mut solution = Solution { board: board.text(rules), ..Solution::default() };
        if board.count() == u32::from(rules.cells()) {
            self.first_captures(board, &mut solution);
        } else {
            let case = Case { captures: Vec::new(), gain: 0, board: *board };
            solution.first_moves = self.first_moves(&[&case]);
            solution.value = self.value(board);
        }
        solution.positions = (self.threads == 1).then(|| self.shared.visited());
        solution.table_mb = self.shared.megabytes();
        solution
    }

    /// Adds all first captures, the best replies and the best chains to a solution.
    fn first_captures(&mut self, board: &Board, solution: &mut Solution) {
        let rules = self.game.rules();
        let only_first_seat = rules.removers() == 1;
        let sign = if rules.first_to_leap.0 == 1 { -1 } else { 1 };
        let text = |cell: Cell| Move::Remove(cell).to_string();
        let mut cases = Vec::new();
        for first in cells(&board.removable(rules)) {
            let (after, gain) = without(board, first);
            if only_first_seat || after.count() == 0 {
                cases.push(Case { captures: vec![first], gain, board: after });
                continue;
            }
            cases.extend(cells(&after.pieces).map(|reply| {
                let (board, loss) = without(&after, reply);
                Case { captures: vec![first, reply], gain: gain - loss, board }
            }));
        }
        let boards: Vec<&Board> = cases.iter().map(|case| &case.board).collect();
        self.search_values(&boards);
        let value = |case: &Case| case.gain + sign * self.value(&case.board);
        let mut best = Vec::new();
        for cases in cases.chunk_by(|a, b| a.captures[0] == b.captures[0]) {
            let least = cases.iter().map(value).min().unwrap_or(0);
            let replies: Vec<&Case> = cases.iter().filter(|case| value(case) == least).collect();
            let reply = |case: &&Case| case.captures.get(1).map(|&cell| text(cell));
            solution.first_captures.push(FirstCapture {
                mv: text(cases[0].captures[0]),
                value: least,
                replies: replies.iter().filter_map(reply).collect(),
            });
            best.push((least, replies));
        }
        solution.value = best.iter().map(|(value, _)| *value).max().unwrap_or(0);
        best.retain(|(value, _)| *value == solution.value);
        let first = |(_, replies): &(i32, Vec<&Case>)| text(replies[0].captures[0]);
        solution.best_first_captures = best.iter().map(first).collect();
        let mut seen = BTreeSet::new();
        let cases = best.into_iter().flat_map(|(_, replies)| replies);
        let cases: Vec<_> = cases.filter(|case| seen.insert(self.key(&case.board))).collect();
        solution.first_moves = self.first_moves(&cases);
    }

    /// Finds the chains that keep the values of boards.
    fn first_moves(&mut self, cases: &[&Case]) -> Vec<FirstMoves> {
        self.search_values(&cases.iter().map(|case| &case.board).collect::<Vec<_>>());
        let game = self.game;
        let (mut chains, mut questions) = (Vec::new(), Vec::new());
        for (number, case) in cases.iter().enumerate() {
            let value = self.value(&case.board);
            _ = game.chains(&State::midway(game.rules(), case.board, Seat(0)), |chain| {
                chains.push((number, chain.to_string()));
                // The chain is best if the rest is not worth more to the other seat than needed.
                let left = i32::from(chain.points()) - value;
                let position = P::of(self.grid, chain.after.board());
                questions.push(Question::Exceeds(position, left as i16));
                ControlFlow::Continue(())
            });
        }
        let worse = self.ask(&questions);
        let text = |cell: &Cell| Move::Remove(*cell).to_string();
        let new = |case: &&Case| FirstMoves {
            after: case.captures.iter().map(text).collect(),
            value: self.value(&case.board),
            best: Vec::new(),
        };
        let mut moves: Vec<FirstMoves> = cases.iter().map(new).collect();
        for ((number, chain), worse) in chains.into_iter().zip(worse) {
            if worse == 0 {
                moves[number].best.push(chain);
            }
        }
        moves
    }

    fn key(&self, board: &Board) -> u64 {
        P::of(self.grid, board).key()
    }

    /// The value of a board that was searched.
    fn value(&self, board: &Board) -> i32 {
        self.values.get(&self.key(board)).copied().unwrap_or(0)
    }

    /// Searches the values of boards; symmetric boards are searched once.
    fn search_values(&mut self, boards: &[&Board]) {
        let positions = boards.iter().map(|board| P::of(self.grid, board));
        let mut fresh: Vec<P> =
            positions.filter(|position| !self.values.contains_key(&position.key())).collect();
        let mut seen = BTreeSet::new();
        fresh.retain(|position| seen.insert(position.key()));
        let questions: Vec<_> = fresh.iter().copied().map(Question::Value).collect();
        let values = self.ask(&questions).into_iter().map(i32::from);
        self.values.extend(fresh.iter().map(P::key).zip(values));
    }

    fn ask(&mut self, questions: &[Question<P>]) -> Vec<i16> {
        answers(self.grid, self.shared, questions, self.threads, self.progress)
    }
}

/// Returns the board without the piece on a cell, and the worth of the piece.
pub(super) fn without(board: &Board, cell: Cell) -> (Board, i32) {
    let mut board = *board;
    let worth = board.take(cell);
    (board, worth.into())
}
