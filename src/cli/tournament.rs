//! `parlour tournament`: a round-robin or a gauntlet without an experiment file.

use std::path::Path;

use clap::Args;
use serde_json::json;

use super::run::{IfExistsArgs, QuickRun, warn_of_own_files};
use super::watch::Watch;
use crate::arena::{Anchor, LuckAdjusted};
use crate::error::{Error, Result, ensure};
use crate::games::{AnyExperiment, Games, game};
use crate::results::{self, Folder, IfExists, Newcomers, RunStatus, TextReport};
use crate::stats::{EloScale, Sprt};
use crate::strategy::StrategySpec;
use crate::{Experiment, Schedule};

#[derive(Args, Debug)]
pub(super) struct Tournament {
    /// The game: leopard, …
    #[arg(required_unless_present = "add")]
    game: Option<String>,
    /// The players: names or paths of strategies
    #[arg(value_name = "STRATEGY")]
    strategies: Vec<String>,
    /// More players: the commands of external bots, each after `--`. A bot is named after its file
    #[arg(last = true, value_name = "COMMAND")]
    bots: Vec<String>,
    /// Variant [default: the first in `parlour list variants`]
    #[arg(long)]
    variant: Option<String>,
    /// Let only this player meet the others
    #[arg(long, value_name = "PLAYER")]
    gauntlet: Option<String>,
    /// Fix the rating of a player, as in `greedy=0` [default: the mean rating is 0]
    #[arg(long, value_name = "PLAYER=ELO", value_parser = parse_anchor)]
    anchor: Option<Anchor>,
    /// Add strategies, and bots after `--`, to the finished tournament in `--out`; only their pairings
    /// are played
    #[arg(long, value_name = "STRATEGY", num_args = 0.., requires = "out", conflicts_with_all = ["game", "variant", "gauntlet", "anchor", "deals", "seed"])]
    add: Option<Vec<String>>,
    /// With `--add`: only place the newcomer, by a sequential test of LOW against HIGH Elo in each of
    /// its pairings, with at most 20 times the deals of `--out`; the results go to OUT-NAME
    #[arg(long, value_name = "LOW:HIGH", value_parser = parse_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn run(args: &Tournament) -> Result<()> {
    ensure(args.sprt.is_none() || args.add.is_some(), || Error::input("`--sprt` needs `--add`"))?;
    match args.add.as_ref().zip(args.quick.out.as_ref()) {
        Some((names, out)) => add(args, names, out),
        None => args.quick.run("tournament", experiment(args)?, None, None),
    }
}

/// Adds players to the finished tournament in a folder, or places one of them.
fn add(args: &Tournament, names: &[String], out: &Path) -> Result<()> {
    let (quick, games) = (&args.quick, Games(crate::PROGRAM));
    let game = game(&Folder::new(out).header()?.resolved.experiment.game)?;
    let strategies = players(names, &args.bots);
    ensure(!strategies.is_empty(), || Error::input("name the strategies to add"))?;
    let variants = Some(vec![(game.variants)()[0].0.into()]);
    let (mirror, allow_clock) = (true, true);
    let alone =
        Experiment { variants, strategies, mirror, allow_clock, ..Experiment::new(game.name) };
    let plan = (game.plan)("tournament", alone, None, &())?;
    let IfExistsArgs { resume, allow_other_build, .. } = quick.if_exists;
    let newcomers = Newcomers::of(out, plan.info(), allow_other_build, &games)?;
    if let Some(test) = args.sprt {
        let (name, plan) = newcomers.placement(test)?;
        let folder = format!("{}-{name}", out.display());
        return quick.play(&*plan, Some(Path::new(&folder)), None);
    }
    let tables = &*newcomers.tables;
    warn_of_own_files(tables.info());
    let watch = Watch::run(tables.info(), None, quick.quiet, true)?;
    let is_resumed = resume && RunStatus::of(out) == RunStatus::Unfinished;
    let if_exists = if is_resumed { IfExists::Resume } else { IfExists::Replace };
    let run = watch.over(tables, quick.threads.for_pool());
    let run = results::Run { folder: Some(out), if_exists, allow_other_build, ..run };
    let summary = newcomers.play(out, &run)?;
    drop(watch);
    quick.print(&summary, TextReport::default(), Some(out))
}

/// The experiment that the command line describes.
fn experiment(args: &Tournament) -> Result<AnyExperiment> {
    let game = game(args.game.as_deref().unwrap_or_default())?;
    let variant = args.variant.as_deref().unwrap_or((game.variants)()[0].0);
    let strategies = players(&args.strategies, &args.bots);
    ensure(strategies.len() > 1, || {
        let text = "a tournament needs at least two players; `parlour list strategies` names some";
        Error::input(text)
    })?;
    let stem = |name: &String| StrategySpec::from(name.as_str()).stem();
    Ok(Experiment {
        variants: Some(vec![variant.into()]),
        strategies,
        schedule: args.gauntlet.as_ref().map_or(Schedule::RoundRobin, |_| Schedule::Gauntlet),
        champion: args.gauntlet.as_ref().map(stem),
        anchor: args.anchor.clone(),
        // Ratings and scores stay plain, whoever plays.
        luck_adjusted: Some(LuckAdjusted::Switch(false)),
        store_deals: true,
        allow_clock: true,
        ..Experiment::new(game.name)
    })
}

/// Strategies by name or path, and external bots by their commands, which `--` separates.
fn players(names: &[String], bots: &[String]) -> Vec<StrategySpec> {
    let commands = bots.split(|word| word == "--").filter(|command| !command.is_empty());
    let bots = commands.map(|command| {
        let mut files = command.iter().skip(1).filter(|word| Path::new(word).is_file());
        let file = files.next().or(command.first()).map_or("", String::as_str);
        let fields = [("kind", json!("external")), ("command", json!(command))];
        let fields = fields.map(|(name, value)| (name.to_owned(), value)).into_iter().collect();
        StrategySpec::Inline { name: StrategySpec::from(file).stem(), fields, sweep: None }
    });
    names.iter().map(|name| name.as_str().into()).chain(bots).collect()
}

/// Reads `LOW:HIGH`.
fn parse_sprt(text: &str) -> std::result::Result<Sprt, String> {
    let fault = || format!("`{text}` is no pair of hypotheses: write LOW:HIGH in Elo, as in 0:20");
    let (low, high) = text.split_once(':').ok_or_else(fault)?;
    let number = |text: &str| text.parse::<f64>().map_err(|_| fault());
    let (elo0, elo1, scale) = (number(low)?, number(high)?, EloScale::Logistic);
    Ok(Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, scale })
}

/// Reads `PLAYER=ELO`.
fn parse_anchor(text: &str) -> std::result::Result<Anchor, String> {
    let fault = || format!("`{text}` is not an anchor: write PLAYER=ELO, as in greedy=0");
    let (player, rating) = text.rsplit_once('=').ok_or_else(fault)?;
    let rating = rating.parse().ok().filter(|rating: &f64| rating.is_finite()).ok_or_else(fault)?;
    Ok(Anchor { strategy: StrategySpec::from(player).stem(), rating })
}
