//! The same position, parameters and stream give the same answer; nothing hidden reaches it.

use std::sync::Arc;

use parlour::chance::Seed;
use parlour::game::{Bot, Game, Observation, Policy, Ruled, Seat, Turn, kit};
use parlour::games::leopard::bots::{Greedy, Steady, Weights};
use parlour::games::leopard::{Leopard, Rules};
use parlour::search::{
    Budget, Decide, Guide, GuideOptions, Model, ModelOptions, Observers, PolicyPlayout, Search,
    SearchParts, UniformDeterminizer,
};

use super::{PAIRED, leopard_kinds, parts};

fn game(variant: &str) -> Leopard {
    Leopard::new(&Leopard::preset(variant).unwrap()).unwrap()
}

#[test]
fn nobody_peeks() {
    for variant in ["revised", "running-original"] {
        for (_, make) in leopard_kinds() {
            kit::check_invariance(&game(variant), 2, || Box::new(make(40)));
        }
    }
}

/// A search that guesses what the other holds, with a guide.
fn guessing(budget: Budget) -> Search<Leopard> {
    Search::new(guessing_parts(budget))
}

fn guessing_parts(budget: Budget) -> SearchParts<Leopard> {
    let steady =
        || -> Arc<dyn Policy<Leopard>> { Arc::new(Steady::new(Weights::default()).unwrap()) };
    let mut parts = parts(PAIRED, 1, Arc::new(PolicyPlayout::new(Greedy, 0.0)));
    parts.budget = budget;
    let by = "steady".to_owned();
    let model = ModelOptions { by: by.clone(), error: 0.3, moves: 3, worlds: 20 };
    let guide = GuideOptions { by, visits: 20.0, reward: 0.03, keep: Some(12) };
    parts.model = Some(Model { policy: steady(), options: model });
    parts.guide = Some(Guide { policy: steady(), options: guide });
    parts
}

#[test]
fn a_model_of_the_other_does_not_peek() {
    for variant in ["revised", "running-original"] {
        kit::check_invariance(&game(variant), 2, || Box::new(guessing(Budget::iterations(40))));
    }
}

#[test]
fn moves_that_are_behind_are_dropped_the_same_way_each_time() {
    let game = game("revised");
    let (mut saved, mut looked) = (0, 0);
    for deal in 0..20 {
        let mut chance = Seed::new(deal).stream();
        let mut state = game.deal(&mut chance);
        for _ in 0..deal {
            let mv = game.sample(&state, &mut chance);
            game.apply(&mut state, mv, &mut chance);
        }
        let Turn::Seat(seat) = game.turn(&state) else { continue };
        let view = game.view(&state, seat);
        let observation = Observation { view: &view, past: &[] };
        let budget = Budget { prune_after_se: Some(1.5), ..Budget::iterations(600) };
        let stream = Seed::new(99).stream();
        let mut search = guessing(budget);
        let found = search.analyze(&game, observation, &mut stream.clone());
        search.start(seat);
        assert_eq!(found, search.analyze(&game, observation, &mut stream.clone()));
        let visits: u64 = found.moves.iter().map(|finding| finding.visits).sum();
        assert!(found.iterations <= 600 && visits <= found.iterations);
        saved += u64::from(found.iterations < 600);
        looked += 1;
    }
    assert!(saved > looked / 2, "{saved} of {looked} searches ended early");
}

