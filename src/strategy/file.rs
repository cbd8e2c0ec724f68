//! Where strategies are written: files, each perhaps with a base, and entries of experiments.

use std::fmt;

use schemars::JsonSchema;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Strategic;
use super::layers::{Layer, Layers, Step};
use crate::error::{Error, Result};
use crate::files::{Found, Origin, Shelf, digest, parse_json};

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
    pub spec: G::Spec,
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
        Strategy::laid(found, &layers_of::<G>(found)?)
    }

    /// The strategies of an experiment; `source` is the file that it stands in, if any.
    ///
    /// # Errors
    /// Bad input as for a file, or a name that is not free.
    pub fn resolve(specs: &[StrategySpec], source: Option<&Found>) -> Result<Vec<Strategy<G>>> {
        let known = Known { shelf: Shelf::strategies(G::NAME), specs, source };
        let each = specs.iter().map(|spec| match spec {
            StrategySpec::Named(name) => Strategy::load(&known.shelf, name),
            StrategySpec::Inline { name, fields } => {
                known.check_name(name)?;
                let layers = known.lay::<G>(known.entry(name, fields))?;
                let origin = source.map_or(Origin::Embedded, |found| found.origin.clone());
                Strategy::new(name, origin, layers.text(), &layers)
            }
        });
        each.collect()
    }

    /// A strategy file whose bases are laid under it.
    pub(super) fn laid(found: &Found, layers: &Layers) -> Result<Strategy<G>> {
        let text = if layers.is_single() { found.text.clone() } else { layers.text() };
        Strategy::new(&found.name, found.origin.clone(), text, layers)
    }

    fn new(name: &str, origin: Origin, text: String, layers: &Layers) -> Result<Strategy<G>> {
        if !G::KINDS.contains(&layers.kind()) {
            return Err(layers.unknown_kind(G::NAME, G::KINDS));
        }
        Ok(Strategy {
            name: name.to_owned(),
            about: layers.about().to_owned(),
            spec: G::spec(layers)?,
            origin,
            digest: digest(&text),
            text,
        })
    }
}

/// A strategy file, its bases laid under it.
pub(super) fn layers_of<G: Strategic>(found: &Found) -> Result<Layers> {
    let known = Known { shelf: Shelf::strategies(G::NAME), specs: &[], source: None };
    known.lay::<G>(file::<G>(found)?)
}

/// The strategies that may be a base: those of an experiment, and all that have a file.
struct Known<'a> {
    shelf: Shelf,
    specs: &'a [StrategySpec],
    /// The experiment's file.
    source: Option<&'a Found>,
}

