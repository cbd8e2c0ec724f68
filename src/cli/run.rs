//! `parlour run`, and the arguments that commands which play share.

use std::path::{Path, PathBuf};

use clap::{Args, value_parser};

use super::output::{Output, print, warn};
use super::watch::Watch;
use crate::Experiment;
use crate::arena::{DynPlan, Overrides, PlanInfo, Shard};
use crate::error::{Error, Result, ensure};
use crate::files::{Library, Origin, read_text};
use crate::games::{AnyExperiment, Games, game};
use crate::results::{
    self, IfExists, RunStatus, Summary, TextReport, plan_from_source, report, run_report,
};

/// The number of worker threads.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Threads {
    /// Number of worker threads, 1 to 1024 [default: all cores]
    // More threads are never faster, and systems report badly that they cannot start them.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The size of a thread pool: 0 for all cores.
    pub fn for_pool(self) -> usize {
        self.threads.map_or(0, usize::from)
    }
}

/// The fate of results that exist already.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct IfExistsArgs {
    /// Resume an unfinished run, or extend a finished one with a larger `--deals` (not with `--hands`
    /// or `--records`)
    #[arg(long)]
    resume: bool,
    /// Run again; the new results replace the old ones when they are finished
    #[arg(long, conflicts_with = "resume")]
    replace: bool,
}

impl From<IfExistsArgs> for IfExists {
    fn from(args: IfExistsArgs) -> IfExists {
        match args {
            IfExistsArgs { resume: true, .. } => IfExists::Resume,
            IfExistsArgs { replace: true, .. } => IfExists::Replace,
            _ => IfExists::Fail,
        }
    }
}

