//! The games. This file is the one list of them, and the one place where a game's name becomes a
//! type.

use crate::error::Error;
use crate::files::unknown;
use crate::game::Ruled;

/// Hands the list of games to another macro: a folder and the type in it for each.
macro_rules! with_list {
    ([$($then:tt)+] $($arguments:tt)*) => {
        $($then)+! {
            [leopard::Leopard, leapfrog::Leapfrog, eleusis::Eleusis]
            $($arguments)*
        }
    };
}

macro_rules! declare {
    ([$($folder:ident::$game:ident),+]) => {
        $(pub mod $folder;)+

        /// The names of all games.
        pub const GAMES: &[&str] = &[$($folder::$game::NAME),+];
    };
}

macro_rules! dispatch {
    ([$($folder:ident::$game:ident),+] $name:expr, $type:ident, $body:expr) => {
        match $name {
            $(name if name == <$crate::games::$folder::$game as $crate::game::Ruled>::NAME => {
                type $type = $crate::games::$folder::$game;
                Ok($body)
            })+
            other => Err($crate::games::unknown_game(other)),
        }
    };
}

/// `with_game!(name, G => body)`: the body for the game of this name, which it calls `G`; an error
/// when there is none.
macro_rules! with_game {
    ($name:expr, $type:ident => $body:expr) => {
        $crate::games::with_list!([$crate::games::dispatch] $name, $type, $body)
    };
}

pub(crate) use {dispatch, with_game, with_list};

with_list!([declare]);

/// There is no game of this name.
pub(crate) fn unknown_game(name: &str) -> Error {
    Error::input(unknown("game", name, GAMES.iter().copied()))
}
