//! The rules of a variant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::read_playable;
use crate::error::Faults;

/// Which score of a player the dealer's is measured by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DealerCap {
    /// The highest score with everything in it.
    Total,
    /// The highest score without the prophet's bonus.
    Hand,
}

/// Which cards count for expulsion while there is no prophet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExpelCounts {
    /// The mainline, the starter included.
    Mainline,
    /// All cards played, right and wrong, without the starter.
    Played,
}

/// What becomes of the cards of a player whose true *no play* ends the hand of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoPlayEnd {
    /// They stay in the hand and count.
    #[default]
    Kept,
    /// They go back to the stock: the player has gone out.
    None,
}

/// Who picks the card that goes on the mainline after a false *no play*, while there is a prophet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForcedBy {
    /// The prophet who denied the claim. A wrong card overthrows it, and the dealer picks.
    Prophet,
    /// The dealer, as where there is no prophet.
    Dealer,
}

impl ForcedBy {
    /// What it was before the rules said it.
    fn former() -> ForcedBy {
        ForcedBy::Dealer
    }
}

/// Where the secret rule comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SecretFrom {
    /// Any rule of the bank, at random.
    Bank,
    /// Any rule of its training half.
    Training,
    /// Any rule of its test half.
    Test,
}

crate::game::rules::rules! { "EleusisRules", "EleusisPatch",
    /// Eleusis Express: other scores, one card at a time, guesses instead of prophets.
    express: bool,
    /// Seats, the dealer's included: 4 to 8, Express 3 to 8.
    seats: u8,
    /// Cards dealt to each player.
    hand_size: u8 [1..=14],
    /// Cards drawn for each card of a wrong play.
    wrong_card_penalty: u8 [0..=10],
    /// The most cards in one play; 0 or absent for no limit.
    string_max: Option<u8>,
    /// How many cards fewer than before a player draws after a true *no play*. With that many or
    /// fewer the hand of play ends.
    no_play_fewer: u8 [1..=14],
    /// What becomes of the cards of a player whose true *no play* ends the hand of play.
    no_play_end: NoPlayEnd = "NoPlayEnd::default",
    /// Cards drawn for a false *no play*.
    false_no_play_penalty: u8 [0..=10],
    /// Who picks the card that goes on the mainline after a false *no play*, while there is a
    /// prophet.
    forced_by: ForcedBy = "ForcedBy::former",
    /// Points for an empty hand.
    going_out_bonus: u8 [0..=100],
    /// Whether there are prophets.
    prophet: bool,
    /// Cards drawn by an overthrown prophet.
    overthrow_penalty: u8 [0..=10],
    /// Whether players can be expelled.
    expulsion: bool,
    /// From so many cards on players are expelled while there is no prophet.
    expel_at: u16 [0..=1000],
    /// What those cards are.
    expel_counts: ExpelCounts,
    /// From so many cards after the marker on players are expelled while there is a prophet.
    expel_after_marker: u16 [0..=1000],
    /// Whether the prophet's bonus counts where the dealer's score is measured.
    dealer_cap_on: DealerCap,
    /// With so many cards or fewer in the stock a further deck is added before cards are dealt.
    refill_at: u8 [0..=20],
    /// How many further decks there are.
    decks_added_max: u8 [0..=4],
    /// Express: points for stating the rule.
    guess_bonus: u8 [0..=100],
    /// Express: cards drawn for stating another rule.
    wrong_guess_penalty: u8 [0..=10],
    /// Express: whether a player whose last card is right may state the rule before the hand of
    /// play ends.
    guess_with_last_card: bool = "bool::default",
    /// Where the secret rule comes from if `secret` does not name it.
    secret_from: SecretFrom,
    /// The secret rule, the same for every hand, by its name in the bank or its text; absent for a rule
    /// at random.
    secret: Option<String>,
}

impl Rules {
    /// Eleusis with prophets and strings.
    pub const ELEUSIS: Rules = Rules {
        express: false,
        seats: 5,
        hand_size: 14,
        wrong_card_penalty: 2,
        string_max: None,
        no_play_fewer: 4,
        no_play_end: NoPlayEnd::Kept,
        false_no_play_penalty: 5,
        forced_by: ForcedBy::Prophet,
        going_out_bonus: 0,
        prophet: true,
        overthrow_penalty: 5,
        expulsion: true,
        expel_at: 40,
        expel_counts: ExpelCounts::Mainline,
        expel_after_marker: 30,
        dealer_cap_on: DealerCap::Total,
        refill_at: 4,
        decks_added_max: 2,
        guess_bonus: 0,
        wrong_guess_penalty: 0,
        guess_with_last_card: true,
        secret_from: SecretFrom::Bank,
        secret: None,
    };

    /// John Golden's short form.
    pub const EXPRESS: Rules = Rules {
        express: true,
        seats: 4,
        hand_size: 12,
        string_max: Some(1),
        no_play_fewer: 1,
        false_no_play_penalty: 2,
        going_out_bonus: 3,
        prophet: false,
        expulsion: false,
        guess_bonus: 6,
        ..Rules::ELEUSIS
    };

    /// The most cards in one play.
    pub fn longest_string(&self) -> usize {
        self.string_max.filter(|most| *most > 0).map_or(usize::MAX, usize::from)
    }

    /// Everything that is out of range.
    pub fn faults(&self) -> Faults {
        let mut faults = Faults::default();
        faults.range("seats", self.seats, if self.express { 3 } else { 4 }..=8);
        faults.extend(self.ranges().iter().cloned());
        if self.express && self.longest_string() != 1 {
            faults.push("`string_max` must be 1 in Express");
        }
        if self.express && self.prophet {
            faults.push("`prophet` must be false in Express");
        }
        if let Some(text) = &self.secret
            && let Err(error) = read_playable(text)
        {
            faults.push(format!("`secret`: {error}"));
        }
        faults
    }
}
