//! The strategies alone with a rule.

use std::sync::Arc;

use super::spec::{Params, Spec};
use super::worth::likeliest;
use crate::cards::Card;
use crate::chance::Stream;
use crate::eleusis::Counts;
use crate::eleusis::infer::{Grammar, Learner, Stated};
use crate::eleusis::science::{Scientist, Statement};

/// The strategy as a scientist. `grammar` stands in for the one that it would use.
pub fn scientist(spec: &Spec, grammar: Option<Arc<Grammar>>) -> Box<dyn Scientist> {
    match spec {
        Spec::Random { .. } => Box::new(Anyhow),
        Spec::Cautious { .. } => {
            let grammar = grammar.unwrap_or_else(Grammar::simple);
            Box::new(Seeker::new(grammar, false, Params::default()))
        }
        Spec::Bayes { params, .. } => {
            let grammar = grammar.unwrap_or_else(Grammar::shared);
            Box::new(Seeker::new(grammar, true, *params))
        }
    }
}

/// Lays any card and has no idea.
struct Anyhow;

impl Scientist for Anyhow {
    fn start(&mut self, _: Card) {}

    fn state(&mut self, hand: &Counts, _: u32, chance: &mut Stream) -> Statement {
        let mut cards = hand.distinct();
        let at = chance.below(cards.len().max(1));
        let card = cards.nth(at as usize).unwrap_or(Card::from_index(0));
        Statement { card, guess: None, commit: false }
    }

    fn told(&mut self, _: Card, _: bool) {}

    fn refuted(&mut self) {}
}

/// Lays the card whose verdict tells most, or the likeliest one.
struct Seeker {
    grammar: Arc<Grammar>,
    learner: Option<Learner>,
    stated: Option<Stated>,
    telling: bool,
    params: Params,
}

impl Seeker {
    fn new(grammar: Arc<Grammar>, telling: bool, params: Params) -> Seeker {
        Seeker { grammar, learner: None, stated: None, telling, params }
    }
}

impl Scientist for Seeker {
    fn start(&mut self, starter: Card) {
        self.learner = Some(Learner::new(self.grammar.clone(), starter));
    }

    fn state(&mut self, hand: &Counts, _: u32, _: &mut Stream) -> Statement {
        let starter = Card::from_index(0);
        let grammar = &self.grammar;
        let learner = self.learner.get_or_insert_with(|| Learner::new(grammar.clone(), starter));
        let mut chances = learner.chances();
        if self.telling {
            // A verdict tells most where right and wrong are alike likely.
            chances.iter_mut().for_each(|chance| *chance *= 1.0 - *chance);
        }
        let card = likeliest(hand.distinct(), &chances).unwrap_or(starter);
        self.stated = learner.stated();
        let commit = self.stated.as_ref().is_some_and(|s| s.belief > self.params.commit);
        let guess = self.stated.as_ref().map(|s| (s.rule.clone(), s.belief));
        Statement { card, guess, commit }
    }

    fn told(&mut self, card: Card, right: bool) {
        if let Some(learner) = &mut self.learner {
            learner.judged(card, right);
        }
    }

    fn refuted(&mut self) {
        if let (Some(learner), Some(stated)) = (&mut self.learner, &self.stated) {
            learner.refuted(stated);
        }
    }
}
