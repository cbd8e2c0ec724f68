//! Expansion of sweeps: the variants of an experiment.

use itertools::Itertools;
use serde_json::{Value, json};

use super::{Experiment, Resolved, ResolvedVariant, Schedule, SweptNames, Variant, VariantSpec};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{SourceFile, field_path, located, on_its_line, read_value};
use parlour_game::strategy::StrategySpec;
use parlour_game::sweep::{Combination, in_words, name};
use parlour_game::{Ruled, Sweep};

/// The maximum number of variants: all are compared with one another.
const MAX_VARIANTS: u128 = 200;

/// The maximum number of strategies.
const MAX_STRATEGIES: u128 = 300;

/// The maximum number of tables. A table takes 2 kB for each chunk: in all 2.6 GB.
const MAX_TABLES: u128 = 20_000;

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
    let mut found: Vec<Variant<G>> = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let place = entry(index);
        spec.patch::<G>(&place, source)?;
        let VariantSpec::Inline { name: pattern, base, patch, sweep: Some(sweep) } = spec else {
            // The rules of an inline variant have their own places.
            let in_place = |error| match (spec, source) {
                (VariantSpec::Named(_), Some(_)) => located(error, &place, source),
                _ => error,
            };
            found.push(Variant::resolve(spec).map_err(in_place)?);
            continue;
        };
        let base = Variant::<G>::named(base)
            .map_err(|error| located(error, &(place.clone() + "/base"), source))?;
        let own = if experiment.sweep.is_none() { place } else { String::new() };
        let (pattern, place) = (pattern.as_ref().unwrap_or(&base.name), own + "/sweep");
        for variant in expand(&base, &json!(patch), pattern, sweep, &place, source)? {
            let known = |known: &Variant<G>| {
                known.name == variant.name && known.game.rules() == variant.game.rules()
            };
            if !found.iter().any(known) {
                found.push(variant);
            }
        }
    }
    if let Some((search, base)) = experiment.search.as_ref().zip(found.first()) {
        check_values(base, &json!({}), &search.rules, "/search/rules", source)?;
    }
    Ok(found)
}

/// Returns the variants of all combinations of a sweep. `patch` holds the rules that all of them
/// change, `place` is the JSON pointer of the sweep.
fn expand<G: Ruled>(
    base: &Variant<G>,
    patch: &Value,
    pattern: &str,
    sweep: &Sweep,
    place: &str,
    source: Option<&SourceFile>,
) -> Result<Vec<Variant<G>>> {
    check_values(base, patch, sweep, place, source)?;
    let variant = |combination: &Combination<'_>| {
        let rules = rules_of(base, patch, combination)?;
        if rules == *base.game.rules() {
            return Ok(Variant { name: base.name.clone(), game: G::new(&rules)? });
        }
        let (name, patch) = (name(pattern, combination), read_value(&rules));
        let patch = patch.map_err(|(_, what)| Error::input(what))?;
        let base = G::presets()[0].name.to_owned();
        Variant::resolve(&VariantSpec::Inline { name: Some(name), base, patch, sweep: None })
    };
    let all = sweep.combinations();
    all.iter().map(|it| variant(it).map_err(|error| located(error, place, source))).collect()
}

/// Checks each value of a sweep alone, so that an error has the place of its value.
fn check_values<G: Ruled>(
    base: &Variant<G>,
    patch: &Value,
    sweep: &Sweep,
    place: &str,
    source: Option<&SourceFile>,
) -> Result<()> {
    for (field, values) in sweep.fields() {
        for (number, value) in values.iter().enumerate() {
            let rules = rules_of(base, patch, &vec![(field, value)]);
            rules.and_then(|rules| G::new(&rules)).map_err(|error| {
                let pointed = error.faults().iter().all(|fault| fault.place.field.is_some());
                let own = format!("{field}[{number}]");
                let error = if pointed { error } else { error.in_field(&own) };
                let error = error.in_field(&field_path(place));
                on_its_line(error, &format!("{place}/{field}/{number}"), source)
            })?;
        }
    }
    Ok(())
}

/// Returns the rules of a combination.
fn rules_of<G: Ruled>(
    base: &Variant<G>,
    patch: &Value,
    combination: &Combination<'_>,
) -> Result<G::Rules> {
    let mut patch = patch.clone();
    for (field, value) in combination {
        patch[*field] = (*value).clone();
    }
    let patch: G::Patch = read_value(&patch).map_err(|(_, what)| Error::input(what))?;
    match G::conflict(&patch) {
        Some(conflict) => Err(Error::input(conflict)),
        None => Ok(G::patched(base.game.rules(), &patch)),
    }
}

