//! `parlour sweep`.

use clap::Args;

use super::run_args::QuickRun;
use crate::error::{Error, Result, ensure};
use crate::game::Sweep;
use crate::games::AnyExperiment;
use crate::results::run_report;
use crate::strategy::StrategySpec;
use crate::{Experiment, Schedule};

#[derive(Args, Debug)]
pub(super) struct SweepArgs {
    /// The game: leopard, …
    game: String,
    /// One or more variants, then FIELD=VALUES: a range A..B or A..B:STEP, or values separated by
    /// commas. FIELD is a rule, or STRATEGY.FIELD for a field of a strategy
    #[arg(required = true, num_args = 2.., value_name = "VARIANT... FIELD=VALUES")]
    what: Vec<String>,
    /// The strategies; all pairs play, and a single strategy plays itself. Versions of a swept strategy
    /// play the first of the others, or the unchanged strategy if there is no other
    #[arg(long, required = true, value_delimiter = ',')]
    strategies: Vec<String>,
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn run(args: &SweepArgs) -> Result<()> {
    args.quick.run("sweep", experiment(args)?, None, None, run_report)
}

/// The experiment that the command line describes.
fn experiment(args: &SweepArgs) -> Result<AnyExperiment> {
    let (settings, variants): (Vec<_>, Vec<_>) =
        args.what.iter().map(String::as_str).partition(|word| word.contains('='));
    ensure(!variants.is_empty(), || Error::input("name a variant before the fields to sweep"))?;
    ensure(!settings.is_empty(), || {
        Error::input("nothing to sweep: write FIELD=VALUES, as in `knock_at=4..10`")
    })?;
    // The strategy whose field a setting names, if any.
    let owner = |setting: &str| {
        args.strategies.iter().find(|name| {
            setting.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'))
        })
    };
    let rules = Sweep::parse(settings.iter().filter(|s| owner(s).is_none()).copied())?;
    let variants = variants.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let mut experiment: AnyExperiment =
        Experiment::of_variants(&args.game, &variants, &args.strategies);
    experiment.sweep = Some(rules).filter(|rules| rules.fields().len() > 0);
    let mut swept = Vec::new();
    for (name, spec) in args.strategies.iter().zip(&mut experiment.strategies) {
        let own = settings.iter().filter(|setting| owner(setting) == Some(name));
        let own = Sweep::parse(own.map(|setting| &setting[name.len() + 1..]))?;
        if own.fields().len() > 0 {
            let fields = [("base".to_owned(), name.clone().into())].into_iter().collect();
            *spec = StrategySpec::Inline { name: name.clone(), fields, sweep: Some(own) };
            swept.push(name);
        }
    }
    if let Some(first) = swept.first() {
        let other = args.strategies.iter().find(|name| !swept.contains(name));
        if other.is_none() {
            experiment.strategies.insert(0, first.as_str().into());
        }
        experiment.champion = Some(other.unwrap_or(first).to_string());
        experiment.schedule = Schedule::Gauntlet;
        experiment.mirror = false;
    }
    Ok(experiment)
}
