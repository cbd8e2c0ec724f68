//! The decisions of a hand that was played: how much there was to choose, and what the choice was
//! worth.

use super::{Choices, Game, LUCK_UNIT, LuckEvaluator, Seat, Turn};
use crate::chance::{Seed, Stream};

/// One decision of a hand that was played.
pub struct Decision<'a, G: Game> {
    /// Its number in the hand.
    pub number: usize,
    /// The truth before it.
    pub state: &'a G::State,
    /// Who chose.
    pub seat: Seat,
    /// All moves that the rules allowed, in ascending order.
    pub moves: &'a [G::Move],
    /// The move that was made.
    pub chosen: G::Move,
}

/// Tells the decisions of a hand, in order.
pub fn for_each_decision<G: Game>(
    game: &G,
    choices: &Choices<G>,
    mut tell: impl FnMut(&Decision<'_, G>),
) {
    let mut moves = Vec::new();
    for (number, (state, chosen)) in choices.iter().enumerate() {
        if let Turn::Seat(seat) = game.turn(state) {
            game.legal_moves(state, &mut moves);
            tell(&Decision { number, state, seat, moves: &moves, chosen: *chosen });
        }
    }
}

impl<G: Game> Decision<'_, G> {
    /// What each of its moves is worth to the seat that chooses, in parts of [`LUCK_UNIT`]: the judge's
    /// estimate after it, on average over so many worlds that the seat's view allows. In each world
    /// the next cards are the same after all moves.
    pub fn move_values(
        &self,
        game: &G,
        judge: &dyn LuckEvaluator<G>,
        worlds: u32,
        chance: &mut Stream,
    ) -> Vec<i64> {
        let view = game.view(self.state, self.seat);
        let mut sums = vec![0; self.moves.len()];
        for _ in 0..worlds {
            let world = game.determinize(&view, chance);
            let cards = Seed::new(chance.bits()).stream();
            for (sum, mv) in sums.iter_mut().zip(self.moves) {
                let mut after = world.clone();
                game.apply(&mut after, *mv, &mut cards.clone());
                *sum += match game.turn(&after) {
                    Turn::Seat(_) => judge.win_share(game, &after, self.seat),
                    Turn::Over => won(game, &after, self.seat),
                };
            }
        }
        sums.iter_mut().for_each(|sum| *sum /= i64::from(worlds));
        sums
    }
}

/// The share of the win that a seat has at the end, in parts of [`LUCK_UNIT`].
fn won<G: Game>(game: &G, end: &G::State, seat: Seat) -> i64 {
    let scores = game.scores(end).0;
    let best = scores.iter().max();
    let winners = scores.iter().filter(|points| Some(*points) == best).count() as i64;
    if scores.get(seat.index()) == best { LUCK_UNIT / winners } else { 0 }
}

/// How much there was to choose in a hand; the numbers of hands add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Decisions {
    /// How often somebody chose.
    pub decisions: i64,
    /// How many moves were allowed, all told.
    pub moves: i64,
    /// How often only one was.
    pub forced: i64,
}

impl Decisions {
    /// Counts one.
    pub fn count<G: Game>(&mut self, decision: &Decision<'_, G>) {
        self.decisions += 1;
        self.moves += decision.moves.len() as i64;
        self.forced += i64::from(decision.moves.len() == 1);
    }

    /// Those of a hand.
    pub fn of<G: Game>(game: &G, choices: &Choices<G>) -> Decisions {
        let mut all = Decisions::default();
        for_each_decision(game, choices, |decision| all.count(decision));
        all
    }
}
