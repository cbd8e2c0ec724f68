//! The rules of Leap Frog one by one, with all variants and options.

use parlour::chance::Seed;
use parlour::game::{Game, Ruled, Seat, Turn, kit};
use parlour::games::leapfrog::{
    Board, Chains, Colors, FirstCaptures, FirstToLeap, Leapfrog, Move, Phase, Pieces, Rules, State,
};

fn game(rules: &Rules) -> Leapfrog {
    Leapfrog::new(rules).unwrap()
}

fn preset(name: &str) -> Rules {
    Leapfrog::preset(name).unwrap()
}

/// A position after the first captures, seat 0 to leap.
fn midway(rules: &Rules, board: &str) -> State {
    State::midway(rules, Board::read(board, rules).unwrap(), Seat(0))
}

fn chains(rules: &Rules, board: &str) -> Vec<String> {
    let (game, state) = (game(rules), midway(rules, board));
    game.chains(&state).map(|chain| format!("{chain} {}", chain.points())).collect()
}

fn play(game: &Leapfrog, state: &mut State, moves: &str) {
    let mut chance = Seed::new(0).stream();
    for mv in moves.split(' ') {
        let mv = mv.parse().unwrap();
        assert_eq!(game.try_apply(state, mv, &mut chance), Ok(()), "{mv}");
    }
}

fn legal(game: &Leapfrog, state: &State) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal_moves(state, &mut moves);
    moves.iter().map(Move::to_string).collect()
}

#[test]
fn every_cell_holds_a_piece_at_the_start() {
    for name in ["original", "original-18", "murray", "murray-18", "froglet", "mini-1x1"] {
        let rules = preset(name);
        let state = game(&rules).deal(&mut Seed::new(3).stream());
        assert_eq!(state.board.count(), u32::from(rules.cells()), "{name}");
    }
}

#[test]
fn boards_are_15_by_15_or_have_1_to_18_rows_and_columns() {
    let first = &Leapfrog::presets()[0];
    assert_eq!((first.name, first.rules.rows, first.rules.cols), ("original", 15, 15));
    assert_eq!((preset("murray-18").rows, preset("mini-1x18").cols), (18, 18));
    for (rows, cols) in [(0, 4), (4, 0), (19, 4), (4, 19), (255, 255)] {
        assert!(Leapfrog::new(&Rules::plain(rows, cols)).is_err());
        assert!(Leapfrog::new(&Rules::murray(rows, cols)).is_err());
    }
}

#[test]
fn plain_pieces_are_worth_one() {
    let state = game(&preset("mini-3x3")).deal(&mut Seed::new(0).stream());
    assert_eq!(state.board.points(), 9);
}

#[test]
fn green_4_red_3_yellow_2_white_1() {
    let rules = preset("murray-mini-1x4");
    let board = Board::read("gryw", &rules).unwrap();
    let worth = (0..4).map(|col| board.worth(parlour::games::leapfrog::Cell::new(0, col)));
    assert_eq!(worth.collect::<Vec<_>>(), [4, 3, 2, 1]);
}

#[test]
fn colours_are_laid_at_random_in_the_ratio_of_the_rules() {
    let rules = preset("murray");
    let game = game(&rules);
    let (one, two) = (game.deal(&mut Seed::new(1).stream()), game.deal(&mut Seed::new(2).stream()));
    assert_ne!(one.board.text(&rules), two.board.text(&rules));
    let text = one.board.text(&rules);
    let count = |letter| text.matches(letter).count();
    assert_eq!([count('g'), count('r'), count('y'), count('w')], [22, 45, 68, 90]);
    // The colours of a cell follow the ratio: 22 of 225 are green.
    let mut green = 0;
    for deal in 0..2000 {
        let board = game.deal(&mut Seed::new(deal).stream()).board;
        green += u32::from(board.worth(parlour::games::leapfrog::Cell::new(7, 3)) == 4);
    }
    assert!((150..245).contains(&green), "{green}");
}

