//! `parlour learn`: a network that teaches itself a game.

use std::path::{Path, PathBuf};

use clap::Args;
use csv::Writer;

use super::names::{is_setting, split_names};
use super::output::{Output, warn};
use super::run::Threads;
use super::watch::Watch;
use crate::error::{Error, Result, ensure};
use crate::files::write_atomic;
use crate::game::Sweep;
use crate::games::learn::{CurvePoint, LearnOutcome, LearnRequest};
use crate::results::{TextReport, TextTable};

#[derive(Args, Debug)]
pub(super) struct Learn {
    /// Game, then rules to draw for each hand: FIELD=VALUES, a range A..B or a list A,B
    #[arg(required = true, num_args = 1.., value_name = "GAME [FIELD=VALUES]")]
    what: Vec<String>,
    /// Variants, played in turn [default: the first of `list variants`]
    #[arg(long, value_name = "A,B")]
    variant: Vec<String>,
    /// Continue from a learnt strategy
    #[arg(long, value_name = "STRATEGY")]
    from: Option<String>,
    /// Strategies that sit at a seat in three of ten hands
    #[arg(long, value_name = "A,B")]
    opponents: Vec<String>,
    /// Strategies that measure the strength on the way [default: random, greedy if there is one]
    #[arg(long, value_name = "A,B")]
    ladder: Vec<String>,
    /// Number of hands; the same number gives the same network
    #[arg(long, conflicts_with = "hours")]
    hands: Option<u64>,
    /// Hours of learning; the number of hands follows from the speed
    #[arg(long, default_value_t = 0.5)]
    hours: f64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Strategy file to write; the network and the learning curve are written next to it
    #[arg(long, default_value = "learnt.json")]
    out: PathBuf,
    /// Overwrite existing files
    #[arg(long)]
    replace: bool,
    /// Resume a stopped training
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

pub(super) fn run(given: &Learn) -> Result<()> {
    let (words, settings): (Vec<_>, Vec<_>) =
        given.what.iter().map(String::as_str).partition(|word| !is_setting(word));
    let [name] = words[..] else {
        return Err(Error::input("give one game, then rules as FIELD=VALUES"));
    };
    let game = crate::games::game(name)?;
    ensure(given.hours > 0.0 && given.hours.is_finite(), || {
        Error::input("`--hours` must be above 0")
    })?;
    ensure(given.out.extension().is_some_and(|it| it == "json"), || {
        Error::input(format!("`--out` {} must end in `.json`", given.out.display()))
    })?;
    let mut ladder = split_names(&given.ladder);
    if ladder.is_empty() {
        let known = game.strategies().names();
        let usual = ["random", "greedy"].into_iter().map(str::to_owned);
        ladder = usual.filter(|name| known.contains(name)).collect();
    }
    let rules = if settings.is_empty() { None } else { Some(Sweep::parse(settings)?) };
    let watch = Watch::of(0, "hands", given.quiet)?;
    let learnt = (game.learn)(&LearnRequest {
        variants: split_names(&given.variant),
        rules,
        from: given.from.clone(),
        opponents: split_names(&given.opponents),
        ladder,
        hands: given.hands,
        hours: given.hours,
        seed: given.seed,
        out: given.out.clone(),
        replace: given.replace,
        resume: given.resume,
        threads: given.threads.for_pool(),
        program: crate::PROGRAM,
        stop: watch.stop(),
        expected: &|hands| watch.expect(hands),
        observer: &watch,
        measured: &|point| {
            if !given.quiet {
                warn(point_text(point));
            }
        },
    })?;
    drop(watch);
    write_atomic(&curve_file(&given.out), curve_csv(&learnt.curve)?)?;
    given.output.give(&learnt, || render(&learnt))
}

/// Returns the file of the learning curve.
fn curve_file(out: &Path) -> PathBuf {
    let name = out.file_stem().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!("{name}-curve.csv"))
}

fn curve_csv(curve: &[CurvePoint]) -> Result<Vec<u8>> {
    let mut table = Writer::from_writer(Vec::new());
    let cannot = |error: csv::Error| Error::failed(format!("cannot write the curve: {error}"));
    curve.iter().try_for_each(|point| table.serialize(point)).map_err(cannot)?;
    table.into_inner().map_err(|error| Error::failed(error.to_string()))
}

/// Returns a point of the curve as a line.
fn point_text(point: &CurvePoint) -> String {
    let CurvePoint { hands, minutes, variant, opponent, score, low, high, .. } = point;
    format!(
        "{hands} hands, {minutes:.1} minutes: {score:.3} [{low:.3}, {high:.3}] against `{opponent}` \
         under `{variant}`"
    )
}

/// Returns the text report: the answer, then the curve.
fn render(learnt: &LearnOutcome) -> TextReport {
    let LearnOutcome { strategy, hands, decisions, minutes, is_stronger, curve, .. } = learnt;
    let of = |point: &CurvePoint| {
        let CurvePoint { variant, opponent, score, low, high, .. } = point;
        format!("{score:.3} [{low:.3}, {high:.3}] against `{opponent}` under `{variant}`")
    };
    let last = curve.iter().filter(|point| point.hands == *hands).map(of).collect::<Vec<_>>();
    let answer = if *is_stronger {
        format!("`{strategy}` has learnt: it scores {}.", last.join(", "))
    } else {
        format!("`{strategy}` did not get clearly stronger: it scores {}.", last.join(", "))
    };
    let rows = curve.iter().map(|point| {
        let CurvePoint { hands, minutes, variant, opponent, score, low, high, .. } = point;
        let interval = format!("{low:.3} to {high:.3}");
        let (minutes, score) = (format!("{minutes:.1}"), format!("{score:.3}"));
        [hands.to_string(), minutes, variant.clone(), opponent.clone(), score, interval]
    });
    let heads = ["hands", "minutes", "variant", "opponent", "score", "95 % interval"];
    TextReport::default().paragraph(answer).table(TextTable::of(0, heads, rows)).paragraph(format!(
        "{hands} hands, {decisions} decisions, {minutes:.1} minutes. Strategy: {}",
        learnt.file.display()
    ))
}
