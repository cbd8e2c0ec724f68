//! The position of a decision, and the exact values of its parts.

use super::super::Weights;
use super::lines::Potential;
use super::race::{Race, RaceModel};
use super::reach::{Fills, Reach, chance_of_jack, limit, reach};
use crate::cells::{CardKind, Cell, JACKS};
use crate::gains::SquareGains;
use crate::{Rules, Side, View};
use parlour_base::cards::{Card, CardSet};

/// The position of a decision.
pub(super) struct Decision<'a> {
    pub weights: &'a Weights,
    pub rules: &'a Rules,
    pub view: &'a View,
    pub model: RaceModel<'a>,
    /// The squares, by side.
    pub now: &'a [SquareGains; 2],
    /// Expected points of the lines.
    pub lines: &'a Potential<'a>,
    /// Share of the value of kept cards that is left so late in the hand.
    pub fade: f64,
    /// The race with the current values.
    pub race: Race,
    /// Largest loss of the own square by a jack.
    pub worst: i32,
    /// Upper bound of the gain of any card on any cell, by side.
    pub limits: [i32; 2],
    /// The cells that the hand can fill.
    pub fills: Fills,
    /// Largest gain of a card in hand on the own square; only an upper bound if it is too small to
    /// matter.
    pub own_reach: Reach,
    /// Bounds of the largest gain of any card on an open cell of the other square; exact where it
    /// matters.
    pub other_reach: [i32; 2],
    /// Value of the squares in the race, with the hand as it is.
    pub stays: f64,
}

