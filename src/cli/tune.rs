//! `parlour tune`: better options of a strategy, or a Pareto front of rule sets.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::output::Output;
use super::run_args::{Threads, print_folder};
use super::watch::Watch;
use crate::arena::DynPlan;
use crate::error::{Error, Result, ensure, unknown};
use crate::files::Library;
use crate::game::Sweep;
use crate::games::{ALL, AnyGame, GAMES};
use crate::results::{Comparison, IfExists, RunStatus, Summary, TextReport, TextTable};
use crate::stats::is_significant;
use crate::tune::{
    Checkpoint, Objective, ParetoFront, ParetoSearch, SearchSpace, TuneOutcome, TuneRequest,
};
use crate::{Estimate, Run};

#[derive(Args, Debug)]
pub(super) struct Tune {
    /// Strategy by name or path, after its game if several games have one of that name. FIELD=VALUES
    /// compares values: a range A..B, or a list A,B. By default all real-valued fields are tuned. With
    /// --objective, give a variant and the allowed values of each rule
    #[arg(required = true, num_args = 1.., value_name = "[GAME] STRATEGY [FIELD=VALUES]")]
    what: Vec<String>,
    /// Tune rules for these objectives: FIGURE=min, FIGURE=max or FIGURE=NUMBER, separated by commas
    #[arg(long, value_delimiter = ',', requires = "strategies")]
    objective: Vec<String>,
    /// Strategies that play, with --objective
    #[arg(long, value_delimiter = ',', requires = "objective")]
    strategies: Vec<String>,
    /// Real-valued fields or groups to tune [default: all]
    #[arg(long, value_delimiter = ',')]
    fields: Vec<String>,
    /// Variants, played in turn [default: the first of `list variants`]
    #[arg(long, value_delimiter = ',')]
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
    /// Output file [default: STRATEGY-tuned.json]; for rules the folder of the run on fresh deals
    /// [default: none]
    #[arg(long)]
    out: Option<PathBuf>,
    /// Overwrite an existing output
    #[arg(long)]
    replace: bool,
    /// Resume a stopped tuning; rules also need `--out`
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    threads: Threads,
    /// No progress bar
    #[arg(long)]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(given: &Tune) -> Result<()> {
    given.output.check()?;
    let (words, settings): (Vec<_>, Vec<_>) =
        given.what.iter().map(String::as_str).partition(|word| !word.contains('='));
    if !given.objective.is_empty() {
        return run_rules(given, &words, &settings);
    }
    let (game, strategy) = match words[..] {
        [strategy] => (game_of(strategy)?, strategy),
        [game, strategy] => (game, strategy),
        _ => return Err(Error::input("give one strategy, after its game if needed")),
    };
    tune(given, game, strategy, &settings)
}

/// Returns the only game that has the strategy.
fn game_of(strategy: &str) -> Result<&'static str> {
    let has = |game: &&&'static str| Library::strategies(game).find(strategy).is_ok();
    let found: Vec<&str> = GAMES.iter().filter(has).copied().collect();
    match found[..] {
        [game] => Ok(game),
        [] => {
            let all = GAMES.iter().flat_map(|game| Library::strategies(game).names());
            let all: BTreeSet<String> = all.collect();
            if game_of_variant(strategy).is_ok() {
                return Err(Error::input(format!(
                    "`{strategy}` is a variant; to tune its rules, add `--objective \
                     FIGURE=min|max|NUMBER --strategies A,B`"
                )));
            }
            Err(Error::input(unknown("strategy", strategy, all.iter().map(String::as_str))))
        }
        _ => Err(Error::input(format!(
            "{} have `{strategy}`; name the game first, as in `parlour tune {} {strategy}`",
            found.join(" and "),
            found[0]
        ))),
    }
}

fn tune(given: &Tune, game: &str, strategy: &str, settings: &[&str]) -> Result<()> {
    let space = match settings {
        [] => SearchSpace::Reals(given.fields.clone()),
        _ => SearchSpace::Values(Sweep::parse(settings.iter().copied())?),
    };
    let confirm = given.confirm.unwrap_or(10_000);
    let job = crate::games::game(game)?.tune(TuneRequest {
        strategy: strategy.to_owned(),
        against: given.against.clone(),
        variants: given.variant.clone(),
        space,
        deals: given.deals.unwrap_or(100_000),
        starts: given.starts,
        confirm,
        seed: given.seed,
        out: given.out.clone(),
        replace: given.replace,
        resume: given.resume,
        threads: given.threads.for_pool(),
        program: crate::PROGRAM,
    })?;
    let watch = Watch::of_hands(job.hands(), given.quiet)?;
    let outcome = job.run(watch.stop(), &|hands| watch.played(hands))?;
    drop(watch);
    let TuneOutcome { score, gain, changed, without_effect, deals, is_written } = outcome;
    let changed =
        changed.into_iter().map(|(field, before, after)| ChangedField { field, before, after });
    let tuned = Tuned {
        strategy: job.strategy().to_owned(),
        against: job.opponent().to_owned(),
        search_deals: deals,
        fresh_deals: confirm,
        score,
        gain,
        changed: changed.collect(),
        without_effect,
        file: is_written.then(|| job.out().to_path_buf()),
    };
    given.output.give(&tuned, || render(&tuned))
}

