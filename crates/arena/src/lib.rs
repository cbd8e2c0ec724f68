//! The arena: an experiment is resolved, the resolved one becomes a plan, the plan chunks of deals,
//! each chunk a tally of integers. Resuming, sharding and merging are one mechanism: the set of
//! finished chunks.

#![forbid(unsafe_code)]

mod again;
mod begun;
mod chunk;
mod chunk_lines;
mod count;
mod experiment;
mod format3;
mod hand;
mod header;
mod ledger;
mod looking;
mod luck;
mod outline;
mod plan;
mod progress;
mod question;
mod resolved;
mod run;
mod sealed;
mod shape;
mod shard;
mod sweep;
mod tables;
mod tally;
mod trial;
mod until;
mod written;

pub use begun::{Begun, Open, PARTS, note_time};
pub use chunk::{Chunk, Played, play_chunk};
pub use chunk_lines::ChunkLines;
pub use experiment::{Experiment, Schedule};
pub use hand::{Ended, LineUp, Player, play_hand, seat_of, slot_of};
pub use header::ProgressHeader;
pub use ledger::{Ledger, Page, PlayedHand};
pub use luck::{LuckAdjusted, LuckSums, Lucky};
pub use outline::{Frame, Outline, Playable};
use parlour_base::{chance, error, files};
pub use parlour_game::strategy::{Bots, CustomBots, custom_bots};
pub use parlour_game::variant::{Head, Variant, VariantSpec};
use parlour_game::{self as game, external, strategy};
use parlour_stats as stats;
pub use plan::{Overrides, Plan};
pub use progress::Progress;
pub use question::Question;
pub use resolved::{Input, Inputs, Resolved, SpelledStrategy, SpelledVariant, Swept};
pub use run::{Observer, Quiet, Work};
pub use shard::Shard;
pub use tables::{Seating, Table};
pub use tally::{
    CountSums, FaultCounts, FigureSums, OrderCounts, SlotTally, TableTally, Tally, UNIT,
    VariantTally, pairs,
};
pub use trial::{Tried, trial};
pub use until::{Decision, Tested, Until};
