//! What a run leaves behind: the figures, their CSV files, the manifest, hands and records, the
//! page for people, and the tables on the screen.

mod check;
mod columns;
mod confirm;
mod csv;
mod dictionary;
mod figures;
mod folder;
mod ledger;
mod manifest;
mod matchups;
mod merge;
mod needs;
mod populations;
pub mod report;
mod reread;
mod science;
mod standings;
mod summary;
mod tables;
mod variants;

pub use columns::{Column, TABLES, columns};
pub use confirm::Confirmed;
pub use dictionary::dictionary;
pub use folder::{Conduct, Folder, RESULT_FILES};
pub use ledger::Ledgers;
pub use matchups::Matchup;
pub use merge::{merge, read_header};
pub use needs::{Need, needs};
pub use populations::{Placed, Population};
pub use reread::reread;
pub use science::{ScienceRun, write_science_manifest};
pub use standings::Standing;
pub use summary::Summary;
pub use tables::{difference_table, rating_table, variant_table};
pub use variants::{Difference, VariantFigure, VariantFigures};
