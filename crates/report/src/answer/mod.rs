//! The answer of a run: its findings with numbers, and the same in sentences. Terminal, page, list of
//! runs and JSON all show this answer.
//!
//! Each kind of question has a module with its findings, sentences, title and chart.

mod figures;
mod ladder;
mod pairing;
mod phrases;
mod question;
mod scores;
mod series;
mod trend;

use std::collections::BTreeMap;
use std::fmt::Debug;

use maud::{Markup, html};

use crate::chart::{Axis, Dot};
use crate::figures::FIRST_SEAT;
use crate::html::{forest_figure, mark};
use crate::rows::{Conclusion, Difference, Family, Finding, Matchup};
use crate::sample::{Sample, adjust_p_values};
use crate::summary::{Answer, Summary};
use crate::units::Unit;
use parlour_arena::{PlanInfo, UNIT};
use parlour_base::error::Result;
use parlour_stats::{Estimate, deals_for_difference, deviation_of};
use phrases::list;

/// The `reference` of a score that is compared with a fair share.
const FAIR: &str = "a fair share";

/// The figure of a luck-adjusted score.
const LUCK_ADJUSTED: &str = "score_luck_adjusted";

/// The unit of scores.
const SCORE_UNIT: &str = "share of the win";

/// The data of findings.
struct Evidence<'a> {
    plan: &'a PlanInfo,
    sample: &'a Sample<'a>,
    summary: &'a Summary,
}

