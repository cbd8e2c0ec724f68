//! What the decisions of a hand were worth, by the judge of luck.

use super::{Act, Leopard, Move};
use crate::chance::Stream;
use crate::game::{Choices, Decision, Decisions, LuckEvaluator, for_each_decision};

/// One decision in so many is weighed, and every knock.
const EVERY: u32 = 8;

/// Over so many worlds that the view of the seat allows.
const WORLDS: u32 = 16;

/// What the decisions of a hand came to; shares of a win are in parts of [`LUCK_UNIT`](crate::game::LUCK_UNIT).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Worth {
    /// How often a seat could neither lay a card nor knock.
    pub dead: i64,
    /// Decisions that were weighed, among three moves or more.
    pub weighed: i64,
    /// How far the best move was above the third best.
    pub weight: i64,
    /// Knocks that were weighed.
    pub knocks: i64,
    /// How far they were above the best other move; below it, a number below 0.
    pub knock_gain: i64,
}

impl Worth {
    /// That of a hand, and how much there was to choose in it. Without a judge nothing is weighed.
    pub fn of(
        game: &Leopard,
        choices: &Choices<Leopard>,
        judge: Option<&dyn LuckEvaluator<Leopard>>,
        chance: &mut Stream,
    ) -> (Decisions, Worth) {
        let (mut all, mut worth) = (Decisions::default(), Worth::default());
        let first = chance.below(EVERY);
        for_each_decision(game, choices, |decision| {
            all.count(decision);
            worth.dead += i64::from(decision.moves.iter().all(|mv| is_idle(*mv)));
            let of_eight = decision.number as u32 % EVERY == first && decision.moves.len() > 2;
            let knocks = decision.chosen == Move::KNOCK && decision.moves.len() > 1;
            if let Some(judge) = judge.filter(|_| of_eight || knocks) {
                worth.weigh(game, judge, decision, (of_eight, knocks), chance);
            }
        });
        (all, worth)
    }

    fn weigh(
        &mut self,
        game: &Leopard,
        judge: &dyn LuckEvaluator<Leopard>,
        decision: &Decision<'_, Leopard>,
        (of_eight, knocks): (bool, bool),
        chance: &mut Stream,
    ) {
        let worth = decision.move_values(game, judge, WORLDS, chance);
        if knocks {
            let own = decision.moves.iter().position(|mv| *mv == Move::KNOCK);
            let others = worth.iter().enumerate().filter(|(at, _)| Some(*at) != own);
            if let (Some(own), Some(best)) = (own, others.map(|(_, worth)| worth).max()) {
                self.knocks += 1;
                self.knock_gain += worth[own] - best;
            }
        }
        if of_eight {
            let mut sorted = worth;
            sorted.sort_unstable_by_key(|worth| -worth);
            self.weighed += 1;
            self.weight += sorted[0] - sorted[2];
        }
    }
}

/// Whether a move lays no card and does not end the hand.
fn is_idle(mv: Move) -> bool {
    matches!(mv.act(), Act::Discard(_) | Act::End)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::State;
    use crate::chance::Seed;
    use crate::game::{Game, LUCK_UNIT, Ruled, Seat};

    /// Thinks that everything is worth as much.
    struct Even;

    impl LuckEvaluator<Leopard> for Even {
        fn luck(&self, _: &Leopard, _: &Stream, _: &[(Seat, Move)], _: &[&str]) -> i64 {
            0
        }

        fn win_share(&self, _: &Leopard, _: &State, _: Seat) -> i64 {
            LUCK_UNIT / 2
        }
    }

    /// The worth of one decision in which the first seat knocks, the squares having these cards.
    fn of_knock(squares: [&str; 2]) -> Worth {
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
        Worth::of(&game, &vec![(state, Move::KNOCK)], Some(&Even), &mut chance).1
    }

    #[test]
    fn a_knock_is_worth_what_it_wins_less_what_going_on_would() {
        let own = "SSS/HHH/CCC";
        for (other, gain) in [("SSS/.../...", LUCK_UNIT / 2), ("SSS/SSS/SSS", -LUCK_UNIT / 2)] {
            let worth = of_knock([own, other]);
            assert_eq!((worth.knocks, worth.knock_gain, worth.dead), (1, gain, 0));
        }
    }

    #[test]
    fn the_best_move_is_weighed_against_the_third_best() {
        // A won knock is best; all others are even.
        let worth = of_knock(["SSS/HHH/CCC", "SSS/.../..."]);
        assert!(worth.weighed <= 1);
        assert_eq!(worth.weight, worth.weighed * LUCK_UNIT / 2);
    }

    #[test]
    fn without_a_judge_nothing_is_weighed() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let state = game.deal(&mut Seed::new(1).stream());
        let choices = vec![(state, Move::END)];
        let (all, worth) = Worth::of(&game, &choices, None, &mut Seed::new(2).stream());
        assert_eq!((all.decisions, worth), (1, Worth::default()));
    }
}
