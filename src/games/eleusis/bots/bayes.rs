//! A player that goes by its belief in everything.

use std::sync::Arc;

use super::guess::guess;
use super::mind::Mind;
use super::spec::Params;
use super::worth::{Stakes, best_string, judged_right};
use crate::chance::Stream;
use crate::games::eleusis::infer::{Grammar, Learner};
use crate::games::eleusis::{Eleusis, Move, Stage, View};
use crate::game::{Bot, Ruled, Seat, Sight};

/// Lays the string, tells what pays most in cards; becomes prophet when it believes in a rule;
/// states the rule in Express.
pub struct Bayes {
    mind: Mind,
    params: Params,
}

impl Bayes {
    /// A player that knows the rules of this grammar.
    pub fn new(grammar: Arc<Grammar>, params: Params) -> Bayes {
        Bayes { mind: Mind::new(grammar), params }
    }
}

impl Bot<Eleusis> for Bayes {
    fn start(&mut self, _: Seat) {
        self.mind.clear();
    }

    fn choose(&mut self, game: &Eleusis, sight: Sight<'_, Eleusis>, _: &mut Stream) -> Move {
        let view = sight.view;
        let public = &view.public;
        let most = usize::from(self.params.panel);
        let learner = self.mind.follow(game, public);
        match public.stage {
            Stage::Judge => Move::Judge(judged_right(public, learner.panel(most)) > 0.5),
            Stage::After if game.rules().express => guess(game, public, learner),
            Stage::After => match learner.stated() {
                Some(stated) if self.params.prophesies(game.rules(), view, stated.belief) => {
                    Move::Prophesy
                }
                _ => Move::Pass,
            },
            Stage::Play | Stage::Force => play(game, view, learner, &self.params),
        }
    }
}

fn play(game: &Eleusis, view: &View, learner: &Learner, params: &Params) -> Move {
    let (rules, public, hand) = (game.rules(), &view.public, &view.hand);
    let &Params { curiosity, likeness, .. } = params;
    let stakes = Stakes { rules, public, hand, curiosity, likeness };
    let panel = learner.panel(params.panel.into());
    let none = panel.none_right(view.hand.distinct());
    let string = best_string(&stakes, panel);
    match string.next {
        _ if public.string.is_empty() && stakes.claim(none) > string.worth => Move::NoPlay,
        Some(card) => Move::Lay(card),
        None => Move::Submit,
    }
}
