//! Flat Monte Carlo: playouts after each candidate move, without a tree.

use super::Search;
use super::budget::Budget;
use super::determinization::Root;
use super::result::{MoveEstimate, Prior, SearchResult};
use crate::Game;
use parlour_base::chance::{Seed, Stream};

impl<G: Game> Search<G> {
    /// Searches by successive halving: all candidates are played out in the same worlds with the
    /// same random numbers.
    pub(super) fn halve(
        &mut self,
        root: &Root<'_, G>,
        chance: &mut Stream,
    ) -> SearchResult<G::Move> {
        let visits = self.prior_visits;
        let estimates = self.root_moves.iter().map(|candidate| MoveEstimate {
            prior: Prior { visits, total: visits * f64::from(candidate.prior) },
            ..MoveEstimate::fresh(candidate.mv)
        });
        let mut alive: Vec<_> = estimates.collect();
        let mut dropped = Vec::new();
        let budget = self.parts.budget;
        // A budget below one playout per candidate goes to a random subset.
        if let Some(all) = budget.iterations
            && all < alive.len() as u64
        {
            chance.shuffle(&mut alive);
            dropped = alive.split_off(all as usize);
        }
        let rounds = u64::from(alive.len().next_power_of_two().trailing_zeros().max(1));
        let (mut spent, mut worlds) = (0, 0);
        for left in (1..=rounds).rev() {
            let each = alive.len() as u64;
            // The remainder goes to the last rounds.
            let share = |all| if left == 1 { all } else { all / left / each * each };
            let share = Budget {
                iterations: budget.iterations.map(|all| share(all - spent)),
                milliseconds: budget.milliseconds.map(|all| all / rounds),
                ..budget
            };
            let mut clock = share.start();
            while clock.all != Some(clock.done) {
                let before = clock.done;
                let world = self.worlds.draw(root, chance);
                let start = Seed::new(chance.bits()).stream();
                for candidate in &mut alive {
                    if !clock.next() {
                        break;
                    }
                    let (mut state, mut chance) = (world.clone(), start.clone());
                    root.game.apply(&mut state, candidate.mv, &mut chance);
                    let rewards = self.parts.play_on(root.game, &mut state, &mut chance);
                    candidate.add(f64::from(rewards[root.seat.index()]));
                }
                worlds += 1;
                if clock.done - before < each {
                    break;
                }
            }
            spent += clock.done;
            alive.sort_by(|a, b| {
                b.value_with_prior().total_cmp(&a.value_with_prior()).then(a.mv.cmp(&b.mv))
            });
            if left > 1 && alive.len() > 1 {
                let half = alive.split_off(alive.len().div_ceil(2));
                dropped.splice(0..0, half);
            }
        }
        // Candidates that survived longest come first, ordered by value.
        alive.append(&mut dropped);
        // So far priors were relative to 0, which is the same for candidates with equal visits.
        let total: f64 = alive.iter().map(|candidate| candidate.total).sum();
        let usual = total / spent.max(1) as f64;
        for candidate in &mut alive {
            candidate.prior.total += candidate.prior.visits * usual;
        }
        SearchResult { moves: alive, iterations: spent, worlds, nodes: 0 }
    }
}
