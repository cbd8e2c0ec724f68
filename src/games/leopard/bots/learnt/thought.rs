//! One decision: what each move changes.

use super::SURE;
use super::codes::Classes;
use super::net::{Layer, Net, Sum};
use super::position::{GOALS, Position, other_lines, own_lines};
use super::rows::{
    OTHER_CODES, OTHER_COLOR, OTHER_SUIT, OWN_COLOR, OWN_COLOR_CODES, OWN_SUIT, OWN_SUIT_CODES,
    Sink,
};
use super::scene::{Side, by_suit};
use crate::games::leopard::{Act, Move};

/// The position before the move, and the sums of its rows.
pub(super) struct Thought<'a> {
    net: &'a Net,
    is_last: bool,
    base: Position<'a>,
    own: [Classes; GOALS],
    other: [Classes; GOALS],
    /// The bias and all lines.
    lines: Layer,
    own_gains: Layer,
    other_gains: Layer,
}

impl<'a> Thought<'a> {
    /// `base` has the squares and the hand before the move, and the stock after it; whether the
    /// hand ends with the move.
    pub fn new(net: &'a Net, base: Position<'a>, is_last: bool) -> Thought<'a> {
        let own = std::array::from_fn(|goal| base.own_classes(goal));
        let other = std::array::from_fn(|goal| base.other_classes(goal));
        let mut lines = Sum::new(net);
        for goal in 0..GOALS {
            own_lines(goal, own[goal], &mut lines);
            other_lines(goal, other[goal], &mut lines);
        }
        let (mut own_gains, mut other_gains) = (Sum::none(net), Sum::none(net));
        base.own_gains(&mut own_gains);
        base.other_gains(&mut other_gains);
        Thought {
            net,
            is_last,
            base,
            own,
            other,
            lines: lines.hidden,
            own_gains: own_gains.hidden,
            other_gains: other_gains.hidden,
        }
    }

    /// The position after a move that is not a knock.
    #[inline]
    fn after(&self, mv: Move) -> Position<'a> {
        let mut after = self.base;
        let rules = after.scene.rules;
        let lay = |side: &mut Side, face: u8, suit: usize, cell: u8| {
            match face {
                11 | 12 => side.square.cover(cell),
                _ => side.square.lay(cell, suit as u32),
            }
            *side = Side::new(side.square, side.square.value(rules) as i32, rules);
        };
        let card = match mv.act() {
            Act::Own(card, cell) => {
                lay(&mut after.own, card.rank(), card.suit().index(), cell);
                card
            }
            Act::Other(card, cell) => {
                lay(&mut after.other, card.rank(), card.suit().index(), cell);
                card
            }
            Act::Discard(card) => card,
            Act::End | Act::Knock => return after,
        };
        after.hand.remove(card);
        after.held = by_suit(after.hand.distinct().0);
        after
    }

    /// The logit of the chance to win after a move that is not a knock.
    #[inline]
    pub fn logit(&self, mv: Move) -> f32 {
        let after = &self.after(mv);
        if self.is_last {
            let points = |side: &Side| after.scene.rules.score(side.value as u8, false, false);
            return SURE * (points(&after.own) - points(&after.other)).signum() as f32;
        }
        let is_number = mv.uses_card() && mv.card() < 36;
        // The one cell whose lines may have changed: where the card lies, or could have lain.
        let cell = usize::from(if is_number { mv.card() / 4 } else { mv.cell() });
        let (on_own, on_other) = (mv.is_play() && !mv.is_on_other(), mv.is_on_other());
        let mut sum = Sum::none(self.net);
        sum.hidden = self.lines;
        if on_own || is_number {
            self.shift_own(after, cell, &mut sum);
        }
        if on_other || is_number {
            self.shift_other(after, cell, &mut sum);
        }
        let base = &self.base;
        let touches = |side: &Side| side.gains.iter().any(|gains| gains.at(cell as u32) != 0);
        if on_own || is_number && touches(&base.own) {
            after.own_gains(&mut sum);
        } else {
            sum.join(&self.own_gains);
        }
        if on_other || is_number && touches(&base.other) {
            after.other_gains(&mut sum);
        } else {
            sum.join(&self.other_gains);
        }
        after.race(&mut sum);
        after.cards(&mut sum);
        self.net.logit(&sum.hidden)
    }

    #[inline(always)]
    fn shift_own(&self, after: &Position<'_>, cell: usize, sum: &mut Sum<'_>) {
        for (goal, classes) in self.own.iter().enumerate() {
            let class = after.own_class(goal, cell);
            if class == classes.at(cell) {
                continue;
            }
            let group = if goal < 4 { OWN_SUIT } else { OWN_COLOR };
            let tell = |code: usize, more| match more {
                true => sum.add(group + code),
                false => sum.take(group + code),
            };
            match goal {
                0..4 => OWN_SUIT_CODES.shift(*classes, cell, class, tell),
                _ => OWN_COLOR_CODES.shift(*classes, cell, class, tell),
            }
        }
    }

    #[inline(always)]
    fn shift_other(&self, after: &Position<'_>, cell: usize, sum: &mut Sum<'_>) {
        for (goal, classes) in self.other.iter().enumerate() {
            let class = after.other_class(goal, cell);
            if class == classes.at(cell) {
                continue;
            }
            let group = if goal < 4 { OTHER_SUIT } else { OTHER_COLOR };
            OTHER_CODES.shift(*classes, cell, class, |code, more| match more {
                true => sum.add(group + code),
                false => sum.take(group + code),
            });
        }
    }
}
