//! What commands that play share: how they are told to play, and how they show what came of it.

use std::path::{Path, PathBuf};

use clap::{Args, value_parser};

use super::{GAMES, Output, Watch, say, tell};
use crate::arena::{Outline, Playable};
use crate::error::ensure;
use crate::files::{Library, Origin, read_text};
use crate::games::{AnyExperiment, AnyGame};
use crate::results::{Existing, Sheet};
use crate::{Error, Experiment, Result, Run, Summary};

/// How many threads a command may use.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Threads {
    /// How many threads, 1 to 1024 [default: one for each core]
    // No machine is the faster for more, and a system that refuses to start them says so badly.
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number as a pool of threads takes it: 0 for one on each core.
    pub fn for_pool(self) -> usize {
        self.threads.map_or(0, usize::from)
    }
}

/// What shall become of results that are there.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct Results {
    /// Go on with an unfinished run, or with a finished one to more `--deals`; one whose hands are
    /// listed (`--hands`, `--records`) can be finished only
    #[arg(long)]
    resume: bool,
    /// Play anew, and put the new results in the place of the old ones when they are finished
    #[arg(long, conflicts_with = "resume")]
    replace: bool,
}

impl Results {
    /// The same as the library takes it.
    pub fn existing(self) -> Existing {
        match self {
            Results { resume: true, .. } => Existing::Resume,
            Results { replace: true, .. } => Existing::Replace,
            _ => Existing::Keep,
        }
    }
}

/// What a run without an experiment file can be told.
#[derive(Args, Debug)]
pub(super) struct Quick {
    /// How many deals
    #[arg(long, default_value_t = 1000, allow_negative_numbers = true)]
    deals: u64,
    /// What all chance grows from
    #[arg(long, default_value_t = 1, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Where the results go; nowhere when left out
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    results: Results,
    /// No progress bar
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

impl Quick {
    /// An experiment with as many deals as it was told.
    pub fn plan(
        &self,
        game: &dyn AnyGame,
        name: &str,
        experiment: AnyExperiment,
        seats: Option<u8>,
    ) -> Result<Box<dyn Playable>> {
        let experiment = Experiment { deals: self.deals, seed: self.seed, ..experiment };
        game.plan(name, experiment, seats, &())
    }

    /// Plays a plan and says what came of it: JSON, or the sheet that is made of it. The records of
    /// all hands go to a file where one is named.
    pub fn play(
        &self,
        plan: &dyn Playable,
        records: Option<&Path>,
        sheet: fn(&Summary) -> Sheet,
    ) -> Result<()> {
        self.output.check()?;
        ensure(self.out.is_some() || !self.results.resume, || {
            Error::input("`--resume` needs the folder to go on with: `--out`")
        })?;
        say_own_files(plan.outline());
        let watch = Watch::of_run(plan.outline(), None, self.quiet, self.out.is_some())?;
        let (folder, watched) = (self.out.as_deref(), watch.over(plan, self.threads));
        let existing = self.results.existing();
        let run = Run { folder, existing, records_in: records, ..watched };
        let (summary, stopped) = run.go_as_far()?;
        drop(watch);
        let (deals, all) = (summary.deals, plan.outline().experiment().deals);
        self.output.give(&summary, || match stopped {
            None => sheet(&summary),
            Some(_) => Sheet::default()
                .saying(format!("So far, after {deals} of {all} deals:"))
                .then(sheet(&summary)),
        })?;
        match stopped {
            Some(stopped) => Err(stopped),
            None if self.output.json => Ok(()),
            None => self.out.as_deref().map_or(Ok(()), name_folder),
        }
    }
}

/// Says where the results are.
pub(super) fn name_folder(out: &Path) -> Result<()> {
    say(format!("Results: {}", out.display()))
}

/// Says which strategies are the user's own files though the program has one of the same name.
pub(super) fn say_own_files(plan: &Outline) {
    let Some(game) = GAMES.iter().find(|game| **game == plan.experiment().game) else { return };
    let shelf = Library::strategies(game).embedded_only();
    for input in &plan.inputs.strategies {
        if let Some(Origin::File(path)) = &input.from
            && path.file_stem().is_some_and(|stem| *stem == *input.name)
            && let Ok(embedded) = shelf.find(&input.name)
            && embedded.text != input.text
            && read_text(path).is_ok_and(|text| text != embedded.text)
        {
            let (name, path) = (&input.name, path.display());
            tell(format_args!("note: `{name}` is your file {path}, not the one of the program"));
        }
    }
}
