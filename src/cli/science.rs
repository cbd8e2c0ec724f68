//! `parlour science`.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::sync::Arc;

use schemars::JsonSchema;

use clap::{Args, ValueEnum};
use serde::Serialize;
use serde_json::{Value, json};

use super::output::Output;
use super::print::warn;
use super::run_args::Threads;
use super::science_page;
use super::watch::Watch;
use crate::error::{Error, Result, ensure, unknown};
use crate::external::ProcessPool;
use crate::files::{Library, digest, read_text};
use crate::game::BotFailure;
use crate::games::eleusis::bots::scientist;
use crate::games::eleusis::infer::Grammar;
use crate::games::eleusis::science::{
    Case, Means, Outside, ScienceCase, Scientist, Study, bank_cases, cases_in_words, read_cases,
};
use crate::games::eleusis::{Eleusis, Half, in_words};
use crate::results::{IfExists, StudyDir, Table, TextReport, TextTable, digest_map};
use crate::{Estimate, Ruled, Strategic, Strategy};

/// The one variant that is played alone.
const VARIANT: &str = "science";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Bank {
    Training,
    Test,
    All,
    /// Two hundred rules as a table tells them
    Words,
}

#[derive(Args, Debug)]
pub(super) struct Science {
    /// The cases, a line each
    #[arg(required_unless_present = "bank", conflicts_with = "bank")]
    cases: Option<PathBuf>,
    /// The rules of the bank instead, with shuffled decks
    #[arg(long, value_name = "HALF")]
    bank: Option<Bank>,
    /// Decks for each rule of the bank
    #[arg(long, default_value_t = 3, conflicts_with = "cases")]
    deals: u64,
    /// The protocol; there is one
    #[arg(long, default_value = VARIANT, value_name = "NAME", hide = true)]
    variant: String,
    /// The number that the decks and the strategy's own chance come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Who looks for the rule: a name or path
    #[arg(long, default_value = "bayes")]
    strategy: String,
    /// Hold out the family of each case's rule from the strategy's prior
    #[arg(long)]
    hold_out: bool,
    /// A folder for `report.html`, `science.csv`, `science_summary.csv` and `manifest.json`
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Let the new files take the place of those that the folder holds
    #[arg(long, requires = "out")]
    replace: bool,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    output: Output,
}

impl Science {
    /// Where the cases are from, in words.
    fn said(&self) -> String {
        match (self.bank, &self.cases) {
            (Some(Bank::Training), _) => "the training half of the rule bank".to_owned(),
            (Some(Bank::Test), _) => "the test half of the rule bank".to_owned(),
            (Some(Bank::All), _) => "the rule bank".to_owned(),
            (Some(Bank::Words), _) => "rules as a table tells them".to_owned(),
            (None, Some(file)) => file.display().to_string(),
            (None, None) => "cases".to_owned(),
        }
    }
}

/// How a strategy found the rules of all cases.
#[derive(Serialize, JsonSchema)]
pub(super) struct ScienceResult {
    /// Who looked.
    strategy: String,
    /// The cases lost because a player from outside failed. Unit: cases.
    faults: usize,
    /// The first of them, and how.
    first_fault: Option<String>,
    /// How many cases there were to play; more than were played where it was stopped. Unit: cases.
    of: usize,
    /// The means over the cases.
    means: Means,
    /// The mean score with its 95 % interval, the cases of one rule taken together. Unit: points.
    score: Option<Estimate>,
    /// The share of the cases that were solved, with its interval.
    solved: Option<Estimate>,
    /// How long the cases took, one after another, the judging included. Unit: seconds.
    seconds: f64,
    /// The mean time that the strategy took for a turn. Unit: ms.
    milliseconds_per_turn: Option<f64>,
    /// The rows of `science_summary.csv`, a case each.
    science_summary: Vec<ScienceCase>,
}

