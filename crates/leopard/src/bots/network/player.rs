//! The player that goes by the network, and one decision of it: what each move changes.

use std::sync::Arc;

use super::features::{Position, Unseen, lines};
use super::net::{Layer, Net, Sum};
use super::rows::{Classes, LINE_ROWS};
use crate::bots::steady::GOALS;
use crate::cells::{Cell, Cells, Kind};
use crate::chance::Stream;
use crate::gains::Outlook;
use crate::game::{Policy, Ruled};
use crate::maths::exp;
use crate::{Leopard, Move, Rules, Side, View};

/// Looks one move ahead and goes by what a [`Net`] thinks of the position that each move leads to:
/// the chance to win, learnt in play against itself (Tesauro 1995, *Temporal difference learning
/// and TD-Gammon*).
#[derive(Clone, Debug)]
pub struct Learnt {
    net: Arc<Net>,
}

/// What the end of a hand is worth as a logit; farther out than any estimate.
const SURE: f32 = 1e6;

impl Learnt {
    /// A player with this network.
    pub fn new(net: Arc<Net>) -> Learnt {
        Learnt { net }
    }

    /// The best move, and the logit of the chance to win that it leaves.
    pub fn best(&self, rules: &Rules, view: &View) -> (Move, f32) {
        let unseen = Unseen::new(view, rules);
        let decision = Decision::new(&self.net, &unseen, view);
        let mut best = (Move::END, f32::NEG_INFINITY);
        each_move(rules, view, |mv| {
            let logit = decision.logit(mv);
            if logit > best.1 {
                best = (mv, logit);
            }
        });
        best
    }

    /// The logit of the chance to win of the seat whose view this is, which has just moved.
    pub fn logit(&self, rules: &Rules, view: &View) -> f32 {
        let mut sum = Sum { net: &self.net, hidden: self.net.bias };
        Learnt::rows(rules, view, &mut |row| sum.add(row));
        self.net.logit(&sum.hidden)
    }

    /// Tells the rows of a position as the seat sees it whose view this is, which has just moved.
    pub fn rows(rules: &Rules, view: &View, tell: &mut impl FnMut(usize)) {
        Position::new(&Unseen::new(view, rules), view, view.stock_len).rows(tell);
    }
}

/// The chance of a logit.
fn chance_of(logit: f32) -> f32 {
    (1.0 / (1.0 + exp(f64::from(-logit)))) as f32
}

impl Policy<Leopard> for Learnt {
    fn pick(&self, game: &Leopard, view: &View, _: &mut Stream) -> Move {
        self.best(game.rules(), view).0
    }

    /// The chance to win after each move.
    fn score_moves(&self, game: &Leopard, view: &View, moves: &[Move], out: &mut Vec<f32>) -> bool {
        let unseen = Unseen::new(view, game.rules());
        let decision = Decision::new(&self.net, &unseen, view);
        out.clear();
        out.extend(moves.iter().map(|&mv| chance_of(decision.logit(mv))));
        true
    }

    fn estimates_wins(&self) -> bool {
        true
    }

    fn win_probability(&self, game: &Leopard, view: &View) -> Option<f32> {
        Some(chance_of(self.logit(game.rules(), view)))
    }
}

/// Tells every move, a knock first; of two jacks, or two queens, the first stands for both.
#[inline(always)]
fn each_move(rules: &Rules, view: &View, mut tell: impl FnMut(Move)) {
    if view.may_knock(rules) {
        tell(Move::KNOCK);
    }
    let mut last = None;
    for card in view.hand.distinct() {
        let kind = Kind::of(card);
        if kind.is_face_down() && last.replace(kind) == Some(kind) {
            continue;
        }
        for side in Side::BOTH {
            for cell in rules.cells(kind, view.square(side), side) {
                tell(Move::lay(side, card, cell));
            }
        }
        if !view.played {
            tell(Move::discard(card));
        }
    }
    if view.played || view.hand.is_empty() {
        tell(Move::END);
    }
}

