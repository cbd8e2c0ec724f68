//! `parlour tune`: better options of a strategy, or a Pareto front of rule sets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use serde_json::json;

use super::job::JobOptions;
use super::names::{is_setting, split_names};
use super::output::{Output, print_folder, warn};
use super::watch::Watch;
use crate::arena::{DynPlan, Objective, Progress, Question, SearchSpec, Shard, WinRates};
use crate::error::{Error, Kind, Result, ensure, unknown};
use crate::files::{DirLock, parse_json, read_text};
use crate::game::Sweep;
use crate::games::{ALL, AnyExperiment, AnyGame, Games, game_of_variant};
use crate::results::{
    Goal, IfExists, Merge, RunStatus, Summary, TextReport, TextTable, answer_report, run_report,
    thousands,
};
use crate::tune::{
    ChangedField, Checkpoint, ParetoFront, ParetoSearch, SearchRun, SearchSpace, TuneOutcome,
    TuneRequest,
};
use crate::{Experiment, Run};

#[derive(Args, Debug)]
pub(super) struct Tune {
    /// Strategy by name or path, after its game if several games have one of that name. FIELD=VALUES
    /// compares values: a range A..B, or a list A,B. By default all real-valued fields are tuned. With
    /// --objective, give a variant and the allowed values of each rule
    #[arg(required = true, num_args = 1.., value_name = "[GAME] STRATEGY [FIELD=VALUES]")]
    what: Vec<String>,
    /// Tune rules for these objectives, separated by commas: FIGURE=min, FIGURE=max or FIGURE=NUMBER.
    /// Limits are FIGURE<=NUMBER and FIGURE>=NUMBER, which shells need in quotes. The JSON file of a matrix of
    /// win rates between players is an objective too
    #[arg(long, value_delimiter = ',', requires = "strategies")]
    objective: Vec<String>,
    /// Strategies that play, with --objective
    #[arg(long, requires = "objective")]
    strategies: Vec<String>,
    /// Real-valued fields or groups to tune [default: all]
    #[arg(long, value_delimiter = ',')]
    fields: Vec<String>,
    /// Variants, played in turn [default: the first of `list variants`]
    #[arg(long)]
    variant: Vec<String>,
    /// Opponent [default: the mirror image of each candidate, or the old strategy]
    #[arg(long)]
    against: Option<String>,
    /// Number of deals of each start, of all values together, or of each rule set in the last round
    /// [default: 100000; 4000 for rules]
    #[arg(long)]
    deals: Option<u64>,
    /// Number of starting points
    #[arg(long, default_value_t = 2)]
    starts: u64,
    /// Number of fresh deals that confirm the result [default: 10000; 4000 for rules]
    #[arg(long)]
    confirm: Option<u64>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Output file [default: STRATEGY-tuned.json]; for rules the folder of the run on fresh deals, which
    /// `--resume` needs [default: none]
    #[arg(long)]
    out: Option<PathBuf>,
    #[command(flatten)]
    job: JobOptions,
    /// Print the tables of all figures too, for rules
    #[arg(long, requires = "objective")]
    all: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(given: &Tune) -> Result<()> {
    let (words, settings): (Vec<_>, Vec<_>) =
        given.what.iter().map(String::as_str).partition(|word| !is_setting(word));
    let is_of_rules = !given.objective.is_empty();
    let (game_of, what): (fn(&str) -> Result<&'static AnyGame>, _) =
        if is_of_rules { (game_of_variant, "variant") } else { (game_of_strategy, "strategy") };
    let (game, name) = match words[..] {
        [name] => (game_of(name)?, name),
        [_, field] | [_, _, field] if is_of_rules && game_of_variant(words[0]).is_ok() => {
            return Err(Error::input(format!(
                "`{field}` has no values; write them, as in `{field}=4..10` or `{field}=4,6`"
            )));
        }
        [game, name] => (crate::games::game(game)?, name),
        _ => return Err(Error::input(format!("give one {what}, after its game if needed"))),
    };
    match is_of_rules {
        true => search_front(given, game, name, &settings),
        false => tune(given, game, name, &settings),
    }
}

/// Returns the only game that has the strategy.
fn game_of_strategy(strategy: &str) -> Result<&'static AnyGame> {
    let found: Vec<_> = ALL.iter().filter(|it| it.strategies().find(strategy).is_ok()).collect();
    match found[..] {
        [game] => Ok(game),
        // Every game has a file of this path.
        _ if game_of_variant(strategy).is_ok() => Err(Error::input(format!(
            "`{strategy}` is a variant; to tune its rules, add `--objective FIGURE=min|max|NUMBER \
             --strategies A,B`"
        ))),
        [] => {
            let all: BTreeSet<String> = ALL.iter().flat_map(|it| it.strategies().names()).collect();
            Err(Error::input(unknown("strategy", strategy, all.iter().map(String::as_str))))
        }
        _ => {
            let names: Vec<&str> = found.iter().map(|game| game.name).collect();
            Err(Error::input(format!(
                "{} have `{strategy}`; name the game first, as in `parlour tune {} {strategy}`",
                names.join(" and "),
                names[0]
            )))
        }
    }
}

fn tune(given: &Tune, game: &AnyGame, strategy: &str, settings: &[&str]) -> Result<()> {
    let space = match settings {
        [] => SearchSpace::Reals(given.fields.clone()),
        _ => SearchSpace::Values(Sweep::parse(settings.iter().copied())?),
    };
    let watch = Watch::of(0, "hands", given.job.quiet)?;
    let tuned = (game.tune)(&TuneRequest {
        strategy: strategy.to_owned(),
        against: given.against.clone(),
        variants: split_names(&given.variant),
        space,
        deals: given.deals.unwrap_or(100_000),
        starts: given.starts,
        confirm: given.confirm.unwrap_or(10_000),
        seed: given.seed,
        out: given.out.clone(),
        job: given.job.run(&watch),
    })?;
    drop(watch);
    given.output.give(&tuned, || render(&tuned))
}

/// Returns the text report: the answer, then the changed fields.
fn render(tuned: &TuneOutcome) -> TextReport {
    let TuneOutcome { strategy, against, search_deals, fresh_deals, score, gain, .. } = tuned;
    let answer = match tuned.file {
        Some(_) => format!(
            "Tuned, `{strategy}` scores {score} against `{against}` on {fresh_deals} fresh deals; the \
             gain is {gain}."
        ),
        None => format!(
            "No gain found: after {search_deals} deals the best candidate scores {score} against \
             `{against}` on {fresh_deals} fresh deals, a gain of {gain}. No file was written."
        ),
    };
    let row = |it: &ChangedField| [it.field.clone(), it.before.to_string(), it.after.to_string()];
    let changed = tuned.changed.iter().filter(|_| tuned.file.is_some()).map(row);
    let without_effect = match tuned.without_effect.as_slice() {
        [] => String::new(),
        fields => format!("Unchanged, because they have no effect: {}.", fields.join(", ")),
    };
    let file = tuned.file.as_ref();
    TextReport::default()
        .paragraph(answer)
        .table(TextTable::of(1, ["field", "before", "after"], changed))
        .paragraph(without_effect)
        .paragraph(file.map_or(String::new(), |file| format!("Strategy: {}", file.display())))
}

/// Reads an objective: a text, or the file of a matrix.
fn read_objective(text: &String) -> Result<Objective> {
    if !text.ends_with(".json") {
        return Goal::parse(text).map(|_| Objective::Figure(text.clone()));
    }
    let matrix: WinRates = parse_json(text, &read_text(text.as_ref())?)?;
    matrix.check().map_err(|error| error.in_file(text))?;
    Ok(Objective::WinRates(matrix))
}

/// Searches for a front and prints it.
fn search_front(given: &Tune, game: &AnyGame, variant: &str, settings: &[&str]) -> Result<()> {
    ensure(!settings.is_empty(), || {
        Error::input(
            "nothing to tune; give FIELD=VALUES for each rule that may change, as in `knock_at=4..10`",
        )
    })?;
    let sweep = Sweep::parse(settings.iter().copied())?;
    let objectives: Vec<Objective> =
        given.objective.iter().map(read_objective).collect::<Result<_>>()?;
    let strategies = split_names(&given.strategies);
    let variants = [variant.to_owned()];
    let mut experiment: AnyExperiment = Experiment::of_variants(game.name, variants, strategies);
    experiment.question = Some(Question { objective: objectives, ..Question::default() });
    let deals = given.deals.unwrap_or(4000);
    experiment.search = Some(SearchSpec { rules: sweep, rule_sets: 192, deals, given: None });
    (experiment.deals, experiment.seed) = (given.confirm.unwrap_or(4000), given.seed);
    let out = given.out.as_deref();
    ensure(out.is_some() || !given.job.resume, || {
        Error::input("`--resume` needs the output folder: `--out`")
    })?;
    let search = ParetoSearch::new("front", &experiment, None)?;
    let found = run_search(&search, game, &given.job, out, None)?;
    given.output.give(&found, || render_front(&found, given.all))?;
    out.filter(|_| !given.output.json).map_or(Ok(()), print_folder)
}

/// Searches for a front and confirms it on fresh deals. Of a shard, `out` is the folder that all shards
/// share: each plays its part of every round, and the first writes the results.
pub(super) fn run_search(
    search: &ParetoSearch<'_>,
    game: &AnyGame,
    job: &JobOptions,
    out: Option<&Path>,
    shard: Option<Shard>,
) -> Result<ParetoFront> {
    let if_exists = IfExists::from_options(job.resume, job.replace);
    let mut checkpoint = None;
    if let Some(out) = out {
        let mut inputs = json!(search);
        inputs["program"] = json!(crate::PROGRAM.to_string());
        inputs["game"] = json!(game.name);
        let place = shard.map_or(out.to_owned(), |shard| shard_folder(out, shard));
        let mut opened = Checkpoint::open(&place, &inputs, job.resume)?;
        if out.exists() {
            if_exists.check(out)?;
        }
        let is_finished = !opened.is_resumed() && RunStatus::of(out) == RunStatus::Finished;
        let text = || format!("the search in {} is finished; nothing to resume", out.display());
        ensure(!is_finished || !job.resume, || Error::input(text()))?;
        opened.keep();
        checkpoint = Some(opened);
    }
    let all = search.hands() / shard.map_or(1, |shard| shard.of);
    let watch = Watch::of(all, "hands", job.quiet)?;
    let play = |plan: &dyn DynPlan, part: SearchRun<'_>| -> Result<Summary> {
        let run = watch.over(plan, job.threads.for_pool());
        let (name, map) = match part {
            SearchRun::Round(name) => (name, None),
            SearchRun::Confirmation(map) => ("confirmation".to_owned(), Some(map)),
        };
        let place = checkpoint.as_ref().map(|it| it.folder().join(&name));
        let summary = match (shard.zip(out), map) {
            (Some((shard, out)), map) => {
                let merge = play_shard(run, shard, out, &name, &watch)?;
                if map.is_some() && shard.part == 1 {
                    merge.finish(out, if_exists, map)?
                } else {
                    let place = tempfile::tempdir().map_err(|error| {
                        Error::failed(format!("cannot create a temporary folder: {error}"))
                    })?;
                    merge.finish(place.path(), IfExists::Fail, None)?
                }
            }
            (None, None) => Run { checkpoint_dir: place.as_deref(), ..run }.go()?,
            (None, map) => Run { folder: out, if_exists, more_files: map, ..run }.go()?,
        };
        watch.refuse_failures()?;
        Ok(summary)
    };
    let found = search.run(game, &play);
    drop(watch);
    let is_over = |it: &Checkpoint| match &found {
        // The other shards may still read a finished one.
        Ok(_) => shard.is_none(),
        // Nobody can resume a new search with wrong input.
        Err(error) => error.kind() == Kind::Input && !it.is_resumed(),
    };
    if let Some(checkpoint) = checkpoint.filter(is_over) {
        checkpoint.remove();
    }
    found
}

