//! The variants: figures, changes on the same deals, wholes by their parts.

use maud::{Markup, html};

use super::super::{Difference, Drawn, FIRST_SEAT, Shape, Summary, VariantSummary};
use super::{figure, heading, in_print, plain, unit_of, unit_of_change};
use crate::chart::{Axis, Bar, Dot, Mark, forest, show, stack};
use crate::game::FigureInfo;
use crate::stats::{Estimate, is_significant};

pub(super) fn section(summary: &Summary) -> Markup {
    html! {
        @if summary.variants.len() > 1 { (headlines(summary)) }
        @if summary.variants.len() > 2 { (changes(summary)) (all_changes(summary)) }
        h3 style="margin-top:1.4rem" { "By their parts" }
        div.grid {
            @for (index, whole) in wholes(summary) { (parts(summary, index, whole)) }
            (luck(summary))
        }
        (all(summary))
    }
}

fn headlines(summary: &Summary) -> Markup {
    html! {
        div.grid {
            @for number in summary.headlines().filter(|&figure| tells(summary, figure)) {
                @let FigureInfo { name, unit, meaning, .. } = summary.figures[number];
                @let free = summary.variants.iter().filter(|v| v.fixed[number].is_none());
                @let rows: Vec<Dot> = free.map(|v| Dot {
                    label: v.variant.clone(), estimate: in_print(v.figures[number], unit), mark: Mark::Strong,
                }).collect();
                @let text = format!("{} by variant with 95 % intervals", plain(name));
                @let fair = fair(summary).filter(|_| number == FIRST_SEAT);
                @let on = Axis { unit: &unit_of(unit), reference: fair.map(|fair| (100.0 * fair, "fair")), span: None };
                (figure(&heading(name), &forest(&text, on, &rows), meaning))
            }
        }
    }
}

/// Whether a figure is known and not 0 under every variant, which a chart would only show as empty.
/// One of 0 whose interval is not (a luck share below 0, shown as none) tells something.
fn tells(summary: &Summary, figure: usize) -> bool {
    let shows = |e: Estimate| {
        e.value != 0.0 || e.interval.is_some_and(|(low, high)| low != 0.0 || high != 0.0)
    };
    let mut free = summary.variants.iter().filter(|v| v.fixed[figure].is_none());
    free.any(|v| v.figures[figure].is_some_and(shows))
}

/// A fair score of the first seat, where all variants have as many seats.
fn fair(summary: &Summary) -> Option<f64> {
    let fair = summary.variants.first()?.fair();
    summary.variants.iter().all(|v| v.fair() == fair).then_some(fair)
}

/// A forest plot for each headline: the change from the first variant to each other.
fn changes(summary: &Summary) -> Markup {
    let first = &summary.variants[0].variant;
    let mark = |d: &Difference| match d.p.is_some_and(|p| p < 0.05) {
        _ if is_significant(d.p_family) => Mark::Strong,
        true => Mark::Open,
        false => Mark::Faint,
    };
    html! {
        h3 style="margin-top:1.4rem" { "Changes from " code { (first) } " on the same deals" }
        p.dim { "Each dot is a variant's figure less that of " code { (first) }
            "; the interval comes from the differences within deals. In colour: significant at 5 % after Holm's correction "
            "within its family. A ring: only without the correction." }
        div.grid {
            @for number in summary.headlines().filter(|&figure| tells(summary, figure)) {
                @let FigureInfo { name, unit, .. } = summary.figures[number];
                @let rows: Vec<Dot> = summary.from_first().filter_map(|c| c.changes[number].as_ref())
                    .map(|d| Dot {
                        label: d.variant_b.clone(), estimate: in_print(Some(d.difference), unit), mark: mark(d),
                    }).collect();
                @if !rows.is_empty() {
                    @let text = format!("Change of {} from {first} with 95 % intervals", plain(name));
                    @let on = Axis { unit: &unit_of_change(unit), reference: Some((0.0, "none")), span: None };
                    (figure(&heading(name), &forest(&text, on, &rows), ""))
                }
            }
        }
    }
}