pub(super) fn run(given: &Science) -> Result<()> {
    given.output.check()?;
    if given.variant != VARIANT {
        let said = &given.variant;
        return Err(match Eleusis::preset(said) {
            Some(_) => Error::input(format!(
                "variant `{said}` is played at a table: use `parlour match eleusis … --variant \
                 {said}`; here there is `{VARIANT}` only"
            )),
            None => Error::input(unknown("variant of the one-player protocol", said, [VARIANT])),
        });
    }
    let strategy = Strategy::<Eleusis>::load(&Library::strategies(Eleusis::NAME), &given.strategy)?;
    let outside = Eleusis::external(&strategy.spec);
    ensure(outside.is_none() || !given.hold_out, || {
        let what = "is a program of its own: nothing can be taken out of what it knows";
        Error::input(format!("`{}` {what}; leave out `--hold-out`", strategy.name))
    })?;
    let (cases, source) = cases(given)?;
    if cases.is_empty() {
        return Err(Error::input("there is no case to play: `--deals` must be at least 1"));
    }
    let all = cases.len();
    let watch = Watch::of(all as u64, "cases")?;
    let existing = if given.replace { IfExists::Replace } else { IfExists::Fail };
    let folder = given
        .out
        .as_deref()
        .map(|out| StudyDir::open(out, existing, crate::PROGRAM))
        .transpose()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(given.threads.for_pool()).build();
    let pool = pool.map_err(|error| Error::failed(format!("cannot start threads: {error}")))?;
    // What all share is made before the clock starts.
    let grammar = outside.is_none().then(Grammar::shared);
    let without = |case: &Case| {
        let grammar = grammar.as_ref().filter(|_| given.hold_out)?;
        Some(grammar.without_idea_of(&case.rule))
    };
    let players =
        outside.map(|external| Arc::new(ProcessPool::new(external.clone(), Eleusis::NAME)));
    if let Some(players) = &players {
        let ready = players.prepare(&strategy.name, folder.as_ref().map(StudyDir::path));
        ready.map_err(|error| error.in_part(format!("strategy `{}`", strategy.name)))?;
    }
    let scientist = |case: &Case| -> Box<dyn Scientist> {
        match &players {
            Some(players) => Box::new(Outside::new(players.clone())),
            None => scientist(&strategy.spec.kind, without(case)),
        }
    };
    let (goes_on, done) = (|| !watch.is_stopped(), || watch.done());
    let study = pool.install(|| Study::of(cases, given.seed, scientist, goes_on, done));
    let goes_on = !watch.is_stopped();
    drop(watch);
    let stopped = || Error::stopped(format!("stopped after {} of {all} cases", study.cases()));
    ensure(study.cases() > 0, stopped)?;
    if let (Some(folder), Some(out)) = (folder, &given.out) {
        let mut counts = json!({ "cases": study.cases() });
        if study.cases() < all {
            counts["of"] = all.into();
        }
        let mut what = json!({
            "protocol": "science",
            "seed": given.seed,
            "hold_out": given.hold_out,
            "inputs": {
                "cases": source,
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
        if outside.is_some() {
            what["not_reproducible"] = json!([strategy.name]);
        }
        let tables = [
            Table::of("science", study.turn_rows()),
            Table::of("science_summary", study.case_rows()),
        ];
        let page = science_page::page(&study, &strategy.name, given.seed, &given.said());
        folder.write(what, &tables, page, json!({ "seconds": study.time.as_secs_f64() }))?;
        if std::io::stderr().is_terminal() {
            warn(format_args!("written to {}", out.display()));
        }
    }
    let mut faults = study.faults();
    let first = faults.next().map(|(case, BotFailure { fault, said })| {
        format!("the first: {}, deal {}: {}: {said}", case.name, case.deal, fault.name())
    });
    let [score, solved] = study.doubts();
    let found = ScienceResult {
        strategy: strategy.name.clone(),
        faults: usize::from(first.is_some()) + faults.count(),
        first_fault: first,
        of: all,
        means: study.means(),
        score,
        solved,
        seconds: study.time.as_secs_f64(),
        milliseconds_per_turn: study.milliseconds_per_turn(),
        science_summary: study.case_rows().take(study.cases()).collect(),
    };
    given.output.give(&found, || told(&found))?;
    ensure(goes_on || study.cases() == all, stopped)
}

/// The cases, and where they come from, for the manifest.
fn cases(given: &Science) -> Result<(Vec<Case>, Value)> {
    if let Some(file) = &given.cases {
        let text = read_text(file)?;
        let source = json!({ "file": file, "sha256": digest(&text) });
        return Ok((read_cases(&file.display().to_string(), &text)?, source));
    }
    let (half, name) = match given.bank {
        Some(Bank::Training) => (Some(Half::Training), "training"),
        Some(Bank::Test) => (Some(Half::Test), "test"),
        Some(Bank::All) => (None, "all"),
        Some(Bank::Words) => {
            let source = json!({ "bank": "words", "deals": given.deals });
            return Ok((cases_in_words(in_words(), given.deals, given.seed), source));
        }
        None => return Err(Error::input("name a file of cases, or `--bank`")),
    };
    let source = json!({ "bank": name, "deals": given.deals });
    Ok((bank_cases(half, given.deals, given.seed), source))
}

/// The answer, then the means.
fn told(found: &ScienceResult) -> TextReport {
    let ScienceResult { strategy, means, seconds, milliseconds_per_turn, .. } = found;
    let doubtful = |e: Option<Estimate>| e.map_or("–".to_owned(), |e| e.to_string());
    let number = |x: Option<f64>| x.map_or("–".to_owned(), |x| format!("{x:.3}"));
    let cases = if means.cases == 1 { "case" } else { "cases" };
    let rows = [
        ("mean score, points", doubtful(found.score)),
        ("found, % of the cases", doubtful(found.solved.map(|share| share.scaled(100.0)))),
        ("found at turn", number(means.turn)),
        ("wrong commitments a case", format!("{:.3}", means.wrong_commitments)),
        ("Brier score of stated probabilities", number(means.brier)),
        ("mean probability of a wrong guess", number(means.wrong_guess)),
        (
            "time of a turn",
            milliseconds_per_turn.map_or_else(|| "–".to_owned(), |time| format!("{time:.2} ms")),
        ),
        ("time of a case", format!("{:.3} s", seconds / means.cases.max(1) as f64)),
    ];
    let rows = rows.map(|(what, number)| [what.to_owned(), number]);
    let failed = found.first_fault.as_ref().map_or_else(String::new, |first| {
        let cases = if found.faults == 1 { "case" } else { "cases" };
        format!(" It failed in {} {cases}, which count as not found; {first}.", found.faults)
    });
    let stopped = match found.of > means.cases {
        true => format!(" It was stopped: these are the first of {} cases.", found.of),
        false => String::new(),
    };
    TextReport::default()
        .paragraph(format!(
            "{strategy} found {:.1} % of the rules, in {} {cases}.{stopped}{failed}",
            100.0 * means.solved,
            means.cases,
        ))
        .table(TextTable::of(1, ["mean over the cases", ""], rows))
        .paragraph(
            "Intervals are of 95 %, from the variance between rules. The time of a turn is the \
             strategy's own; that of a case includes the judging of the guesses.",
        )
}
