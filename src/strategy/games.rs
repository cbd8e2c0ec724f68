//! The games there are: the one place where a game's name becomes a type.

use super::Strategic;
use crate::eleusis::Eleusis;
use crate::error::{Error, Result};
use crate::files::unknown;
use crate::game::Ruled;
use crate::leapfrog::Leapfrog;
use crate::leopard::Leopard;

/// The names of all games.
pub const GAMES: &[&str] = &[Leopard::NAME, Leapfrog::NAME, Eleusis::NAME];

/// Something to do with a game whose type is not known yet.
pub trait GameVisitor {
    /// What comes of it.
    type Output;

    /// Does it.
    fn visit<G: Strategic>(self) -> Self::Output;
}

/// Does something with the game of this name.
///
/// # Errors
/// Bad input when there is none.
pub fn with_game<V: GameVisitor>(name: &str, visitor: V) -> Result<V::Output> {
    match name {
        Leopard::NAME => Ok(visitor.visit::<Leopard>()),
        Leapfrog::NAME => Ok(visitor.visit::<Leapfrog>()),
        Eleusis::NAME => Ok(visitor.visit::<Eleusis>()),
        _ => Err(Error::Input(unknown("game", name, GAMES.iter().copied()))),
    }
}
