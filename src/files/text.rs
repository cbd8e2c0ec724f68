//! What is written by macros: values that stand in JSON as the text they are displayed as, and options
//! with what each is where a file leaves it out.

/// `defaults! { pub struct Options { pub field: Type = value, … } }`: a struct of options, and with it
/// what each is where a file leaves it out.
macro_rules! defaults {
    ($(#[$about:meta])* pub struct $name:ident {
        $($(#[$said:meta])* pub $field:ident: $type:ty = $value:expr,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name { $($(#[$said])* pub $field: $type,)+ }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $value,)+ }
            }
        }
    };
}
pub(crate) use defaults;

/// Makes a type that displays and parses stand as its text in JSON, as a string of this pattern in
/// a JSON Schema, and in what is printed for debugging.
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
                let text = std::borrow::Cow::<str>::deserialize(from)?;
                text.parse().map_err(serde::de::Error::custom)
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
pub(crate) use as_text;
