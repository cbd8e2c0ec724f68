//! Experiments and their execution.
//!
//! An experiment is resolved; the resolved one becomes a plan, the plan is divided into chunks of
//! deals, and each chunk yields a tally of integers. Resuming, sharding and merging are one
//! mechanism: the set of finished chunks.

#![forbid(unsafe_code)]

mod bot_check;
mod checkpoint;
mod chunk;
mod dyn_plan;
mod experiment;
mod hand;
mod hand_log;
mod judge;
mod objective;
mod observer;
mod parquet_file;
mod plan;
mod progress;
mod progress_line;
mod resolved;
mod run;
mod sweep;
mod table;
mod tally;

pub use bot_check::{CheckResult, check_bot};
pub use checkpoint::{CHECKPOINT_DIR, DealInProgress, PartialChunk, save_time};
pub use chunk::{Chunk, execute_chunk};
pub use dyn_plan::{Catalogue, DynPlan, PlanReader, PlanSource};
pub use experiment::{
    Anchor, Experiment, LuckAdjusted, Question, Schedule, SearchSpec, StopCondition,
};
pub use hand::{HandResult, LineUp, SeatedBot, play_hand, seat_of, slot_of};
pub use hand_log::{CsvFile, HandLogs, HandRow, LISTS, RECORDS_FILE, has_parts};
pub use objective::{Objective, WinRates};
pub use observer::{Observer, SilentObserver};
pub use parlour_game::strategy::{BotFactory, CustomBots, custom_bots};
pub use parlour_game::variant::{Head, Variant, VariantSpec};
pub use parquet_file::{inlined_schema, write_parquet};
pub use plan::{Overrides, Plan, PlanInfo};
pub use progress::{Progress, ProgressHeader, chunk_line};
pub use resolved::{
    Input, Inputs, Resolved, ResolvedStrategy, ResolvedVariant, Shard, SweptNames, TableSpec,
};
pub use run::{RunOptions, SprtResult, StopDecision};
pub use table::{PlannedTable, VariantInfo};
pub use tally::{
    CountSums, FaultCounts, FigureSums, LuckSums, LuckTarget, OrderCounts, SlotTally, TableTally,
    Tally, UNIT, VariantTally, pairs,
};
