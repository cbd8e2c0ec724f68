//! Strategies read from files and from entries of experiments, with their bases.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::layers::{Layer, Layers};
use super::schema::{Kinds, out_of_range};
use super::strategic::{Player, Spec, Strategic};
use super::strategy_spec::StrategySpec;
use super::tuned::Tuned;
use crate::entry::name_problem;
use crate::search::EVALUATOR;
use crate::sweep::{self, Combination, Sweep};
use parlour_base::error::{Error, Fault, Faults, Problem, Result, collect_results, unknown};
use parlour_base::files::{
    Library, Origin, SourceFile, digest, field_path, located, named_in, parse_json, read_value,
};

/// A strategy with its name and origin.
#[derive(Clone, Debug)]
pub struct Strategy<G: Strategic> {
    /// The file's name without `.json`, or the name that an experiment gives it.
    pub name: String,
    /// One sentence for people.
    pub about: String,
    /// The kind with all its options.
    pub spec: Spec<G::Kind>,
    /// The origin of its own file, or of the experiment's.
    pub origin: Origin,
    /// The digest of the text.
    pub digest: String,
    /// The text of the file, or equivalent JSON without a base.
    pub text: String,
    /// The full rules for which its numbers were tuned.
    pub tuned_under: Vec<Value>,
    /// `true` if it is for research: lists of strategies need not show it.
    pub research: bool,
}

/// A folder from elsewhere must not run a program when a built-in name is meant.
const OWN_PROGRAM: &str = "an external program cannot replace what is built-in; write the path of \
                           the file, or rename it";

impl<G: Strategic> Strategy<G> {
    /// Loads a strategy by name or path.
    ///
    /// # Errors
    /// Bad input if there is none, or if its file is wrong.
    pub fn load(library: &Library, wanted: &str) -> Result<Strategy<G>> {
        Strategy::read(&library.find(wanted)?)
    }

    /// Reads a strategy file.
    ///
    /// # Errors
    /// Bad input if the file or a base is wrong, or belongs to another game.
    pub fn read(found: &SourceFile) -> Result<Strategy<G>> {
        let layers = Resolver::<G>::new(&[], None).stack(file::<G>(found)?)?;
        Strategy::new(&found.name, found.origin.clone(), &layers, &BTreeMap::new())
    }

    /// Reads a strategy of a manifest, which spells out the options and the strategies that it names.
    ///
    /// # Errors
    /// Bad input if an option is wrong.
    pub fn restore(found: &SourceFile) -> Result<Strategy<G>> {
        let mut own = file::<G>(found)?;
        if let Some(fields) = own.fields.as_object_mut() {
            fields.insert("base".to_owned(), Value::Null);
        }
        let named = own.take("named")?.unwrap_or_default();
        let layers = Resolver::<G>::new(&[], None).stack(own)?;
        Strategy::new(&found.name, found.origin.clone(), &layers, &named)
    }

