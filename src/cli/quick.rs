//! Runs without an experiment file: `parlour match`, `compare`, `sweep` and `exploit`.

use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};

use super::run::QuickRun;
use crate::arena::{LuckAdjusted, Question};
use crate::error::{Error, Result, ensure};
use crate::game::Sweep;
use crate::games::{AnyExperiment, game};
use crate::results::{Matchup, answer_report, difference_report, pairing_report, run_report};
use crate::strategy::StrategySpec;
use crate::{Estimate, Experiment, Schedule};

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
    quick.run("match", experiment, *seats, args.records.as_deref(), |summary| {
        let lines = summary.matchups().map(line);
        answer_report(summary).then(pairing_report(summary)).sentences(lines)
    })
}

/// The figures of a match-up beside its score; with more than two seats, the score too.
fn line(row: &Matchup) -> String {
    let show = |e: Option<Estimate>| e.map_or("–".to_owned(), |e| e.to_string());
    let Matchup { strategy, opponent, wins, draws, losses, deals, hands, .. } = row;
    let [score, points, against, margin, turns] =
        [row.score, row.points_for, row.points_against, row.margin, row.turns].map(show);
    let unit = if *deals == 1 { "deal" } else { "deals" };
    let score = match row.pair {
        Some(_) => String::new(),
        None => format!("score {score} ({wins} won, {draws} drawn, {losses} lost), "),
    };
    format!(
        "{strategy} against {opponent}: {score}points {points} to {against}, margin {margin}, {turns} turns a hand; {deals} {unit}, {hands} hands."
    )
}

#[derive(Args, Debug)]
pub(super) struct Compare {
    /// The game: leopard, …
    game: String,
    /// The variants: names, or rules files ending in .json
    #[arg(required = true, num_args = 2..)]
    variants: Vec<String>,
    /// The strategies; all pairs play, and a single strategy plays itself
    #[arg(long, required = true, value_delimiter = ',')]
    strategies: Vec<String>,
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn compare(args: &Compare) -> Result<()> {
    let experiment = Experiment::of_variants(&args.game, &args.variants, &args.strategies);
    args.quick.run("compare", experiment, None, None, |summary| {
        run_report(summary).then(difference_report(summary))
    })
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
    #[arg(long, required = true, value_delimiter = ',')]
    strategies: Vec<String>,
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn sweep(args: &SweepArgs) -> Result<()> {
    args.quick.run("sweep", swept_experiment(args)?, None, None, run_report)
}

/// The experiment that the command line describes.
fn swept_experiment(args: &SweepArgs) -> Result<AnyExperiment> {
    let (settings, variants): (Vec<_>, Vec<_>) =
        args.what.iter().map(String::as_str).partition(|word| word.contains('='));
    ensure(!variants.is_empty(), || Error::input("name a variant before the fields to sweep"))?;
    ensure(!settings.is_empty(), || {
        Error::input("nothing to sweep: write FIELD=VALUES, as in `knock_at=4..10`")
    })?;
    // The strategy whose field a setting names, if any.
    let owner = |setting: &str| {
        args.strategies.iter().find(|name| {
            setting.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'))
        })
    };
    let rules = Sweep::parse(settings.iter().filter(|s| owner(s).is_none()).copied())?;
    let variants = variants.into_iter().map(str::to_owned).collect::<Vec<_>>();
    let mut experiment: AnyExperiment =
        Experiment::of_variants(&args.game, &variants, &args.strategies);
    experiment.sweep = Some(rules).filter(|rules| rules.fields().len() > 0);
    let mut swept = Vec::new();
    for (name, spec) in args.strategies.iter().zip(&mut experiment.strategies) {
        let own = settings.iter().filter(|setting| owner(setting) == Some(name));
        let own = Sweep::parse(own.map(|setting| &setting[name.len() + 1..]))?;
        if own.fields().len() > 0 {
            let fields = [("base".to_owned(), name.clone().into())].into_iter().collect();
            *spec = StrategySpec::Inline { name: name.clone(), fields, sweep: Some(own) };
            swept.push(name);
        }
    }
    if let Some(first) = swept.first() {
        let other = args.strategies.iter().find(|name| !swept.contains(name));
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
    args.quick.run("exploit", attack(args)?, None, None, |summary| {
        answer_report(summary).then(pairing_report(summary))
    })
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
            "`{name}` is an external program, searches without playouts or keeps state, too slow for \
             the playouts of a search; use `parlour match` instead"
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
