//! The tables on the screen.

use comfy_table::{CellAlignment, Table, presets};

use super::{Difference, Summary};
use crate::stats::{Estimate, survives};

fn table(header: Vec<String>, names: usize) -> Table {
    let mut table = Table::new();
    let columns = header.len();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header);
    for column in (names..columns).filter_map(|c| u16::try_from(c).ok()) {
        if let Some(column) = table.column_mut(column.into()) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn show(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "–".to_owned(), |e| e.to_string())
}

/// How the strategies stand, variant by variant. `±` is half a 95 % interval.
pub fn rating_table(summary: &Summary) -> String {
    let header = ["variant", "rank", "strategy", "rating (Elo)", "score", "hands"];
    let mut table = table(header.map(String::from).to_vec(), 3);
    for row in summary.variants.iter().flat_map(|variant| &variant.standings) {
        table.add_row([
            if row.rank == 1 { row.variant.clone() } else { String::new() },
            row.rank.to_string(),
            row.strategy.clone(),
            show(row.rating),
            show(row.score),
            row.hands.to_string(),
        ]);
    }
    table.to_string()
}

/// The most telling figures of each variant; `variants.csv` has them all.
pub fn variant_table(summary: &Summary) -> String {
    let heads = summary.headlines().map(|figure| summary.figures[figure].name);
    let heads = std::iter::once("variant").chain(heads);
    let mut table = table(heads.map(|name| name.replace('_', " ")).collect(), 1);
    for row in &summary.variants {
        let figures = summary.headlines().map(|figure| show(row.figures[figure]));
        table.add_row(std::iter::once(row.variant.clone()).chain(figures));
    }
    table.to_string()
}

/// How each figure changes from the first variant to each other, on the same deals. Changes whose
/// interval leaves out 0 are marked `*`, those that survive Holm's correction `**`.
pub fn difference_table(summary: &Summary) -> String {
    let header = ["figure", "from", "to", "before", "after", "change", ""];
    let mut table = table(header.map(String::from).to_vec(), 3);
    for row in summary.from_first().flat_map(|comparison| comparison.changes.iter().flatten()) {
        let decimals = row.difference.decimals();
        table.add_row([
            row.figure.replace('_', " "),
            row.variant_a.clone(),
            row.variant_b.clone(),
            format!("{:.decimals$}", row.a),
            format!("{:.decimals$}", row.b),
            row.difference.to_string(),
            mark(row).to_owned(),
        ]);
    }
    table.to_string()
}

fn mark(row: &Difference) -> &'static str {
    match (survives(row.p_holm), row.difference.excludes(0.0)) {
        (true, _) => "**",
        (false, true) => "*",
        (false, false) => "",
    }
}
