//! Rewards of finished hands and of playouts that are cut off.

use std::sync::Arc;

use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Game, MAX_SEATS, Policy, Scores, Seat, Turn};

/// A reward from 0 to 1 for each seat.
pub type Rewards = ArrayVec<f32, MAX_SEATS>;

parlour_base::files::text::defaults! {
    /// The value of a result from 0 to 1: a mix of winning and of the margin.
    ///
    /// The margin m (own points minus the best other's) counts as ½ + ½ m / (|m| + scale). So the
    /// first points count most, and the value stays below 1.
    #[derive(Copy)]
    pub struct Reward {
        /// Weight of winning: 1 ignores the margin, 0 counts only the margin.
        #[schemars(range(min = 0, max = 1))]
        pub win: f32 = 0.5,
        /// Margin in points with a value of three quarters.
        #[schemars(range(min = 1e-6, max = 1e6))]
        pub scale: f32 = 5.0,
    }
}

impl Reward {
    /// The value of a margin.
    #[inline]
    fn margin(&self, margin: f32) -> f32 {
        0.5 + 0.5 * margin / (margin.abs() + self.scale)
    }

    /// The rewards of these points. Equal top scores share the win.
    pub fn of(&self, scores: &Scores) -> Rewards {
        let points = &scores.0;
        if let [a, b] = points[..] {
            let margin = self.margin((a - b) as f32);
            let win = 0.5 + 0.5 * (a - b).signum() as f32;
            let first = self.win * win + (1.0 - self.win) * margin;
            return [first, 1.0 - first].into_iter().collect();
        }
        let top = points.iter().copied().max().unwrap_or(0);
        let winners = points.iter().filter(|p| **p == top).count() as f32;
        let rewards = (0..).zip(points).map(|(seat, &own)| {
            let win = if own == top { 1.0 / winners } else { 0.0 };
            self.win * win + (1.0 - self.win) * self.margin(scores.margin(Seat(seat)) as f32)
        });
        rewards.collect()
    }

    /// The rewards of a state: its result if it is over, otherwise the game's evaluation.
    #[inline]
    pub fn at<G: Game>(&self, game: &G, state: &G::State) -> Rewards {
        match game.turn(state) {
            Turn::Over => self.of(&game.scores(state)),
            Turn::Seat(_) => (0..game.seats())
                .map(|seat| self.margin(game.evaluate(state, Seat(seat as u8))))
                .collect(),
        }
    }
}

/// A length limit of playouts and the evaluation of the position there (leaf evaluation).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CutOffOptions {
    /// Number of moves.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub moves: u32,
    /// Strategy that estimates win probabilities. By default the game evaluates the position.
    pub evaluator: Option<String>,
}

/// A cut-off with its evaluator.
pub struct CutOff<G: Game> {
    /// Number of moves.
    pub moves: u32,
    /// A policy that [estimates](Policy::win_share) shares of the win. Without one, or
    /// without an estimate, the game [evaluates](Game::evaluate) the position.
    pub evaluator: Option<Arc<dyn Policy<G>>>,
}

impl<G: Game> CutOff<G> {
    /// The evaluator's rewards of a state of two seats that is not over. One seat is estimated; the
    /// other one gets the rest.
    pub(super) fn evaluate(&self, game: &G, state: &G::State) -> Option<Rewards> {
        let (Turn::Seat(Seat(seat)), 2) = (game.turn(state), game.seats()) else { return None };
        let evaluator = self.evaluator.as_ref()?;
        let share = evaluator.win_share(game, state, Seat(seat))?;
        let mut rewards: Rewards = [1.0 - share; 2].into_iter().collect();
        rewards[usize::from(seat)] = share;
        Some(rewards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewards_add_up_and_grow() {
        let reward = Reward { win: 0.5, scale: 4.0 };
        let of = |points: &[i32]| reward.of(&Scores(points.iter().copied().collect()));
        assert_eq!(of(&[3, 3])[..], [0.5, 0.5]);
        assert_eq!(of(&[4, 0])[0], 0.5 * 1.0 + 0.5 * 0.75);
        assert!(of(&[9, 0])[0] > of(&[5, 0])[0] && of(&[5, 0])[0] > of(&[5, 4])[0]);
        let three = of(&[5, 5, 1]);
        assert_eq!(three[0], three[1]);
        assert!(three.iter().all(|r| (0.0..=1.0).contains(r)) && three[2] < three[0]);
        let only = Reward { win: 1.0, scale: 4.0 };
        assert_eq!(only.of(&Scores::two(1, 2))[..], [0.0, 1.0]);
    }
}
