//! The public part of a hand.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::{CardMultiset, DealerCap, ExpelCounts, Memory, Rule, Rules, Statements};
use parlour_base::cards::{Card, CardSet};
use parlour_game::{MAX_SEATS, Scores, Seat, Turn};

/// The end of a hand of play.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema, IntoStaticStr,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(rename = "EleusisEnd")]
pub enum End {
    /// The hand is in progress.
    #[default]
    Open,
    /// This player's hand is empty.
    Out(Seat),
    /// This player's *no play* with few cards was true.
    NoPlay(Seat),
    /// Every player but the prophet was expelled.
    Expelled,
    /// The stock could not be refilled.
    StockOut,
    /// Express: this player stated the secret rule.
    Guessed(Seat),
}

/// The kind of the next decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "EleusisStage")]
pub enum Stage {
    /// The player lays cards, submits the string, or claims *no play*.
    #[default]
    Play,
    /// The prophet says right or wrong.
    Judge,
    /// The prophet picks the card of a shown hand that goes on the mainline.
    Pick,
    /// The dealer picks the card of a shown hand that goes on the mainline.
    Force,
    /// The player may become prophet or, in Express, state a rule.
    After,
    /// A person who deals and alone knows the rule says right or wrong.
    Verdict,
}

/// The play or claim of a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "EleusisAct")]
pub enum Act {
    /// A play of these cards in this order.
    Play(Vec<Card>),
    /// A claim of *no play* with a shown hand. After a false claim a card goes on the mainline.
    NoPlay {
        /// The shown hand.
        hand: CardMultiset,
        /// The card put on the mainline.
        forced: Option<Card>,
    },
}

/// The public facts of one turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EleusisEvent")]
pub struct Event {
    /// The player.
    pub seat: Seat,
    /// The play or claim.
    pub act: Act,
    /// `true` if the play or claim was right.
    pub right: bool,
    /// The prophet and its verdict, if there was one.
    pub prophet_said: Option<(Seat, bool)>,
    /// The wrong card that the prophet picked from a hand shown with a false claim.
    pub prophet_picked: Option<Card>,
    /// `true` if the player was expelled.
    pub expelled: bool,
    /// `true` if the player became prophet afterwards.
    pub becomes_prophet: bool,
    /// Express: the number of the stated rule, and `true` if it was right.
    pub guess: Option<(u32, bool)>,
    /// Express: the rules that other players stated after this play, as `guess`, with their seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub other_guesses: Vec<(Seat, u32, bool)>,
}

impl Event {
    /// Returns `true` if the prophet was overthrown by its verdict or its pick.
    pub fn overthrows(&self) -> bool {
        self.prophet_picked.is_some()
            || self.prophet_said.is_some_and(|(_, said)| said != self.right)
    }

    /// Returns the numbers of all rules stated after this play, and `true` for the right ones.
    pub fn guesses(&self) -> impl Iterator<Item = (u32, bool)> + '_ {
        self.guess
            .into_iter()
            .chain(self.other_guesses.iter().map(|(_, rule, right)| (*rule, *right)))
    }

    /// Returns `true` for a play, `false` for a claim.
    pub fn is_play(&self) -> bool {
        matches!(self.act, Act::Play(_))
    }

    /// Returns the number of cards put on the table, right and wrong.
    pub fn cards(&self) -> u32 {
        match &self.act {
            Act::Play(cards) => cards.len() as u32,
            Act::NoPlay { forced, .. } => u32::from(forced.is_some()),
        }
    }
}

/// Cards of one origin: a deck, or a hand that went under the stock. The numbers of the pool's cards
/// in the stock and in each hand are public. The place of each card is hidden.
///
/// A shown card may come from more than one pool. Then these pools are merged. The merged pool
/// loses a little information, but allows no state that the seen cards exclude.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EleusisPool")]
pub struct Pool {
    /// The cards of the pool that have not been seen.
    pub cards: CardMultiset,
    /// The number of its cards in the stock. Cards are drawn from the first pool with any.
    pub stock: u16,
    /// The number of its cards in each hand.
    pub held: [u16; MAX_SEATS],
}

/// The public part of a hand's state.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EleusisPublic")]
pub struct Public {
    /// The player whose turn it is.
    pub player: Seat,
    /// The kind of the next decision.
    pub stage: Stage,
    /// The string that is being laid or judged.
    pub string: Vec<Card>,
    /// The hand shown with an unsettled claim.
    pub shown: Option<CardMultiset>,
    /// The prophet's verdict on an unsettled claim, while a card is chosen.
    pub said: Option<(Seat, bool)>,
    /// The wrong card that the prophet picked, while the dealer chooses another.
    pub picked: Option<Card>,
    /// `true` if a mistake in this turn expels.
    pub expelling: bool,
    /// The origins of the unseen cards, in the order of the stock.
    pub pools: Vec<Pool>,
    /// The cards of each hand that are known because the hand was shown.
    pub known: [CardMultiset; MAX_SEATS],
    /// The number of cards in each hand.
    pub held: [u16; MAX_SEATS],
    /// The number of added decks.
    pub decks_added: u8,
    /// The accepted cards, the starter first.
    pub mainline: Arc<Vec<Card>>,
    /// The turns so far.
    pub history: Arc<Vec<Event>>,
    /// The number of cards played, right and wrong, without the starter.
    pub played: u16,
    /// The prophet.
    pub prophet: Option<Seat>,
    /// The seats that have been prophet in this hand.
    pub prophets: BTreeSet<Seat>,
    /// The expelled seats.
    pub expelled: BTreeSet<Seat>,
    /// The number of cards played before the marker was laid, as `cap_counts` counts them.
    pub marker: u16,
    /// The numbers of right and wrong cards played after the marker.
    pub after_marker: [u16; 2],
    /// Express: the other player who may state the rule after a play, if it is not the player.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guesser: Option<Seat>,
    /// The end of the hand.
    pub end: End,
}

