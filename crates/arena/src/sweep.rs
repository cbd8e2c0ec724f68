//! Expansion of sweeps: the variants of an experiment.

use serde_json::{Map, Value, json};

use super::experiment::{MAX_STRATEGIES, MAX_VARIANTS};
use super::{Experiment, Schedule, SweptNames, Variant, VariantSpec};
use parlour_base::error::{Error, Result};
use parlour_base::files::{SourceFile, field_path, on_its_line, read_value};
use parlour_game::strategy::StrategySpec;
use parlour_game::sweep::{Combination, name};
use parlour_game::{Ruled, Sweep};

/// Returns the variants of an experiment in the order of their entries. A combination that changes
/// nothing has the name of its base; duplicates are left out.
///
/// # Errors
/// Bad input: an unknown variant, rules out of range, a sweep that is wrong or too large.
pub(super) fn variants<G: Ruled>(
    experiment: &Experiment<VariantSpec>,
    source: Option<&SourceFile>,
) -> Result<Vec<Variant<G>>> {
    let named = || G::presets().iter().map(|it| VariantSpec::Named(it.name.to_owned())).collect();
    let mut specs: Vec<VariantSpec> = experiment.variants.clone().unwrap_or_else(named);
    let entry = |index: usize| format!("/variants/{index}");
    if let Some(sweep) = &experiment.sweep {
        for (index, spec) in specs.iter_mut().enumerate() {
            let wrong = || {
                let what = "it has its own `sweep`, but the experiment has one for all variants";
                located(Error::input(what), &entry(index), source)
            };
            *spec = spec.clone().swept(sweep).ok_or_else(wrong)?;
        }
    }
    check_sweep_size::<G>(experiment, &specs)?;
    let mut found: Vec<Variant<G>> = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let place = entry(index);
        spec.patch::<G>(&place, source)?;
        match spec {
            VariantSpec::Named(_) => {
                let variant = Variant::resolve(spec);
                found.push(match source {
                    Some(_) => variant.map_err(|error| located(error, &place, source))?,
                    None => variant?,
                });
            }
            VariantSpec::Inline { sweep: None, .. } => found.push(Variant::resolve(spec)?),
            VariantSpec::Inline { name: pattern, base, patch, sweep: Some(sweep) } => {
                let base = Variant::<G>::named(base)
                    .map_err(|error| located(error, &(place.clone() + "/base"), source))?;
                let own = if experiment.sweep.is_none() { place } else { String::new() };
                let expansion = Expansion { base: &base, patch: json!(patch) };
                let pattern = pattern.as_ref().unwrap_or(&base.name);
                for variant in expansion.variants(pattern, sweep, &(own + "/sweep"), source)? {
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

/// The expansion of a sweep: its base and the rules that all its variants change.
struct Expansion<'a, G: Ruled> {
    base: &'a Variant<G>,
    patch: Value,
}

impl<G: Ruled> Expansion<'_, G> {
    /// Returns the variants of all combinations; `place` is the JSON pointer of the sweep.
    fn variants(
        &self,
        pattern: &str,
        sweep: &Sweep,
        place: &str,
        source: Option<&SourceFile>,
    ) -> Result<Vec<Variant<G>>> {
        // Each value alone, so that an error has the place of its value.
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
            let (name, patch) = (name(pattern, combination), read_value(&rules));
            let patch = patch.map_err(|(_, what)| Error::input(what))?;
            let base = G::presets()[0].name.to_owned();
            Variant::resolve(&VariantSpec::Inline { name: Some(name), base, patch, sweep: None })
        };
        let all = sweep.combinations();
        all.iter().map(|c| one(c).map_err(|error| located(error, place, source))).collect()
    }

    /// Returns the rules of a combination, unchecked.
    fn rules(&self, combination: &Combination<'_>) -> Result<G::Rules> {
        let mut patch = self.patch.clone();
        for (field, value) in combination {
            patch[*field] = (*value).clone();
        }
        let patch: G::Patch = read_value(&patch).map_err(|(_, what)| Error::input(what))?;
        match G::conflict(&patch) {
            Some(conflict) => Err(Error::input(conflict)),
            None => Ok(G::patched(self.base.game.rules(), &patch)),
        }
    }
}

/// Rejects sweeps with too many combinations, with the number of hands that they would need.
fn check_sweep_size<G: Ruled>(
    experiment: &Experiment<VariantSpec>,
    specs: &[VariantSpec],
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
    let check = |is_swept: bool, all: u128, max: usize, what| match is_swept && all > max as u128 {
        true => Err(Error::input(format!(
            "`sweep` makes {all} {what} ({hands} hands); an experiment has at most {max}: sweep \
             fewer values or split the experiment"
        ))),
        false => Ok(()),
    };
    let is_swept = specs.iter().any(|spec| spec.sweep().is_some());
    check(is_swept, variants, MAX_VARIANTS, "variants")?;
    let is_swept = experiment.strategies.iter().any(|spec| spec.sweep().is_some());
    check(is_swept, strategies, MAX_STRATEGIES, "strategies")
}

/// Returns the names of the swept fields.
pub(super) fn swept_names(experiment: &Experiment<VariantSpec>) -> SweptNames {
    let own = experiment.variants.iter().flatten().filter_map(VariantSpec::sweep);
    let rules = names(experiment.sweep.iter().chain(own));
    let strategies = names(experiment.strategies.iter().filter_map(StrategySpec::sweep));
    let base = |spec: &VariantSpec| match spec {
        VariantSpec::Named(base) => experiment.sweep.is_some().then(|| base.clone()),
        VariantSpec::Inline { base, sweep, .. } => sweep.is_some().then(|| base.clone()),
    };
    let bases = experiment.variants.iter().flatten().filter_map(base).collect();
    SweptNames { bases, rules, strategies }
}

/// Returns the names of the fields of these sweeps, without duplicates.
fn names<'a>(sweeps: impl Iterator<Item = &'a Sweep>) -> Vec<String> {
    let all =
        sweeps.flat_map(|sweep| sweep.fields().map(|(field, _)| (field.to_owned(), Value::Null)));
    all.collect::<Map<String, Value>>().into_iter().map(|(field, _)| field).collect()
}

/// Adds the field and line of a JSON pointer to an error.
fn located(error: Error, pointer: &str, source: Option<&SourceFile>) -> Error {
    on_its_line(error.in_field(&field_path(pointer)), pointer, source)
}