#[test]
fn colour_counts_can_be_set_and_must_fill_the_board() {
    let colors = Colors { green: 1, red: 0, yellow: 0, white: 5 };
    let rules = Rules { pieces: Pieces::Colors(colors), ..Rules::plain(2, 3) };
    let text = game(&rules).deal(&mut Seed::new(0).stream()).board.text(&rules);
    assert_eq!((text.matches('g').count(), text.matches('w').count()), (1, 5));
    let wrong = Rules { cols: 4, ..rules };
    assert!(Leapfrog::new(&wrong).unwrap_err().to_string().starts_with("`pieces` has 6 pieces"));
}

#[test]
fn each_seat_removes_one_piece_first_and_it_counts() {
    let rules = preset("murray-mini-4x4");
    let game = game(&rules);
    let mut state = game.deal(&mut Seed::new(0).stream());
    let worth = i32::from(state.board.worth("b2".parse().unwrap()));
    assert_eq!(legal(&game, &state).len(), 16);
    play(&game, &mut state, "xb2");
    assert_eq!(game.turn(&state), Turn::Seat(Seat(1)));
    assert_eq!(game.scores(&state).0[..], [worth, 0]);
    assert_eq!(legal(&game, &state).len(), 15);
    play(&game, &mut state, "xd4");
    assert_eq!((game.turn(&state), state.phase), (Turn::Seat(Seat(0)), Phase::Leap));
}

#[test]
fn seats_keep_their_order() {
    let game = game(&preset("mini-4x4"));
    let mut state = game.deal(&mut Seed::new(0).stream());
    play(&game, &mut state, "xb2 xd4 b4-b2");
    assert_eq!(game.turn(&state), Turn::Seat(Seat(1)));
}

#[test]
fn first_to_leap_may_be_any_seat() {
    for (seats, first) in [(3, 2), (4, 1), (4, 3)] {
        let rules = Rules { seats, first_to_leap: FirstToLeap::Seat(first), ..preset("mini-6x6") };
        let game = game(&rules);
        let mut state = game.deal(&mut Seed::new(0).stream());
        let firsts = ["xb2", "xd4", "xf6", "xa6"];
        play(&game, &mut state, &firsts[..seats.into()].join(" "));
        assert_eq!(game.turn(&state), Turn::Seat(Seat(first)));
        play(&game, &mut state, "b4-b2");
        assert_eq!(game.turn(&state), Turn::Seat(Seat((first + 1) % seats)), "then in order");
    }
    let game = game(&Rules { first_to_leap: FirstToLeap::Seat(1), ..preset("mini-4x4") });
    let mut state = game.deal(&mut Seed::new(0).stream());
    play(&game, &mut state, "xb2 xd4");
    assert_eq!(game.turn(&state), Turn::Seat(Seat(1)));
    play(&game, &mut state, "b4-b2");
    assert_eq!(game.turn(&state), Turn::Seat(Seat(0)));
}

#[test]
fn first_to_leap_by_lot_is_drawn_after_the_removal() {
    for seats in 2..=4 {
        let rules = Rules { seats, first_to_leap: FirstToLeap::Lot, ..preset("mini-6x6") };
        let game = game(&rules);
        let last = usize::from(seats) - 1;
        // Drawn seats by last removal: uniform, whatever was removed.
        let mut drawn = [[0u32; 4]; 2];
        for deal in 0..2000 {
            let mut views = Vec::new();
            for (removal, drawn) in ["xf6", "xc4"].into_iter().zip(&mut drawn) {
                let mut chance = Seed::new(deal).stream();
                let mut state = game.deal(&mut chance);
                for mv in ["xb2", "xd4", "xa6"][..last].iter().chain([&removal]) {
                    assert_eq!(state.phase, Phase::Remove);
                    views.push(game.view(&state, Seat(0)));
                    game.try_apply(&mut state, mv.parse().unwrap(), &mut chance).unwrap();
                }
                assert_eq!(state.phase, Phase::Leap);
                assert_eq!(game.turn(&state), Turn::Seat(state.seat));
                drawn[state.seat.index()] += 1;
            }
            // All hands look alike before the draw.
            let mut other = game.deal(&mut Seed::new(deal + 7777).stream());
            assert_eq!(views[0], game.view(&other, Seat(0)));
            play(&game, &mut other, &["xb2", "xd4", "xa6"][..last].join(" "));
            assert_eq!(views[last], game.view(&other, Seat(0)));
        }
        assert_eq!(drawn[0], drawn[1], "the removal does not matter");
        let fair = 2000 / u32::from(seats);
        for count in &drawn[0][..usize::from(seats)] {
            assert!(count.abs_diff(fair) < 100, "{drawn:?}");
        }
    }
}

