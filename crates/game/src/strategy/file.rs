//! Strategies read from their files, each perhaps with a base, and from entries of experiments.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::entry::StrategySpec;
use super::kinds::{Kinds, out_of_range};
use super::layers::{Layer, Layers};
use super::{Player, Spec, Strategic, Tuned, flat};
use crate::error::{Error, Result, gather};
use crate::files::{Found, Origin, Shelf, digest, on_its_line, parse_json, read_value, unknown};
use crate::search::Named;
use crate::sweep::{self, Combination};

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
    /// What its numbers were tuned for, where it says so.
    pub tuned: Option<Tuned>,
    /// Whether it is there for research: a list of strategies need not show it.
    pub research: bool,
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
        let layers = Known::of::<G>().lay(file(G::NAME, found)?)?;
        Strategy::new(&found.name, found.origin.clone(), &layers)
    }

    /// The strategies of an experiment, for each entry one, or as many as it sweeps; `source` is the
    /// file that it stands in, if any. A combination that changes nothing is the base itself.
    ///
    /// # Errors
    /// Bad input as for a file, or a name that is not free.
    pub fn resolve(
        specs: &[StrategySpec],
        source: Option<&Found>,
    ) -> Result<Vec<Vec<Strategy<G>>>> {
        let known = Known { specs, source, ..Known::of::<G>() };
        let each = specs.iter().enumerate().map(|(index, spec)| match spec {
            StrategySpec::Named(name) => match Strategy::load(&known.shelf, name) {
                Ok(strategy) => Ok(vec![strategy]),
                Err(error) if source.is_none() => Err(error),
                Err(error) => {
                    let error = error.in_field(&format!("strategies[{index}]"));
                    Err(on_its_line(error, &format!("/strategies/{index}"), source))
                }
            },
            StrategySpec::Inline { name, fields, sweep: None } => {
                known.check_name(name)?;
                let layer = known.entry(index, name, fields);
                Ok(vec![known.strategy(name, layer)?])
            }
            StrategySpec::Inline { name, fields, sweep: Some(sweep) } => {
                let base = fields.get("base").and_then(Value::as_str);
                let base = || base.and_then(|base| Strategy::<G>::load(&known.shelf, base).ok());
                let one = |combination: &Combination<'_>| {
                    let name = sweep::name(name, combination);
                    let layer = known.entry(index, &name, fields).with(combination);
                    let strategy = known.strategy(&name, layer)?;
                    match base() {
                        Some(base) if base.spec == strategy.spec => Ok(base),
                        _ => known.check_name(&name).map(|()| strategy),
                    }
                };
                sweep.combinations().iter().map(one).collect()
            }
        });
        gather(each)
    }

    fn new(name: &str, origin: Origin, layers: &Layers) -> Result<Strategy<G>> {
        let mut spec = Spec::from(kind::<G>(layers)?);
        if let Ok(Player::Search(search, _)) = G::player(&spec.kind) {
            let (mut found, mut faults) = (BTreeMap::new(), Vec::new());
            for it in search.named() {
                match reflex::<G>(it) {
                    Ok(kind) => _ = found.insert(it.name.to_owned(), kind),
                    Err(error) => faults.push((it.field.to_owned(), error.into())),
                }
            }
            if !faults.is_empty() {
                return Err(layers.faults(faults));
            }
            spec.named = found;
        }
        let (name, about, text) = (name.to_owned(), layers.about.clone(), layers.text());
        let (tuned, research) = (layers.tuned.clone(), layers.research);
        Ok(Strategy { name, about, spec, origin, digest: digest(&text), text, tuned, research })
    }
}

