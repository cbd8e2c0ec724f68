//! All that a decision goes by, and what a play is worth without what the card itself is.

use std::cell::Cell as Slot;
use std::ops::RangeInclusive;

use super::super::Weights;
use super::super::gains::Outlook;
use super::lines::{Fillers, Potential};
use super::race::{Judge, Most, Prospects, Race};
use super::reach::{Reach, chance_of_jack, limit, reach};
use crate::cards::{Card, CardSet};
use crate::games::leopard::cells::{Cell, Cells, JACKS, KINGS, Kind};
use crate::games::leopard::{Rules, Side, View};

/// All that one decision goes by.
pub(super) struct Decision<'a> {
    pub(super) weights: &'a Weights,
    /// Whether bounds for groups of moves hold.
    plain: bool,
    pub rules: &'a Rules,
    pub view: &'a View,
    pub(super) hand: &'a Fillers,
    judge: Judge<'a>,
    /// The squares, by side.
    pub(super) now: &'a [Outlook; 2],
    /// What their lines may still bring.
    pub lines: &'a Potential<'a>,
    /// How much of the worth of kept cards is left so late in the hand.
    pub(super) fade: f64,
    /// The race with the values as they are.
    race: Race,
    /// What a jack would take at most.
    worst: i32,
    /// The most that any card gives on an open cell of the other's square, or bounds for it where
    /// that hardly matters.
    other_reach: RangeInclusive<i32>,
    /// No card gives more on a square, by side, wherever it is laid.
    limits: [i32; 2],
    /// The most that a card in hand gives on the own square; just a bound where that is too little
    /// to count.
    own_reach: Reach,
    /// With the hand as it is.
    pub(super) still: Still,
    /// How good the squares are, at most, where a value changes, as it comes up: with what made it.
    changed: [Slot<(u32, Most)>; 16],
}

/// How good the squares are with what is left of the hand, where no value changes.
#[derive(Clone, Copy)]
pub(super) struct Still {
    /// The most that a card of the hand gives on the own square as it is.
    reach: i32,
    guard: f64,
    /// Whether that is otherwise than with the whole hand.
    is_other: bool,
    /// Where neither square changes.
    pub(super) stays: f64,
    /// Where a card comes to lie on one, by side.
    laid: [Most; 2],
}

/// What a play does to a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// It puts a face-up card on an open one.
    Fills,
    /// It puts one on another face-up card.
    Replaces,
    /// It makes it open.
    Opens,
}

/// More than rounding can add up to.
const SLACK: f64 = 1e-6;

