//! The expected value of a turn, in cards shed from the own hand, and of becoming prophet, in
//! points.

use crate::{CardMultiset, ForcedBy, Public, Rules, Shortlist, View};
use parlour_base::cards::{Card, CardSet};

/// The expected value of plays and claims in a turn, given their probabilities of being right.
pub(super) struct TurnValue<'a> {
    pub rules: &'a Rules,
    pub public: &'a Public,
    /// The cards in hand, without the string laid so far.
    pub hand: &'a CardMultiset,
    /// The value of an unpredictable verdict, in cards.
    pub curiosity: f64,
    /// The assumed probability that a prophet does not know the rule and judges as the bot would.
    pub likeness: f64,
}

/// The value of a prophet's overthrow to each other player, per card that the prophet draws.
const OVERTHROW: f64 = 0.5;

impl TurnValue<'_> {
    /// The cost of being expelled, in cards: the other players continue to shed theirs.
    fn expulsion(&self) -> f64 {
        if self.public.expelling { self.hand.len() as f64 / 2.0 } else { 0.0 }
    }

    /// Returns the expected value of a play or claim that is right with this probability. A wrong one
    /// that overthrows the prophet costs nothing.
    fn expected(&self, right: f64, gain: f64, loss: f64, shed_if_wrong: f64) -> f64 {
        // A prophet without the rule gives the likelier verdict.
        let (falls_if_right, falls_if_wrong) = match self.public.prophet {
            None => (0.0, 0.0),
            Some(_) if right > 0.5 => (0.0, self.likeness),
            Some(_) => (self.likeness, 0.0),
        };
        let fall = OVERTHROW * f64::from(self.rules.overthrow_penalty);
        let spared = shed_if_wrong + fall;
        right * (gain + falls_if_right * fall)
            + (1.0 - right) * (falls_if_wrong * spared - (1.0 - falls_if_wrong) * loss)
    }

    /// Returns the expected value of a string of this length that is right with this probability.
    pub fn string(&self, cards: usize, right: f64) -> f64 {
        let (laid, penalty) = (cards as f64, f64::from(self.rules.wrong_card_penalty));
        let held = self.hand.len() + self.public.string.len();
        let out = if cards == held { f64::from(self.rules.going_out_bonus) + 1.0 } else { 0.0 };
        let telling = if cards == 1 { self.curiosity * 4.0 * right * (1.0 - right) } else { 0.0 };
        let loss = laid * (penalty - 1.0) + self.expulsion();
        self.expected(right, laid + out, loss, laid) + telling
    }

    /// Returns the expected value of a claim of *no play* that is true with this probability.
    pub fn claim(&self, truth: f64) -> f64 {
        let (held, fewer) = (self.hand.len() as f64, f64::from(self.rules.no_play_fewer));
        let lost = f64::from(self.rules.false_no_play_penalty) - 1.0 + self.expulsion();
        // The right card leaves the hand in any case.
        self.expected(truth, fewer.min(held), lost, 1.0)
    }
}

/// Returns the expected value of the best continuation of the string on the table, and the next card
/// if more cards are to be laid. The search is greedy by the probability that the whole string is
/// right. Ties go to the card with more right cards after it.
pub(super) fn best_string(value: &TurnValue<'_>, mut shortlist: Shortlist) -> (f64, Option<Card>) {
    let laid = value.public.string.len();
    value.public.string.iter().for_each(|&card| shortlist.observe(card, true));
    let stop = if laid == 0 { f64::NEG_INFINITY } else { value.string(laid, shortlist.total()) };
    let mut best = (stop, None);
    let mut hand = *value.hand;
    let mut first = None;
    if laid == 0 && value.curiosity > 0.0 {
        // A single card with an informative verdict.
        let chances = shortlist.probabilities();
        let alone = |card: Card| value.string(1, chances[usize::from(card.index())]);
        if let Some((card, worth)) = best_by(hand.distinct(), alone)
            && worth > best.0
        {
            best = (worth, Some(card));
        }
    }
    for length in laid + 1..=value.rules.longest_string().min(laid + hand.len()) {
        let Some((card, right)) = safest(&shortlist, &hand) else { break };
        first.get_or_insert(card);
        let worth = value.string(length, right);
        if worth > best.0 {
            best = (worth, first);
        }
        // A longer string is at most as likely to be right.
        let hope = value.string(laid + hand.len(), right);
        if hope <= best.0 {
            break;
        }
        hand.remove(card);
        shortlist.observe(card, true);
    }
    best
}

/// Cards within this probability of the best one are compared by the cards that are right after them.
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

/// Returns the card with the highest value, the first of equals, and the value.
pub(super) fn best_by(
    cards: impl Iterator<Item = Card>,
    mut worth: impl FnMut(Card) -> f64,
) -> Option<(Card, f64)> {
    let each = cards.map(|card| (card, worth(card)));
    each.reduce(|best, next| if next.1 > best.1 { next } else { best })
}

/// Returns a prophet's verdict on the play or claim on the table: right if that is likelier than not.
/// A prophet who denies a claim must pick a right card, and can fail twice. Therefore a claim is denied
/// only if the best card is likelier to be right than the claim.
pub(super) fn verdict(rules: &Rules, public: &Public, mut shortlist: Shortlist) -> bool {
    let half = shortlist.total() / 2.0;
    if public.shown.is_some() {
        let hand = public.shown_cards();
        let (truth, chances) = (shortlist.none_right(hand), shortlist.probabilities());
        let best = hand.map(|card| chances[usize::from(card.index())]).fold(0.0, f64::max);
        return truth > if rules.forced_by == ForcedBy::Prophet { best } else { half };
    }
    public.string.iter().for_each(|&card| shortlist.observe(card, true));
    shortlist.total() > half
}

/// Returns the card of a hand that is most likely to be right.
pub(super) fn likeliest(hand: CardSet, chances: &[f64; 52]) -> Option<Card> {
    best_by(hand, |card| chances[usize::from(card.index())]).map(|(card, _)| card)
}

/// Mean number of cards laid per turn, and mean points of a card for the prophet: two for a wrong
/// card, one for a right card.
const CARDS_A_TURN: f64 = 1.3;
const PAY: f64 = 1.4;

/// Mean number of cards that a player sheds per turn, without and with knowledge of the rule.
const SHED: f64 = 0.7;
const KNOWING_SHED: f64 = 2.5;

/// Error rate of a prophet who does not know the rule.
const PROPHET_SLIP: f64 = 0.25;

/// Returns the expected gain, in points, of becoming prophet now over playing on, with this belief in
/// one rule.
///
/// The model hand lasts until the player with the fewest cards has shed them. A prophet who knows the
/// rule is paid for each card until then. A prophet who does not is eventually overthrown, and loses
/// the pay and some cards. A player who knows the rule would shed cards in the same time.
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
