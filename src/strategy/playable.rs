//! The strategies that a search may name.

use super::file::layers_of;
use super::{Strategic, Strategy};
use crate::error::{Error, Result};
use crate::files::Shelf;
use crate::search::params::KINDS;

/// The strategy of this name, if it is cheap enough for playouts.
///
/// # Errors
/// What is wrong with the name, its file, or the use of it.
pub fn playable<G: Strategic>(name: &str) -> Result<G::Spec> {
    let searches = || Error::input(format!("`{name}` itself searches"));
    let strategy = Shelf::strategies(G::NAME).find(name).and_then(|found| {
        let layers = layers_of::<G>(&found)?;
        // A file that names itself must not be read for ever.
        match KINDS.contains(&layers.kind()) {
            true => Err(searches()),
            false => Strategy::<G>::laid(&found, &layers),
        }
    });
    strategy.and_then(|strategy| match G::is_cheap(&strategy.spec) {
        true => Ok(strategy.spec),
        false => Err(searches()),
    })
}
