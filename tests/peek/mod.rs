//! Attacks on hidden information: bots that try to learn the other hand, the stock or the secret
//! rule from their arguments.
//!
//! These tests do not cover bots that leave the interface. A bot compiled into the program can read
//! memory with `unsafe` code or keep a global. It can read the records of an earlier rotation, or
//! guess the seed and deal the cards again. A run with bots of strangers needs a secret seed and
//! files that the bots cannot reach.

mod arena;
mod constructors;

use std::fmt::Debug;

use parlour::cards::{Card, Pile};
use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Recorded, Ruled, Seat, Turn};
use parlour::games::eleusis::{Eleusis, corpus};
use parlour::games::leapfrog::Leapfrog;
use parlour::games::leopard::{Cell, Leopard, Setup, State};
use serde_json::Value;

/// Shows every state of some random hands in which a seat must choose.
fn each_state<G: Ruled>(
    variants: &[&str],
    hands: u64,
    mut see: impl FnMut(&G, &G::State, &mut Stream),
) {
    for (variant, hand) in variants.iter().flat_map(|v| (0..hands).map(move |hand| (v, hand))) {
        let game = G::new(&G::named(variant).unwrap()).unwrap();
        let mut chance = Seed::new(hand).named(variant).stream();
        let mut state = game.deal(&mut chance);
        while game.turn(&state) != Turn::Over {
            see(&game, &state, &mut chance.clone());
            let mv = game.sample(&state, &mut chance);
            game.apply(&mut state, mv, &mut chance);
        }
    }
}

/// Everything that a bot can learn from a view without `unsafe`. That is its JSON, its debug form,
/// the legal moves in their order, and a determinization. The next bits of the stream show how many
/// random numbers the determinization took.
fn read_off<G: Game>(game: &G, view: &G::View) -> Vec<String>
where
    G::State: Debug,
{
    let mut options = Vec::new();
    game.legal_moves_in_view(view, &mut options);
    let mut chance = Seed::new(3).stream();
    let world = game.determinize(view, &mut chance);
    let mut after = chance.bits().to_string();
    if !options.is_empty() {
        let drawn = game.sample_view(view, &mut chance);
        after += &format!("{drawn} {}", chance.bits());
    }
    vec![
        serde_json::to_string(view).unwrap(),
        format!("{view:?} {view:#?}"),
        format!("{options:?} {}", options.capacity() >= options.len()),
        format!("{world:?}"),
        after,
    ]
}

/// Two truths that a seat cannot tell apart, by the views of it.
fn same<G: Game>(game: &G, one: &G::State, other: &G::State, seat: Seat) {
    let (one, other) = (game.view(one, seat), game.view(other, seat));
    assert_eq!(read_off(game, &one), read_off(game, &other), "seat {}", seat.0);
    assert_eq!(size_of_val(&one), size_of_val(&other));
}

/// Imagined worlds are other truths behind a view; `differ` counts those that are.
fn imagined_truths<G: Ruled>(variants: &[&str], hands: u64) -> u32 {
    let mut differ = 0;
    each_state::<G>(variants, hands, |game, state, chance| {
        for seat in (0..game.seats()).map(|seat| Seat(seat as u8)) {
            let world = game.determinize(&game.view(state, seat), chance);
            differ += u32::from(world != *state);
            same(game, state, &world, seat);
        }
    });
    differ
}

#[test]
fn a_view_says_the_same_of_all_truths_behind_it() {
    assert!(imagined_truths::<Leopard>(&["revised", "running-original"], 3) > 100);
    assert!(imagined_truths::<Eleusis>(&["eleusis", "express", "eleusis-1977"], 1) > 100);
    // Nothing is hidden here, so no world is another.
    assert_eq!(imagined_truths::<Leapfrog>(&["murray-mini-4x4", "froglet"], 2), 0);
}

/// The same position with other hidden cards, put together without `determinize`: the other hand is
/// taken from the end of what is unseen.
fn other_cards(game: &Leopard, state: &State, seat: Seat) -> Option<State> {
    let view = game.view(state, seat);
    let (own, other) = (seat.index(), 1 - seat.index());
    let mut setup = Setup { to_move: view.to_move.0, played: view.played, ..Setup::default() };
    // Another order of the same hand, too.
    setup.hands[own] = view.hand.cards().collect();
    setup.hands[own].reverse();
    let unseen: Vec<Card> = view.unseen.cards().collect();
    setup.hands[other] = unseen.iter().rev().take(view.held[other].into()).copied().collect();
    let mut gone = Pile::TWO_DECKS;
    for card in view.hand.cards().chain(view.unseen.cards()) {
        gone.remove(card);
    }
    // Of a face-up card only the suit matters; one that fits the cell will do.
    for (side, square) in setup.squares.iter_mut().enumerate() {
        for (cell, place) in Cell::ALL.into_iter().zip(square) {
            let Some(suit) = state.square(Seat(side as u8)).at(cell) else { continue };
            // Tens and kings lie anywhere.
            let fits = [cell.number(), 10, 13].map(|rank| Card::new(rank, suit));
            *place = Some(fits.into_iter().find(|card| gone.remove(*card))?);
        }
    }
    setup.gone = gone.cards().collect();
    setup.state(game.rules()).ok()
}