/// Rejects experiments that need too much time or memory, before any of it is used.
pub(super) fn check_size<G: Ruled>(experiment: &Experiment<VariantSpec>) -> Result<()> {
    let strategies: u128 = experiment.strategies.iter().map(StrategySpec::count).sum();
    let entries = match &experiment.variants {
        Some(variants) => variants.iter().map(VariantSpec::count).sum(),
        None => G::presets().len() as u128,
    };
    let variants = experiment.sweep.as_ref().map_or(1, Sweep::count).saturating_mul(entries);
    let pairs = |count: u128| count.saturating_mul(count.saturating_sub(1)) / 2;
    let tables = variants.saturating_mul(match experiment.schedule {
        Schedule::RoundRobin => pairs(strategies) + if experiment.mirror { strategies } else { 0 },
        Schedule::Gauntlet => strategies.saturating_sub(1),
        Schedule::LineUp => experiment.line_ups.as_ref().map_or(0, Vec::len) as u128,
    });
    let game = G::new(&G::presets()[0].rules)?;
    let hands = game.seats() as u128 * u128::from(game.hands_per_match());
    let hands = tables.saturating_mul(hands * u128::from(experiment.deals));
    let check = |count, max, what: &str| {
        ensure(count <= max, || {
            Error::input(format!(
                "{count} {what}, {hands} hands; an experiment has at most {max}: split it or \
                 sweep fewer values"
            ))
        })
    };
    let to_compare = |what, count| format!("`{what}`: {} pairs to compare", pairs(count));
    check(variants, MAX_VARIANTS, &to_compare("variants", variants))?;
    check(strategies, MAX_STRATEGIES, &to_compare("strategies", strategies))?;
    check(tables, MAX_TABLES, "tables of all variants")
}

/// Returns the names of the swept fields.
pub(super) fn swept_names<G: Ruled>(experiment: &Experiment<VariantSpec>) -> SweptNames {
    let own = experiment.variants.iter().flatten().filter_map(VariantSpec::sweep);
    let rules = names(experiment.sweep.iter().chain(own));
    let strategies = names(experiment.strategies.iter().filter_map(StrategySpec::sweep));
    let is_swept = |spec: &&VariantSpec| experiment.sweep.is_some() || spec.sweep().is_some();
    let base = |spec: &VariantSpec| match spec {
        VariantSpec::Inline { name: Some(pattern), .. } => pattern.clone(),
        VariantSpec::Named(base) | VariantSpec::Inline { base, .. } => {
            Variant::<G>::named(base).map_or_else(|_| base.clone(), |variant| variant.name)
        }
    };
    let bases = experiment.variants.iter().flatten().filter(is_swept).map(base).unique().collect();
    SweptNames { bases, rules, strategies }
}

/// Returns the names of the variants for people: those of a sweep are named by the rules in which they
/// differ from their base, or from one another.
pub(super) fn labels(resolved: &Resolved) -> Vec<String> {
    let SweptNames { bases, rules, .. } = &resolved.swept;
    let all: Vec<&ResolvedVariant> = resolved.experiment.variants.iter().flatten().collect();
    let by_base = |variant: &ResolvedVariant, base: &String| {
        variant.name.strip_prefix(base.as_str())?.strip_prefix('-')?;
        let reference = all.iter().find(|other| other.name == *base);
        let differs = |field: &&String| match reference {
            Some(reference) => reference.rules[*field] != variant.rules[*field],
            None => !all.iter().map(|other| &other.rules[*field]).all_equal(),
        };
        let differing = rules.iter().filter(differs);
        let words = differing.map(|field| in_words(field, &variant.rules[field])).join(", ");
        let prefix = if bases.len() > 1 { format!("{base}: ") } else { String::new() };
        (!words.is_empty()).then(|| prefix + &words)
    };
    let label = |variant: &&ResolvedVariant| {
        let label = bases.iter().find_map(|base| by_base(variant, base));
        label.unwrap_or_else(|| variant.name.clone())
    };
    let labels: Vec<String> = all.iter().map(label).collect();
    match labels.iter().all_unique() {
        true => labels,
        false => all.iter().map(|variant| variant.name.clone()).collect(),
    }
}

/// Returns the names of the fields of these sweeps, without duplicates.
fn names<'a>(sweeps: impl Iterator<Item = &'a Sweep>) -> Vec<String> {
    sweeps.flat_map(Sweep::fields).map(|(field, _)| field.to_owned()).unique().collect()
}
