use super::*;
use crate::{Cell, Chain, Chains, FirstToLeap, State};
use parlour_base::chance::Seed;
use parlour_game::{Seat, Turn};

fn solved(rules: &Rules) -> Solution {
    solve(rules, None, &SolveOptions::default(), &mut |_| {}).unwrap()
}

fn values(sizes: &[(u8, u8, i32)]) {
    for &(rows, cols, value) in sizes {
        for (rows, cols) in [(rows, cols), (cols, rows)] {
            let start = std::time::Instant::now();
            let solution = solved(&Rules::plain(rows, cols));
            println!("{rows}x{cols}: {:?} positions, {:?}", solution.positions, start.elapsed());
            assert_eq!(solution.value, value, "{rows} × {cols}");
        }
    }
}

/// The value by the rules alone, with every chain tried.
fn brute_force_value(game: &Leapfrog, state: &State) -> i32 {
    let values =
        game.chains(state).map(|chain| chain.points() - brute_force_value(game, &chain.after));
    values.max().unwrap_or(0)
}

#[test]
fn known_values_of_one_row() {
    values(&[(1, 4, 0), (1, 5, 1), (1, 6, 0), (1, 7, 0), (1, 8, 1), (1, 10, 0), (1, 12, 1)]);
}

#[test]
fn known_values_of_two_rows() {
    values(&[(2, 3, 0), (2, 4, 0), (2, 5, 0), (2, 6, 0), (2, 7, -1), (2, 8, 0)]);
}

#[test]
fn known_values_of_three_and_four_rows() {
    values(&[(3, 3, 0), (3, 4, 0), (3, 5, 0), (4, 4, 0)]);
}

#[test]
fn known_value_of_4_by_5() {
    values(&[(4, 5, 0)]);
}

#[test]
fn single_leaps_have_value_zero() {
    for (rows, cols) in
        [(1, 4), (1, 5), (1, 6), (1, 7), (1, 8), (1, 10), (1, 12), (2, 3), (2, 7), (3, 3), (4, 4)]
    {
        let rules = Rules { chains: Chains::Single, ..Rules::plain(rows, cols) };
        assert_eq!(solved(&rules).value, 0, "{rows} × {cols}");
    }
}

#[test]
fn positions_match_brute_force() {
    for rules in [
        Rules::plain(3, 4),
        Rules::murray(3, 4),
        Rules { diagonal: true, ..Rules::murray(3, 3) },
        Rules { chains: Chains::Single, ..Rules::murray(3, 3) },
    ] {
        let game = Leapfrog::new(&rules).unwrap();
        for deal in 0..10 {
            let mut chance = Seed::new(deal).stream();
            let mut state = game.deal(&mut chance);
            for _ in 0..4 {
                let mv = game.sample(&state, &mut chance);
                game.apply(&mut state, mv, &mut chance);
                if game.turn(&state) == Turn::Over {
                    break;
                }
            }
            let board = state.board.text(&rules);
            let state = State::midway(&rules, state.board, Seat(0));
            let solution =
                solve(&rules, Some(&board), &SolveOptions::default(), &mut |_| {}).unwrap();
            assert_eq!(solution.value, brute_force_value(&game, &state), "{board}");
            // The value does not depend on the seat to move.
            let second = State::midway(&rules, state.board, Seat(1));
            assert_eq!(solution.value, brute_force_value(&game, &second), "{board}");
            // The best chains keep the value.
            let keeps = |chain: &Chain| {
                chain.points() - brute_force_value(&game, &chain.after) == solution.value
            };
            let best: Vec<_> =
                game.chains(&state).filter(keeps).map(|chain| chain.to_string()).collect();
            assert_eq!(solution.first_moves[0].best, best, "{board}");
        }
    }
}

#[test]
fn whole_hands_match_brute_force() {
    let firsts =
        [FirstToLeap::Seat(0), FirstToLeap::Seat(1), FirstToLeap::LastChooses, FirstToLeap::Lot];
    for first in firsts {
        let rules = Rules { first_to_leap: first, ..Rules::murray(3, 3) };
        let game = Leapfrog::new(&rules).unwrap();
        let board = "wyw/gwy/wyr";
        let full = Board::read(board, &rules).unwrap();
        let cells: Vec<Cell> = rules.each_cell().collect();
        let value = |a: Cell| {
            let mut after = full;
            let gain = i32::from(after.take(a));
            let replies = cells.iter().filter(|&&b| b != a).map(|&b| {
                let mut rest = after;
                let loss = i32::from(rest.take(b));
                let state = State::midway(&rules, rest, Seat(0));
                let future = brute_force_value(&game, &state);
                let [seat_0, seat_1] = [gain - loss + future, gain - loss - future];
                match first {
                    FirstToLeap::Seat(0) => seat_0,
                    FirstToLeap::Seat(_) => seat_1,
                    // The second seat chooses the best for itself.
                    FirstToLeap::LastChooses => seat_0.min(seat_1),
                    FirstToLeap::Lot => (seat_0 + seat_1) / 2,
                }
            });
            replies.min().unwrap()
        };
        let solution = solve(&rules, Some(board), &SolveOptions::default(), &mut |_| {}).unwrap();
        let found: Vec<i32> = solution.first_captures.iter().map(|c| c.value).collect();
        assert_eq!(found, cells.iter().map(|&a| value(a)).collect::<Vec<_>>());
        assert_eq!(solution.value, *found.iter().max().unwrap());
        let best = cells.iter().filter(|&&a| value(a) == solution.value);
        assert!(
            solution
                .best_first_captures
                .iter()
                .eq(&best.map(|a| format!("x{a}")).collect::<Vec<_>>())
        );
    }
}

