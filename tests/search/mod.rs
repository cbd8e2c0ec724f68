//! The searches: no peeking, the same answer every time, convergence to the exact value, a memory
//! that stays within its cap.

mod exact;
mod same_answer;
mod tic_tac_toe;

use std::sync::Arc;

use parlour::game::Game;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::bots::Greedy;
use parlour::search::{
    Budget, CutOff, Decide, MonteCarlo, MonteCarloParts, Observers, Opening, Pimc, PimcParts,
    PolicyRollout, RandomRollout, Reward, Rollout, Rule, Thinker, TreeOptions, TreeSearch,
    TreeSearchParts,
};

const REWARD: Reward = Reward { win: 0.5, scale: 5.0 };

const TREE: TreeOptions = TreeOptions {
    rule: Rule::Ucb1,
    exploration: 0.7,
    opening: Opening::All,
    suggested_first: true,
    others_follow: false,
    join_equal: true,
    depth: u32::MAX,
    node_cap: 100_000,
};

fn parts<G: Game>(
    observers: Observers,
    iterations: u64,
    rollout: Arc<dyn Rollout<G>>,
) -> TreeSearchParts<G> {
    TreeSearchParts {
        observers,
        tree: TREE,
        reward: REWARD,
        ..TreeSearchParts::plain(iterations, rollout)
    }
}

type Maker<G> = Box<dyn Fn(u64) -> Box<dyn Thinker<G>>>;

/// Every kind of search, with every rule, by name; each takes its iterations.
fn kinds<G: Game + 'static>(
    seats: usize,
    rollout: fn() -> Arc<dyn Rollout<G>>,
) -> Vec<(String, Maker<G>)> {
    let mut kinds: Vec<(String, Maker<G>)> = Vec::new();
    let observers =
        [Observers::Single, Observers::Multiple, Observers::Redeterminizing, Observers::Perfect];
    for observers in observers {
        let make = move |all| -> Box<dyn Thinker<G>> {
            Box::new(TreeSearch::new(seats, parts(observers, all, rollout())))
        };
        kinds.push((format!("{observers:?}"), Box::new(make)));
    }
    let openings = [Opening::Urgency(0.8), Opening::Widening { base: 1.0, power: 0.5 }];
    for (rule, opening) in [Rule::Ucb1Tuned, Rule::Exp3].into_iter().zip(openings) {
        let make = move |all| -> Box<dyn Thinker<G>> {
            let mut parts = parts(Observers::Single, all, rollout());
            parts.tree = TreeOptions { rule, opening, exploration: 0.4, ..TREE };
            parts.cut_off = Some(CutOff { moves: 6, judge: None });
            parts.decide = Decide::Value;
            parts.reuse = true;
            Box::new(TreeSearch::new(seats, parts))
        };
        kinds.push((format!("{rule:?}"), Box::new(make)));
    }
    let paired = move |all| -> Box<dyn Thinker<G>> {
        let mut parts = parts(Observers::Single, all, rollout());
        parts.tree.others_follow = true;
        parts.paired = true;
        parts.tree.depth = 1;
        Box::new(TreeSearch::new(seats, parts))
    };
    kinds.push(("paired".to_owned(), Box::new(paired)));
    let pimc = move |all| -> Box<dyn Thinker<G>> {
        Box::new(Pimc::new(PimcParts {
            budget: Budget::Iterations(all),
            world_iterations: 25,
            tree: TREE,
            reward: REWARD,
            cut_off: None,
            rollout: rollout(),
            model: None,
            decide: Decide::Visits,
        }))
    };
    kinds.push(("pimc".to_owned(), Box::new(pimc)));
    let flat = move |all| -> Box<dyn Thinker<G>> {
        Box::new(MonteCarlo::new(MonteCarloParts {
            budget: Budget::Iterations(all),
            reward: REWARD,
            cut_off: None,
            rollout: rollout(),
            model: None,
            guide: None,
            join_equal: true,
        }))
    };
    kinds.push(("monte-carlo".to_owned(), Box::new(flat)));
    kinds
}

/// The kinds for Leopard, with greedy playouts.
fn leopard_kinds() -> Vec<(String, Maker<Leopard>)> {
    kinds(2, || Arc::new(PolicyRollout::new(Greedy, 0.05)))
}

/// The kinds for any game, with random playouts.
fn random_kinds<G: Game + 'static>(seats: usize) -> Vec<(String, Maker<G>)> {
    kinds(seats, || Arc::new(RandomRollout))
}
