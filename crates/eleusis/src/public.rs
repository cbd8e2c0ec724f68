//! The public part of a hand.

use std::borrow::Cow;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CardMultiset, DealerCap, ExpelCounts, Memory, Move, Rule, Rules, Statements};
use parlour_base::cards::{Card, CardSet};
use parlour_game::{MAX_SEATS, Scores, Seat, Turn};

/// The end of a hand of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
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
}

impl Event {
    /// Returns `true` if the prophet was overthrown by its verdict or its pick.
    pub fn overthrows(&self) -> bool {
        self.prophet_picked.is_some()
            || self.prophet_said.is_some_and(|(_, said)| said != self.right)
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
    /// The seats that have been prophet in this hand, one bit per seat.
    #[serde(with = "seats")]
    #[schemars(with = "Vec<Seat>")]
    pub prophets: u8,
    /// The expelled seats, one bit per seat.
    #[serde(with = "seats")]
    #[schemars(with = "Vec<Seat>")]
    pub expelled: u8,
    /// The number of cards played before the marker was laid.
    pub marker: u16,
    /// The numbers of right and wrong cards played after the marker.
    pub after_marker: [u16; 2],
    /// The end of the hand.
    pub end: End,
}

impl Public {
    /// Returns the number of cards in the stock.
    pub fn stock(&self) -> usize {
        self.pools.iter().map(|pool| usize::from(pool.stock)).sum()
    }

    /// Returns `true` if the seat was expelled.
    pub fn is_expelled(&self, seat: Seat) -> bool {
        self.expelled >> seat.0 & 1 == 1
    }

    /// Iterates over the players who take turns: all but the prophet and the expelled.
    pub fn active(&self, seats: u8) -> impl Iterator<Item = Seat> + '_ {
        (1..seats).map(Seat).filter(|seat| self.takes_turns(*seat))
    }

    /// Returns `true` if a player is neither the prophet nor expelled.
    pub(super) fn takes_turns(&self, seat: Seat) -> bool {
        !self.is_expelled(seat) && self.prophet != Some(seat)
    }

