//! The data dictionary: every column of every table, in Markdown. It follows from the tables' rows.

use super::{Summary, Table, rows::Hand};
use crate::Strategic;

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
    let mut text = String::from(include_str!("dictionary.md"));
    let shared = shared.iter().map(|table| (String::new(), table.clone()));
    for (whose, table) in shared.chain(others) {
        text += &format!("\n## `{}`{whose}\n\n{}", table.file(), table.dictionary());
    }
    text
}