/// The result of tuning a strategy.
#[derive(Serialize, JsonSchema)]
pub(super) struct Tuned {
    /// The tuned strategy.
    strategy: String,
    /// The opponent.
    against: String,
    /// Deals of the search. Unit: deals.
    search_deals: u64,
    /// Fresh deals of the confirmation. Unit: deals.
    fresh_deals: u64,
    /// The score on the fresh deals. Unit: share of the win.
    score: Estimate,
    /// The gain over the old strategy on the same deals. Unit: share of the win.
    gain: Estimate,
    /// The fields that changed.
    changed: Vec<ChangedField>,
    /// The fields without an effect under these rules, which keep their values.
    without_effect: Vec<String>,
    /// The file of the tuned strategy; null if no gain was found.
    file: Option<PathBuf>,
}

/// A changed field of a strategy.
#[derive(Serialize, JsonSchema)]
struct ChangedField {
    /// The name; groups are separated by dots.
    field: String,
    /// The old value.
    before: Value,
    /// The new value.
    after: Value,
}

/// Returns the text report: the answer, then the changed fields.
fn render(tuned: &Tuned) -> TextReport {
    let Tuned { strategy, against, search_deals, fresh_deals, score, gain, .. } = tuned;
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

/// Searches for a front; `words` are the variant, after its game if named.
fn run_rules(given: &Tune, words: &[&str], settings: &[&str]) -> Result<()> {
    let (game, variant) = match words {
        [variant] => (game_of_variant(variant)?, *variant),
        [game, variant] => (*game, *variant),
        _ => return Err(Error::input("give one variant, after its game if needed")),
    };
    search_front(given, crate::games::game(game)?, variant, settings)
}

/// Returns the first game that has the variant.
fn game_of_variant(variant: &str) -> Result<&'static str> {
    let mut known = Vec::new();
    for game in ALL {
        let names = game.variants().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        if names.contains(&variant) {
            return Ok(game.name());
        }
        known.extend(names);
    }
    Err(Error::input(unknown("variant", variant, known)))
}

fn search_front(given: &Tune, game: &dyn AnyGame, variant: &str, settings: &[&str]) -> Result<()> {
    ensure(!settings.is_empty(), || {
        Error::input(
            "nothing to tune; give FIELD=VALUES for each rule that may change, as in `knock_at=4..10`",
        )
    })?;
    ensure(!given.strategies.is_empty(), || {
        Error::input("`--objective` needs `--strategies`, which play under the rules")
    })?;
    let sweep = Sweep::parse(settings.iter().copied())?;
    let objectives = given.objective.iter().map(|one| Objective::parse(one));
    let objectives: Vec<Objective> = objectives.collect::<Result<_>>()?;
    let search = ParetoSearch {
        base: variant,
        sweep: &sweep,
        objectives: &objectives,
        strategies: &given.strategies,
        deals: given.deals.unwrap_or(4000),
        confirm: given.confirm.unwrap_or(4000),
        seed: given.seed,
    };
    let out = given.out.as_deref();
    ensure(out.is_some() || !given.resume, || {
        Error::input("`--resume` needs the output folder: `--out`")
    })?;
    let is_finished = |out: &Path| RunStatus::of(out) == RunStatus::Finished;
    ensure(given.replace || given.resume || !out.is_some_and(is_finished), || {
        let place = out.map_or_else(String::new, |out| out.display().to_string());
        Error::input(format!(
            "{place} holds a finished run; use `--replace` to replace it, or `--out` for another folder"
        ))
    })?;
    let mut checkpoint = None;
    if let Some(out) = out {
        let inputs = search.inputs(game.name(), crate::PROGRAM);
        let mut opened = Checkpoint::open(out, inputs, given.resume)?;
        ensure(opened.is_started() || !given.resume || !is_finished(out), || {
            Error::input(format!("the search in {} is finished; nothing to resume", out.display()))
        })?;
        opened.start()?;
        checkpoint = Some(opened);
    }
    let existing = match (given.resume, given.replace) {
        (true, _) => IfExists::Resume,
        (_, true) => IfExists::Replace,
        _ => IfExists::Fail,
    };
    let watch = Watch::of_hands(search.hands(), given.quiet)?;
    let play = |plan: &dyn DynPlan, round: Option<u32>| -> Result<Summary> {
        let watched = watch.over(plan, given.threads.for_pool());
        let round = round.zip(checkpoint.as_ref());
        let round = round.map(|(round, at)| at.folder().join(format!("round-{round}")));
        let run = match &round {
            Some(place) => Run { checkpoint_dir: Some(place), ..watched },
            None => Run { folder: out, if_exists: existing, ..watched },
        };
        run.go()
    };
    let found = game.explore_rules(&search, &play)?;
    drop(watch);
    if let Some(checkpoint) = checkpoint {
        checkpoint.remove();
    }
    given.output.give(&in_rows(&search, &found), || render_front(&search, &found))?;
    out.filter(|_| !given.output.json).map_or(Ok(()), print_folder)
}

