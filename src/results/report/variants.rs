//! The variants: figures, changes on the same deals, wholes by their parts.

use maud::{Markup, html};

use super::super::{Difference, Summary, VariantFigures};
use super::{Story, figure, plain};
use crate::chart::{Bar, Dot, Dots, Stack, show};
use crate::game::Shares;
use crate::stats::{Estimate, survives};

#[expect(clippy::unnecessary_wraps, reason = "sections may be missing; this one never is")]
pub(super) fn section(story: &Story, summary: &Summary) -> Option<Markup> {
    Some(html! {
        (headlines(story, summary))
        (changes(story, summary))
        (all_changes(summary))
        h3 style="margin-top:1.4rem" { "By their parts" }
        div.grid {
            @for shares in story.shares { (parts(story, summary, shares)) }
            (luck(summary))
        }
        (all(summary))
    })
}

fn headlines(story: &Story, summary: &Summary) -> Markup {
    html! {
        div.grid {
            @for name in story.headlines.iter().filter(|name| tells(summary, name)) {
                @let about = summary.variants.first().and_then(|v| v.figures.iter().find(|f| f.name == *name));
                @if let Some(about) = about {
                    @let rows = summary.variants.iter().map(|v| Dot {
                        label: v.variant.clone(), estimate: v.figure(name), strong: true,
                    }).collect();
                    @let text = format!("{} by variant with 95 % intervals", plain(name));
                    @let fair = (*name == "first_seat_score").then(|| fair(story)).flatten();
                    (figure(&plain(name), &Dots { axis: about.unit, text: &text, reference: fair, rows }.draw(),
                        about.meaning))
                }
            }
        }
    }
}

/// Whether a figure is known and not 0 under every variant, which a chart would only show as empty.
/// One of 0 whose interval is not (a luck share below 0, shown as none) tells something.
fn tells(summary: &Summary, name: &str) -> bool {
    let shows = |e: Estimate| {
        e.value != 0.0 || e.interval.is_some_and(|(low, high)| low != 0.0 || high != 0.0)
    };
    summary.variants.iter().any(|v| v.figure(name).is_some_and(shows))
}

/// A fair score of the first seat, where all variants have as many seats.
fn fair(story: &Story) -> Option<f64> {
    let seats = story.variants.first()?.seats;
    story.variants.iter().all(|v| v.seats == seats).then_some(1.0 / seats as f64)
}

/// A forest plot for each headline: the change from the first variant to each other.
fn changes(story: &Story, summary: &Summary) -> Markup {
    let Some(first) = summary.variants.first().filter(|_| summary.variants.len() > 1) else {
        return html! {};
    };
    html! {
        h3 style="margin-top:1.4rem" { "Changes from " code { (first.variant) } " on the same deals" }
        p.dim { "Each dot is a variant's figure less that of " code { (first.variant) }
            "; the interval comes from the differences within deals. A change is coloured where it survives Holm's "
            "correction over all " (summary.differences.iter().filter(|d| d.p.is_some()).count())
            " changes between variants (5 %)." }
        div.grid {
            @for name in story.headlines.iter().filter(|name| tells(summary, name)) {
                @let rows: Vec<Dot> = summary.differences.iter()
                    .filter(|d| d.from == first.variant && d.figure == *name)
                    .map(|d| Dot {
                        label: d.to.clone(), estimate: Some(d.change), strong: survives(d.p_holm),
                    }).collect();
                @if !rows.is_empty() {
                    @let text = format!("Change of {} from {} with 95 % intervals", plain(name), first.variant);
                    @let unit = summary.differences.iter().find(|d| d.figure == *name).map_or("", |d| d.unit);
                    (figure(&plain(name),
                        &Dots { axis: &format!("change, {unit}"), text: &text, reference: Some(0.0), rows }.draw(), ""))
                }
            }
        }
    }
}

