//! The strategies in the rule-discovery protocol.

use std::sync::Arc;

use super::turn_value::{best_by, likeliest};
use super::{BayesParams, Kind};
use crate::science::{CaseView, Guess, RuleLearner, Statement, Verdict};
use crate::{CardMultiset, Grammar, Posterior, Rule, RuleGuess, Shortlist};
use parlour_base::cards::Card;
use parlour_base::chance::Stream;
use parlour_game::BotFailure;

/// Creates the rule learner of a strategy; external programs are
/// [`ExternalLearner`](crate::science::ExternalLearner)s. `grammar` replaces the strategy's own.
pub fn rule_learner(kind: &Kind, grammar: Option<Arc<Grammar>>) -> Box<dyn RuleLearner> {
    let Some(usual) = kind.grammar() else { return Box::new(RandomLearner) };
    // Without opponents there is nothing to search, so `ismcts` plays as `bayes`.
    let params = if let Kind::Bayes(params) = kind { *params } else { BayesParams::default() };
    let is_informative = !matches!(kind, Kind::Cautious { .. });
    let grammar = grammar.unwrap_or(usual);
    Box::new(BayesLearner { grammar, is_informative, params, posterior: None, committed: None })
}

/// Lays random cards and never guesses.
struct RandomLearner;

impl RuleLearner for RandomLearner {
    fn state(&mut self, view: &CaseView, chance: &mut Stream) -> Result<Statement, BotFailure> {
        Ok(Statement::of(view.hand.distinct().pick(chance).unwrap_or(view.mainline[0])))
    }
}

/// The number of rules that a lookahead of one turn considers.
const IN_VIEW: usize = 256;

/// The card with the most informative verdict, plus that of the best card after it: where nothing is
/// informative now, a card that leads to such a situation.
fn most_telling(posterior: &Posterior, chances: &[f64; 52], hand: &CardMultiset) -> Option<Card> {
    // A verdict is most informative if right and wrong are equally likely. The variance
    // approximates the entropy.
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
    is_informative: bool,
    params: BayesParams,
    posterior: Option<Posterior>,
    /// The guess of the last turn, if the learner committed to it.
    committed: Option<RuleGuess>,
}

impl RuleLearner for BayesLearner {
    fn state(&mut self, view: &CaseView, _: &mut Stream) -> Result<Statement, BotFailure> {
        let starter = view.mainline[0];
        let new = || Posterior::new(&self.grammar, starter);
        let posterior = self.posterior.get_or_insert_with(new);
        if let Some(&Verdict { card, right }) = view.verdicts.last() {
            posterior.observe(card, right);
        }
        if let Some(wrong) = self.committed.take() {
            posterior.refute(&wrong);
        }
        posterior.propose_rules();
        let chances = posterior.probabilities();
        let card = if self.is_informative {
            most_telling(posterior, &chances, &view.hand)
        } else {
            likeliest(view.hand.distinct(), &chances)
        };
        let card = card.unwrap_or(starter);
        let chance = chances[usize::from(card.index())];
        let stated = posterior.best_guess();
        let guess = stated.as_ref().map(|s| (Guess::Rule(s.rule.clone()), s.belief));
        let BayesParams { caution, commit, .. } = self.params;
        self.committed = stated.filter(|stated| {
            let right = stated.right.has(card);
            stated.belief > commit.max(patience(stated.belief, right, chance, caution))
        });
        let commit = self.committed.is_some();
        Ok(Statement { card, guess, commit, probabilities: Some(chances) })
    }

    fn belief_in(&self, rule: &Rule) -> Option<f64> {
        self.posterior.as_ref().map(|posterior| posterior.belief_in(rule))
    }
}
