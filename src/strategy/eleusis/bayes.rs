//! A player that goes by its belief in everything.

use std::sync::Arc;

use super::mind::Mind;
use super::spec::Params;
use super::worth::{Stakes, best_string, judged_right};
use crate::chance::Stream;
use crate::eleusis::infer::{Grammar, Learner, Stated};
use crate::eleusis::rule::{Rule, compare_from};
use crate::eleusis::{Eleusis, Move, Public, Stage, View};
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
        let learner = self.mind.follow(public);
        match public.stage {
            Stage::Judge => Move::Judge(judged_right(public, learner.panel(most)) > 0.5),
            Stage::After if game.rules().express => guess(game, public, learner),
            Stage::After => match learner.stated() {
                Some(stated) if self.params.prophesies(stated.belief, view) => Move::Prophesy,
                _ => Move::Pass,
            },
            Stage::Play | Stage::Force => {
                let curiosity = self.params.curiosity;
                play(game, view, learner, most, curiosity)
            }
        }
    }
}

fn play(game: &Eleusis, view: &View, learner: &Learner, most: usize, curiosity: f64) -> Move {
    let (rules, public) = (game.rules(), &view.public);
    let stakes = Stakes { rules, public, hand: &view.hand, curiosity };
    let panel = learner.panel(most);
    let none = panel.none_right(view.hand.distinct());
    let string = best_string(&stakes, panel);
    match string.next {
        _ if public.string.is_empty() && stakes.claim(none) > string.worth => Move::NoPlay,
        Some(card) => Move::Lay(card),
        None => Move::Submit,
    }
}

/// The rule believed most, if it can be stated and a wrong guess does not cost more than a right
/// one brings.
fn guess(game: &Eleusis, public: &Public, learner: &Learner) -> Move {
    let rules = game.rules();
    let Some(Stated { rule, belief, .. }) = learner.stated() else { return Move::Pass };
    let (bonus, cost) = (f64::from(rules.guess_bonus), f64::from(rules.wrong_guess_penalty));
    if belief * bonus <= (1.0 - belief) * cost {
        return Move::Pass;
    }
    let line = &public.mainline;
    let memory = rule.after(line);
    let right = rule.verdicts(&memory);
    let refuted = |index: u32| {
        let guesses = public.history.iter().filter_map(|event| event.guess);
        guesses.into_iter().any(|(guess, _)| guess == index)
    };
    let same = |(index, candidate): &(u32, &Rule)| {
        if refuted(*index) || !public.agrees(candidate) {
            return false;
        }
        let of_candidate = candidate.after(line);
        candidate.verdicts(&of_candidate) == right
            && compare_from(candidate, &rule, &of_candidate, &memory).alike()
    };
    let found = (0u32..).zip(game.candidates()).find(same);
    found.map_or(Move::Pass, |(index, _)| Move::Guess(index))
}