/// The folder in which a shard of a search keeps its work, without its ending.
fn shard_folder(out: &Path, Shard { part, of }: Shard) -> PathBuf {
    let mut shards = out.as_os_str().to_owned();
    shards.push(".shards");
    PathBuf::from(shards).join(format!("{part}-of-{of}"))
}

/// Plays a shard of a round, and waits until all others are played.
fn play_shard(run: Run<'_>, shard: Shard, out: &Path, name: &str, watch: &Watch) -> Result<Merge> {
    let folder = |part| {
        let shard = Shard { part, ..shard };
        shard_folder(out, shard).with_extension("unfinished").join(name)
    };
    let (plan, own) = (run.plan, folder(shard.part));
    Run { folder: Some(&own), if_exists: IfExists::Resume, ..run }.go_shard(shard)?;
    let has_rested = |folder: &PathBuf| {
        folder.join(Progress::FILE).exists() && !folder.join(DirLock::FILE).exists()
    };
    let folders: Vec<PathBuf> = (1..=shard.of).map(folder).collect();
    let mut polls = 0;
    loop {
        if folders.iter().all(has_rested) {
            let mut merge = Merge::of(&own, false, &Games(crate::PROGRAM))?;
            folders.iter().try_for_each(|folder| merge.add(folder))?;
            if merge.deals() == plan.info().experiment().deals {
                return Ok(merge);
            }
        }
        polls += 1;
        if polls == 20 {
            warn(format_args!("{name} is played; waiting for the other shards"));
        }
        ensure(!watch.is_stopped(), || Error::stopped("stopped; use `--resume` to continue"))?;
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Returns the text report: the answer, then what the search left out.
pub(super) fn render_front(found: &ParetoFront, all: bool) -> TextReport {
    let ParetoFront { run, candidates, played, without_effect, .. } = found;
    let played = match *candidates > *played as u64 {
        true => format!(" {} were played;", thousands(*played as u64)),
        false => String::new(),
    };
    let mut notes = vec![format!(
        "Of {} rule sets,{played} these came out best and were played again on {} fresh deals.",
        thousands(*candidates),
        thousands(run.deals)
    )];
    notes.extend(without_effect.iter().map(|field| {
        format!("`{field}` changes nothing here: the hands end alike for all its values.")
    }));
    let report = match all {
        true => run_report(run, true),
        false => answer_report(run).paragraph(run.tuning_warning.clone().unwrap_or_default()),
    };
    report.sentences(notes)
}
