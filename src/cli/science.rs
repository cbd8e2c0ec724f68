//! `parlour science`.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::output::Output;
use super::print::warn;
use super::run_args::Threads;
use super::science_page;
use super::watch::Watch;
use crate::arena::Observer;
use crate::error::{Error, Result, ensure, unknown};
use crate::external::ProcessPool;
use crate::files::{Library, digest, read_text};
use crate::game::BotFailure;
use crate::games::eleusis::bots::rule_learner;
use crate::games::eleusis::infer::Grammar;
use crate::games::eleusis::science::{
    Case, ExternalLearner, Means, RuleLearner, ScienceCase, Study, corpus_cases, plain_text_cases,
    read_cases,
};
use crate::games::eleusis::{Eleusis, Split, plain_text_rules};
use crate::results::{IfExists, StudyDir, Table, TextReport, TextTable, digest_map};
use crate::{Estimate, Ruled, Strategic, Strategy};

/// The only variant of the protocol.
const VARIANT: &str = "science";

#[derive(Clone, Copy, Debug, ValueEnum)]
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
    /// Decks per rule of the corpus
    #[arg(long, default_value_t = 3, conflicts_with = "cases")]
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

/// The cases of a study and their origin.
struct Source {
    cases: Vec<Case>,
    /// The origin in a sentence.
    text: String,
    /// The origin in the manifest.
    manifest: Value,
}

pub(super) fn run(args: &Science) -> Result<()> {
    args.output.check()?;
    check_variant(&args.variant)?;
    let strategy = Strategy::<Eleusis>::load(&Library::strategies(Eleusis::NAME), &args.strategy)?;
    let external = Eleusis::external(&strategy.spec);
    ensure(external.is_none() || !args.hold_out, || {
        let why = "is an external program, whose knowledge cannot be held out";
        Error::input(format!("`{}` {why}; leave out `--hold-out`", strategy.name))
    })?;
    let source = source(args)?;
    let all = source.cases.len();
    ensure(all > 0, || Error::input("no cases to play: `--deals` must be at least 1"))?;
    let watch = Watch::of(all as u64, "cases", false)?;
    let existing = if args.replace { IfExists::Replace } else { IfExists::Fail };
    let take = |out| StudyDir::open(out, existing, crate::PROGRAM);
    let folder = args.out.as_deref().map(take).transpose()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.for_pool()).build();
    let pool = pool.map_err(|error| Error::failed(format!("cannot start threads: {error}")))?;
    // The shared grammar is built before the clock starts.
    let grammar = external.is_none().then(Grammar::shared);
    let players =
        external.map(|external| Arc::new(ProcessPool::new(external.clone(), Eleusis::NAME)));
    if let Some(players) = &players {
        let ready = players.prepare(&strategy.name, folder.as_ref().map(StudyDir::path));
        ready.map_err(|error| error.in_part(format!("strategy `{}`", strategy.name)))?;
    }
    let learner = |case: &Case| -> Box<dyn RuleLearner> {
        let held_out = grammar.as_ref().filter(|_| args.hold_out);
        match &players {
            Some(players) => Box::new(ExternalLearner::new(players.clone())),
            None => rule_learner(
                &strategy.spec.kind,
                held_out.map(|grammar| grammar.without_idea_of(&case.rule)),
            ),
        }
    };
    let (is_wanted, done) = (|| !watch.is_stopped(), || watch.played(1));
    let study = pool.install(|| Study::of(source.cases, args.seed, learner, is_wanted, done));
    let is_stopped = watch.is_stopped();
    drop(watch);
    let cases = study.results().len();
    let stopped = || Error::stopped(format!("stopped after {cases} of {all} cases"));
    ensure(cases > 0, stopped)?;
    if let (Some(folder), Some(out)) = (folder, &args.out) {
        let mut counts = json!({ "cases": cases });
        if cases < all {
            counts["of"] = all.into();
        }
        let mut manifest = json!({
            "protocol": "science",
            "seed": args.seed,
            "hold_out": args.hold_out,
            "inputs": {
                "cases": source.manifest,
                "strategy": {
                    "name": strategy.name,
                    "from": strategy.origin,
                    "sha256": strategy.digest,
                    "resolved": strategy.spec,
                },
                "knowledge": digest_map(Eleusis::knowledge(&[&strategy.spec.kind])),
            },
            "counts": counts,
        });
        if external.is_some() {
            manifest["not_reproducible"] = json!([strategy.name]);
        }
        let tables = [
            Table::of("science", study.turn_rows()),
            Table::of("science_summary", study.case_rows()),
        ];
        let page = science_page::page(&study, &strategy.name, args.seed, &source.text);
        let seconds = json!({ "seconds": study.time.as_secs_f64() });
        folder.write(manifest, &tables, page, seconds)?;
        if stderr().is_terminal() {
            warn(format_args!("Results: {}", out.display()));
        }
    }
    let result = result(&strategy.name, &study, all);
    args.output.give(&result, || report(&result))?;
    ensure(!is_stopped || cases == all, stopped)
}

