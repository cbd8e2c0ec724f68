//! The data dictionary: every column of every table, in Markdown. It follows from the tables' rows.

use super::Table;
use super::rows::Hand;
use super::summary::Summary;
use crate::strategy::Strategic;

/// The tables of a game's runs without rows, `hands.csv` included (for two seats); that of the
/// variants depends on the game.
pub fn blank_tables<G: Strategic>() -> Vec<Table> {
    let mut tables = Summary::blank::<G>().tables();
    tables.push(Table::empty::<Hand<'_>>("hands", 2));
    tables
}

/// What stands in `results/README.md`: the tables that all games share, then the others, each with
/// whose it is.
pub fn dictionary(shared: &[Table], others: impl IntoIterator<Item = (String, Table)>) -> String {
    let mut text = String::from(HEAD);
    let shared = shared.iter().map(|table| (String::new(), table.clone()));
    for (whose, table) in shared.chain(others) {
        text += &format!("\n## `{}`{whose}\n\n{}", table.file(), table.dictionary());
    }
    text
}

const HEAD: &str = "# What the columns mean

`parlour schema columns > results/README.md` writes this page from the program; a test compares it
with the heads of real tables.

Each folder here holds one run: tables as CSV, `report.html` for people, `manifest.json` with all
that was played and the digests of the files, and `progress.jsonl` with the exact tallies, from which
`parlour report FOLDER` makes the page again.

All CSV: UTF-8, commas, a head row, points as decimals, one table a file, one observation a row.
Where a number stands in three columns, those ending in `_low` and `_high` are the ends of its 95 %
interval, of the same type and unit. An empty cell is a number that cannot be computed or was not
measured. Where a column ends in a number, there is one for each seat or each result.

`parlour run … --json` prints the same rows under the same names; `parlour schema summary` is their
JSON Schema.
";
