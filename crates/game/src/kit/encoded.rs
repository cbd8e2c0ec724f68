//! Conformance tests of numeric encodings.

use super::random_hand;
use crate::Seat;
use crate::encoded::{Encoded, Plane};
use parlour_base::chance::Seed;

/// Plays random hands and checks the contract of [`Encoded`] at every node for every seat. Returns
/// the number of nodes.
///
/// # Panics
/// At the first violation, which the message names.
pub fn check_encoded<G: Encoded>(game: &G, hands: u64) -> usize {
    let planes = game.planes();
    let most: Vec<u8> =
        planes.iter().flat_map(|plane| std::iter::repeat_n(plane.most, plane.count())).collect();
    let count: usize = game.actions().iter().map(|actions| actions.count).sum();
    check_indices(game, count);
    let mut nodes = 0;
    for hand in 0..hands {
        let seed = Seed::new(hand).named("encoded");
        let mut choice = seed.child(2).stream();
        let mut check = |state: &G::State| {
            for seat in (0..game.seats()).map(|seat| Seat(seat as u8)) {
                let view = game.view(state, seat);
                check_mask(game, &view, count);
                let here = observed(game, &view, &planes);
                let wrong = here.iter().zip(&most).position(|(number, most)| number > most);
                assert_eq!(wrong, None, "a number of the observation is out of its range");
                let world = game.determinize(&view, &mut choice);
                let there = observed(game, &game.view(&world, seat), &planes);
                assert!(here == there, "the observation tells what the view does not");
            }
            nodes += 1;
        };
        let end =
            random_hand(game, &seed.child(0).stream(), seed.child(1), |state, _| check(state));
        check(&end);
    }
    nodes
}

/// The encoded observation of a view; checks that every number is written.
fn observed<G: Encoded>(game: &G, view: &G::View, planes: &[Plane]) -> Vec<u8> {
    let count = planes.iter().map(Plane::count).sum();
    let (mut zeros, mut ones) = (vec![0; count], vec![u8::MAX; count]);
    game.observe(view, &mut zeros);
    game.observe(view, &mut ones);
    let unwritten = zeros.iter().zip(&ones).position(|(a, b)| a != b);
    assert_eq!(unwritten, None, "a number of the observation is not written");
    zeros
}

/// Actions have distinct moves, and each such move has the index of its action.
fn check_indices<G: Encoded>(game: &G, count: usize) {
    for action in 0..count {
        if let Some(mv) = game.move_of(action) {
            assert_eq!(game.action_of(mv), Some(action), "`{mv}` has the index of its action");
        }
    }
    assert!(game.move_of(count).is_none(), "there are {count} actions");
}

/// The legal actions are exactly the legal moves.
fn check_mask<G: Encoded>(game: &G, view: &G::View, count: usize) {
    let mut legal = Vec::new();
    game.legal_moves_in_view(view, &mut legal);
    let mut words = vec![u64::MAX; count.div_ceil(64)];
    game.legal(view, &mut words);
    let marked =
        (0..words.len() * 64).filter(|action| words[action / 64] >> (action % 64) & 1 == 1);
    let mut moves: Vec<G::Move> = marked.map_while(|action| game.move_of(action)).collect();
    moves.sort_unstable();
    assert_eq!(moves, legal, "the legal actions are the legal moves");
}
