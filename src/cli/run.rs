//! Runs: `parlour run` plays an experiment; `match`, `compare`, `sweep` and `exploit` need no file. Also the
//! arguments that commands which play share.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde_json::{Map, Value, json};

use super::job::{JobOptions, Threads};
use super::names::{is_setting, split_names};
use super::output::{Output, print, print_folder, warn};
use super::tune::{render_front, run_search};
use super::watch::Watch;
use crate::arena::{DynPlan, LuckAdjusted, Overrides, PlanInfo, Question, Shard};
use crate::error::{Error, Result, ensure};
use crate::files::{Library, Origin, parse_json, read_text};
use crate::game::Sweep;
use crate::games::{AnyExperiment, Games, game};
use crate::results::{
    self, IfExists, RunStatus, Summary, TextReport, plan_from_source, report, run_report,
};
use crate::strategy::StrategySpec;
use crate::tune::ParetoSearch;
use crate::{Experiment, Schedule};

/// The fate of results that exist already.
#[derive(Args, Clone, Copy, Debug)]
pub(super) struct IfExistsArgs {
    /// Resume an unfinished run, or extend a finished one with a larger `--deals` (not with `--hands`
    /// or `--records`)
    #[arg(long)]
    pub resume: bool,
    /// Run again; the new results replace the old ones when they are finished
    #[arg(long, conflicts_with = "resume")]
    replace: bool,
    /// Resume a run started by a different build (only if both give identical results)
    #[arg(long, requires = "resume")]
    pub allow_other_build: bool,
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
    pub threads: Threads,
    /// Folder for the results [default: none]
    #[arg(long)]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub if_exists: IfExistsArgs,
    /// Print only the answer
    #[arg(long)]
    pub quiet: bool,
    /// Print all figures and all pairs of variants
    #[arg(long)]
    pub all: bool,
    #[command(flatten)]
    pub output: Output,
}

impl QuickRun {
    /// Plays an experiment of a game and prints its report, or JSON. `seats` changes the number of seats,
    /// and the records of all hands go to the file `records`.
    pub fn run(
        &self,
        name: &str,
        experiment: AnyExperiment,
        seats: Option<u8>,
        records: Option<&Path>,
    ) -> Result<()> {
        let game = game(&experiment.game)?;
        let experiment = Experiment { deals: self.deals, seed: self.seed, ..experiment };
        let plan = &*(game.plan)(name, experiment, seats, &())?;
        self.play(plan, self.out.as_deref(), records)
    }

    /// Plays a plan, into a folder if there is one, and prints its report.
    pub fn play(
        &self,
        plan: &dyn DynPlan,
        folder: Option<&Path>,
        records: Option<&Path>,
    ) -> Result<()> {
        let IfExistsArgs { resume, replace, allow_other_build } = self.if_exists;
        ensure(folder.is_some() || !resume, || {
            Error::input("`--resume` needs `--out`, the folder of the run")
        })?;
        warn_of_own_files(plan.info());
        let watch = Watch::run(plan.info(), None, self.quiet, folder.is_some())?;
        let watched = watch.over(plan, self.threads.for_pool());
        let if_exists = IfExists::from_options(resume, replace);
        let run =
            results::Run { folder, if_exists, allow_other_build, records_in: records, ..watched };
        let (summary, stopped) = run.go_as_far()?;
        drop(watch);
        let (deals, all) = (summary.deals, plan.info().experiment().deals);
        let after = stopped.as_ref().map(|_| format!("After {deals} of {all} deals:"));
        let report = TextReport::default().paragraph(after.unwrap_or_default());
        self.print(&summary, report, folder.filter(|_| stopped.is_none()))?;
        stopped.map_or(Ok(()), Err)
    }

