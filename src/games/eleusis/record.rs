//! The record of a hand of Eleusis.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::rules::Rules;
use crate::cards::Card;

fn is_false(value: &bool) -> bool {
    !value
}

/// One turn of a record.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord {
    /// Whose turn it is.
    pub seat: u8,
    /// The cards played, in order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub play: Option<Vec<Card>>,
    /// Whether the player claimed *no play* instead.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_play: bool,
    /// Whether the play or claim was right.
    pub right: bool,
    /// The prophet's verdict, when there was a prophet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prophet_said: Option<bool>,
    /// The card that the dealer put on the mainline after a false claim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<Card>,
    /// The cards drawn by the player, as a penalty or as a new hand.
    #[serde(default)]
    pub drew: Vec<Card>,
    /// The cards drawn by an overthrown prophet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prophet_drew: Option<Vec<Card>>,
    /// Whether the player was expelled.
    #[serde(default, skip_serializing_if = "is_false")]
    pub expelled: bool,
    /// Whether the player became prophet afterwards.
    #[serde(default, skip_serializing_if = "is_false")]
    pub becomes_prophet: bool,
    /// Whether the stock ran out in this turn.
    #[serde(default, skip_serializing_if = "is_false")]
    pub stock_out: bool,
    /// Express: the rule that the player stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess: Option<String>,
    /// Express: whether it was the rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guess_right: Option<bool>,
    /// Express: the cards drawn for a wrong guess, where that costs any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub guess_drew: Vec<Card>,
}

/// One hand: a line of `records.jsonl`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "EleusisRecord")]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The version of the format: 1.
    pub format: u8,
    /// The game: `eleusis`.
    pub game: String,
    /// The variant's name.
    pub variant: String,
    /// Its rules in full.
    pub rules: Rules,
    /// The deal's number.
    pub deal: u64,
    /// The hand's number in its match.
    #[serde(default)]
    pub hand: u32,
    /// The rotation of the strategies.
    pub rotation: u32,
    /// The experiment's seed.
    pub seed: u64,
    /// The secret rule.
    pub rule: String,
    /// Its name in the bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule_name: Option<String>,
    /// The strategies by seat; seat 0 is the dealer.
    pub seats: Vec<String>,
    /// The hands dealt, by seat.
    pub dealt: Vec<Vec<Card>>,
    /// The starter.
    pub starter: Card,
    /// The turns.
    pub turns: Vec<TurnRecord>,
    /// The points by seat.
    pub scores: Vec<i32>,
    /// The only seat with the top score.
    pub winner: Option<u8>,
}