impl<'a> Decision<'a> {
    #[inline(always)]
    pub fn new(
        weights: &'a Weights,
        rules: &'a Rules,
        view: &'a View,
        now: &'a [SquareGains; 2],
        lines: &'a Potential<'a>,
    ) -> Decision<'a> {
        let model = RaceModel { weights, rules, jack: chance_of_jack(rules, view) };
        let limits = [limit(&now[0]), limit(&now[1])];
        let knock_at = i32::from(rules.knock_at);
        let fills = Fills::of(view.hand.distinct());
        let most = fills.most(&now[0]);
        // Below this no card in hand can lead to a winning knock, whatever the other value is.
        let own_reach = match knock_at - now[0].value <= most {
            true => Reach::with(&now[0], view.hand.distinct()),
            false => Reach { most, ..Reach::NONE },
        };
        let other_reach = match knock_at - now[1].value <= limits[1] {
            true => [reach(&now[1]); 2],
            false => [0, limits[1]],
        };
        let mut decision = Decision {
            weights,
            rules,
            view,
            model,
            now,
            lines,
            fade: (f64::from(view.stock_len) / weights.fade.max(1.0)).min(1.0),
            race: model.race([now[0].value, now[1].value]),
            worst: now[0].losses.most(),
            limits,
            fills,
            own_reach,
            other_reach,
            stays: 0.0,
        };
        decision.stays = decision.stays_with(own_reach.most, view.hand.distinct());
        decision
    }

    /// Value of the squares in the race with these cards left, whose largest gain is `own_reach`.
    fn stays_with(&self, own_reach: i32, cards: CardSet) -> f64 {
        let (race, other) = (&self.race, || self.other_reach(&self.race));
        self.model.standing(race, self.worst, |need| own_reach >= need, other, self.guard(cards))
    }

    /// Largest gain of any card on an open cell of the other square; only an upper bound if it does not
    /// matter.
    fn other_reach(&self, race: &Race) -> i32 {
        let [least, most] = self.other_reach;
        if least == most || race.need(0) > 0 { most } else { reach(&self.now[1]) }
    }

    /// Largest points of a line.
    #[inline(always)]
    pub fn line(&self) -> i32 {
        i32::from(self.rules.suit_line.max(self.rules.color_line))
    }

    /// Share of a looming threat that these cards can answer.
    #[inline(always)]
    pub fn guard(&self, cards: CardSet) -> f64 {
        if (cards & JACKS).is_empty() { 0.0 } else { self.weights.guard }
    }

    /// The distinct cards of the hand without one copy of a card.
    #[inline(always)]
    pub fn without(&self, card: Card) -> CardSet {
        let hand = self.view.hand;
        if hand.doubled().has(card) { hand.distinct() } else { hand.distinct().without(card) }
    }

    /// Largest gain on the own square of the hand without one copy of a card.
    #[inline(always)]
    pub fn reach_without(&self, card: Card) -> i32 {
        let Reach { most, by, next, .. } = self.own_reach;
        if by == Some(card) && !self.view.hand.doubled().has(card) { next } else { most }
    }

    /// Change in the race when one copy of a card leaves the hand, without the value of the card.
    pub fn stays_without(&self, card: Card) -> f64 {
        self.stays_with(self.reach_without(card), self.without(card)) - self.stays
    }

    /// Value of laying a card on a cell, without the value of the card in hand.
    pub fn lay(&self, side: Side, card: Card, cell: Cell) -> f64 {
        let suit = (!CardKind::of(card).is_face_down()).then_some(card.suit().index());
        let standing = self.standing(side, card, cell);
        let delta = self.lines.change(side as usize, cell, suit);
        let weights = self.weights;
        // The change of the square of the expected points.
        let swell = delta * (2.0 * self.lines.points[side as usize] + delta);
        let knock_at = f64::from(self.rules.knock_at.max(1));
        match side {
            Side::Own => {
                standing - self.stays
                    + weights.own_hope * delta
                    + weights.own_swell * swell / knock_at
            }
            Side::Other => {
                standing
                    - self.stays
                    - weights.other_hope * delta
                    - weights.other_swell * swell / knock_at
            }
        }
    }

    /// Value of the squares in the race when a card is laid on a cell.
    pub fn standing(&self, side: Side, card: Card, cell: Cell) -> f64 {
        let now = &self.now[side as usize];
        let lost = now.losses.at(cell);
        let gain = if CardKind::of(card).is_face_down() { 0 } else { now.gain(card, cell) };
        let left = self.without(card);
        let guard = self.guard(left);
        // If no line comes, goes or comes near, only the guard may change.
        let near = |side: usize| self.race.need(side) <= self.limits[side] + self.line();
        let fills = now.square.open().has(cell) && !CardKind::of(card).is_face_down();
        let quiet = fills && gain == 0 && lost == 0 && !near(0);
        if quiet
            && (side == Side::Own || !near(1))
            && guard == self.guard(self.view.hand.distinct())
        {
            return self.stays;
        }
        let mut square = now.square;
        square.put(card, cell);
        let after = SquareGains::new(square, now.value + gain - lost, self.rules);
        let mut values = [self.now[0].value, self.now[1].value];
        values[side as usize] = after.value;
        let race = if gain == lost { self.race } else { self.model.race(values) };
        match side {
            Side::Own => self.model.standing(
                &race,
                after.losses.most(),
                |need| self.fills.left(left).reach(&after, need),
                || self.other_reach(&race),
                guard,
            ),
            Side::Other => self.model.standing(
                &race,
                self.worst,
                |need| self.reach_without(card) >= need,
                || reach(&after),
                guard,
            ),
        }
    }

    /// Value of a number card in hand for the lines of the own square.
    #[inline(always)]
    pub fn line_value(&self, card: Card) -> f64 {
        let open = self.now[0].square.open();
        -self.weights.own_hope * self.lines.lose(card, self.view.hand, open, self.weights)
    }

    /// Value of keeping a number card that would do this much harm on the other square.
    #[inline(always)]
    pub fn keep_harm(&self, card: Card, harm: f64) -> f64 {
        let single = !self.view.hand.doubled().has(card);
        if single { self.fade * self.weights.keep_harm * harm.max(0.0) } else { 0.0 }
    }

    /// Value of keeping a number card.
    pub fn keep_number(&self, card: Card, cell: Cell) -> f64 {
        if self.view.hand.doubled().has(card) || !self.now[1].square.open().has(cell) {
            return 0.0;
        }
        self.keep_harm(card, self.lay(Side::Other, card, cell))
    }

    /// Value of keeping a ten or a face card.
    #[inline(always)]
    pub fn keep(&self, kind: CardKind) -> f64 {
        let weights = self.weights;
        let missing = |side: usize| self.lines.points[side] - f64::from(self.now[side].value);
        let keep = match kind {
            CardKind::Ten => weights.keep_ten,
            CardKind::Jack => weights.keep_jack + weights.keep_jack_hope * missing(1),
            CardKind::Queen => weights.keep_queen,
            _ => weights.keep_king + weights.keep_king_hope * missing(0),
        };
        self.fade * keep
    }
}
