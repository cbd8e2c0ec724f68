//! The evidence: the comparisons of the question, then all figures between variants.

use maud::{Markup, html};

use super::super::html::mark;
use super::super::question::{FigureQuestion, ResolvedQuestion};
use super::super::rows::{Conclusion, Difference, Family, Finding};
use super::super::summary::{Comparison, Summary, VariantSummary};
use super::super::units::{Unit, words};
use crate::chart::{show, sliver};
use parlour_stats::Estimate;

pub(super) fn section(summary: &Summary) -> Markup {
    let question = &summary.answer.resolved;
    let is_between_variants = matches!(
        question,
        Some(ResolvedQuestion::Figures(FigureQuestion { is_against_fair: false, .. }))
    );
    let is_trend = matches!(question, Some(ResolvedQuestion::Trend(_)));
    // The first comparison of the question is open, the others are folded.
    let is_of_question =
        |c: &&Comparison| c.changes.iter().flatten().any(|row| row.family == Family::Question);
    let first = summary.comparisons.iter().find(is_of_question).or(summary.comparisons.first());
    let first = first.filter(|_| !is_trend);
    let is_other =
        |c: &&Comparison| first.is_none_or(|first| (c.from, c.to) != (first.from, first.to));
    let others: Vec<&Comparison> = summary.from_first().filter(is_other).collect();
    let is_exploratory = |d: &&Difference| d.p_value.is_some() && d.family != Family::Question;
    let exploratory = summary.differences().filter(is_exploratory).count();
    html! {
        @if !is_between_variants && !summary.answer.findings.is_empty() { (findings(summary)) }
        @if let Some(comparison) = first {
            (between(summary, comparison))
            p.dim {
                "Shares are in percent, their changes in percentage points (pp). The interval is drawn in units of its own width "
                "around zero. Comparisons of the question are corrected for their number; the other " (exploratory)
                " changes between variants are exploratory and corrected separately (Holm, 5 %). A ring in colour: significant "
                "only without the correction."
            }
        }
        @if !others.is_empty() {
            details {
                summary { "The other variants, compared with " (summary.variants[0].variant) }
                @for comparison in others { (between(summary, comparison)) }
            }
        }
    }
}

/// The comparisons of the question.
fn findings(summary: &Summary) -> Markup {
    let rows = &summary.answer.findings;
    let has_variants = rows.iter().any(|f| !f.variant.is_empty());
    html! {
        div.scroll { table.sort.evidence {
            thead { tr {
                th.text { "subject" } @if has_variants { th.text { "under" } } th.text { "compared with" }
                th { "value" } th { "reference value" } th { "change" } th.text { "interval" } th.text { "conclusion" }
            } }
            tbody { @for f in rows { (finding(f, has_variants)) } }
        } }
    }
}

fn finding(f: &Finding, has_variants: bool) -> Markup {
    let unit = f.unit();
    html! {
        tr {
            td.text { (f.subject) }
            @if has_variants { td.text data-head="under" { (f.variant) } }
            td.text data-head="compared with" { (f.reference) }
            td data-head="value" { (value(f.subject_value, unit)) } td data-head="reference value" { (value(f.reference_value, unit)) }
            (change(f.change, unit))
            td.text.drawn { @if let Some(change) = f.change { (sliver(change, mark(f.conclusion, f.p_value))) } }
            (conclusion(f.conclusion))
        }
    }
}

/// A number, with a percent sign for shares.
fn value(estimate: Option<Estimate>, unit: Unit<'_>) -> Markup {
    let sign = if unit.is_share() && estimate.is_some() { "\u{a0}%" } else { "" };
    html! { (show(unit.displayed(estimate))) (sign) }
}

/// A figure of a variant; a value that the rules force is in words.
fn figure(variant: &VariantSummary, number: usize, unit: Unit<'_>) -> Markup {
    match variant.forced[number] {
        Some(forced) => html! { span.dim { (forced.words()) } },
        None => value(variant.figures[number], unit),
    }
}

fn change(estimate: Option<Estimate>, unit: Unit<'_>) -> Markup {
    html! {
        td data-head="change" {
            (show(unit.displayed(estimate))) " " span.dim { (unit.short_change_label()) }
        }
    }
}

fn conclusion(conclusion: Conclusion) -> Markup {
    let class = if conclusion.is_clear() { "clear" } else { "dim" };
    html! { td.text.verdict { span class=(class) { (conclusion.text()) } } }
}

/// All figures under two variants.
fn between(summary: &Summary, comparison: &Comparison) -> Markup {
    let [a, b] = [comparison.from, comparison.to].map(|v| &summary.variants[v]);
    let rows = comparison.changes.iter().enumerate();
    let mut rows: Vec<(usize, &Difference)> =
        rows.filter_map(|(number, row)| Some((number, row.as_ref()?))).collect();
    // The question's figures first, then headlines, then the rest.
    rows.sort_by_key(|&(number, row)| {
        (row.family != Family::Question, !summary.figures[number].headline)
    });
    html! {
        h3 style="margin-top:1.2rem" { (b.variant) " compared with " (a.variant) }
        div.scroll { table.sort.evidence {
            thead { tr {
                th.text { "figure" } th { (a.variant) } th { (b.variant) }
                th { "change" } th.text { "interval" } th.text { "conclusion" }
            } }
            tbody { @for (number, row) in rows {
                @let head = &summary.figures[number];
                @let unit = Unit::parse(head.unit);
                tr class=(if row.family == Family::Question { "asked" } else { "" }) {
                    td.text title=(head.meaning) { (words(head.name)) }
                    td data-head=(a.variant) { (figure(a, number, unit)) }
                    td data-head=(b.variant) { (figure(b, number, unit)) }
                    (change(Some(row.difference), unit))
                    td.text.drawn { (sliver(row.difference, mark(row.conclusion, row.p_value))) }
                    (conclusion(row.conclusion))
                }
            } }
        } }
    }
}
