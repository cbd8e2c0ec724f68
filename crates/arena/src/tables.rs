//! The tables of an experiment: who meets whom under which variant.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::{Experiment, Frame, Schedule, SpelledStrategy, SpelledVariant};
use crate::chance::Seed;
use crate::error::{Error, Result, ensure};
use crate::files::unknown;

/// An experiment spelled out.
type Spelled = Experiment<SpelledVariant, SpelledStrategy>;

/// A line-up under a variant, by names.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seating {
    /// The variant.
    pub variant: String,
    /// The strategies.
    pub line_up: Vec<String>,
}

/// A line-up under a variant, by numbers.
#[derive(Clone, Debug)]
pub struct Table {
    /// The variant's number.
    pub variant: usize,
    /// The strategies' numbers.
    pub line_up: Vec<usize>,
    /// Where the bots' chance grows from.
    pub seed: Seed,
}

impl Table {
    /// Whether a strategy meets itself.
    pub fn is_mirror(&self) -> bool {
        self.line_up.iter().all(|s| *s == self.line_up[0])
    }

    /// The table of a seating; none where its names are not among these, or are not as many as the
    /// variant has seats.
    pub(super) fn of(
        seating: &Seating,
        variants: &[Frame],
        strategies: &[&str],
        seed: u64,
    ) -> Option<Table> {
        let variant = variants.iter().position(|v| v.name == seating.variant)?;
        let index = |name: &String| strategies.iter().position(|s| s == name);
        let line_up: Vec<usize> = seating.line_up.iter().map(index).collect::<Option<_>>()?;
        // Names, not numbers, so that a pairing plays the same hands in whatever experiment it
        // stands.
        let seed = Seed::new(seed).named("choice").named(&seating.variant);
        let seed = seating.line_up.iter().fold(seed, |seed, name| seed.named(name));
        let fits = line_up.len() == variants[variant].seats;
        fits.then_some(Table { variant, line_up, seed })
    }
}

/// Who meets whom, variant by variant.
///
/// # Errors
/// Bad input: nothing to play, or a variant that has no line-up of its number of seats.
pub(super) fn seatings(experiment: &Spelled, variants: &[Frame]) -> Result<Vec<Seating>> {
    if let Some(what) = experiment.too_little() {
        return Err(Error::input(format!("nothing to play: {what}")));
    }
    let of_one = [
        ("champion", experiment.champion.is_some(), Schedule::Gauntlet, "gauntlet"),
        ("line_ups", experiment.line_ups.is_some(), Schedule::LineUp, "line-up"),
        ("mirror", experiment.mirror, Schedule::RoundRobin, "round-robin"),
    ];
    for (field, is_said, schedule, name) in of_one {
        ensure(!is_said || experiment.schedule == schedule, || {
            Error::input(format!("`{field}` belongs to the schedule `{name}`"))
        })?;
    }
    let names: Vec<&str> = experiment.strategies.iter().map(|s| s.name.as_str()).collect();
    let line_ups = line_ups(experiment, &names)?;
    let mut seatings = Vec::new();
    for &Frame { ref name, seats, .. } in variants {
        let fitting = line_ups.iter().filter(|line_up| line_up.len() == seats);
        let before = seatings.len();
        seatings.extend(fitting.map(|line_up| Seating {
            variant: name.clone(),
            line_up: line_up.iter().map(ToString::to_string).collect(),
        }));
        if seatings.len() == before {
            let lengths: Vec<String> = line_ups.iter().map(|l| l.len().to_string()).collect();
            return Err(Error::input(match experiment.schedule {
                Schedule::LineUp => format!(
                    "variant `{name}` has {seats} seats, so {seats} strategies must be named \
                     (the same one may be named more than once); there are {}",
                    lengths.join(", ")
                ),
                _ => format!(
                    "variant `{name}` has {seats} seats; a schedule of pairs needs 2: use `line-up`"
                ),
            }));
        }
    }
    if seatings.is_empty() {
        return Err(Error::input("nothing to play: `variants` is empty"));
    }
    if experiment.schedule == Schedule::LineUp {
        every_name_plays(&line_ups, variants, &names)?;
    }
    Ok(seatings)
}

/// Refuses line-ups that are there twice or that no variant has seats for, and strategies that
/// stand in none.
fn every_name_plays(line_ups: &[Vec<&str>], variants: &[Frame], names: &[&str]) -> Result<()> {
    let (mut seen, mut seated) = (BTreeSet::new(), BTreeSet::<&str>::new());
    for (index, line_up) in line_ups.iter().enumerate() {
        let fault = |what: String| Err(Error::input(format!("`line_ups[{index}]` {what}")));
        let count = line_up.len();
        if !variants.iter().any(|variant| variant.seats == count) {
            return fault(format!("names {count} strategies; no variant here has {count} seats"));
        }
        if !seen.insert(line_up) {
            return fault(format!("is there twice: {}", line_up.join(", ")));
        }
        seated.extend(line_up.iter().copied());
    }
    match names.iter().find(|name| !seated.contains(*name)) {
        Some(name) => Err(Error::input(format!(
            "`strategies`: `{name}` stands in no line-up; seat it in `line_ups`, or leave it out"
        ))),
        None => Ok(()),
    }
}

/// The line-ups of the schedule.
fn line_ups<'a>(experiment: &'a Spelled, names: &[&'a str]) -> Result<Vec<Vec<&'a str>>> {
    let find = |name: &str| {
        let fault = || Error::input(unknown("strategy of this experiment", name, names.to_vec()));
        names.iter().copied().find(|n| *n == name).ok_or_else(fault)
    };
    let count = names.len();
    Ok(match experiment.schedule {
        Schedule::RoundRobin => (0..count)
            .flat_map(|i| (i..count).map(move |j| (i, j)))
            .filter(|(i, j)| experiment.mirror || i != j)
            .map(|(i, j)| vec![names[i], names[j]])
            .collect(),
        Schedule::Gauntlet => {
            let missing = || Error::input("a gauntlet needs its `champion`, one of the strategies");
            let champion = find(experiment.champion.as_deref().ok_or_else(missing)?)?;
            let others = names.iter().filter(|other| **other != champion);
            others.map(|other| vec![champion, *other]).collect()
        }
        Schedule::LineUp => {
            let missing =
                || Error::input("the schedule `line-up` needs `line_ups`, a list of lists");
            let lists = experiment.line_ups.as_ref().ok_or_else(missing)?;
            let line_up = |list: &Vec<String>| list.iter().map(|name| find(name)).collect();
            lists.iter().map(line_up).collect::<Result<_>>()?
        }
    })
}
