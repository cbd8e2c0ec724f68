//! One hand being played: its deal and its moves, which can be taken back.

use crate::chance::{Seed, Stream};
use crate::error::{Error, Result};
use crate::game::{MoveHistory, Playthrough, Seat, Turn};
use crate::strategy::Strategic;

/// Which hand is dealt: all of its chance grows from here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dealt {
    /// The seed of the table.
    pub seed: u64,
    /// Which deal of it, from 0.
    pub deal: u64,
    /// What the bot that deals wished for.
    pub wish: Option<u32>,
}

impl Dealt {
    /// The chance before the deal: the one of this deal in an experiment with this seed.
    pub fn chance(&self) -> Stream {
        Seed::new(self.seed).named("deal").child(self.deal).child(0).stream()
    }

    /// What a seat's own chance grows from.
    pub fn choice(&self, seat: Seat) -> Seed {
        Seed::new(self.seed).named("choice").named("table").child(self.deal).child(seat.0.into())
    }
}

/// A hand with its deal and the checks of a table.
pub(super) struct Hand<G: Strategic> {
    pub dealt: Dealt,
    pub play: Playthrough<G>,
}

impl<G: Strategic> Hand<G> {
    /// A hand before its first move.
    pub fn deal(game: &G, dealt: Dealt) -> Hand<G> {
        let (start, history) = (dealt.chance(), MoveHistory::default());
        Hand { dealt, play: Playthrough::with_setup(game, start, dealt.wish, history) }
    }

    /// Makes a move of a seat, if it is this seat's turn and the move is legal.
    ///
    /// # Errors
    /// If the move cannot be made; nothing has changed then.
    pub fn apply(&mut self, game: &G, seat: Seat, mv: G::Move) -> Result<()> {
        match self.play.turn(game) {
            Turn::Over => return Err(Error::input("the hand is over")),
            Turn::Seat(next) if next != seat => {
                let what = format!("it is the turn of seat {}, not of seat {}", next.0, seat.0);
                return Err(Error::input(what));
            }
            Turn::Seat(_) => {}
        }
        self.play.try_apply(game, mv).map_err(|_| {
            let what = format!("`{}` is not legal here", game.notation(mv));
            Error::input(what)
        })
    }

    /// The view of a seat after these moves, and its legal moves there; none if its turn is over.
    ///
    /// # Errors
    /// If one of the moves is not legal.
    pub fn after(
        &self,
        game: &G,
        seat: Seat,
        moves: &[G::Move],
    ) -> Result<(G::View, Vec<G::Move>)> {
        let mut tried = Hand { dealt: self.dealt, play: self.play.clone() };
        moves.iter().try_for_each(|mv| tried.apply(game, seat, *mv))?;
        let (view, mut options) = (tried.play.view(game, seat), Vec::new());
        game.legal_moves_in_view(&view, &mut options);
        Ok((view, options))
    }
}
