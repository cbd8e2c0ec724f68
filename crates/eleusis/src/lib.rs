//! Eleusis and Eleusis Express (Robert Abbott): a dealer's secret rule, and players who find it.
//!
//! [`rule`] is the language of rules, [`bank`] the rules that people have used. [`Eleusis`] is the
//! game under some [`Rules`]; [`State`] is the truth of a hand, [`View`] what a seat knows of it,
//! [`Public`] what everyone sees. Seat 0 is the dealer: its only choice is the card that goes on
//! the mainline after a false *no play*. The secret rule is drawn with the cards. [`infer`] holds
//! what a player can believe about it.

#![forbid(unsafe_code)]

pub mod bots;
mod corpus;
mod eleusis;
mod encoded;
mod figures;
mod moves;
mod picture;
mod plain_text;
mod play;
mod public;
mod record;
mod replay;
mod rules;
pub mod science;
mod state;
#[cfg(test)]
mod tests;
mod view;
mod wish;

pub use crate::cards::CardMultiset;
pub use corpus::{
    CorpusRule, Split, corpus, corpus_rule, playable_rules, read_playable, read_rule,
};
pub use eleusis::Eleusis;
pub use figures::HandStats;
pub use infer::{Grammar, Posterior, RuleGuess, Shortlist};
pub use moves::Move;
use parlour_base::{cards, chance, error, files};
pub use parlour_eleusis_rules::{
    Combination, GROUPS, Idea, Join, PLACE_LETTERS, PLACES, Statements, Test, Vocabulary,
};
pub use parlour_eleusis_rules::{infer, rule};
use parlour_game::{self as game, counts, external, figures, search, strategy};
use parlour_stats as stats;
pub use plain_text::{PlainTextRule, plain_text_rules};
pub use public::{Act, End, Event, Pool, Public, Stage};
pub use record::{Record, TurnRecord};
pub use rule::{Expr, Memory, Op, Rule, RuleError, Verdicts, are_equivalent_from};
pub use rules::{DealerCap, ExpelCounts, ForcedBy, NoPlayEnd, Patch, Rules, SecretFrom};
pub use state::State;
pub use view::View;
