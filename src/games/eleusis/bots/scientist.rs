//! The strategies alone with a rule.

use std::sync::Arc;

use super::honesty::Honesty;
use super::signs::{Signs, Trail};
use super::worth::{best_by, likeliest};
use super::{Kind, Params};
use crate::cards::Card;
use crate::chance::Stream;
use crate::game::Forfeit;
use crate::games::eleusis::science::{Guess, Scientist, Statement};
use crate::games::eleusis::{Counts, Grammar, Posterior, Rule, Shortlist, Stated};

/// The strategy as a scientist; a program of its own is one by
/// [`Outside`](crate::games::eleusis::science::Outside). `grammar` stands in for the one that it would use.
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
        Some(grammar) => Box::new(Seeker::new(grammar, telling, params, None)),
    }
}

/// Lays any card and has no idea.
struct Anyhow;

impl Scientist for Anyhow {
    fn start(&mut self, _: Card) {}

    fn state(&mut self, hand: &Counts, _: u32, chance: &mut Stream) -> Result<Statement, Forfeit> {
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
fn most_telling(posterior: &Posterior, chances: &[f64; 52], hand: &Counts) -> Option<Card> {
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
        let chances = after.chances();
        let each = rest.distinct().map(|card| telling(chances[usize::from(card.index())] / total));
        total * each.fold(0.0, f64::max)
    };
    let best = best_by(hand.distinct(), |card| {
        let (mut right, mut wrong) = (shortlist.clone(), shortlist.clone());
        right.judged(card, true);
        wrong.judged(card, false);
        let now = telling(chances[usize::from(card.index())]);
        now + next(&right, card) + next(&wrong, card)
    });
    best.map(|(card, _)| card)
}

/// The belief in a rule from which on it is better to commit to it than to wait for the verdict on
/// the card that is laid. To wait costs a turn if the rule is right; to commit costs `cost` turns
/// if it is wrong, and waiting saves those if the verdict would refute it: b = cost (1 - b) v, where
/// v is the chance of that.
fn patience(refuting: f64, cost: f64) -> f64 {
    cost * refuting / (1.0 + cost * refuting)
}

/// Lays the card whose verdict tells most, or the likeliest one.
pub struct Seeker {
    grammar: Arc<Grammar>,
    posterior: Option<Posterior>,
    stated: Option<Stated>,
    telling: bool,
    params: Params,
    honesty: Option<Honesty>,
    /// What it gave each card when it last stated.
    chances: Option<[f64; 52]>,
    trail: Trail,
    signs: Option<Signs>,
}

impl Seeker {
    /// With the rules that it reckons with; `telling` if it lays what tells most. `honesty` says how likely
    /// its guesses are; without it the posterior does.
    pub fn new(
        grammar: Arc<Grammar>,
        telling: bool,
        params: Params,
        honesty: Option<Honesty>,
    ) -> Seeker {
        Seeker {
            grammar,
            posterior: None,
            stated: None,
            telling,
            params,
            honesty,
            chances: None,
            trail: Trail::default(),
            signs: None,
        }
    }

    /// The signs of the guess that it stated last.
    pub fn signs(&self) -> Option<Signs> {
        self.signs
    }

    /// The guess that is likeliest right, with its signs and how likely it is, where a card is laid that has
    /// this chance.
    fn best_guess(&self, card: Card, chance: f64) -> Option<(Stated, Signs, f64)> {
        let posterior = self.posterior.as_ref()?;
        let guesses = posterior.guesses().into_iter().flatten().map(|guess| {
            let signs = self.trail.signs(posterior, &guess, card, chance);
            let belief = self.honesty.as_ref().map_or(guess.belief, |by| by.chance(&signs));
            (guess, signs, belief)
        });
        guesses.reduce(|a, b| if b.2 > a.2 { b } else { a })
    }
}

impl Scientist for Seeker {
    fn start(&mut self, starter: Card) {
        self.posterior = Some(Posterior::new(&self.grammar, starter));
    }

    fn state(&mut self, hand: &Counts, _: u32, _: &mut Stream) -> Result<Statement, Forfeit> {
        let starter = Card::from_index(0);
        let grammar = &self.grammar;
        let posterior = self.posterior.get_or_insert_with(|| Posterior::new(grammar, starter));
        posterior.grow();
        let chances = posterior.chances();
        self.chances = Some(chances);
        let card = if self.telling {
            most_telling(posterior, &chances, hand)
        } else {
            likeliest(hand.distinct(), &chances)
        };
        let card = card.unwrap_or(starter);
        let chance = chances[usize::from(card.index())];
        let guess = self.best_guess(card, chance);
        let commit = guess.as_ref().is_some_and(|(_, signs, belief)| {
            let needed = patience(signs.refuting, self.params.caution);
            *belief > self.params.commit.max(needed)
        });
        (self.stated, self.signs) = (None, None);
        let Some((stated, signs, belief)) = guess else {
            return Ok(Statement { card, guess: None, commit });
        };
        self.trail.states(&stated, &signs);
        let guess = Some((Guess::Rule(stated.rule.clone()), belief));
        (self.stated, self.signs) = (Some(stated), Some(signs));
        Ok(Statement { card, guess, commit })
    }

    fn told(&mut self, card: Card, right: bool) {
        let chance = self.chances.map_or(0.5, |chances| chances[usize::from(card.index())]);
        self.trail.told(right, if right { chance } else { 1.0 - chance });
        if let Some(posterior) = &mut self.posterior {
            posterior.judged(card, right);
        }
    }

    fn chances(&self) -> Option<[f64; 52]> {
        self.chances
    }

    fn mass(&self, rule: &Rule) -> Option<f64> {
        self.posterior.as_ref().map(|posterior| posterior.mass_of(rule))
    }

    fn refuted(&mut self) {
        if let (Some(posterior), Some(stated)) = (&mut self.posterior, &self.stated) {
            posterior.refuted(stated);
            self.trail.refuted();
        }
    }
}
