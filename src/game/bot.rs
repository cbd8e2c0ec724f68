//! Who chooses the moves.

use super::{Game, Seat};
use crate::chance::Stream;

/// All that a bot is shown when it must choose. There is no way from here to what is hidden.
pub struct Sight<'a, G: Game + ?Sized> {
    /// What the seat knows now; it is the seat to move.
    pub view: &'a G::View,
    /// Every public move of this hand so far, with its seat.
    pub past: &'a [(Seat, G::Move)],
}

impl<G: Game + ?Sized> Clone for Sight<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game + ?Sized> Copy for Sight<'_, G> {}

/// A strategy sitting at a seat. It may keep memory during a hand, and buffers for good.
pub trait Bot<G: Game + ?Sized>: Send {
    /// A new hand begins, at this seat: forget the last one.
    fn start(&mut self, _seat: Seat) {}

    /// What it wants of the deal when it sits at seat 0, where the game leaves a choice (in Eleusis
    /// the dealer's rule, by its place among the candidates).
    fn wishes(&mut self, _game: &G, _chance: &mut Stream) -> Option<u32> {
        None
    }

    /// One of the legal moves. The answer depends on the sight, the stream and nothing else.
    fn choose(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> G::Move;
}

/// A way to choose that is cheap enough for playouts: a function of the view (and chance), with no
/// memory.
pub trait Policy<G: Game + ?Sized>: Send + Sync {
    /// One of the legal moves of the seat to move, whose view this is.
    fn pick(&self, game: &G, view: &G::View, chance: &mut Stream) -> G::Move;

    /// Replaces `out` by what it thinks each of these legal moves is worth, in the order given;
    /// only differences mean anything. False, and nothing, when it has no such opinion.
    fn weigh(&self, _: &G, _: &G::View, _moves: &[G::Move], _out: &mut Vec<f32>) -> bool {
        false
    }

    /// The chance, 0 to 1, that the seat whose view this is wins, where another seat is to move;
    /// `None` when it has no such opinion.
    fn judge(&self, _: &G, _: &G::View) -> Option<f32> {
        None
    }
}

/// A policy sitting at a seat.
pub struct PolicyBot<P>(pub P);

impl<G: Game + ?Sized, P: Policy<G>> Bot<G> for PolicyBot<P> {
    fn choose(&mut self, game: &G, sight: Sight<'_, G>, chance: &mut Stream) -> G::Move {
        self.0.pick(game, sight.view, chance)
    }
}

/// Uniform over the legal moves.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game + ?Sized> Policy<G> for Uniform {
    #[inline]
    fn pick(&self, game: &G, view: &G::View, chance: &mut Stream) -> G::Move {
        game.sample_view(view, chance)
    }
}
