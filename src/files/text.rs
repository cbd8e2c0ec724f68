//! `#[serde(with = "…::text")]`: a value that stands in JSON as the text it is displayed as.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serializer};

/// Writes the text.
pub(crate) fn serialize<T: Display, S: Serializer>(value: &T, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(value)
}

/// Reads it back.
pub(crate) fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
    from: D,
) -> Result<T, D::Error> {
    Cow::<str>::deserialize(from)?.parse().map_err(serde::de::Error::custom)
}
