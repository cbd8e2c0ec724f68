//! The rules of a variant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Split, read_playable};
use parlour_base::error::Faults;

/// The score of a player that caps the dealer's score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DealerCap {
    /// The highest score, including the prophet's bonus.
    Total,
    /// The highest score without the prophet's bonus.
    Hand,
}

/// The cards whose number before the marker caps the dealer's score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CapCounts {
    /// All cards played, right and wrong, without the starter.
    #[default]
    Played,
    /// The mainline, without the starter.
    Mainline,
}

/// The players who may state the rule after a right play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum GuessAfter {
    /// The player who made the play.
    #[default]
    Own,
    /// Every player in turn, from the one who made the play.
    Any,
}

/// The cards that count toward expulsion while there is no prophet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExpelCounts {
    /// The mainline, the starter included.
    Mainline,
    /// All cards played, right and wrong, without the starter.
    Played,
}

/// The treatment of the last cards of a player who ends the hand of play with a true *no play*.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NoPlayEnd {
    /// The cards stay in the hand and count.
    Kept,
    /// The cards return to the stock: the player has gone out.
    None,
}

/// The seat that picks the card for the mainline after a false *no play* while there is a prophet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ForcedBy {
    /// The prophet who denied the claim. A wrong pick overthrows the prophet, and the dealer picks.
    Prophet,
    /// The dealer, as without a prophet.
    Dealer,
}

parlour_game::rules::rules! { "EleusisRules", "EleusisPatch",
    /// `true` for Eleusis Express: other scores, one card per play, guesses instead of prophets.
    express: bool,
    /// Number of seats, including the dealer; at least 4 unless `express`.
    seats: u8 [3..=8],
    /// Cards dealt to each player.
    hand_size: u8 [1..=14],
    /// Cards drawn for each card of a wrong play.
    wrong_card_penalty: u8 [0..=10],
    /// Maximum number of cards in one play; 0 or absent for no limit.
    string_max: Option<u8>,
    /// After a true *no play* the player gets a new hand with this many fewer cards. With that many
    /// cards or fewer, the hand of play ends.
    no_play_fewer: u8 [1..=14],
    /// Treatment of the last cards of a player who ends the hand of play with a true *no play*.
    no_play_end: NoPlayEnd,
    /// Cards drawn for a false *no play*.
    false_no_play_penalty: u8 [0..=10],
    /// The seat that picks the card for the mainline after a false *no play* while there is a
    /// prophet.
    forced_by: ForcedBy,
    /// Points for an empty hand.
    going_out_bonus: u8 [0..=100],
    /// `true` if players may become prophet.
    prophet: bool,
    /// Cards drawn by an overthrown prophet.
    overthrow_penalty: u8 [0..=10],
    /// `true` if players can be expelled.
    expulsion: bool,
    /// Number of cards from which a mistake expels while there is no prophet.
    expel_at: u16 [0..=1000],
    /// The cards that `expel_at` counts.
    expel_counts: ExpelCounts,
    /// Number of cards after the marker from which a mistake expels while there is a prophet.
    expel_after_marker: u16 [0..=1000],
    /// The player's score that caps the dealer's: with (`total`) or without (`hand`) the prophet's bonus.
    dealer_cap_on: DealerCap,
    /// The cards before the marker that the cap counts, twice each.
    cap_counts: CapCounts = "CapCounts::default",
    /// A deck is added before cards are dealt if the stock has at most this many cards.
    refill_at: u8 [0..=20],
    /// Maximum number of added decks.
    decks_added_max: u8 [0..=4],
    /// Express: points for stating the secret rule.
    guess_bonus: u8 [0..=100],
    /// Express: cards drawn for stating a wrong rule.
    wrong_guess_penalty: u8 [0..=10],
    /// Express: `true` if a player whose last card is right may still state the rule before the hand
    /// of play ends.
    guess_with_last_card: bool,
    /// Express: the players who may state the rule after a right play, once each.
    guess_after: GuessAfter = "GuessAfter::default",
    /// The part of the corpus that the secret rule is drawn from if `secret` is absent.
    secret_from: Split,
    /// The secret rule of every hand: the name of a corpus rule, or a rule's text; absent for a random
    /// rule.
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
        cap_counts: CapCounts::Played,
        refill_at: 4,
        decks_added_max: 2,
        guess_bonus: 0,
        wrong_guess_penalty: 0,
        guess_with_last_card: true,
        guess_after: GuessAfter::Own,
        secret_from: Split::All,
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

    /// Returns the maximum number of cards in one play.
    pub fn longest_string(&self) -> usize {
        self.string_max.filter(|most| *most > 0).map_or(usize::MAX, usize::from)
    }

    /// Lists all values that are out of range.
    pub fn faults(&self) -> Faults {
        let mut faults = self.ranges();
        if self.seats == 3 && !self.express {
            faults.range("seats", self.seats, 4..=8);
        }
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
