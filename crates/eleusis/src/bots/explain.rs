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
            let chance = chance_of(card);
            let why = match kind {
                _ if chance >= most - ALIKE => "no card of its hand is likelier right".to_owned(),
                Kind::Ismcts(_) => format!(
                    "it came out best in the simulated hands, although {likeliest} is right with {most:.2}"
                ),
                _ => format!(
                    "its verdict is more informative than that on {likeliest}, which is right with {most:.2}"
                ),
            };
            let all = laid * chance;
            let so_far = "the string so far is right with";
            let string = format!("; {so_far} {laid:.2}, with it with {all:.2}");
            let string = if public.string.is_empty() { "" } else { &string };
            format!("lays {card}, right with {chance:.2}, because {why}{string}")
        }
        Move::Submit if matches!(kind, Kind::Cautious { .. }) => {
            format!("ends the string, right with {laid:.2}, because it lays one card at a time")
        }
        Move::Submit => {
            let longer = laid * most;
            format!(
                "ends the string, right with {laid:.2}, because with the likeliest further card, {likeliest}, it \
                 would be right with {longer:.2}"
            )
        }
        Move::NoPlay => {
            let none = shortlist.none_right(view.hand.distinct());
            format!(
                "claims no play because no card of its hand is right with {none:.2}; the likeliest, {likeliest}, \
                 is right with {most:.2}"
            )
        }
        Move::Judge(right) => {
            let truth = public.shown.map_or(laid, |_| shortlist.none_right(cards));
            let word = if right { "right" } else { "wrong" };
            format!("says {word} because what lies on the table is right with {truth:.2}")
        }
        Move::Force(card) => {
            let chance = chance_of(card);
            format!("picks {card} because no card shown is likelier right: {chance:.2}")
        }
        Move::Prophesy | Move::Pass if !rules.express => prophesies(game, kind, view, belief(), mv),
        Move::Guess(_) | Move::Pass | Move::Prophesy => {
            let (belief, bonus, cost) = (belief(), rules.guess_bonus, rules.wrong_guess_penalty);
            let does = if mv == Move::Pass { "states no rule" } else { "states its rule" };
            format!(
                "{does} because the one it believes most is right with {belief:.2}; a right one brings {bonus} \
                 points, a wrong one costs {cost}"
            )
        }
    }
}

/// Explains the choice to become prophet or not.
fn prophesies(game: &Eleusis, kind: &Kind, view: &View, belief: f64, mv: Move) -> String {
    let (held, worth) = (view.hand.len(), prophecy(game.rules(), view, belief));
    let expected = format!("{worth:+.1} points over playing on").replace('-', "−");
    match (mv, kind) {
        (Move::Prophesy, _) => format!(
            "becomes prophet because it believes in one rule with {belief:.2}, which is expected to bring {expected}"
        ),
        (_, Kind::Cautious { .. }) => "plays on because it never becomes prophet".to_owned(),
        (_, Kind::Bayes(BayesParams { faith, .. })) if belief < *faith => format!(
            "plays on because it believes in no rule with more than {belief:.2}, and becomes prophet from {faith:.2} on"
        ),
        (_, Kind::Bayes(BayesParams { least_hand, .. })) if held < (*least_hand).into() => format!(
            "plays on because it holds few cards: it becomes prophet with {least_hand} or more"
        ),
        _ => format!(
            "plays on because it believes in one rule with {belief:.2}: to be prophet is expected to bring {expected}"
        ),
    }
}
