//! `parlour advise`.

use std::path::PathBuf;

use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};

use super::say;
use crate::chance::Seed;
use crate::error::Result;
use crate::files::{Shelf, parse_json, read_text};
use crate::game::{Game, Seat, Sight};
use crate::games::with_game;
use crate::search::{Findings, think_together};
use crate::strategy::{Strategic, Strategy};

/// How many searches look at a position, whatever the machine: the answer depends on it.
const WORKERS: u64 = 4;

#[derive(Args, Debug)]
pub(super) struct Advise {
    /// A file with the position as the seat to move sees it (`parlour schema position`; `parlour
    /// replay --position` writes one)
    position: PathBuf,
    /// Who is asked: a name or path
    #[arg(long, default_value = "champion")]
    strategy: String,
    /// What all chance grows from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The game that a position names; all else is read once it is known.
#[derive(Deserialize)]
struct Head {
    #[serde(default = "leopard")]
    game: String,
}

/// Positions are of the first game when they do not say.
fn leopard() -> String {
    crate::games::GAMES[0].to_owned()
}

/// What a strategy would do.
#[derive(Serialize)]
struct Advice {
    strategy: String,
    /// The move it would make.
    best: String,
    /// How many playouts there were; 0 when it does not search, or had no choice.
    iterations: u64,
    /// How many worlds were imagined.
    worlds: u64,
    /// How many nodes the trees had.
    nodes: usize,
    /// The candidates, best first.
    moves: Vec<Line>,
}

#[derive(Serialize)]
struct Line {
    #[serde(rename = "move")]
    mv: String,
    visits: u64,
    /// The mean reward, 0 to 1.
    value: f64,
    /// The ends of its 95 % interval.
    low: f64,
    high: f64,
    /// The share of the imagined worlds in which it was tried, or came out best.
    share: f64,
}

impl Advise {
    pub fn run(self) -> Result<()> {
        let text = read_text(&self.position)?;
        let place = self.position.display().to_string();
        let head: Head = parse_json(&place, &text)?;
        with_game!(head.game.as_str(), G => advise::<G>(&self, &place, &text))
            .map_err(|error| error.in_field("game").in_file(&place))?
    }
}

fn advise<G: Strategic>(this: &Advise, place: &str, text: &str) -> Result<()> {
    let shown = G::position(place, text)?;
    let game = &shown.game;
    let strategy = Strategy::<G>::load(&Shelf::strategies(G::NAME), &this.strategy)?;
    let findings = ask(game, &strategy, shown.seat, shown.sight(), Seed::new(this.seed));
    let advice = Advice {
        strategy: strategy.name.clone(),
        best: findings.best().map_or_else(String::new, |mv| game.notation(mv)),
        iterations: findings.iterations,
        worlds: findings.worlds,
        nodes: findings.nodes,
        moves: lines(game, &findings),
    };
    match this.json {
        true => say(serde_json::to_string_pretty(&advice).expect("plain data")),
        false => say(table(&advice)),
    }
}

/// What a strategy finds out about a position; one that does not search names its move.
pub(super) fn ask<G: Strategic>(
    game: &G,
    strategy: &Strategy<G>,
    seat: Seat,
    sight: Sight<'_, G>,
    seed: Seed,
) -> Findings<G::Move> {
    match game.thinker(&strategy.spec) {
        Some(_) => {
            let make = || game.thinker(&strategy.spec).expect("it searched a moment ago");
            let decide = game.decide(&strategy.spec);
            think_together(game, sight, WORKERS, decide, seed, make)
        }
        None => {
            let mut bot = game.bot(&strategy.spec);
            bot.start(seat);
            Findings::untried(&[bot.choose(game, sight, &mut seed.stream())])
        }
    }
}

fn lines<G: Game>(game: &G, findings: &Findings<G::Move>) -> Vec<Line> {
    let line = |finding: &crate::search::Finding<G::Move>| {
        let (value, half) = (finding.value(), finding.half_width());
        Line {
            mv: game.notation(finding.mv),
            visits: finding.visits,
            value,
            low: (value - half).max(0.0),
            high: (value + half).min(1.0),
            share: finding.worlds as f64 / findings.worlds.max(1) as f64,
        }
    };
    findings.moves.iter().map(line).collect()
}

fn table(advice: &Advice) -> String {
    let Advice { strategy, best, iterations, worlds, .. } = advice;
    if *iterations == 0 {
        return format!("{strategy} plays {best}.");
    }
    let mut table = Table::new();
    let header = ["move", "visits", "value", "95 % interval", "share of worlds"];
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for column in 1..5 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    for line in &advice.moves {
        table.add_row([
            line.mv.clone(),
            line.visits.to_string(),
            format!("{:.3}", line.value),
            format!("{:.3} to {:.3}", line.low, line.high),
            format!("{:.1} %", 100.0 * line.share),
        ]);
    }
    format!(
        "{table}\n{strategy} plays {best}: {iterations} playouts over {worlds} imagined worlds.\n\
         A value is a mean reward, 1 the best; see the strategy's `win` and `scale`."
    )
}
