//! What a finished hand is worth to each seat, and a playout that ends early.

use std::sync::Arc;

use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Game, MAX_SEATS, Policy, Scores, Seat, Turn};

/// A reward in 0..=1 for each seat.
pub type Rewards = ArrayVec<f32, MAX_SEATS>;

crate::files::text::defaults! {
    /// A mix of winning and of the margin: what a result is worth, from 0 to 1.
    ///
    /// The margin m (own points less the best other's) counts as ½ + ½ m / (|m| + scale), so that the
    /// first points count most and no margin is worth more than 1.
    #[derive(Copy)]
    pub struct Reward {
        /// The share of winning in the mix: 1 looks at who won alone, 0 at the margin alone.
        #[schemars(range(min = 0, max = 1))]
        pub win: f32 = 0.5,
        /// The margin, in points, that is worth three quarters.
        #[schemars(range(min = 1e-6, max = 1e6))]
        pub scale: f32 = 5.0,
    }
}

impl Reward {
    /// What it is worth to be ahead by so many points.
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
        let rewards = points.iter().enumerate().map(|(seat, &own)| {
            let others = points.iter().enumerate().filter(|(other, _)| *other != seat);
            let best = others.map(|(_, p)| *p).max().unwrap_or(own);
            let win = if own == top { 1.0 / winners } else { 0.0 };
            self.win * win + (1.0 - self.win) * self.margin((own - best) as f32)
        });
        rewards.collect()
    }

    /// The rewards of a state: its result when it is over, else what the game makes of it.
    #[inline]
    pub fn at<G: Game + ?Sized>(&self, game: &G, state: &G::State) -> Rewards {
        match game.turn(state) {
            Turn::Over => self.of(&game.scores(state)),
            Turn::Seat(_) => (0..game.seats())
                .map(|seat| self.margin(game.evaluate(state, Seat(seat as u8))))
                .collect(),
        }
    }
}

/// After how many moves a playout is cut off, and who judges the position then (leaf evaluation).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CutOffOptions {
    /// How many moves.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub moves: u32,
    /// A strategy that estimates chances to win. Left out, the game evaluates the position.
    pub judge: Option<String>,
}

/// A cut-off whose judge is known.
pub struct CutOff<G: Game> {
    /// After how many moves.
    pub moves: u32,
    /// A policy that [judges](Policy::win_probability) positions; without one, or where it says nothing, the
    /// game [evaluates](Game::evaluate) them.
    pub judge: Option<Arc<dyn Policy<G>>>,
}

impl<G: Game> CutOff<G> {
    /// What the judge says of a state that is not over: of two seats the one that is not to move
    /// is asked, and the other has the rest.
    pub(super) fn judged(&self, game: &G, state: &G::State) -> Option<Rewards> {
        let (Turn::Seat(Seat(seat)), 2) = (game.turn(state), game.seats()) else { return None };
        let waiting = Seat(seat ^ 1);
        let chance = self.judge.as_ref()?.win_probability(game, &game.view(state, waiting))?;
        let mut rewards: Rewards = [1.0 - chance; 2].into_iter().collect();
        rewards[waiting.index()] = chance;
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