impl Public {
    /// Returns the number of cards in the stock.
    pub fn stock(&self) -> usize {
        self.pools.iter().map(|pool| usize::from(pool.stock)).sum()
    }

    /// Returns `true` if a turn starts: nothing of it is on the table.
    pub fn is_turn_start(&self) -> bool {
        self.stage == Stage::Play && self.string.is_empty()
    }

    /// Returns the distinct cards of the shown hand.
    pub fn shown_cards(&self) -> CardSet {
        self.shown.map_or(CardSet::EMPTY, |hand| hand.distinct())
    }

    /// Iterates over the players who take turns: all but the prophet and the expelled.
    pub fn active(&self, seats: u8) -> impl Iterator<Item = Seat> + '_ {
        (1..seats).map(Seat).filter(|seat| self.takes_turns(*seat))
    }

    /// Returns `true` if a player is neither the prophet nor expelled.
    pub(super) fn takes_turns(&self, seat: Seat) -> bool {
        !self.expelled.contains(&seat) && self.prophet != Some(seat)
    }

    /// Returns `true` if the current player may become prophet after the turn.
    pub fn may_prophesy(&self, rules: &Rules) -> bool {
        let player = self.player;
        rules.prophet
            && self.prophet.is_none()
            && !self.expelled.contains(&player)
            && !self.prophets.contains(&player)
            && self.active(rules.seats).filter(|s| *s != player).count() >= 2
    }

    /// Returns `true` if a mistake in a turn that starts now expels.
    pub fn expels(&self, rules: &Rules) -> bool {
        if !rules.expulsion {
            return false;
        }
        if self.prophet.is_some() {
            return self.after_marker[0] + self.after_marker[1] >= rules.expel_after_marker;
        }
        let cards = match rules.expel_counts {
            ExpelCounts::Mainline => self.mainline.len(),
            ExpelCounts::Played => self.played.into(),
        };
        cards >= rules.expel_at.into()
    }

    /// Returns the points of each seat if the hand ended now.
    pub fn scores(&self, rules: &Rules) -> Scores {
        let held = &self.held.map(i32::from)[..rules.seats.into()];
        let full = match rules.express {
            true => i32::from(rules.hand_size),
            false => held[1..].iter().copied().max().unwrap_or(0),
        };
        let bonus = i32::from(self.after_marker[0]) + 2 * i32::from(self.after_marker[1]);
        let (mut scores, mut best) = (Scores([0].into_iter().collect()), None);
        for (player, held) in (0..).map(Seat).zip(held).skip(1) {
            let out = if *held == 0 { i32::from(rules.going_out_bonus) } else { 0 };
            let guessed = self.end == End::Guessed(player);
            let points = full - held + out + if guessed { rules.guess_bonus.into() } else { 0 };
            let total = points + if self.prophet == Some(player) { bonus } else { 0 };
            scores.0.push(total);
            best = best.max(Some(match rules.dealer_cap_on {
                DealerCap::Total => total,
                DealerCap::Hand => points,
            }));
        }
        let cap = self.prophet.map_or(i32::MAX, |_| 2 * i32::from(self.marker));
        scores.0[0] = best.unwrap_or(0).min(cap);
        scores
    }

    /// Returns the seat to move.
    pub fn turn(&self) -> Turn {
        match self.stage {
            _ if self.end != End::Open => Turn::Over,
            Stage::Judge | Stage::Pick => Turn::Seat(self.prophet.unwrap_or(self.player)),
            Stage::Force | Stage::Verdict => Turn::Seat(Seat(0)),
            Stage::Play => Turn::Seat(self.player),
            Stage::After => Turn::Seat(self.guesser.unwrap_or(self.player)),
        }
    }

    /// Returns `true` if a rule agrees with all verdicts so far: right and wrong strings, true and
    /// false claims, a prophet's picks, and an unsettled claim.
    pub fn agrees(&self, rule: &Rule) -> bool {
        let mut line = self.mainline.iter();
        let Some(starter) = line.next() else { return true };
        let mut memory = rule.step(&Memory::default(), *starter);
        let agrees = self.history.iter().all(|event| match &event.act {
            Act::Play(cards) => {
                let after = rule.accepts(&memory, cards);
                memory = after.unwrap_or(memory);
                after.is_some() == event.right
            }
            Act::NoPlay { hand, forced } => {
                let right = rule.right(&memory);
                memory = forced.map_or(memory, |card| rule.step(&memory, card));
                (right & hand.distinct()).is_empty() == event.right
                    && forced.is_none_or(|card| right.has(card))
                    && event.prophet_picked.is_none_or(|card| !right.has(card))
            }
        });
        let is_picking = [Stage::Pick, Stage::Force].contains(&self.stage) && self.shown.is_some();
        if !agrees || !is_picking {
            return agrees;
        }
        let right = rule.right(&memory);
        !self.picked.is_some_and(|card| right.has(card)) && !(right & self.shown_cards()).is_empty()
    }

    /// Returns the stated rules that are not the secret rule.
    pub(super) fn refuted<'a>(&self, statements: &'a Statements) -> Vec<Cow<'a, Rule>> {
        let guesses = self.history.iter().flat_map(Event::guesses);
        let wrong = guesses.filter(|(_, right)| !right);
        wrong.filter_map(|(number, _)| statements.rule(number)).collect()
    }
}
