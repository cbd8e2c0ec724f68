//! The variants: figures, changes on the same deals, wholes by their parts.

use maud::{Markup, html};

use super::super::distribution::{ChartData, Distribution};
use super::super::figures::FIRST_SEAT;
use super::super::html::{figure, forest_figure, heading, mark, sortable};
use super::super::rows::Difference;
use super::super::summary::{Summary, VariantSummary};
use super::super::text_report::TextTable;
use super::super::text_tables::luck_table;
use super::super::units::{Unit, words};
use crate::chart::{Axis, Bar, Dot, Mark, show, stack};
use parlour_game::FigureInfo;
use parlour_stats::{Estimate, is_significant};

pub(super) fn section(summary: &Summary) -> Markup {
    let luck_table = luck_table(summary);
    html! {
        @if summary.variants.len() > 1 { (headlines(summary)) }
        @if summary.variants.len() > 2 { (changes(summary)) (all_changes(summary)) }
        h3 style="margin-top:1.4rem" { "Parts of a whole" }
        div.grid {
            @for (index, whole) in wholes(summary) { (parts(summary, index, whole)) }
            (luck_and_skill(summary))
        }
        @if !luck_table.rows.is_empty() {
            h3 style="margin-top:1.4rem" { (luck_table.title) }
            p.dim { "Between two equally good players, and between two that are 100 Elo apart." }
            (sortable(&luck_table))
        }
        (all_figures(summary))
    }
}

fn headlines(summary: &Summary) -> Markup {
    html! {
        div.grid {
            @for number in summary.headlines().filter(|&figure| is_informative(summary, figure)) {
                @let FigureInfo { name, unit, meaning, .. } = summary.figures[number];
                @let unit = Unit::parse(unit);
                @let free = summary.variants.iter().filter(|v| v.forced[number].is_none());
                @let rows: Vec<Dot> = free.map(|v| Dot {
                    label: v.variant.clone(), estimate: unit.displayed(v.figures[number]), mark: Mark::Strong,
                }).collect();
                @let fair = fair(summary).filter(|_| number == FIRST_SEAT);
                @let axis = Axis { unit: &unit.label(), reference: fair.map(|fair| (100.0 * fair, "fair")), span: None };
                (forest_figure(&heading(name), axis, &rows, meaning))
            }
        }
    }
}

/// Returns `true` if a figure is known and not 0 under some variant. A figure of 0 whose interval is
/// wider (a negative luck share, shown as 0) is informative.
fn is_informative(summary: &Summary, figure: usize) -> bool {
    let is_nonzero = |e: Estimate| {
        e.value != 0.0 || e.interval.is_some_and(|(low, high)| low != 0.0 || high != 0.0)
    };
    let mut free = summary.variants.iter().filter(|v| v.forced[figure].is_none());
    free.any(|v| v.figures[figure].is_some_and(is_nonzero))
}

/// A fair score of the first seat, if all variants have the same number of seats.
fn fair(summary: &Summary) -> Option<f64> {
    let fair = summary.variants.first()?.fair();
    summary.variants.iter().all(|v| v.fair() == fair).then_some(fair)
}

/// A forest plot for each headline: the change from the first variant to each other one.
fn changes(summary: &Summary) -> Markup {
    let first = &summary.variants[0].variant;
    html! {
        h3 style="margin-top:1.4rem" { "Changes from " code { (first) } " on the same deals" }
        p.dim { "Each dot is a variant's figure minus that of " code { (first) }
            "; the interval comes from the differences within deals. Colour: significant at 5 % after Holm's correction "
            "within its family. A ring in colour: only without the correction." }
        div.grid {
            @for number in summary.headlines().filter(|&figure| is_informative(summary, figure)) {
                @let FigureInfo { name, unit, .. } = summary.figures[number];
                @let unit = Unit::parse(unit);
                @let dot = |d: &Difference| Dot {
                    label: d.variant_b.clone(),
                    estimate: unit.displayed(Some(d.difference)),
                    mark: mark(d.conclusion, d.p_value),
                };
                @let rows: Vec<Dot> =
                    summary.from_first().filter_map(|c| c.changes[number].as_ref()).map(dot).collect();
                @if !rows.is_empty() {
                    @let axis = Axis { unit: &unit.change_label(), reference: Some((0.0, "none")), span: None };
                    (forest_figure(&heading(name), axis, &rows, ""))
                }
            }
        }
    }
}