#[test]
fn the_last_to_remove_chooses_who_leaps_first() {
    for seats in 2..=4 {
        let rules = Rules { seats, first_to_leap: FirstToLeap::LastChooses, ..preset("mini-6x6") };
        let game = game(&rules);
        for first in 0..seats {
            let mut state = game.deal(&mut Seed::new(0).stream());
            play(&game, &mut state, &["xb2", "xd4", "xf6", "xa6"][..seats.into()].join(" "));
            assert_eq!(game.turn(&state), Turn::Seat(Seat(seats - 1)), "it chooses");
            assert_eq!(
                legal(&game, &state),
                ["first 0", "first 1", "first 2", "first 3"][..seats.into()]
            );
            let mv = format!("first {first}").parse().unwrap();
            assert_eq!(game.try_apply(&mut state, mv, &mut Seed::new(0).stream()), Ok(()));
            assert_eq!((game.turn(&state), state.phase), (Turn::Seat(Seat(first)), Phase::Leap));
            play(&game, &mut state, "b4-b2");
            assert_eq!(game.turn(&state), Turn::Seat(Seat((first + 1) % seats)), "then in order");
        }
    }
    // The only remover chooses.
    let froglet = Rules { first_to_leap: FirstToLeap::LastChooses, ..preset("froglet") };
    let game = game(&froglet);
    let mut state = game.deal(&mut Seed::new(4).stream());
    let first = legal(&game, &state)[0].clone();
    play(&game, &mut state, &first);
    assert_eq!((game.turn(&state), state.phase), (Turn::Seat(Seat(0)), Phase::Choose));
}

#[test]
fn all_pieces_belong_to_everyone() {
    let rules = preset("mini-5x5");
    let board = "oo..o/.o.oo/o.oo./oo.oo/.oo.o";
    let of = |seat| {
        let board = Board::read(board, &rules).unwrap();
        legal(&game(&rules), &State::midway(&rules, board, Seat(seat)))
    };
    assert!(!of(0).is_empty());
    assert_eq!(of(0), of(1), "any seat may leap with any piece");
}

#[test]
fn chains_are_optional_and_leaps_orthogonal_by_default() {
    for preset in Leapfrog::presets() {
        assert_eq!(preset.rules.chains, Chains::Optional, "{}", preset.name);
        assert!(!preset.rules.diagonal, "{}", preset.name);
    }
}

#[test]
fn two_to_four_seats_take_turns() {
    for seats in 2..=4 {
        let game = game(&Rules { seats, ..preset("mini-6x6") });
        let mut state = game.deal(&mut Seed::new(0).stream());
        play(
            &game,
            &mut state,
            ["xc3 xa1", "xc3 xa1 xf6", "xc3 xa1 xf6 xa6"][usize::from(seats) - 2],
        );
        assert_eq!(game.turn(&state), Turn::Seat(Seat(0)));
        play(&game, &mut state, "c5-c3");
        assert_eq!(game.turn(&state), Turn::Seat(Seat(1)));
        assert_eq!(game.scores(&state).0.len(), usize::from(seats));
    }
    assert!(Leapfrog::new(&Rules { seats: 1, ..preset("mini-6x6") }).is_err());
    assert!(Leapfrog::new(&Rules { seats: 5, ..preset("mini-6x6") }).is_err());
}

