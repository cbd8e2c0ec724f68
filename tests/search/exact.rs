//! The end of a hand of Leopard, when the stock is empty: what the other holds is known, nothing
//! is drawn, and the exact value can be computed.

use std::sync::Arc;

use parlour::chance::Seed;
use parlour::game::{Game, Observation, Ruled, SearchAid, Seat, Turn};
use parlour::games::leopard::bots::Greedy;
use parlour::games::leopard::{Leopard, Rules, State};
use parlour::search::{Observers, PolicyPlayout, Reward, Search};

use super::parts;

/// The reward of seat 0 under best play of both.
fn exact(game: &Leopard, state: &State) -> f64 {
    let Turn::Seat(seat) = game.turn(state) else {
        return f64::from(Reward::default().at(game, state)[0]);
    };
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    let values = legal.into_iter().map(|mv| {
        let mut next = *state;
        game.apply(&mut next, mv, &mut Seed::new(0).stream());
        exact(game, &next)
    });
    match seat.index() {
        0 => values.fold(0.0, f64::max),
        _ => values.fold(1.0, f64::min),
    }
}

/// Ends of random hands with this number of moves to come.
fn ends(game: &Leopard, count: usize, left: u32) -> Vec<State> {
    let mut found = Vec::new();
    for hand in 0.. {
        let mut chance = Seed::new(hand).stream();
        let mut state = game.deal(&mut chance);
        while game.turn(&state) != Turn::Over {
            let cards = state.hand(Seat(0)).len() + state.hand(Seat(1)).len();
            if state.stock().is_empty() && cards <= left {
                found.push(state);
                break;
            }
            let mv = game.sample(&state, &mut chance);
            game.apply(&mut state, mv, &mut chance);
        }
        if found.len() == count {
            break;
        }
    }
    found
}

fn no_knocks() -> Leopard {
    Leopard::new(&Rules { knock_at: 20, ..Rules::REVISED }).unwrap()
}

/// Returns `true` if the values of the moves differ.
fn is_open(game: &Leopard, state: &State) -> bool {
    let mut legal = Vec::new();
    game.legal_moves(state, &mut legal);
    let worth = |mv| {
        let mut next = *state;
        game.apply(&mut next, mv, &mut Seed::new(0).stream());
        exact(game, &next)
    };
    let values: Vec<f64> = legal.into_iter().map(worth).collect();
    let (low, high) =
        (values.iter().copied().fold(1.0, f64::min), values.iter().copied().fold(0.0, f64::max));
    high - low > 0.05
}

#[test]
fn the_search_comes_to_the_exact_value() {
    let game = no_knocks();
    let mut positions = ends(&game, 300, 6);
    positions.retain(|state| is_open(&game, state));
    positions.truncate(12);
    assert_eq!(positions.len(), 12);
    let mut errors = Vec::new();
    for budget in [20, 200, 2000, 20_000] {
        let mut sum = 0.0;
        for (number, state) in positions.iter().enumerate() {
            let Turn::Seat(seat) = game.turn(state) else { unreachable!("the hand goes on") };
            let right = match seat.index() {
                0 => exact(&game, state),
                _ => 1.0 - exact(&game, state),
            };
            let view = game.view(state, seat);
            let playout = Arc::new(PolicyPlayout::random());
            let mut search = Search::new(parts(Observers::Single, budget, playout));
            let observation = Observation { view: &view, past: &[] };
            let found = search.analyze(&game, observation, &mut Seed::new(number as u64).stream());
            sum += (found.moves[0].value() - right).abs();
        }
        errors.push(sum / positions.len() as f64);
    }
    assert!(errors[3] <= errors[1] && errors[2] <= errors[0], "{errors:?}");
    assert!(errors[3] < 0.03, "{errors:?}");
}

#[test]
fn moves_that_are_joined_are_worth_the_same() {
    let game = no_knocks();
    let (mut joined, mut seen) = (Vec::new(), 0);
    for state in ends(&game, 150, 5) {
        let mut legal = Vec::new();
        game.legal_moves(&state, &mut legal);
        joined.clone_from(&legal);
        game.dedup_moves(&state, &mut joined);
        let worth = |mv| {
            let mut next = state;
            game.apply(&mut next, mv, &mut Seed::new(0).stream());
            exact(&game, &next)
        };
        let kept: Vec<f64> = joined.iter().map(|&mv| worth(mv)).collect();
        for &mv in legal.iter().filter(|mv| !joined.contains(mv)) {
            seen += 1;
            assert!(kept.contains(&worth(mv)), "{mv:?} in {state:?}");
        }
    }
    assert!(seen > 20, "{seen}");
}

#[test]
fn guessing_the_other_keeps_its_moves_possible() {
    // A greedy playout is a playout too: the value stays a mean of rewards.
    let game = no_knocks();
    let state = ends(&game, 1, 4)[0];
    let Turn::Seat(seat) = game.turn(&state) else { unreachable!("the hand goes on") };
    let view = game.view(&state, seat);
    let playout = Arc::new(PolicyPlayout::new(Greedy, 0.0));
    let mut search = Search::new(parts(Observers::Multiple, 500, playout));
    let observation = Observation { view: &view, past: &[] };
    let found = search.analyze(&game, observation, &mut Seed::new(1).stream());
    assert!(found.moves.iter().all(|finding| (0.0..=1.0).contains(&finding.value())));
}
