//! The tables on the screen.

use comfy_table::{CellAlignment, Table, presets};

use super::{Answer, Difference, Standing, Summary, VariantSummary};
use crate::stats::{Estimate, survives};

/// A table with these heads, of which the first so many are of names, the others of numbers.
pub fn grid<R: IntoIterator<Item = String>>(
    names: usize,
    heads: impl IntoIterator<Item: ToString>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    let mut table = Table::new();
    let heads = heads.into_iter().map(|head| head.to_string());
    table.load_style(presets::ASCII_MARKDOWN).set_header(heads).add_rows(rows);
    for column in table.column_iter_mut().skip(names) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn show(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "–".to_owned(), |e| e.to_string())
}

/// The question and its answer, wrapped.
pub fn answer_text(summary: &Summary) -> String {
    let Answer { question, .. } = &summary.answer;
    [question.clone(), summary.answer.text()].map(|text| wrapped(&text, wide())).join("\n\n")
}

/// How the strategies stand, variant by variant. `±` is half a 95 % interval.
pub fn rating_table(summary: &Summary) -> String {
    let row = |row: &Standing| {
        [
            if row.rank == 1 { row.variant.clone() } else { String::new() },
            row.rank.to_string(),
            row.strategy.clone(),
            show(row.rating),
            show(row.score),
            row.hands.to_string(),
        ]
    };
    let rows = summary.variants.iter().flat_map(|variant| &variant.standings).map(row);
    let heads = ["variant", "rank", "strategy", "rating (Elo)", "score", "hands"];
    grid(3, heads, rows).to_string()
}

/// The most telling figures of each variant; `variants.csv` has them all.
pub fn variant_table(summary: &Summary) -> String {
    let heads = summary.headlines().map(|figure| summary.figures[figure].name.replace('_', " "));
    let row = |row: &VariantSummary| {
        let figures = summary.headlines().map(|figure| show(row.figures[figure]));
        std::iter::once(row.variant.clone()).chain(figures).collect::<Vec<_>>()
    };
    let heads = std::iter::once("variant".to_owned()).chain(heads);
    grid(1, heads, summary.variants.iter().map(row)).to_string()
}

/// How each figure changes from the first variant to each other, on the same deals. Changes whose
/// interval leaves out 0 are marked `*`, those that survive Holm's correction `**`.
pub fn difference_table(summary: &Summary) -> String {
    let row = |row: &Difference| {
        let decimals = row.difference.decimals();
        let mark = match (survives(row.p_holm), row.difference.excludes(0.0)) {
            (true, _) => "**",
            (false, true) => "*",
            (false, false) => "",
        };
        [
            row.figure.replace('_', " "),
            row.variant_a.clone(),
            row.variant_b.clone(),
            format!("{:.decimals$}", row.a),
            format!("{:.decimals$}", row.b),
            row.difference.to_string(),
            mark.to_owned(),
        ]
    };
    let rows = summary.from_first().flat_map(|c| c.changes.iter().flatten()).map(row);
    grid(3, ["figure", "from", "to", "before", "after", "change", ""], rows).to_string()
}

/// The width of the terminal; 80 where there is none, and never more than that.
fn wide() -> usize {
    80
}

/// A text in lines of at most so many letters.
fn wrapped(text: &str, wide: usize) -> String {
    let (mut lines, mut line, mut length) = (Vec::new(), String::new(), 0);
    // No line begins with the sign of a number before it.
    let text = text.replace(" %", "\u{a0}%");
    for word in text.split(' ') {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > wide {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += letters;
    }
    lines.push(line);
    lines.join("\n").replace('\u{a0}', " ")
}
