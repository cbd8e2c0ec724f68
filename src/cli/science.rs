//! `parlour science`: the study, its text report and its report page.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;

use clap::{Args, ValueEnum, value_parser};
use maud::{Markup, html};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::job::Threads;
use super::output::{Output, warn};
use super::watch::Watch;
use crate::arena::Observer;
use crate::chart::lines;
use crate::error::{Error, Result, ensure, unknown};
use crate::files::{Library, digest, read_text};
use crate::game::{BotError, BotFailure};
use crate::games::eleusis::bots::{Kind, rule_learner};
use crate::games::eleusis::infer::Grammar;
use crate::games::eleusis::science::{
    CalibrationBin, Case, CaseResult, CurvePoint, ExternalLearner, Means, RuleLearner, ScienceCase,
    Study, TURNS, corpus_cases, plain_text_cases, read_cases,
};
use crate::games::eleusis::{Eleusis, Split, plain_text_rules};
use crate::results::report::{Page, Section, figure, sortable};
use crate::results::{IfExists, RunDir, Table, TextReport, TextTable, digest_map, show};
use crate::strategy::BotFactory;
use crate::{Estimate, Ruled, Strategic, Strategy};

/// The largest number of cases of a study.
const MAX_CASES: usize = 50_000;

/// The only variant of the protocol.
const VARIANT: &str = "science";

#[derive(Clone, Copy, Debug, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Corpus {
    Training,
    Test,
    All,
    /// 200 rules written in plain text
    PlainText,
}

#[derive(Args, Debug)]
pub(super) struct Science {
    /// File of cases, one per line
    #[arg(required_unless_present = "corpus", conflicts_with = "corpus")]
    cases: Option<PathBuf>,
    /// Use rules of the corpus, with shuffled decks
    #[arg(long, value_name = "SPLIT")]
    corpus: Option<Corpus>,
    /// Decks per rule of the corpus, at most 100
    #[arg(long, default_value_t = 3, value_parser = value_parser!(u64).range(0..=100), conflicts_with = "cases")]
    deals: u64,
    /// The protocol; there is only one
    #[arg(long, default_value = VARIANT, value_name = "NAME", hide = true)]
    variant: String,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The strategy: a name or path
    #[arg(long, default_value = "bayes")]
    strategy: String,
    /// Hold out the family of each case's rule from the strategy's prior
    #[arg(long)]
    hold_out: bool,
    /// Folder for `report.html`, `science.csv`, `science_summary.csv` and `manifest.json`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace existing results
    #[arg(long, requires = "out")]
    replace: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    output: Output,
}

/// The results of a strategy over all cases.
#[derive(Serialize, JsonSchema)]
pub(super) struct ScienceResult {
    /// The strategy.
    strategy: String,
    /// Cases lost by failures of an external player. Unit: cases.
    faults: usize,
    /// The first failure.
    first_fault: Option<String>,
    /// The number of cases to play; a stopped study played fewer. Unit: cases.
    of: usize,
    /// The means over the cases.
    means: Means,
    /// The mean score with its 95 % interval, the cases of one rule taken together. Unit: points.
    score: Option<Estimate>,
    /// The share of solved cases, with its interval.
    solved: Option<Estimate>,
    /// The total time of all cases, including the judging. Unit: seconds.
    seconds: f64,
    /// The strategy's mean time per turn. Unit: ms.
    milliseconds_per_turn: Option<f64>,
    /// The rows of `science_summary.csv`, one for each case.
    science_summary: Vec<ScienceCase>,
}

