//! The list of games: the one place where the name of a game becomes a type.

#![forbid(unsafe_code)]

// Spelled out, for tools that do not look into macros.
pub use parlour_eleusis as eleusis;
pub use parlour_leapfrog as leapfrog;
pub use parlour_leopard as leopard;

mod any;
mod bench;
mod job;
pub mod learn;
pub mod tune;

use std::collections::BTreeSet;

use parlour_base::Program;

pub use any::{
    AnyExperiment, AnyGame, AnyRecord, AnyReplay, AnyStrategy, FirstHand, SchemaPart, Seats,
    StrategyInfo,
};
pub use bench::{ITERATION, Measure, PLAYOUT, Speed};
pub use job::Job;

use parlour_arena::{Catalogue, PlanReader};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{digest, named_in, parse_json, read_text, unknown};
pub use parlour_game::Ruled;

/// `games! { $ folder::Type, … }` makes `GAMES`, `ALL` and `with_game!`.
macro_rules! games {
    ($d:tt $($folder:ident::$game:ident),+) => {
        /// The names of all games.
        pub const GAMES: &[&str] = &[$($folder::$game::NAME),+];

        /// All games, in the same order.
        pub static ALL: &[AnyGame] = &[$(AnyGame::of::<$folder::$game>()),+];

        /// Evaluates an expression for the game of this name, whose type it calls by the second word:
        /// `with_game!(name, G => G::presets().len())`. An error if there is no such game. Where
        /// [`AnyGame`](crate::AnyGame) is enough, use [`game`](fn@crate::game).
        #[macro_export]
        macro_rules! with_game {
            ($d name:expr, $d type:ident => $d body:expr) => {
                match $d name {
                    $(name if name == <$crate::$folder::$game as $crate::Ruled>::NAME => {
                        type $d type = $crate::$folder::$game;
                        Ok($d body)
                    })+
                    other => Err($crate::unknown_game(other)),
                }
            };
        }
    };
}

games! { $ leopard::Leopard, leapfrog::Leapfrog, eleusis::Eleusis }

/// Returns the game of this name.
///
/// # Errors
/// Bad input if there is none.
pub fn game(name: &str) -> Result<&'static AnyGame> {
    ALL.iter().find(|game| game.name == name).ok_or_else(|| unknown_game(name))
}

/// Returns the first game that has the variant; of a rules file, the game of its base.
///
/// # Errors
/// Bad input if there is none, or the file cannot be read.
pub fn game_of_variant(variant: &str) -> Result<&'static AnyGame> {
    #[derive(serde::Deserialize)]
    struct Base {
        base: String,
    }
    let (mut name, mut files) = (variant.to_owned(), Vec::new());
    while name.ends_with(".json") {
        let Base { mut base } = parse_json(&name, &read_text(name.as_ref())?)?;
        if base.ends_with(".json") {
            base = named_in(name.as_ref(), &base);
        }
        files.push(std::mem::replace(&mut name, base));
        ensure(!files.contains(&name), || {
            Error::input(format!("cyclic `base`: {} → {name}", files.join(" → ")))
        })?;
    }
    let names = |game: &AnyGame| (game.variants)().into_iter().map(|(name, _)| name);
    let found = ALL.iter().find(|game| names(game).any(|known| known == name));
    found.ok_or_else(|| {
        let known: BTreeSet<&str> = ALL.iter().flat_map(names).collect();
        let error = Error::input(unknown("variant", &name, known));
        files.last().map_or(error.clone(), |file| error.in_file(file))
    })
}

/// The catalogue of all games, for the results that this program writes.
pub struct Games(pub Program);

impl Catalogue for Games {
    fn plan_reader(&self, name: &str) -> Result<PlanReader> {
        Ok(game(name)?.plan_reader)
    }

    fn program(&self) -> Program {
        self.0
    }
}

/// Returns the behaviour signature: one hash over the moves of all games, variants and cheap strategies
/// from fixed seeds. It changes if any of them plays differently.
///
/// # Errors
/// If an embedded strategy cannot be read.
pub fn signature() -> Result<String> {
    let mut text = String::new();
    for game in ALL {
        text += &(game.behaviour)()?;
    }
    Ok(digest(text)[..16].to_owned())
}

/// The error for a name that no game has.
pub fn unknown_game(name: &str) -> Error {
    Error::input(unknown("game", name, GAMES.iter().copied()))
}
