//! The rules of a variant.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Leopard, Side};
use parlour_base::cards::{Card, Pile};
use parlour_base::error::{Fault, Faults, Result};
use parlour_game::{Preset, Ruled};

/// When the bonus is paid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BonusWhen {
    /// Only if nobody knocked.
    NoKnock,
    /// To both seats, the knocker included.
    Always,
}

/// Cards that are shuffled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(
    rename_all = "snake_case",
    expecting = "expected `two_packs`, `one_pack` or a list of cards, each at most twice"
)]
#[schemars(rename = "LeopardDeck")]
pub enum DeckCards {
    /// Two packs of 52 cards.
    #[default]
    TwoPacks,
    /// One pack of 52 cards.
    OnePack,
    /// These cards, each at most twice.
    #[serde(untagged)]
    Cards(Pile),
}

impl DeckCards {
    /// The cards.
    pub const fn pile(self) -> Pile {
        match self {
            DeckCards::TwoPacks => Pile::TWO_DECKS,
            DeckCards::OnePack => Pile::ONE_DECK,
            DeckCards::Cards(cards) => cards,
        }
    }
}

/// Number of plays in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Plays {
    /// One play or one discard.
    One,
    /// Running Leopard: any number of plays, or one discard.
    Many,
}

/// Cells that a jack or a queen may be laid on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Covers {
    /// Cells with a face-up card only.
    FaceUp,
    /// Cells with a card, face up or face down; on a face-down card it changes nothing.
    Card,
    /// Any cell; on an open cell it changes nothing.
    Any,
}

/// Squares on which cards of a rank may be laid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SquaresOn {
    /// Your square and your opponent's.
    #[default]
    Both,
    /// Your square only.
    Own,
    /// Your opponent's square only.
    Other,
}

impl SquaresOn {
    const fn own() -> SquaresOn {
        SquaresOn::Own
    }

    /// Returns `true` if cards may be laid on this side.
    #[inline(always)]
    pub const fn includes(self, side: Side) -> bool {
        match self {
            SquaresOn::Both => true,
            SquaresOn::Own => matches!(side, Side::Own),
            SquaresOn::Other => matches!(side, Side::Other),
        }
    }
}

/// Time in a turn at which a seat may knock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum KnockWindow {
    /// After the draw and before the first play or discard.
    BeforePlay,
    /// Also after a play; this matters only with many plays.
    AnyTime,
}

parlour_game::rules::rules! { "LeopardRules", "LeopardPatch",
    /// Points for a line of one suit.
    suit_line: u8 [0..=20],
    /// Points for a line of one colour but not one suit.
    color_line: u8 [0..=20],
    /// Smallest value of your square for a knock. Above the value of eight lines nobody ever knocks.
    knock_at: u8 [1..=255],
    /// Value above which each point counts twice when the bonus applies.
    bonus_over: u8,
    /// Condition of the bonus.
    bonus_when: BonusWhen,
    /// Points taken from the knocking seat.
    knock_penalty: u8 [0..=100],
    /// Cards drawn at the start of a turn.
    draw: u8 [1..=4],
    /// Number of plays in a turn.
    plays: Plays,
    /// Cards dealt to each seat.
    hand_size: u8 [1..=52],
    /// Cells that a jack or a queen may be laid on.
    face_down_covers: Covers,
    /// Squares on which a jack may be laid.
    jacks_on: SquaresOn = "SquaresOn::default",
    /// Squares on which a queen may be laid.
    queens_on: SquaresOn = "SquaresOn::own",
    /// Time in a turn at which a seat may knock.
    knock_window: KnockWindow,
    /// Hands in a match, with alternating deal.
    hands_per_match: u8 [1..=100],
    /// Cards that are shuffled: a name, or a list in which a card may stand twice. It must be
    /// enough for both hands.
    deck: DeckCards = "DeckCards::default",
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
        jacks_on: SquaresOn::Both,
        queens_on: SquaresOn::Own,
        knock_window: KnockWindow::BeforePlay,
        hands_per_match: 1,
        deck: DeckCards::TwoPacks,
    };

    /// Abbott's later rules: a suit line is worth 3, and 7 replaces 5.
    pub const REVISED: Rules =
        Rules { suit_line: 3, knock_at: 7, bonus_over: 7, ..Rules::ORIGINAL };

    /// Five cards, so that every hand can be listed: the ace, two and three of spades, the three of
    /// clubs and a jack. A hand has five turns; the tree has 35,222 decisions and 71,232 ends.
    fn toy() -> Rules {
        let cards = [0, 4, 8, 11, 43].map(Card::from_index);
        let deck = DeckCards::Cards(cards.into_iter().collect());
        Rules { deck, hand_size: 1, knock_at: 1, ..Rules::REVISED }
    }

    /// The points above `bonus_over` that count again for a square of this value.
    #[inline]
    pub(super) fn bonus(&self, value: u8, knocked: bool) -> i32 {
        if knocked && self.bonus_when == BonusWhen::NoKnock {
            return 0;
        }
        i32::from(value.saturating_sub(self.bonus_over))
    }

    /// The points of a seat for a square of this value. `knocked` is `true` if anyone knocked,
    /// `by_me` if this seat did.
    #[inline]
    pub fn score(&self, value: u8, knocked: bool, by_me: bool) -> i32 {
        let penalty = if by_me { self.knock_penalty } else { 0 };
        i32::from(value) + self.bonus(value, knocked) - i32::from(penalty)
    }

    /// The smallest value that wins by a knock against a square of this value, without the bonus.
    #[inline]
    pub(super) fn winning_value(&self, theirs: i32) -> i32 {
        i32::from(self.knock_at).max(theirs + i32::from(self.knock_penalty) + 1)
    }

    /// The smallest value that [wins](Rules::knock_wins) by a knock against a square of this value.
    #[inline]
    pub(super) fn least_winning(&self, theirs: i32) -> i32 {
        if self.bonus_when == BonusWhen::NoKnock {
            return self.winning_value(theirs);
        }
        let over = i32::from(self.bonus_over);
        let wanted = self.score(theirs as u8, true, false) + i32::from(self.knock_penalty) + 1;
        let value = if wanted > over { (wanted + over + 1) / 2 } else { wanted };
        value.max(self.knock_at.into())
    }

    /// Returns `true` if jacks and queens go on other cells than in the named variants, so that a
    /// playout lists their moves.
    #[inline(always)]
    pub(super) fn covers_oddly(&self) -> bool {
        self.face_down_covers == Covers::Card
            || self.jacks_on != SquaresOn::Both
            || self.queens_on != SquaresOn::Own
    }

    /// Every field that is out of range, and a deck that is too small.
    pub fn faults(&self) -> Faults {
        let mut faults = self.ranges();
        let (cards, size) = (self.deck.pile().len(), u32::from(self.hand_size.min(52)));
        if cards < 2 * size {
            let what = format!("it has {cards} cards; two hands of {size} need {}", 2 * size);
            faults.push(Fault::field("deck", what));
        }
        faults
    }

    /// Returns `true` if a seat whose square has this value may knock and wins by it.
    #[inline]
    pub(super) fn knock_wins(&self, mine: i32, theirs: i32) -> bool {
        mine >= i32::from(self.knock_at)
            && self.score(mine as u8, true, true) > self.score(theirs as u8, true, false)
    }
}

