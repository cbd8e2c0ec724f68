//! All that a decision goes by, and what each move is worth.

use super::super::Weights;
use super::bounds::Bounds;
use super::hopes::Changes;
use super::lie::Lie;
use super::lines::Potential;
use super::race::{Judge, Race};
use super::reach::{Fills, Reach, chance_of_jack, limit, reach};
use crate::cards::{Card, CardSet};
use crate::cells::{CELLS, Cell, JACKS, Kind};
use crate::gains::Outlook;
use crate::{Act, Move, Rules, Side, View};

/// All that one decision goes by.
pub(super) struct Decision<'a> {
    pub weights: &'a Weights,
    pub rules: &'a Rules,
    pub view: &'a View,
    pub judge: Judge<'a>,
    /// The squares, by side.
    pub now: &'a [Outlook; 2],
    /// What lies on them.
    pub lie: Lie,
    /// What their lines may still bring.
    pub lines: &'a Potential<'a>,
    /// What each play changes in that.
    pub changes: &'a [Changes; CELLS],
    /// How much of the worth of kept cards is left so late in the hand.
    pub fade: f64,
    /// The race with the values as they are.
    pub race: Race,
    /// What a jack would take at most.
    pub worst: i32,
    /// No card gives more on a square, by side, wherever it is laid.
    pub limits: [i32; 2],
    /// What the hand can fill.
    pub fills: Fills,
    /// The most that a card in hand gives on the own square; just a bound where that is too little
    /// to count.
    pub own_reach: Reach,
    /// The most that any card gives on an open cell of the other's square, or bounds for it where
    /// that hardly matters.
    pub other_reach: [i32; 2],
    /// How good the squares are as they stand, with the hand as it is.
    pub stays: f64,
}

