//! Bounds on the value of each play: cheaper than the exact value and usually enough to decide.
//!
//! All bounds are for plain weights ([`Weights::are_plain`]), rounding aside.
//!
//! [`Weights::are_plain`]: super::super::Weights::are_plain

use std::cell::Cell as Slot;

use super::decision::Decision;
use super::lines::{DeltaRange, LineDeltas, OPEN, Pair};
use super::race::{Interval, Prospects, Race};
use crate::Side;
use crate::cells::{CardKind, Cell, JACKS, KINGS, count};
use parlour_base::cards::Card;

/// More than rounding can add up to.
pub(super) const SLACK: f64 = 1e-6;

/// Number of race bounds that are cached.
const CACHED: usize = 8;

/// Effect of a play on its cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlayKind {
    /// A face-up card on an open cell.
    Fills,
    /// A face-up card on another face-up card.
    Replaces,
    /// A card that opens the cell.
    Opens,
}

/// Points of the lines that a play wins and loses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Lines {
    pub won: i32,
    pub lost: i32,
}

/// A hand after one card has left it.
#[derive(Clone, Copy)]
pub(super) struct RestOfHand {
    /// Largest gain on the own square.
    reach: i32,
    /// Upper bound of that gain after a cell of the own square is opened.
    reach_if_opened: i32,
    /// Number of kings in the whole hand.
    kings: u32,
    guard: f64,
    /// `true` if the reach is that of the whole hand.
    is_same: bool,
    /// Largest effect of a guard that differs from that of the whole hand.
    blur: f64,
}

/// Bounds on the plays of one decision, without the value of the cards in hand.
pub(super) struct PlayBounds<'a> {
    decision: &'a Decision<'a>,
    deltas: &'a LineDeltas,
    range: DeltaRange,
    /// Factors of a change of the expected points and of its square, by side.
    rise: [Pair; 2],
    /// A card on an open cell that makes no line, by side: the change in the race.
    quiet: [Interval; 2],
    /// Upper bound of the change in the race by a face-up card that wins no line on the own square.
    top: f64,
    /// Upper bound of the change in the race by opening an own cell.
    opened: f64,
    /// Changes in the race that may be needed again, each with its key.
    cache: [Slot<(u32, Interval)>; CACHED],
    whole: RestOfHand,
}

