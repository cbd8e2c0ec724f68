//! The strategies that a search may name.

use super::{Strategic, Strategy};
use crate::error::Error;
use crate::files::{Found, Shelf};
use crate::search::params::KINDS;

/// The strategy of this name, if it is cheap enough for playouts.
///
/// # Errors
/// What is wrong with the name, its file, or the use of it: a sentence.
pub fn playable<G: Strategic>(name: &str) -> Result<G::Spec, String> {
    let searches = || Error::input(format!("`{name}` itself searches"));
    let strategy = Shelf::strategies(G::NAME).find(name).and_then(|found| {
        // A file that names itself must not be read for ever.
        match kind_of(&found).is_some_and(|kind| KINDS.contains(&kind.as_str())) {
            true => Err(searches()),
            false => Strategy::<G>::read(&found),
        }
    });
    strategy
        .and_then(|strategy| match G::is_cheap(&strategy.spec) {
            true => Ok(strategy.spec),
            false => Err(searches()),
        })
        .map_err(|error| error.to_string())
}

fn kind_of(found: &Found) -> Option<String> {
    let file: serde_json::Value = serde_json::from_str(&found.text).ok()?;
    file["kind"].as_str().map(str::to_owned)
}