/// Every figure's change from the first variant, those that survive marked.
fn all_changes(summary: &Summary) -> Markup {
    let Some(first) = summary.variants.first().filter(|_| summary.variants.len() > 1) else {
        return html! {};
    };
    let others = &summary.variants[1..];
    let change = |figure: &str, to: &str| {
        let same = |d: &&Difference| d.figure == figure && d.to == to;
        summary.differences.iter().filter(|d| d.from == first.variant).find(same)
    };
    html! {
        details {
            summary { "All changes from " (first.variant) }
            p.dim { "• survives Holm's correction; " code { "differences.csv" } " has the changes between all two variants "
                "and their p-values." }
            div.scroll { table.sort {
                thead { tr {
                    th.text { "figure" } th.text { "unit" }
                    @for row in others { th { (row.variant) } }
                } }
                tbody { @for about in &first.figures { tr {
                    td.text { (plain(about.name)) } td.text { (about.unit) }
                    @for row in others {
                        @let found = change(about.name, &row.variant);
                        td { (show(found.map(|d| d.change))) @if found.is_some_and(|d| survives(d.p_holm)) { " •" } }
                    }
                } } }
            } }
        }
    }
}

fn parts(story: &Story, summary: &Summary, shares: &Shares) -> Markup {
    let counted = |row: &VariantFigures, names: &[&str]| -> i64 {
        let at = |name: &&str| story.counters.iter().position(|c| c == name);
        names.iter().filter_map(at).map(|i| row.counters.get(i).copied().unwrap_or(0)).sum()
    };
    let bar = |row: &VariantFigures| {
        let amounts: Vec<f64> = shares
            .parts
            .iter()
            .map(|part| (counted(row, part.add) - counted(row, part.less)) as f64)
            .collect();
        let whole: f64 = amounts.iter().sum();
        let shares = amounts.iter().filter(|_| whole > 0.0).map(|x| x / whole).collect();
        Bar { label: row.variant.clone(), shares }
    };
    let text = format!("{} by variant, as shares of all {}", shares.title, shares.whole);
    let names = shares.parts.iter().map(|p| p.name).collect();
    let bars = summary.variants.iter().map(bar).collect();
    figure(shares.title, &Stack { text: &text, parts: names, bars }.draw(), shares.meaning)
}

/// The variance of a result by its parts.
fn luck(summary: &Summary) -> Markup {
    let names = ["luck_share", "skill_share", "rest_share"];
    let bar = |row: &VariantFigures| {
        let shares: Option<Vec<f64>> =
            names.iter().map(|n| row.figure(n).map(|e| e.value)).collect();
        Bar { label: row.variant.clone(), shares: shares.unwrap_or_default() }
    };
    let bars: Vec<Bar> = summary.variants.iter().map(bar).collect();
    if bars.iter().all(|b| b.shares.is_empty()) {
        return html! {};
    }
    let parts = vec!["the deal", "the strategies", "the rest"];
    let chart =
        Stack { text: "Luck and skill: parts of the variance of a result", parts, bars }.draw();
    figure(
        "Luck and skill",
        &chart,
        "Parts of the variance of a match's result between these strategies: what the deal decides whoever \
         plays it, what the strategies' strength decides, and the rest.",
    )
}

fn all(summary: &Summary) -> Markup {
    let Some(first) = summary.variants.first() else { return html! {} };
    html! {
        details {
            summary { "All figures (" (first.figures.len()) ")" }
            div.scroll { table.sort {
                thead { tr {
                    th.text { "figure" } th.text { "unit" }
                    @for row in &summary.variants { th { (row.variant) } }
                    th.text { "meaning" }
                } }
                tbody { @for (index, about) in first.figures.iter().enumerate() { tr {
                    td.text { (plain(about.name)) } td.text { (about.unit) }
                    @for row in &summary.variants { td { (show(row.figures[index].estimate)) } }
                    td.text { (about.meaning) }
                } } }
            } }
        }
    }
}