pub(super) fn run(args: &Science) -> Result<()> {
    check_variant(&args.variant)?;
    let strategy = Strategy::<Eleusis>::load(&Library::strategies(Eleusis::NAME), &args.strategy)?;
    let external = Eleusis::external(&strategy.spec);
    ensure(external.is_none() || !args.hold_out, || {
        let why = "is an external program, whose knowledge cannot be held out";
        Error::input(format!("`{}` {why}; leave out `--hold-out`", strategy.name))
    })?;
    ensure(!matches!(strategy.spec.kind, Kind::Network(_)), || {
        Error::input(format!("`{}` is a network, which states no rules", strategy.name))
    })?;
    let (cases, origin, input) = source(args)?;
    let all = cases.len();
    ensure(all > 0, || Error::input("no cases to play: `--deals` must be at least 1"))?;
    ensure(all <= MAX_CASES, || {
        Error::input(format!(
            "{all} cases are too many: the turns of at most {MAX_CASES} fit in memory"
        ))
    })?;
    let watch = Watch::of(all as u64, "cases", false)?;
    let take = |out| RunDir::open(out, IfExists::from_options(false, args.replace), None);
    let folder = args.out.as_deref().map(take).transpose()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.for_pool()).build();
    let pool = pool.map_err(|error| Error::failed(format!("cannot start threads: {error}")))?;
    // The shared grammar is built before the clock starts.
    let grammar = external.is_none().then(Grammar::shared);
    let factory = BotFactory::<Eleusis>::from_spec(strategy.spec.clone());
    let log_folder = folder.as_ref().map(|it| it.work.as_path());
    factory.prepare(&strategy.name, log_folder, Some(watch.stop()))?;
    let players =
        if let BotFactory::External(_, players) = &factory { Some(players) } else { None };
    let interruption = || players.and_then(|players| players.interruption());
    let learner = |case: &Case| -> Option<Box<dyn RuleLearner>> {
        let known = grammar.as_ref().filter(|_| args.hold_out);
        let known = || known.map(|known| known.without_idea_of(&case.rule));
        let is_stopped = watch.is_stopped() || interruption().is_some();
        (!is_stopped).then(|| match players {
            Some(players) => Box::new(ExternalLearner::new(players.clone(), case)) as _,
            None => rule_learner(&strategy.spec.kind, known()),
        })
    };
    let done = || {
        watch.played(1);
        interruption().is_none()
    };
    let study = pool.install(|| Study::of(&cases, args.seed, learner, done));
    if let Some(BotError::Machine(error)) = interruption() {
        return Err(error.clone().as_failed());
    }
    let is_stopped = watch.is_stopped();
    drop(watch);
    let played = study.results.len();
    let stopped = || Error::stopped(format!("stopped after {played} of {all} cases"));
    ensure(played > 0, stopped)?;
    if let (Some(folder), Some(out)) = (folder, &args.out) {
        let mut manifest = json!({
            "protocol": VARIANT,
            "seed": args.seed,
            "hold_out": args.hold_out,
            "inputs": {
                "cases": input,
                "strategy": {
                    "name": strategy.name,
                    "from": strategy.origin,
                    "sha256": strategy.digest,
                    "resolved": strategy.spec,
                },
                "knowledge": digest_map(Eleusis::knowledge(&[&strategy.spec.kind])),
            },
            "counts": { "cases": played },
        });
        if played < all {
            manifest["counts"]["of"] = all.into();
        }
        if external.is_some() {
            manifest["not_reproducible"] = json!([strategy.name]);
        }
        let tables = [
            Table::of("science", study.turn_rows()),
            Table::of("science_summary", study.case_rows()),
        ];
        let page = page(&study, &strategy.name, args.seed, &origin);
        let timing = json!({ "seconds": study.time.as_secs_f64() });
        folder.write_study(crate::PROGRAM, manifest, &tables, page, timing)?;
        if stderr().is_terminal() {
            warn(format_args!("Results: {}", out.display()));
        }
    }
    let result = result(&strategy.name, &study, all);
    args.output.give(&result, || report(&result))?;
    ensure(!is_stopped || played == all, stopped)
}

fn check_variant(variant: &str) -> Result<()> {
    match Eleusis::preset(variant) {
        _ if variant == VARIANT => Ok(()),
        Some(_) => Err(Error::input(format!(
            "variant `{variant}` is played at a table: use `parlour match eleusis … --variant \
             {variant}`; `parlour science` has only `{VARIANT}`"
        ))),
        None => {
            Err(Error::input(unknown("variant of the one-player protocol", variant, [VARIANT])))
        }
    }
}

