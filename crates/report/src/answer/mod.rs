//! The answer of a run: its findings with numbers, and the same in sentences. Terminal, page, list of
//! runs and JSON all show this answer.
//!
//! Each kind of question has a module with its findings, sentences, title and chart.

mod figures;
mod ladder;
mod pairing;
mod phrases;
mod scores;
mod trend;

use std::collections::BTreeMap;

use maud::{Markup, html};

use super::html::{forest_figure, mark};
use super::question::ResolvedQuestion;
use super::rows::{Comparand, Conclusion, Difference, Family, Finding, Matchup};
use super::sample::{Sample, adjust_p_values};
use super::summary::{Answer, Summary};
use super::units::Unit;
use crate::chart::{Axis, Dot};
use parlour_arena::{PlanInfo, UNIT};
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
trait Answerable {
    /// The question in words, for an experiment without one.
    fn title(&self, evidence: &Evidence<'_>) -> String;

    /// The comparisons, without correction for their number.
    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding>;

    /// The answer in sentences; names are in backticks.
    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String>;

    /// The sentence if there are no others.
    fn no_answer(&self) -> &'static str {
        "The run measured nothing that answers the question."
    }

    /// The chart of the answer.
    fn chart(&self, summary: &Summary) -> Markup;
}

impl ResolvedQuestion {
    fn kind(&self) -> &dyn Answerable {
        match self {
            ResolvedQuestion::Figures(question) => question,
            ResolvedQuestion::Pairing(question) => question,
            ResolvedQuestion::Scores(question) => question,
            ResolvedQuestion::Ladder(question) => question,
            ResolvedQuestion::Trend(question) => question,
        }
    }
}

/// Adds the answer to a summary, and divides its comparisons into families.
pub(super) fn answer(plan: &PlanInfo, sample: &Sample<'_>, summary: &mut Summary) {
    let resolved =
        ResolvedQuestion::of(plan).unwrap_or_else(|_| ResolvedQuestion::default_of(plan));
    let evidence = Evidence { plan, sample, summary };
    let mut findings = resolved.kind().findings(&evidence);
    adjust_p_values(findings.iter_mut().map(|f| (f.p_value, &mut f.p_adjusted_family)));
    findings.iter_mut().for_each(|finding| conclude(finding, sample.deals()));
    let about = plan.experiment().about.trim();
    let question =
        if about.is_empty() { resolved.kind().title(&evidence) } else { about.to_owned() };
    let mut sentences = resolved.kind().sentences(&evidence, &findings);
    sentences.retain(|sentence| !sentence.is_empty());
    if sentences.is_empty() {
        sentences.push(resolved.kind().no_answer().to_owned());
    }
    sentences.extend(failures(plan, sample));
    divide_families(&findings, summary);
    summary.answer = Answer { question, sentences, resolved: Some(resolved), findings };
}

/// The chart of the answer.
pub(super) fn chart(summary: &Summary) -> Markup {
    summary.answer.resolved.as_ref().map_or(html! {}, |question| question.kind().chart(summary))
}

/// The minimum number of deals for a recommendation. With ten, the standard deviation is known to
/// about a quarter, 1 / √(2 · 9).
const MIN_DEALS_TO_RECOMMEND: u64 = 10;

