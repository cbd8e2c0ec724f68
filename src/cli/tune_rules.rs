//! `parlour tune` of rules: a front of rule sets, and what each change costs.

use schemars::JsonSchema;

use serde::Serialize;

use super::run_args::print_folder;
use super::tune::Tune;
use super::watch::Watch;
use crate::arena::DynPlan;
use crate::error::{Error, Result, ensure, unknown};
use crate::game::Sweep;
use crate::games::{ALL, AnyGame};
use crate::results::{Comparison, IfExists, RunStatus, Summary, TextReport, TextTable};
use crate::stats::is_significant;
use crate::tune::{Aim, Front, FrontTask, Kept};
use crate::{Estimate, Run};

/// Searches for a front; `words` are the game, if it is named, and the variant.
pub(super) fn run(given: &Tune, words: &[&str], settings: &[&str]) -> Result<()> {
    let (game, variant) = match words {
        [variant] => (game_of(variant)?, *variant),
        [game, variant] => (*game, *variant),
        _ => return Err(Error::input("name one variant, and its game before it")),
    };
    front(given, crate::games::game(game)?, variant, settings)
}

/// The first game that has such a variant.
pub(super) fn game_of(variant: &str) -> Result<&'static str> {
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

fn front(given: &Tune, game: &dyn AnyGame, variant: &str, settings: &[&str]) -> Result<()> {
    ensure(!settings.is_empty(), || {
        Error::input(
            "nothing to tune: write FIELD=VALUES for each rule that may change, as in `knock_at=4..10`",
        )
    })?;
    ensure(!given.strategies.is_empty(), || {
        Error::input("`--objective` needs `--strategies`, whose play shows what the rules do")
    })?;
    let sweep = Sweep::parse(settings.iter().copied())?;
    let aims: Vec<Aim> =
        given.objective.iter().map(|aim| Aim::parse(aim)).collect::<Result<_>>()?;
    let task = FrontTask {
        base: variant,
        sweep: &sweep,
        aims: &aims,
        strategies: &given.strategies,
        deals: given.deals.unwrap_or(4000),
        confirm: given.confirm.unwrap_or(4000),
        seed: given.seed,
    };
    let out = given.out.as_deref();
    ensure(out.is_some() || !given.resume, || {
        Error::input("`--resume` needs the folder that the search was to write: `--out`")
    })?;
    let is_finished = |out| RunStatus::of(out) == RunStatus::Finished;
    ensure(given.replace || given.resume || !out.is_some_and(is_finished), || {
        let place = out.map_or_else(String::new, |out| out.display().to_string());
        Error::input(format!(
            "{place} holds a finished run: `--replace` puts the new one in its place when it is \
             finished, `--out` writes to another folder"
        ))
    })?;
    let kept = out
        .map(|out| Kept::begin(&task, game.name(), out, given.resume, crate::PROGRAM))
        .transpose()?;
    let existing = match (given.resume, given.replace) {
        (true, _) => IfExists::Resume,
        (_, true) => IfExists::Replace,
        _ => IfExists::Fail,
    };
    let watch = Watch::of_hands(task.hands(), given.quiet)?;
    let play = |plan: &dyn DynPlan, round: Option<u32>| -> Result<Summary> {
        let watched = watch.over(plan, given.threads.for_pool());
        let round = round.zip(kept.as_ref()).map(|(round, kept)| kept.round(round));
        let run = match &round {
            Some(place) => Run { checkpoint_dir: Some(place), ..watched },
            None => Run { folder: out, if_exists: existing, ..watched },
        };
        run.go()
    };
    let found = game.explore_rules(&task, &play)?;
    drop(watch);
    if let Some(kept) = kept {
        kept.clear();
    }
    given.output.give(&in_rows(&task, &found), || told(&task, &found))?;
    out.filter(|_| !given.output.json).map_or(Ok(()), print_folder)
}

/// A front of rule sets.
#[derive(Serialize, JsonSchema)]
pub(super) struct FoundFront<'a> {
    /// The variant that the search began with.
    base: &'a str,
    /// The figures that are aimed at.
    aims: Vec<&'a str>,
    /// How many rule sets were tried.
    tried: usize,
    /// The variants that no other beats on the fresh deals.
    front: Vec<&'a str>,
    /// The run on fresh deals, as `parlour run --json` prints one.
    #[schemars(with = "serde_json::Value")]
    run: &'a Summary,
}

