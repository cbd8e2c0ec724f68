//! What a turn can be expected to be worth, in cards fewer in the own hand.

use crate::cards::{Card, CardSet};
use crate::games::eleusis::infer::Panel;
use crate::games::eleusis::{Counts, Public, Rules};

/// What bears on the worth of a turn beside the belief.
pub(super) struct Stakes<'a> {
    pub rules: &'a Rules,
    pub public: &'a Public,
    /// The cards still in hand; those of the string laid so far are not.
    pub hand: &'a Counts,
    /// Cards that a verdict nobody can foretell is worth.
    pub curiosity: f64,
    /// How likely a prophet is thought to judge as we would, not to know the rule.
    pub likeness: f64,
}

/// What a prophet's overthrow is worth to each other player, for each card that it draws.
const OVERTHROW: f64 = 0.5;

impl Stakes<'_> {
    /// What it costs to be expelled, in cards: the others will shed theirs.
    fn expulsion(&self) -> f64 {
        if self.public.expelling { self.hand.len() as f64 / 2.0 } else { 0.0 }
    }

    /// How likely a prophet is to be wrong about what is right with this chance, were it right and
    /// were it wrong. One who judges as we do says what is likelier.
    fn overthrow(&self, right: f64) -> (f64, f64) {
        match self.public.prophet {
            None => (0.0, 0.0),
            Some(_) if right > 0.5 => (0.0, self.likeness),
            Some(_) => (self.likeness, 0.0),
        }
    }

    /// What comes on top of `gain` if all goes well and is lost otherwise, this being right with
    /// some chance: a wrong play that overthrows the prophet costs nothing.
    fn judged(&self, right: f64, gain: f64, loss: f64, shed_if_wrong: f64) -> f64 {
        let (falls_if_right, falls_if_wrong) = self.overthrow(right);
        let fall = OVERTHROW * f64::from(self.rules.overthrow_penalty);
        let spared = shed_if_wrong + fall;
        right * (gain + falls_if_right * fall)
            + (1.0 - right) * (falls_if_wrong * spared - (1.0 - falls_if_wrong) * loss)
    }

    /// The worth of a string of so many cards that is right with this chance.
    pub fn string(&self, cards: usize, right: f64) -> f64 {
        let (laid, penalty) = (cards as f64, f64::from(self.rules.wrong_card_penalty));
        let held = self.hand.len() + self.public.string.len();
        let out = if cards == held { f64::from(self.rules.going_out_bonus) + 1.0 } else { 0.0 };
        let telling = if cards == 1 { self.curiosity * 4.0 * right * (1.0 - right) } else { 0.0 };
        let loss = laid * (penalty - 1.0) + self.expulsion();
        self.judged(right, laid + out, loss, laid) + telling
    }

    /// The worth of claiming *no play*, true with this chance.
    pub fn claim(&self, truth: f64) -> f64 {
        let (held, fewer) = (self.hand.len() as f64, f64::from(self.rules.no_play_fewer));
        let lost = f64::from(self.rules.false_no_play_penalty) - 1.0 + self.expulsion();
        // The right card goes on the mainline all the same.
        self.judged(truth, fewer.min(held), lost, 1.0)
    }
}

/// A string that could be laid: its worth in all, and its next card if it is to be longer.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub worth: f64,
    pub next: Option<Card>,
}

/// The best way to go on with the string on the table (or to begin one): greedily by the chance
/// that all of it is right, and of equals by how many cards are right after it.
pub(super) fn best_string(stakes: &Stakes<'_>, mut panel: Panel) -> Way {
    let laid = stakes.public.string.len();
    for &card in &stakes.public.string {
        panel.accept(card);
    }
    let mut best = Way {
        worth: if laid == 0 { f64::NEG_INFINITY } else { stakes.string(laid, panel.total()) },
        next: None,
    };
    let mut hand = *stakes.hand;
    let mut first = None;
    let most = stakes.rules.longest_string();
    if laid == 0 && stakes.curiosity > 0.0 {
        // A single card that tells much.
        let chances = panel.chances();
        for card in hand.distinct() {
            let worth = stakes.string(1, chances[usize::from(card.index())]);
            if worth > best.worth {
                best = Way { worth, next: Some(card) };
            }
        }
    }
    for length in laid + 1..=most.min(laid + hand.len()) {
        let card = safest(&panel, &hand);
        let Some((card, right)) = card else { break };
        first.get_or_insert(card);
        let worth = stakes.string(length, right);
        if worth > best.worth {
            best = Way { worth, next: first };
        }
        // A longer string can only be less likely.
        let hope = stakes.string(laid + hand.len(), right);
        if hope <= best.worth {
            break;
        }
        hand.remove(card);
        panel.accept(card);
    }
    best
}

/// How much less likely a card may be that is looked at for what comes after it.
const CLOSE: f64 = 0.02;

fn safest(panel: &Panel, hand: &Counts) -> Option<(Card, f64)> {
    let chances = panel.chances();
    let chance = |card: Card| chances[usize::from(card.index())];
    let top = hand.distinct().map(chance).fold(f64::NEG_INFINITY, f64::max);
    let close: Vec<Card> = hand.distinct().filter(|&card| chance(card) >= top - CLOSE).collect();
    if let [card] = close[..] {
        return Some((card, chance(card)));
    }
    let mut best: Option<(Card, f64)> = None;
    for card in close {
        let mut after = panel.clone();
        after.accept(card);
        let mut rest = *hand;
        rest.remove(card);
        let next = after.chances();
        let follow: f64 = rest.distinct().map(|card| next[usize::from(card.index())]).sum();
        if best.is_none_or(|(_, most)| follow > most) {
            best = Some((card, follow));
        }
    }
    best.map(|(card, _)| (card, chance(card)))
}

/// The chance that a play or claim on the table is right.
pub(super) fn judged_right(public: &Public, mut panel: Panel) -> f64 {
    let total = panel.total().max(f64::MIN_POSITIVE);
    if let Some(hand) = &public.shown {
        return panel.none_right(hand.distinct()) / total;
    }
    for &card in &public.string {
        panel.accept(card);
    }
    panel.total() / total
}

/// The distinct cards of a hand with their chances, likeliest first.
pub(super) fn likeliest(hand: CardSet, chances: &[f64; 52]) -> Option<Card> {
    hand.reduce(|best, card| {
        let chance = |card: Card| chances[usize::from(card.index())];
        if chance(card) > chance(best) { card } else { best }
    })
}
