//! Playouts of a Leopard variant, for counting instructions:
//! `valgrind --tool=callgrind target/release/examples/playouts revised 2000 [KIND]`.
//!
//! KIND is `random`, for bare random playouts from the deal (the default); `greedy` or `brisk`,
//! for those of a policy; or `ismcts`, for the iterations of a tree search of one opening with
//! random playouts.

use std::sync::Arc;

use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Policy, Ruled, Seat, Sight, Turn};
use parlour::games::leopard::Leopard;
use parlour::games::leopard::bots::{Brisk, BriskWeights, Greedy};
use parlour::search::{
    PolicyRollout, RandomRollout, Rollout, Thinker, TreeSearch, TreeSearchParts,
};

/// Hands from the deal to the end; returns the moves made in them.
fn play(game: &Leopard, hands: u64, policy: &impl Policy<Leopard>, chance: &mut Stream) -> u64 {
    let mut moves = 0;
    for _ in 0..hands {
        let mut state = game.deal(chance);
        while let Turn::Of(seat) = game.turn(&state) {
            let mv = policy.pick(game, &game.view(&state, seat), chance);
            game.play(&mut state, mv, chance);
            moves += 1;
        }
    }
    moves
}

/// As many iterations from one opening.
fn search(
    game: &Leopard,
    iterations: u64,
    rollout: Arc<dyn Rollout<Leopard>>,
    chance: &mut Stream,
) {
    let parts = TreeSearchParts::plain(iterations, rollout);
    let view = game.view(&game.deal(chance), Seat(0));
    TreeSearch::new(2, parts).think(game, Sight { view: &view, past: &[] }, chance);
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let variant = arguments.next().unwrap_or_else(|| "revised".to_owned());
    let hands = arguments.next().map_or(2000, |n| n.parse().expect("a number of hands"));
    let kind = arguments.next().unwrap_or_else(|| "random".to_owned());
    let rules = Leopard::preset(&variant).expect("a variant of Leopard");
    let game = Leopard::new(&rules).expect("a preset is valid");
    let mut chance = Seed::new(1).stream();
    let brisk = Brisk::new(BriskWeights::default()).expect("the default is valid");
    let moves = match kind.as_str() {
        "greedy" => play(&game, hands, &Greedy, &mut chance),
        "brisk" => play(&game, hands, &brisk, &mut chance),
        "ismcts" | "ismcts-brisk" => {
            let rollout: Arc<dyn Rollout<Leopard>> = match kind.as_str() {
                "ismcts" => Arc::new(RandomRollout),
                _ => Arc::new(PolicyRollout::new(brisk, 0.0)),
            };
            search(&game, hands, rollout, &mut chance);
            hands
        }
        _ => (0..hands)
            .map(|_| u64::from(game.playout(&mut game.deal(&mut chance), &mut chance)))
            .sum(),
    };
    println!("{hands} hands, {moves} moves");
}