impl<'a> Decision<'a> {
    #[inline(always)]
    pub fn new(
        (weights, plain, rules): (&'a Weights, bool, &'a Rules),
        view: &'a View,
        now: &'a [Outlook; 2],
        hand: &'a Fillers,
        lines: &'a Potential<'a>,
    ) -> Decision<'a> {
        let judge = Judge { weights, rules, jack: chance_of_jack(rules, view) };
        let limits = [limit(&now[0]), limit(&now[1])];
        // Below that no card in hand can lead to a winning knock, whatever the other's value is.
        let may_be_poised = i32::from(rules.knock_at) - now[0].value <= limits[0];
        let own_reach = match may_be_poised {
            true => Reach::with(&now[0], view.hand.distinct()),
            false => Reach { most: limits[0], ..Reach::NONE },
        };
        let unsure = Most { most: 0.0, sure: false };
        let still = Still { reach: 0, guard: 0.0, is_other: false, stays: 0.0, laid: [unsure; 2] };
        let mut decision = Decision {
            weights,
            plain,
            rules,
            view,
            hand,
            judge,
            now,
            lines,
            fade: (f64::from(view.stock_len) / weights.fade.max(1.0)).min(1.0),
            race: judge.race([now[0].value, now[1].value]),
            worst: now[0].losses.most(),
            other_reach: match i32::from(rules.knock_at) - now[1].value <= limits[1] {
                true => {
                    let reach = reach(&now[1]);
                    reach..=reach
                }
                false => 0..=limits[1],
            },
            limits,
            own_reach,
            still,
            changed: [const { Slot::new((0, Most::NONE)) }; 16],
        };
        decision.still = decision.still_with(own_reach.most, own_reach.most, view.hand.distinct());
        decision
    }

    /// How good the squares are with these cards left, of which one gives the most on the own
    /// square, and at least so much wherever another is laid on an open cell.
    fn still_with(&self, own_reach: i32, least: i32, cards: CardSet) -> Still {
        let guard = if (cards & JACKS).is_empty() { 0.0 } else { self.weights.guard };
        // Far from a knock neither what the hand can do nor what the other can counts.
        let line = self.line();
        if self.race.need(0) > self.limits[0] + line && self.race.need(1) > self.limits[1] + line {
            let worst = self.worst..=self.worst;
            let far = Prospects { worst, own_reach: 0..=0, other_reach: 0..=0, guard };
            let far = self.judge.standing(&self.race, &far);
            return Still {
                reach: own_reach,
                guard,
                is_other: false,
                stays: far.most,
                laid: [far; 2],
            };
        }
        let with = |own_reach, other_reach| {
            let worst = self.worst..=self.worst;
            self.judge.standing(&self.race, &Prospects { worst, own_reach, other_reach, guard })
        };
        let (own, other) = (own_reach..=own_reach, self.other_reach.clone());
        let laid = [
            with(least..=own_reach + line, other.clone()),
            with(own.clone(), 0..=*other.end() + line),
        ];
        // That must be known for sure.
        let mut stays = with(own.clone(), other);
        if !stays.sure {
            let other = reach(&self.now[1]);
            stays = with(own, other..=other);
        }
        Still { reach: own_reach, guard, is_other: false, stays: stays.most, laid }
    }

    /// The same without one copy of a card.
    #[inline(always)]
    pub(super) fn still(&self, card: Card) -> Still {
        let hand = self.view.hand;
        let Reach { most, by, next, .. } = self.own_reach;
        let only_jack = (hand.distinct() & JACKS) == CardSet::EMPTY.with(card);
        if hand.doubled().has(card) || !(by == Some(card) || only_jack) {
            return self.still;
        }
        let (reach, least) = if by == Some(card) { (next, 0) } else { (most, most) };
        Still { is_other: true, ..self.still_with(reach, least, hand.distinct().without(card)) }
    }

    /// The most points of a line.
    #[inline(always)]
    fn line(&self) -> i32 {
        i32::from(self.rules.suit_line.max(self.rules.color_line))
    }

    /// What it is worth that the squares become as good as this and the expected points of one of
    /// them change by so much.
    #[inline(always)]
    fn worth_of(&self, standing: f64, side: Side, hope: f64) -> f64 {
        let weights = self.weights;
        // The change of the square of the expected points, for a change of them.
        let swell = hope * (2.0 * self.lines.points[side as usize] + hope);
        let knock_at = f64::from(self.rules.knock_at.max(1));
        match side {
            Side::Own => {
                standing - self.still.stays
                    + weights.own_hope * hope
                    + weights.own_swell * swell / knock_at
            }
            Side::Other => {
                standing
                    - self.still.stays
                    - weights.other_hope * hope
                    - weights.other_swell * swell / knock_at
            }
        }
    }

    /// The same as the next, kept where it may come up again.
    #[inline(always)]
    fn standing_kept(&self, side: Side, gain: i32, lost: i32, how: How, still: &Still) -> Most {
        if still.is_other {
            return self.standing_most(side, gain, lost, how, still);
        }
        let key = 1 | (side as u32) << 1 | (how as u32) << 2 | (gain << 8 | lost << 16) as u32;
        let slot = &self.changed[(gain + 5 * lost + 8 * side as i32) as usize & 15];
        if slot.get().0 != key {
            slot.set((key, self.standing_most(side, gain, lost, how, still)));
        }
        slot.get().1
    }

    /// How good the squares are, at most, when a play on one of them wins a line worth so much and
    /// loses others.
    fn standing_most(&self, side: Side, gain: i32, lost: i32, how: How, still: &Still) -> Most {
        // A line more adds at most its points to what a card gives.
        let line = self.line();
        let (worst, own_reach, other_reach) = match side {
            Side::Own => {
                let worst = match (gain, lost) {
                    (0, 0) => self.worst..=self.worst,
                    // The card itself would be taken, or any other that was there.
                    (_, 0) => self.worst.max(gain)..=4 * line,
                    _ => gain..=self.worst.max(4 * line),
                };
                let most = match how {
                    How::Fills => still.reach + line,
                    // What a king would lose may be less.
                    How::Replaces => self.limits[0] + line,
                    How::Opens => self.limits[0],
                };
                (worst, 0..=most, self.other_reach.clone())
            }
            Side::Other => {
                let most = match how {
                    How::Opens => self.limits[1],
                    _ => *self.other_reach.end() + line,
                };
                (self.worst..=self.worst, still.reach..=still.reach, 0..=most)
            }
        };
        let prospects = Prospects { worst, own_reach, other_reach, guard: still.guard };
        if gain == lost {
            return self.judge.standing(&self.race, &prospects);
        }
        let mut values = [self.now[0].value, self.now[1].value];
        values[side as usize] += gain - lost;
        self.judge.standing(&self.judge.race(values), &prospects)
    }

    /// What it is worth at most to lay a card on a cell, the card itself not counted.
    #[inline(always)]
    pub(super) fn lay_most(
        &self,
        side: Side,
        cell: Cell,
        suit: Option<usize>,
        still: &Still,
    ) -> Most {
        let now = &self.now[side as usize];
        let lost = now.losses.at(cell);
        let gain = suit.map_or(0, |suit| now.gains[suit & 3].at(cell));
        let how = match suit {
            Some(_) if now.square.open().has(cell) => How::Fills,
            Some(_) => How::Replaces,
            None => How::Opens,
        };
        // Where no line comes or goes nothing that lies there counts more or less.
        let same = gain == 0 && lost == 0 && how == How::Fills;
        let standing = match same && (side == Side::Other || !self.own_reach.at.has(cell)) {
            true => still.laid[side as usize],
            false => self.standing_kept(side, gain, lost, how, still),
        };
        let hope = self.lines.change(side as usize, cell, suit);
        Most { most: self.worth_of(standing.most, side, hope), sure: standing.sure }
    }

    /// Those of some own cells on which a card of this suit, or one that makes them open, wins no
    /// line, and the most that it can be worth there.
    #[inline(always)]
    pub(super) fn own_quiet(
        &self,
        cells: Cells,
        suit: Option<usize>,
        still: &Still,
    ) -> (Cells, f64) {
        let own = self.lines;
        if !self.plain || self.race.need(0) <= 0 {
            return (Cells::NONE, 0.0);
        }
        let (quiet, hope) = match suit {
            None => (cells, Some(own.opens_most(cells))),
            Some(suit) => {
                let gains = self.now[0].gains[suit & 3].cells();
                let quiet = cells.without(gains);
                (quiet, own.fits_most(quiet, suit, self.view.hand.distinct() & KINGS))
            }
        };
        let Some(hope) = hope else { return (Cells::NONE, 0.0) };
        // A line that is lost makes all worse but what a jack would take and what looms, where
        // that is no threat.
        let exposed = self.weights.exposure * self.judge.jack * f64::from(self.worst);
        let looming = self.weights.looming.min(0.0) * (1.0 - self.weights.guard);
        let standing = still.laid[0].most + exposed + looming.abs() + self.weights.poised;
        (quiet, self.worth_of(standing, Side::Own, hope) + SLACK)
    }

    /// What it is worth to lay a card on a cell, the card itself not counted.
    pub(super) fn lay(&self, side: Side, card: Card, cell: Cell) -> f64 {
        let now = &self.now[side as usize];
        let mut square = now.square;
        square.put(card, cell);
        let lost = now.losses.at(cell);
        let (change, suit) = match Kind::of(card).is_face_down() {
            true => (-lost, None),
            false => (now.gain(card, cell) - lost, Some(card.suit().index())),
        };
        let after = Outlook::new(square, now.value + change, self.rules);
        let mut values = [self.now[0].value, self.now[1].value];
        values[side as usize] = after.value;
        let race = if change == 0 { self.race } else { self.judge.race(values) };
        let still = self.still(card);
        let hand = self.view.hand.distinct();
        let single = !self.view.hand.doubled().has(card);
        let left = if single { hand.without(card) } else { hand };
        let (worst, own_reach, other_reach) = match side {
            Side::Own => {
                let own = match (1..=self.limits[0] + self.line()).contains(&race.need(0)) {
                    true => Reach::with(&after, left).most,
                    false => 0,
                };
                (after.losses.most(), own, self.other_reach.clone())
            }
            Side::Other => (self.worst, still.reach, 0..=self.limits[1] + self.line()),
        };
        let mut prospects = Prospects {
            worst: worst..=worst,
            own_reach: own_reach..=own_reach,
            other_reach,
            guard: still.guard,
        };
        let mut standing = self.judge.standing(&race, &prospects);
        if !standing.sure {
            let other = reach(if side == Side::Other { &after } else { &self.now[1] });
            prospects.other_reach = other..=other;
            standing = self.judge.standing(&race, &prospects);
        }
        let standing = standing.most;
        self.worth_of(standing, side, self.lines.change(side as usize, cell, suit))
    }
}