impl Ruled for Leopard {
    const NAME: &'static str = "leopard";
    const RULES_TEXT: &'static str = include_str!("rules.txt");
    type Rules = Rules;
    type Patch = Patch;

    /// The six named variants.
    fn presets() -> Vec<Preset<Rules>> {
        let running = |base: Rules| Rules { draw: 2, plays: Plays::Many, ..base };
        parlour_game::rules::presets! {
            /// Abbott's revised numbers: suit line 3, knock at 7, bonus over 7
            "revised" => Rules::REVISED;
            /// the rules of 1963: suit line 2, knock at 5, bonus over 5
            "original" => Rules::ORIGINAL;
            /// 1963, two cards drawn and many plays a turn
            "running-original" => running(Rules::ORIGINAL);
            /// revised numbers, two cards drawn and many plays a turn
            "running-revised" => running(Rules::REVISED);
            /// revised numbers, the bonus always paid, matches of four hands
            "denexa" => Rules { bonus_when: BonusWhen::Always, hands_per_match: 4, ..Rules::REVISED };
            /// 1963 numbers with the bonus always paid, to separate the two changes
            "original-bonus" => Rules { bonus_when: BonusWhen::Always, ..Rules::ORIGINAL };
        }
    }

    const UNLISTED: &'static str = "`toy` has five cards, for exact work.";

    /// The presets, and `toy`.
    fn preset(name: &str) -> Option<Rules> {
        let mut listed = Leopard::presets().into_iter();
        let toy = || (name == "toy").then(Rules::toy);
        listed.find(|preset| preset.name == name).map(|preset| preset.rules).or_else(toy)
    }

    fn patched(base: &Rules, patch: &Patch) -> Rules {
        patch.over(base)
    }

    fn new(rules: &Rules) -> Result<Leopard> {
        rules.faults().into_result().map(|()| Leopard { rules: rules.clone() })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decks_are_read_by_name_or_by_card() {
        let deck = |json: &str| -> std::result::Result<Rules, String> {
            let patch: Patch = serde_json::from_str(json).map_err(|error| error.to_string())?;
            let rules = patch.over(&Rules::REVISED);
            Leopard::new(&rules).map(|_| rules).map_err(|error| error.to_string())
        };
        let short = r#"{ "deck": ["AS", "AS", "KD"], "hand_size": 1 }"#;
        let rules = deck(short).unwrap();
        assert_eq!(rules.deck.pile().len(), 3);
        assert_eq!(
            serde_json::to_value(rules.deck).unwrap(),
            serde_json::json!(["AS", "AS", "KD"])
        );
        assert_eq!(deck(r#"{ "deck": "one_pack" }"#).unwrap().deck, DeckCards::OnePack);
        assert_eq!(serde_json::to_value(DeckCards::TwoPacks).unwrap(), "two_packs");
        for (wrong, words) in [
            (r#"{ "deck": ["AS", "KD"] }"#, "two hands of 8 need 16"),
            (r#"{ "deck": ["AS", "AS", "AS"] }"#, "each at most twice"),
            (r#"{ "deck": ["1S"] }"#, "a list of cards"),
            (r#"{ "deck": "three_packs" }"#, "`two_packs`, `one_pack`"),
        ] {
            assert!(deck(wrong).unwrap_err().contains(words), "{wrong}: {:?}", deck(wrong));
        }
    }

    #[test]
    fn the_least_value_that_wins_wins_and_none_below() {
        for preset in Leopard::presets() {
            for (bonus_over, knock_penalty) in [(7, 1), (0, 0), (3, 9), (200, 100)] {
                let rules = Rules { bonus_over, knock_penalty, ..preset.rules.clone() };
                for theirs in 0..100 {
                    let least = rules.least_winning(theirs);
                    for mine in 0..=240 {
                        assert_eq!(rules.knock_wins(mine, theirs), mine >= least, "{rules:?}");
                    }
                }
            }
        }
    }
}
