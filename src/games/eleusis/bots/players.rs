//! Players that go by a posterior over rules.

use std::sync::Arc;

use super::Params;
use super::worth::{Stakes, best_string, judged_right, likeliest};
use crate::chance::Stream;
use crate::game::{Bot, Ruled, Seat, Sight};
use crate::games::eleusis::{Eleusis, Grammar, Move, Posterior, Public, Stage, Stated, View};

/// A posterior that follows a hand of play.
pub(super) struct Belief {
    grammar: Arc<Grammar>,
    posterior: Option<Posterior>,
    /// How many turns it has seen.
    seen: usize,
}

impl Belief {
    pub fn new(grammar: Arc<Grammar>) -> Belief {
        Belief { grammar, posterior: None, seen: 0 }
    }

    /// Forgets the hand.
    pub fn clear(&mut self) {
        self.posterior = None;
        self.seen = 0;
    }

    /// The belief after everything that is public; a function of that alone.
    pub fn follow(&mut self, game: &Eleusis, public: &Public) -> &mut Posterior {
        let starter = public.mainline[0];
        if self.seen > public.history.len() {
            self.clear();
        }
        let grammar = &self.grammar;
        let posterior =
            self.posterior.get_or_insert_with(|| Posterior::new(grammar.clone(), starter));
        for event in &public.history[self.seen..] {
            posterior.observe(event);
            if let Some((number, false)) = event.guess
                && let Some(rule) = game.statements().rule(number)
            {
                posterior.rule_out(&rule);
            }
        }
        self.seen = public.history.len();
        posterior
    }
}

/// How many rules it keeps in view when it must look at a whole hand or string.
const IN_VIEW: usize = 64;

/// Lays the card that is likeliest right, always one at a time; claims *no play* where that sheds
/// more. It never becomes prophet, and states no rule.
pub struct Cautious {
    belief: Belief,
}

impl Cautious {
    /// A player that knows the rules of this grammar.
    pub fn new(grammar: Arc<Grammar>) -> Cautious {
        Cautious { belief: Belief::new(grammar) }
    }
}

impl Bot<Eleusis> for Cautious {
    fn start(&mut self, _: Seat) {
        self.belief.clear();
    }

    fn choose(&mut self, game: &Eleusis, sight: Sight<'_, Eleusis>, _: &mut Stream) -> Move {
        let view = sight.view;
        let public = &view.public;
        if public.stage == Stage::Play && !public.string.is_empty() {
            return Move::Submit;
        }
        if public.stage == Stage::After {
            return Move::Pass;
        }
        let posterior = self.belief.follow(game, public);
        let shortlist = posterior.shortlist(IN_VIEW);
        if public.stage == Stage::Judge {
            return Move::Judge(judged_right(public, shortlist) > 0.5);
        }
        let chances = posterior.chances();
        let hand = view.hand.distinct();
        let stakes =
            Stakes { rules: game.rules(), public, hand: &view.hand, curiosity: 0.0, likeness: 0.0 };
        let none = shortlist.none_right(hand);
        match likeliest(hand, &chances) {
            Some(card)
                if stakes.string(1, chances[usize::from(card.index())]) >= stakes.claim(none) =>
            {
                Move::Lay(card)
            }
            _ => Move::NoPlay,
        }
    }
}

/// Lays the string or makes the claim that pays most in cards; becomes prophet when it believes in a
/// rule; states the rule in Express.
pub struct Bayes {
    belief: Belief,
    params: Params,
}

impl Bayes {
    /// A player that knows the rules of this grammar.
    pub fn new(grammar: Arc<Grammar>, params: Params) -> Bayes {
        Bayes { belief: Belief::new(grammar), params }
    }
}

impl Bot<Eleusis> for Bayes {
    fn start(&mut self, _: Seat) {
        self.belief.clear();
    }

    fn choose(&mut self, game: &Eleusis, sight: Sight<'_, Eleusis>, _: &mut Stream) -> Move {
        let view = sight.view;
        let public = &view.public;
        let most = usize::from(self.params.panel);
        let posterior = self.belief.follow(game, public);
        match public.stage {
            Stage::Judge => Move::Judge(judged_right(public, posterior.shortlist(most)) > 0.5),
            Stage::After if game.rules().express => guess(game, public, posterior),
            Stage::After => match posterior.stated() {
                Some(stated) if self.params.prophesies(game.rules(), view, stated.belief) => {
                    Move::Prophesy
                }
                _ => Move::Pass,
            },
            Stage::Play | Stage::Force => play(game, view, posterior, &self.params),
        }
    }
}

fn play(game: &Eleusis, view: &View, posterior: &Posterior, params: &Params) -> Move {
    let (rules, public, hand) = (game.rules(), &view.public, &view.hand);
    let &Params { curiosity, likeness, .. } = params;
    let stakes = Stakes { rules, public, hand, curiosity, likeness };
    let shortlist = posterior.shortlist(params.panel.into());
    let none = shortlist.none_right(view.hand.distinct());
    let string = best_string(&stakes, shortlist);
    match string.next {
        _ if public.string.is_empty() && stakes.claim(none) > string.worth => Move::NoPlay,
        Some(card) => Move::Lay(card),
        None => Move::Submit,
    }
}

/// States the rule believed most if that can be expected to pay: a right guess brings points, a
/// wrong one costs cards.
pub(super) fn guess(game: &Eleusis, public: &Public, posterior: &Posterior) -> Move {
    let rules = game.rules();
    let Some(stated) = posterior.stated() else { return Move::Pass };
    let Stated { belief, .. } = stated;
    let (bonus, cost) = (f64::from(rules.guess_bonus), f64::from(rules.wrong_guess_penalty));
    if belief * bonus <= (1.0 - belief) * cost || game.was_stated(public, &stated.rule) {
        return Move::Pass;
    }
    let number = stated.alike.first().and_then(|&rule| game.statements().of_combination(rule));
    number.map_or(Move::Pass, Move::Guess)
}
