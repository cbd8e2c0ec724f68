//! How hands are played on below the search: as by players who mostly know the rule.

use crate::cards::CardSet;
use crate::chance::Stream;
use crate::games::eleusis::{Move, Stage, State};
use crate::game::{Game, Turn};
use crate::search::Rollout;

use super::believed::Believed;

/// Each turn is made, with chance `skill`, by someone who knows the world's rule: a right card, or
/// *no play* where there is none, and as prophet the true verdict. Otherwise any card is laid.
/// Nobody becomes prophet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Informed {
    /// Of 2³².
    skill: u32,
}

impl Informed {
    pub fn new(skill: f64) -> Informed {
        Informed { skill: (skill.clamp(0.0, 1.0) * f64::from(u32::MAX)) as u32 }
    }

    fn pick(self, game: &Believed, state: &State, chance: &mut Stream) -> Move {
        let public = state.public();
        let knows = ((chance.bits() >> 32) as u32) < self.skill;
        match public.stage {
            Stage::After => Move::Pass,
            Stage::Force => game.sample(state, chance),
            Stage::Judge => Move::Judge(knows == state.on_the_table_is_right()),
            Stage::Play if !public.string.is_empty() => Move::Submit,
            Stage::Play => {
                let hand = state.hand(public.player).distinct();
                let right = CardSet(hand.0 & state.verdicts().0);
                let mut from = if knows { right } else { hand };
                match from.nth(chance.below(from.len().max(1)) as usize) {
                    Some(card) => Move::Lay(card),
                    None => Move::NoPlay,
                }
            }
        }
    }
}

impl Rollout<Believed> for Informed {
    fn run(&self, game: &Believed, state: &mut State, limit: Option<u32>, chance: &mut Stream) {
        for _ in 0..limit.unwrap_or(u32::MAX) {
            if game.turn(state) == Turn::Over {
                return;
            }
            let mv = self.pick(game, state, chance);
            game.play(state, mv, chance);
        }
    }

    fn suggest(&self, game: &Believed, state: &State, chance: &mut Stream) -> Option<Move> {
        (game.turn(state) != Turn::Over).then(|| self.pick(game, state, chance))
    }
}
