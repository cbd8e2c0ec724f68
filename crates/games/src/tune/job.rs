//! The tuning of a strategy without the types of its game.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use parlour_base::Program;

use super::{Goal, Outcome, Task};
use parlour_arena::Variant;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::Library;
use parlour_game::strategy::{Strategic, Strategy};

/// A request to tune a strategy.
#[derive(Clone, Debug)]
pub struct TuneRequest {
    /// Name or path of the strategy.
    pub strategy: String,
    /// Name or path of the opponent; `None` to play every candidate against its mirror image.
    pub against: Option<String>,
    /// Names or paths of the variants, played in turn; empty for the first listed one.
    pub variants: Vec<String>,
    /// The fields that may change.
    pub goal: Goal,
    /// Deals of each start, or of all values together.
    pub deals: u64,
    /// Number of starting points.
    pub starts: u64,
    /// Fresh deals that confirm the best candidate.
    pub confirm: u64,
    /// Random seed.
    pub seed: u64,
    /// The file to write; `None` for `STRATEGY-tuned.json`.
    pub out: Option<PathBuf>,
    /// Overwrites an existing file.
    pub replace: bool,
    /// Resumes a stopped tuning.
    pub resume: bool,
    /// Number of threads; 0 for all cores.
    pub threads: usize,
    /// The program that tunes.
    pub program: Program,
}

/// A tuning whose strategies and variants are loaded.
pub trait TuneJob {
    /// Returns the largest number of hands it may play.
    fn hands(&self) -> u64;

    /// Returns the name of the strategy.
    fn strategy(&self) -> &str;

    /// Returns the name of the opponent.
    fn opponent(&self) -> &str;

    /// Returns the file to write.
    fn out(&self) -> &Path;

    /// Tunes the strategy. `played` hears the number of hands just played.
    ///
    /// # Errors
    /// As [`Task::go`].
    fn run(&self, stop: &AtomicBool, played: &(dyn Fn(u64) + Sync)) -> Result<Outcome>;
}

/// Loads the strategies and variants of a request.
pub(crate) fn prepare<G: Strategic>(request: TuneRequest) -> Result<Box<dyn TuneJob>> {
    let library = Library::strategies(G::NAME);
    let strategy = Strategy::<G>::load(&library, &request.strategy)?;
    let against =
        request.against.as_ref().map(|name| Strategy::load(&library, name)).transpose()?;
    let variants = match &request.variants[..] {
        [] => vec![Variant::named(G::presets()[0].name)?],
        names => names.iter().map(|name| Variant::named(name)).collect::<Result<_>>()?,
    };
    ensure(request.starts > 0, || Error::input("`--starts` must be at least 1"))?;
    let usual = || PathBuf::from(format!("{}-tuned.json", strategy.name));
    let out = request.out.clone().unwrap_or_else(usual);
    ensure(request.replace || !out.exists(), || {
        let place = out.display();
        Error::input(format!(
            "{place} already exists: use `--replace` to overwrite it, or `--out` for another file"
        ))
    })?;
    Ok(Box::new(Job { request, strategy, against, variants, out }))
}

struct Job<G: Strategic> {
    request: TuneRequest,
    strategy: Strategy<G>,
    against: Option<Strategy<G>>,
    variants: Vec<Variant<G>>,
    out: PathBuf,
}

impl<G: Strategic> Job<G> {
    fn task<'a>(&'a self, stop: &'a AtomicBool, played: &'a (dyn Fn(u64) + Sync)) -> Task<'a, G> {
        let TuneRequest { deals, starts, confirm, seed, resume, threads, program, .. } =
            self.request;
        Task {
            strategy: &self.strategy,
            variants: &self.variants,
            against: self.against.as_ref(),
            goal: &self.request.goal,
            deals,
            starts,
            confirm,
            seed,
            out: &self.out,
            resume,
            threads,
            program,
            stop,
            played,
        }
    }
}

impl<G: Strategic> TuneJob for Job<G> {
    fn hands(&self) -> u64 {
        self.task(&AtomicBool::default(), &|_| {}).hands()
    }

    fn strategy(&self) -> &str {
        &self.strategy.name
    }

    fn opponent(&self) -> &str {
        &self.against.as_ref().unwrap_or(&self.strategy).name
    }

    fn out(&self) -> &Path {
        &self.out
    }

    fn run(&self, stop: &AtomicBool, played: &(dyn Fn(u64) + Sync)) -> Result<Outcome> {
        self.task(stop, played).go()
    }
}
