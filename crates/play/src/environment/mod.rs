//! Games as reinforcement-learning environments: chance is inside, seats choose in turn, views and
//! moves are numbers ([`Encoded`]).
//!
//! [`Environment`] is one table; [`VectorEnv`] steps many at once. Both hide the game's types, so
//! that other languages can hold them. A seat's observation is made from its view alone.
//!
//! ```
//! use parlour_play::environment::{Reward, open};
//! use parlour_leopard::Leopard;
//!
//! let mut table = open::<Leopard>("revised", Reward::Win)?;
//! table.reset(1963, 0);
//! while table.turn().is_some() {
//!     let action = table.sample().unwrap();
//!     table.step(action)?;
//! }
//! assert_eq!(table.rewards().iter().sum::<f32>(), 0.0);
//! # Ok::<(), parlour_base::error::Error>(())
//! ```

mod interface;
mod mask;
mod memory;
mod single;
#[cfg(test)]
mod tests;
mod vector;

use serde_json::{Map, Value};

use parlour_base::error::{Error, Result};
use parlour_base::files::{Origin, SourceFile, compact, parse_json};
use parlour_game::strategy::Strategic;
use parlour_game::variant::{Variant, VariantSpec};
use parlour_game::{Encoded, Position, read_position};

pub use interface::{Environment, Facts, StepBuffers, VectorEnv, VectorOptions};
pub use mask::actions;
pub use parlour_game::Reward;

/// Opens a table of a game. The variant is a name, a file of rules, or a JSON object with a base and
/// its changes.
///
/// # Errors
/// Bad input if there is no such variant.
pub fn open<G: Strategic + Encoded>(variant: &str, reward: Reward) -> Result<Box<dyn Environment>> {
    let setup = interface::Setup::<G>::new(resolve(variant)?, reward);
    Ok(Box::new(single::SingleTable::new(setup.into(), None, 0)))
}

/// Opens a table at a position file. What its seat does not know is sampled; `reset` samples it again.
///
/// # Errors
/// Bad input if the file has faults.
pub fn open_position<G: Strategic + Encoded>(
    text: &str,
    reward: Reward,
    seed: u64,
) -> Result<Box<dyn Environment>> {
    let Position { game, view, past, .. } =
        read_position::<G>("position", text).map_err(Error::without_lines)?;
    let variant = Variant { name: "position".to_owned(), game };
    let setup = interface::Setup::new(variant, reward);
    Ok(Box::new(single::SingleTable::new(setup.into(), Some((view, past)), seed)))
}

/// Opens many tables of a game.
///
/// # Errors
/// Bad input if there is no such variant or strategy, a number is out of range, or the tables and
/// the caller's buffers need more memory than is free.
pub fn open_many<G: Strategic + Encoded>(options: &VectorOptions) -> Result<Box<dyn VectorEnv>> {
    Ok(Box::new(vector::VectorTables::<G>::new(resolve(&options.variant)?, options)?))
}

/// Resolves a variant: a name, a file, or a JSON object, which needs no name.
fn resolve<G: Strategic>(variant: &str) -> Result<Variant<G>> {
    const PLACE: &str = "variant";
    if !variant.trim_start().starts_with('{') {
        return Variant::named(variant);
    }
    let mut fields: Map<String, Value> = parse_json(PLACE, variant)?;
    fields.entry("name").or_insert_with(|| "own".into());
    let file = SourceFile::new(PLACE, Origin::Given, compact(&fields));
    let spec: VariantSpec = parse_json(PLACE, &file.text)?;
    spec.patch::<G>("", Some(&file)).map_err(|error| error.in_file(PLACE))?;
    Variant::resolve(&spec)
}
