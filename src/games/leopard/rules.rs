//! The rules of a variant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Faults;
use crate::game::Preset;

/// When the bonus is paid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BonusWhen {
    /// Only if nobody knocked.
    NoKnock,
    /// To both seats, the knocker included.
    Always,
}

/// How many plays a turn has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Plays {
    /// One play or one discard.
    One,
    /// Running Leopard: as many plays as wanted, or one discard.
    Many,
}

/// What a jack or a queen may be laid on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Covers {
    /// A face-up card only.
    FaceUp,
    /// Any cell; on an open one it changes nothing.
    Any,
}

/// When in its turn a seat may knock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KnockWindow {
    /// After the draw and before the first play or discard.
    BeforePlay,
    /// Also after a play; this matters only with many plays.
    AnyTime,
}

/// Makes the rules struct and, beside it, the patch of the same fields that a custom variant
/// sets on top of its base.
macro_rules! rules {
    ($($(#[$doc:meta])* $field:ident: $kind:ty,)*) => {
        /// The rules of one variant in full.
        #[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[schemars(rename = "LeopardRules")]
        pub struct Rules { $($(#[$doc])* pub $field: $kind,)* }

        /// The rules that a custom variant sets on top of its base.
        #[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[schemars(rename = "LeopardPatch")]
        pub struct Patch {
            $($(#[$doc])* #[serde(default, skip_serializing_if = "Option::is_none")]
            pub $field: Option<$kind>,)*
        }

        impl Patch {
            /// The base with the fields that are set here.
            #[must_use]
            pub fn over(&self, base: &Rules) -> Rules {
                Rules { $($field: self.$field.clone().unwrap_or_else(|| base.$field.clone()),)* }
            }
        }
    };
}

rules! {
    /// Points for a line of one suit, 0 to 20.
    suit_line: u8,
    /// Points for a line of one colour but not one suit, 0 to 20.
    color_line: u8,
    /// The least value of the own square with which a seat may knock, 1 to 255; nobody ever
    /// knocks when it is above all that eight lines can be worth.
    knock_at: u8,
    /// The value above which each point counts twice when the bonus applies, 0 to 255.
    bonus_over: u8,
    /// When the bonus applies.
    bonus_when: BonusWhen,
    /// Points taken from the seat that knocked, 0 to 100.
    knock_penalty: u8,
    /// Cards drawn at the start of a turn, 1 to 4.
    draw: u8,
    /// How many plays a turn has.
    plays: Plays,
    /// Cards dealt to each seat, 1 to 52.
    hand_size: u8,
    /// What a jack or a queen may be laid on.
    face_down_covers: Covers,
    /// When a seat may knock.
    knock_window: KnockWindow,
    /// Hands in a match, the deal alternating, 1 to 100.
    hands_per_match: u8,
}

impl Rules {
    /// Robert Abbott's rules of 1963.
    pub const ORIGINAL: Rules = Rules {
        suit_line: 2,
        color_line: 1,
        knock_at: 5,
        bonus_over: 5,
        bonus_when: BonusWhen::NoKnock,
        knock_penalty: 1,
        draw: 1,
        plays: Plays::One,
        hand_size: 8,
        face_down_covers: Covers::FaceUp,
        knock_window: KnockWindow::BeforePlay,
        hands_per_match: 1,
    };

    /// His later changes: a suit line is worth 3, and 7 takes the place of 5.
    pub const REVISED: Rules =
        Rules { suit_line: 3, knock_at: 7, bonus_over: 7, ..Rules::ORIGINAL };

    /// The six named variants.
    pub fn presets() -> Vec<Preset<Rules>> {
        let running = |base: Rules| Rules { draw: 2, plays: Plays::Many, ..base };
        let preset = |name, rules, about| Preset { name, rules, about };
        vec![
            preset(
                "revised",
                Rules::REVISED,
                "Abbott's revised numbers: suit line 3, knock at 7, bonus over 7",
            ),
            preset(
                "original",
                Rules::ORIGINAL,
                "the rules of 1963: suit line 2, knock at 5, bonus over 5",
            ),
            preset(
                "running-original",
                running(Rules::ORIGINAL),
                "1963, two cards drawn and many plays a turn",
            ),
            preset(
                "running-revised",
                running(Rules::REVISED),
                "revised numbers, two cards drawn and many plays a turn",
            ),
            preset(
                "denexa",
                Rules { bonus_when: BonusWhen::Always, hands_per_match: 4, ..Rules::REVISED },
                "revised numbers, the bonus always paid, matches of four hands",
            ),
            preset(
                "original-bonus",
                Rules { bonus_when: BonusWhen::Always, ..Rules::ORIGINAL },
                "1963 numbers with the bonus always paid, to tell the two changes apart",
            ),
        ]
    }

    /// The points above `bonus_over` that count again, for a square of this value.
    #[inline]
    pub(super) fn bonus(&self, value: u8, knocked: bool) -> i32 {
        if knocked && self.bonus_when == BonusWhen::NoKnock {
            return 0;
        }
        i32::from(value.saturating_sub(self.bonus_over))
    }

    /// A seat's points for a square of this value, by whether anyone knocked, and whether it was
    /// this seat.
    #[inline]
    pub fn score(&self, value: u8, knocked: bool, by_me: bool) -> i32 {
        let penalty = if by_me { self.knock_penalty } else { 0 };
        i32::from(value) + self.bonus(value, knocked) - i32::from(penalty)
    }

    /// Everything that is out of range.
    pub fn faults(&self) -> Faults {
        let mut faults = Faults::default();
        faults.range("suit_line", self.suit_line, 0..=20);
        faults.range("color_line", self.color_line, 0..=20);
        // With 0 the first seat could end every hand before a card is played.
        faults.range("knock_at", self.knock_at, 1..=255);
        faults.range("knock_penalty", self.knock_penalty, 0..=100);
        faults.range("draw", self.draw, 1..=4);
        faults.range("hand_size", self.hand_size, 1..=52);
        faults.range("hands_per_match", self.hands_per_match, 1..=100);
        faults
    }
}
