//! Uniformly random playouts of every variant, deals included, in moves a second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use parlour::chance::Seed;
use parlour::game::{Game, Ruled};
use parlour::games::leopard::Leopard;

/// Hands in one measurement: enough to tell the mean number of moves from chance.
const HANDS: u64 = 1000;

fn moves(game: &Leopard) -> u64 {
    let mut chance = Seed::new(1).stream();
    (0..HANDS)
        .map(|_| {
            let mut state = game.deal(&mut chance);
            u64::from(game.playout(&mut state, &mut chance))
        })
        .sum()
}

fn leopard(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("playout/leopard");
    for preset in Leopard::presets() {
        let game = Leopard::new(&preset.rules).expect("a preset is valid");
        group.throughput(Throughput::Elements(moves(&game)));
        group.bench_function(preset.name, |bencher| bencher.iter(|| moves(&game)));
    }
    group.finish();
}

criterion_group!(benches, leopard);
criterion_main!(benches);