/// Returns the cases that the arguments name, their origin in words, and their origin for the
/// manifest.
fn source(args: &Science) -> Result<(Vec<Case>, String, Value)> {
    if let Some(file) = &args.cases {
        let (content, place) = (read_text(file)?, file.display().to_string());
        let input = json!({ "file": file, "sha256": digest(&content) });
        return Ok((read_cases(&place, &content)?, place, input));
    }
    let &Science { deals, seed, .. } = args;
    let corpus = |split, origin: &'static str| (origin, corpus_cases(split, deals, seed));
    let (origin, cases) = match args.corpus {
        Some(Corpus::Training) => corpus(Split::Training, "the training split of the rule corpus"),
        Some(Corpus::Test) => corpus(Split::Test, "the test split of the rule corpus"),
        Some(Corpus::All) => corpus(Split::All, "the rule corpus"),
        Some(Corpus::PlainText) => {
            ("rules in plain text", plain_text_cases(plain_text_rules(), deals, seed))
        }
        None => return Err(Error::input("name a file of cases, or use `--corpus`")),
    };
    Ok((cases, origin.to_owned(), json!({ "corpus": args.corpus, "deals": deals })))
}

fn result(strategy: &str, study: &Study, of: usize) -> ScienceResult {
    let first_fault = study.failures().next().map(|(case, BotFailure { fault, message })| {
        format!("the first: {}, deal {}: {}: {message}", case.name, case.deal, fault.name())
    });
    let [score, solved] = study.intervals();
    ScienceResult {
        strategy: strategy.to_owned(),
        faults: study.failures().count(),
        first_fault,
        of,
        means: study.means(),
        score,
        solved,
        seconds: study.time.as_secs_f64(),
        milliseconds_per_turn: study.milliseconds_per_turn(),
        science_summary: study.case_rows().take(study.results.len()).collect(),
    }
}

/// The answer, then the means.
fn report(result: &ScienceResult) -> TextReport {
    let ScienceResult { strategy, means, faults, seconds, .. } = result;
    let number = |x: Option<f64>| x.map_or("–".to_owned(), |x| format!("{x:.3}"));
    let milliseconds = |time: f64| format!("{time:.2} ms");
    let cases = |count: usize| format!("{count} {}", if count == 1 { "case" } else { "cases" });
    let rows = [
        ("mean score, points", show(result.score)),
        ("found, % of the cases", show(result.solved.map(percent))),
        ("turn of discovery", number(means.turn)),
        ("wrong commitments per case", number(Some(means.wrong_commitments))),
        ("Brier score of stated probabilities", number(means.brier)),
        ("mean probability of a wrong guess, %", number(means.wrong_guess.map(|p| 100.0 * p))),
        ("time per turn", result.milliseconds_per_turn.map_or("–".to_owned(), milliseconds)),
        ("time per case", format!("{:.3} s", seconds / means.cases.max(1) as f64)),
    ];
    let rows = rows.map(|(name, value)| [name.to_owned(), value]);
    let failed = result.first_fault.as_ref().map_or_else(String::new, |first| {
        format!(" It failed in {}, which count as not found; {first}.", cases(*faults))
    });
    let stopped = match result.of > means.cases {
        true => format!(" Stopped early: these are the first of {} cases.", result.of),
        false => String::new(),
    };
    let (share, count) = (100.0 * means.solved, cases(means.cases));
    TextReport::default()
        .paragraph(format!(
            "{strategy} found {share:.1} % of the rules, in {count}.{stopped}{failed}"
        ))
        .table(TextTable::of(1, ["mean over the cases", ""], rows))
        .paragraph(
            "Intervals are 95 %, from the variance between rules. The time per turn is the \
             strategy's own; the time per case includes the judging of guesses.",
        )
}

