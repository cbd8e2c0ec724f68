//! The variants of an experiment, those that a sweep stands for among them.

use serde_json::{Map, Value, json};

use super::experiment::{MAX_STRATEGIES, MAX_VARIANTS};
use super::{Experiment, Schedule, SweptNames, Variant, VariantSpec};
use crate::error::{Error, Result};
use crate::files::{SourceFile, field_path, on_its_line, read_value};
use crate::game::sweep::{Combination, name};
use crate::game::{Ruled, Sweep};
use crate::strategy::StrategySpec;

/// The variants of an experiment in the order of their entries. A combination of a sweep that
/// changes nothing is the base itself and has its name; a variant that is there already is left
/// out.
///
/// # Errors
/// Bad input: a variant that does not exist or cannot be played, a sweep that is wrong or too large.
pub(super) fn variants<G: Ruled>(
    experiment: &Experiment<VariantSpec<G::Patch>>,
    source: Option<&SourceFile>,
) -> Result<Vec<Variant<G>>> {
    let named = || G::presets().iter().map(|it| VariantSpec::Named(it.name.to_owned())).collect();
    let mut specs: Vec<VariantSpec<G::Patch>> = experiment.variants.clone().unwrap_or_else(named);
    let entry = |index: usize| format!("/variants/{index}");
    if let Some(sweep) = &experiment.sweep {
        for (index, spec) in specs.iter_mut().enumerate() {
            let wrong = || {
                let what = "it has a `sweep` of its own, and the experiment has one for all";
                located(Error::input(what), &entry(index), source)
            };
            *spec = spec.clone().swept(sweep).ok_or_else(wrong)?;
        }
    }
    affordable::<G>(experiment, &specs)?;
    let mut found: Vec<Variant<G>> = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let place = entry(index);
        match spec {
            VariantSpec::Named(_) if source.is_some() => {
                let variant = Variant::resolve(spec);
                found.push(variant.map_err(|error| located(error, &place, source))?);
            }
            VariantSpec::Named(_) | VariantSpec::Custom { .. } => {
                found.push(Variant::resolve(spec)?);
            }
            VariantSpec::Sweep { name: pattern, base, patch, sweep } => {
                let base = Variant::<G>::named(base)
                    .map_err(|error| located(error, &(place.clone() + "/base"), source))?;
                let own = if experiment.sweep.is_none() { place } else { String::new() };
                let start = Start { base: &base, said: json!(patch) };
                let pattern = pattern.as_ref().unwrap_or(&base.name);
                for variant in start.all(pattern, sweep, &(own + "/sweep"), source)? {
                    let known = |known: &Variant<G>| {
                        known.name == variant.name && known.game.rules() == variant.game.rules()
                    };
                    if !found.iter().any(known) {
                        found.push(variant);
                    }
                }
            }
        }
    }
    Ok(found)
}

/// What a sweep starts from: a variant, and what its entry changes whatever is swept.
struct Start<'a, G: Ruled> {
    base: &'a Variant<G>,
    said: Value,
}

impl<G: Ruled> Start<'_, G> {
    /// The variants of all combinations; `place` is where the sweep stands.
    fn all(
        &self,
        pattern: &str,
        sweep: &Sweep,
        place: &str,
        source: Option<&SourceFile>,
    ) -> Result<Vec<Variant<G>>> {
        // Each value by itself, so that a wrong one is named with its place.
        for (field, values) in sweep.fields() {
            for (number, value) in values.iter().enumerate() {
                let rules = self.rules(&vec![(field, value)]);
                rules.and_then(|rules| G::new(&rules)).map_err(|error| {
                    let pointed = error.faults().iter().all(|fault| fault.place.field.is_some());
                    let own = format!("{field}[{number}]");
                    let error = if pointed { error } else { error.in_field(&own) };
                    let error = error.in_field(&field_path(place));
                    on_its_line(error, &format!("{place}/{field}/{number}"), source)
                })?;
            }
        }
        let one = |combination: &Combination<'_>| {
            let rules = self.rules(combination)?;
            if rules == *self.base.game.rules() {
                return Ok(Variant { name: self.base.name.clone(), game: G::new(&rules)? });
            }
            let (name, patch) = (name(pattern, combination), G::patch_of(&rules));
            Variant::resolve(&VariantSpec::Custom {
                name,
                base: G::presets()[0].name.into(),
                patch,
            })
        };
        let all = sweep.combinations();
        all.iter().map(|c| one(c).map_err(|error| located(error, place, source))).collect()
    }

    /// The rules of a combination; whether they can be played is not asked.
    fn rules(&self, combination: &Combination<'_>) -> Result<G::Rules> {
        let mut said = self.said.clone();
        for (field, value) in combination {
            said[*field] = (*value).clone();
        }
        let patch: G::Patch = read_value(&said).map_err(|(_, what)| Error::input(what))?;
        match G::conflict(&patch) {
            Some(conflict) => Err(Error::input(conflict)),
            None => Ok(G::patched(self.base.game.rules(), &patch)),
        }
    }
}

