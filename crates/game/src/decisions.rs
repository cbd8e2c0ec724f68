//! The decisions of a finished hand: the number of options and the values of the moves.

use super::{Choices, Game, Policy, Seat, Turn, luck};
use parlour_base::chance::{Seed, Stream};

/// A decision of a finished hand.
pub struct Decision<'a, G: Game> {
    /// Index of the decision in the hand.
    pub number: usize,
    /// The complete state before it.
    pub state: &'a G::State,
    /// The seat that chose.
    pub seat: Seat,
    /// All legal moves in ascending order.
    pub moves: &'a [G::Move],
    /// The move that was made.
    pub chosen: G::Move,
}

/// Visits the decisions of a hand in order.
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
    /// The value of each move for the seat that chooses, in units of [`LUCK_UNIT`](super::LUCK_UNIT): the evaluator's
    /// estimate after the move, averaged over `worlds` sampled states. Within a world, the next
    /// cards are the same after all moves.
    pub fn move_values(
        &self,
        game: &G,
        judge: &dyn Policy<G>,
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
                *sum += luck::win_share(game, judge, &after, self.seat);
            }
        }
        sums.iter_mut().for_each(|sum| *sum /= i64::from(worlds));
        sums
    }
}

/// Counts of the decisions of a hand; the counts of hands add up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Decisions {
    /// Number of decisions.
    pub decisions: i64,
    /// Total number of legal moves.
    pub moves: i64,
    /// Number of decisions with a single legal move.
    pub forced: i64,
}

impl Decisions {
    /// Counts a decision.
    pub fn count<G: Game>(&mut self, decision: &Decision<'_, G>) {
        self.decisions += 1;
        self.moves += decision.moves.len() as i64;
        self.forced += i64::from(decision.moves.len() == 1);
    }

    /// Counts the decisions of a hand.
    pub fn of<G: Game>(game: &G, choices: &Choices<G>) -> Decisions {
        let mut all = Decisions::default();
        for_each_decision(game, choices, |decision| all.count(decision));
        all
    }
}
