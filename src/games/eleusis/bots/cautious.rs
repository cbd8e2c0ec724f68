//! A player that lays the likeliest card.

use std::sync::Arc;

use super::mind::Mind;
use super::worth::{Stakes, judged_right, likeliest};
use crate::chance::Stream;
use crate::games::eleusis::infer::Grammar;
use crate::games::eleusis::{Eleusis, Move, Stage};
use crate::game::{Bot, Ruled, Seat, Sight};

/// How many rules it keeps in view when it must look at a whole hand or string.
const IN_VIEW: usize = 64;

/// Lays the card that is likeliest right, always one at a time; claims *no play* where that sheds
/// more. It never becomes prophet, and states no rule.
pub struct Cautious {
    mind: Mind,
}

impl Cautious {
    /// A player that knows the rules of this grammar.
    pub fn new(grammar: Arc<Grammar>) -> Cautious {
        Cautious { mind: Mind::new(grammar) }
    }
}

impl Bot<Eleusis> for Cautious {
    fn start(&mut self, _: Seat) {
        self.mind.clear();
    }

    fn choose(&mut self, game: &Eleusis, sight: Sight<'_, Eleusis>, _: &mut Stream) -> Move {
        let view = sight.view;
        let public = &view.public;
        if public.stage == Stage::Play && !public.string.is_empty() {
            return Move::Submit;
        }
        if public.stage == Stage::After {
            return Move::Pass;
        }
        let learner = self.mind.follow(game, public);
        let panel = learner.panel(IN_VIEW);
        if public.stage == Stage::Judge {
            return Move::Judge(judged_right(public, panel) > 0.5);
        }
        let chances = learner.chances();
        let hand = view.hand.distinct();
        let stakes =
            Stakes { rules: game.rules(), public, hand: &view.hand, curiosity: 0.0, likeness: 0.0 };
        let none = panel.none_right(hand);
        match likeliest(hand, &chances) {
            Some(card)
                if stakes.string(1, chances[usize::from(card.index())]) >= stakes.claim(none) =>
            {
                Move::Lay(card)
            }
            _ => Move::NoPlay,
        }
    }
}