/// Makes the page of a strategy; `source` is the origin of the cases.
fn page(study: &Study, strategy: &str, seed: u64, source: &str) -> String {
    let (curve, bins, rules) = (study.learning_curve(), study.calibration(), study.by_rule());
    let has_beliefs = curve.iter().any(|point| point.truth.is_some());
    let (cases, all) = (study.results.len(), rules.len());
    let page = Page {
        game: "eleusis",
        name: strategy,
        question: &format!("How well does `{strategy}` discover a secret rule on its own?"),
        answer: &answer(study, strategy, &bins),
        is_different: None,
        size: format!(
            "{source}: {cases} cases of {all} rules; at most {TURNS} cards per case; seed {seed}; \
             program {}",
            crate::PROGRAM
        ),
        first_screen: learning_curve(&curve, has_beliefs),
        open: Section { id: "evidence", title: "Is it calibrated?", body: calibration(&bins) },
        folded: vec![
            Section { id: "telling", title: "Information of its cards", body: information(&curve) },
            Section { id: "rules", title: "The rules, hardest first", body: hardest(&rules) },
            Section { id: "method", title: "Method", body: method(has_beliefs) },
        ],
        files: html! {
            p { "Tables: " a href="science.csv" { "science.csv" } " has one row per card, "
                a href="science_summary.csv" { "science_summary.csv" } " one per case. "
                a href="manifest.json" { "manifest.json" } " describes the run." }
        },
    };
    page.render()
}

/// The score and the share of rules found, then the calibration of confident guesses.
fn answer(study: &Study, strategy: &str, bins: &[CalibrationBin]) -> Vec<String> {
    let means = study.means();
    let [score, solved] = study.intervals();
    let mut answer = vec![format!(
        "`{strategy}` found {} % of the rules and scored {} of {TURNS} points.",
        show(solved.map(percent)),
        show(score),
    )];
    if let Some(turn) = means.turn {
        answer.push(format!(
            "It found a rule with card {turn:.1} on average and made {:.2} wrong commitments per case.",
            means.wrong_commitments
        ));
    }
    let confident = || bins.iter().filter(|bin| bin.low >= 0.5);
    if confident().next().is_some() {
        let sum = |figure: fn(&CalibrationBin) -> f64| -> f64 {
            confident().map(|bin| figure(bin) * bin.guesses as f64).sum()
        };
        let mean = |figure| 100.0 * sum(figure) / sum(|_| 1.0);
        let right = mean(|bin| bin.right.map_or(0.0, |right| right.value));
        let stated = mean(|bin| bin.stated);
        answer.push(format!(
            "When it was at least 50 % sure, it was right {right:.0} % of the time (it claimed {stated:.0} %)."
        ));
    }
    answer
}

fn percent(share: Estimate) -> Estimate {
    share.scaled(100.0)
}

/// The points of a curve where the value is known.
fn points(
    curve: &[CurvePoint],
    value: impl Fn(&CurvePoint) -> Option<Estimate>,
) -> Vec<(f64, Estimate)> {
    curve.iter().filter_map(|point| Some((f64::from(point.cards), value(point)?))).collect()
}

/// Discovery and belief, card by card.
fn learning_curve(curve: &[CurvePoint], has_beliefs: bool) -> Markup {
    let found = points(curve, |point| point.found.map(percent));
    let mut series = vec![("rules found".to_owned(), found)];
    if has_beliefs {
        let belief = points(curve, |point| point.truth.map(percent));
        series.push(("belief in the right rule".to_owned(), belief));
    }
    let text =
        "Rules found and belief in the right rule by number of cards laid, with 95 % intervals";
    let caption = match has_beliefs {
        true => "Share of solved cases, and mean belief in the right rule (1 once it is found).",
        false => "Share of solved cases. The player does not report its beliefs.",
    };
    html! {
        (figure("Found, card by card", &lines("%", text, "cards laid", None, &series), caption))
        p.dim { "Intervals are 95 %, from the variance between rules; the cases of a rule form one group." }
    }
}

