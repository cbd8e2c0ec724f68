//! A player that learnt what positions are worth.

mod candidates;
mod codes;
mod file;
mod net;
mod position;
mod rows;
mod scene;
mod thought;

pub use file::LearntFile;
pub use net::{HIDDEN, Net, PARTS};
pub use rows::{ROWS, Sink};

use std::sync::Arc;

use crate::chance::Stream;
use crate::game::{Policy, Ruled};
use crate::games::leopard::{Leopard, Move, Rules, View};
use crate::maths::exp;
use candidates::candidates;
use net::Sum;
use position::Position;
use scene::{Scene, Side};
use thought::Thought;

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
        let scene = Scene::new(view, rules);
        let thought = self.thought(&scene, view);
        candidates(rules, view, |mv| {
            let logit = thought.logit(mv);
            if logit > best.1 {
                best = (mv, logit);
            }
        });
        best
    }

    /// The logit of the chance to win of the seat whose view this is, which has just moved.
    pub fn logit(&self, rules: &Rules, view: &View) -> f32 {
        let scene = Scene::new(view, rules);
        let mut sum = Sum::new(&self.net);
        position(&scene, view, view.stock_len).rows(&mut sum);
        self.net.logit(&sum.hidden)
    }

    /// Tells the rows of a position as the seat sees it whose view this is, which has just moved.
    pub fn rows(rules: &Rules, view: &View, sink: &mut impl Sink) {
        let scene = Scene::new(view, rules);
        position(&scene, view, view.stock_len).rows(sink);
    }

    #[inline]
    fn thought<'a>(&'a self, scene: &'a Scene<'a>, view: &View) -> Thought<'a> {
        let stock = view.stock_len.saturating_sub(scene.rules.draw);
        let is_last = view.stock_len == 0 && view.held[0] + view.held[1] == 1;
        Thought::new(&self.net, position(scene, view, stock), is_last)
    }
}

fn position<'a>(scene: &'a Scene<'a>, view: &View, stock: u8) -> Position<'a> {
    let own = Side::new(view.own(), view.own_value().into(), scene.rules);
    let other = Side::new(view.other(), view.other_value().into(), scene.rules);
    Position::new(scene, own, other, view.hand, stock)
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
        let scene = Scene::new(view, rules);
        let thought = self.thought(&scene, view);
        out.clear();
        out.extend(moves.iter().map(|&mv| {
            chance_of(if mv == Move::KNOCK { knock(rules, view) } else { thought.logit(mv) })
        }));
        true
    }

    fn judge(&self, game: &Leopard, view: &View) -> Option<f32> {
        Some(chance_of(self.logit(game.rules(), view)))
    }
}
