//! `parlour sweep`.

use super::{Args, Experiment, Quick, Result};
use crate::Schedule;
use crate::error::{Error, ensure};
use crate::game::Sweep;
use crate::games::{AnyExperiment, game};
use crate::results::run_sheet;
use crate::strategy::StrategySpec;

#[derive(Args, Debug)]
pub(super) struct SweepCommand {
    /// leopard, …
    game: String,
    /// One or more variants, then FIELD=VALUES: a range A..B (A..B:STEP), or values with commas
    /// between them. A field is one of the rules, or STRATEGY.FIELD for a field of a strategy
    #[arg(required = true, num_args = 2.., value_name = "VARIANT... FIELD=VALUES")]
    what: Vec<String>,
    /// The strategies, all pairings of which are played; one alone meets itself. With a swept
    /// strategy the first of the others meets each of its versions; without others, it does itself
    #[arg(long, required = true, value_delimiter = ',')]
    strategies: Vec<String>,
    #[command(flatten)]
    quick: Quick,
}

pub(super) fn run(given: &SweepCommand) -> Result<()> {
    let game = game(&given.game)?;
    let plan = given.quick.plan(game, "sweep", experiment(game.name(), given)?, None)?;
    given.quick.play(&*plan, None, run_sheet)
}

/// The experiment that the command line asks for.
fn experiment(game: &str, given: &SweepCommand) -> Result<AnyExperiment> {
    let (settings, variants): (Vec<_>, Vec<_>) =
        given.what.iter().cloned().partition(|word| word.contains('='));
    ensure(!variants.is_empty(), || Error::input("name a variant before the fields to sweep"))?;
    ensure(!settings.is_empty(), || {
        Error::input("nothing to sweep: write FIELD=VALUES, as in `knock_at=4..10`")
    })?;
    let owner = |setting: &&str| {
        let owns = |name: &&String| {
            setting.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        given.strategies.iter().find(owns)
    };
    let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
    let rules = Sweep::parse(settings.iter().filter(|s| owner(s).is_none()).copied())?;
    let mut experiment = Experiment::of_variants(game, &variants, &given.strategies);
    experiment.sweep = Some(rules).filter(|rules| rules.fields().len() > 0);
    let mut swept = Vec::new();
    for (name, spec) in given.strategies.iter().zip(&mut experiment.strategies) {
        let own = settings.iter().filter(|setting| owner(setting) == Some(name));
        let own = Sweep::parse(own.map(|setting| &setting[name.len() + 1..]))?;
        if own.fields().len() > 0 {
            let fields = [("base".to_owned(), name.clone().into())].into_iter().collect();
            *spec = StrategySpec::Inline { name: name.clone(), fields, sweep: Some(own) };
            swept.push(name);
        }
    }
    if let Some(first) = swept.first() {
        let other = given.strategies.iter().find(|name| !swept.contains(name));
        if other.is_none() {
            experiment.strategies.insert(0, first.as_str().into());
        }
        experiment.champion = Some(other.unwrap_or(first).to_string());
        experiment.schedule = Schedule::Gauntlet;
        experiment.mirror = false;
    }
    Ok(experiment)
}
