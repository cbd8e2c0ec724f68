//! Where cards are hidden, imagined worlds come as often as the shuffle makes them.

use std::collections::BTreeMap;

use parlour::cards::{Card, Suit};
use parlour::chance::Seed;
use parlour::game::{Game, Ruled, Seat};
use parlour::games::eleusis::{Eleusis, State as Line};
use parlour::games::leopard::{Leopard, State};

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

/// Checks the frequencies of determinizations. `weights` are the relative probabilities of all
/// classes of states that `kind` distinguishes. The χ² of `worlds` samples must lie within 5
/// standard deviations of its mean (its degrees of freedom). The samples are the same in each run.
fn check_uniform<G: Game>(
    game: &G,
    view: &G::View,
    worlds: u32,
    weights: &BTreeMap<String, f64>,
    kind: impl Fn(&G::State) -> String,
) {
    let mut chance = Seed::new(8).stream();
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for _ in 0..worlds {
        *counts.entry(kind(&game.determinize(view, &mut chance))).or_default() += 1;
    }
    let stray = counts.keys().find(|kind| !weights.contains_key(*kind));
    assert_eq!(stray, None, "this kind of world has no weight");
    let total: f64 = weights.values().sum();
    let term = |(kind, weight): (&String, &f64)| {
        let expected = f64::from(worlds) * weight / total;
        let found = f64::from(counts.get(kind).copied().unwrap_or(0));
        (found - expected) * (found - expected) / expected
    };
    let square: f64 = weights.iter().map(term).sum();
    let freedom = weights.len() as f64 - 1.0;
    let most = freedom + 5.0 * (2.0 * freedom).sqrt();
    assert!(square <= most, "χ² is {square:.1}, above {most:.1}: {counts:?}");
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
    let class = |world: &State| kind(world.hand(other).cards().filter(is_heart).count());
    check_uniform(&game, &view, 4000, &weights, class);
    let mut wrong = weights;
    *wrong.get_mut("2 hearts").unwrap() *= 1.3;
    let too_often = || check_uniform(&game, &view, 4000, &wrong, class);
    assert!(std::panic::catch_unwind(too_often).is_err(), "wrong frequencies are noticed");
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
        check_uniform(&game, &view, 2000, &weights, |world| kind(in_hand(world, seat)));
    }
}
