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
    Bandit, CutOff, Decide, Expansion, MonteCarlo, Observers, Pimc, Playout, PolicyPlayout, Search,
    SearchParts, TreeOptions, TreeSearch,
};

/// A tree of at most 100,000 nodes, which no test fills but the one about memory.
fn parts<G: Game>(iterations: u64, playout: Arc<dyn Playout<G>>) -> SearchParts<G> {
    SearchParts { node_cap: 100_000, ..SearchParts::plain(iterations, playout) }
}

type Maker<G> = Box<dyn Fn(u64) -> Box<dyn Search<G>>>;

/// Every kind of search, with every rule, by name; each takes its iterations.
fn kinds<G: Game + 'static>(
    seats: usize,
    playout: fn() -> Arc<dyn Playout<G>>,
) -> Vec<(String, Maker<G>)> {
    let mut kinds: Vec<(String, Maker<G>)> = Vec::new();
    let observers =
        [Observers::Single, Observers::Multiple, Observers::Redeterminizing, Observers::Perfect];
    for observers in observers {
        let make = move |all| -> Box<dyn Search<G>> {
            Box::new(TreeSearch::new(seats, observers, parts(all, playout())))
        };
        kinds.push((format!("{observers:?}"), Box::new(make)));
    }
    let openings = [Expansion::Urgency(0.8), Expansion::Widening { base: 1.0, power: 0.5 }];
    for (bandit, expansion) in [Bandit::Ucb1Tuned, Bandit::Exp3].into_iter().zip(openings) {
        let make = move |all| -> Box<dyn Search<G>> {
            let mut parts = parts(all, playout());
            let (exploration, decide) = (0.4, Decide::Value);
            parts.tree = TreeOptions { bandit, expansion, exploration, decide, ..parts.tree };
            parts.cut_off = Some(CutOff { moves: 6, evaluator: None });
            Box::new(TreeSearch::new(seats, Observers::Single, parts).reuse(true))
        };
        kinds.push((format!("{bandit:?}"), Box::new(make)));
    }
    let paired = move |all| -> Box<dyn Search<G>> {
        let mut parts = parts(all, playout());
        parts.tree.opponents_use_playout_policy = true;
        parts.tree.depth = Some(1);
        Box::new(TreeSearch::new(seats, Observers::Single, parts).paired(true))
    };
    kinds.push(("paired".to_owned(), Box::new(paired)));
    let pimc = move |all| -> Box<dyn Search<G>> { Box::new(Pimc::new(parts(all, playout()), 25)) };
    kinds.push(("pimc".to_owned(), Box::new(pimc)));
    let flat =
        move |all| -> Box<dyn Search<G>> { Box::new(MonteCarlo::new(parts(all, playout()))) };
    kinds.push(("monte-carlo".to_owned(), Box::new(flat)));
    kinds
}

/// The kinds for Leopard, with greedy playouts.
fn leopard_kinds() -> Vec<(String, Maker<Leopard>)> {
    kinds(2, || Arc::new(PolicyPlayout::new(Greedy, 0.05)))
}

/// The kinds for any game, with random playouts.
fn random_kinds<G: Game + 'static>(seats: usize) -> Vec<(String, Maker<G>)> {
    kinds(seats, || Arc::new(PolicyPlayout::random()))
}