#[test]
fn impossible_solves_are_refused_before_the_search() {
    let refuse = |rules: &Rules, board, memory_mb| {
        let options = SolveOptions { memory_mb, ..SolveOptions::default() };
        solve(rules, board, &options, &mut |_| {}).unwrap_err().to_string()
    };
    assert_eq!(
        refuse(&Rules::plain(6, 7), None, 8192),
        "plain boards of more than 40 pieces cannot be solved; this one has 42"
    );
    assert_eq!(
        refuse(&Rules::plain(18, 18), None, u64::MAX),
        "plain boards of more than 60 cells cannot be solved; this one has 324"
    );
    assert!(refuse(&Rules::murray(6, 6), None, 4096).contains("more than 27 cells"));
    assert!(refuse(&Rules::murray(4, 4), None, 4096).contains("give the board"));
    assert!(refuse(&Rules { seats: 3, ..Rules::plain(3, 3) }, None, 64).contains("two seats"));
    assert!(refuse(&Rules::plain(3, 3), Some("ooo/oo/ooo"), 64).contains("has 2 cells"));
    assert!(refuse(&Rules::plain(0, 3), None, 64).contains("`rows` is 0"));
    assert!(refuse(&Rules::plain(4, 6), None, 0).contains("give `--memory"));
    for (rows, cols) in [(6, 6), (5, 8), (4, 10), (3, 13), (2, 18)] {
        let rules = Rules::plain(rows, cols);
        assert!(check_size(&rules, rules.cells().into()).is_ok());
    }
}

#[test]
fn few_pieces_on_a_large_board_are_solved() {
    let board = "........./.oo....../........./....oo.../........./........./.......o.";
    let solution = solve(&Rules::plain(7, 9), Some(board), &SolveOptions::default(), &mut |_| {});
    assert!(solution.unwrap_err().to_string().contains("more than 60 cells"));
    let board = &board[..59];
    let solution = solve(&Rules::plain(6, 9), Some(board), &SolveOptions::default(), &mut |_| {});
    assert_eq!(solution.unwrap().value, 0);
}

#[test]
fn threads_and_a_small_table_change_nothing() {
    let rules = Rules::plain(4, 5);
    let once = solved(&rules);
    assert!(once.positions.is_some());
    for (threads, memory_mb) in [(2, 2048), (3, 1), (1, 1)] {
        let options = SolveOptions { threads, memory_mb, ..SolveOptions::default() };
        let again = solve(&rules, None, &options, &mut |_| {}).unwrap();
        assert_eq!(again.positions.is_some(), threads == 1);
        let table = (once.positions, once.table_mb);
        assert_eq!(Solution { positions: table.0, table_mb: table.1, ..again }, once);
    }
}

#[test]
fn one_row_solver_matches_the_general_solver() {
    for cells in 1..=16 {
        let row = solve_one_row(cells, &SolveOptions::default(), &mut |_| {}).unwrap();
        let board = solved(&Rules::plain(1, cells));
        let values: Vec<i32> = board.first_captures.iter().map(|c| c.value).collect();
        assert_eq!((row.value, row.first_captures), (board.value, values), "{cells}");
    }
    let value = |cells| solve_one_row(cells, &SolveOptions::default(), &mut |_| {}).unwrap().value;
    assert_eq!((17..=24).map(value).collect::<Vec<_>>(), [0, 0, 0, 1, 0, 0, 0, 1]);
    let long = solve_one_row(61, &SolveOptions::default(), &mut |_| {}).unwrap_err().to_string();
    assert!(long.contains("more than 60 cells"), "{long}");
}

#[test]
fn a_saved_search_resumes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("saved");
    let options = SolveOptions { save: Some(&path), ..SolveOptions::default() };
    let rules = Rules::plain(4, 6);
    let once = solve(&rules, None, &options, &mut |_| {}).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.lines().count() > 3, "{text}");
    // The state after a kill: half of the file, the last line cut.
    std::fs::write(&path, &text[..text.len() / 2]).unwrap();
    let again = solve(&rules, None, &options, &mut |_| {}).unwrap();
    assert!(again.positions < once.positions);
    assert_eq!(Solution { positions: once.positions, ..again }, once);
    let kept = &text[..text[..text.len() / 2].rfind('\n').unwrap()];
    let grown = std::fs::read_to_string(&path).unwrap();
    assert!(grown.starts_with(kept) && grown.len() > kept.len() + 1);
    // A file of another board, and a changed one.
    let refuse = |rules: &Rules| solve(rules, None, &options, &mut |_| {}).unwrap_err().to_string();
    assert!(
        refuse(&Rules::plain(4, 4)).contains("line 1: this is not a saved search of this board")
    );
    for at in text.find('\n').unwrap() + 1..text.len() - 1 {
        if at % 7 != 0 {
            continue;
        }
        let mut bytes = text.clone().into_bytes();
        bytes[at] = if bytes[at] == b'1' { b'2' } else { b'1' };
        std::fs::write(&path, &bytes).unwrap();
        assert!(refuse(&rules).contains("this line was changed after it was written"), "{at}");
    }
}

#[test]
fn the_smallest_boards_are_solved() {
    let solution = solved(&Rules::plain(1, 1));
    assert_eq!((solution.value, solution.best_first_captures), (1, vec!["xa1".to_owned()]));
    assert_eq!(solved(&Rules::plain(1, 2)).value, 0);
}