/// What layers say together, as a kind of the game whose options are checked.
fn kind<G: Strategic>(layers: &Layers) -> Result<G::Kind> {
    let kinds = Kinds::of::<G::Kind>();
    let Some(schema) = kinds.get(&layers.kind) else {
        let what = format!("kind of {} strategy", G::NAME);
        return Err(layers.fault("/kind", unknown(&what, &layers.kind, kinds.names())));
    };
    let is_grouped = !schema["properties"]["playouts"].is_null();
    if let Some(old) = flat::old_option(&layers.kind, &layers.merged).filter(|_| is_grouped) {
        let now = flat::place_now(old).map_or(String::new(), |now| format!(" (it is `{now}` now)"));
        let migrate = if layers.swept() { "" } else { "; `parlour migrate FILE` rewrites it" };
        let what = format!(
            "this is the form that searches had before their options stood in groups{now}{migrate}"
        );
        return Err(layers.fault(&format!("/{old}"), what));
    }
    let kind: G::Kind = layers.read()?;
    let mut faults = out_of_range(schema, &layers.merged);
    match G::player(&kind) {
        Ok(Player::Search(search, _)) => {
            faults.extend(search.fault().map(|(field, what)| (field.to_owned(), what.into())));
        }
        Ok(_) => {}
        Err(all) => faults.extend(all.into_iter().map(|what| (String::new(), what.into()))),
    }
    if faults.is_empty() { Ok(kind) } else { Err(layers.faults(faults)) }
}

/// A kind as a strategy file says it in full, with numbers that are within their ranges.
pub(super) fn spelled_kind<G: Strategic>(said: &Value) -> Result<G::Kind> {
    let mut fields = said.clone();
    let kind = fields.as_object_mut().and_then(|fields| fields.shift_remove("kind"));
    let name = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
    let tagged: Map<String, Value> = [(name.to_owned(), fields)].into_iter().collect();
    let kind: G::Kind = read_value(&tagged).map_err(|(_, what)| Error::input(what))?;
    match G::player(&kind) {
        Ok(Player::Search(search, _)) => match search.fault() {
            Some((field, what)) => Err(Error::input(what).in_field(&field.replace('/', ""))),
            None => Ok(kind),
        },
        Ok(_) => Ok(kind),
        Err(faults) => Err(Error::input(faults.join("; "))),
    }
}

/// The strategy that a search names; it must not search, and estimate chances where it judges.
fn reflex<G: Strategic>(it: Named<'_>) -> Result<G::Kind> {
    let name = it.name;
    let known = Known::of::<G>();
    let kind = kind::<G>(&known.lay(file(G::NAME, &known.shelf.find(name)?)?)?)?;
    let judges = match G::player(&kind) {
        Ok(Player::Reflex(reflex)) => reflex.judges(),
        Ok(Player::Search(..)) => return Err(Error::input(format!("`{name}` itself searches"))),
        Ok(Player::External(_)) => {
            return Err(Error::input(format!(
                "`{name}` is a program of its own, and too slow to be asked in playouts"
            )));
        }
        _ => {
            return Err(Error::input(format!(
                "`{name}` looks ahead itself or keeps plans, so it cannot be asked in playouts"
            )));
        }
    };
    match it.judges && !judges {
        true => Err(Error::input(format!("`{name}` has no estimate of the chance to win"))),
        false => Ok(kind),
    }
}

/// The strategies that may be a base: those of an experiment, and all that have a file.
struct Known<'a> {
    game: &'static str,
    shelf: Shelf,
    specs: &'a [StrategySpec],
    /// The experiment's file.
    source: Option<&'a Found>,
    /// The strategy whose options a search has unless it says otherwise.
    usual: Option<&'static str>,
    /// The options that a kind of strategy has.
    options: fn(&str) -> Vec<String>,
}

