//! The games. This file is the one list of them, and the one place where a game's name becomes a
//! type.

// Spelled out, for tools that do not look into macros.
pub mod eleusis;
pub mod leapfrog;
pub mod leopard;

use crate::error::Error;
use crate::files::unknown;
use crate::game::Ruled;

/// `games! { $ folder::Type, … }`: the names of all games, and
///
/// `with_game!(name, G => body)`: the body for the game of this name, which it calls `G`; an error
/// when there is none.
macro_rules! games {
    ($d:tt $($folder:ident::$game:ident),+) => {
        /// The names of all games.
        pub const GAMES: &[&str] = &[$($folder::$game::NAME),+];

        /// The body for the game of this name, which it calls by the second word; an error when there
        /// is none: `with_game!(name, G => G::presets().len())`.
        #[macro_export]
        macro_rules! with_game {
            ($d name:expr, $d type:ident => $d body:expr) => {
                match $d name {
                    $(name if name == <$crate::games::$folder::$game as $crate::game::Ruled>::NAME => {
                        type $d type = $crate::games::$folder::$game;
                        Ok($d body)
                    })+
                    other => Err($crate::games::unknown_game(other)),
                }
            };
        }
    };
}

games! { $ leopard::Leopard, leapfrog::Leapfrog, eleusis::Eleusis }

pub(crate) use with_game;

/// There is no game of this name.
pub fn unknown_game(name: &str) -> Error {
    Error::input(unknown("game", name, GAMES.iter().copied()))
}