impl Known<'_> {
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
    fn base<G: Strategic>(&self, wanted: &str) -> Result<Layer> {
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
    fn lay<G: Strategic>(&self, own: Layer) -> Result<Layers> {
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
            let next = self.base::<G>(&base).map_err(|error| layers[at].fault(&trail, error))?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Ruled;
    use crate::games::leapfrog::Leapfrog;
    use crate::games::leopard::Leopard;

    /// The strategies of an experiment file with these entries.
    fn entries(strategies: &str) -> Result<Vec<Strategy<Leopard>>> {
        #[derive(Deserialize)]
        struct Experiment {
            strategies: Vec<StrategySpec>,
        }
        let text = format!("{{\"strategies\": [\n{strategies}\n]}}");
        let found = Found::new("e", Origin::Embedded, text);
        let experiment: Experiment = parse_json("e.json", &found.text)?;
        Strategy::resolve(&experiment.strategies, Some(&found))
    }

    /// What is wrong with the only entry that is.
    fn fault(strategies: &str) -> String {
        entries(strategies).unwrap_err().to_string()
    }

    /// Files in a folder, each with the folder's name put in for `HERE`, and the first one read.
    fn file(files: &[(&str, &str)]) -> Result<Strategy<Leopard>> {
        let folder = tempfile::tempdir().unwrap();
        let here = folder.path().to_str().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text.replace("HERE", here)).unwrap();
        }
        let shelf = Shelf::strategies(Leopard::NAME);
        let read = Strategy::load(&shelf, folder.path().join(files[0].0).to_str().unwrap());
        read.map_err(|error| Error::input(error.to_string().replace(here, "HERE")))
    }

    #[test]
    fn an_entry_is_its_base_with_changes() {
        let base = Strategy::<Leopard>::load(&Shelf::strategies("leopard"), "steady").unwrap();
        let mine = entries(
            r#""steady", { "name": "bold", "base": "steady", "weights": { "danger": 0 } },
               { "name": "bolder", "base": "bold", "about": "x", "weights": { "threat": 9 } }"#,
        )
        .unwrap();
        let weights = |spec| serde_json::to_value(spec).unwrap()["weights"].clone();
        let mut wanted = weights(&base.spec);
        wanted["danger"] = 0.0.into();
        assert_eq!(weights(&mine[1].spec), wanted);
        assert_eq!(mine[1].about, r#"As steady with {"weights":{"danger":0}}"#);
        wanted["threat"] = 9.0.into();
        assert_eq!(weights(&mine[2].spec), wanted);
        assert_eq!((mine[2].name.as_str(), mine[2].about.as_str()), ("bolder", "x"));
        // Its text says the same without a base, so that a run's record needs no other file.
        let again = Found::new("bolder", Origin::Embedded, mine[2].text.clone());
        let again = Strategy::<Leopard>::read(&again).unwrap();
        assert_eq!((&again.spec, &again.digest), (&mine[2].spec, &mine[2].digest));
    }

    #[test]
    fn a_base_must_exist_and_its_chain_must_end() {
        let said = fault("{ \"name\": \"x\",\n  \"base\": \"stedy\" }");
        let start = "strategy `x`: line 3 column 8, field `strategies[0].base`: unknown strategy \
                     `stedy`. Did you mean `steady`?";
        assert!(said.starts_with(start), "{said}");
        let said = fault(r#"{ "name": "x", "base": "y" }, { "name": "y", "base": "x" }"#);
        let end = "field `strategies[1].base`: the chain of bases closes on itself: strategy `x`, \
                   then strategy `y`, and again strategy `x`";
        assert!(said.ends_with(end), "{said}");
        let said = file(&[
            ("a.json", r#"{ "base": "HERE/b.json" }"#),
            ("b.json", r#"{ "base": "HERE/b.json" }"#),
        ]);
        let said = said.unwrap_err().to_string();
        assert_eq!(
            said,
            "HERE/b.json: line 1 column 8, field `base`: the chain of bases closes on itself: \
             HERE/b.json, and again HERE/b.json"
        );
    }

    #[test]
    fn a_base_of_another_game_or_kind_is_refused() {
        let said = fault(r#"{ "name": "x", "base": "bayes" }"#);
        assert!(said.contains("field `strategies[0].base`: `bayes` is a strategy of eleusis, not"));
        let other = [("a.json", r#"{ "base": "HERE/b.json" }"#)];
        let said = file(&[other[0], ("b.json", r#"{ "kind": "greedy", "game": "leapfrog" }"#)]);
        let said = said.unwrap_err().to_string();
        let end = "field `game`: this is a strategy of leapfrog; a strategy of leopard is needed";
        assert!(said.starts_with("HERE/b.json: line 1") && said.ends_with(end), "{said}");

        let said = fault(r#"{ "name": "x", "base": "steady", "kind": "greedy" }"#);
        assert!(said.contains("steady.json: line 4 column 11, field `weights`"), "{said}");
        assert!(said.contains("unknown field `weights`") && said.contains("base of strategy `x`"));
        let plain = r#"{ "name": "x", "base": "steady", "kind": "greedy", "weights": null }"#;
        assert_eq!(entries(plain).unwrap()[0].text.lines().count(), 4);
    }

    #[test]
    fn a_fault_stands_where_it_was_said() {
        let said =
            fault("{ \"name\": \"x\", \"base\": \"steady\",\n \"weights\": { \"dangr\": 1 } }");
        let start = "strategy `x`: line 3 column 21, field `strategies[0].weights.dangr`: unknown \
                     field `dangr`. Did you mean `danger`?";
        assert!(said.starts_with(start), "{said}");
        let said = fault(r#"{ "name": "x", "base": "steady", "weights": { "danger": "1" } }"#);
        assert!(said.contains("`strategies[0].weights.danger`: invalid type: string"), "{said}");
        assert!(fault(r#"{ "name": "steady", "base": "brisk" }"#).contains("a file has this name"));
        assert!(fault(r#"{ "name": "a b", "base": "brisk" }"#).contains("1 to 60 letters"));
        assert!(fault(r#"{ "base": "brisk" }"#).contains("missing field `name`"));
        assert!(fault("{ \"name\": 1 }").contains("must be a string"));
        let specs = [
            StrategySpec::from("greedy"),
            StrategySpec::Inline {
                name: "x".to_owned(),
                fields: Map::from_iter([("kind".to_owned(), "gredy".into())]),
            },
        ];
        let said = Strategy::<Leapfrog>::resolve(&specs, None).unwrap_err().to_string();
        assert!(
            said.starts_with("strategy `x`: field `strategies[1].kind`: unknown kind of leapfrog")
        );
    }
}
