//! Variants as data.

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use super::Game;
use parlour_base::error::{Error, Result, unknown};
use parlour_base::files::read_value;

/// A named variant.
pub struct Preset<R> {
    /// Name.
    pub name: &'static str,
    /// Complete rules.
    pub rules: R,
    /// Description in one sentence.
    pub about: &'static str,
}

/// A game with a rules struct and named variants.
pub trait Ruled: Game<View: JsonSchema> {
    /// The name of the game on the command line and in files.
    const NAME: &'static str;

    /// The complete rules of a variant.
    type Rules: Clone + Send + Sync + PartialEq + Debug + Serialize + DeserializeOwned + JsonSchema;

    /// The changes of a custom variant: every field of the rules, each optional.
    type Patch: Clone + Debug + Default + Serialize + DeserializeOwned + JsonSchema;

    /// The rules of play for people, then the sections `# Sources`, `# Fixed`, `# Now` and `# Moves`; see
    /// [`Rulebook`]. A paragraph ends at an empty line. A line may begin with conditions, `[field=value]` or
    /// `[field!=value|value]`; `{field}` stands for the field's value.
    ///
    /// [`Rulebook`]: crate::Rulebook
    const RULES_TEXT: &'static str = "";

    /// The listed variants, the default one first.
    fn presets() -> Vec<Preset<Self::Rules>>;

    /// A note on names that are known but not listed; empty if all are listed.
    const UNLISTED: &'static str = "";

    /// The rules of a named variant; unlisted names may be known as well.
    fn preset(name: &str) -> Option<Self::Rules> {
        let mut presets = Self::presets().into_iter();
        presets.find(|p| p.name == name).map(|p| p.rules)
    }

    /// The [rules](Ruled::preset) of a named variant.
    ///
    /// # Errors
    /// Bad input if the name is unknown; the message lists the names and the nearest one.
    fn named(name: &str) -> Result<Self::Rules> {
        Self::preset(name).ok_or_else(|| {
            let (what, known) = (format!("variant of {}", Self::NAME), Self::presets());
            Error::input(
                unknown(&what, name, known.iter().map(|p| p.name)).with_note(Self::UNLISTED),
            )
        })
    }

    /// Applies the changes to a base.
    fn patched(base: &Self::Rules, patch: &Self::Patch) -> Self::Rules;

    /// The reason why two changed fields exclude each other, if they do.
    fn conflict(_patch: &Self::Patch) -> Option<&'static str> {
        None
    }

    /// The changes that turn any rules into these.
    fn patch_of(rules: &Self::Rules) -> Self::Patch {
        read_value(rules).unwrap_or_default()
    }

    /// Creates the game under these rules.
    ///
    /// # Errors
    /// All faults of the rules with their fields.
    fn new(rules: &Self::Rules) -> Result<Self>;

    /// The rules of this game.
    fn rules(&self) -> &Self::Rules;
}

/// `presets! { /// Description  "name" => rules; … }`: the variants of a game.
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

/// Defines the rules struct of a game and its patch, which has the same fields as options. The
/// literals are their names in the JSON Schema.
///
/// A field may have a range, `[1..=4]`, which appears in the documentation and the schema and is
/// checked by `ranges`. A field with `= "path"` may be missing in files; that function gives its
/// value. A new field needs one, so that older records stay readable.
#[macro_export]
macro_rules! rules {
    ($rules:literal, $patch:literal,
     $($(#[$doc:meta])* $field:ident: $kind:ty $([$low:literal..=$high:literal])?
       $(= $default:literal)?,)*) => {
        /// The complete rules of a variant.
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

        /// The changed rules of a custom variant.
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
                    deserialize_with = "::parlour_game::rules::some_value"
                )]
                pub $field: Option<$kind>,
            )*
        }

        impl Patch {
            /// Applies the changes to a base.
            #[must_use]
            pub fn over(&self, base: &Rules) -> Rules {
                Rules { $($field: self.$field.clone().unwrap_or_else(|| base.$field.clone()),)* }
            }
        }

        impl Rules {
            /// All fields that are out of range.
            fn ranges(&self) -> ::parlour_base::error::Faults {
                let mut faults = ::parlour_base::error::Faults::default();
                $($(faults.range(stringify!($field), self.$field, $low..=$high);)?)*
                faults
            }
        }
    };
}
pub use rules;

/// Reads a field of a patch; `null` is an ordinary value where the field allows it.
pub fn some_value<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<T>, D::Error> {
    T::deserialize(from).map(Some)
}
