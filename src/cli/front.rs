//! `parlour tune` of rules: a front of rule sets, and what each change costs.

use super::screen::wide;
use super::tune::Tune;
use super::{
    Error, GAMES, Result, Strategic, Value, Watch, json, name_folder, say, say_json, with_game,
};
use crate::arena::Playable;
use crate::error::{ensure, unknown};
use crate::game::Sweep;
use crate::results::{Comparison, Summary, folded, wrapped};
use crate::stats::survives;
use crate::tune::{Aim, Front, FrontTask};
use crate::{Ruled, Run};

/// Searches for a front; `words` are the game, if it is named, and the variant.
pub(super) fn run(given: &Tune, words: &[&str], settings: &[&str]) -> Result<()> {
    let (game, variant) = match words {
        [variant] => (game_of(variant)?, *variant),
        [game, variant] => (*game, *variant),
        _ => return Err(Error::input("name one variant, and its game before it")),
    };
    with_game!(game, G => front::<G>(given, variant, settings))?
}

/// The first game that has such a variant.
fn game_of(variant: &str) -> Result<&'static str> {
    let mut known = Vec::new();
    for &game in GAMES {
        if with_game!(game, G => G::preset(variant).is_some())? {
            return Ok(game);
        }
        known.extend(
            with_game!(game, G => G::presets().iter().map(|it| it.name).collect::<Vec<_>>())?,
        );
    }
    Err(Error::input(unknown("variant", variant, known)))
}

fn front<G: Strategic>(given: &Tune, variant: &str, settings: &[&str]) -> Result<()> {
    ensure(!settings.is_empty(), || {
        Error::input(
            "nothing to tune: write FIELD=VALUES for each rule that may change, as in `knock_at=4..10`",
        )
    })?;
    ensure(!given.strategies.is_empty(), || {
        Error::input("`--towards` needs `--strategies`, whose play shows what the rules do")
    })?;
    let sweep = Sweep::parse(settings.iter().copied())?;
    let aims: Vec<Aim> = given.towards.iter().map(|aim| Aim::parse(aim)).collect::<Result<_>>()?;
    let task = FrontTask {
        base: variant,
        sweep: &sweep,
        aims: &aims,
        strategies: &given.strategies,
        deals: given.deals.unwrap_or(4000),
        confirm: given.confirm.unwrap_or(4000),
        seed: given.seed,
    };
    let watch = Watch::of_hands(task.hands(), given.quiet)?;
    let play = |plan: &dyn Playable, last: bool| -> Result<Summary> {
        let folder = given.out.as_deref().filter(|_| last);
        let run = Run { folder, ..watch.over(plan, given.threads) };
        run.go()
    };
    let found = task.go::<G>(&play)?;
    drop(watch);
    if given.json {
        return say_json(&in_json(&task, &found));
    }
    say(told(&task, &found))?;
    given.out.as_deref().map_or(Ok(()), name_folder)
}

fn in_json(task: &FrontTask<'_>, found: &Front) -> Value {
    let aims = task.aims.iter().map(|aim| aim.figure.as_str()).collect::<Vec<_>>();
    let front = found.held.iter().map(|variant| &found.summary.variants[*variant]);
    let front: Vec<&str> = front.map(|variant| variant.variant.as_str()).collect();
    json!({ "base": task.base, "aims": aims, "tried": found.tried, "front": front, "run": found.summary })
}

/// What came of it: the front, then what each change costs.
fn told(task: &FrontTask<'_>, found: &Front) -> String {
    let Front { summary, aimed, tried, held, .. } = found;
    let (base, fresh) = (task.base, task.confirm);
    let name = |variant: usize| summary.variants[variant].variant.as_str();
    let (holds, new) = (held.contains(&0), held.iter().filter(|variant| **variant > 0).count());
    let mut text = match (new, holds) {
        (0, _) => format!("Of {tried} rule sets none beats `{base}` on {fresh} fresh deals.\n"),
        (new, _) => format!(
            "Of {tried} rule sets {} on {fresh} fresh deals{}: no other is nearer to every aim, and to one \
             of them clearly.\n",
            if new == 1 { "1 holds".to_owned() } else { format!("{new} hold") },
            if holds { format!(", beside `{base}`") } else { format!("; `{base}` is beaten") },
        ),
    };
    text = wrapped(text.trim_end(), wide()) + "\n";
    let show = |variant: usize, figure: usize| {
        let found = summary.variants[variant].figures[figure];
        found.map_or_else(|| "–".to_owned(), |found| found.to_string())
    };
    let shown = std::iter::once(0).chain(held.iter().copied().filter(|variant| *variant > 0));
    let row = |variant: usize| -> Vec<String> {
        let figures = aimed.iter().map(|figure| show(variant, *figure));
        std::iter::once(name(variant).to_owned()).chain(figures).collect()
    };
    let rows: Vec<Vec<String>> = shown.map(row).collect();
    let heads = aimed.iter().map(|figure| summary.figures[*figure].name.replace('_', " "));
    let heads: Vec<String> = std::iter::once("rules".to_owned()).chain(heads).collect();
    text += &format!("\n{}\n", folded(1, &heads, &rows, wide()));
    for comparison in summary.from_first().filter(|pair| held.contains(&pair.to)) {
        text += &price(task, found, comparison);
    }
    let beaten = (1..summary.variants.len()).filter(|variant| !held.contains(variant));
    let beaten: Vec<&str> = beaten.map(name).collect();
    if !beaten.is_empty() {
        let said = format!("Beaten on the fresh deals: {}.", beaten.join(", "));
        text += &format!("\n{}\n", wrapped(&said, wide()));
    }
    if let Some(untuned) = &summary.untuned {
        text += &format!("\n{}\n", wrapped(untuned, wide()));
    }
    text
}

/// What a rule set changes, for better and for worse.
fn price(task: &FrontTask<'_>, found: &Front, comparison: &Comparison) -> String {
    let name = &found.summary.variants[comparison.to].variant;
    let mut text = format!("\n{name}, against {}:\n", task.base);
    let mut parts = 0;
    let step = found.steps.iter().find(|step| (step.from, step.to) == (0, comparison.to));
    let nearer = step.into_iter().flat_map(|step| &step.nearer);
    for (nearer, figure) in nearer.zip(&found.aimed) {
        let Some(change) = &comparison.changes[*figure] else { continue };
        let verdict = match nearer {
            Some(true) => "better",
            Some(false) => "worse",
            None => "no clear difference",
        };
        let figure = change.figure.replace('_', " ");
        text += &format!("  {figure}: {} ({verdict})\n", change.difference);
        parts += 1;
    }
    let headlines = found.summary.headlines().filter(|figure| !found.aimed.contains(figure));
    for change in headlines.filter_map(|figure| comparison.changes[figure].as_ref()) {
        if survives(change.p_holm) {
            let higher = if change.difference.value > 0.0 { "higher" } else { "lower" };
            let figure = change.figure.replace('_', " ");
            text += &format!("  {figure}: {} ({higher}; not an aim)\n", change.difference);
            parts += 1;
        }
    }
    if parts == 0 { text + "  nothing that can be told\n" } else { text }
}