    /// Returns `true` if the current player may become prophet after the turn.
    pub fn may_prophesy(&self, rules: &Rules) -> bool {
        let player = self.player;
        rules.prophet
            && self.prophet.is_none()
            && !self.is_expelled(player)
            && self.prophets >> player.0 & 1 == 0
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

    /// Removes a card that is now seen from the known cards or the pools of a hand. Appends the index
    /// of each pool that is merged into a later one to `pools_gone`.
    pub(super) fn reveal(&mut self, seat: Seat, card: Card, pools_gone: &mut Vec<usize>) {
        if self.known[seat.index()].remove(card) {
            return;
        }
        let may = |pool: &Pool| pool.held[seat.index()] > 0 && pool.cards.count(card) > 0;
        let mut from: Vec<usize> =
            (0..self.pools.len()).filter(|&index| may(&self.pools[index])).collect();
        let Some(mut last) = from.pop() else { return };
        for index in from.into_iter().rev() {
            let pool = self.pools.remove(index);
            pools_gone.push(index);
            last -= 1;
            let into = &mut self.pools[last];
            into.cards.add_all(&pool.cards);
            into.stock += pool.stock;
            for (sum, held) in into.held.iter_mut().zip(pool.held) {
                *sum += held;
            }
        }
        let pool = &mut self.pools[last];
        pool.cards.remove(card);
        pool.held[seat.index()] -= 1;
    }

    /// Returns the points of each seat if the hand ended now.
    pub fn scores(&self, rules: &Rules) -> Scores {
        let players = 1..usize::from(rules.seats);
        let most = players.clone().map(|s| i32::from(self.held[s])).max().unwrap_or(0);
        let bonus = i32::from(self.after_marker[0]) + 2 * i32::from(self.after_marker[1]);
        let mut scores = Scores((0..rules.seats).map(|_| 0).collect());
        let mut best = 0;
        for player in players {
            let held = i32::from(self.held[player]);
            let mut points =
                if rules.express { i32::from(rules.hand_size) - held } else { most - held };
            if held == 0 {
                points += i32::from(rules.going_out_bonus);
            }
            if self.end == End::Guessed(Seat(player as u8)) {
                points += i32::from(rules.guess_bonus);
            }
            let prophet = self.prophet == Some(Seat(player as u8));
            let total = if prophet { points + bonus } else { points };
            scores.0[player] = total;
            let counted = match rules.dealer_cap_on {
                DealerCap::Total => total,
                DealerCap::Hand => points,
            };
            best = if player == 1 { counted } else { best.max(counted) };
        }
        scores.0[0] =
            if self.prophet.is_some() { best.min(2 * i32::from(self.marker)) } else { best };
        scores
    }

    /// Returns the seat to move.
    pub fn turn(&self) -> Turn {
        match (self.end, self.stage) {
            (End::Open, Stage::Judge | Stage::Pick) => {
                Turn::Seat(self.prophet.unwrap_or(self.player))
            }
            (End::Open, Stage::Force | Stage::Verdict) => Turn::Seat(Seat(0)),
            (End::Open, _) => Turn::Seat(self.player),
            _ => Turn::Over,
        }
    }

    /// Lists the legal moves, given the player's hand and the cards that are right.
    pub(super) fn list(
        &self,
        rules: &Rules,
        statements: usize,
        hand: &CardMultiset,
        right: impl FnOnce() -> CardSet,
        out: &mut Vec<Move>,
    ) {
        out.clear();
        if self.turn() == Turn::Over {
            return;
        }
        match self.stage {
            Stage::Play => {
                if self.string.len() < rules.longest_string() {
                    out.extend(hand.distinct().map(Move::Lay));
                }
                out.push(if self.string.is_empty() { Move::NoPlay } else { Move::Submit });
            }
            Stage::Judge | Stage::Verdict => out.extend([Move::Judge(false), Move::Judge(true)]),
            Stage::Pick | Stage::Force => {
                let shown = self.shown.map_or(CardSet::EMPTY, |hand| hand.distinct());
                let may = if self.stage == Stage::Pick { shown } else { shown & right() };
                out.extend(may.map(Move::Force));
            }
            Stage::After => {
                out.push(Move::Pass);
                if rules.express {
                    out.extend((0..statements as u32).map(Move::Guess));
                } else {
                    out.push(Move::Prophesy);
                }
            }
        }
    }

    /// Returns `true` if a rule agrees with all verdicts so far: right and wrong strings, true and
    /// false claims, a prophet's picks, and an unsettled claim.
    pub fn agrees(&self, rule: &Rule) -> bool {
        let mut line = self.mainline.iter();
        let Some(starter) = line.next() else { return true };
        let mut memory = rule.step(&Memory::default(), *starter);
        for event in self.history.iter() {
            match &event.act {
                Act::Play(cards) => {
                    let after = rule.accepts(&memory, cards);
                    if after.is_some() != event.right {
                        return false;
                    }
                    memory = after.unwrap_or(memory);
                }
                Act::NoPlay { hand, forced } => {
                    let right = rule.right(&memory);
                    let none = (right & hand.distinct()).is_empty();
                    if none != event.right
                        || forced.is_some_and(|card| !right.has(card))
                        || event.prophet_picked.is_some_and(|card| right.has(card))
                    {
                        return false;
                    }
                    if let Some(card) = forced {
                        memory = rule.step(&memory, *card);
                    }
                }
            }
        }
        match (self.stage, self.shown) {
            (Stage::Pick | Stage::Force, Some(hand)) => {
                let right = rule.right(&memory);
                let refuted = self.picked.is_some_and(|card| right.has(card));
                !refuted && !(right & hand.distinct()).is_empty()
            }
            _ => true,
        }
    }

    /// Returns the stated rules that are not the secret rule.
    pub(super) fn refuted<'a>(&self, statements: &'a Statements) -> Vec<Cow<'a, Rule>> {
        let guesses = self.history.iter().filter_map(|event| event.guess);
        let wrong = guesses.filter(|(_, right)| !right);
        wrong.filter_map(|(number, _)| statements.rule(number)).collect()
    }
}

/// JSON form of seat bits: a list of seats.
mod seats {
    use serde::{Deserialize, Deserializer, Serializer};

    use parlour_game::{MAX_SEATS, Seat};

    pub fn serialize<S: Serializer>(bits: &u8, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq((0..MAX_SEATS as u8).filter(|seat| bits >> seat & 1 == 1).map(Seat))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u8, D::Error> {
        Vec::<Seat>::deserialize(from)?.into_iter().try_fold(0, |bits, seat| {
            let bit = 1u8.checked_shl(seat.0.into());
            bit.map(|bit| bits | bit)
                .ok_or_else(|| serde::de::Error::custom(format!("there is no seat {}", seat.0)))
        })
    }
}
