//! Bare random playouts of a Leopard variant, for counting instructions:
//! `valgrind --tool=callgrind target/release/examples/playouts revised 2000`.

use parlour::chance::Seed;
use parlour::game::{Game, Ruled};
use parlour::leopard::Leopard;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let variant = arguments.next().unwrap_or_else(|| "revised".to_owned());
    let hands = arguments.next().map_or(2000, |n| n.parse().expect("a number of hands"));
    let rules = Leopard::preset(&variant).expect("a variant of Leopard");
    let game = Leopard::new(&rules).expect("a preset is valid");
    let mut chance = Seed::new(1).stream();
    let mut moves = 0u64;
    for _ in 0..hands {
        let mut state = game.deal(&mut chance);
        moves += u64::from(game.playout(&mut state, &mut chance));
    }
    println!("{hands} hands, {moves} moves");
}
