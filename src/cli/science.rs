//! `parlour science`.

use std::io::{IsTerminal, stderr};
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};

use super::output::{Output, warn};
use super::run::Threads;
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
use crate::results::{IfExists, RunDir, Table, TextReport, TextTable, digest_map};
use crate::{Estimate, Ruled, Strategic, Strategy};

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

pub(super) fn run(args: &Science) -> Result<()> {
    check_variant(&args.variant)?;
    let strategy = Strategy::<Eleusis>::load(&Library::strategies(Eleusis::NAME), &args.strategy)?;
    let external = Eleusis::external(&strategy.spec);
    ensure(external.is_none() || !args.hold_out, || {
        let why = "is an external program, whose knowledge cannot be held out";
        Error::input(format!("`{}` {why}; leave out `--hold-out`", strategy.name))
    })?;
    let (cases, origin, input) = source(args)?;
    let all = cases.len();
    ensure(all > 0, || Error::input("no cases to play: `--deals` must be at least 1"))?;
    let watch = Watch::of(all as u64, "cases", false)?;
    let existing = if args.replace { IfExists::Replace } else { IfExists::Fail };
    let take = |out| RunDir::open(out, existing, None);
    let folder = args.out.as_deref().map(take).transpose()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads.for_pool()).build();
    let pool = pool.map_err(|error| Error::failed(format!("cannot start threads: {error}")))?;
    // The shared grammar is built before the clock starts.
    let grammar = external.is_none().then(Grammar::shared);
    let players =
        external.map(|external| Arc::new(ProcessPool::new(external.clone(), Eleusis::NAME)));
    if let Some(players) = &players {
        let ready =
            players.prepare(&strategy.name, folder.as_ref().map(|folder| folder.work.as_path()));
        ready.map_err(|error| error.in_part(format!("strategy `{}`", strategy.name)))?;
    }
    let learner = |case: &Case| -> Option<Box<dyn RuleLearner>> {
        let known = grammar.as_ref().filter(|_| args.hold_out);
        let known = || known.map(|known| known.without_idea_of(&case.rule));
        (!watch.is_stopped()).then(|| match &players {
            Some(players) => Box::new(ExternalLearner::new(players.clone())) as _,
            None => rule_learner(&strategy.spec.kind, known()),
        })
    };
    let study = pool.install(|| Study::of(&cases, args.seed, learner, || watch.played(1)));
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
        let page = science_page::page(&study, &strategy.name, args.seed, &origin);
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
    let of_corpus = |split, origin: &'static str| (origin, corpus_cases(split, deals, seed));
    let (origin, cases) = match args.corpus {
        Some(Corpus::Training) => {
            of_corpus(Split::Training, "the training split of the rule corpus")
        }
        Some(Corpus::Test) => of_corpus(Split::Test, "the test split of the rule corpus"),
        Some(Corpus::All) => of_corpus(Split::All, "the rule corpus"),
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
    let estimate = |e: Option<Estimate>| e.map_or("–".to_owned(), |e| e.to_string());
    let number = |x: Option<f64>| x.map_or("–".to_owned(), |x| format!("{x:.3}"));
    let milliseconds = |time: f64| format!("{time:.2} ms");
    let cases = |count: usize| format!("{count} {}", if count == 1 { "case" } else { "cases" });
    let rows = [
        ("mean score, points", estimate(result.score)),
        ("found, % of the cases", estimate(result.solved.map(|share| share.scaled(100.0)))),
        ("turn of discovery", number(means.turn)),
        ("wrong commitments per case", number(Some(means.wrong_commitments))),
        ("Brier score of stated probabilities", number(means.brier)),
        ("mean probability of a wrong guess", number(means.wrong_guess)),
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
