//! One hash over what every game, variant and strategy does from fixed seeds.

use super::{Player, Variant, play_hand};
use crate::chance::Seed;
use crate::error::Result;
use crate::files::{Shelf, digest};
use crate::game::{Game, Turn};
use crate::games::{GAMES, with_game};
use crate::strategy::{Strategic, Strategy};

/// The signature of this program: it changes when any game, variant or embedded strategy behaves
/// otherwise.
///
/// # Errors
/// When an embedded strategy cannot be read.
pub fn signature() -> Result<String> {
    let mut text = String::new();
    for &game in GAMES {
        text += &with_game!(game, G => of_game::<G>())??;
    }
    Ok(digest(text)[..16].to_owned())
}

fn of_game<G: Strategic>() -> Result<String> {
    let shelf = Shelf::strategies(G::NAME).embedded_only();
    let variants = Variant::<G>::all()?;
    let mut text = String::new();
    for Variant { name, game } in &variants {
        text += &format!("{} {name} {}\n", G::NAME, playouts(game));
    }
    for name in shelf.names() {
        let strategy = Strategy::<G>::load(&shelf, &name)?;
        for variant in variants.iter().filter(|_| G::is_cheap(&strategy.spec.kind)) {
            let played = against_itself(&variant.game, &strategy);
            text += &format!("{} {} {name} {played}\n", G::NAME, variant.name);
        }
    }
    Ok(text)
}

/// The moves and scores of some random hands.
fn playouts<G: Game>(game: &G) -> String {
    let mut text = String::new();
    for hand in 0..5 {
        let seed = Seed::new(hand).named("signature");
        let (mut chance, mut choice) = (seed.child(0).stream(), seed.child(1).stream());
        let mut state = game.deal(&mut chance);
        while game.turn(&state) != Turn::Over {
            let mv = game.sample(&state, &mut choice);
            text += &format!("{mv:?} ");
            game.play(&mut state, mv, &mut chance);
        }
        text += &format!("{:?}\n", game.scores(&state));
    }
    digest(text)[..16].to_owned()
}

/// The moves of some hands of a strategy against itself.
fn against_itself<G: Strategic>(game: &G, strategy: &Strategy<G>) -> String {
    let (mut text, mut moves) = (String::new(), Vec::new());
    for hand in 0..4 {
        let seed = Seed::new(hand).named("signature");
        let mut players: Vec<Player<G>> = (0..game.seats() as u64)
            .map(|seat| Player::new(game.bot(&strategy.spec), seed.child(1).child(seat).stream()))
            .collect();
        play_hand(game, seed.child(0).stream(), &mut players, |seat| seat, &mut moves);
        text += &format!("{moves:?}\n");
    }
    digest(text)[..16].to_owned()
}
