//! The parts of every kind of question: its data, its findings, and their charts.

use std::fmt::Debug;

use maud::{Markup, html};

use crate::chart::{Axis, Dot};
use crate::figures::FIRST_SEAT;
use crate::html::{forest_figure, mark};
use crate::rows::{Finding, Matchup};
use crate::sample::Sample;
use crate::summary::Summary;
use parlour_arena::{PlanInfo, UNIT};
use parlour_stats::Estimate;

/// The `reference` of a score that is compared with a fair share.
pub(super) const FAIR: &str = "a fair share";

/// The figure of a luck-adjusted score.
pub(super) const LUCK_ADJUSTED: &str = "score_luck_adjusted";

/// The unit of scores.
pub(super) const SCORE_UNIT: &str = "share of the win";

/// The data of findings.
pub(super) struct Evidence<'a> {
    pub plan: &'a PlanInfo,
    pub sample: &'a Sample<'a>,
    pub summary: &'a Summary,
}

/// A kind of question.
pub(super) trait QuestionKind: Debug {
    /// The question in words, for an experiment without one.
    fn title(&self, evidence: &Evidence<'_>) -> String;

    /// The comparisons, without correction for their number.
    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding>;

    /// The answer in sentences; names are in backticks.
    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String>;

    /// The chart of the answer.
    fn chart(&self, summary: &Summary, findings: &[Finding]) -> Markup;
}

impl Evidence<'_> {
    /// The score of one strategy against another, as a finding.
    pub fn pairing(&self, variant: usize, subject: usize, reference: usize) -> Option<Finding> {
        let row = self.matchup(variant, subject, reference)?;
        let finding = score_finding("score", &row, row.score, row.p_value);
        Some(Finding { is_row: true, ..finding })
    }

    /// The results of one strategy against another.
    pub fn matchup(&self, variant: usize, subject: usize, reference: usize) -> Option<Matchup> {
        let mut rows = self.summary.variants[variant].matchups.iter();
        let row = rows.find(|row| row.is_between(subject, reference))?;
        // After a sequential test, the score that is corrected for early stopping.
        let row = Matchup { score: row.sprt_score.or(row.score), ..row.clone() };
        Some(if row.pair == Some((subject, reference)) { row } else { row.swapped() })
    }

    /// A score that is compared with a fair share, as a finding.
    pub fn against_fair(
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
    pub fn first_seat(&self, variant: usize) -> Finding {
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
pub(super) fn score_finding(
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
pub(super) fn value_chart(
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
pub(super) fn change_chart(findings: &[Finding], title: &str, zero: &str) -> Markup {
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
pub(super) fn sort_by(findings: &mut [Finding], number: impl Fn(&Finding) -> Option<Estimate>) {
    let value = |f: &Finding| number(f).map_or(0.0, |e| e.value);
    findings.sort_by(|a, b| value(b).total_cmp(&value(a)));
}
