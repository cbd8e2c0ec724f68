//! Variants as an experiment names them.

use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Ruled, Sweep};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{field_path, parse_json, read_text, read_value};

/// The part of an experiment that names its game; the rest is read once the game is known.
#[derive(Clone, Debug, Deserialize)]
pub struct Head {
    /// The game's name.
    pub game: String,
}

/// A variant as it is written: a name (of a preset, or of a rules file ending in `.json`), or a
/// base and the rules to change.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum VariantSpec<P> {
    /// A name.
    Named(String),
    /// A custom variant.
    Custom {
        /// Its name.
        name: String,
        /// The variant it starts from.
        base: String,
        /// The changed rules.
        #[serde(flatten)]
        patch: P,
    },
    /// A variant for each combination of values.
    Sweep {
        /// Name pattern: each `{field}` is its value, and what the name leaves out follows it;
        /// the base's name when left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The variant they start from.
        base: String,
        /// The rules that all of them change.
        #[serde(flatten)]
        patch: P,
        /// The swept rules.
        sweep: Sweep,
    },
}

impl<P: DeserializeOwned> VariantSpec<P> {
    /// The variant with this number of seats.
    ///
    /// # Errors
    /// Bad input if the game has a fixed number of seats, or a file would have to be changed.
    pub fn seating<G: Ruled<Patch = P>>(self, seats: u8) -> Result<VariantSpec<P>> {
        let usual = Variant::<G>::resolve(&self)?.game.seats();
        if usual == usize::from(seats) {
            return Ok(self);
        }
        let (VariantSpec::Named(variant)
        | VariantSpec::Custom { name: variant, .. }
        | VariantSpec::Sweep { base: variant, .. }) = &self;
        let patch = serde_json::from_value(json!({ "seats": seats })).map_err(|_| {
            Error::input(format!("`--seats` is {seats}; every table of {} has {usual}", G::NAME))
        })?;
        let is_preset = matches!(self, VariantSpec::Named(_)) && !variant.ends_with(".json");
        ensure(is_preset, || {
            Error::input(format!("`--seats`: write `\"seats\": {seats}` into {variant}"))
        })?;
        let name = format!("{variant}-{seats}-seats");
        Ok(VariantSpec::Custom { name, base: variant.clone(), patch })
    }
}

impl<P> From<&str> for VariantSpec<P> {
    fn from(name: &str) -> VariantSpec<P> {
        VariantSpec::Named(name.to_owned())
    }
}

impl<P> From<&String> for VariantSpec<P> {
    fn from(name: &String) -> VariantSpec<P> {
        VariantSpec::Named(name.clone())
    }
}

impl<P: Default> VariantSpec<P> {
    /// The same swept; none where it is a sweep already.
    pub fn swept(self, sweep: &Sweep) -> Option<VariantSpec<P>> {
        let (name, base, patch) = match self {
            VariantSpec::Named(base) => (None, base, P::default()),
            VariantSpec::Custom { name, base, patch } => (Some(name), base, patch),
            VariantSpec::Sweep { .. } => return None,
        };
        Some(VariantSpec::Sweep { name, base, patch, sweep: sweep.clone() })
    }
}

impl<P> VariantSpec<P> {
    /// The sweep, if it is one.
    pub fn sweep(&self) -> Option<&Sweep> {
        match self {
            VariantSpec::Sweep { sweep, .. } => Some(sweep),
            _ => None,
        }
    }

    /// The number of variants that it stands for.
    pub fn count(&self) -> u128 {
        self.sweep().map_or(1, Sweep::count)
    }
}

/// A variant with its rules in full.
#[derive(Clone, Debug)]
pub struct Variant<G> {
    /// Its name.
    pub name: String,
    /// The game under its rules.
    pub game: G,
}

impl<G: Ruled> Variant<G> {
    /// The named variant of the game.
    ///
    /// # Errors
    /// Bad input when there is none.
    pub fn named(name: &str) -> Result<Variant<G>> {
        if name.ends_with(".json") {
            let text = read_text(name.as_ref())?;
            let variant = Variant::resolve(&parse_json(name, &text)?);
            return variant.map_err(|error| error.in_file(name));
        }
        let rules = G::named(name)?;
        Variant::checked(name, &rules)
    }

