//! Explanations of moves: the likeliest rules, and the reason for the move.

use super::players::observe;
use super::turn_value::{best_by, prophecy};
use super::{BayesParams, Kind};
use crate::{Eleusis, Move, Posterior, RuleGuess, Stage, View};
use parlour_base::cards::Card;
use parlour_game::Ruled;
use parlour_game::strategy::{Belief, Explainer, Opinion, Spec};

/// The maximum number of named rules, and the minimum probability of a named rule.
const NAMED: usize = 3;
const LEAST: f64 = 0.02;

/// The number of rules in the shortlist.
const IN_VIEW: usize = 256;

/// Probabilities that differ by at most this count as equal.
const ALIKE: f64 = 0.02;

/// Returns the posterior of a strategy after all public events. `None` if it infers nothing or knows
/// the rule.
fn posterior(game: &Eleusis, kind: &Kind, view: &View) -> Option<Posterior> {
    let grammar = kind.grammar().filter(|_| view.rule.is_none())?;
    let mut posterior = Posterior::new(&grammar, *view.public.mainline.first()?);
    observe(game, &mut posterior, &view.public.history);
    Some(posterior)
}

impl Explainer<Eleusis> for Eleusis {
    fn belief(&self, spec: &Spec<Kind>, view: &View) -> Option<String> {
        let RuleGuess { rule, belief, .. } = posterior(self, &spec.kind, view)?.best_guess()?;
        Some(format!("believes `{rule}`, {:.0} % sure", 100.0 * belief))
    }

    fn explain(&self, spec: &Spec<Kind>, view: &View, mv: Move) -> Option<Opinion> {
        let posterior = posterior(self, &spec.kind, view)?;
        let mut beliefs: Vec<Belief> = Vec::new();
        for (rule, share) in posterior.top(NAMED) {
            if let Ok(rule) = rule.rule()
                && (share >= LEAST || beliefs.is_empty())
            {
                beliefs.push(Belief { what: rule.to_string(), share });
            }
        }
        let unknown = Some(posterior.misspecification()).filter(|none| *none >= LEAST);
        let because = because(self, &spec.kind, &posterior, view, mv);
        Some(Opinion { beliefs, unknown, because })
    }
}

fn because(game: &Eleusis, kind: &Kind, posterior: &Posterior, view: &View, mv: Move) -> String {
    let (public, rules) = (&view.public, game.rules());
    let mut shortlist = posterior.shortlist(IN_VIEW);
    if public.stage != Stage::Pick {
        public.string.iter().for_each(|card| shortlist.observe(*card, true));
    }
    // The probability that the laid string is right, and those of the next card.
    let laid = shortlist.total();
    let chances = shortlist.probabilities().map(|chance| chance / laid.max(f64::MIN_POSITIVE));
    let chance_of = |card: Card| chances[usize::from(card.index())];
    let cards = if public.shown.is_some() { public.shown_cards() } else { view.hand.distinct() };
    let (likeliest, most) = best_by(cards, chance_of).unwrap_or((Card::from_index(0), 0.0));
    let belief = || posterior.best_guess().map_or(0.0, |stated| stated.belief);
    match mv {
        Move::Lay(card) => {
            let (chance, best) = (chance_of(card), 100.0 * most);
            let why = match kind {
                _ if chance >= most - ALIKE => "no card of its hand is likelier".to_owned(),
                Kind::Ismcts(_) => format!(
                    "it came out best in the simulated hands, although {likeliest} is {best:.0} % likely to be right"
                ),
                _ => format!(
                    "its verdict is more informative than that on {likeliest}, which is {best:.0} % likely to be right"
                ),
            };
            let [laid, all, chance] = [laid, laid * chance, chance].map(|share| 100.0 * share);
            let string = format!("; the string is {laid:.0} % likely, with it {all:.0} %");
            let string = if public.string.is_empty() { "" } else { &string };
            format!("plays {card}, {chance:.0} % likely to be right, because {why}{string}")
        }
        Move::Submit => {
            let (laid, longer) = (100.0 * laid, 100.0 * laid * most);
            let why = match kind {
                Kind::Cautious { .. } => "it plays one card at a time".to_owned(),
                _ => format!("with the likeliest further card, {likeliest}, it is {longer:.0} %"),
            };
            format!("ends the string, {laid:.0} % likely to be right, because {why}")
        }
        Move::NoPlay => {
            let none = 100.0 * shortlist.none_right(view.hand.distinct());
            let most = 100.0 * most;
            format!(
                "claims no play because it is {none:.0} % sure that no card of its hand is right; the likeliest, \
                 {likeliest}, is {most:.0} % likely"
            )
        }
        Move::Judge(right) => {
            let truth = 100.0 * public.shown.map_or(laid, |_| shortlist.none_right(cards));
            let word = if right { "right" } else { "wrong" };
            format!("says {word} because the play or claim is {truth:.0} % likely to be right")
        }
        Move::Force(card) => {
            let chance = 100.0 * chance_of(card);
            format!("picks {card} because no shown card is likelier to be right: {chance:.0} %")
        }
        Move::Prophesy | Move::Pass if !rules.express => prophesies(game, kind, view, belief(), mv),
        Move::Guess(_) | Move::Pass | Move::Prophesy => {
            let (bonus, cost, sure) =
                (rules.guess_bonus, rules.wrong_guess_penalty, 100.0 * belief());
            let does = if mv == Move::Pass { "states no rule" } else { "states its rule" };
            format!(
                "{does} because its best rule is {sure:.0} % likely; a right one brings {bonus} \
                 points, a wrong one costs {cost}"
            )
        }
    }
}

/// Explains the choice to become prophet or not.
fn prophesies(game: &Eleusis, kind: &Kind, view: &View, belief: f64, mv: Move) -> String {
    let (held, worth) = (view.hand.len(), prophecy(game.rules(), view, belief));
    let sure = 100.0 * belief;
    let expected = format!("{worth:+.1} points over playing on").replace('-', "−");
    match (mv, kind) {
        (Move::Prophesy, _) => format!(
            "becomes prophet because its best rule is {sure:.0} % likely, which is expected to bring {expected}"
        ),
        (_, Kind::Cautious { .. }) => "plays on because it never becomes prophet".to_owned(),
        (_, Kind::Bayes(BayesParams { faith, .. })) if belief < *faith => format!(
            "plays on because its best rule is {sure:.0} % likely; it becomes prophet from {:.0} % on",
            100.0 * faith
        ),
        (_, Kind::Bayes(BayesParams { least_hand, .. })) if held < (*least_hand).into() => format!(
            "plays on because it holds few cards: it becomes prophet with {least_hand} or more"
        ),
        _ => format!(
            "plays on because its best rule is {sure:.0} % likely: to be prophet is expected to bring {expected}"
        ),
    }
}
