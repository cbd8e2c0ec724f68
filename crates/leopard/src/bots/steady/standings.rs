//! How much better the squares are after each play, within bounds; what the lines may still bring
//! is left aside.

use std::cell::Cell as Slot;

use super::bounds::Between;
use super::decision::Decision;
use super::race::{Prospects, Race};
use crate::Side;
use crate::cards::Card;
use crate::cells::{Cell, Cells, JACKS, KINGS, count};

/// So many standings are kept.
const KNOWN: usize = 8;

/// What a play does to a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// It puts a face-up card on an open one.
    Fills,
    /// It puts one on another face-up card.
    Replaces,
    /// It makes it open.
    Opens,
}

/// The points of the lines that a play wins and loses.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Lines {
    pub won: i32,
    pub lost: i32,
}

/// What is left of the hand when a card has left it.
#[derive(Clone, Copy)]
pub(super) struct Left {
    /// The most that it gives on the own square.
    reach: i32,
    /// The same, or more, when a cell of it is opened.
    opened: i32,
    /// The kings of the whole hand.
    kings: u32,
    guard: f64,
    /// Whether the reach is that of the whole hand.
    is_same: bool,
    /// What it may matter that the guard is not.
    pub blur: f64,
}

/// The standings after one decision's moves, less that of the squares as they are.
pub(super) struct Standings<'a> {
    decision: &'a Decision<'a>,
    /// Where a card comes to lie on an open cell and makes no line, by side.
    quiet: [Between; 2],
    /// No face-up card on the own square that wins no line makes more; the most there is where that is not
    /// as simple.
    pub top: f64,
    /// No card makes more that opens an own cell.
    pub opened: f64,
    /// Those that may come up again, each with what makes it.
    known: [Slot<(u32, Between)>; KNOWN],
    /// What no play makes more that wins so much at most.
    won: Slot<(i32, f64)>,
    whole: Left,
    /// The own cells where a card undoes lines, and the one where the best card of the hand gives most.
    pub apart: Cells,
}

