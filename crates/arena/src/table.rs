//! The tables of an experiment: which strategies meet under which variant.

use std::collections::BTreeSet;

use itertools::Itertools;

use super::{Experiment, ResolvedStrategy, ResolvedVariant, Schedule, TableSpec, Variant};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::unknown;
use parlour_game::{ForcedByRules, Measured, Ruled};

/// A variant without its game's types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VariantInfo {
    /// Its name.
    pub name: String,
    /// Its name for people; different in a sweep.
    pub label: String,
    /// Its number of seats.
    pub seats: usize,
    /// Its number of hands per match.
    pub hands: u32,
    /// The lowest and highest possible score of a hand.
    pub scores: (i32, i32),
    /// The figures that its rules determine.
    pub fixed: Vec<(&'static str, ForcedByRules)>,
}

impl VariantInfo {
    /// Describes a variant.
    pub(super) fn of<G: Ruled + Measured>(variant: &Variant<G>) -> VariantInfo {
        let Variant { name, game } = variant;
        let (seats, hands, scores) = (game.seats(), game.hands_per_match(), game.score_range());
        let (fixed, [name, label]) = (game.forced_figures(), [name, name].map(String::clone));
        VariantInfo { name, label, seats, hands, scores, fixed }
    }
}

/// A line-up under a variant, by indices.
#[derive(Clone, Debug)]
pub struct PlannedTable {
    /// The index of the variant.
    pub variant: usize,
    /// The indices of the strategies by place.
    pub line_up: Vec<usize>,
    /// The seed of the bots' random choices.
    pub seed: Seed,
}

impl PlannedTable {
    /// Returns `true` if one strategy has all seats.
    pub fn is_mirror(&self) -> bool {
        self.line_up.iter().all(|s| *s == self.line_up[0])
    }

    /// Resolves the names of a table.
    ///
    /// # Errors
    /// Bad input if a name is unknown or the number of seats is wrong.
    pub(super) fn resolve(
        spec: &TableSpec,
        variants: &[VariantInfo],
        strategies: &[&str],
        seed: u64,
    ) -> Result<PlannedTable> {
        let misfit = || {
            let (line_up, variant) = (spec.line_up.join(", "), &spec.variant);
            Error::input(format!("the table of {line_up} does not fit variant `{variant}`"))
        };
        let variant = variants.iter().position(|v| v.name == spec.variant).ok_or_else(misfit)?;
        let index = |name: &String| strategies.iter().position(|s| s == name);
        let line_up: Option<Vec<usize>> = spec.line_up.iter().map(index).collect();
        let line_up = line_up.filter(|it| it.len() == variants[variant].seats);
        // From names, not indices: a pairing plays the same hands in every experiment.
        let seed = Seed::new(seed).named("choice").named(&spec.variant);
        let seed = spec.line_up.iter().fold(seed, |seed, name| seed.named(name));
        Ok(PlannedTable { variant, line_up: line_up.ok_or_else(misfit)?, seed })
    }
}

/// A resolved experiment whose tables are still to be listed.
type Spelled = Experiment<ResolvedVariant, ResolvedStrategy>;