/// Positions of random hands, later and later.
fn each_position(game: &Leopard, deals: u64, mut look: impl FnMut(Observation<'_, Leopard>, Seat)) {
    for deal in 0..deals {
        let mut chance = Seed::new(deal).stream();
        let mut state = game.deal(&mut chance);
        for _ in 0..3 * deal {
            let mut legal = Vec::new();
            game.legal_moves(&state, &mut legal);
            let mv = game.sample(&state, &mut chance);
            let mv = if game.notation(mv) == "knock" { legal[0] } else { mv };
            game.apply(&mut state, mv, &mut chance);
            if game.turn(&state) == Turn::Over {
                return;
            }
        }
        let Turn::Seat(seat) = game.turn(&state) else { return };
        look(Observation { view: &game.view(&state, seat), past: &[] }, seat);
    }
}

#[test]
fn a_search_that_ends_when_it_is_settled_makes_the_same_move() {
    let game = game("revised");
    for (decide, keep, least) in
        [(Decide::Visits, Some(12), 5), (Decide::Value, Some(3), 1), (Decide::Visits, None, 3)]
    {
        let (mut saved, mut looked) = (0, 0);
        each_position(&game, 30, |observation, _| {
            let search = || {
                let mut parts = guessing_parts(Budget::iterations(400));
                parts.tree.decide = decide;
                parts.guide = parts.guide.map(|guide| Guide {
                    options: GuideOptions { keep, ..guide.options },
                    policy: guide.policy,
                });
                Search::new(parts)
            };
            let (mut whole, mut short) = (Seed::new(7).stream(), Seed::new(7).stream());
            let all = search().analyze(&game, observation, &mut whole);
            let some = search().decide(&game, observation, &UniformDeterminizer, &mut short);
            assert_eq!(some.best(), all.best(), "{decide:?} {:?}", observation.view);
            assert_eq!(whole.bits(), short.bits(), "what comes after is the same");
            saved += u64::from(some.iterations < all.iterations);
            looked += 1;
        });
        assert!(looked > 20 && saved >= least, "{saved} of {looked} searches ended early");
    }
}

#[test]
fn searching_twice_finds_the_same() {
    let game = game("revised");
    let mut chance = Seed::new(8).stream();
    let mut state = game.deal(&mut chance);
    for _ in 0..12 {
        let mv = game.sample(&state, &mut chance);
        game.apply(&mut state, mv, &mut chance);
    }
    let Turn::Seat(seat) = game.turn(&state) else { panic!("the hand goes on") };
    let view = game.view(&state, seat);
    let other = game.view(&game.deal(&mut chance), Seat(0));
    for (name, make) in leopard_kinds() {
        // A thinker that has searched other things, with other budgets.
        for budget in (0..20).map(|n| 1 + n * n) {
            let observation = Observation { view: &view, past: &[] };
            let stream = Seed::new(budget).stream();
            let fresh = make(budget).analyze(&game, observation, &mut stream.clone());
            let mut used = make(budget);
            used.analyze(&game, Observation { view: &other, past: &[] }, &mut stream.clone());
            used.start(seat);
            let again = used.analyze(&game, observation, &mut stream.clone());
            assert_eq!(fresh, again, "{name}, {budget} iterations");
            assert_eq!(fresh.iterations, budget, "{name}");
            let visits: u64 = fresh.moves.iter().map(|finding| finding.visits).sum();
            assert!(visits <= budget, "{name}: {visits} visits of {budget}");
        }
    }
}

#[test]
fn the_memory_cap_holds() {
    let game = Leopard::new(&Rules::REVISED).unwrap();
    let state = game.deal(&mut Seed::new(2).stream());
    let view = game.view(&state, Seat(0));
    let observation = Observation { view: &view, past: &[] };
    for (observers, trees) in [(Observers::Single, 1), (Observers::Redeterminizing, 2)] {
        for cap in [2, 10, 70, 200] {
            let playout = Arc::new(PolicyPlayout::new(Greedy, 0.0));
            let mut parts = parts(observers, 2000, playout);
            parts.node_cap = Some(cap);
            let mut stream = Seed::new(3).stream();
            let found = Search::new(parts).analyze(&game, observation, &mut stream);
            assert!(found.nodes <= cap.max(trees), "{} nodes of {cap}", found.nodes);
            assert_eq!(found.iterations, 2000, "it goes on sampling");
        }
    }
}
