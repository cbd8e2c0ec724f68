//! What a turn can be expected to be worth, in cards fewer in the own hand; what becoming prophet
//! is worth, in points.

use crate::cards::{Card, CardSet};
use crate::{CardMultiset, ForcedBy, Public, Rules, Shortlist, View};

/// What bears on the worth of a turn beside the belief.
pub(super) struct TurnValue<'a> {
    pub rules: &'a Rules,
    pub public: &'a Public,
    /// The cards still in hand; those of the string laid so far are not.
    pub hand: &'a CardMultiset,
    /// Cards that a verdict nobody can foretell is worth.
    pub curiosity: f64,
    /// How likely a prophet is thought to judge as we would, not to know the rule.
    pub likeness: f64,
}

/// What a prophet's overthrow is worth to each other player, for each card that it draws.
const OVERTHROW: f64 = 0.5;

impl TurnValue<'_> {
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
    fn expected(&self, right: f64, gain: f64, loss: f64, shed_if_wrong: f64) -> f64 {
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
        self.expected(right, laid + out, loss, laid) + telling
    }

    /// The worth of claiming *no play*, true with this chance.
    pub fn claim(&self, truth: f64) -> f64 {
        let (held, fewer) = (self.hand.len() as f64, f64::from(self.rules.no_play_fewer));
        let lost = f64::from(self.rules.false_no_play_penalty) - 1.0 + self.expulsion();
        // The right card goes on the mainline all the same.
        self.expected(truth, fewer.min(held), lost, 1.0)
    }
}

/// A string that could be laid: its worth in all, and its next card if it is to be longer.
#[derive(Clone, Copy)]
pub(super) struct StringPlan {
    pub worth: f64,
    pub next: Option<Card>,
}

/// The best way to go on with the string on the table (or to begin one): greedily by the chance
/// that all of it is right, and of equals by how many cards are right after it.
pub(super) fn best_string(value: &TurnValue<'_>, mut shortlist: Shortlist) -> StringPlan {
    let laid = value.public.string.len();
    for &card in &value.public.string {
        shortlist.observe(card, true);
    }
    let mut best = StringPlan {
        worth: if laid == 0 { f64::NEG_INFINITY } else { value.string(laid, shortlist.total()) },
        next: None,
    };
    let mut hand = *value.hand;
    let mut first = None;
    let most = value.rules.longest_string();
    if laid == 0 && value.curiosity > 0.0 {
        // A single card that tells much.
        let chances = shortlist.probabilities();
        let alone = |card: Card| value.string(1, chances[usize::from(card.index())]);
        if let Some((card, worth)) = best_by(hand.distinct(), alone)
            && worth > best.worth
        {
            best = StringPlan { worth, next: Some(card) };
        }
    }
    for length in laid + 1..=most.min(laid + hand.len()) {
        let card = safest(&shortlist, &hand);
        let Some((card, right)) = card else { break };
        first.get_or_insert(card);
        let worth = value.string(length, right);
        if worth > best.worth {
            best = StringPlan { worth, next: first };
        }
        // A longer string can only be less likely.
        let hope = value.string(laid + hand.len(), right);
        if hope <= best.worth {
            break;
        }
        hand.remove(card);
        shortlist.observe(card, true);
    }
    best
}

/// How much less likely a card may be that is looked at for what comes after it.
const CLOSE: f64 = 0.02;

fn safest(shortlist: &Shortlist, hand: &CardMultiset) -> Option<(Card, f64)> {
    let chances = shortlist.probabilities();
    let chance = |card: Card| chances[usize::from(card.index())];
    let top = hand.distinct().map(chance).fold(f64::NEG_INFINITY, f64::max);
    let close: Vec<Card> = hand.distinct().filter(|&card| chance(card) >= top - CLOSE).collect();
    if let [card] = close[..] {
        return Some((card, chance(card)));
    }
    let (card, _) = best_by(close.into_iter(), |card| {
        let mut after = shortlist.clone();
        after.observe(card, true);
        let mut rest = *hand;
        rest.remove(card);
        let next = after.probabilities();
        rest.distinct().map(|card| next[usize::from(card.index())]).sum()
    })?;
    Some((card, chance(card)))
}

/// The card that is worth most, the first of equals, and what it is worth.
pub(super) fn best_by(
    cards: impl Iterator<Item = Card>,
    mut worth: impl FnMut(Card) -> f64,
) -> Option<(Card, f64)> {
    let each = cards.map(|card| (card, worth(card)));
    each.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// A prophet's verdict on the play or claim on the table: right if that is likelier than not. Who
/// denies a claim and must pick the right card can fail twice: it is denied if the best card is
/// likelier right than the claim.
pub(super) fn verdict(rules: &Rules, public: &Public, mut shortlist: Shortlist) -> bool {
    let half = shortlist.total() / 2.0;
    if let Some(hand) = public.shown.as_ref().map(CardMultiset::distinct) {
        let (truth, chances) = (shortlist.none_right(hand), shortlist.probabilities());
        let best = hand.map(|card| chances[usize::from(card.index())]).fold(0.0, f64::max);
        return truth > if rules.forced_by == ForcedBy::Prophet { best } else { half };
    }
    for &card in &public.string {
        shortlist.observe(card, true);
    }
    shortlist.total() > half
}

/// The card of a hand that is likeliest right.
pub(super) fn likeliest(hand: CardSet, chances: &[f64; 52]) -> Option<Card> {
    best_by(hand, |card| chances[usize::from(card.index())]).map(|(card, _)| card)
}

/// Cards that a player lays in a turn, right or wrong, and what one is worth to a prophet: two for
/// a wrong card, one for a right one.
const CARDS_A_TURN: f64 = 1.3;
const PAY: f64 = 1.4;

/// Cards that a player sheds in a turn, and one who knows the rule.
const SHED: f64 = 0.7;
const KNOWING_SHED: f64 = 2.5;

/// How often a prophet is wrong who does not know the rule.
const PROPHET_SLIP: f64 = 0.25;

/// The points that becoming prophet now can be expected to bring over playing on, with this belief
/// in one rule.
///
/// The hand lasts until the player with the fewest cards has shed them. A prophet who knows the
/// rule is paid for every card until then; one who does not is overthrown sooner or later, and
/// loses the pay and some cards. A player who knows the rule would shed its cards in the same time.
pub(super) fn prophecy(rules: &Rules, view: &View, belief: f64) -> f64 {
    let public = &view.public;
    let others = || public.active(rules.seats).filter(|seat| *seat != view.seat);
    let fewest = others().map(|seat| public.held[seat.index()]).min().unwrap_or(0);
    let rounds = (f64::from(fewest) / SHED).clamp(1.0, 15.0);
    let judged = rounds * others().count() as f64;
    let overthrown = 1.0 - (0..judged as u32).fold(1.0, |kept, _| kept * (1.0 - PROPHET_SLIP));
    let known = judged * CARDS_A_TURN * PAY;
    let unknown = -overthrown * f64::from(rules.overthrow_penalty);
    let held = view.hand.len() as f64;
    let playing =
        belief * held.min(rounds * KNOWING_SHED) + (1.0 - belief) * held.min(rounds * SHED) * 0.5;
    belief * known + (1.0 - belief) * unknown - playing
}