fn check_variant(variant: &str) -> Result<()> {
    if variant == VARIANT {
        return Ok(());
    }
    Err(match Eleusis::preset(variant) {
        Some(_) => Error::input(format!(
            "variant `{variant}` is played at a table: use `parlour match eleusis … --variant \
             {variant}`; `parlour science` has only `{VARIANT}`"
        )),
        None => Error::input(unknown("variant of the one-player protocol", variant, [VARIANT])),
    })
}

/// The cases that the arguments name.
fn source(args: &Science) -> Result<Source> {
    if let Some(file) = &args.cases {
        let (content, text) = (read_text(file)?, file.display().to_string());
        let manifest = json!({ "file": file, "sha256": digest(&content) });
        return Ok(Source { cases: read_cases(&text, &content)?, text, manifest });
    }
    let of_corpus = |split| corpus_cases(split, args.deals, args.seed);
    let (name, text, cases) = match args.corpus {
        Some(Corpus::Training) => {
            ("training", "the training split of the rule corpus", of_corpus(Some(Split::Training)))
        }
        Some(Corpus::Test) => {
            ("test", "the test split of the rule corpus", of_corpus(Some(Split::Test)))
        }
        Some(Corpus::All) => ("all", "the rule corpus", of_corpus(None)),
        Some(Corpus::PlainText) => (
            "plain-text",
            "rules in plain text",
            plain_text_cases(plain_text_rules(), args.deals, args.seed),
        ),
        None => return Err(Error::input("name a file of cases, or use `--corpus`")),
    };
    let manifest = json!({ "corpus": name, "deals": args.deals });
    Ok(Source { cases, text: text.to_owned(), manifest })
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
        science_summary: study.case_rows().take(study.results().len()).collect(),
    }
}

/// The answer, then the means.
fn report(result: &ScienceResult) -> TextReport {
    let ScienceResult { strategy, means, seconds, milliseconds_per_turn, .. } = result;
    let estimate = |e: Option<Estimate>| e.map_or("–".to_owned(), |e| e.to_string());
    let number = |x: Option<f64>| x.map_or("–".to_owned(), |x| format!("{x:.3}"));
    let milliseconds = |time: f64| format!("{time:.2} ms");
    let cases = |count: usize| if count == 1 { "case" } else { "cases" };
    let rows = [
        ("mean score, points", estimate(result.score)),
        ("found, % of the cases", estimate(result.solved.map(|share| share.scaled(100.0)))),
        ("turn of discovery", number(means.turn)),
        ("wrong commitments per case", format!("{:.3}", means.wrong_commitments)),
        ("Brier score of stated probabilities", number(means.brier)),
        ("mean probability of a wrong guess", number(means.wrong_guess)),
        ("time per turn", milliseconds_per_turn.map_or("–".to_owned(), milliseconds)),
        ("time per case", format!("{:.3} s", seconds / means.cases.max(1) as f64)),
    ];
    let rows = rows.map(|(name, value)| [name.to_owned(), value]);
    let failed = result.first_fault.as_ref().map_or_else(String::new, |first| {
        let count = result.faults;
        format!(" It failed in {count} {}, which count as not found; {first}.", cases(count))
    });
    let stopped = match result.of > means.cases {
        true => format!(" Stopped early: these are the first of {} cases.", result.of),
        false => String::new(),
    };
    let (share, count) = (100.0 * means.solved, means.cases);
    TextReport::default()
        .paragraph(format!(
            "{strategy} found {share:.1} % of the rules, in {count} {}.{stopped}{failed}",
            cases(count)
        ))
        .table(TextTable::of(1, ["mean over the cases", ""], rows))
        .paragraph(
            "Intervals are 95 %, from the variance between rules. The time per turn is the \
             strategy's own; the time per case includes the judging of guesses.",
        )
}