/// The position before the move, and the sums of its rows.
pub(super) struct Decision<'a> {
    net: &'a Net,
    /// Whether the hand ends with the move.
    is_last: bool,
    base: Position<'a>,
    /// By side and goal.
    classes: [[Classes; GOALS]; 2],
    /// The bias and all lines.
    lines: Layer,
    /// By side.
    gains: [Layer; 2],
}

impl<'a> Decision<'a> {
    fn new(net: &'a Net, unseen: &'a Unseen<'a>, view: &View) -> Decision<'a> {
        // The squares and the hand before the move, and the stock after it.
        let stock = view.stock_len.saturating_sub(unseen.rules.draw);
        let base = Position::new(unseen, view, stock);
        let is_last = view.stock_len == 0 && view.held[0] + view.held[1] == 1;
        let classes = |side| std::array::from_fn(|goal| base.classes(side, goal));
        let classes = Side::BOTH.map(classes);
        let mut all = Sum { net, hidden: net.bias };
        for side in Side::BOTH {
            for (goal, classes) in classes[side as usize].iter().enumerate() {
                lines(side, goal, *classes, &mut |row| all.add(row));
            }
        }
        let gains = Side::BOTH.map(|side| {
            let mut gains = Sum { net, hidden: Layer::default() };
            base.gains(side, &mut |row| gains.add(row));
            gains.hidden
        });
        Decision { net, is_last, base, classes, lines: all.hidden, gains }
    }

    /// The position after a move.
    fn after(&self, mv: Move) -> Position<'a> {
        let mut after = self.base;
        let rules = after.unseen.rules;
        if let Some((side, card, cell)) = mv.laid() {
            let mut square = after.now[side as usize].square;
            square.put(card, cell);
            after.now[side as usize] = Outlook::new(square, square.value(rules) as i32, rules);
        }
        if let Some(card) = mv.card() {
            after.hand.remove(card);
            after.held = Cells::by_suit(after.hand.distinct());
        }
        after
    }

    /// The logit of the chance to win after a move.
    fn logit(&self, mv: Move) -> f32 {
        let (after, knocks) = (&self.after(mv), mv == Move::KNOCK);
        if knocks || self.is_last {
            let rules = after.unseen.rules;
            let [own, other] = [&after.now[0], &after.now[1]].map(|now| now.value as u8);
            let lead = rules.score(own, knocks, knocks) - rules.score(other, knocks, false);
            return SURE * lead.signum() as f32;
        }
        // The one cell whose lines may have changed: where the card lies, or could have lain.
        let number = mv.card().and_then(|card| match Kind::of(card) {
            Kind::Number(cell) => Some(cell),
            _ => None,
        });
        let (laid, cell) = match mv.laid() {
            Some((side, _, cell)) => (Some(side), Some(cell)),
            _ => (None, number),
        };
        let mut sum = Sum { net: self.net, hidden: self.lines };
        for side in Side::BOTH {
            let gains = &self.base.now[side as usize].gains;
            let here = laid == Some(side);
            if let Some(cell) = cell
                && (here || number.is_some())
            {
                self.shift(side, after, cell, &mut sum);
            }
            let touches = |cell| gains.iter().any(|gains| gains.at(cell) != 0);
            if here || number.is_some_and(touches) {
                after.gains(side, &mut |row| sum.add(row));
            } else {
                sum.join(&self.gains[side as usize]);
            }
        }
        after.race(&mut |row| sum.add(row));
        after.cards(&mut |row| sum.add(row));
        self.net.logit(&sum.hidden)
    }

    /// Puts the rows of the lines through a cell in the place of those before the move.
    #[inline(always)]
    fn shift(&self, side: Side, after: &Position<'_>, cell: Cell, sum: &mut Sum<'_>) {
        for (goal, classes) in self.classes[side as usize].iter().enumerate() {
            let class = after.class(side, goal, cell);
            if class == classes.at(cell.index()) {
                continue;
            }
            let (codes, start) = &LINE_ROWS[side as usize][usize::from(goal < 2)];
            codes.shift(*classes, cell.index(), class, |code, more| match more {
                true => sum.add(start + code),
                false => sum.take(start + code),
            });
        }
    }
}
