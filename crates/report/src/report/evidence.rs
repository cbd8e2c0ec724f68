//! The evidence: the comparisons of the question, then all figures between variants.

use maud::{Markup, html};

use crate::chart::{show, sliver};
use crate::html::mark;
use crate::rows::{Conclusion, Difference, Family, Finding};
use crate::summary::{Comparison, Summary, VariantSummary};
use crate::units::{Unit, words};
use parlour_stats::Estimate;

pub(super) fn section(summary: &Summary) -> Markup {
    let findings = &summary.answer.findings;
    let is_trend = findings.iter().any(|f| f.unit() != f.unit().without_rate());
    // A change between variants is a row of the other table.
    let is_shown = |f: &Finding| f.change.is_some() && !(f.is_row && f.variant.is_empty());
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
        @if findings.iter().any(is_shown) { (of_question(findings)) }
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

/// A table of comparisons: names, two numbers, and the [`verdict`] on their difference.
fn table(names: &[&str], numbers: [&str; 2], rows: &Markup) -> Markup {
    html! {
        div.scroll { table.sort.evidence {
            thead { tr {
                @for name in names { th.text { (name) } }
                @for number in numbers { th { (number) } }
                th { "change" } th.text { "interval" } th.text { "conclusion" }
            } }
            tbody { (rows) }
        } }
    }
}

/// The last cells of a row.
fn verdict(
    change: Option<Estimate>,
    unit: Unit<'_>,
    conclusion: Conclusion,
    p_value: Option<f64>,
) -> Markup {
    let class = if conclusion.is_clear() { "clear" } else { "dim" };
    html! {
        td data-head="change" {
            (show(unit.displayed(change))) " " span.dim { (unit.short_change_label()) }
        }
        td.text.drawn { @if let Some(change) = change { (sliver(change, mark(conclusion, p_value))) } }
        td.text.verdict { span class=(class) { (conclusion.text()) } }
    }
}

/// The comparisons of the question.
fn of_question(findings: &[Finding]) -> Markup {
    let has_variants = findings.iter().any(|f| !f.variant.is_empty());
    let names = ["subject", "under", "compared with"];
    let names = names.into_iter().filter(|name| *name != "under" || has_variants);
    let rows = html! {
        @for f in findings { tr {
            td.text { (f.subject) }
            @if has_variants { td.text data-head="under" { (f.variant) } }
            td.text data-head="compared with" { (f.reference) }
            td data-head="value" { (value(f.subject_value, f.unit())) }
            td data-head="reference value" { (value(f.reference_value, f.unit())) }
            (verdict(f.change, f.unit(), f.conclusion, f.p_value))
        } }
    };
    table(&names.collect::<Vec<_>>(), ["value", "reference value"], &rows)
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

/// All figures under two variants.
fn between(summary: &Summary, comparison: &Comparison) -> Markup {
    let [a, b] = [comparison.from, comparison.to].map(|v| &summary.variants[v]);
    let rows = summary.figures.iter().zip(&comparison.changes).enumerate();
    let mut rows: Vec<_> =
        rows.filter_map(|(number, (head, row))| Some((number, head, row.as_ref()?))).collect();
    // The question's figures first, then headlines, then the rest.
    rows.sort_by_key(|(_, head, row)| (row.family != Family::Question, !head.headline));
    let rows = html! {
        @for (number, head, row) in rows {
            @let unit = Unit::parse(head.unit);
            tr class=(if row.family == Family::Question { "asked" } else { "" }) {
                td.text title=(head.meaning) { (words(head.name)) }
                td data-head=(a.variant) { (figure(a, number, unit)) }
                td data-head=(b.variant) { (figure(b, number, unit)) }
                (verdict(Some(row.difference), unit, row.conclusion, row.p_value))
            }
        }
    };
    html! {
        h3 style="margin-top:1.2rem" { (b.variant) " compared with " (a.variant) }
        (table(&["figure"], [&a.variant, &b.variant], &rows))
    }
}