impl Known<'_> {
    /// Those of a game that have a file.
    fn of<G: Strategic>() -> Self {
        let options = |kind: &str| {
            let kinds = Kinds::of::<G::Kind>();
            let fields = kinds.get(kind).and_then(|fields| fields["properties"].as_object());
            fields.into_iter().flat_map(Map::keys).cloned().collect()
        };
        let (game, usual) = (G::NAME, G::USUAL_SEARCH);
        Known { game, shelf: Shelf::strategies(game), specs: &[], source: None, usual, options }
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
    fn entry(&self, index: usize, name: &str, fields: &Map<String, Value>) -> Layer {
        Layer {
            place: format!("strategy `{name}`"),
            text: self.source.map(|found| found.text.clone()),
            within: format!("/strategies/{index}"),
            said: fields.clone().into(),
            swept: false,
        }
    }

    /// The strategy of an entry.
    fn strategy<G: Strategic>(&self, name: &str, entry: Layer) -> Result<Strategy<G>> {
        let origin = self.source.map_or(Origin::Embedded, |found| found.origin.clone());
        Strategy::new(name, origin, &self.lay(entry)?)
    }

    /// A base by name or path.
    fn base(&self, wanted: &str) -> Result<Layer> {
        let entry = self.specs.iter().enumerate().find_map(|(index, spec)| match spec {
            StrategySpec::Inline { name, fields, sweep: None } if name == wanted => {
                Some(self.entry(index, name, fields))
            }
            _ => None,
        });
        entry.map_or_else(|| file(self.game, &self.shelf.find(wanted)?), Ok)
    }

    /// What a search without a base has unless it says otherwise: all that its kind shares with the
    /// game's usual search, the budget apart. Without it a search would play at random and believe
    /// anything, and lose to those that do not search.
    fn usual_under(&self, layers: &[Layer]) -> Result<Option<Layer>> {
        let kind = layers.iter().find_map(|layer| layer.said.get("kind")?.as_str());
        let (Some(name), Some(kind)) = (self.usual, kind) else { return Ok(None) };
        let options = (self.options)(kind);
        if !options.iter().any(|option| option == "playouts") {
            return Ok(None);
        }
        let found = self.shelf.embedded_only().find(name)?;
        let mut usual = file(self.game, &found)?;
        // The usual search itself needs nothing under it.
        if layers.last().is_some_and(|bottom| bottom.text.as_ref() == Some(&found.text)) {
            return Ok(None);
        }
        if let Some(said) = usual.said.as_object_mut() {
            said.retain(|option, _| option != "budget" && options.contains(option));
        }
        Ok(Some(usual))
    }

    /// Lays its bases under a strategy.
    fn lay(&self, own: Layer) -> Result<Layers> {
        let mut layers = vec![own];
        loop {
            let at = layers.len() - 1;
            let game = layers[at].take_text("game")?;
            if let Some(game) = game.filter(|game| game != self.game) {
                return Err(layers[at].fault("/game", other_game(&game, self.game)));
            }
            let is_said = layers[at].said.get("base").is_some();
            let Some(base) = layers[at].take_text("base")? else {
                let usual = if is_said { None } else { self.usual_under(&layers)? };
                return Layers::new(layers.into_iter().chain(usual).collect());
            };
            if at == 0 && layers[0].said.get("about").is_none() {
                layers[0].said["about"] = format!("As {base} with {}", layers[0].said).into();
            }
            let next = self.base(&base).map_err(|error| layers[at].fault("/base", error))?;
            if let Some(first) = layers.iter().position(|layer| layer.place == next.place) {
                let chain: Vec<&str> = layers[first..].iter().map(|l| l.place.as_str()).collect();
                let what = format!(
                    "the chain of bases closes on itself: {}, and again {}",
                    chain.join(", then "),
                    next.place
                );
                return Err(layers[at].fault("/base", what));
            }
            layers.push(next);
        }
    }
}

/// A strategy file as it is; its folder may have the name of another game.
fn file(wanted: &str, found: &Found) -> Result<Layer> {
    let place = found.place();
    if let Origin::File(path) = &found.origin
        && let Some(game) = path.parent().and_then(|folder| folder.file_name()?.to_str())
        && Shelf::has_strategies_of(game)
        && game != wanted
    {
        return Err(Error::input(other_game(game, wanted)).in_file(&place));
    }
    let said = parse_json(&place, &found.text)?;
    Ok(Layer { place, text: Some(found.text.clone()), within: String::new(), said, swept: false })
}

fn other_game(is: &str, wanted: &str) -> String {
    format!("this is a strategy of {is}; a strategy of {wanted} is needed")
}
