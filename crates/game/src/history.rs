//! The moves of a hand as the seats saw them.

use crate::{Game, Seat};

/// The moves of a hand, and the part of them that each seat saw.
///
/// Where moves are [public](Game::PUBLIC_MOVES) every seat saw all of them, and `seen` is empty.
#[derive(Clone, Debug)]
pub struct MoveHistory<G: Game> {
    moves: Vec<(Seat, G::Move)>,
    seen: Vec<Vec<(Seat, G::Move)>>,
}

impl<G: Game> Default for MoveHistory<G> {
    fn default() -> Self {
        MoveHistory { moves: Vec::new(), seen: Vec::new() }
    }
}

impl<G: Game> MoveHistory<G> {
    /// The history of a hand as one seat knows it: nobody saw more than that seat.
    pub fn as_seen(game: &G, seen: &[(Seat, G::Move)]) -> Self {
        let seats = if G::PUBLIC_MOVES { 0 } else { game.seats() };
        MoveHistory { moves: seen.to_vec(), seen: vec![seen.to_vec(); seats] }
    }

    /// Removes all moves but keeps the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
        self.seen.iter_mut().for_each(Vec::clear);
    }

    /// Adds a move that is about to be made in the state `before`.
    #[inline]
    pub fn record(&mut self, game: &G, before: &G::State, by: Seat, mv: G::Move) {
        if !G::PUBLIC_MOVES {
            self.seen.resize(game.seats(), Vec::new());
            for (who, seen) in (0u8..).zip(&mut self.seen) {
                seen.extend(game.visible_move(before, mv, by, Seat(who)).map(|mv| (by, mv)));
            }
        }
        self.moves.push((by, mv));
    }

    /// All moves. No bot may get them unless moves are public.
    #[inline]
    pub fn moves(&self) -> &[(Seat, G::Move)] {
        &self.moves
    }

    /// The moves as a seat saw them.
    #[inline]
    pub fn visible_to(&self, seat: Seat) -> &[(Seat, G::Move)] {
        if G::PUBLIC_MOVES {
            return &self.moves;
        }
        self.seen.get(seat.index()).map_or(&[], Vec::as_slice)
    }
}
