//! The tables of an experiment: who meets whom under which variant.

use super::{Experiment, Schedule, Variant};
use crate::chance::Seed;
use crate::error::{Error, Result};
use crate::files::unknown;
use crate::strategy::{Strategic, Strategy};

/// A line-up under a variant.
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
}

/// Who meets whom.
pub(super) fn tables<G: Strategic>(
    experiment: &Experiment<G::Patch>,
    variants: &[Variant<G>],
    strategies: &[Strategy<G>],
) -> Result<Vec<Table>> {
    let index = |name: &str| {
        let known = || strategies.iter().map(|s| s.name.as_str());
        known()
            .position(|n| n == name)
            .ok_or_else(|| Error::input(unknown("strategy of this experiment", name, known())))
    };
    if let Some(what) = experiment.too_little() {
        return Err(Error::input(format!("nothing to play: {what}")));
    }
    let count = strategies.len();
    let line_ups: Vec<Vec<usize>> = match experiment.schedule {
        Schedule::RoundRobin => (0..count)
            .flat_map(|i| (i..count).map(move |j| vec![i, j]))
            .filter(|pair| experiment.mirror || pair[0] != pair[1])
            .collect(),
        Schedule::Gauntlet => {
            let missing = || Error::input("a gauntlet needs its `champion`, one of the strategies");
            let champion = index(experiment.champion.as_deref().ok_or_else(missing)?)?;
            (0..count)
                .filter(|&other| other != champion)
                .map(|other| vec![champion, other])
                .collect()
        }
        Schedule::LineUp => {
            let missing =
                || Error::input("the schedule `line-up` needs `line_ups`, a list of lists");
            let lists = experiment.line_ups.as_ref().ok_or_else(missing)?;
            let find = |list: &Vec<String>| list.iter().map(|name| index(name)).collect();
            lists.iter().map(find).collect::<Result<_>>()?
        }
    };
    if experiment.champion.is_some() && experiment.schedule != Schedule::Gauntlet {
        return Err(Error::input("`champion` belongs to the schedule `gauntlet`"));
    }
    if experiment.line_ups.is_some() && experiment.schedule != Schedule::LineUp {
        return Err(Error::input("`line_ups` belongs to the schedule `line-up`"));
    }
    let mut tables = Vec::new();
    for (number, variant) in variants.iter().enumerate() {
        let seats = variant.game.seats();
        let before = tables.len();
        for line_up in line_ups.iter().filter(|l| l.len() == seats) {
            let seed = table_seed(experiment.seed, &variant.name, line_up, strategies);
            tables.push(Table { variant: number, line_up: line_up.clone(), seed });
        }
        if tables.len() == before {
            let name = &variant.name;
            return Err(Error::input(match experiment.schedule {
                Schedule::LineUp => {
                    let lengths: Vec<String> =
                        line_ups.iter().map(|line_up| line_up.len().to_string()).collect();
                    format!(
                        "variant `{name}` has {seats} seats, so {seats} strategies must be named \
                         (the same one may be named more than once); there are {}",
                        lengths.join(", ")
                    )
                }
                _ => format!(
                    "variant `{name}` has {seats} seats; a schedule of pairs needs 2: use `line-up`"
                ),
            }));
        }
    }
    if tables.is_empty() {
        return Err(Error::input("nothing to play: `variants` is empty"));
    }
    Ok(tables)
}

/// Where the bots' chance at a table grows from: names, not numbers, so that a pairing plays the
/// same hands in whatever experiment it stands.
pub(super) fn table_seed<G: Strategic>(
    seed: u64,
    variant: &str,
    line_up: &[usize],
    strategies: &[Strategy<G>],
) -> Seed {
    let seed = Seed::new(seed).named("choice").named(variant);
    line_up.iter().fold(seed, |seed, &s| seed.named(&strategies[s].name))
}
