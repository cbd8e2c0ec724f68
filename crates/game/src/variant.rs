//! Variants as an experiment names them.

use std::path::Path;

use itertools::Itertools;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use crate::entry::{InlineEntry, name_problem, named_or_inline};
use crate::{Ruled, Sweep};
use parlour_base::error::{Error, Problem, Result, ensure};
use parlour_base::files::{
    Origin, SourceFile, child_pointer, field_path, located, named_in, parse_json, read_text,
    read_value,
};

/// The part of an experiment that names its game; the rest is read once the game is known.
#[derive(Clone, Debug, Deserialize)]
pub struct Head {
    /// The game's name.
    pub game: String,
}

/// A variant as it is written: a name (of a preset, or of a rules file ending in `.json`), or a
/// base and the rules to change.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum VariantSpec {
    /// A name.
    Named(String),
    /// A custom variant, or one for each combination of values.
    Inline {
        /// Its name. For a sweep a pattern, in which each `{field}` is replaced by its value and
        /// other values are appended; by default the name of the base.
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// The variant it starts from. Empty if missing, which [`patch`](VariantSpec::patch) refuses
        /// once it has named misspelled fields.
        base: String,
        /// The changed rules.
        #[serde(flatten)]
        patch: Map<String, Value>,
        /// The swept rules.
        #[serde(skip_serializing_if = "Option::is_none")]
        sweep: Option<Sweep>,
    },
}

impl VariantSpec {
    /// The variant with this number of seats.
    ///
    /// # Errors
    /// Bad input if the game has a fixed number of seats, or a file would have to be changed.
    pub fn seating<G: Ruled>(self, seats: u8) -> Result<VariantSpec> {
        let usual = Variant::<G>::resolve(&self)?.game.seats();
        if usual == usize::from(seats) {
            return Ok(self);
        }
        let variant = match &self {
            VariantSpec::Named(name) | VariantSpec::Inline { name: Some(name), .. } => name,
            VariantSpec::Inline { base, .. } => base,
        };
        let patch: Map<String, Value> = [("seats".to_owned(), seats.into())].into_iter().collect();
        ensure(read_value::<G::Patch>(&patch).is_ok(), || {
            Error::input(format!("`--seats` is {seats}; every table of {} has {usual}", G::NAME))
        })?;
        let is_preset = matches!(self, VariantSpec::Named(_)) && !variant.ends_with(".json");
        ensure(is_preset, || {
            Error::input(format!("`--seats`: write `\"seats\": {seats}` into {variant}"))
        })?;
        let name = Some(format!("{variant}-{seats}-seats"));
        Ok(VariantSpec::Inline { name, base: variant.clone(), patch, sweep: None })
    }

    /// The same variant with a sweep; `None` if it has one already.
    pub fn swept(self, sweep: &Sweep) -> Option<VariantSpec> {
        let (name, base, patch) = match self {
            VariantSpec::Named(base) => (None, base, Map::new()),
            VariantSpec::Inline { name, base, patch, sweep: None } => (name, base, patch),
            VariantSpec::Inline { .. } => return None,
        };
        Some(VariantSpec::Inline { name, base, patch, sweep: Some(sweep.clone()) })
    }

    /// The sweep, if there is one.
    pub fn sweep(&self) -> Option<&Sweep> {
        match self {
            VariantSpec::Inline { sweep, .. } => sweep.as_ref(),
            VariantSpec::Named(_) => None,
        }
    }

    /// The number of variants.
    pub fn count(&self) -> u128 {
        self.sweep().map_or(1, Sweep::count)
    }