/// A kind of question.
trait QuestionKind: Debug {
    /// The question in words, for an experiment without one.
    fn title(&self, evidence: &Evidence<'_>) -> String;

    /// The comparisons, without correction for their number.
    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding>;

    /// The answer in sentences; names are in backticks.
    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String>;

    /// The chart of the answer.
    fn chart(&self, summary: &Summary, findings: &[Finding]) -> Markup;
}

/// Checks the question of a plan.
///
/// # Errors
/// Bad input: a figure, variant or pairing that the plan does not have.
pub(super) fn check_question(plan: &PlanInfo) -> Result<()> {
    question::resolve(plan).map(drop)
}

/// Adds the answer to a summary, and divides its comparisons into families.
pub(super) fn answer(sample: &Sample<'_>, summary: &mut Summary) {
    let plan = sample.plan;
    let kind = question::resolve(plan).unwrap_or_else(|_| question::default_of(plan));
    let evidence = Evidence { plan, sample, summary };
    let mut findings = kind.findings(&evidence);
    adjust_p_values(findings.iter_mut().map(|f| (f.p_value, &mut f.p_adjusted_family)));
    findings.iter_mut().for_each(|finding| conclude(finding, sample.deals()));
    let about = plan.experiment().about.trim();
    let question = if about.is_empty() { kind.title(&evidence) } else { about.to_owned() };
    let mut sentences = kind.sentences(&evidence, &findings);
    sentences.retain(|sentence| !sentence.is_empty());
    if sentences.is_empty() {
        sentences.push("The run measured nothing that answers the question.".to_owned());
    }
    sentences.extend(failures(sample));
    let chart = kind.chart(summary, &findings);
    divide_families(&findings, summary);
    summary.answer = Answer { question, sentences, findings, chart };
}

/// The minimum number of deals for a recommendation. With ten, the standard deviation is known to
/// about a quarter, 1 / √(2 · 9).
const MIN_DEALS_TO_RECOMMEND: u64 = 10;

/// Sets the conclusion of a finding from its corrected p-value.
fn conclude(finding: &mut Finding, deals: u64) {
    let Some(change) = finding.change else { return };
    let (relevant, _) = finding.relevant_difference();
    finding.conclusion = Conclusion::of(change, finding.p_adjusted_family, relevant, deals);
    if finding.conclusion == Conclusion::NotEnoughDeals && deals >= MIN_DEALS_TO_RECOMMEND {
        let spread = deviation_of(change, deals);
        let needed = spread.and_then(|spread| deals_for_difference(spread, relevant, 0.8));
        finding.deals_needed = needed.filter(|needed| *needed > deals);
    }
}

/// Assigns every row to a family and corrects the p-values of the exploratory ones. Rows of the
/// question take p-value and conclusion from its findings.
fn divide_families(findings: &[Finding], summary: &mut Summary) {
    for f in findings.iter().filter(|f| f.is_row) {
        let is_same = |a: &str, b: &str| [(a, b), (b, a)].contains(&(&f.reference, &f.subject));
        let changes = summary.comparisons.iter_mut().flat_map(|c| c.changes.iter_mut().flatten());
        let is_change =
            |row: &Difference| row.figure == f.figure && is_same(&row.variant_a, &row.variant_b);
        for row in changes.filter(|row| is_change(row)) {
            (row.family, row.p_adjusted_family) = (Family::Question, f.p_adjusted_family);
            let is_forward = row.variant_a == f.reference;
            row.conclusion = if is_forward { f.conclusion } else { f.conclusion.reversed() };
        }
        let matchups = summary.variants.iter_mut().flat_map(|v| v.matchups.iter_mut());
        let is_pairing =
            |row: &Matchup| row.variant == f.variant && is_same(&row.strategy, &row.opponent);
        for row in matchups.filter(|row| is_pairing(row)) {
            (row.family, row.p_adjusted_family) = (Family::Question, f.p_adjusted_family);
        }
    }
    let deals = summary.deals;
    let mut changes: Vec<&mut Difference> = summary
        .comparisons
        .iter_mut()
        .flat_map(|c| c.changes.iter_mut().flatten())
        .filter(|row| row.family == Family::Exploratory)
        .collect();
    adjust_p_values(changes.iter_mut().map(|row| (row.p_value, &mut row.p_adjusted_family)));
    for row in changes {
        let (relevant, _) = Unit::parse(row.unit).relevant_difference(row.value_a, row.value_b);
        row.conclusion = Conclusion::of(row.difference, row.p_adjusted_family, relevant, deals);
    }
    let matchups = summary.variants.iter_mut().flat_map(|v| v.matchups.iter_mut());
    let rest = matchups.filter(|row| row.family == Family::Exploratory);
    adjust_p_values(rest.map(|row: &mut Matchup| (row.p_value, &mut row.p_adjusted_family)));
}

/// Hands lost by failures of a bot, which are no evidence of its strength.
fn failures(sample: &Sample<'_>) -> Option<String> {
    let plan = sample.plan;
    let mut counts = BTreeMap::<usize, (u64, u64)>::new();
    for (index, (table, tally)) in plan.tables.iter().zip(&sample.total.tables).enumerate() {
        for (seat, (strategy, slot)) in table.line_up.iter().zip(&tally.slots).enumerate() {
            let (faults, hands) = counts.entry(*strategy).or_default();
            *faults += slot.faults;
            // A strategy that sits twice plays one hand.
            if !table.line_up[..seat].contains(strategy) {
                *hands += plan.hands_of(index) * sample.deals();
            }
        }
    }
    let failed = counts.into_iter().filter(|(_, (faults, _))| *faults > 0);
    let one = |(strategy, (faults, hands))| {
        format!("`{}` {faults} of {hands} hands", plan.name_of(strategy))
    };
    let each: Vec<String> = failed.map(one).collect();
    (!each.is_empty()).then(|| format!("Lost by bot failures, not by play: {}.", list(&each)))
}

impl Evidence<'_> {
    /// The score of one strategy against another, as a finding.
    fn pairing(&self, variant: usize, subject: usize, reference: usize) -> Option<Finding> {
        let row = self.matchup(variant, subject, reference)?;
        let finding = score_finding("score", &row, row.score, row.p_value);
        Some(Finding { is_row: true, ..finding })
    }

