//! Strategies of Leap Frog: legal, repeatable, and exact near the end.

use parlour::chance::{Seed, Stream};
use parlour::files::Library;
use parlour::game::{Bot, Game, Observation, Ruled, Scores, Seat, Turn, kit};
use parlour::games::leapfrog::bots::{Kind, LookaheadBot, LookaheadOptions};
use parlour::games::leapfrog::solve::{SolveOptions, solve};
use parlour::games::leapfrog::{Board, FirstToLeap, Leapfrog, Rules, State};
use parlour::search::Budget;
use parlour::strategy::{Spec, Strategic, Strategy};

fn game(name: &str) -> Leapfrog {
    Leapfrog::new(&Leapfrog::preset(name).unwrap()).unwrap()
}

fn specs() -> Vec<(String, Spec<Kind>)> {
    let library = Library::strategies("leapfrog");
    let load =
        |name: &String| (name.clone(), Strategy::<Leapfrog>::load(&library, name).unwrap().spec);
    library.names().iter().map(load).collect()
}

/// The strategy with a small budget.
fn small(spec: &Spec<Kind>) -> Spec<Kind> {
    let mut spec = spec.clone();
    match &mut spec.kind {
        Kind::Lookahead(horizon) => horizon.nodes = 500,
        Kind::Exact(exact) => (exact.cells, exact.pieces, exact.nodes) = (16, 8, 500),
        Kind::Mcts(options) => options.budget = Budget::iterations(30),
        _ => {}
    }
    spec
}

/// Plays a hand from a state. Every move must be legal.
fn play(
    game: &Leapfrog,
    mut state: State,
    bots: &mut [Box<dyn Bot<Leapfrog>>],
    chance: &mut Stream,
) -> Scores {
    let mut past = Vec::new();
    for (seat, bot) in bots.iter_mut().enumerate() {
        bot.start(Seat(seat as u8));
    }
    while let Turn::Seat(seat) = game.turn(&state) {
        let view = game.view(&state, seat);
        let observation = Observation { view: &view, past: &past };
        let mv = bots[seat.index()].choose(game, observation, chance).unwrap();
        let mut nothing = Seed::new(0).stream();
        assert_eq!(game.try_apply(&mut state, mv, &mut nothing), Ok(()), "{mv}");
        past.push((seat, mv));
    }
    game.scores(&state)
}

#[test]
fn every_strategy_plays_legal_moves_under_every_switch() {
    for (name, spec) in specs() {
        for variant in ["mini-1x1", "mini-4x4", "murray-mini-6x5"] {
            let base = Leapfrog::preset(variant).unwrap();
            for seats in 2..=4 {
                let firsts = [
                    (false, FirstToLeap::Seat(0)),
                    (false, FirstToLeap::Seat(1)),
                    (true, FirstToLeap::Seat(seats - 1)),
                    (false, FirstToLeap::Lot),
                    (false, FirstToLeap::LastChooses),
                ];
                for (diagonal, first_to_leap) in firsts {
                    let rules = Rules { seats, diagonal, first_to_leap, ..base.clone() };
                    let game = Leapfrog::new(&rules).unwrap();
                    for hand in 0..3 {
                        let mut chance = Seed::new(hand).stream();
                        let mut bots: Vec<_> =
                            (0..seats).map(|_| game.bot(&small(&spec))).collect();
                        let hand = |chance: &mut Stream, bots: &mut [_]| {
                            let state = game.deal(chance);
                            play(&game, state, bots, chance)
                        };
                        let mut again = chance.clone();
                        let scores = hand(&mut chance, &mut bots);
                        assert_eq!(hand(&mut again, &mut bots), scores, "{name} on {variant}");
                    }
                }
            }
        }
    }
}

#[test]
fn full_size_variants_are_played() {
    for variant in ["original", "murray-18", "froglet"] {
        let game = game(variant);
        for (_, spec) in specs() {
            let mut spec = small(&spec);
            match &mut spec.kind {
                Kind::Lookahead(horizon) => horizon.nodes = 50,
                Kind::Careful {} => continue,
                _ => {}
            }
            let mut bots = vec![game.bot(&spec), game.bot(&Kind::Greedy {}.into())];
            let mut chance = Seed::new(2).stream();
            let state = game.deal(&mut chance);
            play(&game, state, &mut bots, &mut chance);
        }
    }
}