impl<'a> PlayBounds<'a> {
    #[inline(always)]
    pub fn new(decision: &'a Decision<'a>, deltas: &'a LineDeltas) -> PlayBounds<'a> {
        let (weights, points) = (decision.weights, decision.lines.points);
        let knock_at = f64::from(decision.rules.knock_at.max(1));
        let (own, other) = (weights.own_swell / knock_at, weights.other_swell / knock_at);
        let rise = [
            [weights.own_hope + 2.0 * own * points[0], own],
            [-weights.other_hope - 2.0 * other * points[1], -other],
        ];
        let (reach, guard) =
            (decision.own_reach.most, decision.guard(decision.view.hand.distinct()));
        let reach_if_opened = reach.max(decision.fills.most_opened(&decision.now[0]));
        let kings = count(decision.view.hand, KINGS);
        let whole = RestOfHand { reach, reach_if_opened, kings, guard, is_same: true, blur: 0.0 };
        let need = decision.race.need(0);
        let opened = match need <= reach_if_opened {
            _ if need <= 0 => f64::MAX,
            true => most_after(decision, &decision.race, weights.poised),
            false => most_after(decision, &decision.race, 0.0),
        };
        let mut bounds = PlayBounds {
            decision,
            deltas,
            range: deltas.range(),
            rise,
            quiet: [Interval::ZERO; 2],
            top: f64::MAX,
            opened,
            cache: [const { Slot::new((0, Interval::ZERO)) }; CACHED],
            whole,
        };
        if need > 0 {
            bounds.quiet = quiet_before_win(decision, &bounds.whole);
            bounds.top = bounds.most_won(0);
        } else {
            let lines = Lines { won: 0, lost: 0 };
            bounds.quiet = [Side::Own, Side::Other]
                .map(|side| race_change(decision, side, lines, PlayKind::Fills, &bounds.whole));
        }
        bounds
    }

    /// The hand without one copy of a card.
    #[inline(always)]
    pub fn rest(&self, card: Card) -> RestOfHand {
        let decision = self.decision;
        let is_best = decision.own_reach.by == Some(card);
        if !is_best && !JACKS.has(card) {
            return self.whole;
        }
        let left = decision.without(card);
        let guard = decision.guard(left);
        let blur = (decision.weights.looming * (guard - self.whole.guard)).abs();
        let is_same = !is_best || left.has(card);
        RestOfHand { reach: decision.reach_without(card), guard, is_same, blur, ..self.whole }
    }

    /// The change in the race when a card leaves the hand, exactly.
    #[inline(always)]
    pub fn without(&self, card: Card, rest: &RestOfHand) -> f64 {
        if rest.is_same && rest.blur == 0.0 { 0.0 } else { self.decision.stays_without(card) }
    }

    /// Bounds on laying a card, of this suit unless it opens the cell. If the upper bound is at least
    /// `enough`, the race is valued exactly; the change of the lines comes from the table.
    #[inline(always)]
    pub fn lay(
        &self,
        (side, cell): (Side, Cell),
        (card, suit): (Card, Option<usize>),
        lines: Lines,
        rest: &RestOfHand,
        enough: f64,
    ) -> Interval {
        let rise = self.rise(side, self.deltas.lay(side, cell, suit.unwrap_or(OPEN)));
        let top = if suit.is_some() { self.top } else { self.opened } + rise;
        if side == Side::Own && lines.won == 0 && top < enough {
            return Interval { least: f64::NEG_INFINITY, most: top };
        }
        let kind = match suit {
            Some(_) if self.decision.now[side as usize].square.open().has(cell) => PlayKind::Fills,
            Some(_) => PlayKind::Replaces,
            None => PlayKind::Opens,
        };
        let Interval { least, most } = self.race_change(side, cell, lines, kind, rest).plus(rise);
        let (least, most) = (least - rest.blur, most + rest.blur);
        if most >= enough && most - least > SLACK {
            let exactly = self.decision.standing(side, card, cell) - self.decision.stays;
            return Interval::ZERO.plus(exactly + rise);
        }
        Interval { least, most }
    }

    /// Returns `true` if laying a ten or a face card on a cell may be worth at least this much.
    pub fn may_exceed(&self, (side, cell): (Side, Cell), card: Card, least: f64) -> bool {
        let now = &self.decision.now[side as usize];
        let suit = (!CardKind::of(card).is_face_down()).then_some(card.suit().index());
        let won = suit.map_or(0, |_| now.gain(card, cell));
        let lines = Lines { won, lost: now.losses.at(cell) };
        let value = self.lay((side, cell), (card, suit), lines, &self.rest(card), f64::INFINITY);
        value.most + SLACK >= least
    }

    /// Upper bound for a card of a suit on the own square that wins at most these points.
    #[inline(always)]
    pub fn most_laid(&self, suit: usize, won: i32) -> f64 {
        let most = if won == 0 { self.top } else { self.most_won(won) };
        most + self.rise(Side::Own, self.range.laid(suit))
    }

    /// Upper bound for a card that opens an own cell.
    #[inline(always)]
    pub fn most_opened(&self) -> f64 {
        self.opened + self.rise(Side::Own, self.range.opened)
    }

    /// Upper bound for a jack on the other square, which loses at most these points.
    #[inline(always)]
    pub fn most_spoilt(&self, lost: i32, rest: &RestOfHand) -> f64 {
        most_lost(self.decision, lost) + rest.blur + self.rise(Side::Other, self.range.spoilt)
    }

    /// The value of a change of the expected points of a side.
    #[inline(always)]
    fn rise(&self, side: Side, delta: f64) -> f64 {
        let [once, twice] = self.rise[side as usize];
        delta * (once + twice * delta)
    }

    /// The change in the race by a play.
    #[inline(always)]
    fn race_change(
        &self,
        side: Side,
        cell: Cell,
        lines: Lines,
        kind: PlayKind,
        rest: &RestOfHand,
    ) -> Interval {
        let covers_best = side == Side::Own && self.decision.own_reach.at.has(cell);
        if !rest.is_same || covers_best {
            return race_change(self.decision, side, lines, kind, rest);
        }
        let Lines { won, lost } = lines;
        if (won, lost) == (0, 0) && kind == PlayKind::Fills {
            return self.quiet[side as usize];
        }
        let key = 1 | (side as u32) << 1 | (kind as u32) << 2 | (won << 8 | lost << 16) as u32;
        let slot = &self.cache[(won + 3 * lost + 4 * side as i32) as usize % CACHED];
        if slot.get().0 != key {
            slot.set((key, race_change(self.decision, side, lines, kind, &self.whole)));
        }
        slot.get().1
    }

    /// Upper bound of the change in the race by a face-up card on the own square that wins at most
    /// these points, if the own value does not win by a knock yet.
    fn most_won(&self, won: i32) -> f64 {
        let Decision { weights, race, model, now: [own, other], .. } = self.decision;
        // Else more points may shorten the other seat's way.
        if race.need(0) <= 0 || other.value > self.decision.rules.winning_value(own.value) {
            return f64::MAX;
        }
        let after = if won == 0 { *race } else { model.race([own.value + won, other.value]) };
        // One more line adds at most its points to the gain of a card, and lost points are at most what
        // a king loses less.
        let near = match after.need(0) {
            ..=0 => weights.threat.max(weights.poised),
            need if need <= self.whole.reach + self.decision.line() => weights.poised,
            _ => 0.0,
        };
        most_after(self.decision, &after, near)
    }
}

/// The change in the race by a card that fills a cell and makes no line, by side, if the own value does
/// not win by a knock yet.
#[inline(always)]
fn quiet_before_win(decision: &Decision<'_>, whole: &RestOfHand) -> [Interval; 2] {
    let Decision { weights, race, other_reach, .. } = decision;
    let (line, reach) = (decision.line(), whole.reach);
    let [need, other_need] = [race.need(0), race.need(1)];
    let mut quiet = [Interval::ZERO; 2];
    if reach < need && reach + line >= need {
        quiet[0].most = weights.poised;
    }
    if other_need > 0 && other_reach[1] + line >= other_need {
        let looming = weights.looming * (1.0 - whole.guard);
        let change = if other_reach[0] >= other_need { looming } else { -looming };
        let least = if change < 0.0 { change } else { 0.0 };
        quiet[1] = Interval { least, most: change - least };
    }
    quiet
}

/// The change in the race by a play.
fn race_change(
    decision: &Decision<'_>,
    side: Side,
    Lines { won, lost }: Lines,
    kind: PlayKind,
    rest: &RestOfHand,
) -> Interval {
    // One more line adds at most its points to the gain of a card, and to the loss by a jack.
    let line = decision.line();
    let (was, limits) = (decision.worst, decision.limits);
    let prospects = match side {
        Side::Own => {
            let worst = match (won, lost) {
                (0, 0) => [was; 2],
                // The card itself would be taken, or any other that was there.
                (_, 0) => [was.max(won), won.max(was + line)],
                _ if kind == PlayKind::Opens => [0, was],
                _ => [won, won.max(was + line)],
            };
            // Where lines are gone, another king loses less.
            let most = match kind {
                PlayKind::Fills => rest.reach + line,
                PlayKind::Replaces => rest.reach + line + if rest.kings > 1 { lost } else { 0 },
                PlayKind::Opens => rest.reach_if_opened + if rest.kings > 0 { lost } else { 0 },
            };
            let (own_reach, other_reach) = ([0, most], decision.other_reach);
            Prospects { worst, own_reach, other_reach, guard: rest.guard }
        }
        Side::Other => {
            let other_reach = match kind {
                // A card like the one that lay there makes the same lines.
                PlayKind::Opens => [lost, limits[1]],
                _ => [0, decision.other_reach[1] + line],
            };
            let own_reach = [rest.reach; 2];
            Prospects { worst: [was; 2], own_reach, other_reach, guard: rest.guard }
        }
    };
    let standing = if won == lost {
        decision.model.standing_bounds(&decision.race, &prospects)
    } else {
        let mut values = [decision.now[0].value, decision.now[1].value];
        values[side as usize] += won - lost;
        decision.model.standing_bounds(&decision.model.race(values), &prospects)
    };
    standing.plus(-decision.stays)
}

/// Upper bound of the change in the race by a play. After the play the race is at most `race`, and
/// closeness to a knock is worth at most `near`.
#[inline(always)]
fn most_after(decision: &Decision<'_>, race: &Race, near: f64) -> f64 {
    let Decision { weights, worst, now: [own, other], .. } = decision;
    // With fewer own points the other seat's way to a winning knock may be shorter.
    let is_shorter = other.value > decision.rules.winning_value(own.value - worst);
    let lost = if is_shorter { weights.other_approach * f64::from(*worst) } else { 0.0 };
    let danger = if race.need(1) <= 0 { -weights.danger } else { weights.looming.abs() };
    race.value - decision.stays + lost + near + danger
}

/// Upper bound of the change in the race by a jack on the other square that loses at most these
/// points.
fn most_lost(decision: &Decision<'_>, lost: i32) -> f64 {
    let Decision { weights, model, now: [own, other], .. } = decision;
    let race = model.race([own.value, other.value - lost]);
    // Else more points of the other seat may shorten the own way.
    if own.value > decision.rules.winning_value(other.value - lost) {
        return f64::MAX;
    }
    let near = if race.need(0) <= 0 {
        weights.threat.max(weights.poised)
    } else if race.need(0) <= decision.own_reach.most {
        weights.poised
    } else {
        0.0
    };
    let danger = if race.need(1) <= 0 { -weights.danger } else { weights.looming.abs() };
    let exposed = weights.exposure * model.jack * f64::from(decision.worst);
    let points = (-weights.other_now).max(0.0) * f64::from(lost);
    race.value - decision.stays - exposed + points + near + danger
}
