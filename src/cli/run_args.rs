//! Arguments that commands which play share, and the run of a plan that they describe.

use std::path::{Path, PathBuf};

use clap::{Args, value_parser};

use super::output::Output;
use super::print::{print, warn};
use super::watch::Watch;
use crate::Experiment;
use crate::arena::PlanInfo;
use crate::error::{Error, Result, ensure};
use crate::files::{Origin, read_text};
use crate::games::{AnyExperiment, game};
use crate::results::{IfExists, Run, Summary, TextReport};

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
        self.output.check()?;
        let existing = self.if_exists.into();
        ensure(self.out.is_some() || existing != IfExists::Resume, || {
            Error::input("`--resume` needs `--out`, the folder of the run")
        })?;
        warn_of_own_files(plan.info());
        let watch = Watch::run(plan.info(), None, self.quiet, self.out.is_some())?;
        let (folder, watched) = (self.out.as_deref(), watch.over(plan, self.threads.for_pool()));
        let run = Run { folder, if_exists: existing, records_in: records, ..watched };
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
