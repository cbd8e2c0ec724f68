//! The tables on the screen.

use comfy_table::{CellAlignment, Table, presets};

use super::{Difference, Summary};
use crate::stats::{Estimate, survives};
use crate::strategy::Strategic;

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
    let mut last = "";
    for row in &summary.standings {
        let variant = if row.variant == last { "" } else { &row.variant };
        last = &row.variant;
        table.add_row([
            variant.to_owned(),
            row.rank.to_string(),
            row.strategy.clone(),
            show(row.rating),
            show(row.score),
            row.hands.to_string(),
        ]);
    }
    table.to_string()
}

/// The figures that the short table of variants shows.
pub(super) fn headlines<G: Strategic>() -> impl Iterator<Item = &'static str> {
    let first = ["first_seat_score", "draw_rate"].into_iter();
    first.chain(G::HEADLINES.iter().copied()).chain(["luck_share", "skill_spread"])
}

/// The most telling figures of each variant; `variants.csv` has them all.
pub fn variant_table<G: Strategic>(summary: &Summary) -> String {
    let header = std::iter::once("variant").chain(headlines::<G>());
    let mut table = table(header.map(|name| name.replace('_', " ")).collect(), 1);
    for row in &summary.variants {
        let figures = headlines::<G>().map(|name| show(row.figure(name)));
        table.add_row(std::iter::once(row.variant.clone()).chain(figures));
    }
    table.to_string()
}

/// How each figure changes from the first variant to each other, on the same deals. Changes whose
/// interval leaves out 0 are marked `*`, those that survive Holm's correction `**`.
pub fn difference_table(summary: &Summary) -> String {
    let header = ["figure", "from", "to", "before", "after", "change", ""];
    let mut table = table(header.map(String::from).to_vec(), 3);
    let Some(first) = summary.variants.first() else { return String::new() };
    for row in summary.differences.iter().filter(|row| row.from == first.variant) {
        let decimals = row.change.decimals();
        table.add_row([
            row.figure.replace('_', " "),
            row.from.clone(),
            row.to.clone(),
            format!("{:.decimals$}", row.before),
            format!("{:.decimals$}", row.after),
            row.change.to_string(),
            mark(row).to_owned(),
        ]);
    }
    table.to_string()
}

fn mark(row: &Difference) -> &'static str {
    match (survives(row.p_holm), row.change.excludes(0.0)) {
        (true, _) => "**",
        (false, true) => "*",
        (false, false) => "",
    }
}
