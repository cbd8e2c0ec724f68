//! Values of the decisions of a hand, estimated by the luck network.

use super::{Act, Leopard, Move};
use parlour_base::chance::Stream;
use parlour_game::{Choices, Decision, Decisions, LuckEvaluator, for_each_decision};

/// One decision in this number is evaluated, and every knock.
const EVERY: u32 = 8;

/// Number of sampled worlds of each decision.
const WORLDS: u32 = 16;

/// Sums over the decisions of a hand. Shares of a win are in parts of
/// [`LUCK_UNIT`](parlour_game::LUCK_UNIT).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DecisionSums {
    /// Decisions in which a seat could neither lay a card nor knock.
    pub dead: i64,
    /// Evaluated decisions, with at least three moves.
    pub weighed: i64,
    /// Lead of the best move over the third best.
    pub weight: i64,
    /// Evaluated knocks.
    pub knocks: i64,
    /// Lead of the knocks over the best other move; negative if they were worse.
    pub knock_gain: i64,
}

impl DecisionSums {
    /// Sums over a hand, with the numbers of choices. Without a luck network nothing is evaluated.
    pub fn of(
        game: &Leopard,
        choices: &Choices<Leopard>,
        judge: Option<&dyn LuckEvaluator<Leopard>>,
        chance: &mut Stream,
    ) -> (Decisions, DecisionSums) {
        let (mut all, mut sums) = (Decisions::default(), DecisionSums::default());
        let first = chance.below(EVERY);
        for_each_decision(game, choices, |decision| {
            all.count(decision);
            sums.dead += i64::from(decision.moves.iter().all(|mv| is_idle(*mv)));
            let of_eight = decision.number as u32 % EVERY == first && decision.moves.len() > 2;
            let knocks = decision.chosen == Move::KNOCK && decision.moves.len() > 1;
            if let Some(judge) = judge.filter(|_| of_eight || knocks) {
                sums.evaluate(game, judge, decision, (of_eight, knocks), chance);
            }
        });
        (all, sums)
    }

    fn evaluate(
        &mut self,
        game: &Leopard,
        judge: &dyn LuckEvaluator<Leopard>,
        decision: &Decision<'_, Leopard>,
        (of_eight, knocks): (bool, bool),
        chance: &mut Stream,
    ) {
        let values = decision.move_values(game, judge, WORLDS, chance);
        if knocks {
            let own = decision.moves.iter().position(|mv| *mv == Move::KNOCK);
            let others = values.iter().enumerate().filter(|(at, _)| Some(*at) != own);
            if let (Some(own), Some(best)) = (own, others.map(|(_, value)| value).max()) {
                self.knocks += 1;
                self.knock_gain += values[own] - best;
            }
        }
        if of_eight {
            let mut sorted = values;
            sorted.sort_unstable_by_key(|value| -value);
            self.weighed += 1;
            self.weight += sorted[0] - sorted[2];
        }
    }
}

/// Returns `true` if a move lays no card and does not end the hand.
fn is_idle(mv: Move) -> bool {
    matches!(mv.act(), Act::Discard(_) | Act::End)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;
    use parlour_base::chance::Seed;
    use parlour_game::{Game, LUCK_UNIT, Ruled, Seat};

    /// An estimator for which all positions are equal.
    struct EvenLuck;

    impl LuckEvaluator<Leopard> for EvenLuck {
        fn luck(&self, _: &Leopard, _: &Stream, _: &[(Seat, Move)], _: &[&str]) -> i64 {
            0
        }

        fn win_share(&self, _: &Leopard, _: &State, _: Seat) -> i64 {
            LUCK_UNIT / 2
        }
    }

    /// The sums of one decision in which the first seat knocks with these squares.
    fn of_knock(squares: [&str; 2]) -> DecisionSums {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let mut state = game.deal(&mut Seed::new(1).stream());
        for (at, square) in squares.into_iter().enumerate() {
            state.squares[at] = square.to_owned().try_into().unwrap();
            state.values[at] = state.squares[at].value(game.rules()) as u8;
        }
        let mut moves = Vec::new();
        game.legal_moves(&state, &mut moves);
        assert!(moves.contains(&Move::KNOCK));
        let mut chance = Seed::new(2).stream();
        DecisionSums::of(&game, &vec![(state, Move::KNOCK)], Some(&EvenLuck), &mut chance).1
    }

    #[test]
    fn a_knock_gains_what_it_wins_less_the_value_of_going_on() {
        let own = "SSS/HHH/CCC";
        for (other, gain) in [("SSS/.../...", LUCK_UNIT / 2), ("SSS/SSS/SSS", -LUCK_UNIT / 2)] {
            let sums = of_knock([own, other]);
            assert_eq!((sums.knocks, sums.knock_gain, sums.dead), (1, gain, 0));
        }
    }

    #[test]
    fn the_best_move_is_compared_with_the_third_best() {
        // A won knock is best; all other moves are equal.
        let sums = of_knock(["SSS/HHH/CCC", "SSS/.../..."]);
        assert!(sums.weighed <= 1);
        assert_eq!(sums.weight, sums.weighed * LUCK_UNIT / 2);
    }

    #[test]
    fn without_a_network_nothing_is_evaluated() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let state = game.deal(&mut Seed::new(1).stream());
        let choices = vec![(state, Move::END)];
        let (all, sums) = DecisionSums::of(&game, &choices, None, &mut Seed::new(2).stream());
        assert_eq!((all.decisions, sums), (1, DecisionSums::default()));
    }
}
