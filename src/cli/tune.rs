//! `parlour tune`.

use std::collections::BTreeSet;

use super::screen::wide;
use super::{
    Args, Error, GAMES, PathBuf, Result, Shelf, Strategic, Strategy, Threads, Value, Watch, front,
    json, say, say_json, with_game,
};
use crate::arena::Variant;
use crate::error::{ensure, unknown};
use crate::game::Sweep;
use crate::results::wrapped;
use crate::tune::{Goal, Outcome, Task};
use std::sync::atomic::AtomicBool;

#[derive(Args, Debug)]
pub(super) struct Tune {
    /// A strategy by name or path, with the game before it where several games have one of that
    /// name; after it FIELD=VALUES to choose among values: a range A..B, or values with commas
    /// between them. Without these all its decimals are tuned. With --towards a variant in place of
    /// the strategy, and the values of each rule that may change
    #[arg(required = true, num_args = 1.., value_name = "[GAME] STRATEGY [FIELD=VALUES]")]
    what: Vec<String>,
    /// Look for rules: FIGURE=min, FIGURE=max or FIGURE=NUMBER, with commas between them
    #[arg(long, value_delimiter = ',', requires = "strategies")]
    pub towards: Vec<String>,
    /// With --towards: the strategies whose play shows what the rules do
    #[arg(long, value_delimiter = ',', requires = "towards")]
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
    replace: bool,
    /// Go on with a tuning that was stopped
    #[arg(long)]
    resume: bool,
    #[command(flatten)]
    pub threads: Threads,
    /// No progress bar
    #[arg(long)]
    pub quiet: bool,
    /// Print what came of it as JSON
    #[arg(long)]
    pub json: bool,
}

pub(super) fn run(given: &Tune) -> Result<()> {
    let (words, settings): (Vec<_>, Vec<_>) =
        given.what.iter().map(String::as_str).partition(|word| !word.contains('='));
    if !given.towards.is_empty() {
        return front::run(given, &words, &settings);
    }
    let (game, strategy) = match words[..] {
        [strategy] => (game_of(strategy)?, strategy),
        [game, strategy] => (game, strategy),
        _ => return Err(Error::input("name one strategy, and its game before it")),
    };
    with_game!(game, G => tune::<G>(given, strategy, &settings))?
}

/// The only game that has such a strategy.
fn game_of(strategy: &str) -> Result<&'static str> {
    let has = |game: &&&'static str| Shelf::strategies(game).find(strategy).is_ok();
    let found: Vec<&str> = GAMES.iter().filter(has).copied().collect();
    match found[..] {
        [game] => Ok(game),
        [] => {
            let all = GAMES.iter().flat_map(|game| Shelf::strategies(game).names());
            let all: BTreeSet<String> = all.collect();
            Err(Error::input(unknown("strategy", strategy, all.iter().map(String::as_str))))
        }
        _ => Err(Error::input(format!(
            "{} have `{strategy}`: name the game first, as in `parlour tune {} {strategy}`",
            found.join(" and "),
            found[0]
        ))),
    }
}

fn tune<G: Strategic>(given: &Tune, strategy: &str, settings: &[&str]) -> Result<()> {
    let shelf = Shelf::strategies(G::NAME);
    let strategy = Strategy::<G>::load(&shelf, strategy)?;
    let against =
        given.against.as_ref().map(|name| Strategy::<G>::load(&shelf, name)).transpose()?;
    let names = match &given.variant[..] {
        [] => vec![G::presets()[0].name.to_owned()],
        names => names.to_vec(),
    };
    let variants: Result<Vec<Variant<G>>> = names.iter().map(|name| Variant::named(name)).collect();
    let goal = match settings {
        [] => Goal::Decimals(given.fields.clone()),
        _ => Goal::Values(Sweep::parse(settings.iter().copied())?),
    };
    ensure(given.starts > 0, || Error::input("`--starts` is 0; at least 1 is needed"))?;
    let usual = || PathBuf::from(format!("{}-tuned.json", strategy.name));
    let out = given.out.clone().unwrap_or_else(usual);
    ensure(given.replace || !out.exists(), || {
        let place = out.display();
        Error::input(format!(
            "{place} is there already: `--replace` writes over it, `--out` writes another file"
        ))
    })?;
    let never = AtomicBool::default();
    let task = Task {
        strategy: &strategy,
        variants: &variants?,
        against: against.as_ref(),
        goal: &goal,
        deals: given.deals.unwrap_or(100_000),
        starts: given.starts,
        confirm: given.confirm.unwrap_or(10_000),
        seed: given.seed,
        out: &out,
        resume: given.resume,
        threads: given.threads.for_pool(),
        stop: &never,
        played: &|_| {},
    };
    let watch = Watch::of_hands(task.hands(), given.quiet)?;
    let played = |hands| watch.played(hands);
    let outcome = Task { played: &played, stop: watch.stop(), ..task }.go()?;
    drop(watch);
    if given.json {
        return say_json(&in_json(&task, &outcome));
    }
    say(told(&task, &outcome))
}

fn in_json<G: Strategic>(task: &Task<'_, G>, outcome: &Outcome) -> Value {
    let changed =
        |(field, was, is): &(String, Value, Value)| json!({ "field": field, "was": was, "is": is });
    json!({
        "strategy": task.strategy.name,
        "against": task.against.unwrap_or(task.strategy).name,
        "search_deals": outcome.deals,
        "fresh_deals": task.confirm,
        "score": outcome.score,
        "gain": outcome.gain,
        "changed": outcome.changed.iter().map(changed).collect::<Vec<_>>(),
        "idle": outcome.idle,
        "written": outcome.written.then(|| task.out.display().to_string()),
    })
}

/// What came of it, in sentences.
fn told<G: Strategic>(task: &Task<'_, G>, outcome: &Outcome) -> String {
    let name = &task.strategy.name;
    let other = &task.against.unwrap_or(task.strategy).name;
    let Outcome { score, gain, changed, idle, deals, written } = outcome;
    let fresh = task.confirm;
    let mut text = match written {
        true => format!(
            "Tuned, `{name}` scores {score} against `{other}` on {fresh} fresh deals; the gain is \
             {gain}.\n"
        ),
        false => format!(
            "No gain found: the best of {deals} deals scores {score} against `{other}` on {fresh} \
             fresh deals, a gain of {gain}. Nothing was written.\n"
        ),
    };
    text = wrapped(text.trim_end(), wide()) + "\n";
    if *written {
        let rows =
            changed.iter().map(|(field, was, is)| [field.clone(), was.to_string(), is.to_string()]);
        text += &format!("\n{}\n", super::grid(1, ["field", "was", "is"], rows));
    }
    if !idle.is_empty() {
        let said = format!("Left as they are, for they changed no hand: {}.", idle.join(", "));
        text += &format!("\n{}\n", wrapped(&said, wide()));
    }
    if *written {
        text += &format!("\nStrategy: {}\n", task.out.display());
    }
    text
}
