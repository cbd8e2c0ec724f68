//! The variants: figures, changes on the same deals, wholes by their parts, and the course of the hands.

use maud::{Markup, html};

use crate::chart::{Axis, Bar, Dot, Extent, LINES, Mark, bands, board, histogram, show, stack};
use crate::html::{figure, forest_figure, heading, level_chart, mark, sortable};
use crate::rows::Difference;
use crate::summary::{Summary, VariantSummary};
use crate::text_report::{TextTable, luck_table};
use crate::units::{Unit, words};
use parlour_game::{FigureInfo, FigureKind};
use parlour_stats::Estimate;

/// The figures, changes on the same deals, and wholes by their parts.
pub(super) fn section(summary: &Summary) -> Markup {
    let (variants, first) = (summary.variants.len(), &summary.variants[0]);
    let headlines = || summary.headlines().filter(|figure| is_informative(summary, *figure));
    let all: Vec<&VariantSummary> = summary.variants.iter().collect();
    let levels = |figure| level_chart(summary, figure, &all, |_| Mark::Strong);
    let luck_table = luck_table(summary);
    html! {
        @if variants > 1 { div.grid { @for figure in headlines() { (levels(figure)) } } }
        @if variants > 2 {
            h3 style="margin-top:1.4rem" { "Changes from " code { (first.variant) } " on the same deals" }
            p.dim { "Each dot is a variant's figure minus that of " code { (first.variant) }
                "; the interval comes from the differences within deals. Colour: significant at 5 % after Holm's correction "
                "within its family. A ring in colour: only without the correction." }
            div.grid { @for figure in headlines() { (changes(summary, figure)) } }
        }
        h3 style="margin-top:1.4rem" { "Parts of a whole" }
        div.grid {
            @for index in 0..first.distributions.len() { (parts(summary, index)) }
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

/// Returns `true` if a figure is known and not 0 under some variant. A figure of 0 whose interval is
/// wider (a negative luck share, shown as 0) is informative.
fn is_informative(summary: &Summary, figure: usize) -> bool {
    let is_nonzero = |e: Estimate| e != Estimate::exact(0.0) && e != Estimate::bare(0.0);
    let mut free = summary.variants.iter().filter(|v| v.forced[figure].is_none());
    free.any(|v| v.figures[figure].is_some_and(is_nonzero))
}

/// The change of a figure from the first variant to each other one.
fn changes(summary: &Summary, number: usize) -> Markup {
    let FigureInfo { name, unit, .. } = summary.figures[number];
    let unit = Unit::parse(unit);
    let dot = |d: &Difference| {
        let mark = mark(d.conclusion, d.p_value);
        Dot::new(&d.variant_b, unit.displayed(Some(d.difference)), mark)
    };
    let rows = summary.from_first().filter_map(|c| c.changes[number].as_ref());
    let rows: Vec<Dot> = rows.map(dot).collect();
    let axis = Axis { unit: &unit.change_label(), reference: Some((0.0, "none")), span: None };
    html! { @if !rows.is_empty() { (forest_figure(&heading(name), axis, &rows, "")) } }
}

/// A whole by its parts under each variant; nothing for other charts.
fn parts(summary: &Summary, index: usize) -> Markup {
    let whole = &summary.variants[0].distributions[index];
    let FigureKind::Parts(names) = &whole.kind else { return html! {} };
    let bar = |row: &VariantSummary| {
        let parts = row.distributions[index].rows.concat();
        let whole = parts.iter().sum::<i64>() as f64;
        let parts = parts.iter().filter(|_| whole > 0.0);
        Bar { label: row.variant.clone(), shares: parts.map(|x| *x as f64 / whole).collect() }
    };
    let bars: Vec<Bar> = summary.variants.iter().map(bar).collect();
    let title = heading(whole.head.name);
    let text = format!("{title} by variant, as shares of all {}", whole.head.unit);
    html! { @if !whole.rows.is_empty() { (figure(&title, &stack(&text, names, &bars), whole.head.meaning)) } }
}

/// The variance of a result by its parts.
fn luck_and_skill(summary: &Summary) -> Markup {
    let bar = |row: &VariantSummary| {
        let shares = row.variance_shares().map_or(Vec::new(), Vec::from);
        Bar { label: row.variant.clone(), shares }
    };
    let bars: Vec<Bar> = summary.variants.iter().map(bar).collect();
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
    let variants = summary.variants.iter().map(|row| row.variant.as_str());
    let row = |number: usize| {
        let FigureInfo { name, unit, meaning, .. } = summary.figures[number];
        let cells = summary.variants.iter().map(move |row| match summary.missing.contains(&name) {
            true => "not measured".to_owned(),
            false => row.format(number, show),
        });
        [words(name), meaning.to_owned(), unit.to_owned()].into_iter().chain(cells)
    };
    let heads = ["figure", "meaning", "unit"].into_iter().chain(variants);
    let table = TextTable::of(3, heads, requested.map(row));
    html! {
        details {
            summary { "All figures (" (table.rows.len()) ")" }
            (sortable(&table))
        }
    }
}

/// The course of the hands: every chart, variant by variant.
pub(super) fn distributions(summary: &Summary) -> Markup {
    let charts = summary.variants[0].distributions.iter().enumerate();
    let charts = charts.filter(|(_, chart)| !matches!(chart.kind, FigureKind::Parts(_)));
    html! {
        p { "All hands of a variant together, so the shapes depend on the participating strategies. Variants "
            "of a row share their axes. The outermost bars include everything beyond. Point at a chart for its numbers." }
        @for (index, about) in charts {
            h3 style="margin-top:1.4rem" { (heading(about.head.name)) }
            p.dim { (about.head.meaning) @if matches!(about.kind, FigureKind::Curve(_)) {
                " The line is the median; half of the hands lie in the dark band, 90 % in the light one."
            } }
            @if about.rows.is_empty() { p { "Not measured: the program that played did not know this figure." } }
            @else {
                div.grid { @for row in &summary.variants { (chart(summary, row, index)) } }
                @if about.kind == FigureKind::Histogram { (seat_key(summary, index)) }
            }
        }
    }
}

/// The legend of a chart with a line per seat.
fn seat_key(summary: &Summary, index: usize) -> Markup {
    let seats = summary.variants.iter().map(|row| row.distributions[index].rows.len());
    let seats = seats.max().unwrap_or(0);
    html! {
        @if seats > 1 { ul.key { @for (seat, line) in (1..).zip(&LINES[..seats.min(LINES.len())]) {
            li { span class=(format!("chip {}", line.chip)) {} "seat " (seat) " (" (line.looks) ")" }
        } } }
    }
}

fn chart(summary: &Summary, variant: &VariantSummary, index: usize) -> Markup {
    let about = &variant.distributions[index];
    let (bins, rows) = (about.bins, &about.rows);
    let text = format!("{} under {}", heading(about.head.name), variant.variant);
    let share = |count: i64| count as f64 / variant.hands.max(1) as f64;
    let mut caption = String::new();
    let chart = match about.kind {
        FigureKind::Histogram => {
            let counted = rows.first().map_or(0, |row| row.iter().sum());
            if counted < variant.hands as i64 {
                let percent = 100.0 * share(counted);
                caption = format!("Shares of the {percent:.0} % of hands with such a number.");
            }
            // All variants with the same bins share their axes.
            let all = summary.variants.iter().map(|row| &row.distributions[index]);
            let all = all.filter(|chart| chart.bins == bins).flat_map(|chart| &chart.rows);
            histogram(about.head.unit, &text, bins, rows, Extent::over(bins, all))
        }
        FigureKind::Curve(clock) => bands(&text, clock, bins, rows),
        _ => {
            "The stronger the colour, the more often.".clone_into(&mut caption);
            let cells: Vec<f64> = rows.iter().flatten().map(|count| share(*count)).collect();
            board(&text, rows[0].len(), &cells)
        }
    };
    figure(&variant.variant, &chart, &caption)
}