impl<'a> Standings<'a> {
    #[inline(always)]
    pub fn new(decision: &'a Decision<'a>) -> Standings<'a> {
        let hand = decision.view.hand.distinct();
        let (reach, guard) = (decision.own_reach.most, decision.guard(hand));
        let own = &decision.now[0];
        let opened = reach.max(decision.fills.most_opened(own));
        let kings = count(decision.view.hand, KINGS);
        let whole = Left { reach, opened, kings, guard, is_same: true, blur: 0.0 };
        let (quiet, top) = if decision.race.need(0) > 0 {
            little(decision, &whole)
        } else {
            let lines = Lines { won: 0, lost: 0 };
            let quiet = |side| look_at(decision, side, lines, How::Fills, &whole);
            ([quiet(Side::Own), quiet(Side::Other)], f64::MAX)
        };
        let need = decision.race.need(0);
        let opened = match need <= whole.opened {
            _ if need <= 0 => f64::MAX,
            true => most_after(decision, &decision.race, decision.weights.poised),
            false => most_after(decision, &decision.race, 0.0),
        };
        let known = [const { Slot::new((0, Between::NOTHING)) }; KNOWN];
        let won = Slot::new((0, top));
        let apart = own.losses.cells() | decision.own_reach.at;
        Standings { decision, quiet, top, opened, known, won, whole, apart }
    }

    /// What is left of the hand without one copy of a card.
    #[inline(always)]
    pub fn left(&self, card: Card) -> Left {
        let decision = self.decision;
        let is_best = decision.own_reach.by == Some(card);
        if !is_best && !JACKS.has(card) {
            return self.whole;
        }
        let left = decision.without(card);
        let guard = decision.guard(left);
        let blur = (decision.weights.looming * (guard - self.whole.guard)).abs();
        let is_same = !is_best || left.has(card);
        Left { reach: decision.reach_without(card), guard, is_same, blur, ..self.whole }
    }

    /// What it changes that a card leaves the hand, exactly.
    #[inline(always)]
    pub fn without(&self, card: Card, left: &Left) -> f64 {
        if left.is_same && left.blur == 0.0 { 0.0 } else { self.decision.stays_without(card) }
    }

    /// After a play.
    #[inline(always)]
    pub fn after(&self, side: Side, cell: Cell, lines: Lines, how: How, left: &Left) -> Between {
        let covers_best = side == Side::Own && self.decision.own_reach.at.has(cell);
        if !left.is_same || covers_best {
            return look_at(self.decision, side, lines, how, left);
        }
        match lines {
            Lines { won: 0, lost: 0 } if how == How::Fills => self.quiet[side as usize],
            _ => self.kept(side, lines, how),
        }
    }

    /// After one that makes no line on any own cell that is not [apart](Standings::apart).
    #[inline(always)]
    pub fn quiet(&self, how: How, left: &Left) -> Between {
        let lines = Lines { won: 0, lost: 0 };
        match how {
            _ if !left.is_same => look_at(self.decision, Side::Own, lines, how, left),
            How::Fills => self.quiet[0],
            _ => self.kept(Side::Own, lines, how),
        }
    }

    /// After a play that undoes lines of the other's square worth so much, at most.
    #[inline(always)]
    pub fn most_undone(&self, lost: i32, left: &Left) -> f64 {
        if lost == 0 && self.decision.race.need(0) > 0 {
            return self.most_same();
        }
        let standing = self.kept(Side::Other, Lines { won: 0, lost }, How::Opens);
        standing.most + left.blur
    }

    /// After any jack on the other's square, whose losses are so much at most.
    #[inline(always)]
    pub fn most_spoilt(&self, lost: i32, left: &Left) -> f64 {
        most_lost(self.decision, lost) + left.blur
    }

    /// After any face-up card on the own square that wins lines worth so much, at most.
    #[inline(always)]
    pub fn most_won(&self, won: i32) -> f64 {
        let (known, most) = self.won.get();
        if won == known {
            return most;
        }
        let most = most_won(self.decision, &self.whole, won);
        self.won.set((won, most));
        most
    }

    /// At most, where nothing changes but the hand and what looms.
    #[inline(always)]
    pub fn most_same(&self) -> f64 {
        2.0 * self.decision.weights.looming.abs()
    }

    /// The standing where the hand's reach stays, kept where it may come up again.
    #[inline(always)]
    fn kept(&self, side: Side, lines: Lines, how: How) -> Between {
        let Lines { won, lost } = lines;
        let key = 1 | (side as u32) << 1 | (how as u32) << 2 | (won << 8 | lost << 16) as u32;
        let slot = &self.known[(won + 3 * lost + 4 * side as i32) as usize % KNOWN];
        if slot.get().0 != key {
            slot.set((key, look_at(self.decision, side, lines, how, &self.whole)));
        }
        slot.get().1
    }
}

/// What changes little, where the own value does not win by a knock yet: the standings where a card
/// comes to lie on an open cell and makes no line, and what no face-up card makes more that wins none.
#[inline(always)]
fn little(decision: &Decision<'_>, whole: &Left) -> ([Between; 2], f64) {
    let Decision { weights, race, other_reach, .. } = decision;
    let (line, reach) = (decision.line(), whole.reach);
    let [need, other_need] = [race.need(0), race.need(1)];
    let mut quiet = [Between::NOTHING; 2];
    if reach < need && reach + line >= need {
        quiet[0].most = weights.poised;
    }
    if other_need > 0 && other_reach[1] + line >= other_need {
        let looming = weights.looming * (1.0 - whole.guard);
        let change = if other_reach[0] >= other_need { looming } else { -looming };
        let least = if change < 0.0 { change } else { 0.0 };
        quiet[1] = Between { least, most: change - least };
    }
    (quiet, most_won(decision, whole, 0))
}