/// Lists the tables of an experiment, variant by variant.
///
/// # Errors
/// Bad input if there is nothing to play or a variant has no line-up of its number of seats.
pub(super) fn tables(experiment: &Spelled, variants: &[VariantInfo]) -> Result<Vec<TableSpec>> {
    if let Some(what) = experiment.missing_players() {
        return Err(Error::input(format!("nothing to play: {what}")));
    }
    let exclusive = [
        ("champion", experiment.champion.is_some(), Schedule::Gauntlet, "gauntlet"),
        ("line_ups", experiment.line_ups.is_some(), Schedule::LineUp, "line-up"),
        ("mirror", experiment.mirror, Schedule::RoundRobin, "round-robin"),
    ];
    for (field, is_set, schedule, name) in exclusive {
        ensure(!is_set || experiment.schedule == schedule, || {
            Error::input(format!("`{field}` needs the schedule `{name}`"))
        })?;
    }
    let names: Vec<&str> = experiment.strategies.iter().map(|s| s.name.as_str()).collect();
    let line_ups = line_ups(experiment, &names)?;
    let mut tables = Vec::new();
    for &VariantInfo { ref name, seats, .. } in variants {
        let fitting = line_ups.iter().filter(|line_up| line_up.len() == seats);
        let before = tables.len();
        tables.extend(fitting.map(|line_up| TableSpec {
            variant: name.clone(),
            line_up: line_up.iter().map(ToString::to_string).collect(),
        }));
        if tables.len() == before {
            let lengths: Vec<String> = line_ups.iter().map(|l| l.len().to_string()).collect();
            return Err(Error::input(match experiment.schedule {
                Schedule::LineUp => format!(
                    "variant `{name}` has {seats} seats and needs as many strategies (one may be \
                     named several times); there are {}. `match --seats N` repeats them, and \
                     `parlour tournament` plays every two of them",
                    lengths.join(", ")
                ),
                _ => format!(
                    "variant `{name}` has {seats} seats, and pairings need 2; use `parlour match`, or \
                     the schedule `line-up`"
                ),
            }));
        }
    }
    ensure(!tables.is_empty(), || Error::input("nothing to play: `variants` is empty"))?;
    if experiment.schedule == Schedule::LineUp {
        check_line_ups(&line_ups, variants, &names)?;
    }
    Ok(tables)
}

/// Rejects duplicate line-ups, line-ups that no variant has seats for, and unseated strategies.
fn check_line_ups(line_ups: &[Vec<&str>], variants: &[VariantInfo], names: &[&str]) -> Result<()> {
    let (mut seen, mut seated) = (BTreeSet::new(), BTreeSet::<&str>::new());
    for (index, line_up) in line_ups.iter().enumerate() {
        let fault = |what: String| Error::input(format!("`line_ups[{index}]` {what}"));
        let count = line_up.len();
        ensure(variants.iter().any(|variant| variant.seats == count), || {
            fault(format!("has {count} strategies; no variant here has {count} seats"))
        })?;
        ensure(seen.insert(line_up), || fault(format!("is listed twice: {}", line_up.join(", "))))?;
        seated.extend(line_up.iter().copied());
    }
    match names.iter().find(|name| !seated.contains(*name)) {
        Some(name) => Err(Error::input(format!(
            "`strategies`: `{name}` has no seat; add it to `line_ups` or remove it"
        ))),
        None => Ok(()),
    }
}

/// Returns the line-ups of the schedule.
fn line_ups<'a>(experiment: &'a Spelled, names: &[&'a str]) -> Result<Vec<Vec<&'a str>>> {
    let find = |name: &str| {
        let fault = || Error::input(unknown("strategy of this experiment", name, names.to_vec()));
        names.iter().copied().find(|n| *n == name).ok_or_else(fault)
    };
    match experiment.schedule {
        Schedule::RoundRobin => {
            let pairs = names.iter().copied().combinations_with_replacement(2);
            Ok(pairs.filter(|pair| experiment.mirror || pair[0] != pair[1]).collect())
        }
        Schedule::Gauntlet => {
            let missing = || Error::input("a gauntlet needs a `champion`, one of the strategies");
            let champion = find(experiment.champion.as_deref().ok_or_else(missing)?)?;
            let others = names.iter().filter(|other| **other != champion);
            Ok(others.map(|other| vec![champion, *other]).collect())
        }
        Schedule::LineUp => {
            let fault = || Error::input("the schedule `line-up` needs `line_ups`, a list of lists");
            let lists = experiment.line_ups.as_ref().ok_or_else(fault)?;
            lists.iter().map(|list| list.iter().map(|name| find(name)).collect()).collect()
        }
    }
}
