//! The searches: no peeking, the same answer every time, convergence to the exact value, a memory
//! that stays within its cap.

mod endgames;
mod exact;
mod imagined;
mod same_answer;
mod tic_tac_toe;
mod toy_leopard;

use std::sync::Arc;

use parlour::game::Game;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::bots::Greedy;
use parlour::search::{
    Bandit, CutOff, Decide, Expansion, Method, Observers, Playout, PolicyPlayout, Search,
    SearchParts, TreeOptions,
};

/// Parts with at most 100,000 nodes, which no test fills but the one about memory.
fn parts<G: Game>(
    method: impl Into<Method>,
    iterations: u64,
    playout: Arc<dyn Playout<G>>,
) -> SearchParts<G> {
    SearchParts { node_cap: Some(100_000), ..SearchParts::plain(method, iterations, playout) }
}

const PAIRED: Method = Method::Tree { observers: Observers::Single, reuse: false, paired: true };

type Maker<G> = Box<dyn Fn(u64) -> Search<G>>;

/// Every kind of search, with every rule, by name; each takes its iterations.
fn kinds<G: Game + 'static>(playout: fn() -> Arc<dyn Playout<G>>) -> Vec<(String, Maker<G>)> {
    let mut kinds: Vec<(String, Maker<G>)> = Vec::new();
    let observers =
        [Observers::Single, Observers::Multiple, Observers::Redeterminizing, Observers::Perfect];
    for observers in observers {
        let make = move |all| Search::new(parts(observers, all, playout()));
        kinds.push((format!("{observers:?}"), Box::new(make)));
    }
    let openings = [Expansion::Urgency(0.8), Expansion::Widening { base: 1.0, power: 0.5 }];
    for (bandit, expansion) in [Bandit::Ucb1Tuned, Bandit::Exp3].into_iter().zip(openings) {
        let method = Method::Tree { observers: Observers::Single, reuse: true, paired: false };
        let make = move |all| {
            let mut parts = parts(method, all, playout());
            let (exploration, decide) = (0.4, Decide::Value);
            parts.tree = TreeOptions { bandit, expansion, exploration, decide, ..parts.tree };
            parts.cut_off = Some(CutOff { moves: 6, evaluator: None });
            Search::new(parts)
        };
        kinds.push((format!("{bandit:?}"), Box::new(make)));
    }
    let paired = move |all| {
        let mut parts = parts(PAIRED, all, playout());
        parts.tree.opponents_use_playout_policy = true;
        parts.tree.depth = Some(1);
        Search::new(parts)
    };
    kinds.push(("paired".to_owned(), Box::new(paired)));
    for (name, method) in
        [("pimc", Method::Pimc { world_iterations: 25 }), ("monte-carlo", Method::MonteCarlo)]
    {
        let make = move |all| Search::new(parts(method, all, playout()));
        kinds.push((name.to_owned(), Box::new(make)));
    }
    kinds
}

/// The kinds for Leopard, with greedy playouts.
fn leopard_kinds() -> Vec<(String, Maker<Leopard>)> {
    kinds(|| Arc::new(PolicyPlayout::new(Greedy, 0.05)))
}

/// The kinds for any game, with random playouts.
fn random_kinds<G: Game + 'static>() -> Vec<(String, Maker<G>)> {
    kinds(|| Arc::new(PolicyPlayout::random()))
}