/// The share of right guesses by stated probability.
fn calibration(bins: &[CalibrationBin]) -> Markup {
    if bins.is_empty() {
        return html! { p { "The player stated no rule." } };
    }
    // Whole numbers fit the axis.
    let middle = |bin: &CalibrationBin| (100.0 * f64::midpoint(bin.low, bin.high)).round();
    let right = bins.iter().filter_map(|bin| Some((middle(bin), percent(bin.right?)))).collect();
    let ends = [0.0, 100.0].map(|x| (x, Estimate::bare(x)));
    let series = [("right".to_owned(), right), ("as stated".to_owned(), ends.to_vec())];
    let text = "Share of right guesses by stated probability, with 95 % intervals";
    let heads = ["stated, %", "right, %", "guesses", "rules", "stated, mean"];
    let row = |bin: &CalibrationBin| {
        let CalibrationBin { low, high, guesses, rules, stated, right } = bin;
        [
            format!("{:.0} to {:.0}", 100.0 * low, 100.0 * high),
            show(right.map(percent)),
            guesses.to_string(),
            rules.to_string(),
            format!("{:.1}", 100.0 * stated),
        ]
    };
    html! {
        p { "In each turn the player states its best guess and the probability that it is right. Below the dashed line "
            "the player is overconfident, above it underconfident." }
        div.grid {
            (figure("Right guesses by stated probability", &lines("% right", text, "stated, %", None, &series), ""))
        }
        (sortable(&TextTable::of(1, heads, bins.iter().map(row))))
    }
}

/// The information of the cards laid and of the best cards.
fn information(curve: &[CurvePoint]) -> Markup {
    let (best, laid) = (points(curve, |point| point.best), points(curve, |point| point.expected));
    if laid.is_empty() {
        return html! {};
    }
    let sum = |points: &[(f64, Estimate)]| points.iter().map(|(_, e)| e.value).sum::<f64>();
    let share = 100.0 * sum(&laid) / sum(&best).max(f64::MIN_POSITIVE);
    let series = [
        ("the card laid".to_owned(), laid),
        ("the best card of the hand".to_owned(), best),
        ("its verdict".to_owned(), points(curve, |point| point.gained)),
    ];
    let text = "Expected information of the next card by number of cards laid, with 95 % intervals";
    let caption = "Expected information of the card laid and of the best card of the hand, and the information of the \
                   verdict: more than expected if the player is surprised. Over unsolved cases.";
    html! {
        p { "A verdict has at most 1 bit of information: when right and wrong are equally likely. The cards laid had "
            (format!("{share:.0}")) " % of the expected information of the best cards of the hand. A player that looks "
            "ahead may give up some of it for later turns." }
        div.grid { (figure("Information", &lines("bits", text, "cards laid before", None, &series), caption)) }
    }
}

fn hardest(rules: &[(Means, Vec<&CaseResult>)]) -> Markup {
    let heads = ["case", "rule", "last guess", "cases", "score", "found", "at turn", "wrong"];
    let row = |(means, results): &(Means, Vec<&CaseResult>)| {
        let (case, found) = (&results[0].case, results.iter().filter(|one| one.solved.is_some()));
        [
            case.name.clone(),
            case.rule.to_string(),
            results[0].wrong_guess().unwrap_or_default().to_owned(),
            means.cases.to_string(),
            format!("{:.1}", means.score),
            found.count().to_string(),
            means.turn.map_or("–".to_owned(), |turn| format!("{turn:.1}")),
            results.iter().map(|one| one.wrong_commitments).sum::<u32>().to_string(),
        ]
    };
    html! {
        p { "Click a column head to sort. “Last guess” is the guess at the end of the first case, if it was wrong." }
        (sortable(&TextTable::of(3, heads, rules.iter().map(row))))
    }
}

fn method(has_beliefs: bool) -> Markup {
    let text = include_str!("science.txt").replace("{most}", &(TURNS + 1).to_string());
    let lines = text.lines().filter(|line| has_beliefs || !line.starts_with("The belief"));
    html! { @for line in lines { p { (line) } } }
}
