//! One hand being played: its deal and its moves, which can be taken back.

use crate::chance::{Seed, Stream};
use crate::error::{Error, Result};
use crate::game::{Label, MoveHistory, Seat, Turn};
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

/// A hand with the moves made in it.
pub(super) struct Hand<G: Strategic> {
    pub dealt: Dealt,
    pub state: G::State,
    chance: Stream,
    told: MoveHistory<G>,
    moves: Vec<(Seat, G::Move)>,
}

impl<G: Strategic> Hand<G> {
    /// A hand before its first move.
    pub fn deal(game: &G, dealt: Dealt) -> Hand<G> {
        let mut chance = dealt.chance();
        let state = game.deal_with_setup(dealt.wish, &mut chance);
        Hand { dealt, state, chance, told: MoveHistory::new(game), moves: Vec::new() }
    }

    /// Whose choice it is.
    pub fn turn(&self, game: &G) -> Turn {
        game.turn(&self.state)
    }

    /// What a seat knows.
    pub fn view(&self, game: &G, seat: Seat) -> G::View {
        game.view(&self.state, seat)
    }

    /// What a seat was told of the moves.
    pub fn past(&self, seat: Seat) -> &[(Seat, G::Move)] {
        self.told.visible_to(seat, &self.moves)
    }

    /// All moves, for who may know the hand.
    pub fn moves(&self) -> &[(Seat, G::Move)] {
        &self.moves
    }

    /// The points, were the hand to end here.
    pub fn scores(&self, game: &G) -> crate::Scores {
        game.scores(&self.state)
    }

    /// Makes a move of a seat, if it is this seat's turn and the move is legal.
    ///
    /// # Errors
    /// Why not; then nothing has changed.
    pub fn play(&mut self, game: &G, seat: Seat, mv: G::Move) -> Result<()> {
        match game.turn(&self.state) {
            Turn::Over => return Err(Error::input("the hand is over")),
            Turn::Seat(next) if next != seat => {
                let what = format!("it is the turn of seat {}, not of seat {}", next.0, seat.0);
                return Err(Error::input(what));
            }
            Turn::Seat(_) => {}
        }
        if !game.is_legal(&self.state, mv) {
            let what = format!("`{}` is not legal here", game.notation(mv));
            return Err(Error::input(what));
        }
        self.told.record(game, &self.state, seat, mv);
        game.apply(&mut self.state, mv, &mut self.chance);
        self.moves.push((seat, mv));
        Ok(())
    }

    /// The hand as it was before its move number `count`, from 0.
    pub fn back_to(&mut self, game: &G, count: usize) {
        let moves = std::mem::take(&mut self.moves);
        *self = Hand::deal(game, self.dealt);
        for (seat, mv) in moves.into_iter().take(count) {
            // They were legal before.
            _ = self.play(game, seat, mv);
        }
    }

    /// What moves would lead to, were a seat to make them now: its view, and the moves that it then
    /// has, none when its turn is over.
    ///
    /// # Errors
    /// When one of them is not legal.
    pub fn after(
        &self,
        game: &G,
        seat: Seat,
        moves: &[G::Move],
    ) -> Result<(G::View, Vec<G::Move>)> {
        let told = MoveHistory::new(game);
        let (state, chance) = (self.state.clone(), self.chance.clone());
        let mut tried = Hand { dealt: self.dealt, state, chance, told, moves: Vec::new() };
        moves.iter().try_for_each(|mv| tried.play(game, seat, *mv))?;
        let (view, mut options) = (tried.view(game, seat), Vec::new());
        game.legal_moves_in_view(&view, &mut options);
        Ok((view, options))
    }

    /// The record of a hand that is over, as a line of JSON.
    pub fn record(&self, game: &G, label: &Label) -> String {
        let moves: Vec<G::Move> = self.moves.iter().map(|(_, mv)| *mv).collect();
        let record = game.record_to(label, self.dealt.chance(), &moves, &self.state);
        crate::files::compact(&record)
    }
}