/// Refuses sweeps with more combinations than an experiment has room for: how many hands they would
/// be.
fn affordable<G: Ruled>(
    experiment: &Experiment<VariantSpec<G::Patch>>,
    specs: &[VariantSpec<G::Patch>],
) -> Result<()> {
    let strategies: u128 = experiment.strategies.iter().map(StrategySpec::count).sum();
    let variants: u128 = specs.iter().map(VariantSpec::count).sum();
    let pairs = strategies * strategies.saturating_sub(1) / 2;
    let tables = match experiment.schedule {
        Schedule::RoundRobin => pairs + if experiment.mirror { strategies } else { 0 },
        Schedule::Gauntlet => strategies.saturating_sub(1),
        Schedule::LineUp => experiment.line_ups.as_ref().map_or(0, Vec::len) as u128,
    };
    let game = G::new(&G::presets()[0].rules)?;
    let each = game.seats() as u128 * u128::from(game.hands_per_match());
    let hands = variants.saturating_mul(tables).saturating_mul(each * u128::from(experiment.deals));
    let afford = |swept: bool, all: u128, most: usize, what| match swept && all > most as u128 {
        true => Err(Error::input(format!(
            "`sweep` makes {all} {what}, and an experiment has at most {most}; all of them would \
             be {hands} hands: sweep fewer values, or divide the experiment"
        ))),
        false => Ok(()),
    };
    let is_swept = specs.iter().any(|spec| matches!(spec, VariantSpec::Sweep { .. }));
    afford(is_swept, variants, MAX_VARIANTS, "variants")?;
    let is_swept = experiment.strategies.iter().any(|spec| spec.sweep().is_some());
    afford(is_swept, strategies, MAX_STRATEGIES, "strategies")
}

/// The fields that an experiment sweeps.
pub(super) fn swept_names<P>(experiment: &Experiment<VariantSpec<P>>) -> SweptNames {
    let own = experiment.variants.iter().flatten().filter_map(VariantSpec::sweep);
    let rules = names(experiment.sweep.iter().chain(own));
    let strategies = names(experiment.strategies.iter().filter_map(StrategySpec::sweep));
    let base = |spec: &VariantSpec<P>| match spec {
        VariantSpec::Named(base) => experiment.sweep.is_some().then(|| base.clone()),
        VariantSpec::Custom { .. } => None,
        VariantSpec::Sweep { base, .. } => Some(base.clone()),
    };
    let bases = experiment.variants.iter().flatten().filter_map(base).collect();
    SweptNames { bases, rules, strategies }
}

/// The names of the fields of these sweeps, each once.
fn names<'a>(sweeps: impl Iterator<Item = &'a Sweep>) -> Vec<String> {
    let all =
        sweeps.flat_map(|sweep| sweep.fields().map(|(field, _)| (field.to_owned(), Value::Null)));
    all.collect::<Map<String, Value>>().into_iter().map(|(field, _)| field).collect()
}

/// An error about what stands in an experiment at the end of a JSON pointer.
fn located(error: Error, pointer: &str, source: Option<&SourceFile>) -> Error {
    on_its_line(error.in_field(&field_path(pointer)), pointer, source)
}