#[test]
fn no_strategy_uses_hidden_state() {
    for (_, spec) in specs() {
        let game = game("murray-mini-5x5");
        kit::check_invariance(&game, 3, || game.bot(&small(&spec)));
    }
}

#[test]
fn greedy_takes_the_most_points() {
    let rules = Rules::murray(3, 5);
    let game = Leapfrog::new(&rules).unwrap();
    let state = State::midway(&rules, Board::read("wy.r./..g../.....", &rules).unwrap(), Seat(0));
    let view = game.view(&state, Seat(0));
    let mut chance = Seed::new(0).stream();
    let first = game.bot(&Kind::Greedy {}.into()).choose(
        &game,
        Observation { view: &view, past: &[] },
        &mut chance,
    );
    assert_eq!(first.unwrap().to_string(), "a1-c1");
}

/// The most points of a single turn.
fn most(game: &Leapfrog, state: &State) -> i32 {
    game.chains(state).map(|chain| chain.points()).max().unwrap_or(0)
}

#[test]
fn careful_maximizes_points_minus_the_best_reply() {
    let game = game("murray-mini-6x6");
    for hand in 0..50 {
        let mut chance = Seed::new(hand).stream();
        let mut state = game.deal(&mut chance);
        for _ in 0..10 {
            let mv = game.sample(&state, &mut chance);
            game.apply(&mut state, mv, &mut chance);
        }
        let state = State::midway(game.rules(), state.board, Seat(0));
        let worths = game.chains(&state).map(|chain| chain.points() - most(&game, &chain.after));
        let best = worths.max();
        let mut bot = game.bot(&Kind::Careful {}.into());
        let mut after = state;
        while game.turn(&after) == Turn::Seat(Seat(0)) {
            let view = game.view(&after, Seat(0));
            let mv = bot.choose(&game, Observation { view: &view, past: &[] }, &mut chance);
            let mv = mv.unwrap();
            game.apply(&mut after, mv, &mut chance);
        }
        assert_eq!(Some(i32::from(after.points[Seat(0).index()]) - most(&game, &after)), best);
    }
}

/// A search to the end of the hand finds the solver's value.
#[test]
fn small_endgames_are_played_exactly() {
    for variant in ["mini-4x4", "murray-mini-4x4", "mini-3x5", "murray-mini-3x4"] {
        let game = game(variant);
        let rules = game.rules();
        for hand in 0..20 {
            let mut chance = Seed::new(hand).stream();
            let mut state = game.deal(&mut chance);
            for _ in 0..5 {
                if game.turn(&state) != Turn::Over {
                    let mv = game.sample(&state, &mut chance);
                    game.apply(&mut state, mv, &mut chance);
                }
            }
            let board = state.board;
            let state = State::midway(rules, board, Seat(0));
            let best =
                solve(rules, Some(&board.text(rules)), &SolveOptions::default(), &mut |_| {})
                    .unwrap();
            let exact = || -> Box<dyn Bot<Leapfrog>> {
                Box::new(LookaheadBot::new(LookaheadOptions {
                    depth: 100,
                    nodes: u32::MAX,
                    tempo: 50,
                }))
            };
            let scores = play(&game, state, &mut [exact(), exact()], &mut chance);
            assert_eq!(scores.0[0] - scores.0[1], best.value, "{}", board.text(rules));
        }
    }
}

/// Two exact players reach the solver's value, whichever seat leaps first.
#[test]
fn exact_players_play_to_the_value() {
    let spec = Strategy::<Leapfrog>::load(&Library::strategies("leapfrog"), "exact").unwrap().spec;
    for base in [Rules::plain(1, 8), Rules::plain(4, 4), Rules::murray(3, 3), Rules::murray(3, 4)] {
        let firsts = [FirstToLeap::Seat(0), FirstToLeap::Seat(1), FirstToLeap::LastChooses];
        for first in firsts {
            let rules = Rules { first_to_leap: first, ..base.clone() };
            let game = Leapfrog::new(&rules).unwrap();
            for deal in 0..5 {
                let mut chance = Seed::new(deal).stream();
                let state = game.deal(&mut chance);
                let board = state.board.text(&rules);
                let value =
                    solve(&rules, Some(&board), &SolveOptions::default(), &mut |_| {}).unwrap();
                let mut bots = [game.bot(&spec), game.bot(&spec)];
                let Scores(scores) = play(&game, state, &mut bots, &mut chance);
                assert_eq!(scores[0] - scores[1], value.value, "{board}, {first:?}");
            }
        }
    }
}
