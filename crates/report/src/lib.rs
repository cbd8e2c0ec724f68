//! Results of a run: summary, CSV tables, manifest, hand logs, charts, pages and text output.

#![forbid(unsafe_code)]

mod answer;
mod bundle;
pub mod chart;
mod chunked_run;
mod compute;
mod confirm;
mod figures;
mod folder;
mod html;
mod manifest;
mod newcomers;
mod power;
pub mod report;
mod rows;
mod run;
mod run_dir;
mod sample;
mod strategies;
mod summary;
mod swept;
mod table;
#[cfg(test)]
mod tests;
mod text_report;
mod units;

use parlour_game::figures;

pub use answer::{Goal, resolve_objectives};
pub use bundle::{check_bundle, differing_table, is_bundle, write_bundle};
pub use chunked_run::ChunkedRun;
pub use figures::Distribution;
pub use folder::{Folder, plan_from_source};
pub use manifest::digest_map;
pub use newcomers::Newcomers;
pub use power::{ComparisonSize, SampleSize, comparison_sizes, pilot};
pub use rows::{
    Conclusion, Confirmation, Difference, Family, Finding, LadderRow, Matchup, PopulationRow,
    Standing,
};
pub use run::{Merge, MoreFiles, Run, merge};
pub use run_dir::{IfExists, RunDir, RunStatus};
pub use summary::{Answer, Comparison, Summary, VariantSummary, blank_tables, dictionary};
pub use swept::SweptFields;
pub use table::{Column, Table};
pub use text_report::{TextReport, TextTable, answer_report, run_report, wrapped};
pub use units::{cell, show, thousands};
