//! Evaluation of each move of a seat: only the features that a move changes are added up again.

use super::VIEW_HIDDEN;
use super::line_codes::Classes;
use super::net::Net;
use super::view_features::{LINE_FEATURES, Unseen, ViewPosition, line_features};
use crate::cells::{CardKind, Cell, Cells};
use crate::gains::SquareGains;
use crate::goals::GOALS;
use crate::{Move, Side, View};

/// The weights of a hidden layer for one feature, or their sums.
type Layer = [i16; VIEW_HIDDEN];

/// Sums of the hidden units as features are added.
#[derive(Clone, Copy)]
struct HiddenSums<'a> {
    rows: &'a [Layer],
    hidden: Layer,
}

impl HiddenSums<'_> {
    #[inline(always)]
    fn add(&mut self, feature: usize) {
        self.add_all(&self.rows[feature]);
    }

    #[inline(always)]
    fn remove(&mut self, feature: usize) {
        for (sum, weight) in self.hidden.iter_mut().zip(&self.rows[feature]) {
            *sum = sum.wrapping_sub(*weight);
        }
    }

    #[inline(always)]
    fn add_all(&mut self, other: &Layer) {
        for (sum, other) in self.hidden.iter_mut().zip(other) {
            *sum = sum.wrapping_add(*other);
        }
    }
}

/// Logit of a win at the end of a hand; farther out than any estimate.
const CERTAIN: f32 = 1e6;

/// The position before a move, with the sums of its features.
pub(in super::super) struct MoveEvaluator<'a> {
    net: &'a Net,
    rows: &'a [Layer],
    /// `true` if the hand ends with the move.
    is_last: bool,
    base: ViewPosition<'a>,
    /// By side and goal.
    classes: [[Classes; GOALS]; 2],
    /// Sums of the bias and of all lines.
    lines: Layer,
    /// Sums of the gains, by side.
    gains: [Layer; 2],
}

impl<'a> MoveEvaluator<'a> {
    pub fn new(net: &'a Net, unseen: &'a Unseen<'a>, view: &View) -> MoveEvaluator<'a> {
        // The squares and the hand before the move, and the stock after it.
        let stock = view.stock_len.saturating_sub(unseen.rules.draw);
        let base = ViewPosition::new(unseen, view, stock);
        let is_last = view.stock_len == 0 && view.held[0] + view.held[1] == 1;
        let classes = |side| std::array::from_fn(|goal| base.classes(side, goal));
        let classes = Side::BOTH.map(classes);
        let rows = net.rows.as_chunks().0;
        let mut all = HiddenSums { rows, hidden: Layer::default() };
        if let Some(bias) = net.bias.first_chunk() {
            all.hidden = *bias;
        }
        for side in Side::BOTH {
            for (goal, classes) in classes[side as usize].iter().enumerate() {
                line_features(side, goal, *classes, &mut |feature| all.add(feature));
            }
        }
        let gains = Side::BOTH.map(|side| {
            let mut gains = HiddenSums { rows, hidden: Layer::default() };
            base.gains(side, &mut |feature| gains.add(feature));
            gains.hidden
        });
        MoveEvaluator { net, rows, is_last, base, classes, lines: all.hidden, gains }
    }

    /// The position after a move.
    fn after(&self, mv: Move) -> ViewPosition<'a> {
        let mut after = self.base;
        let rules = after.unseen.rules;
        if let Some((side, card, cell)) = mv.laid() {
            let mut square = after.now[side as usize].square;
            square.put(card, cell);
            after.now[side as usize] = SquareGains::new(square, square.value(rules) as i32, rules);
        }
        if let Some(card) = mv.card() {
            after.hand.remove(card);
            after.held = Cells::by_suit(after.hand.distinct());
        }
        after
    }

    /// The logit of the chance to win after a move.
    pub fn logit(&self, mv: Move) -> f32 {
        let (after, knocks) = (&self.after(mv), mv == Move::KNOCK);
        if knocks || self.is_last {
            let rules = after.unseen.rules;
            let [own, other] = [&after.now[0], &after.now[1]].map(|now| now.value as u8);
            let lead = rules.score(own, knocks, knocks) - rules.score(other, knocks, false);
            return CERTAIN * lead.signum() as f32;
        }
        // The only cell whose lines may have changed: where the card lies, or could have been laid.
        let number = mv.card().and_then(|card| match CardKind::of(card) {
            CardKind::Number(cell) => Some(cell),
            _ => None,
        });
        let (laid, cell) = match mv.laid() {
            Some((side, _, cell)) => (Some(side), Some(cell)),
            _ => (None, number),
        };
        let mut sum = HiddenSums { rows: self.rows, hidden: self.lines };
        for side in Side::BOTH {
            let gains = &self.base.now[side as usize].gains;
            let here = laid == Some(side);
            if let Some(cell) = cell
                && (here || number.is_some())
            {
                self.replace_lines(side, after, cell, &mut sum);
            }
            let touches = |cell| gains.iter().any(|gains| gains.at(cell) != 0);
            if here || number.is_some_and(touches) {
                after.gains(side, &mut |feature| sum.add(feature));
            } else {
                sum.add_all(&self.gains[side as usize]);
            }
        }
        after.race(&mut |feature| sum.add(feature));
        after.cards(&mut |feature| sum.add(feature));
        self.net.logit(&sum.hidden, 0) as f32
    }

    /// Replaces the features of the lines through a cell by those after the move.
    #[inline(always)]
    fn replace_lines(
        &self,
        side: Side,
        after: &ViewPosition<'_>,
        cell: Cell,
        sum: &mut HiddenSums<'_>,
    ) {
        for (goal, classes) in self.classes[side as usize].iter().enumerate() {
            let class = after.class(side, goal, cell);
            if class == classes.at(cell.index()) {
                continue;
            }
            let (codes, start) = &LINE_FEATURES[side as usize][usize::from(goal < 2)];
            codes.for_each_change(*classes, cell.index(), class, |code, comes| match comes {
                true => sum.add(start + code),
                false => sum.remove(start + code),
            });
        }
    }
}
