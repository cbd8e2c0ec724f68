//! The arena: an experiment becomes a plan, the plan chunks of deals, each chunk a tally of
//! integers. Resuming, sharding and merging are one mechanism: the set of finished chunks.

mod chunk;
mod count;
mod experiment;
mod hand;
mod layout;
mod plan;
mod portable;
mod progress;
mod run;
mod sparse;
mod tables;
mod tally;
mod until;
mod variant;

pub use chunk::{Ledger, NoLedger, Page, play_chunk};
pub use experiment::{Experiment, Head, Schedule};
pub use hand::{Buffers, LineUp, PlayedHand, Player, play_hand, seat_of, slot_of};
pub use layout::Layout;
pub use plan::{Overrides, Plan};
pub use portable::Portable;
pub use progress::{Progress, ProgressHeader};
pub use run::{Finished, Observer, Quiet, RunOptions, Shard, run};
pub use tables::Table;
pub use tally::{OrderCounts, SlotTally, SpreadTally, TableTally, Tally, UNIT};
pub use until::{Decision, Referee, SprtSpec, Until};
pub use variant::{Variant, VariantSpec, preset};
