//! Where strategies are written: files, each perhaps with a base, and entries of experiments.

use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::kinds::{Kinds, out_of_range};
use super::layers::{Layer, Layers, Step};
use super::{Player, Spec, Strategic, flat};
use crate::error::{Error, Result};
use crate::files::{Found, Origin, Shelf, digest, parse_json, unknown};
use crate::search::Named;

/// A strategy as an experiment names it: a name or path, or an entry of its own.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum StrategySpec {
    /// A name, or a path.
    Named(String),
    /// A strategy that stands in the experiment: all fields of a strategy file may follow, or
    /// those that differ from its `base`.
    Inline {
        /// What to call it.
        name: String,
        /// What a file of it would say.
        #[serde(flatten)]
        fields: Map<String, Value>,
    },
}

impl From<String> for StrategySpec {
    fn from(name: String) -> StrategySpec {
        StrategySpec::Named(name)
    }
}

impl From<&str> for StrategySpec {
    fn from(name: &str) -> StrategySpec {
        StrategySpec::Named(name.to_owned())
    }
}

/// Written by hand, because the derived form (untagged) loses the place of an error.
impl<'de> Deserialize<'de> for StrategySpec {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        json.deserialize_any(SpecVisitor)
    }
}

struct SpecVisitor;

impl<'de> Visitor<'de> for SpecVisitor {
    type Value = StrategySpec;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a string (a strategy's name), or an object with `name`, `base` and what differs",
        )
    }

    fn visit_str<E>(self, name: &str) -> std::result::Result<StrategySpec, E> {
        Ok(StrategySpec::Named(name.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<StrategySpec, A::Error> {
        let mut fields = Map::deserialize(MapAccessDeserializer::new(map))?;
        match fields.shift_remove("name") {
            Some(Value::String(name)) => Ok(StrategySpec::Inline { name, fields }),
            Some(other) => Err(A::Error::custom(format!("`name` is {other}; it must be a string"))),
            None => Err(A::Error::missing_field("name")),
        }
    }
}

/// A strategy with its name and where it came from.
#[derive(Clone, Debug)]
pub struct Strategy<G: Strategic> {
    /// The file's name without `.json`, or the name that an experiment gives it.
    pub name: String,
    /// One sentence for people.
    pub about: String,
    /// What it says.
    pub spec: Spec<G::Kind>,
    /// Where the file was, its own or that of the experiment.
    pub origin: Origin,
    /// The digest of the text.
    pub digest: String,
    /// What it says in full: its file's text, or JSON without the base that was laid under it.
    pub text: String,
}

impl<G: Strategic> Strategy<G> {
    /// Loads a strategy by name or path.
    ///
    /// # Errors
    /// Bad input when there is none, or its file is wrong.
    pub fn load(shelf: &Shelf, wanted: &str) -> Result<Strategy<G>> {
        Strategy::read(&shelf.find(wanted)?)
    }

    /// Reads a strategy file.
    ///
    /// # Errors
    /// Bad input when it or a base of it is wrong, or of another game.
    pub fn read(found: &Found) -> Result<Strategy<G>> {
        let layers = Known::<G>::files().lay(file::<G>(found)?)?;
        let text = if layers.is_single() { found.text.clone() } else { layers.text() };
        Strategy::new(&found.name, found.origin.clone(), text, &layers)
    }

    /// The strategies of an experiment; `source` is the file that it stands in, if any.
    ///
    /// # Errors
    /// Bad input as for a file, or a name that is not free.
    pub fn resolve(specs: &[StrategySpec], source: Option<&Found>) -> Result<Vec<Strategy<G>>> {
        let known = Known::<G> { specs, source, ..Known::files() };
        let each = specs.iter().map(|spec| match spec {
            StrategySpec::Named(name) => Strategy::load(&known.shelf, name),
            StrategySpec::Inline { name, fields } => {
                known.check_name(name)?;
                let layers = known.lay(known.entry(name, fields))?;
                let origin = source.map_or(Origin::Embedded, |found| found.origin.clone());
                Strategy::new(name, origin, layers.text(), &layers)
            }
        });
        each.collect()
    }

    fn new(name: &str, origin: Origin, text: String, layers: &Layers) -> Result<Strategy<G>> {
        let kind = kind::<G>(layers)?;
        let mut spec = Spec::from(kind);
        if let Ok(Player::Search(search)) = G::player(&spec.kind) {
            let named = search.named().into_iter().map(|it| (it, reflex::<G>(it)));
            let (mut found, mut faults) = (BTreeMap::new(), Vec::new());
            for (it, reflex) in named {
                match reflex {
                    Ok(kind) => _ = found.insert(it.name.to_owned(), kind),
                    Err(error) => faults.push((steps(it.field), error.into())),
                }
            }
            if !faults.is_empty() {
                return Err(layers.faults(faults));
            }
            spec.named = found;
        }
        Ok(Strategy {
            name: name.to_owned(),
            about: layers.about().to_owned(),
            spec,
            origin,
            digest: digest(&text),
            text,
        })
    }
}

/// What layers say together, as a kind of the game whose options are checked.
fn kind<G: Strategic>(layers: &Layers) -> Result<G::Kind> {
    let kinds = Kinds::of::<G::Kind>();
    let Some(schema) = kinds.get(layers.kind()) else {
        let what = format!("kind of {} strategy", G::NAME);
        let what = unknown(&what, layers.kind(), kinds.names());
        return Err(layers.fault(&[Step::field("kind")], what));
    };
    let is_grouped = !schema["properties"]["playouts"].is_null();
    if let Some(old) = flat::old_option(layers.kind(), layers.merged()).filter(|_| is_grouped) {
        let what = "this is the form that searches had before their options stood in groups; \
                    `parlour migrate FILE` rewrites it";
        return Err(layers.fault(&[Step::field(old)], what));
    }
    let kind: G::Kind = layers.read()?;
    let mut faults = out_of_range(schema, &Value::Object(layers.merged().clone()));
    match G::player(&kind) {
        Ok(Player::Search(search)) => {
            faults.extend(search.fault().map(|(field, what)| (steps(field), what.into())));
        }
        Ok(_) => {}
        Err(all) => faults.extend(all.into_iter().map(|what| (Vec::new(), what.into()))),
    }
    if faults.is_empty() { Ok(kind) } else { Err(layers.faults(faults)) }
}

fn steps(field: &[&str]) -> Vec<Step> {
    field.iter().map(|name| Step::field(name)).collect()
}

/// The strategy that a search names; it must not search, and estimate chances where it judges.
fn reflex<G: Strategic>(it: Named<'_>) -> Result<G::Kind> {
    let name = it.name;
    let found = Shelf::strategies(G::NAME).find(name)?;
    let kind = kind::<G>(&Known::<G>::files().lay(file::<G>(&found)?)?)?;
    let judges = match G::player(&kind) {
        Ok(Player::Reflex(reflex)) => reflex.judges(),
        _ => return Err(Error::input(format!("`{name}` itself searches"))),
    };
    match it.judges && !judges {
        true => Err(Error::input(format!("`{name}` has no estimate of the chance to win"))),
        false => Ok(kind),
    }
}

/// The strategies that may be a base: those of an experiment, and all that have a file.
struct Known<'a, G> {
    shelf: Shelf,
    specs: &'a [StrategySpec],
    /// The experiment's file.
    source: Option<&'a Found>,
    game: PhantomData<G>,
}

impl<G: Strategic> Known<'_, G> {
    /// Those that have a file.
    fn files() -> Self {
        let shelf = Shelf::strategies(G::NAME);
        Known { shelf, specs: &[], source: None, game: PhantomData }
    }

    /// Whether an entry of the experiment may have this name.
    fn check_name(&self, name: &str) -> Result<()> {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        let what = if name.is_empty() || name.len() > 60 || !name.chars().all(plain) {
            "its name must be 1 to 60 letters, digits, `-`, `_` or `.`"
        } else if self.shelf.names().iter().any(|known| known == name) {
            "a file has this name already; choose one of its own"
        } else {
            return Ok(());
        };
        Err(Error::input(format!("strategy `{name}`: {what}")))
    }

    /// An entry of the experiment.
    fn entry(&self, name: &str, fields: &Map<String, Value>) -> Layer {
        let is_it = |spec: &StrategySpec| matches!(spec, StrategySpec::Inline { name: own, .. } if own == name);
        let index = self.specs.iter().position(is_it).unwrap_or(0);
        Layer {
            place: format!("strategy `{name}`"),
            text: self.source.map(|found| found.text.clone()),
            within: vec![Step::field("strategies"), Step::Item(index)],
            said: fields.clone(),
        }
    }

    /// A base by name or path.
    fn base(&self, wanted: &str) -> Result<Layer> {
        let entry = self.specs.iter().find_map(|spec| match spec {
            StrategySpec::Inline { name, fields } if name == wanted => Some((name, fields)),
            _ => None,
        });
        match entry {
            Some((name, fields)) => Ok(self.entry(name, fields)),
            None => file::<G>(&self.shelf.find(wanted)?),
        }
    }

    /// Lays its bases under a strategy.
    fn lay(&self, own: Layer) -> Result<Layers> {
        let mut layers = vec![own];
        loop {
            let at = layers.len() - 1;
            let game = layers[at].take_text("game")?;
            if let Some(game) = game.filter(|game| game != G::NAME) {
                let what = other_game(&game, G::NAME);
                return Err(layers[at].fault(&[Step::field("game")], what));
            }
            let Some(base) = layers[at].take_text("base")? else { return Layers::new(layers) };
            if at == 0 && !layers[0].said.contains_key("about") {
                let about = format!("As {base} with {}", Value::Object(layers[0].said.clone()));
                layers[0].said.insert("about".to_owned(), about.into());
            }
            let trail = [Step::field("base")];
            let next = self.base(&base).map_err(|error| layers[at].fault(&trail, error))?;
            if let Some(first) = layers.iter().position(|layer| layer.place == next.place) {
                let chain: Vec<&str> = layers[first..].iter().map(|l| l.place.as_str()).collect();
                let what = format!(
                    "the chain of bases closes on itself: {}, and again {}",
                    chain.join(", then "),
                    next.place
                );
                return Err(layers[at].fault(&trail, what));
            }
            layers.push(next);
        }
    }
}

/// A strategy file as it is.
fn file<G: Strategic>(found: &Found) -> Result<Layer> {
    let place = found.place();
    if let Some(game) = folder_game(found).filter(|game| *game != G::NAME) {
        return Err(Error::input(other_game(&game, G::NAME)).in_file(&place));
    }
    let said = parse_json(&place, &found.text)?;
    Ok(Layer { place, text: Some(found.text.clone()), within: Vec::new(), said })
}

fn other_game(is: &str, wanted: &str) -> String {
    format!("this is a strategy of {is}; a strategy of {wanted} is needed")
}

/// The game whose strategies the file's folder holds, where the folder has a game's name.
fn folder_game(found: &Found) -> Option<String> {
    let Origin::File(path) = &found.origin else { return None };
    let folder = path.parent()?.file_name()?.to_str()?;
    Shelf::has_strategies_of(folder).then(|| folder.to_owned())
}
