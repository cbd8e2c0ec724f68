//! The evidence in tables: what was asked, then every figure between variants, a line each.

use maud::{Markup, html};

use super::super::families::QUESTION;
use super::super::{Asked, Call, Comparison, Difference, Finding, Summary, VariantSummary};
use super::first::mark;
use super::{in_print, plain, unit_of_change};
use crate::chart::{Mark, show, sliver};
use crate::stats::{Estimate, is_significant};

pub(super) fn section(summary: &Summary) -> Markup {
    let figures = matches!(summary.answer.asked, Some(Asked::Figures { fair: false, .. }));
    // The first comparison that the question asks for stands open.
    let asked = |c: &&Comparison| c.changes.iter().flatten().any(|row| row.family == QUESTION);
    let first = summary.comparisons.iter().find(asked).or(summary.comparisons.first());
    let trend = matches!(summary.answer.asked, Some(Asked::Trend { .. }));
    let open = first.filter(|_| !trend).map(|f| (f.from, f.to));
    let is_other = |c: &&Comparison| open != Some((c.from, c.to));
    let others: Vec<&Comparison> = summary.from_first().filter(is_other).collect();
    let count = summary.differences().filter(|d| d.p.is_some() && d.family != QUESTION).count();
    html! {
        @if !figures && !summary.answer.findings.is_empty() { (findings(summary)) }
        @if let Some(comparison) = first.filter(|_| !trend) {
            (between(summary, comparison))
            p.dim {
                "Shares are in percent, their changes in points. The interval is drawn in units of its own width around no "
                "change. What the question asks for is corrected for its own number; the other " (count) " changes of figures between "
                "variants are exploratory, and are corrected for theirs (Holm, 5 %). A ring in colour would be significant "
                "without the correction."
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

/// What the question's comparisons come to.
fn findings(summary: &Summary) -> Markup {
    let rows = &summary.answer.findings;
    let under = rows.iter().any(|f| !f.variant.is_empty());
    html! {
        div.scroll { table.sort.evidence {
            thead { tr {
                th.text { "compared" } @if under { th.text { "under" } } th.text { "with" }
                th { "number" } th { "of that" } th { "change" } th.text { "interval" } th.text { "verdict" }
            } }
            tbody { @for f in rows { (finding(f, under)) } }
        } }
    }
}

fn finding(f: &Finding, under: bool) -> Markup {
    html! {
        tr {
            td.text { (f.to) }
            @if under { td.text data-head="under" { (f.variant) } }
            td.text data-head="with" { (f.from) }
            td data-head="number" { (value(f.b, &f.unit)) } td data-head="of that" { (value(f.a, &f.unit)) }
            td data-head="change" { (show(in_print(f.change, &f.unit))) " " span.dim { (short(&f.unit)) } }
            td.text.drawn { @if let Some(change) = f.change { (sliver(change, mark(f))) } }
            td.text.verdict { (verdict(f.call)) }
        }
    }
}

/// A number, with its sign where it is a share.
fn value(estimate: Option<Estimate>, unit: &str) -> Markup {
    let sign = if unit.starts_with("share") && estimate.is_some() { "\u{a0}%" } else { "" };
    html! { (show(in_print(estimate, unit))) (sign) }
}

/// A figure of a variant; what the rules fix stands in words.
fn figure(variant: &VariantSummary, number: usize, unit: &str) -> Markup {
    match variant.fixed[number] {
        Some(fixed) => html! { span.dim { (fixed.words()) } },
        None => value(variant.figures[number], unit),
    }
}

/// The unit of a difference, in short.
fn short(unit: &str) -> String {
    let unit = unit_of_change(unit);
    unit.split_once(" a hand").map_or(unit.clone(), |(short, _)| short.to_owned())
}

fn verdict(call: Call) -> Markup {
    let class = match call {
        Call::Higher | Call::Lower => "told",
        _ => "dim",
    };
    html! { span class=(class) { (call.words()) } }
}

/// Every figure under two variants.
fn between(summary: &Summary, comparison: &Comparison) -> Markup {
    let [a, b] = [comparison.from, comparison.to].map(|v| &summary.variants[v]);
    // What was asked stands first, then what a short table shows, then the rest.
    let order = |&(number, row): &(usize, &Difference)| {
        (row.family != QUESTION, !summary.figures[number].headline)
    };
    let rows = comparison.changes.iter().enumerate();
    let mut rows: Vec<(usize, &Difference)> =
        rows.filter_map(|(number, row)| Some((number, row.as_ref()?))).collect();
    rows.sort_by_key(order);
    html! {
        h3 style="margin-top:1.2rem" { (b.variant) " compared with " (a.variant) }
        div.scroll { table.sort.evidence {
            thead { tr {
                th.text { "figure" } th { (a.variant) } th { (b.variant) }
                th { "change" } th.text { "interval" } th.text { "verdict" }
            } }
            tbody { @for (number, row) in rows {
                @let head = &summary.figures[number];
                @let mark = mark_of(row);
                tr class=(if row.family == QUESTION { "asked" } else { "" }) {
                    td.text title=(head.meaning) { (plain(head.name)) }
                    td data-head=(a.variant) { (figure(a, number, head.unit)) }
                    td data-head=(b.variant) { (figure(b, number, head.unit)) }
                    td data-head="change" { (show(in_print(Some(row.difference), head.unit))) " " span.dim { (short(head.unit)) } }
                    td.text.drawn { (sliver(row.difference, mark)) }
                    td.text.verdict { (verdict(row.call)) }
                }
            } }
        } }
    }
}

fn mark_of(row: &Difference) -> Mark {
    match row.p.is_some_and(|p| p < 0.05) {
        _ if is_significant(row.p_family) => Mark::Strong,
        true => Mark::Open,
        false => Mark::Faint,
    }
}
