//! `parlour sample-size`.

use std::path::Path;

use clap::Args;

use super::output::Output;
use super::run::Threads;
use super::watch::Watch;
use crate::arena::{DynPlan, Overrides};
use crate::error::{Error, Kind, Result, ensure};
use crate::files::Library;
use crate::games::Games;
use crate::results::{
    self, ComparisonSize, Folder, Summary, TextReport, TextTable, pilot, plan_from_source,
};

#[derive(Args, Debug)]
pub(super) struct SampleSize {
    /// The folder of a finished run, or an experiment; a pilot of the experiment is played
    of: String,
    /// The difference to detect, as a share of the win
    #[arg(long)]
    difference: f64,
    /// Probability of detecting the difference if it exists
    #[arg(long, default_value_t = 0.8)]
    power: f64,
    /// Deals of the pilot of an experiment [default: 400]
    #[arg(long)]
    pilot: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &SampleSize) -> Result<()> {
    let &SampleSize { difference, power, .. } = args;
    let deals = args.pilot.unwrap_or(400);
    results::SampleSize::check(difference, power, deals)?;
    let summary = if Path::new(&args.of).is_dir() {
        ensure(args.pilot.is_none(), || {
            Error::input(format!("`--pilot` is for experiments; {} is a finished run", args.of))
        })?;
        Folder::new(Path::new(&args.of)).reread(&Games(crate::PROGRAM))?.1
    } else {
        let source = Library::experiments().find(&args.of)?;
        let (_, plan) =
            plan_from_source(&source, Overrides::default(), &(), &Games(crate::PROGRAM))?;
        play(&*pilot(&*plan, deals)?, args.threads)?
    };
    let planned = results::SampleSize::of(&summary, difference, power)?;
    args.output.give(&planned, || report(&planned))
}

/// The answer, then the deals that each comparison needs.
fn report(planned: &results::SampleSize) -> TextReport {
    let row = |ComparisonSize { comparison, standard_deviation, deals }: &ComparisonSize| {
        let deals = deals.map_or("too many".to_owned(), |deals| deals.to_string());
        [comparison.clone(), deals, format!("{standard_deviation:.3}")]
    };
    TextReport::default()
        .paragraph(planned.text())
        .table(TextTable::of(1, ["comparison", "deals", "standard deviation"], planned.comparisons.iter().map(row)))
        .paragraph(
            "The deviation is the standard deviation of one deal. Variants are compared on the same \
             deals, and every strategy sits in every seat.",
        )
}

/// Plays the pilot.
fn play(pilot: &dyn DynPlan, threads: Threads) -> Result<Summary> {
    let watch = Watch::run(pilot.info(), None, false, true)?;
    watch.over(pilot, threads.for_pool()).go().map_err(|error| match error.kind() {
        Kind::Stopped => Error::stopped("stopped; a pilot is not saved"),
        _ => error,
    })
}
