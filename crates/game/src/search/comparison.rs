//! A comparison of two moves in the same worlds.

use schemars::JsonSchema;
use serde::Serialize;

use super::determinization::Root;
use super::reward::{Reward, Rewards};
use super::{Determinizer, Search, UniformDeterminizer};
use crate::{Game, Observation, Turn};
use parlour_base::chance::{Seed, Stream};

/// The chances to win after the adviser's move and after the move played, estimated in the same worlds
/// with the same random numbers, so that both share their luck.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Comparison {
    /// The chance to win after the adviser's move, 0 to 1.
    pub best: f64,
    /// The chance to win after the move played.
    pub played: f64,
    /// Half the width of the 95 % interval of the loss; 0 if both chances are exact.
    pub half_width: f64,
}

impl Comparison {
    /// The loss in chance to win; negative if the move played came out better.
    pub fn loss(&self) -> f64 {
        self.best - self.played
    }

    /// The mark of the loss in the style of chess: `?!` from 0.02, `?` from 0.05 and `??` from 0.1.
    /// Empty if the loss is smaller or its interval includes 0.
    pub fn mark(&self) -> &'static str {
        match self.loss() {
            loss if loss <= self.half_width || loss < 0.02 => "",
            loss if loss < 0.05 => "?!",
            loss if loss < 0.1 => "?",
            _ => "??",
        }
    }
}

impl<G: Game> Search<G> {
    /// Compares two legal moves by playouts of both in each of `worlds` worlds. Playouts stop early only
    /// for an evaluator that estimates chances to win. `None` if the hand is over.
    pub fn compare(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        moves: [G::Move; 2],
        worlds: u64,
        chance: &mut Stream,
    ) -> Option<Comparison> {
        let determinizer = &UniformDeterminizer;
        let first = determinizer.draw(game, observation.view, chance);
        let Turn::Seat(seat) = game.turn(&first) else { return None };
        let root = Root { game, observation, seat, determinizer };
        self.worlds.prepare(self.parts.model.as_ref(), &root, chance);
        let (mut sums, mut squares) = ([0.0; 2], 0.0);
        for _ in 0..worlds {
            let world = self.worlds.draw(&root, chance);
            let start = Seed::new(chance.bits()).stream();
            let mut rewards = [0.0; 2];
            for (at, mv) in moves.into_iter().enumerate() {
                if at == 1 && moves[0] == mv {
                    rewards[1] = rewards[0];
                    break;
                }
                let (mut state, mut chance) = (world.clone(), start.clone());
                game.apply(&mut state, mv, &mut chance);
                rewards[at] =
                    f64::from(self.win_shares(game, &mut state, &mut chance)[seat.index()]);
            }
            sums = [sums[0] + rewards[0], sums[1] + rewards[1]];
            squares += (rewards[0] - rewards[1]).powi(2);
        }
        let n = worlds.max(1) as f64;
        let [best, played] = sums.map(|sum| sum / n);
        let variance = (squares / n - (best - played).powi(2)).max(0.0);
        Some(Comparison { best, played, half_width: 1.96 * (variance / (n - 1.0).max(1.0)).sqrt() })
    }

    /// Plays a hand out and returns the chances to win.
    fn win_shares(&self, game: &G, state: &mut G::State, chance: &mut Stream) -> Rewards {
        let cut_off = self.parts.cut_off.as_ref().filter(|cut_off| cut_off.evaluator.is_some());
        self.parts.playout.run(game, state, cut_off.map(|cut_off| cut_off.moves), chance);
        cut_off.and_then(|cut_off| cut_off.evaluate(game, state)).unwrap_or_else(|| {
            self.parts.playout.run(game, state, None, chance);
            Reward { win: 1.0, ..Reward::default() }.of(&game.scores(state))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_needs_a_clear_loss() {
        let mark = |loss: f64, half_width: f64| {
            Comparison { best: 0.5 + loss, played: 0.5, half_width }.mark()
        };
        let sizes = [0.01, 0.03, 0.07, 0.2].map(|loss| mark(loss, 0.005));
        assert_eq!(sizes, ["", "?!", "?", "??"]);
        assert_eq!([0.03, 0.07, 0.2].map(|loss| mark(loss, 0.21)), ["", "", ""]);
        assert_eq!([mark(-0.3, 0.0), mark(0.5, 0.0)], ["", "??"]);
    }
}
