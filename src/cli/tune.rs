//! `parlour tune`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use schemars::JsonSchema;

use clap::Args;
use serde::Serialize;
use serde_json::Value;

use super::output::Output;
use super::run_args::Threads;
use super::tune_rules;
use super::watch::Watch;
use crate::Estimate;
use crate::error::{Error, Result, unknown};
use crate::files::Library;
use crate::game::Sweep;
use crate::games::GAMES;
use crate::results::{TextReport, TextTable};
use crate::tune::{Goal, Outcome, TuneRequest};

#[derive(Args, Debug)]
pub(super) struct Tune {
    /// A strategy by name or path, with the game before it where several games have one of that
    /// name; after it FIELD=VALUES to choose among values: a range A..B, or values with commas
    /// between them. Without these all its decimals are tuned. With --objective a variant in place of
    /// the strategy, and the values of each rule that may change
    #[arg(required = true, num_args = 1.., value_name = "[GAME] STRATEGY [FIELD=VALUES]")]
    what: Vec<String>,
    /// Look for rules: FIGURE=min, FIGURE=max or FIGURE=NUMBER, with commas between them
    #[arg(long, value_delimiter = ',', requires = "strategies")]
    pub objective: Vec<String>,
    /// With --objective: the strategies whose play shows what the rules do
    #[arg(long, value_delimiter = ',', requires = "objective")]
    pub strategies: Vec<String>,
    /// Only these decimals, or groups of them
    #[arg(long, value_delimiter = ',')]
    fields: Vec<String>,
    /// The variants that are played, by turns [default: the first that `list variants` names]
    #[arg(long, value_delimiter = ',')]
    variant: Vec<String>,
    /// Whom to play [default: every candidate its mirror image, or the strategy as it was]
    #[arg(long)]
    against: Option<String>,
    /// Deals of each start, or of all values together; of each rule set in the last round
    /// [default: 100000; 4000 for rules]
    #[arg(long)]
    pub deals: Option<u64>,
    /// From how many points to start
    #[arg(long, default_value_t = 2)]
    starts: u64,
    /// Fresh deals on which the best is confirmed [default: 10000; 4000 for rules]
    #[arg(long)]
    pub confirm: Option<u64>,
    /// What all chance grows from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The file to write [default: STRATEGY-tuned.json]; for rules the folder of the run on fresh
    /// deals [default: none]
    #[arg(long)]
    pub out: Option<PathBuf>,
    /// Write over a file that is there
    #[arg(long)]
    pub replace: bool,
    /// Go on with a tuning that was stopped; for rules with the same `--out`
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    pub threads: Threads,
    /// No progress bar
    #[arg(long)]
    pub quiet: bool,
    #[command(flatten)]
    pub output: Output,
}

pub(super) fn run(given: &Tune) -> Result<()> {
    given.output.check()?;
    let (words, settings): (Vec<_>, Vec<_>) =
        given.what.iter().map(String::as_str).partition(|word| !word.contains('='));
    if !given.objective.is_empty() {
        return tune_rules::run(given, &words, &settings);
    }
    let (game, strategy) = match words[..] {
        [strategy] => (game_of(strategy)?, strategy),
        [game, strategy] => (game, strategy),
        _ => return Err(Error::input("name one strategy, and its game before it")),
    };
    tune(given, game, strategy, &settings)
}

/// The only game that has such a strategy.
fn game_of(strategy: &str) -> Result<&'static str> {
    let has = |game: &&&'static str| Library::strategies(game).find(strategy).is_ok();
    let found: Vec<&str> = GAMES.iter().filter(has).copied().collect();
    match found[..] {
        [game] => Ok(game),
        [] => {
            let all = GAMES.iter().flat_map(|game| Library::strategies(game).names());
            let all: BTreeSet<String> = all.collect();
            if tune_rules::game_of(strategy).is_ok() {
                return Err(Error::input(format!(
                    "`{strategy}` is a variant; to look for better rules, say what is better and who \
                     plays: `--objective FIGURE=min|max|NUMBER --strategies A,B`"
                )));
            }
            Err(Error::input(unknown("strategy", strategy, all.iter().map(String::as_str))))
        }
        _ => Err(Error::input(format!(
            "{} have `{strategy}`: name the game first, as in `parlour tune {} {strategy}`",
            found.join(" and "),
            found[0]
        ))),
    }
}

fn tune(given: &Tune, game: &str, strategy: &str, settings: &[&str]) -> Result<()> {
    let goal = match settings {
        [] => Goal::Decimals(given.fields.clone()),
        _ => Goal::Values(Sweep::parse(settings.iter().copied())?),
    };
    let confirm = given.confirm.unwrap_or(10_000);
    let job = crate::games::game(game)?.tune(TuneRequest {
        strategy: strategy.to_owned(),
        against: given.against.clone(),
        variants: given.variant.clone(),
        goal,
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
    let Outcome { score, gain, changed, idle, deals, written } = outcome;
    let changed = changed.into_iter().map(|(field, was, is)| ChangedField { field, was, is });
    let tuned = Tuned {
        strategy: job.strategy().to_owned(),
        against: job.opponent().to_owned(),
        search_deals: deals,
        fresh_deals: confirm,
        score,
        gain,
        changed: changed.collect(),
        idle,
        written: written.then(|| job.out().to_path_buf()),
    };
    given.output.give(&tuned, || told(&tuned))
}

/// What a tuning has come to.
#[derive(Serialize, JsonSchema)]
pub(super) struct Tuned {
    /// The strategy that was tuned.
    strategy: String,
    /// Whom it played.
    against: String,
    /// Deals of the search. Unit: deals.
    search_deals: u64,
    /// Fresh deals on which the best was confirmed. Unit: deals.
    fresh_deals: u64,
    /// Its score on the fresh deals. Unit: share of the win.
    score: Estimate,
    /// The score less that of the strategy as it was, on the same deals. Unit: share of the win.
    gain: Estimate,
    /// The fields that changed.
    changed: Vec<ChangedField>,
    /// The numbers that have no effect under these rules, and were left as they are.
    idle: Vec<String>,
    /// The file that was written; none where no gain was found.
    written: Option<PathBuf>,
}

/// A field of a strategy that a tuning changed.
#[derive(Serialize, JsonSchema)]
struct ChangedField {
    /// Its name: fields within groups with points between them.
    field: String,
    /// What it was.
    was: Value,
    /// What it is.
    is: Value,
}

/// What came of it: the answer, then what changed.
fn told(tuned: &Tuned) -> TextReport {
    let Tuned { strategy, against, search_deals, fresh_deals, score, gain, idle, .. } = tuned;
    let answer = match tuned.written {
        Some(_) => format!(
            "Tuned, `{strategy}` scores {score} against `{against}` on {fresh_deals} fresh deals; the \
             gain is {gain}."
        ),
        None => format!(
            "No gain found: the best of {search_deals} deals scores {score} against `{against}` on \
             {fresh_deals} fresh deals, a gain of {gain}. Nothing was written."
        ),
    };
    let row = |it: &ChangedField| [it.field.clone(), it.was.to_string(), it.is.to_string()];
    let changed = tuned.changed.iter().filter(|_| tuned.written.is_some()).map(row);
    let idle = match idle.as_slice() {
        [] => String::new(),
        idle => format!("Left as they are, for they changed no hand: {}.", idle.join(", ")),
    };
    let written = tuned.written.as_ref();
    TextReport::default()
        .paragraph(answer)
        .table(TextTable::of(1, ["field", "was", "is"], changed))
        .paragraph(idle)
        .paragraph(written.map_or(String::new(), |file| format!("Strategy: {}", file.display())))
}