impl<'a> Decision<'a> {
    #[inline(always)]
    pub fn new(
        weights: &'a Weights,
        rules: &'a Rules,
        view: &'a View,
        (now, lie): (&'a [Outlook; 2], Lie),
        (lines, changes): (&'a Potential<'a>, &'a [Changes; CELLS]),
    ) -> Decision<'a> {
        let judge = Judge { weights, rules, jack: chance_of_jack(rules, view) };
        let limits = [limit(&now[0]), limit(&now[1])];
        let knock_at = i32::from(rules.knock_at);
        let fills = Fills::of(view.hand.distinct());
        let most = fills.most(&now[0]);
        // Below that no card in hand can lead to a winning knock, whatever the other's value is.
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
            judge,
            now,
            lie,
            lines,
            changes,
            fade: (f64::from(view.stock_len) / weights.fade.max(1.0)).min(1.0),
            race: judge.race([now[0].value, now[1].value]),
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

    /// How good the squares are as they are, with these cards left, of which one gives so much on the
    /// own square.
    fn stays_with(&self, own_reach: i32, cards: CardSet) -> f64 {
        let (race, other) = (&self.race, || self.other_reach(&self.race));
        self.judge.standing(race, self.worst, |need| own_reach >= need, other, self.guard(cards))
    }

    /// The most that any card gives on an open cell of the other's square; just a bound where that is
    /// too little to count.
    fn other_reach(&self, race: &Race) -> i32 {
        let [least, most] = self.other_reach;
        if least == most || race.need(0) > 0 { most } else { reach(&self.now[1]) }
    }

    /// The most points of a line.
    #[inline(always)]
    pub fn line(&self) -> i32 {
        i32::from(self.rules.suit_line.max(self.rules.color_line))
    }

    /// How much of a looming threat these cards make good.
    #[inline(always)]
    pub fn guard(&self, cards: CardSet) -> f64 {
        if (cards & JACKS).is_empty() { 0.0 } else { self.weights.guard }
    }

    /// The distinct cards of the hand when one copy of a card has left it.
    #[inline(always)]
    pub fn without(&self, card: Card) -> CardSet {
        let hand = self.view.hand;
        if hand.doubled().has(card) { hand.distinct() } else { hand.distinct().without(card) }
    }

    /// The most that the cards left give on the own square when one copy of a card has left the hand.
    #[inline(always)]
    pub fn reach_without(&self, card: Card) -> i32 {
        let Reach { most, by, next, .. } = self.own_reach;
        if by == Some(card) && !self.view.hand.doubled().has(card) { next } else { most }
    }

    /// What it changes that one copy of a card leaves the hand, the card itself not counted.
    pub fn stays_without(&self, card: Card) -> f64 {
        self.stays_with(self.reach_without(card), self.without(card)) - self.stays
    }

    /// What it is worth to lay a card on a cell, the card itself not counted.
    pub fn lay(&self, side: Side, card: Card, cell: Cell) -> f64 {
        let suit = (!Kind::of(card).is_face_down()).then_some(card.suit().index());
        let standing = self.standing(side, card, cell);
        let hope = self.lines.change(side as usize, cell, suit);
        let weights = self.weights;
        // The change of the square of the expected points, for a change of them.
        let swell = hope * (2.0 * self.lines.points[side as usize] + hope);
        let knock_at = f64::from(self.rules.knock_at.max(1));
        match side {
            Side::Own => {
                standing - self.stays
                    + weights.own_hope * hope
                    + weights.own_swell * swell / knock_at
            }
            Side::Other => {
                standing
                    - self.stays
                    - weights.other_hope * hope
                    - weights.other_swell * swell / knock_at
            }
        }
    }

    /// How good the squares are when a card is laid on a cell.
    pub fn standing(&self, side: Side, card: Card, cell: Cell) -> f64 {
        let now = &self.now[side as usize];
        let lost = now.losses.at(cell);
        let gain = if Kind::of(card).is_face_down() { 0 } else { now.gain(card, cell) };
        let left = self.without(card);
        let guard = self.guard(left);
        // Where no line comes, goes or comes near nothing changes but the guard.
        let near = |side: usize| self.race.need(side) <= self.limits[side] + self.line();
        let fills = now.square.open().has(cell) && !Kind::of(card).is_face_down();
        let quiet = fills && gain == 0 && lost == 0 && !near(0);
        if quiet
            && (side == Side::Own || !near(1))
            && guard == self.guard(self.view.hand.distinct())
        {
            return self.stays;
        }
        let mut square = now.square;
        square.put(card, cell);
        let after = Outlook::new(square, now.value + gain - lost, self.rules);
        let mut values = [self.now[0].value, self.now[1].value];
        values[side as usize] = after.value;
        let race = if gain == lost { self.race } else { self.judge.race(values) };
        match side {
            Side::Own => self.judge.standing(
                &race,
                after.losses.most(),
                |need| self.fills.left(left).reach(&after, need),
                || self.other_reach(&race),
                guard,
            ),
            Side::Other => self.judge.standing(
                &race,
                self.worst,
                |need| self.reach_without(card) >= need,
                || reach(&after),
                guard,
            ),
        }
    }

    /// What a move is worth that is no knock.
    pub fn worth(&self, bounds: Option<&Bounds<'_>>, mv: Move) -> f64 {
        match mv.act() {
            Act::Own(card, cell) => {
                let keep = match Kind::of(card) {
                    Kind::Number(cell) => self.keep_number(card, cell),
                    kind => self.keep(kind),
                };
                self.lay(Side::Own, card, cell) - keep
            }
            Act::Other(card, cell) => {
                let keep = match Kind::of(card) {
                    Kind::Number(_) => self.lost(card),
                    kind => self.keep(kind),
                };
                self.lay(Side::Other, card, cell) - keep
            }
            Act::Discard(card) => {
                let keep = match Kind::of(card) {
                    Kind::Number(cell) => self.keep_number(card, cell) + self.lost(card),
                    kind => {
                        self.keep(kind)
                            + self.fade * self.weights.keep_best * self.most(bounds, card)
                    }
                };
                self.stays_without(card) - keep
            }
            Act::End | Act::Knock => 0.0,
        }
    }

    /// What a number card in hand is worth to the lines of the own square.
    #[inline(always)]
    pub fn lost(&self, card: Card) -> f64 {
        let open = self.now[0].square.open();
        -self.weights.own_hope * self.lines.lose(card, self.view.hand, open, self.weights)
    }

    /// What a number card is worth keeping that would do the other's square so much harm.
    #[inline(always)]
    pub fn keep_harm(&self, card: Card, harm: f64) -> f64 {
        let single = !self.view.hand.doubled().has(card);
        if single { self.fade * self.weights.keep_harm * harm.max(0.0) } else { 0.0 }
    }

    /// What a number card is worth keeping.
    fn keep_number(&self, card: Card, cell: Cell) -> f64 {
        if self.view.hand.doubled().has(card) || !self.now[1].square.open().has(cell) {
            return 0.0;
        }
        self.keep_harm(card, self.lay(Side::Other, card, cell))
    }

    /// What a ten or a face card is worth keeping.
    #[inline(always)]
    pub fn keep(&self, kind: Kind) -> f64 {
        let weights = self.weights;
        let hope = |side: usize| self.lines.points[side] - f64::from(self.now[side].value);
        let keep = match kind {
            Kind::Ten => weights.keep_ten,
            Kind::Jack => weights.keep_jack + weights.keep_jack_hope * hope(1),
            Kind::Queen => weights.keep_queen,
            _ => weights.keep_king + weights.keep_king_hope * hope(0),
        };
        self.fade * keep
    }

    /// The most that a ten or a face card could do now; not less than nothing.
    fn most(&self, bounds: Option<&Bounds<'_>>, card: Card) -> f64 {
        let kind = Kind::of(card);
        let mut most = 0.0;
        for side in Side::BOTH {
            for cell in self.rules.cells(kind, self.now[side as usize].square, side) {
                if bounds.is_none_or(|bounds| bounds.may_exceed((side, cell), card, most)) {
                    most = self.lay(side, card, cell).max(most);
                }
            }
        }
        most
    }
}
