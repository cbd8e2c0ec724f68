//! Variants as data.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::Game;
use crate::error::{Error, Result, unknown};
use crate::files::read_value;

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
pub trait Ruled: Game<View: JsonSchema> + Sized {
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

    /// The [rules](Ruled::preset) of this name, or what is known.
    ///
    /// # Errors
    /// Bad input when there is none of this name: which there are, and the nearest.
    fn named(name: &str) -> Result<Self::Rules> {
        Self::preset(name).ok_or_else(|| {
            let (what, known) = (format!("variant of {}", Self::NAME), Self::presets());
            Error::input(
                unknown(&what, name, known.iter().map(|p| p.name)).with_note(Self::UNLISTED),
            )
        })
    }

    /// The base with the patch's fields.
    fn patched(base: &Self::Rules, patch: &Self::Patch) -> Self::Rules;

    /// Why two fields that a custom variant sets cannot both be set; nothing if they can.
    fn conflict(_patch: &Self::Patch) -> Option<&'static str> {
        None
    }

    /// The patch that makes these rules of any others.
    fn patch_of(rules: &Self::Rules) -> Self::Patch {
        read_value(rules).unwrap_or_default()
    }

    /// The game under these rules.
    ///
    /// # Errors
    /// Everything that is wrong with them, each fault with its field.
    fn new(rules: &Self::Rules) -> Result<Self>;

    /// The rules of this game.
    fn rules(&self) -> &Self::Rules;
}

/// `presets! { /// What it is  "name" => rules; … }`: the variants of a game.
#[macro_export]
macro_rules! presets {
    ($($(#[doc = $about:literal])+ $name:literal => $rules:expr;)+) => {
        vec![$($crate::Preset {
            name: $name,
            rules: $rules,
            about: concat!($($about),+).trim_ascii(),
        }),+]
    };
}
pub use presets;

/// Makes the struct of a game's rules and, beside it, the patch of the same fields that a custom
/// variant sets on top of its base; the literals are their names in a JSON Schema.
///
/// A field may have a range, `[1..=4]`: the documentation and the schema tell it, and `ranges` checks
/// it. A field with `= "path"` may be absent from written rules; that function says what it is then.
/// A field that is added later needs one, so that no older record becomes unreadable.
#[macro_export]
macro_rules! rules {
    ($rules:literal, $patch:literal,
     $($(#[$doc:meta])* $field:ident: $kind:ty $([$low:literal..=$high:literal])?
       $(= $default:literal)?,)*) => {
        /// The rules of one variant in full.
        #[derive(
            Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[serde(deny_unknown_fields)]
        #[schemars(rename = $rules)]
        pub struct Rules {
            $(
                $(#[$doc])*
                $(#[doc = concat!("From ", $low, " to ", $high, ".")])?
                $(#[schemars(range(min = $low, max = $high))])?
                $(#[serde(default = $default)])?
                pub $field: $kind,
            )*
        }

        /// The rules that a custom variant sets on top of its base.
        #[derive(
            Clone, PartialEq, Eq, Debug, Default,
            serde::Serialize, serde::Deserialize, schemars::JsonSchema,
        )]
        #[serde(deny_unknown_fields)]
        #[schemars(rename = $patch)]
        pub struct Patch {
            $(
                $(#[$doc])*
                $(#[doc = concat!("From ", $low, " to ", $high, ".")])?
                $(#[schemars(range(min = $low, max = $high))])?
                #[serde(
                    default,
                    skip_serializing_if = "Option::is_none",
                    deserialize_with = "::parlour_game::rules::said"
                )]
                pub $field: Option<$kind>,
            )*
        }

        impl Patch {
            /// The base with the fields that are set here.
            #[must_use]
            pub fn over(&self, base: &Rules) -> Rules {
                Rules { $($field: self.$field.clone().unwrap_or_else(|| base.$field.clone()),)* }
            }
        }

        impl Rules {
            /// Every field that is out of its range.
            fn ranges(&self) -> ::parlour_base::error::Faults {
                let mut faults = ::parlour_base::error::Faults::default();
                $($(faults.range(stringify!($field), self.$field, $low..=$high);)?)*
                faults
            }
        }
    };
}
pub use rules;

/// What a patch says of a field. `null` is a value like any other, where the field has it.
pub fn said<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}
