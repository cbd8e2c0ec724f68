//! What an experiment asks, as it is written: a figure between variants or strategies, a pairing, how
//! far a strategy can be beaten, or a trend over a value that differs.
//! [`Asked`](crate::results::Asked) is what it comes to.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{Deserializer, Error, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

/// What the run is to answer. Its comparisons are corrected for their own number; all others are
/// exploratory.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// A figure, or a list of them: columns of `variants.csv`. `score` and `rating` ask for the
    /// strategies.
    #[serde(default, deserialize_with = "one_or_more", skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "OneOrMore")]
    pub figure: Vec<String>,
    /// The variants between which it is asked for (of `score`: the strategies); the first is
    /// compared with each other. All when left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub between: Vec<String>,
    /// Two strategies: which is stronger, and by how much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairing: Option<[String; 2]>,
    /// Two strategies, of which the first was made to beat the second: how far it does, which bounds
    /// from below how far the second can be beaten.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exploit: Option<[String; 2]>,
    /// Under which variant strategies are compared; under each when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// A number of the rules, or of the strategies, over which the figure's trend is asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
}

/// How one or more names are written.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it stands in the schema only")]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// Reads a name, or a list of them.
fn one_or_more<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    struct Names;

    impl<'de> Visitor<'de> for Names {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a figure's name, or a list of them")
        }

        fn visit_str<E: Error>(self, name: &str) -> Result<Vec<String>, E> {
            Ok(vec![name.to_owned()])
        }

        fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Vec<String>, A::Error> {
            Vec::deserialize(SeqAccessDeserializer::new(list))
        }
    }

    from.deserialize_any(Names)
}