#[test]
fn the_other_hand_and_the_stock_leave_no_trace() {
    let (mut twins, mut states) = (0, 0);
    each_state::<Leopard>(&["revised", "denexa"], 4, |game, state, _| {
        let Turn::Seat(seat) = game.turn(state) else { return };
        states += 1;
        let Some(twin) = other_cards(game, state, seat) else { return };
        // What lies face down may differ between the two: then they are no twins.
        if game.view(&twin, seat) == game.view(state, seat) && twin != *state {
            twins += 1;
            same(game, state, &twin, seat);
        }
    });
    println!("{twins} of {states}");
    assert!(twins * 2 > states, "{twins} of {states}");
}

#[test]
fn the_secret_rule_leaves_no_trace() {
    let mut looked = 0;
    each_state::<Eleusis>(&["eleusis", "express"], 1, |game, state, chance| {
        let mut twin = state.clone();
        // A state whose rule is another one, whatever was judged so far.
        twin.rule = corpus()[chance.below(corpus().len() as u32) as usize].rule.clone();
        let secret = state.rule.to_string();
        for seat in (1..game.seats()).map(|seat| Seat(seat as u8)) {
            same(game, state, &twin, seat);
            let view = game.view(state, seat);
            assert_eq!(view.rule, None);
            assert!(!serde_json::to_string(&view).unwrap().contains(&secret));
            looked += 1;
        }
    });
    assert!(looked > 100, "{looked}");
}

/// An address in memory could reveal the owner of a value. All seats' views point to the same shared
/// values, and the views of the other games have no pointers.
#[test]
fn addresses_are_the_same_for_all_seats() {
    fn points_nowhere<T: Copy + 'static>() {}
    points_nowhere::<parlour::games::leopard::View>();
    points_nowhere::<parlour::games::leapfrog::View>();
    let mut looked = 0;
    each_state::<Eleusis>(&["eleusis", "express"], 1, |game, state, _| {
        let at = |seat: usize| {
            let public = game.view(state, Seat(seat as u8)).public;
            (std::sync::Arc::as_ptr(&public.mainline), std::sync::Arc::as_ptr(&public.history))
        };
        assert!((1..game.seats()).all(|seat| at(seat) == at(0)));
        looked += 1;
    });
    assert!(looked > 50, "{looked}");
}

/// The names of all fields, with those within fields.
fn names(value: &Value, within: &str, out: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                let name = format!("{within}{name}");
                names(value, &format!("{name}."), out);
                out.push(name);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| names(item, within, out)),
        _ => {}
    }
}

/// A field that is added to a view is thought about here: may this seat know it?
#[test]
fn the_fields_of_views_are_these() {
    fn fields<G: Ruled>(variants: &[&str]) -> String {
        let mut all = Vec::new();
        each_state::<G>(variants, 2, |game, state, _| {
            let Turn::Seat(seat) = game.turn(state) else { return };
            names(&serde_json::to_value(game.view(state, seat)).unwrap(), "", &mut all);
        });
        all.sort();
        all.dedup();
        all.join("\n")
    }
    insta::assert_snapshot!(fields::<Leopard>(&["revised"]), @r"
    end
    hand
    held
    played
    seat
    squares
    stock
    to_move
    unseen
    values
    ");
    insta::assert_snapshot!(fields::<Leapfrog>(&["murray-mini-4x4"]), @r"
    board
    chain
    chain.at
    chain.captured
    chain.next
    chain.start
    first_captures
    phase
    points
    seat
    taken
    to_move
    ");
    insta::assert_snapshot!(fields::<Eleusis>(&["eleusis", "express"]), @r"
    hand
    public
    public.after_marker
    public.decks_added
    public.end
    public.expelled
    public.expelling
    public.held
    public.history
    public.history.act
    public.history.act.no_play
    public.history.act.no_play.forced
    public.history.act.no_play.hand
    public.history.act.play
    public.history.becomes_prophet
    public.history.expelled
    public.history.guess
    public.history.prophet_picked
    public.history.prophet_said
    public.history.right
    public.history.seat
    public.known
    public.mainline
    public.marker
    public.picked
    public.played
    public.player
    public.pools
    public.pools.cards
    public.pools.held
    public.pools.stock
    public.prophet
    public.prophets
    public.said
    public.shown
    public.stage
    public.string
    rule
    seat
    ");
}

/// All moves are public, so bots see exactly the moves that were made. A legal move is legal in every
/// world that is consistent with the view of its seat.
#[test]
fn the_moves_told_are_those_made() {
    fn told<G: Recorded>(variants: &[&str]) {
        each_state::<G>(variants, 2, |game, state, chance| {
            let Turn::Seat(by) = game.turn(state) else { return };
            let mv = game.sample(state, chance);
            for who in (0..game.seats()).map(|seat| Seat(seat as u8)) {
                assert_eq!(game.visible_move(state, mv, by, who), Some(mv));
            }
            let world = game.determinize(&game.view(state, by), chance);
            assert!(game.is_legal(&world, mv), "{mv} is not legal in every truth");
        });
    }
    told::<Leopard>(&["revised", "running-original"]);
    told::<Leapfrog>(&["murray-mini-4x4"]);
    told::<Eleusis>(&["eleusis", "express"]);
}