    /// Returns the strategies of an experiment: for each entry one, or one for each combination of
    /// its sweep. `source` is the experiment's file, if any. A combination that changes nothing is
    /// the base itself.
    ///
    /// # Errors
    /// Bad input as for a file, or if a name is taken.
    pub fn resolve(
        specs: &[StrategySpec],
        source: Option<&SourceFile>,
    ) -> Result<Vec<Vec<Strategy<G>>>> {
        let resolver = Resolver::<G>::new(specs, source);
        let each = specs.iter().enumerate().map(|(index, spec)| match spec {
            StrategySpec::Named(name) => match Strategy::load(&resolver.library, name) {
                Ok(strategy) => Ok(vec![strategy]),
                Err(error) if source.is_none() => Err(error),
                Err(error) => Err(located(error, &format!("/strategies/{index}"), source)),
            },
            StrategySpec::Inline { name, fields, sweep } => {
                let base = fields.get("base").and_then(Value::as_str);
                let base =
                    || base.and_then(|base| Strategy::<G>::load(&resolver.library, base).ok());
                let one = |combination: &Combination<'_>| {
                    let name = sweep::name(name, combination);
                    let layer = resolver.entry(index, &name, fields).with(combination);
                    let origin = source.map_or(Origin::Embedded, |found| found.origin.clone());
                    let strategy =
                        Strategy::new(&name, origin, &resolver.stack(layer)?, &BTreeMap::new())?;
                    match sweep.as_ref().and_then(|_| base()) {
                        Some(base) if base.spec == strategy.spec => Ok(base),
                        _ => resolver.check_name(&name).map(|()| strategy),
                    }
                };
                let combinations = sweep.as_ref().map(Sweep::combinations);
                combinations.unwrap_or_else(|| vec![Vec::new()]).iter().map(one).collect()
            }
        });
        let all: Vec<Vec<Strategy<G>>> = collect_results(each)?;
        let is_external = |strategy: &&Strategy<G>| G::external(&strategy.spec).is_some();
        match all.iter().flatten().find(is_external) {
            Some(strategy) if source.is_some_and(|file| file.replaces_embedded) => {
                Err(Error::input(format!("strategy `{}`: {OWN_PROGRAM}", strategy.name)))
            }
            _ => Ok(all),
        }
    }

    /// Reads a strategy. The strategies that it names are `given`, or else found by name.
    fn new(
        name: &str,
        origin: Origin,
        layers: &Layers,
        given: &BTreeMap<String, Value>,
    ) -> Result<Strategy<G>> {
        let mut spec = Spec::from(kind::<G>(layers)?);
        let replaces = layers.layers.iter().any(|layer| layer.replaces_embedded);
        if replaces && G::external(&spec).is_some() {
            return Err(layers.fault("/kind", OWN_PROGRAM));
        }
        let mut faults = Vec::new();
        let mut named = BTreeMap::new();
        for (field, name) in G::search_config(&spec).iter().flat_map(|search| search.named()) {
            match policy::<G>(name, given.get(name), field == EVALUATOR) {
                Ok(kind) => _ = named.insert(name.to_owned(), kind),
                Err(error) => faults.push((field.to_owned(), error.into())),
            }
        }
        if !faults.is_empty() {
            return Err(layers.faults(faults));
        }
        spec.named = named;
        let (name, about, text) = (name.to_owned(), layers.about.clone(), layers.text());
        let (digest, research) = (digest(&text), layers.research);
        let tuned_under = layers.tuned.as_ref().map_or(Ok(Vec::new()), Tuned::rules::<G>);
        let tuned_under = tuned_under.map_err(|error| layers.fault("/tuned/under", error))?;
        Ok(Strategy { name, about, spec, origin, digest, text, tuned_under, research })
    }
}

impl<K: Clone + DeserializeOwned> Spec<K> {
    /// Returns the strategy with the options of `file`, which spells out its kind in full and names
    /// the same strategies as before. Ranges are not checked here; see [`ranges`](super::ranges).
    ///
    /// # Errors
    /// Bad input if the options do not fit together.
    pub fn changed<G: Strategic<Kind = K>>(&self, file: &Value) -> Result<Spec<K>> {
        let mut fields = file.clone();
        let kind = fields.as_object_mut().and_then(|fields| fields.shift_remove("kind"));
        let name = kind.as_ref().and_then(Value::as_str).unwrap_or_default();
        let tagged: Map<String, Value> = [(name.to_owned(), fields)].into_iter().collect();
        let kind: K = read_value(&tagged).map_err(|(_, problem)| Error::input(problem))?;
        let mut faults = Faults::default();
        for (pointer, fault) in option_faults::<G>(&kind) {
            let field = field_path(&pointer);
            faults.push(if field.is_empty() { fault } else { fault.in_field(&field) });
        }
        faults.into_result().map(|()| Spec { kind, named: self.named.clone() })
    }
}

/// Reads the kind with its options, and checks them.
fn kind<G: Strategic>(layers: &Layers) -> Result<G::Kind> {
    let kinds = Kinds::of::<G>();
    let Some(schema) = kinds.get(&layers.kind) else {
        let what = format!("kind of {} strategy", G::NAME);
        return Err(layers.fault("/kind", unknown(&what, &layers.kind, kinds.names())));
    };
    let kind: G::Kind = layers.read().map_err(|(pointer, mut problem)| {
        if let Problem::UnknownName(unknown) = &mut problem
            && let Some(field) = kinds.nested_field(&layers.kind, &unknown.name)
        {
            unknown.note = format!("There is a field `{field}`.");
        }
        layers.fault(&pointer, problem)
    })?;
    let mut faults = out_of_range(schema, &layers.merged);
    faults.extend(option_faults::<G>(&kind));
    if faults.is_empty() { Ok(kind) } else { Err(layers.faults(faults)) }
}