/// After a play.
fn look_at(
    decision: &Decision<'_>,
    side: Side,
    Lines { won, lost }: Lines,
    how: How,
    left: &Left,
) -> Between {
    // A line more adds at most its points to what a card gives, and to what a jack would take.
    let line = decision.line();
    let (was, limits) = (decision.worst, decision.limits);
    let prospects = match side {
        Side::Own => {
            let worst = match (won, lost) {
                (0, 0) => [was; 2],
                // The card itself would be taken, or any other that was there.
                (_, 0) => [was.max(won), won.max(was + line)],
                _ if how == How::Opens => [0, was],
                _ => [won, won.max(was + line)],
            };
            // Where lines are gone another king loses less.
            let most = match how {
                How::Fills => left.reach + line,
                How::Replaces => left.reach + line + if left.kings > 1 { lost } else { 0 },
                How::Opens => left.opened + if left.kings > 0 { lost } else { 0 },
            };
            let (own_reach, other_reach) = ([0, most], decision.other_reach);
            Prospects { worst, own_reach, other_reach, guard: left.guard }
        }
        Side::Other => {
            let other_reach = match how {
                // A card like the one that lay there makes the same lines.
                How::Opens => [lost, limits[1]],
                _ => [0, decision.other_reach[1] + line],
            };
            let own_reach = [left.reach; 2];
            Prospects { worst: [was; 2], own_reach, other_reach, guard: left.guard }
        }
    };
    let standing = if won == lost {
        decision.judge.standing_between(&decision.race, &prospects)
    } else {
        let mut values = [decision.now[0].value, decision.now[1].value];
        values[side as usize] += won - lost;
        decision.judge.standing_between(&decision.judge.race(values), &prospects)
    };
    standing.plus(-decision.stays)
}

/// What no face-up card on the own square makes more that wins lines worth so much at most, where its
/// value does not win by a knock yet.
fn most_won(decision: &Decision<'_>, whole: &Left, won: i32) -> f64 {
    let Decision { weights, race, judge, now: [own, other], .. } = decision;
    // Else more points may shorten the other's way.
    if race.need(0) <= 0 || other.value > decision.rules.winning_value(own.value) {
        return f64::MAX;
    }
    let after = if won == 0 { *race } else { judge.race([own.value + won, other.value]) };
    // A line more adds its points at most to what a card gives, and points that are lost are as many
    // as what a king loses less.
    let near = match after.need(0) {
        ..=0 => weights.threat.max(weights.poised),
        need if need <= whole.reach + decision.line() => weights.poised,
        _ => 0.0,
    };
    most_after(decision, &after, near)
}

/// What no play makes more after which the race stands like this at most, and that brings the seat so
/// near.
#[inline(always)]
fn most_after(decision: &Decision<'_>, race: &Race, near: f64) -> f64 {
    let Decision { weights, worst, now: [own, other], .. } = decision;
    // With fewer points the other's way to a winning knock may be the shorter, by as much at most.
    let is_shorter = other.value > decision.rules.winning_value(own.value - worst);
    let lost = if is_shorter { weights.other_approach * f64::from(*worst) } else { 0.0 };
    let danger = if race.need(1) <= 0 { -weights.danger } else { weights.looming.abs() };
    race.worth - decision.stays + lost + near + danger
}

/// What no jack makes more that undoes lines of the other's square worth so much at most.
fn most_lost(decision: &Decision<'_>, lost: i32) -> f64 {
    let Decision { weights, judge, now: [own, other], .. } = decision;
    let race = judge.race([own.value, other.value - lost]);
    // Else more points of the other may shorten the own way.
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
    let exposed = weights.exposure * judge.jack * f64::from(decision.worst);
    let points = (-weights.other_now).max(0.0) * f64::from(lost);
    race.worth - decision.stays - exposed + points + near + danger
}
