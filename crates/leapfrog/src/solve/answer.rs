//! All that is said of a board, from the values of positions.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use super::grid::Grid;
use super::hub::Hub;
use super::position::Position;
use super::table::Entry;
use super::work::{Question, answers};
use super::{FirstCapture, FirstMoves, MB, Progress, Solution};
use crate::board::cells;
use crate::game::{Ruled, Seat};
use crate::{Board, Cell, Leapfrog, Move, State};

/// Where questions are asked.
pub(super) struct Desk<'a, P, E> {
    game: &'a Leapfrog,
    grid: &'a Grid,
    hub: &'a Hub<E>,
    threads: usize,
    progress: &'a mut dyn FnMut(Progress),
    /// The values known, by key.
    values: BTreeMap<u64, i32>,
    of: std::marker::PhantomData<P>,
}

/// A board after the first captures, and what they brought the first seat less the second.
struct Case {
    captures: Vec<Cell>,
    gain: i32,
    board: Board,
}

impl<'a, P: Position, E: Entry> Desk<'a, P, E> {
    pub fn new(
        game: &'a Leapfrog,
        grid: &'a Grid,
        hub: &'a Hub<E>,
        threads: usize,
        progress: &'a mut dyn FnMut(Progress),
    ) -> Self {
        let (values, of) = (BTreeMap::new(), std::marker::PhantomData);
        Desk { game, grid, hub, threads, progress, values, of }
    }

    /// All that is said of a board.
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
        solution.positions = (self.threads == 1).then(|| self.hub.visited());
        solution.table_mb = self.hub.bytes().div_ceil(MB);
        solution
    }

    /// Every first capture, every answer, and the best chains after the best of them.
    fn first_captures(&mut self, board: &Board, solution: &mut Solution) {
        let rules = self.game.rules();
        let alone = rules.removers() == 1;
        let sign = if rules.first_to_leap.0 == 1 { -1 } else { 1 };
        let written = |cell: Cell| Move::Remove(cell).to_string();
        let mut cases = Vec::new();
        for first in cells(&board.removable(rules)) {
            let (after, gain) = without(board, first);
            if alone || after.count() == 0 {
                cases.push(Case { captures: vec![first], gain, board: after });
                continue;
            }
            cases.extend(cells(&after.pieces).map(|reply| {
                let (board, loss) = without(&after, reply);
                Case { captures: vec![first, reply], gain: gain - loss, board }
            }));
        }
        let boards: Vec<&Board> = cases.iter().map(|case| &case.board).collect();
        self.learn(&boards);
        let value = |case: &Case| case.gain + sign * self.value(&case.board);
        let mut best = Vec::new();
        for cases in cases.chunk_by(|a, b| a.captures[0] == b.captures[0]) {
            let least = cases.iter().map(value).min().unwrap_or(0);
            let answers: Vec<&Case> = cases.iter().filter(|case| value(case) == least).collect();
            let reply = |case: &&Case| case.captures.get(1).map(|&cell| written(cell));
            solution.first_captures.push(FirstCapture {
                mv: written(cases[0].captures[0]),
                value: least,
                replies: answers.iter().filter_map(reply).collect(),
            });
            best.push((least, answers));
        }
        solution.value = best.iter().map(|(value, _)| *value).max().unwrap_or(0);
        best.retain(|(value, _)| *value == solution.value);
        let first = |(_, answers): &(i32, Vec<&Case>)| written(answers[0].captures[0]);
        solution.best_first_captures = best.iter().map(first).collect();
        let mut seen = BTreeSet::new();
        let answers = best.into_iter().flat_map(|(_, answers)| answers);
        let answers: Vec<_> = answers.filter(|case| seen.insert(self.key(&case.board))).collect();
        solution.first_moves = self.first_moves(&answers);
    }

    /// The chains that keep the values of positions.
    fn first_moves(&mut self, cases: &[&Case]) -> Vec<FirstMoves> {
        self.learn(&cases.iter().map(|case| &case.board).collect::<Vec<_>>());
        let game = self.game;
        let (mut chains, mut questions) = (Vec::new(), Vec::new());
        for (number, case) in cases.iter().enumerate() {
            let value = self.value(&case.board);
            _ = game.chains(&State::midway(game.rules(), case.board, Seat(0)), |chain| {
                chains.push((number, chain.to_string()));
                // Whether the child is worth what is left, and not more to the other seat.
                let left = i32::from(chain.points()) - value;
                let position = P::of(self.grid, chain.after.board());
                questions.push(Question::Exceeds(position, left as i16));
                ControlFlow::Continue(())
            });
        }
        let worse = self.ask(&questions);
        let written = |cell: &Cell| Move::Remove(*cell).to_string();
        let of = |case: &&Case| FirstMoves {
            after: case.captures.iter().map(written).collect(),
            value: self.value(&case.board),
            best: Vec::new(),
        };
        let mut moves: Vec<FirstMoves> = cases.iter().map(of).collect();
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

    /// The value of a board that was learnt.
    fn value(&self, board: &Board) -> i32 {
        self.values.get(&self.key(board)).copied().unwrap_or(0)
    }

    /// Learns the values of boards, of those that are images of one another once.
    fn learn(&mut self, boards: &[&Board]) {
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
        answers(self.grid, self.hub, questions, self.threads, self.progress)
    }
}

pub(super) fn without(board: &Board, cell: Cell) -> (Board, i32) {
    let mut board = *board;
    let worth = board.take(cell);
    (board, worth.into())
}