/// Sets the conclusion of a finding from its corrected p-value.
fn conclude(finding: &mut Finding, deals: u64) {
    let Some(change) = finding.change else { return };
    let relevant = finding.relevant_difference();
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
    for finding in findings {
        match finding.comparand {
            Comparand::Change { figure, from, to } => {
                let mut pairs = summary.comparisons.iter_mut();
                let pair = pairs.find(|c| (c.from, c.to) == (from.min(to), from.max(to)));
                let Some(row) = pair.and_then(|pair| pair.changes[figure].as_mut()) else {
                    continue;
                };
                (row.family, row.p_adjusted_family) = (Family::Question, finding.p_adjusted_family);
                let conclusion = finding.conclusion;
                row.conclusion = if from < to { conclusion } else { conclusion.reversed() };
            }
            Comparand::Pairing { variant, pair: (a, b) } => {
                for row in &mut summary.variants[variant].matchups {
                    if row.pair == Some((a, b)) || row.pair == Some((b, a)) {
                        (row.family, row.p_adjusted_family) =
                            (Family::Question, finding.p_adjusted_family);
                    }
                }
            }
            Comparand::Other => {}
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
        let relevant = Unit::parse(row.unit).relevant_difference(row.value_a, row.value_b);
        row.conclusion = Conclusion::of(row.difference, row.p_adjusted_family, relevant, deals);
    }
    let matchups = summary.variants.iter_mut().flat_map(|v| v.matchups.iter_mut());
    let rest = matchups.filter(|row| row.family == Family::Exploratory);
    adjust_p_values(rest.map(|row: &mut Matchup| (row.p_value, &mut row.p_adjusted_family)));
}

/// Hands lost by failures of a bot, which are no evidence of its strength.
fn failures(plan: &PlanInfo, sample: &Sample<'_>) -> Option<String> {
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
    let each: Vec<String> = failed
        .map(|(strategy, (faults, hands))| {
            format!("`{}` {faults} of {hands} hands", plan.name_of(strategy))
        })
        .collect();
    (!each.is_empty()).then(|| format!("Lost by bot failures, not by play: {}.", list(&each)))
}

impl Evidence<'_> {
    /// The score of one strategy against another, as a finding.
    fn pairing(&self, variant: usize, subject: usize, reference: usize) -> Option<Finding> {
        let row = self.matchup(variant, subject, reference)?;
        let comparand = Comparand::Pairing { variant, pair: (subject, reference) };
        Some(Finding { comparand, ..score_finding("score", &row, row.score, row.p_value) })
    }

    /// The results of one strategy against another.
    fn matchup(&self, variant: usize, subject: usize, reference: usize) -> Option<Matchup> {
        let mut rows = self.summary.variants[variant].matchups.iter();
        let is_met = |m: &&Matchup| {
            m.pair == Some((subject, reference)) || m.pair == Some((reference, subject))
        };
        let row = rows.find(is_met)?;
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
        let name = self.summary.figures[super::figures::FIRST_SEAT].name;
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
fn value_chart<'a>(
    findings: impl IntoIterator<Item = &'a Finding>,
    title: &str,
    reference: &str,
    label: impl Fn(&Finding) -> String,
) -> Markup {
    let findings: Vec<&Finding> = findings.into_iter().collect();
    let Some(first) = findings.first() else { return html! {} };
    let row = |f: &&Finding| Dot {
        label: label(f),
        estimate: f.unit().displayed(f.subject_value),
        mark: mark(f.conclusion, f.p_value),
    };
    let rows: Vec<Dot> = findings.iter().map(row).collect();
    let fair = first.reference_value.filter(|_| first.reference == FAIR).map_or(0.5, |e| e.value);
    let unit = first.unit().label();
    let axis = Axis { unit: &unit, reference: Some((100.0 * fair, reference)), span: None };
    forest_figure(title, axis, &rows, "")
}

/// A forest plot of changes from the reference.
fn change_chart(findings: &[Finding], title: &str, zero: &str) -> Markup {
    let Some(first) = findings.first() else { return html! {} };
    let row = |f: &Finding| Dot {
        label: f.subject.clone(),
        estimate: f.unit().displayed(f.change),
        mark: mark(f.conclusion, f.p_value),
    };
    let rows: Vec<Dot> = findings.iter().map(row).collect();
    let unit = first.unit().change_label();
    let axis = Axis { unit: &unit, reference: Some((0.0, zero)), span: None };
    forest_figure(title, axis, &rows, "")
}

/// Sorts findings by a number, largest first.
fn sort_by(findings: &mut [Finding], number: impl Fn(&Finding) -> Option<Estimate>) {
    let value = |f: &Finding| number(f).map_or(0.0, |e| e.value);
    findings.sort_by(|a, b| value(b).total_cmp(&value(a)));
}