#[test]
fn a_piece_leaps_orthogonally_over_a_neighbour_to_the_empty_cell_beyond() {
    let rules = preset("mini-3x3");
    assert_eq!(chains(&rules, "oo./.../..."), ["a1-c1 1"]);
    assert_eq!(chains(&rules, "o../o../..."), ["a1-a3 1"]);
    assert_eq!(chains(&rules, "o../.o./..."), [""; 0], "no diagonal leap");
    assert_eq!(chains(&rules, "o.o/.../..."), [""; 0], "no leap over an empty cell");
    assert_eq!(chains(&rules, "ooo/.../..."), [""; 0], "no leap on to a piece");
}

#[test]
fn diagonal_leaps_are_a_switch() {
    let rules = Rules { diagonal: true, ..preset("mini-3x3") };
    assert_eq!(chains(&rules, "o../.o./..."), ["a1-c3 1"]);
}

#[test]
fn a_chain_may_turn_and_stop_after_any_leap() {
    let rules = preset("murray-mini-3x5");
    assert_eq!(chains(&rules, "wy.r./..g../....."), ["a1-c1 2", "a1-c1-e1 5", "a1-c1-c3 6"]);
    let game = game(&rules);
    let mut state = midway(&rules, "wy.r./..g../.....");
    play(&game, &mut state, "a1-c1");
    assert_eq!(legal(&game, &state), ["c1-e1", "c1-c3", "stop"]);
    play(&game, &mut state, "stop");
    assert_eq!(game.turn(&state), Turn::Seat(Seat(1)));
}

#[test]
fn at_least_one_capture_a_turn() {
    let rules = preset("mini-3x3");
    let moves = legal(&game(&rules), &midway(&rules, "oo./.../..."));
    assert_eq!(moves, ["a1-c1"], "no stop before the first leap");
}

#[test]
fn a_piece_may_leap_back_to_where_it_started_but_takes_no_piece_twice() {
    let rules = preset("mini-3x3");
    let all = chains(&rules, "oo./o.o/.o.");
    assert!(
        all.iter().any(|chain| chain.starts_with("a1-") && chain.ends_with("-a1 4")),
        "{all:?}"
    );
    assert!(all.iter().all(|chain| chain.matches('-').count() <= 4));
}

#[test]
fn chains_single_forbids_chains() {
    let rules = Rules { chains: Chains::Single, ..preset("murray-mini-3x5") };
    assert_eq!(chains(&rules, "wy.r./..g../....."), ["a1-c1 2"]);
    let mut state = midway(&rules, "wy.r./..g../.....");
    play(&game(&rules), &mut state, "a1-c1");
    assert_eq!(state.seat, Seat(1));
}

#[test]
fn chains_with_the_same_ends_and_captures_are_one_move() {
    // Both ways round a ring are one chain.
    let all = chains(&preset("mini-3x3"), "oo./o.o/.o.");
    assert_eq!(all.iter().filter(|c| c.starts_with("a1-") && c.ends_with("-a1 4")).count(), 1);
    // A piece can be captured along either diagonal; only the ends and captures count.
    let rules = Rules { diagonal: true, ..preset("mini-3x3") };
    let all = chains(&rules, "oo./ooo/.o.");
    let mut unlike = all.clone();
    unlike.sort();
    unlike.dedup();
    assert_eq!(unlike.len(), all.len());
}

#[test]
fn the_hand_ends_when_the_seat_to_move_has_no_capture() {
    let rules = preset("mini-1x5");
    let game = game(&rules);
    let mut state = game.deal(&mut Seed::new(0).stream());
    play(&game, &mut state, "xc1 xa1");
    assert_eq!(game.turn(&state), Turn::Seat(Seat(0)));
    play(&game, &mut state, "e1-c1 c1-a1");
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(game.scores(&state).0[..], [3, 1]);
    assert_eq!(game.scores(&state).winner(), Some(Seat(0)));
}