/// A Pareto front of rule sets.
#[derive(Serialize, JsonSchema)]
pub(super) struct FoundFront<'a> {
    /// The original variant.
    base: &'a str,
    /// The figures of the objectives.
    objectives: Vec<&'a str>,
    /// The number of rule sets played.
    candidates: usize,
    /// The variants that no other beats on the fresh deals.
    front: Vec<&'a str>,
    /// The run on fresh deals, as `parlour run --json` prints one.
    #[schemars(with = "serde_json::Value")]
    run: &'a Summary,
}

fn in_rows<'a>(search: &ParetoSearch<'a>, found: &'a ParetoFront) -> FoundFront<'a> {
    let ParetoFront { summary, candidates, front, .. } = found;
    FoundFront {
        base: search.base,
        objectives: search.objectives.iter().map(|one| one.figure.as_str()).collect(),
        candidates: *candidates,
        front: front.iter().map(|variant| summary.variants[*variant].variant.as_str()).collect(),
        run: summary,
    }
}

/// Returns the text report: the front, then the effects of each change.
fn render_front(search: &ParetoSearch<'_>, found: &ParetoFront) -> TextReport {
    let ParetoFront { summary, figures, candidates, front, .. } = found;
    let (base, fresh) = (search.base, search.confirm);
    let name = |variant: usize| summary.variants[variant].variant.as_str();
    let (holds, new) = (front.contains(&0), front.iter().filter(|variant| **variant > 0).count());
    let answer = match (new, holds) {
        (0, _) => format!("Of {candidates} rule sets none beats `{base}` on {fresh} fresh deals."),
        (new, _) => format!(
            "Of {candidates} rule sets {} undominated on {fresh} fresh deals{}: no other is at least as \
             near to every objective and clearly nearer to one.",
            if new == 1 { "1 is".to_owned() } else { format!("{new} are") },
            if holds { format!(", besides `{base}`") } else { format!("; `{base}` is dominated") },
        ),
    };
    let show = |variant: usize, figure: usize| {
        let show = |found: Option<Estimate>| found.map_or("–".to_owned(), |e| e.to_string());
        summary.variants[variant].format(figure, show)
    };
    let shown = std::iter::once(0).chain(front.iter().copied().filter(|variant| *variant > 0));
    let row = |variant: usize| -> Vec<String> {
        let figures = figures.iter().map(|figure| show(variant, *figure));
        std::iter::once(name(variant).to_owned()).chain(figures).collect()
    };
    let heads = figures.iter().map(|figure| summary.figures[*figure].name.replace('_', " "));
    let heads = std::iter::once("rules".to_owned()).chain(heads);
    let prices = summary.from_first().filter(|pair| front.contains(&pair.to));
    let beaten = (1..summary.variants.len()).filter(|variant| !front.contains(variant));
    let beaten: Vec<&str> = beaten.map(name).collect();
    let beaten = match beaten.as_slice() {
        [] => String::new(),
        beaten => format!("Beaten on the fresh deals: {}.", beaten.join(", ")),
    };
    prices
        .map(|comparison| price(search, found, comparison))
        .fold(
            TextReport::default().paragraph(answer).table(TextTable::of(1, heads, shown.map(row))),
            TextReport::table,
        )
        .paragraph(beaten)
        .paragraph(summary.tuning_warning.clone().unwrap_or_default())
}

/// Returns the changes of a rule set: all objectives, and other figures that clearly change.
fn price(search: &ParetoSearch<'_>, found: &ParetoFront, comparison: &Comparison) -> TextTable {
    let name = &found.summary.variants[comparison.to].variant;
    let step = found.steps.iter().find(|step| (step.from, step.to) == (0, comparison.to));
    let nearer = step.into_iter().flat_map(|step| &step.nearer);
    let objectives = nearer.zip(&found.figures).filter_map(|(nearer, figure)| {
        let change = comparison.changes[*figure].as_ref()?;
        let verdict = match nearer {
            Some(true) => "better",
            Some(false) => "worse",
            None => change.conclusion.unclear_text(),
        };
        Some([change.figure.replace('_', " "), change.difference.to_string(), verdict.to_owned()])
    });
    let others = found.summary.headlines().filter(|figure| !found.figures.contains(figure));
    let others = others.filter_map(|figure| comparison.changes[figure].as_ref());
    let others = others.filter(|change| is_significant(change.p_adjusted)).map(|change| {
        let figure = change.figure.replace('_', " ");
        let higher = if change.difference.value > 0.0 { "higher" } else { "lower" };
        [figure, change.difference.to_string(), format!("{higher}; not an objective")]
    });
    let grid = TextTable::of(1, ["figure", "change", "verdict"], objectives.chain(others));
    grid.titled(format!("{name}, against {}", search.base))
}
