//! The player that goes by the network, and one decision of it: what each move changes.

use std::sync::Arc;

use super::features::{GOALS, Position, Unseen, other_lines, own_lines};
use super::net::{Layer, Net, Sum};
use super::rows::{
    Classes, OTHER_CODES, OTHER_COLOR, OTHER_SUIT, OWN_COLOR, OWN_COLOR_CODES, OWN_SUIT,
    OWN_SUIT_CODES, Sink,
};
use crate::cards::Card;
use crate::chance::Stream;
use crate::game::{Policy, Ruled};
use crate::games::leopard::bots::gains::Side;
use crate::games::leopard::cells::{Cell, Cells, Kind, NUMBERS};
use crate::games::leopard::{Act, Leopard, Move, Rules, Side as Whose, View};
use crate::maths::exp;

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
    #[inline]
    pub fn best(&self, rules: &Rules, view: &View) -> (Move, f32) {
        let mut best = (Move::END, f32::NEG_INFINITY);
        if view.may_knock(rules) {
            best = (Move::KNOCK, knock(rules, view));
        }
        let unseen = Unseen::new(view, rules);
        let decision = self.decision(&unseen, view);
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
        let unseen = Unseen::new(view, rules);
        let mut sum = Sum::new(&self.net);
        position(&unseen, view, view.stock_len).rows(&mut sum);
        self.net.logit(&sum.hidden)
    }

    /// Tells the rows of a position as the seat sees it whose view this is, which has just moved.
    pub fn rows(rules: &Rules, view: &View, sink: &mut impl Sink) {
        let unseen = Unseen::new(view, rules);
        position(&unseen, view, view.stock_len).rows(sink);
    }

    #[inline]
    fn decision<'a>(&'a self, unseen: &'a Unseen<'a>, view: &View) -> Decision<'a> {
        let stock = view.stock_len.saturating_sub(unseen.rules.draw);
        let is_last = view.stock_len == 0 && view.held[0] + view.held[1] == 1;
        Decision::new(&self.net, position(unseen, view, stock), is_last)
    }
}

fn position<'a>(unseen: &'a Unseen<'a>, view: &View, stock: u8) -> Position<'a> {
    let own = Side::new(view.own(), view.own_value().into(), unseen.rules);
    let other = Side::new(view.other(), view.other_value().into(), unseen.rules);
    Position::new(unseen, own, other, view.hand, stock)
}

/// The logit of a win, a draw or a loss by a knock now.
fn knock(rules: &Rules, view: &View) -> f32 {
    let (own, other) = view.knock_scores(rules);
    SURE * (own - other).signum() as f32
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
    fn weigh(&self, game: &Leopard, view: &View, moves: &[Move], out: &mut Vec<f32>) -> bool {
        let rules = game.rules();
        let unseen = Unseen::new(view, rules);
        let decision = self.decision(&unseen, view);
        out.clear();
        out.extend(moves.iter().map(|&mv| {
            chance_of(if mv == Move::KNOCK { knock(rules, view) } else { decision.logit(mv) })
        }));
        true
    }

    fn judges(&self) -> bool {
        true
    }

    fn judge(&self, game: &Leopard, view: &View) -> Option<f32> {
        Some(chance_of(self.logit(game.rules(), view)))
    }
}

/// Tells every move but a knock; of two jacks, or two queens, the first stands for both.
#[inline(always)]
fn each_move(rules: &Rules, view: &View, mut tell: impl FnMut(Move)) {
    let mut last = None;
    for card in view.hand.distinct() {
        let kind = Kind::of(card);
        if kind.is_face_down() && last.replace(kind) == Some(kind) {
            continue;
        }
        for cell in rules.cells(kind, view.own(), Whose::Own) {
            tell(Move::own(card, cell));
        }
        for cell in rules.cells(kind, view.other(), Whose::Other) {
            tell(Move::other(card, cell));
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
    is_last: bool,
    base: Position<'a>,
    own: [Classes; GOALS],
    other: [Classes; GOALS],
    /// The bias and all lines.
    lines: Layer,
    own_gains: Layer,
    other_gains: Layer,
}

impl<'a> Decision<'a> {
    /// `base` has the squares and the hand before the move, and the stock after it; whether the
    /// hand ends with the move.
    pub fn new(net: &'a Net, base: Position<'a>, is_last: bool) -> Decision<'a> {
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
        Decision {
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
        let rules = after.unseen.rules;
        let lay = |side: &mut Side, card: Card, cell: Cell| {
            let mut square = side.square;
            square.put(card, cell);
            *side = Side::new(square, square.value(rules) as i32, rules);
        };
        let card = match mv.act() {
            Act::Own(card, cell) => {
                lay(&mut after.own, card, cell);
                card
            }
            Act::Other(card, cell) => {
                lay(&mut after.other, card, cell);
                card
            }
            Act::Discard(card) => card,
            Act::End | Act::Knock => return after,
        };
        after.hand.remove(card);
        after.held = Cells::by_suit(after.hand.distinct());
        after
    }

    /// The logit of the chance to win after a move that is not a knock.
    #[inline]
    pub fn logit(&self, mv: Move) -> f32 {
        let after = &self.after(mv);
        if self.is_last {
            let points = |side: &Side| after.unseen.rules.score(side.value as u8, false, false);
            return SURE * (points(&after.own) - points(&after.other)).signum() as f32;
        }
        let is_number = mv.uses_card() && NUMBERS.has(mv.card());
        // The one cell whose lines may have changed: where the card lies, or could have lain.
        let cell = if is_number { Cell::of_number(mv.card()) } else { mv.cell() };
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
        let touches = |side: &Side| side.gains.iter().any(|gains| gains.at(cell) != 0);
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
    fn shift_own(&self, after: &Position<'_>, cell: Cell, sum: &mut Sum<'_>) {
        for (goal, classes) in self.own.iter().enumerate() {
            let class = after.own_class(goal, cell);
            if class == classes.at(cell.index()) {
                continue;
            }
            let group = if goal < 4 { OWN_SUIT } else { OWN_COLOR };
            let tell = |code: usize, more| match more {
                true => sum.add(group + code),
                false => sum.take(group + code),
            };
            match goal {
                0..4 => OWN_SUIT_CODES.shift(*classes, cell.index(), class, tell),
                _ => OWN_COLOR_CODES.shift(*classes, cell.index(), class, tell),
            }
        }
    }

    #[inline(always)]
    fn shift_other(&self, after: &Position<'_>, cell: Cell, sum: &mut Sum<'_>) {
        for (goal, classes) in self.other.iter().enumerate() {
            let class = after.other_class(goal, cell);
            if class == classes.at(cell.index()) {
                continue;
            }
            let group = if goal < 4 { OTHER_SUIT } else { OTHER_COLOR };
            OTHER_CODES.shift(*classes, cell.index(), class, |code, more| match more {
                true => sum.add(group + code),
                false => sum.take(group + code),
            });
        }
    }
}
