//! Playouts and the policies made for playouts allocate nothing.

#![expect(unsafe_code, reason = "an allocator cannot be written without it")]
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use parlour::chance::Seed;
use parlour::files::Library;
use parlour::game::{Game, Policy, Ruled, Turn};
use parlour::games::leapfrog::Leapfrog;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::bots::{Brisk, BriskWeights, Greedy, Kind};
use parlour::strategy::Strategy;

thread_local! {
    /// Allocations of this thread, so that the test harness does not count.
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, counting.
struct Counting;

// SAFETY: every call goes to the system's allocator unchanged; counting touches only a cell of the
// thread, which needs no allocation and has no destructor. `alloc_zeroed` and `realloc` are the
// provided ones, which call these.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    work();
    ALLOCATIONS.get() - before
}

#[test]
fn the_counter_counts() {
    assert_eq!(allocations(|| drop(std::hint::black_box(Box::new(1)))), 1);
}

fn playouts_allocate_nothing<G: Ruled>() {
    for preset in G::presets() {
        let game = G::new(&preset.rules).expect("a preset is valid");
        for hand in 0..100 {
            let mut chance = Seed::new(hand).stream();
            let mut state = game.deal(&mut chance);
            let count = allocations(|| {
                game.playout(&mut state, &mut chance);
            });
            assert_eq!(count, 0, "{}, hand {hand}", preset.name);
        }
    }
}

#[test]
fn leopard_playouts_allocate_nothing() {
    playouts_allocate_nothing::<Leopard>();
}

#[test]
fn leapfrog_playouts_allocate_nothing() {
    playouts_allocate_nothing::<Leapfrog>();
}

#[test]
fn leopard_policies_allocate_nothing() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/strategies/leopard/self-taught.json");
    let strategy = Strategy::<Leopard>::load(&Library::strategies("leopard"), path).unwrap();
    let Kind::Network(network) = strategy.spec.kind else { panic!("{path} is no network") };
    let brisk = Brisk::new(BriskWeights::default()).unwrap();
    let policies: [&dyn Policy<Leopard>; 3] = [&Greedy, &brisk, &network];
    for preset in Leopard::presets() {
        let game = Leopard::new(&preset.rules).expect("a preset is valid");
        for (number, policy) in policies.iter().enumerate() {
            let mut chance = Seed::new(number as u64).stream();
            let mut hand = || {
                let mut state = game.deal(&mut chance);
                while let Turn::Seat(seat) = game.turn(&state) {
                    let view = game.view(&state, seat);
                    let mv = policy.pick(&game, &view, &mut chance);
                    policy.win_share(&game, &state, seat);
                    game.apply(&mut state, mv, &mut chance);
                }
            };
            // The network's memory grows in the first hands of a thread.
            (0..200).for_each(|_| hand());
            let count = allocations(hand);
            assert_eq!(count, 0, "{}, policy {number}", preset.name);
        }
    }
}

#[test]
fn networks_allocate_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("zeros.safetensors");
    let sizes = [("0.weight", vec![9, 187]), ("0.bias", vec![9]), ("2.weight", vec![306, 9])];
    let (mut tensors, mut end) = (String::new(), 0);
    for (name, shape) in sizes.into_iter().chain([("2.bias", vec![306])]) {
        let start = end;
        end += 4 * shape.iter().product::<usize>();
        tensors += &format!(
            r#", "{name}": {{ "dtype": "F32", "shape": {shape:?}, "data_offsets": [{start}, {end}] }}"#
        );
    }
    let header = format!(r#"{{ "__metadata__": {{ "activation": "tanh" }}{tensors} }}"#);
    let length = (header.len() as u64).to_le_bytes();
    std::fs::write(&path, [&length, header.as_bytes(), &vec![0; end]].concat()).unwrap();
    let path = path.to_str().unwrap();
    let strategy = Strategy::<Leopard>::load(&Library::strategies("leopard"), path).unwrap();
    let Kind::Network(network) = strategy.spec.kind else { panic!("{path} is no network") };
    let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
    let mut chance = Seed::new(1).stream();
    let state = game.deal(&mut chance);
    let Turn::Seat(seat) = game.turn(&state) else { panic!("the hand is over") };
    let view = game.view(&state, seat);
    let first = network.pick(&game, &view, &mut chance);
    let count = allocations(|| assert_eq!(network.pick(&game, &view, &mut chance), first));
    assert_eq!(count, 0);
}
