//! The strategies alone with a rule.

use std::sync::Arc;

use super::worth::{best_by, likeliest};
use super::{Kind, Params};
use crate::cards::Card;
use crate::chance::Stream;
use crate::game::BotFailure;
use crate::science::{Guess, Scientist, Statement};
use crate::{CardMultiset, Grammar, Posterior, Rule, RuleGuess, Shortlist};

/// The strategy as a scientist; a program of its own is one by
/// [`Outside`](crate::science::Outside). `grammar` stands in for the one that it would use.
pub fn scientist(kind: &Kind, grammar: Option<Arc<Grammar>>) -> Box<dyn Scientist> {
    let (telling, params) = match kind {
        Kind::Bayes(params) => (true, *params),
        // Alone there is nothing to search: it looks for the rule as `bayes` does.
        Kind::Ismcts(_) => (true, Params::default()),
        Kind::Random { .. } | Kind::Cautious { .. } | Kind::External(_) => {
            (false, Params::default())
        }
    };
    match kind.grammar().map(|usual| grammar.unwrap_or(usual)) {
        None => Box::new(Anyhow),
        Some(grammar) => Box::new(Seeker {
            grammar,
            telling,
            params,
            posterior: None,
            stated: None,
            chances: None,
        }),
    }
}

/// Lays any card and has no idea.
struct Anyhow;

impl Scientist for Anyhow {
    fn start(&mut self, _: Card) {}

    fn state(
        &mut self,
        hand: &CardMultiset,
        _: u32,
        chance: &mut Stream,
    ) -> Result<Statement, BotFailure> {
        let card = hand.distinct().pick(chance).unwrap_or(Card::from_index(0));
        Ok(Statement { card, guess: None, commit: false })
    }

    fn told(&mut self, _: Card, _: bool) {}

    fn refuted(&mut self) {}
}

/// How many rules are in view when it looks a turn ahead.
const IN_VIEW: usize = 256;

/// The card whose verdict tells most, together with that of the most telling card after it: where
/// nothing tells much now, a card that leads to where something does.
fn most_telling(posterior: &Posterior, chances: &[f64; 52], hand: &CardMultiset) -> Option<Card> {
    // A verdict tells most where right and wrong are alike likely: the variance stands for the
    // entropy.
    let telling = |chance: f64| 4.0 * chance * (1.0 - chance);
    let shortlist = posterior.shortlist(IN_VIEW);
    let next = |after: &Shortlist, laid: Card| {
        let mut rest = *hand;
        rest.remove(laid);
        let total = after.total();
        if total <= 0.0 {
            return 0.0;
        }
        let chances = after.probabilities();
        let each = rest.distinct().map(|card| telling(chances[usize::from(card.index())] / total));
        total * each.fold(0.0, f64::max)
    };
    let best = best_by(hand.distinct(), |card| {
        let (mut right, mut wrong) = (shortlist.clone(), shortlist.clone());
        right.observe(card, true);
        wrong.observe(card, false);
        let now = telling(chances[usize::from(card.index())]);
        now + next(&right, card) + next(&wrong, card)
    });
    best.map(|(card, _)| card)
}

/// The belief in a rule from which on it is better to commit to it than to wait for the verdict on
/// the card that is laid. To wait costs a turn if the rule is right; to commit costs `cost` turns
/// if it is wrong, and waiting saves those if the verdict would refute it: b = cost (1 - b) v, where
/// v is the chance of that.
fn patience(belief: f64, says_right: bool, chance: f64, cost: f64) -> f64 {
    let otherwise = if says_right { 1.0 - chance } else { chance };
    let refuting = (otherwise / (1.0 - belief).max(1e-9)).clamp(0.0, 1.0);
    cost * refuting / (1.0 + cost * refuting)
}

/// Lays the card whose verdict tells most, or the likeliest one.
struct Seeker {
    grammar: Arc<Grammar>,
    posterior: Option<Posterior>,
    stated: Option<RuleGuess>,
    telling: bool,
    params: Params,
    /// What it gave each card when it last stated.
    chances: Option<[f64; 52]>,
}

impl Scientist for Seeker {
    fn start(&mut self, starter: Card) {
        self.posterior = Some(Posterior::new(&self.grammar, starter));
    }

    fn state(
        &mut self,
        hand: &CardMultiset,
        _: u32,
        _: &mut Stream,
    ) -> Result<Statement, BotFailure> {
        let starter = Card::from_index(0);
        let grammar = &self.grammar;
        let posterior = self.posterior.get_or_insert_with(|| Posterior::new(grammar, starter));
        posterior.propose_rules();
        let chances = posterior.probabilities();
        self.chances = Some(chances);
        let card = if self.telling {
            most_telling(posterior, &chances, hand)
        } else {
            likeliest(hand.distinct(), &chances)
        };
        let card = card.unwrap_or(starter);
        let chance = chances[usize::from(card.index())];
        self.stated = posterior.best_guess();
        let cost = self.params.caution;
        let least = self.params.commit;
        let commit = self.stated.as_ref().is_some_and(|stated| {
            let right = stated.right.has(card);
            stated.belief > least.max(patience(stated.belief, right, chance, cost))
        });
        let guess = self.stated.as_ref().map(|s| (Guess::Rule(s.rule.clone()), s.belief));
        Ok(Statement { card, guess, commit })
    }

    fn told(&mut self, card: Card, right: bool) {
        if let Some(posterior) = &mut self.posterior {
            posterior.observe(card, right);
        }
    }

    fn chances(&self) -> Option<[f64; 52]> {
        self.chances
    }

    fn mass(&self, rule: &Rule) -> Option<f64> {
        self.posterior.as_ref().map(|posterior| posterior.belief_in(rule))
    }

    fn refuted(&mut self) {
        if let (Some(posterior), Some(stated)) = (&mut self.posterior, &self.stated) {
            posterior.refute(stated);
        }
    }
}
