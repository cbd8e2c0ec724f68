//! Belief that follows a hand of play.

use std::sync::Arc;

use crate::games::eleusis::infer::{Grammar, Learner};
use crate::games::eleusis::{Eleusis, Public};

/// A learner that has seen the first turns of a hand.
pub(super) struct Mind {
    grammar: Arc<Grammar>,
    learner: Option<Learner>,
    seen: usize,
}

impl Mind {
    pub fn new(grammar: Arc<Grammar>) -> Mind {
        Mind { grammar, learner: None, seen: 0 }
    }

    /// Forgets the hand.
    pub fn clear(&mut self) {
        self.learner = None;
        self.seen = 0;
    }

    /// The belief after everything that is public; a function of that alone.
    pub fn follow(&mut self, game: &Eleusis, public: &Public) -> &mut Learner {
        let starter = public.mainline[0];
        if self.seen > public.history.len() {
            self.clear();
        }
        let grammar = &self.grammar;
        let learner = self.learner.get_or_insert_with(|| Learner::new(grammar.clone(), starter));
        for event in &public.history[self.seen..] {
            learner.observe(event);
            let wrong =
                event.guess.filter(|(_, right)| !right).and_then(|(index, _)| game.stated(index));
            wrong.iter().for_each(|rule| learner.denied(rule));
        }
        self.seen = public.history.len();
        learner
    }
}
