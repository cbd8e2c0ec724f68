//! Where cards are hidden, imagined worlds come as often as the shuffle makes them.

use std::collections::BTreeMap;

use parlour::cards::{Card, Suit};
use parlour::chance::Seed;
use parlour::game::{Game, Ruled, Seat, kit};
use parlour::games::eleusis::{Eleusis, State as Line};
use parlour::games::leopard::Leopard;

fn is_heart(card: &Card) -> bool {
    card.suit() == Suit::Hearts
}

/// More hearts than this in a hand are one kind of world.
const MANY: u32 = 5;

fn kind(hearts: usize) -> String {
    format!("{} hearts", (hearts as u32).min(MANY))
}

/// The probabilities of each number of hearts in a hand of `held` cards out of `unseen` ones, of which `hearts`
/// are hearts: the hypergeometric distribution.
fn chances(unseen: usize, hearts: usize, held: usize) -> BTreeMap<String, f64> {
    let ways = |n: usize, k: usize| {
        (0..k).map(|i| (n as f64 - i as f64) / (i as f64 + 1.0)).product::<f64>()
    };
    let mut chances = BTreeMap::new();
    for found in 0..=held.min(hearts) {
        let chance = ways(hearts, found) * ways(unseen - hearts, held - found) / ways(unseen, held);
        *chances.entry(kind(found)).or_default() += chance;
    }
    chances
}

#[test]
fn the_other_hand_of_leopard_is_as_likely_as_any() {
    let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
    let (mut chance, mut choice) = (Seed::new(3).stream(), Seed::new(4).stream());
    let mut state = game.deal(&mut chance);
    for _ in 0..12 {
        let mv = game.sample(&state, &mut choice);
        game.apply(&mut state, mv, &mut chance);
    }
    let [own, other] = [Seat(0), Seat(1)];
    let hidden = state.hand(other).plus(state.stock());
    let hearts = hidden.cards().filter(is_heart).count();
    let weights = chances(hidden.len() as usize, hearts, state.hand(other).len() as usize);
    let view = game.view(&state, own);
    kit::check_uniform(&game, &view, 4000, &weights, |world| {
        kind(world.hand(other).cards().filter(is_heart).count())
    });
}

#[test]
fn the_hands_of_eleusis_are_as_likely_as_any() {
    let game = Eleusis::new(&Eleusis::preset("eleusis-1977").unwrap()).unwrap();
    let state = game.deal(&mut Seed::new(5).stream());
    // Seat 0 deals and holds no cards.
    let seats = game.seats() as u8;
    let in_hand = |state: &Line, seat| state.hand(seat).cards().filter(is_heart).count();
    let viewer = Seat(1);
    let view = game.view(&state, viewer);
    // Before the first turn all cards but the starter are of one origin.
    let hidden = state.public.pools[0].cards.minus(state.hand(viewer));
    let hearts = hidden.cards().filter(is_heart).count();
    for seat in (1..seats).map(Seat).filter(|seat| *seat != viewer) {
        let weights = chances(hidden.len(), hearts, state.hand(seat).len());
        assert!(weights.len() > 3);
        kit::check_uniform(&game, &view, 2000, &weights, |world| kind(in_hand(world, seat)));
    }
}
