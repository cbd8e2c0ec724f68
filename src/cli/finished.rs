//! Commands about finished runs: `parlour show`, `report`, `bundle`, `merge` and `sample-size`.

use std::path::{Path, PathBuf};

use clap::Args;

use super::job::Threads;
use super::output::{Output, print, print_folder};
use super::watch::Watch;
use crate::arena::{DynPlan, Overrides};
use crate::error::{Error, Kind, Result, ensure};
use crate::files::{DirLock, Library};
use crate::games::{Games, game};
use crate::results::{
    self, ComparisonSize, Folder, IfExists, Summary, TextReport, TextTable, merge, pilot,
    plan_from_source, report, run_report,
};

#[derive(Args, Debug)]
pub(super) struct Show {
    /// The folder of a finished run
    folder: PathBuf,
    /// Print all figures and all pairs of variants
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn show(args: &Show) -> Result<()> {
    let (_, summary) = Folder::new(&args.folder).read(&Games(crate::PROGRAM), true)?;
    args.output.give(&summary, || run_report(&summary, args.all))
}

#[derive(Args, Debug)]
pub(super) struct Report {
    /// The folder of a finished run
    folder: PathBuf,
    /// Rewrite the tables too, computed by this build from the run's tallies
    #[arg(long)]
    tables: bool,
}

pub(super) fn write_report(args: &Report) -> Result<()> {
    let folder = Folder::new(&args.folder);
    let (header, summary) = folder.read(&Games(crate::PROGRAM), !args.tables)?;
    let _lock = DirLock::acquire(&folder.path)?;
    if args.tables {
        folder.write_tables(crate::PROGRAM, &summary)?;
    }
    let game = game(&header.resolved.experiment.game)?;
    folder.write_report(&header, &summary, game.replay_fn)?;
    print(format!("Report: {}", folder.path.join(report::FILE).display()))?;
    let index = report::write_index(&folder.path, crate::DATED_VERSION)?;
    index.map_or(Ok(()), |index| print(format!("All runs: {}", index.display())))
}

#[derive(Args, Debug)]
pub(super) struct Bundle {
    /// The folder of a finished run
    folder: PathBuf,
    /// Folder for the bundle [default: FOLDER-bundle]
    #[arg(long)]
    out: Option<PathBuf>,
}

pub(super) fn bundle(args: &Bundle) -> Result<()> {
    let folder = &args.folder;
    // `.` has no name.
    let name = folder.file_name().unwrap_or("run".as_ref()).to_string_lossy();
    let default = || folder.with_file_name(format!("{name}-bundle"));
    let out = args.out.clone().unwrap_or_else(default);
    let summary = results::write_bundle(folder, &out, &Games(crate::PROGRAM))?;
    let (answer, out) = (summary.answer.text(), out.display());
    print(format!(
        "{answer}\nBundle: {out}\n`parlour run {out}` checks the files and repeats the run."
    ))
}

#[derive(Args, Debug)]
pub(super) struct Merge {
    /// The folders of the shards
    #[arg(required = true)]
    shards: Vec<PathBuf>,
    /// Folder for the results
    #[arg(long)]
    out: PathBuf,
    /// Merge shards played by different builds (only if all give identical results)
    #[arg(long)]
    allow_other_build: bool,
    /// Replace existing results
    #[arg(long)]
    replace: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn merge_shards(args: &Merge) -> Result<()> {
    let Merge { shards, out, allow_other_build, replace, output } = args;
    let if_exists = IfExists::from_options(false, *replace);
    let summary = merge(shards, out, if_exists, *allow_other_build, &Games(crate::PROGRAM))?;
    report::write_index(out, crate::DATED_VERSION)?;
    output.give(&summary, || run_report(&summary, false))?;
    if output.json { Ok(()) } else { print_folder(out) }
}

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

pub(super) fn sample_size(args: &SampleSize) -> Result<()> {
    let &SampleSize { difference, power, .. } = args;
    let deals = args.pilot.unwrap_or(400);
    results::SampleSize::check(difference, power, deals)?;
    let summary = if Path::new(&args.of).is_dir() {
        ensure(args.pilot.is_none(), || {
            Error::input(format!("`--pilot` is for experiments; {} is a finished run", args.of))
        })?;
        Folder::new(Path::new(&args.of)).read(&Games(crate::PROGRAM), true)?.1
    } else {
        let source = Library::experiments().find(&args.of)?;
        let (_, plan) =
            plan_from_source(&source, Overrides::default(), &(), &Games(crate::PROGRAM))?;
        play(&*pilot(&*plan, deals)?, args.threads)?
    };
    let planned = results::SampleSize::of(&summary, difference, power)?;
    args.output.give(&planned, || sample_size_report(&planned))
}

/// The answer, then the deals that each comparison needs.
fn sample_size_report(planned: &results::SampleSize) -> TextReport {
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
    let watch = Watch::run(pilot.info(), None, false, false)?;
    watch.over(pilot, threads.for_pool()).go().map_err(|error| match error.kind() {
        Kind::Stopped => Error::stopped("stopped; a pilot is not saved"),
        _ => error,
    })
}