/// The change of every figure from the first variant; significant ones are marked.
fn all_changes(summary: &Summary) -> Markup {
    let first = &summary.variants[0].variant;
    let variants = summary.variants[1..].iter().map(|row| row.variant.clone());
    let heads = ["figure", "unit"].map(str::to_owned).into_iter().chain(variants);
    let row = |(number, head): (usize, &FigureInfo)| {
        let cells = summary.from_first().map(move |comparison| {
            let found = comparison.changes[number].as_ref();
            let is_significant = found.is_some_and(|d| is_significant(d.p_adjusted_family));
            let dot = if is_significant { " •" } else { "" };
            format!("{}{dot}", show(found.map(|d| d.difference)))
        });
        [words(head.name), head.unit.to_owned()].into_iter().chain(cells)
    };
    let table = TextTable::of(2, heads, summary.figures.iter().enumerate().map(row));
    html! {
        details {
            summary { "All changes from " (first) }
            p.dim { "• significant at 5 % after Holm's correction within its family; " code { "differences.csv" }
                " has the changes between any two variants and their p-values." }
            (sortable(&table))
        }
    }
}

/// The wholes that are drawn by their parts, with their indices.
fn wholes(summary: &Summary) -> impl Iterator<Item = (usize, &Distribution)> {
    let all = summary.variants.first().map_or(&[][..], |variant| &variant.distributions);
    all.iter().enumerate().filter(|(_, whole)| matches!(whole.data, Some(ChartData::Parts(_))))
}

fn parts(summary: &Summary, index: usize, whole: &Distribution) -> Markup {
    let counted = |row: &VariantSummary| match &row.distributions[index].data {
        Some(ChartData::Parts(parts)) => parts.clone(),
        _ => Vec::new(),
    };
    let shares = |row: &VariantSummary| {
        let amounts: Vec<f64> = counted(row).iter().map(|(_, amount)| *amount as f64).collect();
        let whole: f64 = amounts.iter().sum();
        amounts.iter().filter(|_| whole > 0.0).map(|x| x / whole).collect()
    };
    let title = heading(whole.head.name);
    let text = format!("{title} by variant, as shares of all {}", whole.head.unit);
    let names: Vec<&str> =
        summary.variants.first().into_iter().flat_map(counted).map(|(name, _)| name).collect();
    figure(&title, &stack(&text, &names, &bars(summary, shares)), whole.head.meaning)
}

/// A bar for each variant.
fn bars<'a>(summary: &'a Summary, shares: impl Fn(&VariantSummary) -> Vec<f64>) -> Vec<Bar<'a>> {
    summary.variants.iter().map(|row| Bar { label: &row.variant, shares: shares(row) }).collect()
}

/// The variance of a result by its parts.
fn luck_and_skill(summary: &Summary) -> Markup {
    let bars = bars(summary, |row| row.variance_shares().map_or(Vec::new(), Vec::from));
    if bars.iter().all(|bar| bar.shares.is_empty()) {
        return html! {};
    }
    let text = "Luck and skill: parts of the variance of a result";
    let chart = stack(text, &["the deal", "the strategies", "the rest"], &bars);
    let caption = "Parts of the variance of a match's result between these strategies: the deal, the strength of the \
        strategies, and the rest. The rest is chance during play, and cards that suit one strategy better. All three \
        depend on the participating strategies.";
    figure("Luck and skill", &chart, caption)
}

fn all_figures(summary: &Summary) -> Markup {
    let requested = (0..summary.figures.len()).filter(|figure| summary.is_requested(*figure));
    let requested: Vec<usize> = requested.collect();
    html! {
        details {
            summary { "All figures (" (requested.len()) ")" }
            div.scroll { table.sort {
                thead { tr {
                    th.text { "figure" } th.text { "unit" }
                    @for row in &summary.variants { th { (row.variant) } }
                    th.text { "meaning" }
                } }
                tbody { @for number in requested {
                    @let head = &summary.figures[number];
                    @let is_missing = summary.missing.contains(&head.name);
                    tr {
                        td.text { (words(head.name)) } td.text { (head.unit) }
                        @for row in &summary.variants { td { @if is_missing { "not measured" } @else { (row.format(number, show)) } } }
                        td.text.long { (head.meaning) }
                    }
                } }
            } }
        }
    }
}