/// Returns the faults of options that are each within their range, with their JSON pointers.
fn option_faults<G: Strategic>(kind: &G::Kind) -> Vec<(String, Fault)> {
    let whole = |fault: String| (String::new(), Fault::from(fault));
    match G::player(kind) {
        Ok(Player::Search(search, _)) => {
            let fault = search.fault();
            fault.map(|(field, problem)| (field.to_owned(), problem.into())).into_iter().collect()
        }
        Ok(Player::External(external)) => {
            external.fault().map(|fault| whole(fault.to_owned())).into_iter().collect()
        }
        Ok(_) => Vec::new(),
        Err(faults) => faults.into_iter().map(whole).collect(),
    }
}

/// Loads a memoryless policy that a search names, perhaps to estimate chances to win.
fn policy<G: Strategic>(name: &str, given: Option<&Value>, is_evaluator: bool) -> Result<G::Kind> {
    let resolver = Resolver::<G>::new(&[], None);
    let found = match given {
        Some(fields) => SourceFile::new(name, Origin::Given, fields.to_string()),
        None => resolver.library.find(name)?,
    };
    let kind = kind::<G>(&resolver.stack(file::<G>(&found)?)?)?;
    let problem = match G::player(&kind) {
        Ok(Player::Static(policy)) if is_evaluator && !policy.estimates_wins() => {
            format!("`{name}` does not estimate the probability of winning")
        }
        Ok(Player::Static(_)) => return Ok(kind),
        Ok(Player::Search(..)) => format!("`{name}` is itself a search"),
        Ok(Player::External(_)) => {
            format!("`{name}` is an external program; it is too slow for playouts")
        }
        _ => format!("`{name}` searches or keeps state; playouts need a memoryless policy"),
    };
    Err(Error::input(problem))
}

/// Loads a memoryless policy that estimates chances to win.
///
/// # Errors
/// Bad input if there is none of this name, or it estimates none.
pub fn evaluator<G: Strategic>(name: &str) -> Result<G::Kind> {
    policy::<G>(name, None, true)
}

/// Finds the strategies of a game: entries of one experiment, and files.
struct Resolver<'a, G> {
    library: Library,
    specs: &'a [StrategySpec],
    /// The experiment's file.
    source: Option<&'a SourceFile>,
    game: PhantomData<G>,
}

