//! Multisets of cards as lists in JSON.

/// Implements `FromIterator`, `Debug`, serde and JSON Schema for a multiset, as the list of its
/// cards with copies adjacent. The type has `EMPTY`, `cards` and `add`, which returns `false` if
/// there is no room; `$most` describes that limit.
macro_rules! as_list {
    ($type:ident, $schema:literal, $most:literal) => {
        impl FromIterator<Card> for $type {
            fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> $type {
                let mut all = $type::EMPTY;
                cards.into_iter().for_each(|card| _ = all.add(card));
                all
            }
        }

        impl std::fmt::Debug for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_list().entries(self.cards()).finish()
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_seq(self.cards())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<$type, D::Error> {
                let mut all = $type::EMPTY;
                let over = Vec::<Card>::deserialize(from)?.into_iter().find(|card| !all.add(*card));
                let what = |card| format!(concat!("`{}` is named more than ", $most), card);
                over.map_or(Ok(all), |card| Err(serde::de::Error::custom(what(card))))
            }
        }

        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $schema.into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                Vec::<Card>::json_schema(generator)
            }
        }
    };
}
pub(super) use as_list;
