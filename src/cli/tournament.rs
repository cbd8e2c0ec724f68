//! `parlour tournament`: a round-robin or a gauntlet without an experiment file.

use std::path::Path;

use clap::Args;
use serde_json::{Map, Value, json};

use super::run::QuickRun;
use crate::arena::{Anchor, LuckAdjusted};
use crate::error::{Error, Result, ensure};
use crate::games::{AnyExperiment, game};
use crate::results::{answer_report, rating_report};
use crate::strategy::StrategySpec;
use crate::{Experiment, Schedule};

#[derive(Args, Debug)]
pub(super) struct Tournament {
    /// The game: leopard, …
    game: String,
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
    #[command(flatten)]
    quick: QuickRun,
}

pub(super) fn run(args: &Tournament) -> Result<()> {
    args.quick.run("tournament", experiment(args)?, None, None, |summary| {
        answer_report(summary).then(rating_report(summary))
    })
}

/// The experiment that the command line describes.
fn experiment(args: &Tournament) -> Result<AnyExperiment> {
    let game = game(&args.game)?;
    let variant = args.variant.as_deref().unwrap_or((game.variants)()[0].0);
    let named = args.strategies.iter().map(|name| name.as_str().into());
    let strategies: Vec<StrategySpec> = named.chain(bots(&args.bots)).collect();
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
        allow_clock: true,
        ..Experiment::new(game.name)
    })
}

/// External bots by their commands, which `--` separates.
fn bots(words: &[String]) -> impl Iterator<Item = StrategySpec> {
    let commands = words.split(|word| word == "--").filter(|command| !command.is_empty());
    commands.map(|command| {
        let mut files = command.iter().skip(1).filter(|word| Path::new(word).is_file());
        let file = files.next().or(command.first()).map_or("", String::as_str);
        let fields = json!({ "kind": "external", "command": command });
        let fields: Map<String, Value> = fields.as_object().cloned().unwrap_or_default();
        StrategySpec::Inline { name: StrategySpec::from(file).stem(), fields, sweep: None }
    })
}

/// Reads `PLAYER=ELO`.
fn parse_anchor(text: &str) -> std::result::Result<Anchor, String> {
    let fault = || format!("`{text}` is not an anchor: write PLAYER=ELO, as in greedy=0");
    let (player, rating) = text.rsplit_once('=').ok_or_else(fault)?;
    let rating = rating.parse().ok().filter(|rating: &f64| rating.is_finite()).ok_or_else(fault)?;
    Ok(Anchor { strategy: StrategySpec::from(player).stem(), rating })
}
