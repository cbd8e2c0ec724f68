//! Parts of HTML that all sections of a page share.

use maud::{Markup, html};

use crate::chart::{Axis, Dot, Mark, forest, span};
use crate::figures::FIRST_SEAT;
use crate::rows::{Conclusion, Standing};
use crate::summary::{Summary, VariantSummary};
use crate::text_report::TextTable;
use crate::units::{Unit, words};
use parlour_game::FigureInfo;
use parlour_stats::Estimate;

/// The number of bytes from which the text of a cell is wrapped.
const LONG: usize = 60;

/// A chart with a heading and a caption.
pub fn figure(title: &str, chart: &Markup, caption: &str) -> Markup {
    html! {
        figure {
            h3 { (title) }
            (chart)
            @if !caption.is_empty() { figcaption { (caption) } }
        }
    }
}

/// A forest plot with a heading and a caption.
pub(super) fn forest_figure(title: &str, axis: Axis<'_>, rows: &[Dot], caption: &str) -> Markup {
    figure(title, &forest(&format!("{title} with 95 % intervals"), axis, rows), caption)
}

/// A forest plot of the ratings under each variant, all on one axis.
pub(super) fn rating_charts(variants: &[&VariantSummary], title: fn(&str) -> String) -> Markup {
    let dot = |s: &Standing| {
        let mark = if s.rank == 1 { Mark::Strong } else { Mark::Faint };
        Dot::new(&s.strategy, s.rating, mark)
    };
    let dots = |v: &&VariantSummary| v.standings.iter().map(dot).collect();
    let rows: Vec<Vec<Dot>> = variants.iter().map(dots).collect();
    let axis = Axis { unit: "Elo", reference: None, span: span(rows.iter().flatten()) };
    html! { div.grid { @for (variant, rows) in variants.iter().zip(&rows) {
        (forest_figure(&title(&variant.variant), axis, rows, ""))
    } } }
}

/// A forest plot of a figure under each variant whose rules leave it free.
pub(super) fn level_chart(
    summary: &Summary,
    number: usize,
    variants: &[&VariantSummary],
    level: impl Fn(&VariantSummary) -> (Option<Estimate>, Mark),
) -> Markup {
    let FigureInfo { name, unit, meaning, .. } = summary.figures[number];
    let unit = Unit::parse(unit);
    let free = variants.iter().filter(|v| v.forced[number].is_none());
    let dot = |v: &&VariantSummary| {
        let (level, mark) = level(v);
        Dot::new(&v.variant, unit.displayed(level), mark)
    };
    // A fair score, if all variants have the same number of seats.
    let fair = variants[0].fair();
    let is_fair = number == FIRST_SEAT && variants.iter().all(|v| v.fair() == fair);
    let reference = is_fair.then_some((100.0 * fair, "fair"));
    let axis = Axis { unit: &unit.label(), reference, span: None };
    forest_figure(&heading(name), axis, &free.map(dot).collect::<Vec<_>>(), meaning)
}

/// A sentence whose names in backticks are set as code.
pub(super) fn marked(sentence: &str) -> Markup {
    html! {
        @for (index, part) in sentence.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part.replace(" %", "\u{a0}%")) }
        }
    }
}

/// The name of a figure as a heading.
pub(super) fn heading(name: &str) -> String {
    let mut name = words(name);
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    name
}

/// The mark of a comparison in a chart: filled if significant, open if significant only without
/// correction.
pub(super) fn mark(conclusion: Conclusion, p_value: Option<f64>) -> Mark {
    match conclusion {
        _ if conclusion.is_clear() => Mark::Strong,
        _ if p_value.is_some_and(|p| p < 0.05) => Mark::Open,
        _ => Mark::Faint,
    }
}

/// A table that readers can sort. Long texts are wrapped; what follows a line break is a note.
pub fn sortable(table: &TextTable) -> Markup {
    let class = |column: usize, cell: &str| match cell.len() > LONG {
        true if column < table.names => "text long",
        false if column < table.names => "text",
        _ => "",
    };
    html! {
        div.scroll { table.sort {
            thead { tr { @for (at, head) in table.heads.iter().enumerate() {
                th class=(class(at, head)) { (head) }
            } } }
            tbody { @for row in &table.rows { tr { @for (at, cell) in row.iter().enumerate() {
                td class=(class(at, cell)) {
                    @if let Some((name, note)) = cell.split_once('\n') { (name) span.note { (note) } }
                    @else if cell.starts_with('-') { (cell.replace('-', "−")) } @else { (cell) }
                }
            } } } }
        } }
    }
}