#[test]
fn a_board_too_small_for_all_first_captures_ends_there() {
    let game = game(&preset("mini-1x1"));
    let mut state = game.deal(&mut Seed::new(0).stream());
    play(&game, &mut state, "xa1");
    assert_eq!(game.turn(&state), Turn::Over);
}

#[test]
fn most_points_win_and_equal_top_scores_are_a_draw() {
    let game = game(&preset("mini-1x4"));
    let mut state = game.deal(&mut Seed::new(0).stream());
    play(&game, &mut state, "xa1 xb1");
    assert_eq!(game.turn(&state), Turn::Seat(Seat(0)));
    play(&game, &mut state, "d1-b1");
    assert_eq!(game.scores(&state).0[..], [2, 1]);
    let mut state = game.deal(&mut Seed::new(0).stream());
    play(&game, &mut state, "xa1 xd1");
    // b1 and c1 leap over one another.
    play(&game, &mut state, "b1-d1");
    assert_eq!(game.turn(&state), Turn::Over);
    assert_eq!(game.scores(&state).winner(), Some(Seat(0)));
    let game = self::game(&preset("mini-1x2"));
    let mut state = game.deal(&mut Seed::new(0).stream());
    play(&game, &mut state, "xa1 xb1");
    assert_eq!((game.turn(&state), game.scores(&state).winner()), (Turn::Over, None));
}

#[test]
fn froglet_takes_one_piece_of_the_lowest_value_first() {
    let rules = preset("froglet");
    assert_eq!(rules.first_captures, FirstCaptures::FirstSeatLowest);
    let game = game(&rules);
    let mut state = game.deal(&mut Seed::new(4).stream());
    let text = state.board.text(&rules);
    let count = |letter| text.matches(letter).count();
    assert_eq!([count('w'), count('y'), count('r'), count('g')], [66, 51, 21, 6]);
    let moves = legal(&game, &state);
    assert_eq!(moves.len(), 66);
    play(&game, &mut state, &moves[0]);
    assert_eq!(game.scores(&state).0[..], [1, 0]);
    assert_eq!((game.turn(&state), state.phase), (Turn::Seat(Seat(1)), Phase::Leap));
}

#[test]
fn original_18_and_murray_18_have_18_rows_and_columns() {
    assert_eq!(preset("original-18"), Rules::plain(18, 18));
    assert_eq!(preset("murray-18"), Rules::murray(18, 18));
    assert_eq!(preset("murray-18").total_points(), 4 * 32 + 3 * 65 + 2 * 97 + 130);
}

#[test]
fn samples_are_uniform_over_the_moves() {
    let rules = Rules { diagonal: true, ..preset("mini-5x5") };
    let game = game(&rules);
    let state = midway(&rules, "oo.oo/o.oo./.oo.o/oo.oo/..oo.");
    let moves = legal(&game, &state);
    let mut counts = vec![0u32; moves.len()];
    let mut chance = Seed::new(1).stream();
    for _ in 0..1000 * moves.len() {
        let mv = game.sample(&state, &mut chance).to_string();
        counts[moves.iter().position(|m| *m == mv).unwrap()] += 1;
    }
    assert!(counts.iter().all(|&c| (850..1150).contains(&c)), "{counts:?}");
}

#[test]
fn records_of_every_switch_pass_the_kit() {
    for name in ["original", "murray", "froglet", "mini-1x1", "murray-mini-7x4"] {
        for seats in 2..=4 {
            for (chains, diagonal) in
                [(Chains::Optional, false), (Chains::Single, false), (Chains::Optional, true)]
            {
                let rules = Rules { seats, chains, diagonal, ..preset(name) };
                kit::check_records(&game(&rules), "switched", 5);
                for first_to_leap in [FirstToLeap::Lot, FirstToLeap::LastChooses] {
                    let rules = Rules { first_to_leap, ..rules.clone() };
                    kit::check_records(&game(&rules), "switched", 5);
                }
            }
        }
    }
}
