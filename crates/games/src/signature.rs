//! The part of one game in the behaviour signature: the moves of all variants and cheap strategies from
//! fixed seeds.

use parlour_arena::{SeatedBot, Variant, play_hand};
use parlour_base::chance::Seed;
use parlour_base::error::Result;
use parlour_base::files::{Library, digest};
use parlour_game::strategy::{Strategic, Strategy};
use parlour_game::{Game, MoveHistory, Turn};

/// The digests of one game.
pub(super) fn behaviour<G: Strategic>() -> Result<String> {
    let shelf = Library::strategies(G::NAME).embedded_only();
    let variants = Variant::<G>::all()?;
    let mut text = String::new();
    for Variant { name, game } in &variants {
        text += &format!("{} {name} {}\n", G::NAME, playouts(game));
    }
    let mut names: Vec<(String, String)> =
        shelf.names().into_iter().map(|name| (label(&name).to_owned(), name)).collect();
    names.sort_unstable();
    for (label, name) in names {
        let strategy = Strategy::<G>::load(&shelf, &name)?;
        for variant in variants.iter().filter(|_| G::is_cheap(&strategy.spec.kind)) {
            let played = self_play(&variant.game, &strategy);
            text += &format!("{} {} {label} {played}\n", G::NAME, variant.name);
        }
    }
    Ok(text)
}

/// The label of a strategy: its name when the signature was introduced, so that a new name does not
/// change the signature.
fn label(name: &str) -> &str {
    if name == "value-network" { "learnt" } else { name }
}

/// The digest of the moves and scores of 5 random hands.
fn playouts<G: Game>(game: &G) -> String {
    let mut text = String::new();
    for hand in 0..5 {
        let seed = Seed::new(hand).named("signature");
        let (mut chance, mut choice) = (seed.child(0).stream(), seed.child(1).stream());
        let mut state = game.deal(&mut chance);
        while game.turn(&state) != Turn::Over {
            let mv = game.sample(&state, &mut choice);
            text += &format!("{mv:?} ");
            game.apply(&mut state, mv, &mut chance);
        }
        text += &format!("{:?}\n", game.scores(&state));
    }
    digest(text)[..16].to_owned()
}

/// The digest of the moves of 4 hands of a strategy against itself.
fn self_play<G: Strategic>(game: &G, strategy: &Strategy<G>) -> String {
    let (mut text, mut history) = (String::new(), MoveHistory::default());
    for hand in 0..4 {
        let seed = Seed::new(hand).named("signature");
        let mut players: Vec<SeatedBot<G>> = (0..game.seats() as u64)
            .map(|seat| {
                SeatedBot::new(game.bot(&strategy.spec), seed.child(1).child(seat).stream())
            })
            .collect();
        let start = seed.child(0).stream();
        if let Err((seat, error)) = play_hand(game, start, &mut players, |seat| seat, &mut history)
        {
            return format!("seat {seat}: {error}");
        }
        text += &format!("{:?}\n", history.moves());
    }
    digest(text)[..16].to_owned()
}
