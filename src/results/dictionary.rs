//! The data dictionary: every column of every table, in Markdown.

use std::fmt::Write;

use super::columns::{Column, TABLES, columns};
use crate::game::Ruled;
use crate::games::leapfrog::Leapfrog;
use crate::games::leopard::Leopard;
use crate::strategy::Strategic;

/// What stands in `results/README.md`.
pub fn dictionary() -> String {
    let mut text = String::from(HEAD);
    for table in TABLES.into_iter().filter(|t| *t != "variants.csv").chain(["hands.csv"]) {
        let head = match table {
            "hands.csv" => {
                "one row a hand, with `--hands`; the columns with a number stand once for each seat"
            }
            "matchups.csv" => {
                "one row for each variant and pairing (or place in a line-up), all seatings summed"
            }
            "strategies.csv" => "one row for each variant and strategy",
            "differences.csv" => "one row for each two variants and each figure",
            "confirmed.csv" => {
                "one row for each pairing of a variant's best strategy, with `confirm`; otherwise empty"
            }
            _ => "one row for each strategy of a variant with a proven ring; otherwise empty",
        };
        let _ = write!(text, "\n## `{table}`\n\n{head}.\n\n{}", rows(&columns::<Leopard>(table)));
    }
    text += &variants::<Leopard>();
    text += &variants::<Leapfrog>();
    text
}

fn variants<G: Strategic>() -> String {
    let name = <G as Ruled>::NAME;
    let rows = rows(&columns::<G>("variants.csv"));
    format!("\n## `variants.csv` of {name}\n\none row for each variant.\n\n{rows}")
}

/// A table of columns; the ends of an interval are told once, in the head.
fn rows(columns: &[Column]) -> String {
    let mut text = String::from("| column | type | unit | meaning |\n|---|---|---|---|\n");
    for column in columns {
        let has = |end: &str| columns.iter().any(|c| c.name == format!("{}{end}", column.name));
        let stem = column.name.strip_suffix("_low").or_else(|| column.name.strip_suffix("_high"));
        if stem.is_some_and(|stem| columns.iter().any(|c| c.name == stem)) {
            continue;
        }
        let name = &column.name;
        let names = if has("_low") {
            format!("`{name}`, `{name}_low`, `{name}_high`")
        } else {
            format!("`{name}`")
        };
        let _ =
            writeln!(text, "| {names} | {} | {} | {} |", column.kind, column.unit, column.meaning);
    }
    text
}

const HEAD: &str = "# What the columns mean

Made by `cargo run --example dictionary` from the program; a test compares it with the heads of real
tables.

Each folder here holds one run: tables as CSV, `report.html` for people, `manifest.json` with all
that was played and the digests of the files, and `progress.jsonl` with the exact tallies, from which
`parlour report FOLDER` makes the page again.

All CSV: UTF-8, commas, a head row, points as decimals, one table a file, one observation a row.
Where a number stands in three columns, those ending in `_low` and `_high` are the ends of its 95 %
interval, of the same type and unit. An empty cell is a number that cannot be computed.
";