fn in_rows<'a>(task: &FrontTask<'a>, found: &'a Front) -> FoundFront<'a> {
    let Front { summary, tried, held, .. } = found;
    FoundFront {
        base: task.base,
        aims: task.aims.iter().map(|aim| aim.figure.as_str()).collect(),
        tried: *tried,
        front: held.iter().map(|variant| summary.variants[*variant].variant.as_str()).collect(),
        run: summary,
    }
}

/// What came of it: the front, then what each change costs.
fn told(task: &FrontTask<'_>, found: &Front) -> TextReport {
    let Front { summary, aimed, tried, held, .. } = found;
    let (base, fresh) = (task.base, task.confirm);
    let name = |variant: usize| summary.variants[variant].variant.as_str();
    let (holds, new) = (held.contains(&0), held.iter().filter(|variant| **variant > 0).count());
    let answer = match (new, holds) {
        (0, _) => format!("Of {tried} rule sets none beats `{base}` on {fresh} fresh deals."),
        (new, _) => format!(
            "Of {tried} rule sets {} on {fresh} fresh deals{}: no other is nearer to every aim, and to one \
             of them clearly.",
            if new == 1 { "1 holds".to_owned() } else { format!("{new} hold") },
            if holds { format!(", beside `{base}`") } else { format!("; `{base}` is beaten") },
        ),
    };
    let show = |variant: usize, figure: usize| {
        let show = |found: Option<Estimate>| found.map_or("–".to_owned(), |e| e.to_string());
        summary.variants[variant].format(figure, show)
    };
    let shown = std::iter::once(0).chain(held.iter().copied().filter(|variant| *variant > 0));
    let row = |variant: usize| -> Vec<String> {
        let figures = aimed.iter().map(|figure| show(variant, *figure));
        std::iter::once(name(variant).to_owned()).chain(figures).collect()
    };
    let heads = aimed.iter().map(|figure| summary.figures[*figure].name.replace('_', " "));
    let heads = std::iter::once("rules".to_owned()).chain(heads);
    let prices = summary.from_first().filter(|pair| held.contains(&pair.to));
    let beaten = (1..summary.variants.len()).filter(|variant| !held.contains(variant));
    let beaten: Vec<&str> = beaten.map(name).collect();
    let beaten = match beaten.as_slice() {
        [] => String::new(),
        beaten => format!("Beaten on the fresh deals: {}.", beaten.join(", ")),
    };
    prices
        .map(|comparison| price(task, found, comparison))
        .fold(
            TextReport::default().paragraph(answer).table(TextTable::of(1, heads, shown.map(row))),
            TextReport::table,
        )
        .paragraph(beaten)
        .paragraph(summary.tuning_warning.clone().unwrap_or_default())
}

/// What a rule set changes, for better and for worse; what is no aim stands where it clearly changes.
fn price(task: &FrontTask<'_>, found: &Front, comparison: &Comparison) -> TextTable {
    let name = &found.summary.variants[comparison.to].variant;
    let step = found.steps.iter().find(|step| (step.from, step.to) == (0, comparison.to));
    let nearer = step.into_iter().flat_map(|step| &step.nearer);
    let aims = nearer.zip(&found.aimed).filter_map(|(nearer, figure)| {
        let change = comparison.changes[*figure].as_ref()?;
        let verdict = match nearer {
            Some(true) => "better",
            Some(false) => "worse",
            None => change.conclusion.unclear_text(),
        };
        Some([change.figure.replace('_', " "), change.difference.to_string(), verdict.to_owned()])
    });
    let others = found.summary.headlines().filter(|figure| !found.aimed.contains(figure));
    let others = others.filter_map(|figure| comparison.changes[figure].as_ref());
    let others = others.filter(|change| is_significant(change.p_adjusted)).map(|change| {
        let figure = change.figure.replace('_', " ");
        let higher = if change.difference.value > 0.0 { "higher" } else { "lower" };
        [figure, change.difference.to_string(), format!("{higher}; not an aim")]
    });
    let grid = TextTable::of(1, ["figure", "change", "verdict"], aims.chain(others));
    grid.titled(format!("{name}, against {}", task.base))
}
