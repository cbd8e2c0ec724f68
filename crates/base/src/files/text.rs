//! Macros for option structs, and for types that are text in JSON.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error};

/// Defines a struct of options with their defaults: `defaults! { pub struct Options { pub field:
/// Type = value, … } }`.
#[macro_export]
macro_rules! defaults {
    ($(#[$about:meta])* pub struct $name:ident {
        $($(#[$field_about:meta])* pub $field:ident: $type:ty = $value:expr,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name { $($(#[$field_about])* pub $field: $type,)+ }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $value,)+ }
            }
        }
    };
}
pub use defaults;

/// The default `N` of a number, for `#[serde(default = "constant::<u8, 3>")]`.
pub fn constant<T: TryFrom<u64> + Default, const N: u64>() -> T {
    T::try_from(N).unwrap_or_default()
}

/// Implements `Debug`, serde and JSON Schema for a type that displays and parses: it is its text,
/// with this pattern.
#[macro_export]
macro_rules! as_text {
    ($type:ident, $pattern:literal) => {
        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                $crate::files::text::parsed(from)
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": $pattern })
            }
        }
    };
}
pub use as_text;

/// Parses a text.
///
/// # Errors
/// If the value is no text, or does not parse.
pub fn parsed<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: FromStr<Err: Display>,
    D: Deserializer<'de>,
{
    String::deserialize(from)?.parse().map_err(D::Error::custom)
}