    /// All variants that the game lists.
    ///
    /// # Errors
    /// When one of them cannot be played.
    pub fn all() -> Result<Vec<Variant<G>>> {
        G::presets().iter().map(|preset| Variant::named(preset.name)).collect()
    }

    /// The variant that was written.
    ///
    /// # Errors
    /// Bad input: an unknown name or base, a name that is taken, rules out of range.
    pub fn resolve(spec: &VariantSpec<G::Patch>) -> Result<Variant<G>> {
        match spec {
            VariantSpec::Named(name) => Variant::named(name),
            VariantSpec::Custom { name, base, patch } => {
                let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
                let wrong = if G::preset(name).is_some() {
                    format!("`{name}` is the name of another variant; choose one of its own")
                } else if name.is_empty() || name.len() > 60 || !name.chars().all(plain) {
                    "its name must be 1 to 60 letters, digits, `-`, `_` or `.`".to_owned()
                } else if let Some(conflict) = G::conflict(patch) {
                    conflict.to_owned()
                } else {
                    let rules = G::patched(&G::named(base)?, patch);
                    return Variant::checked(name, &rules);
                };
                Err(Error::input(format!("variant `{name}`: {wrong}")))
            }
            VariantSpec::Sweep { .. } => Err(Error::input(
                "a `sweep` stands for several variants; it belongs into an experiment",
            )),
        }
    }

    /// The variant that is spelled out.
    ///
    /// # Errors
    /// Bad input when this program has no such rules.
    pub fn spelled(name: &str, rules: &serde_json::Value) -> Result<Variant<G>> {
        let rules: G::Rules = read_value(rules).map_err(|(way, what)| {
            let field = field_path(&format!("/rules{way}"));
            Error::input(what).in_field(&field).in_part(format!("variant `{name}`"))
        })?;
        Variant::checked(name, &rules)
    }

    fn checked(name: &str, rules: &G::Rules) -> Result<Variant<G>> {
        let game = G::new(rules).map_err(|error| error.in_part(format!("variant `{name}`")))?;
        Ok(Variant { name: name.to_owned(), game })
    }
}

/// Written by hand, because the derived forms (untagged, flattened) lose the place of an error.
impl<'de, P: DeserializeOwned> Deserialize<'de> for VariantSpec<P> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        deserializer.deserialize_any(SpecVisitor(PhantomData))
    }
}

struct SpecVisitor<P>(PhantomData<P>);

impl<'de, P: DeserializeOwned> Visitor<'de> for SpecVisitor<P> {
    type Value = VariantSpec<P>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a variant's name, or an object with `name`, `base` and rules")
    }

    fn visit_str<E>(self, name: &str) -> std::result::Result<Self::Value, E> {
        Ok(VariantSpec::Named(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> std::result::Result<Self::Value, A::Error> {
        let (mut name, mut base, mut sweep) = (None, None, None);
        let rest = Rest { inner, name: &mut name, base: &mut base, sweep: &mut sweep };
        let patch = P::deserialize(MapAccessDeserializer::new(rest))?;
        let missing = serde::de::Error::missing_field;
        let base = base.ok_or_else(|| missing("base"));
        if let Some(sweep) = sweep {
            return Ok(VariantSpec::Sweep { name, base: base?, patch, sweep });
        }
        let name = name.ok_or_else(|| missing("name"))?;
        let base = base?;
        Ok(VariantSpec::Custom { name, base, patch })
    }
}

/// A map without its `name`, `base` and `sweep`, which are put aside.
struct Rest<'a, A> {
    inner: A,
    name: &'a mut Option<String>,
    base: &'a mut Option<String>,
    sweep: &'a mut Option<Sweep>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Rest<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> std::result::Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.inner.next_key::<String>()? {
            match key.as_str() {
                "name" => *self.name = Some(self.inner.next_value()?),
                "base" => *self.base = Some(self.inner.next_value()?),
                "sweep" => *self.sweep = Some(self.inner.next_value()?),
                _ => {
                    let found: std::result::Result<_, A::Error> =
                        seed.deserialize(key.into_deserializer());
                    // A patch lists its own fields only.
                    return found.map(Some).map_err(|error| match error.to_string() {
                        said if said.starts_with("unknown field") => {
                            serde::de::Error::custom(format!("{said}, `name`, `base`, `sweep`"))
                        }
                        _ => error,
                    });
                }
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> std::result::Result<V::Value, A::Error> {
        self.inner.next_value_seed(seed)
    }
}