    /// Reads the changed rules, and checks that there is a base and a name or a sweep. `place` is the
    /// JSON pointer of the variant in its file.
    ///
    /// # Errors
    /// Bad input, with its place.
    pub fn patch<G: Ruled>(&self, place: &str, file: Option<&SourceFile>) -> Result<G::Patch> {
        let VariantSpec::Inline { name, base, patch, sweep } = self else {
            return Ok(G::Patch::default());
        };
        let fault = |pointer: &str, problem: Problem| {
            located(Error::input(problem), &format!("{place}{pointer}"), file)
        };
        let patch = read_value(patch).map_err(|(pointer, mut problem)| {
            if let Problem::UnknownName(unknown) = &mut problem
                && pointer == child_pointer("", &unknown.name)
            {
                unknown.known.extend(["name", "about", "base", "sweep"].map(str::to_owned));
            }
            fault(&pointer, problem)
        })?;
        ensure(!base.is_empty(), || fault("", "missing field `base`".into()))?;
        ensure(name.is_some() || sweep.is_some(), || fault("", "missing field `name`".into()))?;
        Ok(patch)
    }
}

impl<T: Into<String>> From<T> for VariantSpec {
    fn from(name: T) -> VariantSpec {
        VariantSpec::Named(name.into())
    }
}

impl<'de> Deserialize<'de> for VariantSpec {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<VariantSpec, D::Error> {
        named_or_inline(from, |mut entry| {
            let name = entry.take("name")?;
            let base = entry.take("base")?.unwrap_or_default();
            entry.take("about")?;
            let InlineEntry { sweep, fields: patch } = entry;
            Ok(VariantSpec::Inline { name, base, patch, sweep })
        })
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
    /// The named variant of the game, or that of a rules file, which is named after its file by default.
    ///
    /// # Errors
    /// Bad input when there is none.
    pub fn named(name: &str) -> Result<Variant<G>> {
        Variant::find(name, &mut Vec::new())
    }

    /// The named variant; `files` lead to it by their bases.
    fn find(name: &str, files: &mut Vec<String>) -> Result<Variant<G>> {
        if !name.ends_with(".json") {
            return Variant::checked(name, &G::named(name)?);
        }
        files.push(name.to_owned());
        ensure(files.iter().all_unique(), || {
            Error::input(format!("cyclic `base`: {}", files.join(" → ")))
        })?;
        let file = SourceFile::new(name, Origin::Given, read_text(name.as_ref())?);
        let mut spec: VariantSpec = parse_json(name, &file.text)?;
        if let VariantSpec::Inline { name: own @ None, sweep: None, .. } = &mut spec {
            *own = Path::new(name).file_stem().map(|stem| stem.to_string_lossy().into_owned());
        }
        if let VariantSpec::Inline { base, .. } = &mut spec
            && base.ends_with(".json")
        {
            *base = named_in(name.as_ref(), base);
        }
        let variant = spec.patch::<G>("", Some(&file)).and_then(|_| Variant::over(&spec, files));
        variant.map_err(|error| error.in_file(name))
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
    pub fn resolve(spec: &VariantSpec) -> Result<Variant<G>> {
        Variant::over(spec, &mut Vec::new())
    }

    fn over(spec: &VariantSpec, files: &mut Vec<String>) -> Result<Variant<G>> {
        let patch = spec.patch::<G>("", None)?;
        match spec {
            VariantSpec::Named(name) => Variant::find(name, files),
            VariantSpec::Inline { name: Some(name), base, sweep: None, .. } => {
                let wrong = if G::preset(name).is_some() {
                    format!("`{name}` is the name of another variant; choose one of its own")
                } else if let Some(problem) = name_problem(name) {
                    problem.to_owned()
                } else if let Some(conflict) = G::conflict(&patch) {
                    conflict.to_owned()
                } else {
                    let base = Variant::<G>::find(base, files)?;
                    let rules = G::patched(base.game.rules(), &patch);
                    return Variant::checked(name, &rules);
                };
                Err(Error::input(format!("variant `{name}`: {wrong}")))
            }
            VariantSpec::Inline { .. } => {
                Err(Error::input("a `sweep` is for several variants; it belongs in an experiment"))
            }
        }
    }

    /// The variant that is spelled out.
    ///
    /// # Errors
    /// Bad input when this program has no such rules.
    pub fn spelled(name: &str, rules: &Value) -> Result<Variant<G>> {
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
