//! Variants as data.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Game;
use crate::error::Result;

/// A named variant.
pub struct Preset<R> {
    /// Its name.
    pub name: &'static str,
    /// Its rules in full.
    pub rules: R,
    /// One sentence for people.
    pub about: &'static str,
}

/// A game that is made of a rules struct.
pub trait Ruled: Game + Sized {
    /// The game's name on the command line and in files.
    const NAME: &'static str;

    /// The rules of a variant, written out in full.
    type Rules: Clone + Send + Sync + PartialEq + Debug + Serialize + DeserializeOwned + JsonSchema;

    /// Fields that a custom variant sets on top of its base: every field of the rules, each
    /// optional.
    type Patch: Clone + Debug + Default + Serialize + DeserializeOwned + JsonSchema;

    /// The variants to list, the default one first.
    fn presets() -> Vec<Preset<Self::Rules>>;

    /// What to say of the names that are known but not listed; nothing if all are listed.
    const UNLISTED: &'static str = "";

    /// The rules of a variant by name; more names may be known than are listed.
    fn preset(name: &str) -> Option<Self::Rules> {
        let mut presets = Self::presets().into_iter();
        presets.find(|p| p.name == name).map(|p| p.rules)
    }

    /// The base with the patch's fields.
    fn patched(base: &Self::Rules, patch: &Self::Patch) -> Self::Rules;

    /// The game under these rules.
    ///
    /// # Errors
    /// Everything that is wrong with them, each fault with its field.
    fn new(rules: &Self::Rules) -> Result<Self>;

    /// The rules of this game.
    fn rules(&self) -> &Self::Rules;
}
