//! Several searches of one position.

use rayon::prelude::*;

use super::{Decide, Findings, Thinker};
use crate::chance::{Seed, Stream};
use crate::game::{Game, Sight};

/// Searches a position with a fixed number of workers, each with its own thinker and its own
/// stream, and adds what they found in their order (root parallelism: Chaslot, Winands and van den
/// Herik 2008). So the answer depends on the number of workers and not on that of threads.
pub fn think_together<G: Game>(
    game: &G,
    sight: Sight<'_, G>,
    workers: u64,
    decide: Option<Decide>,
    seed: Seed,
    make: impl Fn() -> Box<dyn Thinker<G>> + Sync,
) -> Findings<G::Move> {
    let views: Vec<(u64, G::View)> =
        (0..workers.max(1)).map(|worker| (worker, sight.view.clone())).collect();
    let past = sight.past;
    let found: Vec<Findings<G::Move>> = views
        .into_par_iter()
        .map(|(worker, view)| {
            let mut chance: Stream = seed.child(worker).stream();
            make().think(game, Sight { view: &view, past }, &mut chance)
        })
        .collect();
    let mut all = Findings::default();
    for findings in &found {
        all.merge(findings);
    }
    match decide {
        Some(decide) => all.rank(decide),
        None => all.rank_by_votes(),
    }
    all
}