    /// Prints a report with its first part, or the answer alone; then the place of the results.
    pub fn print(&self, run: &Summary, first: TextReport, folder: Option<&Path>) -> Result<()> {
        let quiet = self.quiet && !self.output.json;
        let output = Output { quiet, ..self.output.clone() };
        output.give(run, || first.then(run_report(run, self.all)))?;
        match folder.filter(|_| !self.output.json) {
            _ if quiet => print(run.answer.text()),
            folder => folder.map_or(Ok(()), print_folder),
        }
    }
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

/// The format of `--hands` and `--records`.
#[derive(Clone, Copy, PartialEq, Debug, Default, ValueEnum)]
enum Format {
    /// Files of text
    #[default]
    Text,
    /// Folders hands.parquet and records.parquet, 10 to 16 times smaller
    Parquet,
}

#[derive(Args, Debug)]
pub(super) struct Run {
    /// An experiment file, the name of a built-in experiment, or the manifest or the bundle of a run to
    /// repeat
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
    /// Play shard I of N; combine shards with `parlour merge`. Those of a search run at the same time, with
    /// the same `--out`, and wait for each other
    #[arg(long, value_name = "I/N", value_parser = parse_shard, conflicts_with_all = ["json", "export_markdown"])]
    shard: Option<Shard>,
    /// Write the record of each hand: records.jsonl
    #[arg(long)]
    records: bool,
    /// Write one row per hand: hands.csv
    #[arg(long)]
    hands: bool,
    /// Format of these files
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Print only the folder of the results
    #[arg(long)]
    quiet: bool,
    /// Print all figures and all pairs of variants
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(args: &Run) -> Result<()> {
    let &Run { deals, seed, shard, hands, records, format, quiet, .. } = args;
    let bundle = Some(Path::new(&args.experiment)).filter(|place| results::is_bundle(place));
    bundle.map_or(Ok(()), results::check_bundle)?;
    let manifest = bundle.map(|bundle| bundle.join("manifest.json").to_string_lossy().into_owned());
    let source = Library::experiments().find(manifest.as_ref().unwrap_or(&args.experiment))?;
    let overrides = Overrides { deals, seed };
    let (name, plan) = plan_from_source(&source, overrides, &(), &Games(crate::PROGRAM))?;
    let IfExistsArgs { resume, replace, allow_other_build } = args.if_exists;
    let if_exists = IfExists::from_options(resume, replace);
    // A manifest has the experiment that a search was given. Lists of hands are of the confirmation.
    let search = plan.info().experiment().search.as_ref();
    let given = search.and_then(|search| search.given.clone());
    let is_search = search.is_some() && !(given.is_some() && (hands || records));
    let folder = || default_folder(&name, shard.filter(|_| !is_search), if_exists);
    let out = args.out.clone().map_or_else(folder, Ok)?;
    warn_of_own_files(plan.info());
    let finish = || {
        if !args.output.json {
            print_folder(&out)?;
        }
        // Fewer deals or another seed give other results.
        let Some(bundle) = bundle.filter(|_| deals.or(seed).is_none()) else { return Ok(()) };
        match results::differing_table(bundle, &out) {
            Some(name) => Err(Error::failed(format!(
                "{name} differs from that of the bundle; use the program and the networks of its manifest"
            ))),
            None if quiet || args.output.json => Ok(()),
            None => print("All tables equal those of the bundle."),
        }
    };
    let text = given.map_or_else(|| source.text.clone(), |given| given.to_string());
    if is_search && let Ok(experiment) = parse_json::<AnyExperiment>(&name, &text) {
        ensure(!hands && !records, || {
            Error::input(
                "an experiment with `search` has no lists of hands; repeat its confirmation by its manifest for these",
            )
        })?;
        let (deals, seed) = (deals.unwrap_or(experiment.deals), seed.unwrap_or(experiment.seed));
        let experiment = AnyExperiment { deals, seed, ..experiment };
        let search = ParetoSearch::new(&name, &experiment, Some(&source))?;
        let job = JobOptions { replace, resume, threads: args.threads, quiet };
        let game = game(&experiment.game)?;
        let found = run_search(&search, game, &job, Some(&out), shard)?;
        if !quiet || args.output.json {
            args.output.give(&found, || render_front(&found, args.all))?;
        }
        if shard.is_some_and(|shard| shard.part > 1) {
            return print(format!("Shard 1 writes the results: {}", out.display()));
        }
        report::write_index(&out, crate::DATED_VERSION)?;
        return finish();
    }
    let watch = Watch::run(plan.info(), shard, quiet, true)?;
    let (folder, watched) = (Some(out.as_path()), watch.over(&*plan, args.threads.for_pool()));
    let parquet = format == Format::Parquet;
    ensure(!parquet || hands || records, || {
        Error::input("`--format parquet` needs `--hands` or `--records`")
    })?;
    let run =
        results::Run { folder, hands, records, parquet, if_exists, allow_other_build, ..watched };
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
    let index = report::write_index(&out, crate::DATED_VERSION)?;
    let output = Output { quiet, ..args.output.clone() };
    output.give(&summary, || run_report(&summary, args.all))?;
    finish()?;
    let index = index.filter(|_| !quiet && !args.output.json);
    index.map_or(Ok(()), |index| print(format!("All runs: {}", index.display())))
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

#[derive(Args, Debug)]
pub(super) struct Match {
    /// The game: leopard, …
    game: String,
    /// The strategies, one for each seat: names or paths
    #[arg(required = true, num_args = 2..)]
    strategies: Vec<String>,
    /// Variant [default: the first in `parlour list variants`]
    #[arg(long)]
    variant: Option<String>,
    /// Number of seats, in a game that leaves a choice; the strategies take the seats in turn
    #[arg(long)]
    seats: Option<u8>,
    /// File for the records, one line per hand
    #[arg(long, value_name = "FILE")]
    records: Option<PathBuf>,
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn run_match(args: &Match) -> Result<()> {
    let Match { strategies, seats, quick, .. } = args;
    let game = game(&args.game)?;
    let variant = args.variant.as_deref().unwrap_or((game.variants)()[0].0);
    let experiment = Experiment::at_table(game.name, variant.into(), strategies, *seats)?;
    quick.run("match", experiment, *seats, args.records.as_deref())
}

#[derive(Args, Debug)]
pub(super) struct Compare {
    /// The game: leopard, …
    game: String,
    /// The variants: names, or rules files ending in .json
    #[arg(required = true, num_args = 2..)]
    variants: Vec<String>,
    /// The variant with which all others are compared [default: the first]
    #[arg(long, value_name = "VARIANT")]
    reference: Option<String>,
    /// The strategies; all pairs play, and a single strategy plays itself
    #[arg(long, required = true)]
    strategies: Vec<String>,
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn compare(args: &Compare) -> Result<()> {
    let mut variants = args.variants.clone();
    if let Some(reference) = &args.reference {
        let stem = Path::new(reference).file_stem();
        let place = variants.iter().position(|variant| Path::new(variant).file_stem() == stem);
        let first = place.map_or(reference.clone(), |at| variants.remove(at));
        variants.insert(0, first);
    }
    let experiment = Experiment::of_variants(&args.game, variants, split_names(&args.strategies));
    args.quick.run("compare", experiment, None, None)
}

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
    #[arg(long, required = true)]
    strategies: Vec<String>,
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn sweep(args: &SweepArgs) -> Result<()> {
    args.quick.run("sweep", swept_experiment(args)?, None, None)
}

/// The experiment that the command line describes.
fn swept_experiment(args: &SweepArgs) -> Result<AnyExperiment> {
    let (settings, variants): (Vec<_>, Vec<_>) =
        args.what.iter().map(String::as_str).partition(|word| is_setting(word));
    ensure(!variants.is_empty(), || Error::input("name a variant before the fields to sweep"))?;
    ensure(!settings.is_empty(), || {
        Error::input("nothing to sweep: write FIELD=VALUES, as in `knock_at=4..10`")
    })?;
    // The strategy whose field a setting names, if any.
    let strategies = split_names(&args.strategies);
    let owner = |setting: &str| {
        strategies.iter().find(|name| {
            setting.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'))
        })
    };
    let rules = Sweep::parse(settings.iter().filter(|s| owner(s).is_none()).copied())?;
    let variants = variants.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let mut experiment: AnyExperiment = Experiment::of_variants(&args.game, &variants, &strategies);
    experiment.sweep = Some(rules).filter(|rules| rules.fields().len() > 0);
    let mut swept = Vec::new();
    for (name, spec) in strategies.iter().zip(&mut experiment.strategies) {
        let own = settings.iter().filter(|setting| owner(setting) == Some(name));
        let own = Sweep::parse(own.map(|setting| &setting[name.len() + 1..]))?;
        if own.fields().len() > 0 {
            let options = game(&args.game)?.load_strategy(name)?.options();
            for (field, _) in own.fields() {
                let group = options.pointer(&format!("/{}", field.replace('.', "/")));
                let fields: Vec<_> =
                    group.and_then(Value::as_object).into_iter().flatten().collect();
                ensure(fields.is_empty(), || {
                    let fields = fields.iter().map(|(member, _)| format!("{field}.{member}"));
                    let fields: Vec<String> = fields.collect();
                    let problem = format!("is a group; name a field: {}", fields.join(", "));
                    Error::input(format!("`{field}` of {name} {problem}"))
                })?;
            }
            let fields = [("base".to_owned(), name.clone().into())].into_iter().collect();
            *spec = StrategySpec::Inline { name: name.clone(), fields, sweep: Some(own) };
            swept.push(name);
        }
    }
    if let Some(first) = swept.first() {
        let other = strategies.iter().find(|name| !swept.contains(name));
        if other.is_none() {
            experiment.strategies.insert(0, first.as_str().into());
        }
        experiment.champion = Some(other.unwrap_or(first).to_string());
        experiment.schedule = Schedule::Gauntlet;
        experiment.mirror = false;
    }
    Ok(experiment)
}

/// The name of the attacker.
const RESPONSE: &str = "response";

/// The probability that the model gives to moves that the target would not make. It keeps an
/// impossible move from ending the inference.
const ERROR: f64 = 0.02;

/// The number of the target's latest moves that the model uses.
const MOVES: u32 = 8;

#[derive(Args, Debug)]
pub(super) struct Exploit {
    /// The game: leopard, …
    game: String,
    /// The target: a strategy by name or path, not limited by time
    target: String,
    /// Variant [default: the first in `parlour list variants`]
    #[arg(long)]
    variant: Option<String>,
    /// Playouts of the attacker per move
    #[arg(long, default_value_t = 500)]
    iterations: u32,
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn exploit(args: &Exploit) -> Result<()> {
    args.quick.run("exploit", attack(args)?, None, None)
}

/// The target against a search that has the target, or the target's own playout policy, in its
/// playouts and as its opponent model. The best response scores at least as much.
fn attack(args: &Exploit) -> Result<AnyExperiment> {
    let game = game(&args.game)?;
    let Some(base) = game.default_search else {
        return Err(Error::input(format!(
            "{} has no search that could attack a strategy; leopard has one",
            game.name
        )));
    };
    let target = game.load_strategy(&args.target)?;
    let name = target.info().name;
    ensure(!target.uses_clock(), || {
        Error::input(format!(
            "`{name}` is limited by time and plays differently on other machines, so it has no \
             bound; give it a budget of `iterations`"
        ))
    })?;
    let named = target.named();
    let guide = named.iter().skip(1).find(|(field, _)| field.contains("guide")).or(named.first());
    ensure(guide.is_some() || target.is_static(), || {
        Error::input(format!(
            "`{name}` is too slow for the playouts of a search, as external programs are; use \
             `parlour match` instead"
        ))
    })?;
    let policy = guide.map_or(&*args.target, |(_, name)| name);
    ensure(name != RESPONSE, || {
        Error::input(format!("`{RESPONSE}` is the name of the attacker; rename the file"))
    })?;
    let mut fields = json!({
        "base": base,
        "budget": { "iterations": args.iterations },
        "playouts": { "by": policy, "first": null },
    });
    // In a game without hidden information, the search has no opponent model. Its guide stays: many
    // targets value only their own moves, and an attacker need not think as the target does.
    if game.load_strategy(base)?.named().iter().any(|(field, _)| *field == "/model/by") {
        fields["model"] = json!({ "by": policy, "error": ERROR, "moves": MOVES });
    }
    let fields: Map<String, Value> = fields.as_object().cloned().unwrap_or_default();
    let variant = args.variant.as_deref().unwrap_or((game.variants)()[0].0);
    let seats = [RESPONSE.to_owned(), args.target.clone()];
    let of_match: AnyExperiment = Experiment::of_match(game.name, variant, &seats);
    let response = StrategySpec::Inline { name: RESPONSE.to_owned(), fields, sweep: None };
    let exploit = Some([RESPONSE.to_owned(), name.to_owned()]);
    Ok(Experiment {
        question: Some(Question { exploit, ..Question::default() }),
        about: format!("How far can {name} be beaten?"),
        strategies: vec![response, args.target.as_str().into()],
        line_ups: Some(vec![vec![RESPONSE.to_owned(), name.to_owned()]]),
        luck_adjusted: game.has_luck_judge.then_some(LuckAdjusted::Switch(true)),
        ..of_match
    })
}
