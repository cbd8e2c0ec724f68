//! How fast Leap Frog is here: `cargo test --release --test leapfrog speed -- --ignored
//! --nocapture`.

use std::time::Instant;

use parlour::chance::Seed;
use parlour::game::{Game, Measured, Ruled, Turn};
use parlour::leapfrog::{Leapfrog, Rules};

#[test]
#[ignore = "a measurement"]
fn random_playouts() {
    let listed = Rules::presets().into_iter().map(|preset| (preset.name.to_owned(), preset.rules));
    for (name, rules) in listed.chain([("murray 12x12".to_owned(), Rules::murray(12, 12))]) {
        let game = Leapfrog::new(&rules).unwrap();
        let mut chance = Seed::new(1).stream();
        let (mut moves, hands) = (0, 3000);
        let start = Instant::now();
        for _ in 0..hands {
            let mut state = game.deal(&mut chance);
            moves += game.playout(&mut state, &mut chance);
        }
        let seconds = start.elapsed().as_secs_f64();
        let mut turns = 0;
        for _ in 0..200 {
            let (mut state, mut watch) = (game.deal(&mut chance), Default::default());
            while game.turn(&state) != Turn::Over {
                let mv = game.sample(&state, &mut chance);
                game.watch(&mut watch, &state, mv);
                game.play(&mut state, mv, &mut chance);
            }
            turns += game.turns(&watch);
        }
        println!(
            "{name}: {:.0} playouts a second, {:.1} moves and {:.1} turns each",
            f64::from(hands) / seconds,
            f64::from(moves) / f64::from(hands),
            f64::from(turns) / 200.0
        );
    }
}