    /// The results of one strategy against another.
    fn matchup(&self, variant: usize, subject: usize, reference: usize) -> Option<Matchup> {
        let mut rows = self.summary.variants[variant].matchups.iter();
        let row = rows.find(|row| row.is_between(subject, reference))?;
        // After a sequential test, the score that is corrected for early stopping.
        let row = Matchup { score: row.sprt_score.or(row.score), ..row.clone() };
        Some(if row.pair == Some((subject, reference)) { row } else { row.swapped() })
    }

    /// A score that is compared with a fair share, as a finding.
    fn against_fair(
        &self,
        variant: usize,
        figure: &str,
        subject: &str,
        score: Option<Estimate>,
    ) -> Finding {
        let row = &self.summary.variants[variant];
        Finding {
            reference_value: Some(Estimate::symmetric(row.fair(), 0.0)),
            subject_value: score,
            change: score.map(|score| score.shifted(-row.fair())),
            ..Finding::blank(figure, SCORE_UNIT, &row.variant, FAIR, subject)
        }
    }

    /// The first seat's score against a fair share, as a finding.
    fn first_seat(&self, variant: usize) -> Finding {
        let row = &self.summary.variants[variant];
        let hands = self.plan.hands_of_variant(variant);
        let scale = 1.0 / (hands as f64 * UNIT as f64);
        let name = self.summary.figures[FIRST_SEAT].name;
        let finding = self.against_fair(variant, name, &row.variant, row.first_seat());
        let first = &self.sample.total.variants[variant].first_seat;
        Finding { p_value: first.score_p(scale, row.fair()), variant: String::new(), ..finding }
    }
}

/// The score of a strategy against another, as a finding.
fn score_finding(
    figure: &str,
    row: &Matchup,
    score: Option<Estimate>,
    p_value: Option<f64>,
) -> Finding {
    Finding {
        reference_value: score.map(|score| score.scaled(-1.0).shifted(1.0)),
        subject_value: score,
        change: score.map(|score| score.shifted(-0.5)),
        p_value,
        ..Finding::blank(figure, SCORE_UNIT, &row.variant, &row.opponent, &row.strategy)
    }
}

/// A forest plot of the subjects' values.
fn value_chart(
    findings: &[Finding],
    title: &str,
    reference: &str,
    label: fn(&Finding) -> &str,
) -> Markup {
    let Some(first) = findings.first() else { return html! {} };
    let fair = first.reference_value.filter(|_| first.reference == FAIR).map_or(0.5, |e| e.value);
    let (unit, reference) = (first.unit().label(), Some((100.0 * fair, reference)));
    let rows = dots(findings, label, |f| f.subject_value);
    forest_figure(title, Axis { unit: &unit, reference, span: None }, &rows, "")
}

/// A forest plot of changes from the reference.
fn change_chart(findings: &[Finding], title: &str, zero: &str) -> Markup {
    let Some(first) = findings.first() else { return html! {} };
    let (unit, reference) = (first.unit().change_label(), Some((0.0, zero)));
    let rows = dots(findings, |f| &f.subject, |f| f.change);
    forest_figure(title, Axis { unit: &unit, reference, span: None }, &rows, "")
}

fn dots(
    findings: &[Finding],
    label: fn(&Finding) -> &str,
    number: fn(&Finding) -> Option<Estimate>,
) -> Vec<Dot> {
    let dot = |f: &Finding| {
        Dot::new(label(f), f.unit().displayed(number(f)), mark(f.conclusion, f.p_value))
    };
    findings.iter().map(dot).collect()
}

/// Sorts findings by a number, largest first.
fn sort_by(findings: &mut [Finding], number: impl Fn(&Finding) -> Option<Estimate>) {
    let value = |f: &Finding| number(f).map_or(0.0, |e| e.value);
    findings.sort_by(|a, b| value(b).total_cmp(&value(a)));
}