/// Every figure's change from the first variant, those that survive marked.
fn all_changes(summary: &Summary) -> Markup {
    let first = &summary.variants[0].variant;
    html! {
        details {
            summary { "All changes from " (first) }
            p.dim { "• significant at 5 % after Holm's correction within its family; " code { "differences.csv" } " has the changes between all two variants "
                "and their p-values." }
            div.scroll { table.sort {
                thead { tr {
                    th.text { "figure" } th.text { "unit" }
                    @for row in &summary.variants[1..] { th { (row.variant) } }
                } }
                tbody { @for (number, head) in summary.figures.iter().enumerate() { tr {
                    td.text { (plain(head.name)) } td.text { (head.unit) }
                    @for comparison in summary.from_first() {
                        @let found = comparison.changes[number].as_ref();
                        td { (show(found.map(|d| d.difference))) @if found.is_some_and(|d| is_significant(d.p_family)) { " •" } }
                    }
                } } }
            } }
        }
    }
}

/// The wholes that are drawn by their parts, with their places.
fn wholes(summary: &Summary) -> impl Iterator<Item = (usize, &Drawn)> {
    let drawn = summary.variants.first().map_or(&[][..], |variant| &variant.drawn);
    drawn.iter().enumerate().filter(|(_, drawn)| matches!(drawn.shape, Some(Shape::Parts(_))))
}

fn parts(summary: &Summary, index: usize, about: &Drawn) -> Markup {
    let counted = |row: &VariantSummary| match &row.drawn[index].shape {
        Some(Shape::Parts(parts)) => parts.clone(),
        _ => Vec::new(),
    };
    let shares = |row: &VariantSummary| {
        let amounts: Vec<f64> = counted(row).iter().map(|(_, amount)| *amount as f64).collect();
        let whole: f64 = amounts.iter().sum();
        amounts.iter().filter(|_| whole > 0.0).map(|x| x / whole).collect()
    };
    let title = heading(about.head.name);
    let text = format!("{title} by variant, as shares of all {}", about.head.unit);
    let names: Vec<&str> =
        summary.variants.first().into_iter().flat_map(counted).map(|(name, _)| name).collect();
    figure(&title, &stack(&text, &names, &bars(summary, shares)), about.head.meaning)
}

/// A bar for each variant.
fn bars<'a>(summary: &'a Summary, shares: impl Fn(&VariantSummary) -> Vec<f64>) -> Vec<Bar<'a>> {
    summary.variants.iter().map(|row| Bar { label: &row.variant, shares: shares(row) }).collect()
}

/// The variance of a result by its parts.
fn luck(summary: &Summary) -> Markup {
    let bars = bars(summary, |row| row.variance_shares().map_or(Vec::new(), Vec::from));
    if bars.iter().all(|bar| bar.shares.is_empty()) {
        return html! {};
    }
    let text = "Luck and skill: parts of the variance of a result";
    let chart = stack(text, &["the deal", "the strategies", "the rest"], &bars);
    let below = "Parts of the variance of a match's result between these strategies: what the deal decides \
        whoever plays it, what the strategies' strength decides, and the rest: chance within the play, and cards that suit \
        one strategy better. All three depend on which strategies took part.";
    figure("Luck and skill", &chart, below)
}

fn all(summary: &Summary) -> Markup {
    let asked = summary.figures.iter().enumerate().filter(|(figure, _)| summary.is_asked(*figure));
    let asked: Vec<_> = asked.collect();
    html! {
        details {
            summary { "All figures (" (asked.len()) ")" }
            div.scroll { table.sort {
                thead { tr {
                    th.text { "figure" } th.text { "unit" }
                    @for row in &summary.variants { th { (row.variant) } }
                    th.text { "meaning" }
                } }
                tbody { @for (number, head) in asked { tr {
                    td.text { (plain(head.name)) } td.text { (head.unit) }
                    @for row in &summary.variants { td { @if summary.missing.contains(&head.name) { "not measured" } @else { (row.shown(number, show)) } } }
                    td.text.long { (head.meaning) }
                } } }
            } }
        }
    }
}
