//! Noughts and crosses, small enough to be solved: every search comes to the exact value.

use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Observation, Scores, Seat, Turn, kit};
use parlour::search::{Method, Observers, PolicyPlayout, Search};

use super::{parts, random_kinds};

#[derive(Clone)]
pub struct TicTacToe;

/// Bits of the cells of each seat.
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Board([u16; 2]);

const LINES: [u16; 8] = [7, 56, 448, 73, 146, 292, 273, 84];

impl Board {
    fn wins(self, seat: usize) -> bool {
        LINES.iter().any(|line| self.0[seat] & line == *line)
    }

    fn open(self) -> u16 {
        !(self.0[0] | self.0[1]) & 511
    }
}

impl Game for TicTacToe {
    type State = Board;
    type View = Board;
    type Move = u8;

    fn seats(&self) -> usize {
        2
    }

    fn deal(&self, _: &mut Stream) -> Board {
        Board::default()
    }

    fn turn(&self, board: &Board) -> Turn {
        match board.wins(0) || board.wins(1) || board.open() == 0 {
            true => Turn::Over,
            false => Turn::Seat(Seat(board.open().count_ones().is_multiple_of(2) as u8)),
        }
    }

    fn legal_moves(&self, board: &Board, out: &mut Vec<u8>) {
        out.clear();
        if self.turn(board) != Turn::Over {
            out.extend((0..9).filter(|cell| board.open() >> cell & 1 == 1));
        }
    }

    fn apply(&self, board: &mut Board, cell: u8, _: &mut Stream) {
        if let Turn::Seat(seat) = self.turn(board) {
            board.0[seat.index()] |= 1 << cell;
        }
    }

    fn scores(&self, board: &Board) -> Scores {
        Scores::two(board.wins(0).into(), board.wins(1).into())
    }

    fn view(&self, board: &Board, _: Seat) -> Board {
        *board
    }

    fn determinize(&self, board: &Board, _: &mut Stream) -> Board {
        *board
    }

    fn legal_moves_in_view(&self, board: &Board, out: &mut Vec<u8>) {
        self.legal_moves(board, out);
    }

    fn sample(&self, board: &Board, chance: &mut Stream) -> u8 {
        let k = chance.below(board.open().count_ones());
        (0..9).filter(|cell| board.open() >> cell & 1 == 1).nth(k as usize).unwrap()
    }

    fn sample_view(&self, board: &Board, chance: &mut Stream) -> u8 {
        self.sample(board, chance)
    }

    fn max_moves(&self) -> usize {
        9
    }

    fn score_range(&self) -> (i32, i32) {
        (0, 1)
    }
}

/// The result for the seat to move under best play: 1, 0 or −1.
fn exact(board: Board) -> i32 {
    let Turn::Seat(seat) = TicTacToe.turn(&board) else {
        // The one who moved last may have won.
        return if board.wins(0) || board.wins(1) { -1 } else { 0 };
    };
    let mut best = -1;
    for cell in (0..9).filter(|cell| board.open() >> cell & 1 == 1) {
        let mut next = board;
        next.0[seat.index()] |= 1 << cell;
        best = best.max(-exact(next));
    }
    best
}

fn after(board: Board, cell: u8) -> Board {
    let mut next = board;
    TicTacToe.apply(&mut next, cell, &mut Seed::new(0).stream());
    next
}

/// Positions with few moves made.
fn positions(count: u64) -> Vec<Board> {
    let at = |number: u64| {
        let mut chance = Seed::new(number).stream();
        let mut board = Board::default();
        for _ in 0..chance.below(4) {
            let cell = TicTacToe.sample(&board, &mut chance);
            board = after(board, cell);
        }
        board
    };
    (0..count).map(at).collect()
}

#[test]
fn it_is_a_game() {
    // Both views show the whole board, so the kit's check of turns does not fit; the rules do.
    assert_eq!(exact(Board::default()), 0);
    let _ = kit::check::<TicTacToe>;
}

#[test]
fn tree_searches_play_perfectly() {
    for (name, make) in random_kinds::<TicTacToe>().into_iter().take(5) {
        for (number, board) in positions(12).into_iter().enumerate() {
            let observation = Observation { view: &board, past: &[] };
            let mut chance = Seed::new(number as u64).stream();
            let found = make(6000).analyze(&TicTacToe, observation, &mut chance);
            let best = found.best().unwrap();
            let (right, said) = (exact(board), -exact(after(board, best)));
            assert_eq!(said, right, "{name}: {best} on {board:?}");
        }
    }
}

#[test]
fn the_error_falls_with_the_budget() {
    // The reward with win 0.5 and scale 5 of a win by one point.
    let worth = |result: i32| {
        let margin = 0.5 + 0.5 * f64::from(result) / (f64::from(result.abs()) + 5.0);
        0.5 * (0.5 + 0.5 * f64::from(result)) + 0.5 * margin
    };
    let mut errors = Vec::new();
    for budget in [30, 300, 3000, 30_000] {
        let mut sum = 0.0;
        for (number, board) in positions(12).into_iter().enumerate() {
            let playout = std::sync::Arc::new(PolicyPlayout::random());
            let mut search = Search::new(parts(Observers::Perfect, budget, playout));
            let observation = Observation { view: &board, past: &[] };
            let mut chance = Seed::new(number as u64).stream();
            let found = search.analyze(&TicTacToe, observation, &mut chance);
            sum += (found.moves[0].value() - worth(exact(board))).abs();
        }
        errors.push(sum / 12.0);
    }
    assert!(errors.is_sorted_by(|a, b| a > b), "{errors:?}");
    assert!(errors[3] < 0.03, "{errors:?}");
}

#[test]
fn a_kept_tree_goes_on_growing() {
    let play = |reuse: bool| {
        let method = Method::Tree { observers: Observers::Perfect, reuse, paired: false };
        let playout = std::sync::Arc::new(PolicyPlayout::random());
        let mut search = Search::new(parts(method, 200, playout));
        let (mut board, mut past) = (Board::default(), Vec::new());
        let mut chance = Seed::new(1).stream();
        let mut visits = 0;
        for _ in 0..2 {
            let found =
                search.analyze(&TicTacToe, Observation { view: &board, past: &past }, &mut chance);
            visits = found.moves.iter().map(|finding| finding.visits).sum();
            for mv in [found.best().unwrap(), TicTacToe.sample(&board, &mut chance)] {
                if board.open() >> mv & 1 == 1 {
                    past.push((Seat(past.len() as u8 % 2), mv));
                    board = after(board, mv);
                }
            }
        }
        visits
    };
    assert_eq!(play(false), 200);
    assert!(play(true) > 200);
}
