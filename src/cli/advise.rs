//! `parlour advise`.

use std::path::PathBuf;

use clap::Args;
use serde::Deserialize;

use super::hands::loss;
use super::output::{Output, exit_stopped, on_interrupt};
use crate::error::Result;
use crate::files::{parse_json, read_text};
use crate::games::{GAMES, game};
use crate::results::{TextReport, TextTable};
use crate::strategy::{Advice, Candidate, WORKERS};

#[derive(Args, Debug)]
pub(super) struct Advise {
    /// File with a position as the seat to move sees it: the short form below, or the output of
    /// `parlour replay --position`
    position: PathBuf,
    /// Compare this move with the best one
    #[arg(long = "move", value_name = "MOVE")]
    played: Option<String>,
    /// Strategy by name or path [default: champion; in Eleusis bayes]
    #[arg(long)]
    strategy: Option<String>,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    output: Output,
}

/// The part of a position that names its game, by default the first game.
#[derive(Deserialize)]
struct Head {
    #[serde(default = "first_game")]
    game: String,
}

fn first_game() -> String {
    GAMES[0].to_owned()
}

pub(super) fn run(args: &Advise) -> Result<()> {
    on_interrupt(|| exit_stopped())?;
    let text = read_text(&args.position)?;
    let place = args.position.display().to_string();
    let head: Head = parse_json(&place, &text)?;
    let game = game(&head.game).map_err(|error| error.in_field("game").in_file(&place))?;
    let strategy = game.load_strategy(args.strategy.as_deref().unwrap_or(game.adviser))?;
    let (advice, notation) = strategy
        .advise(&place, &text, args.played.as_deref(), args.seed)
        .map_err(|error| match error.to_string().contains("missing field") {
            true => error.with_note("; `parlour advise --help` shows the short form of Leopard"),
            false => error,
        })?;
    let compared = args.played.as_ref().map_or(String::new(), |played| comparison(&advice, played));
    args.output.give(&advice, || report(&advice).paragraph(compared).paragraph(notation))
}

/// The move asked about against the strategy's own, in a sentence.
fn comparison(advice: &Advice, played: &str) -> String {
    let Advice { strategy, best, compared, .. } = advice;
    let Some(values) = compared else {
        return format!("{strategy} gives a move but no evaluation of `{played}`.");
    };
    let [own, other] = [values.best, values.played].map(|x| format!("{:.1} %", 100.0 * x));
    format!(
        "`{played}` loses {} percentage points of the chance to win: {other} instead of {own} after \
         {best}. {}",
        loss(values),
        values.mark()
    )
}

/// The answer in a sentence, its confidence, and the candidates.
fn report(advice: &Advice) -> TextReport {
    let Advice { iterations, worlds, allowed, .. } = advice;
    if *iterations == 0 {
        return TextReport::default().paragraph(advice.in_words());
    }
    let unit = if advice.is_chance { " %" } else { "" };
    let number = |x: f64| match advice.is_chance {
        true => format!("{:.1}", 100.0 * x),
        false => format!("{x:.3}"),
    };
    let row = |Candidate { mv, visits, value, low, high, share }: &Candidate| {
        let interval = format!("{} to {}", number(*low), number(*high));
        let (value, share) = (number(*value) + unit, format!("{:.0} %", 100.0 * share));
        [mv.clone(), value, interval, visits.to_string(), share]
    };
    let value = if advice.is_chance { "chance to win" } else { "mean reward" };
    let heads = ["move", value, "95 % interval", "playouts", "share of worlds"];
    let tried = match advice.moves.len() {
        all if all == *allowed => format!("It looked at all {all} legal moves"),
        some => format!("It looked at the {some} most promising of {allowed} legal moves"),
    };
    TextReport::default()
        .paragraph(advice.in_words())
        .table(TextTable::of(1, heads, advice.moves.iter().map(row)))
        .paragraph(format!(
            "{tried}, in {iterations} playouts over {worlds} sampled hands ({WORKERS} independent \
             searches combined; at a table, 1 search). The {value} is that of the seat to move."
        ))
}
