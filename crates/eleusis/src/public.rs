//! What everyone at the table sees.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CardMultiset, ExpelCounts, Rules};
use crate::cards::Card;
use crate::game::{MAX_SEATS, Scores, Seat};

/// Whether and how a hand of play has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "EleusisEnd")]
pub enum End {
    /// It goes on.
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
    /// Express: this player stated the rule.
    Guessed(Seat),
}

/// What is to be chosen next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "EleusisStage")]
pub enum Stage {
    /// The player lays cards, submits them, or claims *no play*.
    #[default]
    Play,
    /// The prophet says right or wrong.
    Judge,
    /// The prophet picks the card of a shown hand that goes on the mainline.
    Pick,
    /// The dealer chooses that card.
    Force,
    /// The player may become prophet, or state the rule.
    After,
    /// The dealer, who alone knows the rule, says right or wrong: at a table where a person keeps it.
    Verdict,
}

/// What a player did in a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "EleusisAct")]
pub enum Act {
    /// Played these cards in this order.
    Play(Vec<Card>),
    /// Showed this hand and claimed *no play*; if that was false, a card was put on the mainline.
    NoPlay {
        /// The shown hand.
        hand: CardMultiset,
        /// The card put on the mainline.
        forced: Option<Card>,
    },
}

/// One turn as everyone saw it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EleusisEvent")]
pub struct Event {
    /// Whose turn it was.
    pub seat: Seat,
    /// What it did.
    pub act: Act,
    /// Whether the play or the claim was right.
    pub right: bool,
    /// The prophet and its verdict, if there was one.
    pub prophet_said: Option<(Seat, bool)>,
    /// The wrong card that the prophet picked of a hand shown with a false claim.
    pub prophet_picked: Option<Card>,
    /// Whether the player was expelled.
    pub expelled: bool,
    /// Whether the player became prophet afterwards.
    pub becomes_prophet: bool,
    /// Express: the number of the rule that was stated, and whether it was right.
    pub guess: Option<(u32, bool)>,
}

impl Event {
    /// Whether the prophet was overthrown: by its verdict, or by the card it picked.
    pub fn overthrows(&self) -> bool {
        self.prophet_picked.is_some()
            || self.prophet_said.is_some_and(|(_, said)| said != self.right)
    }

    /// How many cards it put on the table, right and wrong.
    pub fn cards(&self) -> u32 {
        match &self.act {
            Act::Play(cards) => cards.len() as u32,
            Act::NoPlay { forced, .. } => u32::from(forced.is_some()),
        }
    }
}

/// Cards of one origin: a deck, or a hand that went under the stock. Which cards of the pool are
/// where is hidden; what is public is how many of them lie in the stock and in each hand.
///
/// A card that a player shows could be from more than one pool; then those pools become one, which
/// forgets a little and allows no world that the cards seen exclude.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EleusisPool")]
pub struct Pool {
    /// The cards that have not been seen since.
    pub cards: CardMultiset,
    /// How many of them are in the stock; the first pool with any is drawn from.
    pub stock: u16,
    /// How many of them are in each hand.
    pub held: [u16; MAX_SEATS],
}

/// Everything that is public.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "EleusisPublic")]
pub struct Public {
    /// The player whose turn it is.
    pub player: Seat,
    /// What is to be chosen next.
    pub stage: Stage,
    /// The string being laid, or to be judged.
    pub string: Vec<Card>,
    /// The hand shown with a claim that is not settled.
    pub shown: Option<CardMultiset>,
    /// What the prophet said to an unsettled claim, while a card is chosen.
    pub said: Option<(Seat, bool)>,
    /// The wrong card that the prophet picked, while the dealer chooses another.
    pub picked: Option<Card>,
    /// Whether a mistake in this turn expels.
    pub expelling: bool,
    /// Where the unseen cards come from, in the order of the stock.
    pub pools: Vec<Pool>,
    /// Cards known to be in each hand, because it was shown.
    pub known: [CardMultiset; MAX_SEATS],
    /// How many cards each hand has.
    pub held: [u16; MAX_SEATS],
    /// Further decks added so far.
    pub decks_added: u8,
    /// The accepted cards, the starter first.
    pub mainline: Arc<Vec<Card>>,
    /// The turns so far.
    pub history: Arc<Vec<Event>>,
    /// How many cards were played, right and wrong, without the starter.
    pub played: u16,
    /// The prophet.
    pub prophet: Option<Seat>,
    /// Who has been prophet in this hand, a bit a seat.
    #[serde(with = "seats")]
    #[schemars(with = "Vec<Seat>")]
    pub prophets: u8,
    /// Who is expelled, a bit a seat.
    #[serde(with = "seats")]
    #[schemars(with = "Vec<Seat>")]
    pub expelled: u8,
    /// How many cards were played when the marker was laid.
    pub marker: u16,
    /// Right and wrong cards played after the marker.
    pub after_marker: [u16; 2],
    /// Whether and how the hand has ended.
    pub end: End,
}

impl Public {
    /// How many cards the stock has.
    pub fn stock(&self) -> usize {
        self.pools.iter().map(|pool| usize::from(pool.stock)).sum()
    }

    /// Whether the seat was expelled.
    pub fn is_expelled(&self, seat: Seat) -> bool {
        self.expelled >> seat.0 & 1 == 1
    }

    /// The players who take turns: not the dealer, the prophet or the expelled.
    pub fn active(&self, seats: u8) -> impl Iterator<Item = Seat> + '_ {
        (1..seats).map(Seat).filter(|seat| self.takes_turns(*seat))
    }

    /// Whether a player is neither the prophet nor expelled.
    pub(super) fn takes_turns(&self, seat: Seat) -> bool {
        !self.is_expelled(seat) && self.prophet != Some(seat)
    }

    /// Whether the player whose turn it is may become prophet after it.
    pub fn may_prophesy(&self, rules: &Rules) -> bool {
        let player = self.player;
        rules.prophet
            && self.prophet.is_none()
            && !self.is_expelled(player)
            && self.prophets >> player.0 & 1 == 0
            && self.active(rules.seats).filter(|s| *s != player).count() >= 2
    }

    /// Whether a mistake in a turn that starts now expels.
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

    /// A card of a hand that was hidden, or known, is now seen: it leaves the hand's account.
    /// `pools_gone` is told of each pool that was joined to a later one.
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

    /// The points of each seat, were the hand to end here.
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
                super::DealerCap::Total => total,
                super::DealerCap::Hand => points,
            };
            best = if player == 1 { counted } else { best.max(counted) };
        }
        scores.0[0] =
            if self.prophet.is_some() { best.min(2 * i32::from(self.marker)) } else { best };
        scores
    }
}

/// Bits by seat, which stand in JSON as a list of seats.
mod seats {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::game::{MAX_SEATS, Seat};

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
