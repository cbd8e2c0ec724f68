//! What commands that play share: how they are told to play, who watches, and how they show what
//! came of it. A run is watched by a bar, on a terminal only, and by the list of the strategies that
//! failed in it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::{Args, value_parser};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::{say, say_json, tell};
use crate::arena::{Observer, Outline, Overrides, Playable, Shard, VariantSpec};
use crate::error::ensure;
use crate::files::Found;
use crate::results::{Asked, Existing, answer_text, rating_table, variant_table};
use crate::{Error, Experiment, Plan, Result, Run, Strategic, Summary};

/// How long a run that is stopped may take to come to its end.
const PATIENCE: Duration = Duration::from_secs(3);

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
    /// Go on with an unfinished run, or with a finished one to more deals
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
    #[arg(long, default_value_t = 1000)]
    deals: u64,
    /// What all chance grows from
    #[arg(long, default_value_t = 1)]
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
    /// Print the numbers as JSON, by the names of the CSV columns
    #[arg(long)]
    json: bool,
}

impl Quick {
    /// An experiment with as many deals as it was told.
    pub fn plan<G: Strategic>(
        &self,
        name: &str,
        experiment: Experiment<VariantSpec<G::Patch>>,
    ) -> Result<Plan<G>> {
        Plan::resolve(name, &Experiment { deals: self.deals, seed: self.seed, ..experiment })
    }

    /// Plays a plan and says what came of it: JSON, or what `text` makes of it. The records of all
    /// hands go to a file where one is named.
    pub fn play(
        &self,
        plan: &dyn Playable,
        records: Option<&Path>,
        text: fn(&Summary) -> Result<()>,
    ) -> Result<()> {
        ensure(self.out.is_some() || !self.results.resume, || {
            Error::input("`--resume` needs the folder to go on with: `--out`")
        })?;
        let watch = Watch::new(plan.outline(), None, self.quiet)?;
        let (folder, watched) = (self.out.as_deref(), watch.over(plan, self.threads));
        let existing = self.results.existing();
        let summary = Run { folder, existing, records_in: records, ..watched }.go()?;
        drop(watch);
        if self.json {
            return say_json(&summary);
        }
        text(&summary)?;
        self.out.as_deref().map_or(Ok(()), name_folder)
    }
}

/// Who watches a run: the bar, and Ctrl-C.
pub(super) struct Watch {
    bar: Bar,
    stop: Arc<AtomicBool>,
}

impl Watch {
    /// Watches a run of a plan, or of a part of it. The first Ctrl-C (or polite kill) stops it, the
    /// second ends the program.
    pub fn new(plan: &Outline, shard: Option<Shard>, quiet: bool) -> Result<Watch> {
        let stop = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&stop);
        ctrlc::set_handler(move || {
            if raised.swap(true, Ordering::Relaxed) {
                std::process::exit(130);
            }
            tell("stopping (again to leave at once)");
            // Nobody listens while the numbers are made. Files are whole or absent at any moment.
            let leave = std::thread::Builder::new().spawn(|| {
                std::thread::sleep(PATIENCE);
                tell(
                    "parlour: stopped: the chunks that a folder holds stay; `run --resume` goes on",
                );
                std::process::exit(130)
            });
            drop(leave);
        })
        .map_err(|error| Error::failed(format!("cannot listen for Ctrl-C: {error}")))?;
        Ok(Watch { bar: Bar::new(plan.hands(shard), quiet), stop })
    }

    /// A run of the plan that is watched.
    pub fn over<'a>(&'a self, plan: &'a dyn Playable, threads: Threads) -> Run<'a> {
        let (threads, stop) = (threads.for_pool(), Some(&*self.stop));
        Run { threads, observer: &self.bar, stop, ..Run::of(plan) }
    }
}

/// The plan of an experiment file of this game.
pub(super) fn planned<G: Strategic>(
    found: &Found,
    overrides: Overrides,
) -> Result<Box<dyn Playable>> {
    let plan = Plan::<G>::from_file(found, overrides)?;
    Asked::of(&plan).map_err(|error| error.in_file(&found.place()))?;
    Ok(Box::new(plan))
}

/// Says the answer, then how strong the strategies are and what the variants are like.
pub(super) fn say_tables(summary: &Summary) -> Result<()> {
    say(format!("{}\n", answer_text(summary)))?;
    say(format!("Ratings\n{}\n", rating_table(summary)))?;
    say(format!("Variants\n{}\n", variant_table(summary)))?;
    summary.untuned.as_ref().map_or(Ok(()), |said| say(format!("{said}\n")))
}

/// Says where the results are.
pub(super) fn name_folder(out: &Path) -> Result<()> {
    say(format!("Results: {}", out.display()))
}

/// A bar over hands, or none: a hidden one would go on asking for the time.
pub(super) struct Bar {
    bar: Option<ProgressBar>,
    /// By strategy the hands that it lost by failing, and what it said first.
    failed: Mutex<BTreeMap<String, (u64, String)>>,
}

impl Bar {
    /// A bar of so many hands; none when it is not wanted or standard error is no terminal.
    pub fn new(hands: u64, quiet: bool) -> Bar {
        say_each_panic_once();
        let wanted = !quiet && std::io::stderr().is_terminal();
        let bar = wanted.then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(5);
            let bar = ProgressBar::with_draw_target(Some(hands), target);
            let shape =
                "{bar:30} {percent:>3}% {human_pos}/{human_len} hands, {per_sec}, {eta} left";
            if let Ok(style) = ProgressStyle::with_template(shape) {
                bar.set_style(style);
            }
            bar
        });
        Bar { bar, failed: Mutex::default() }
    }
}

/// The panic of a bot loses a hand, perhaps many thousand times over.
fn say_each_panic_once() {
    let (usual, said) = (std::panic::take_hook(), Mutex::new(BTreeSet::new()));
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string);
        let is_new = said.lock().unwrap_or_else(PoisonError::into_inner).insert(place);
        if is_new {
            usual(panic);
        }
    }));
}

/// The bar goes before anything else is shown.
impl Drop for Bar {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        for (strategy, (hands, said)) in failed.iter() {
            let hands = if *hands == 1 { "1 hand".to_owned() } else { format!("{hands} hands") };
            tell(format_args!("parlour: `{strategy}` failed, and so lost {hands}: {said}"));
        }
    }
}

impl Observer for Bar {
    fn played(&self, hands: u64) {
        if let Some(bar) = &self.bar {
            bar.inc(hands);
        }
    }

    fn failed(&self, strategy: &str, said: &str) {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.entry(strategy.to_owned()).or_insert_with(|| (0, said.to_owned())).0 += 1;
    }
}