impl<'a, G: Strategic> Resolver<'a, G> {
    fn new(specs: &'a [StrategySpec], source: Option<&'a SourceFile>) -> Resolver<'a, G> {
        Resolver { library: Library::strategies(G::NAME), specs, source, game: PhantomData }
    }

    /// Checks the name of an entry of the experiment.
    fn check_name(&self, name: &str) -> Result<()> {
        let problem = if let Some(problem) = name_problem(name) {
            problem
        } else if self.library.names().iter().any(|known| known == name) {
            "a strategy file already has this name; choose another"
        } else {
            return Ok(());
        };
        Err(Error::input(format!("strategy `{name}`: {problem}")))
    }

    /// Returns the layer of an entry of the experiment.
    fn entry(&self, index: usize, name: &str, fields: &Map<String, Value>) -> Layer {
        let mut fields = Value::from(fields.clone());
        self.source.inspect(|found| find_files(&mut fields, &found.origin));
        Layer {
            place: format!("strategy `{name}`"),
            text: self.source.map(|found| found.text.clone()),
            pointer: format!("/strategies/{index}"),
            fields,
            is_swept: false,
            replaces_embedded: false,
        }
    }

    /// Finds a base by name or path.
    fn base(&self, wanted: &str) -> Result<Layer> {
        let entry = self.specs.iter().enumerate().find_map(|(index, spec)| match spec {
            StrategySpec::Inline { name, fields, sweep: None } if name == wanted => {
                Some(self.entry(index, name, fields))
            }
            _ => None,
        });
        entry.map_or_else(|| file::<G>(&self.library.find(wanted)?), Ok)
    }

    /// Returns the base of a search that names none: the options, except the budget, that it shares
    /// with the game's default search. Without it a search would use random playouts and no model of
    /// the opponents, and lose to strategies that do not search.
    fn default_base(&self, layers: &[Layer]) -> Result<Option<Layer>> {
        let kind = layers.iter().find_map(|layer| layer.fields.get("kind")?.as_str());
        let (Some(name), Some(kind)) = (G::DEFAULT_SEARCH, kind) else { return Ok(None) };
        let kinds = Kinds::of::<G>();
        if !kinds.has_field(kind, "playouts") {
            return Ok(None);
        }
        let found = self.library.embedded_only().find(name)?;
        // The default search itself needs no base.
        if layers.last().is_some_and(|bottom| bottom.text.as_ref() == Some(&found.text)) {
            return Ok(None);
        }
        let mut default = file::<G>(&found)?;
        if let Some(fields) = default.fields.as_object_mut() {
            fields.retain(|field, _| field != "budget" && kinds.has_field(kind, field));
        }
        Ok(Some(default))
    }

    /// Puts the bases under a strategy's own layer.
    fn stack(&self, own: Layer) -> Result<Layers> {
        let mut layers = vec![own];
        loop {
            let at = layers.len() - 1;
            let game = layers[at].take::<String>("game")?;
            if let Some(game) = game.filter(|game| game != G::NAME) {
                return Err(layers[at].fault("/game", other_game::<G>(&game)));
            }
            let is_null = layers[at].fields.get("base").is_some_and(Value::is_null);
            let Some(base) = layers[at].take::<String>("base")? else {
                let default = if is_null { None } else { self.default_base(&layers)? };
                return Layers::new(layers.into_iter().chain(default).collect());
            };
            if at == 0 && layers[0].fields.get("about").is_none() {
                layers[0].fields["about"] = format!("As {base} with {}", layers[0].fields).into();
            }
            let next = self.base(&base).map_err(|error| layers[at].fault("/base", error))?;
            if let Some(first) = layers.iter().position(|layer| layer.place == next.place) {
                let cycle = layers[first..].iter().chain([&next]);
                let cycle: Vec<&str> = cycle.map(|layer| layer.place.as_str()).collect();
                let problem = format!("cyclic `base`: {}", cycle.join(" → "));
                return Err(layers[at].fault("/base", problem));
            }
            layers.push(next);
        }
    }
}

/// Reads a strategy file as a layer; its folder must not be that of another game.
fn file<G: Strategic>(found: &SourceFile) -> Result<Layer> {
    let place = found.place();
    if let Origin::File(path) = &found.origin
        && let Some(game) = path.parent().and_then(|folder| folder.file_name()?.to_str())
        && Library::has_strategies_of(game)
        && game != G::NAME
    {
        return Err(Error::input(other_game::<G>(game)).in_file(&place));
    }
    let mut fields = parse_json(&place, &found.text)?;
    find_files(&mut fields, &found.origin);
    let text = Some(found.text.clone());
    let replaces_embedded = found.replaces_embedded;
    Ok(Layer { place, text, pointer: String::new(), fields, is_swept: false, replaces_embedded })
}

/// Completes the paths of files next to the file that names them: its base, its network,
/// and words of its command.
fn find_files(fields: &mut Value, origin: &Origin) {
    let Origin::File(path) = origin else { return };
    for (field, ending) in [("base", ".json"), ("file", ""), ("network", "")] {
        if let Some(name) = fields[field].as_str().filter(|name| name.ends_with(ending)) {
            fields[field] = named_in(path, name).into();
        }
    }
    let words = fields.get_mut("command").and_then(Value::as_array_mut);
    for (index, word) in words.into_iter().flatten().enumerate() {
        // A program without a folder is looked up in `PATH`.
        if let Some(name) = word.as_str().filter(|name| index > 0 || name.contains('/')) {
            *word = named_in(path, name).into();
        }
    }
}

fn other_game<G: Strategic>(game: &str) -> String {
    format!("this is a strategy of {game}; a strategy of {} is needed", G::NAME)
}
