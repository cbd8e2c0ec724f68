//! What each play is worth at least and at most, which is cheaper than what it is worth, and mostly
//! enough to choose.
//!
//! All this is for plain weights ([`Weights::are_plain`]), and rounding is left aside.
//!
//! [`Weights::are_plain`]: super::super::Weights::are_plain

use super::decision::Decision;
use super::goals::Pair;
use super::hopes::{Ends, Hopes};
use super::lie::OPEN;
use super::standings::{How, Left, Lines, Standings};
use crate::Side;
use crate::cards::Card;
use crate::cells::{Cell, Cells};

/// More than rounding can add up to.
pub(super) const SLACK: f64 = 1e-6;

/// What something is worth at least and at most.
#[derive(Clone, Copy)]
pub(super) struct Between {
    pub least: f64,
    pub most: f64,
}

impl Between {
    /// Just nothing.
    pub const NOTHING: Between = Between { least: 0.0, most: 0.0 };
    /// Anything.
    pub const ANY: Between = Between { least: f64::NEG_INFINITY, most: f64::INFINITY };

    /// Both more by so much.
    #[inline(always)]
    pub fn plus(self, more: f64) -> Between {
        Between { least: self.least + more, most: self.most + more }
    }

    /// Less by what lies between these.
    #[inline(always)]
    pub fn minus(self, other: Between) -> Between {
        Between { least: self.least - other.most, most: self.most - other.least }
    }
}

/// The bounds of one decision's plays; what the cards themselves are worth is not counted.
pub(super) struct Bounds<'a> {
    pub decision: &'a Decision<'a>,
    hopes: &'a Hopes<'a>,
    ends: Ends,
    pub standings: &'a Standings<'a>,
    /// What a change of the expected points is worth, and its square, by side.
    rise: [Pair; 2],
}

impl<'a> Bounds<'a> {
    #[inline(always)]
    pub fn new(
        decision: &'a Decision<'a>,
        (hopes, ends): (&'a Hopes<'a>, Ends),
        standings: &'a Standings<'a>,
    ) -> Bounds<'a> {
        let (weights, points) = (decision.weights, decision.lines.points);
        let knock_at = f64::from(decision.rules.knock_at.max(1));
        let (own, other) = (weights.own_swell / knock_at, weights.other_swell / knock_at);
        let rise = [
            [weights.own_hope + 2.0 * own * points[0], own],
            [-weights.other_hope - 2.0 * other * points[1], -other],
        ];
        Bounds { decision, hopes, ends, standings, rise }
    }

    /// A card, of this suit unless it makes the cell open, is laid on a cell. Where that is worth less
    /// than `enough` at most, nothing better is looked for; where it may be worth more, it is weighed,
    /// with what is hoped as the table has it.
    #[inline(always)]
    pub fn lay(
        &self,
        (side, cell): (Side, Cell),
        (card, suit): (Card, Option<usize>),
        lines: Lines,
        left: &Left,
        enough: f64,
    ) -> Between {
        let hope = match suit {
            Some(suit) => self.hopes.lay(side, cell, suit),
            None => self.hopes.open(side, cell),
        };
        let rise = self.rise(side, hope);
        let top = if suit.is_some() { self.standings.top } else { self.standings.opened } + rise;
        if side == Side::Own && lines.won == 0 && top < enough {
            return Between { least: f64::NEG_INFINITY, most: top };
        }
        let how = match suit {
            Some(_) if self.decision.now[side as usize].square.open().has(cell) => How::Fills,
            Some(_) => How::Replaces,
            None => How::Opens,
        };
        let standing = self.standings.after(side, cell, lines, how, left);
        let Between { least, most } = standing.plus(rise);
        let (least, most) = (least - left.blur, most + left.blur);
        if most >= enough && most - least > SLACK {
            let exactly = self.decision.standing(side, card, cell) - self.decision.stays;
            return Between::NOTHING.plus(exactly + rise);
        }
        Between { least, most }
    }

    /// No card of this suit, or one that makes cells open, is worth more on any of these own cells, of
    /// which there is one; on all it does the same, makes and undoes no line there, and
    /// [takes nothing](Standings::apart) from the hand.
    #[inline(always)]
    pub fn most_quiet(&self, cells: Cells, suit: Option<usize>, how: How, left: &Left) -> f64 {
        let mut most = f64::NEG_INFINITY;
        for cell in cells {
            let hope = self.hopes.lay(Side::Own, cell, suit.unwrap_or(OPEN));
            most = if hope > most { hope } else { most };
        }
        let standing = self.standings.quiet(how, left);
        standing.most + left.blur + self.rise(Side::Own, most)
    }

    /// No card of a suit that wins so much at most is worth more on the own square.
    #[inline(always)]
    pub fn most_laid(&self, suit: usize, won: i32) -> f64 {
        self.standings.most_won(won) + self.rise(Side::Own, self.ends.laid(suit))
    }

    /// No card that opens an own cell is worth more.
    #[inline(always)]
    pub fn most_opened(&self) -> f64 {
        self.standings.opened + self.rise(Side::Own, self.ends.opened)
    }

    /// No change of the expected points is worth more by opening a cell of the other's square.
    #[inline(always)]
    pub fn most_spoilt(&self) -> f64 {
        self.rise(Side::Other, self.ends.spoilt)
    }

    /// What a change of the expected points of a side is worth.
    #[inline(always)]
    fn rise(&self, side: Side, hope: f64) -> f64 {
        let [once, twice] = self.rise[side as usize];
        hope * (once + twice * hope)
    }
}