/// A run without an experiment file.
#[derive(Args, Debug)]
pub(super) struct QuickRun {
    /// Number of deals
    #[arg(long, default_value_t = 1000, allow_negative_numbers = true)]
    deals: u64,
    /// Random seed
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Folder for the results [default: none]
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    if_exists: IfExistsArgs,
    /// No progress bar
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

impl QuickRun {
    /// Plays an experiment of a game and prints the report that `sheet` makes, or JSON. `seats`
    /// changes the number of seats, and the records of all hands go to the file `records`.
    pub fn run(
        &self,
        name: &str,
        experiment: AnyExperiment,
        seats: Option<u8>,
        records: Option<&Path>,
        sheet: fn(&Summary) -> TextReport,
    ) -> Result<()> {
        let game = game(&experiment.game)?;
        let experiment = Experiment { deals: self.deals, seed: self.seed, ..experiment };
        let plan = &*(game.plan)(name, experiment, seats, &())?;
        let existing = self.if_exists.into();
        ensure(self.out.is_some() || existing != IfExists::Resume, || {
            Error::input("`--resume` needs `--out`, the folder of the run")
        })?;
        warn_of_own_files(plan.info());
        let watch = Watch::run(plan.info(), None, self.quiet, self.out.is_some())?;
        let (folder, watched) = (self.out.as_deref(), watch.over(plan, self.threads.for_pool()));
        let run = results::Run { folder, if_exists: existing, records_in: records, ..watched };
        let (summary, stopped) = run.go_as_far()?;
        drop(watch);
        let (deals, all) = (summary.deals, plan.info().experiment().deals);
        self.output.give(&summary, || match stopped {
            None => sheet(&summary),
            Some(_) => TextReport::default()
                .paragraph(format!("After {deals} of {all} deals:"))
                .then(sheet(&summary)),
        })?;
        match stopped {
            Some(stopped) => Err(stopped),
            None if self.output.json => Ok(()),
            None => self.out.as_deref().map_or(Ok(()), print_folder),
        }
    }
}

/// Prints the place of the results.
pub(super) fn print_folder(out: &Path) -> Result<()> {
    print(format!("Results: {}", out.display()))
}

/// Warns of strategies that are the user's own files although an embedded one has the same name.
pub(super) fn warn_of_own_files(plan: &PlanInfo) {
    let Ok(game) = game(&plan.experiment().game) else { return };
    let embedded = game.strategies().embedded_only();
    for input in &plan.inputs.strategies {
        if let Some(Origin::File(path)) = &input.from
            && path.file_stem().is_some_and(|stem| *stem == *input.name)
            && let Ok(embedded) = embedded.find(&input.name)
            && embedded.text != input.text
            && read_text(path).is_ok_and(|text| text != embedded.text)
        {
            let (name, path) = (&input.name, path.display());
            warn(format_args!("note: `{name}` is your file {path}, not the built-in strategy"));
        }
    }
}

#[derive(Args, Debug)]
pub(super) struct Run {
    /// An experiment file, the name of a built-in experiment, or the manifest of a run to repeat
    experiment: String,
    /// Folder for the results [default: results/EXPERIMENT, or the next free of
    /// results/EXPERIMENT-2, -3, …]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Number of deals, in place of the file's
    #[arg(long, allow_negative_numbers = true)]
    deals: Option<u64>,
    /// Random seed, in place of the file's
    #[arg(long, allow_negative_numbers = true)]
    seed: Option<u64>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    if_exists: IfExistsArgs,
    /// Resume a run started by a different build (only if both give identical results)
    #[arg(long, requires = "resume")]
    allow_other_build: bool,
    /// Play shard I of N; combine shards with `parlour merge`
    #[arg(long, value_name = "I/N", value_parser = parse_shard, conflicts_with_all = ["json", "export_markdown"])]
    shard: Option<Shard>,
    /// Write records.jsonl, one line per hand
    #[arg(long)]
    records: bool,
    /// Write hands.csv, one row per hand
    #[arg(long)]
    hands: bool,
    /// Print only the folder of the results
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Run) -> Result<()> {
    let source = Library::experiments().find(&args.experiment)?;
    let &Run { deals, seed, .. } = args;
    let (name, plan) =
        plan_from_source(&source, Overrides { deals, seed }, &(), &Games(crate::PROGRAM))?;
    play(args, &name, &*plan)
}

fn play(args: &Run, name: &str, plan: &dyn DynPlan) -> Result<()> {
    let &Run { shard, hands, records, allow_other_build, quiet, .. } = args;
    let existing = args.if_exists.into();
    let out = args.out.clone().map_or_else(|| default_folder(name, shard, existing), Ok)?;
    warn_of_own_files(plan.info());
    let watch = Watch::run(plan.info(), shard, quiet, true)?;
    let (folder, watched) = (Some(out.as_path()), watch.over(plan, args.threads.for_pool()));
    let run =
        results::Run { folder, hands, records, if_exists: existing, allow_other_build, ..watched };
    if let Some(shard) = shard {
        run.go_shard(shard)?;
        drop(watch);
        if quiet {
            return print_folder(&out);
        }
        let (Shard { part, of }, folder) = (shard, out.display());
        let hint = "Combine all shards with `parlour merge DIR... --out DIR`.";
        return print(format!("Shard {part}/{of}: {folder}\n{hint}"));
    }
    let summary = run.go()?;
    drop(watch);
    let index = report::write_index(&out)?;
    let early = if summary.early { " The run ended early because of `until`." } else { "" };
    let deals = summary.deals;
    let sampled = summary.analyzed_deals().map_or(String::new(), |sampled| {
        format!(" Decision figures use {sampled} of these deals.")
    });
    args.output.give_unless(quiet, &summary, || {
        let note = "± is half a 95 % interval, from the variance between";
        run_report(&summary).paragraph(format!("{note} {deals} deals.{sampled}{early}"))
    })?;
    if args.output.json {
        return Ok(());
    }
    print_folder(&out)?;
    match index {
        Some(index) if !quiet => print(format!("All runs: {}", index.display())),
        _ => Ok(()),
    }
}

/// The folder for results without `--out`: the experiment's, or the next free one after a finished
/// run. With `--replace`, the run to be replaced must be clear.
fn default_folder(name: &str, shard: Option<Shard>, existing: IfExists) -> Result<PathBuf> {
    let results = Path::new("results");
    if let Some(Shard { part, of }) = shard {
        return Ok(results.join(format!("{name}-shard-{part}-of-{of}")));
    }
    let first = results.join(name);
    let others = (2..).map(|number| results.join(format!("{name}-{number}")));
    let mut folders = std::iter::once(first.clone()).chain(others);
    let is_finished = |folder: &PathBuf| RunStatus::of(folder) == RunStatus::Finished;
    if existing == IfExists::Replace {
        let second = folders.nth(1).filter(is_finished);
        return second.map_or(Ok(first.clone()), |second| {
            let (first, second) = (first.display(), second.display());
            Err(Error::input(format!(
                "{first} and {second} are both finished; name the one to replace with `--out`"
            )))
        });
    }
    let finished: Vec<PathBuf> = folders.by_ref().take_while(is_finished).collect();
    let Some(last) = finished.last() else { return Ok(first) };
    let next = results.join(format!("{name}-{}", finished.len() + 1));
    if existing == IfExists::Resume && RunStatus::of(&next) == RunStatus::Absent {
        return Ok(last.clone());
    }
    let (first, folder) = (first.display(), next.display());
    warn(format_args!("{first} has a finished run; this run goes to {folder}"));
    Ok(next)
}

/// Reads `I/N`.
fn parse_shard(text: &str) -> std::result::Result<Shard, String> {
    let fault = || format!("`{text}` is not a shard: write I/N with 1 ≤ I ≤ N, as in 2/5");
    let (part, of) = text.split_once('/').ok_or_else(fault)?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| fault());
    Shard::new(number(part)?, number(of)?)
}
