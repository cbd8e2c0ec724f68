//! The endgame solver.

use parlour::Ruled;
use parlour::game::SearchAid;
use parlour::games::leopard::Leopard;
use parlour::search::Reward;
use parlour::search::endgame::{EndgameOptions, solve};
use parlour::{Game, Seat, Seed, Turn};

/// The same without cuts, in the order of moves.
fn plainly<G: Game>(game: &G, reward: Reward, state: &G::State, seat: Seat) -> f32 {
    let Turn::Seat(mover) = game.turn(state) else {
        return reward.at(game, state)[seat.index()];
    };
    let mut moves = Vec::new();
    game.legal_moves(state, &mut moves);
    let values = moves.iter().map(|&mv| {
        let mut next = state.clone();
        game.apply(&mut next, mv, &mut Seed::new(0).stream());
        plainly(game, reward, &next, seat)
    });
    match mover == seat {
        true => values.fold(f32::NEG_INFINITY, f32::max),
        false => values.fold(f32::INFINITY, f32::min),
    }
}

#[test]
fn an_ending_is_worth_what_a_search_without_cuts_says() {
    let (mut solved, mut values) = (0, Vec::new());
    for preset in Leopard::presets() {
        let game = Leopard::new(&preset.rules).unwrap();
        for seed in 0..40 {
            let mut chance = Seed::new(seed).stream();
            let mut state = game.deal(&mut chance);
            while let Turn::Seat(seat) = game.turn(&state) {
                let view = game.view(&state, seat);
                if game.is_deterministic(&view) && view.held.iter().sum::<u8>() <= 4 {
                    let reward = Reward { win: [1.0, 0.5][seed as usize % 2], scale: 5.0 };
                    let options = EndgameOptions { positions: 1_000_000 };
                    let found = solve(&game, &view, options, reward).unwrap();
                    let value = found.moves[0].value() as f32;
                    let plain = plainly(&game, reward, &state, seat);
                    assert!((value - plain).abs() < 1e-6, "{value} {plain} {view:?}");
                    let mut next = state;
                    game.apply(&mut next, found.moves[0].mv, &mut chance);
                    assert!((plainly(&game, reward, &next, seat) - plain).abs() < 1e-6);
                    values.push(value);
                    solved += 1;
                }
                // Knocks end a hand too early for the stock to run out.
                let mut moves = Vec::new();
                game.legal_moves(&state, &mut moves);
                let at = chance.below(moves.len() as u32) as usize;
                let mv = if game.notation(moves[at]) == "knock" { moves[0] } else { moves[at] };
                game.apply(&mut state, mv, &mut chance);
            }
        }
    }
    assert!(solved > 300, "{solved}");
    assert!(values.contains(&1.0) && values.contains(&0.0));
}

#[test]
fn what_is_too_long_or_not_known_is_left_to_playouts() {
    let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
    let mut chance = Seed::new(1).stream();
    let mut state = game.deal(&mut chance);
    let view = game.view(&state, Seat(0));
    let options = EndgameOptions { positions: 1_000_000 };
    assert_eq!(solve(&game, &view, options, Reward::default()), None);
    while let Turn::Seat(seat) = game.turn(&state) {
        let view = game.view(&state, seat);
        if game.is_deterministic(&view) && view.hand.len() > 2 {
            let options = EndgameOptions { positions: 5 };
            assert_eq!(solve(&game, &view, options, Reward::default()), None);
            return;
        }
        let mut moves = Vec::new();
        game.legal_moves(&state, &mut moves);
        game.apply(&mut state, moves[0], &mut chance);
    }
    panic!("the stock never ran out");
}
