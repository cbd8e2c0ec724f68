//! The strategies in the rule-discovery protocol.

use std::sync::Arc;

use super::turn_value::{best_by, likeliest};
use super::{BayesParams, Kind};
use crate::science::{Guess, RuleLearner, Statement};
use crate::{CardMultiset, Grammar, Posterior, Rule, RuleGuess, Shortlist};
use parlour_base::cards::Card;
use parlour_base::chance::Stream;
use parlour_game::BotFailure;

/// Creates the rule learner of a strategy; external programs are
/// [`ExternalLearner`](crate::science::ExternalLearner)s. `grammar` replaces the strategy's own.
pub fn rule_learner(kind: &Kind, grammar: Option<Arc<Grammar>>) -> Box<dyn RuleLearner> {
    let (is_informative, params) = match kind {
        Kind::Bayes(params) => (true, *params),
        // Without opponents there is nothing to search, so it plays as `bayes`.
        Kind::Ismcts(_) => (true, BayesParams::default()),
        Kind::Random { .. } | Kind::Cautious { .. } | Kind::External(_) => {
            (false, BayesParams::default())
        }
    };
    match kind.grammar().map(|usual| grammar.unwrap_or(usual)) {
        None => Box::new(RandomLearner),
        Some(grammar) => Box::new(BayesLearner {
            grammar,
            is_informative,
            params,
            posterior: None,
            stated: None,
            chances: None,
        }),
    }
}

/// Lays random cards and never guesses.
struct RandomLearner;

impl RuleLearner for RandomLearner {
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

    fn observe(&mut self, _: Card, _: bool) {}

    fn refuted(&mut self) {}
}

/// The number of rules that a lookahead of one turn considers.
const IN_VIEW: usize = 256;

/// The card with the most informative verdict, plus that of the best card after it: where nothing is
/// informative now, a card that leads to such a situation.
fn most_informative(
    posterior: &Posterior,
    chances: &[f64; 52],
    hand: &CardMultiset,
) -> Option<Card> {
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

/// The belief in a rule above which it is better to commit than to wait for the verdict on the card.
/// Waiting costs a turn if the rule is right. Committing costs `cost` turns if the rule is wrong, and
/// waiting saves them if the verdict would refute it: b = cost (1 - b) v, where v is the probability of
/// that.
fn patience(belief: f64, says_right: bool, chance: f64, cost: f64) -> f64 {
    let otherwise = if says_right { 1.0 - chance } else { chance };
    let refuting = (otherwise / (1.0 - belief).max(1e-9)).clamp(0.0, 1.0);
    cost * refuting / (1.0 + cost * refuting)
}

/// Lays the card with the most informative verdict, or the card most likely to be right.
struct BayesLearner {
    grammar: Arc<Grammar>,
    posterior: Option<Posterior>,
    stated: Option<RuleGuess>,
    is_informative: bool,
    params: BayesParams,
    /// The probability of each card at the last statement.
    chances: Option<[f64; 52]>,
}

impl RuleLearner for BayesLearner {
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
        let card = if self.is_informative {
            most_informative(posterior, &chances, hand)
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

    fn observe(&mut self, card: Card, right: bool) {
        if let Some(posterior) = &mut self.posterior {
            posterior.observe(card, right);
        }
    }

    fn card_probabilities(&self) -> Option<[f64; 52]> {
        self.chances
    }

    fn belief_in(&self, rule: &Rule) -> Option<f64> {
        self.posterior.as_ref().map(|posterior| posterior.belief_in(rule))
    }

    fn refuted(&mut self) {
        if let (Some(posterior), Some(stated)) = (&mut self.posterior, &self.stated) {
            posterior.refute(stated);
        }
    }
}
