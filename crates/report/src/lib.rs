//! What a run leaves behind: the figures, their CSV files, the manifest, hands and records, the
//! page for people, and the tables on the screen.

#![forbid(unsafe_code)]

mod answer;
pub mod chart;
mod check;
mod confirm;
mod drawn;
mod families;
mod figures;
mod folder;
mod ladder;
mod ledger;
mod manifest;
mod matchups;
mod merge;
mod needs;
mod numbers;
mod populations;
mod question;
pub mod report;
mod rows;
mod run;
mod series;
mod sheet;
mod site;
mod source;
mod summary;
mod swept;
mod table;
mod terminal;
#[cfg(test)]
mod tests;

pub use answer::{Answer, Call, Finding};
pub use drawn::{Drawn, Shape};
use figures::FIRST_SEAT;
pub use folder::{Folder, RESULT_FILES};
pub use ladder::{Rung, elo};
pub use manifest::{Protocol, named};
pub use merge::{Merge, merge};
pub use needs::{Need, Planned, needs, pilot};
pub use numbers::Comparison;
use parlour_arena::{self as arena, Plan};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result};
use parlour_base::{Program, error, files};
use parlour_board as viewer;
use parlour_game::strategy::Strategic;
use parlour_game::{self as game, Seat, external, figures};
use parlour_stats::{self as stats, Estimate};
pub use question::Asked;
pub use rows::{Confirmed, Difference, Matchup, Placed, Standing};
pub use run::Run;
pub use series::Series;
pub use sheet::{Grid, Sheet, wrapped};
pub use site::{Contents, Existing};
pub use source::{Catalogue, GamePlans, PlanReader, plan_from_source};
pub use summary::{Summary, VariantSummary, blank_tables, dictionary};
pub use swept::{SweptFields, untuned};
pub use table::{Column, Table};
pub use terminal::{
    answer_sheet, difference_sheet, luck_sheet, pairing_sheet, rating_sheet, run_sheet,
    variant_sheet,
};
