//! `parlour learn`: a network that teaches itself a game.

use std::path::{Path, PathBuf};

use clap::Args;
use csv::Writer;
use itertools::Itertools;
use maud::{Markup, html};

use super::job::JobOptions;
use super::names::{is_setting, split_names};
use super::output::{Output, warn};
use super::watch::Watch;
use crate::chart::lines;
use crate::error::{Error, Result, ensure};
use crate::files::write_atomic;
use crate::game::{Reward, Sweep};
use crate::games::learn::{CurvePoint, LearnOutcome, LearnRequest, LearnerOptions, UNITS};
use crate::results::report::{Page, Section, figure, sortable};
use crate::results::{TextReport, TextTable};
use crate::stats::Estimate;

#[derive(Args, Debug)]
pub(super) struct Learn {
    /// Game, then rules to draw in every second hand: FIELD=VALUES, a range A..B or a list A,B
    #[arg(required = true, num_args = 1.., value_name = "GAME [FIELD=VALUES]")]
    what: Vec<String>,
    /// Variants, played in turn [default: the first of `list variants`]
    #[arg(long, value_name = "A,B")]
    variant: Vec<String>,
    /// Continue from a learnt strategy
    #[arg(long, value_name = "STRATEGY")]
    from: Option<String>,
    /// Strategies that sit at a seat in three of four hands
    #[arg(long, value_name = "A,B")]
    opponents: Vec<String>,
    /// Strategies that measure the strength on the way [default: random, greedy if there is one]
    #[arg(long, value_name = "A,B")]
    ladder: Vec<String>,
    /// Number of hidden units; twice as many take twice the time
    #[arg(long, value_name = "N", default_value_t = UNITS)]
    units: usize,
    /// Reward of a finished hand: `win`, `points`, or `margin` over the best other seat
    #[arg(long, default_value = "win")]
    reward: Reward,
    /// Learn to draw moves at random, so that nobody can foresee them: for games of bluff
    #[arg(long)]
    mixed: bool,
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
    #[command(flatten)]
    job: JobOptions,
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
    let watch = Watch::of(0, "hands", given.job.quiet)?;
    let learnt = (game.learn)(&LearnRequest {
        variants: split_names(&given.variant),
        rules,
        from: given.from.clone(),
        opponents: split_names(&given.opponents),
        ladder,
        options: LearnerOptions {
            units: given.units,
            reward: given.reward,
            mixed: given.mixed,
            seed: given.seed,
        },
        hands: given.hands,
        hours: given.hours,
        out: given.out.clone(),
        job: given.job.run(&watch),
        measured: &|point| {
            if !given.job.quiet {
                warn(point_text(point));
            }
        },
    })?;
    drop(watch);
    write_atomic(&curve_file(&given.out, "csv"), curve_csv(&learnt.curve)?)?;
    write_atomic(&curve_file(&given.out, "html"), page(game.name, given.seed, &learnt))?;
    given.output.give(&learnt, || render(&learnt))
}

/// Returns a file of the learning curve.
fn curve_file(out: &Path, extension: &str) -> PathBuf {
    let name = out.file_stem().unwrap_or_default().to_string_lossy();
    out.with_file_name(format!("{name}-curve.{extension}"))
}

fn curve_csv(curve: &[CurvePoint]) -> Result<Vec<u8>> {
    let mut table = Writer::from_writer(Vec::new());
    let cannot = |error: csv::Error| Error::failed(format!("cannot write the curve: {error}"));
    curve.iter().try_for_each(|point| table.serialize(point)).map_err(cannot)?;
    table.into_inner().map_err(|error| Error::failed(error.to_string()))
}

/// Returns a point of the curve as a line.
fn point_text(point: &CurvePoint) -> String {
    format!("{} hands, {:.1} minutes: {}", point.hands, point.minutes, score_text(point))
}

/// Returns the score of a point with its interval.
fn score_text(point: &CurvePoint) -> String {
    let CurvePoint { variant, opponent, score, score_low, score_high, .. } = point;
    format!("{score:.3} [{score_low:.3}, {score_high:.3}] against `{opponent}` under `{variant}`")
}

/// Returns the answer in a sentence.
fn answer(learnt: &LearnOutcome) -> String {
    let last = learnt.curve.iter().filter(|point| point.hands == learnt.hands).map(score_text);
    let is = if learnt.is_stronger { "has learnt" } else { "did not get clearly stronger" };
    format!("`{}` {is}: it scores {}.", learnt.strategy, last.format(", "))
}

fn size(learnt: &LearnOutcome) -> String {
    let LearnOutcome { hands, decisions, minutes, .. } = learnt;
    format!("{hands} hands, {decisions} decisions, {minutes:.1} minutes")
}

/// Returns the learning curve as a table.
fn table(curve: &[CurvePoint]) -> TextTable {
    let rows = curve.iter().map(|point| {
        let CurvePoint { hands, minutes, variant, opponent, score, .. } = point;
        let interval = format!("{:.3} to {:.3}", point.score_low, point.score_high);
        let (minutes, score) = (format!("{minutes:.1}"), format!("{score:.3}"));
        [variant.clone(), opponent.clone(), hands.to_string(), minutes, score, interval]
    });
    TextTable::of(2, ["variant", "opponent", "hands", "minutes", "score", "95 % interval"], rows)
}

/// Returns the text report: the answer, then the curve.
fn render(learnt: &LearnOutcome) -> TextReport {
    let files = format!("{}. Strategy: {}", size(learnt), learnt.file.display());
    TextReport::default().paragraph(answer(learnt)).table(table(&learnt.curve)).paragraph(files)
}

/// Returns the page of the learning curve, with a chart for each variant.
fn page(game: &str, seed: u64, learnt: &LearnOutcome) -> String {
    let variants = learnt.curve.iter().map(|point| &point.variant).unique();
    let chart = |variant: &String| -> Markup {
        let here = || learnt.curve.iter().filter(|point| point.variant == *variant);
        let series = here().map(|point| point.opponent.clone()).unique().map(|opponent| {
            let points = here().filter(|point| point.opponent == opponent).map(|point| {
                let interval = Some((point.score_low, point.score_high));
                (point.minutes, Estimate { value: point.score, interval })
            });
            (format!("against {opponent}"), points.collect())
        });
        let text = format!("Score over minutes of learning under {variant}");
        let series: Vec<(String, Vec<(f64, Estimate)>)> = series.collect();
        figure(variant, &lines("share of the win", &text, "minutes", Some(0.5), &series), "")
    };
    let name = &learnt.strategy;
    let network = learnt.network.file_name().unwrap_or_default().to_string_lossy();
    let page = Page {
        game,
        name,
        question: &format!("How strong does `{name}` become by self-play?"),
        answer: &[answer(learnt)],
        is_different: None,
        size: format!("{}; seed {seed}; program {}", size(learnt), crate::PROGRAM),
        first_screen: html! { div.grid { @for variant in variants { (chart(variant)) } } },
        open: Section {
            id: "curve",
            title: "Learning curve",
            body: sortable(&table(&learnt.curve)),
        },
        folded: Vec::new(),
        files: html! {
            p { a href=(format!("{name}.json")) { (name) ".json" } " is the strategy, "
                a href=(network) { (network) } " its network, "
                a href=(format!("{name}-curve.csv")) { (name) "-curve.csv" } " the curve." }
        },
    };
    page.render()
}
