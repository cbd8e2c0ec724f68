//! Eleusis and Eleusis Express (Robert Abbott): a dealer has a secret rule, and the players
//! infer it from verdicts on their cards.
//!
//! [`rule`] is the rule language, and [`corpus()`] lists rules that people have used. [`Eleusis`] is
//! the game under some [`Rules`]. [`State`] is the whole state of a hand, [`View`] the part that a
//! seat sees, and [`Public`] the part that every seat sees. Seat 0 is the dealer. It may
//! choose the secret rule before the deal, and picks the card that goes on the mainline after a false
//! *no play*. A person who deals may also keep the rule secret and judge. [`infer`] computes posteriors
//! over secret rules.

#![forbid(unsafe_code)]

pub mod bots;
mod corpus;
mod eleusis;
mod encoded;
mod figures;
mod moves;
mod public;
mod record;
mod rules;
pub mod science;
mod state;
#[cfg(test)]
mod tests;
mod view;

pub use corpus::{CorpusRule, PlainTextRule, Split};
pub use corpus::{corpus, corpus_rule, plain_text_rules, playable_rules, read_playable, read_rule};
pub use eleusis::Eleusis;
pub use moves::Move;
pub use parlour_base::cards::CardMultiset;
pub use parlour_eleusis_rules::*;
use parlour_game::figures;
pub use public::{Act, End, Event, Pool, Public, Stage};
pub use record::{Record, TurnRecord};
pub use rules::{CapCounts, DealerCap, ExpelCounts, ForcedBy, GuessAfter, NoPlayEnd, Patch, Rules};
pub use state::State;
pub use view::View;
