//! Bare random playouts of a Leap Frog variant, for measuring speed and counting instructions:
//! `valgrind --tool=callgrind target/release/examples/leapfrog_playouts murray-mini-12x12 200`.

use std::time::Instant;

use parlour::chance::Seed;
use parlour::game::{Game, Ruled};
use parlour::games::leapfrog::Leapfrog;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let variant = arguments.next().unwrap_or_else(|| "murray-mini-12x12".to_owned());
    let hands: u32 = arguments.next().map_or(2000, |n| n.parse().expect("a number of hands"));
    let rules = Leapfrog::preset(&variant).expect("a variant of Leap Frog");
    let game = Leapfrog::new(&rules).expect("a preset is valid");
    let mut chance = Seed::new(1).stream();
    let mut moves = 0u64;
    let start = Instant::now();
    for _ in 0..hands {
        let mut state = game.deal(&mut chance);
        moves += u64::from(game.playout(&mut state, &mut chance));
    }
    let rate = f64::from(hands) / start.elapsed().as_secs_f64();
    println!("{hands} hands, {moves} moves, {rate:.0} hands a second");
}
