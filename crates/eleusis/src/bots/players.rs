//! The bot of each strategy, and its play by a posterior over rules.

use super::ismcts::{Tree, search};
use super::turn_value::{TurnValue, best_string, likeliest, prophecy, verdict};
use super::{BayesParams, Kind};
use crate::view::draw;
use crate::{Act, Eleusis, Event, Grammar, Move, Posterior, Public, RuleGuess, Stage, View};
use parlour_base::cards::{Card, CardStyle};
use parlour_base::chance::Stream;
use parlour_game::strategy::{Explainer, Player, Strategic};
use parlour_game::{Bot, BotError, Game, Observation, Ruled, Seat};

/// A bot that plays by a posterior over secret rules.
pub(super) struct BeliefBot {
    kind: Kind,
    /// The posterior over secret rules, a function of the public events.
    posterior: Option<Posterior>,
    /// The number of turns that the posterior has observed.
    seen: usize,
    tree: Tree,
}

impl BeliefBot {
    pub fn new(kind: Kind) -> BeliefBot {
        BeliefBot { kind, posterior: None, seen: 0, tree: None }
    }
}

impl Bot<Eleusis> for BeliefBot {
    fn start(&mut self, _: Seat) {
        self.posterior = None;
        self.seen = 0;
    }

    fn choose_setup(&mut self, game: &Eleusis, chance: &mut Stream) -> Option<u32> {
        self.kind.dealer().choose_rule(game, chance)
    }

    fn choose(
        &mut self,
        game: &Eleusis,
        observation: Observation<'_, Eleusis>,
        chance: &mut Stream,
    ) -> Result<Move, BotError> {
        let view = observation.view;
        let public = &view.public;
        let deals = public.stage == Stage::Force;
        let Some(grammar) = self.kind.grammar().filter(|_| !deals) else {
            return Ok(game.sample_view(view, chance));
        };
        if self.seen > public.history.len() {
            // A new hand.
            self.start(view.seat);
        }
        let new = || Posterior::new(&grammar, public.mainline[0]);
        let posterior = self.posterior.get_or_insert_with(new);
        observe(game, posterior, &public.history[self.seen..]);
        self.seen = public.history.len();
        let tree = &mut self.tree;
        Ok(match &self.kind {
            _ if public.stage == Stage::Pick => {
                let best = likeliest(public.shown_cards(), &posterior.probabilities());
                best.map_or_else(|| game.sample_view(view, chance), Move::Force)
            }
            Kind::Bayes(_) | Kind::Ismcts(_)
                if public.stage == Stage::After && game.rules().express =>
            {
                guess(game, public, posterior)
            }
            Kind::Bayes(params) => bayes(game, view, posterior, params),
            Kind::Ismcts(depth) => search(game, observation, posterior, depth, tree, chance),
            _ => cautious(game, view, posterior),
        })
    }
}

/// Updates the posterior with these turns.
pub(super) fn observe(game: &Eleusis, posterior: &mut Posterior, history: &[Event]) {
    for event in history {
        match &event.act {
            Act::Play(cards) if event.right => {
                cards.iter().for_each(|card| posterior.observe(*card, true));
            }
            Act::Play(cards) => posterior.observe_wrong_string(cards),
            Act::NoPlay { hand, forced } => {
                event.prophet_picked.into_iter().for_each(|card| posterior.observe(card, false));
                // A false claim that ended the hand before a card was picked is ignored.
                if event.right || forced.is_some() {
                    posterior.observe_claim(hand.distinct(), *forced);
                }
            }
        }
        for (number, _) in event.guesses().filter(|(_, right)| !right) {
            game.statements.rule(number).iter().for_each(|rule| posterior.rule_out(rule));
        }
    }
}

/// The number of rules in the shortlist for a whole hand or string.
const IN_VIEW: usize = 64;

/// Lays the card most likely to be right, one at a time, or claims *no play* if that sheds more. Never
/// becomes prophet and states no rule.
fn cautious(game: &Eleusis, view: &View, posterior: &Posterior) -> Move {
    let (rules, public, hand) = (game.rules(), &view.public, &view.hand);
    let shortlist = || posterior.shortlist(IN_VIEW);
    match public.stage {
        Stage::After => Move::Pass,
        Stage::Judge => Move::Judge(verdict(rules, public, shortlist())),
        _ if !public.string.is_empty() => Move::Submit,
        _ => {
            let chances = posterior.probabilities();
            let value = TurnValue { rules, public, hand, curiosity: 0.0, likeness: 0.0 };
            let claim = value.claim(shortlist().none_right(hand.distinct()));
            let pays = |card: &Card| value.string(1, chances[usize::from(card.index())]) >= claim;
            likeliest(hand.distinct(), &chances).filter(pays).map_or(Move::NoPlay, Move::Lay)
        }
    }
}

/// Lays the string or makes the claim with the highest expected value. Becomes prophet if one rule is
/// likely enough.
fn bayes(game: &Eleusis, view: &View, posterior: &Posterior, params: &BayesParams) -> Move {
    let (rules, public, hand) = (game.rules(), &view.public, &view.hand);
    if public.stage == Stage::After {
        let prophesies = |RuleGuess { belief, .. }| {
            belief >= params.faith
                && hand.len() >= params.least_hand.into()
                && prophecy(rules, view, belief) > 0.0
        };
        let becomes = posterior.best_guess().is_some_and(prophesies);
        return if becomes { Move::Prophesy } else { Move::Pass };
    }
    let shortlist = posterior.shortlist(params.panel.into());
    if public.stage == Stage::Judge {
        return Move::Judge(verdict(rules, public, shortlist));
    }
    let &BayesParams { curiosity, likeness, .. } = params;
    let value = TurnValue { rules, public, hand, curiosity, likeness };
    let none = shortlist.none_right(hand.distinct());
    let (worth, next) = best_string(&value, shortlist);
    match next {
        _ if public.string.is_empty() && value.claim(none) > worth => Move::NoPlay,
        Some(card) => Move::Lay(card),
        None => Move::Submit,
    }
}

/// States the likeliest rule if the expected gain is positive: a right guess brings points, a wrong
/// guess costs cards.
fn guess(game: &Eleusis, public: &Public, posterior: &Posterior) -> Move {
    let rules = game.rules();
    let Some(RuleGuess { rule, belief, equivalents, .. }) = posterior.best_guess() else {
        return Move::Pass;
    };
    let (bonus, cost) = (f64::from(rules.guess_bonus), f64::from(rules.wrong_guess_penalty));
    let denied = || public.refuted(&game.statements).iter().any(|stated| **stated == rule);
    if belief * bonus <= (1.0 - belief) * cost || denied() {
        return Move::Pass;
    }
    let number = equivalents.first().and_then(|&rule| game.statements.of_combination(rule));
    number.map_or(Move::Pass, Move::Guess)
}

impl Strategic for Eleusis {
    type Kind = Kind;
    type Scratch = ();

    const ADVISER: &'static str = "bayes";

    fn picture(&self, view: &View, letters: CardStyle) -> String {
        draw(view, self.seats(), letters)
    }

    fn explainer(&self) -> Option<&dyn Explainer<Eleusis>> {
        Some(self)
    }

    fn player(kind: &Kind) -> Result<Player<'_, Eleusis>, Vec<String>> {
        Ok(match kind {
            Kind::External(external) => Player::External(external),
            Kind::Network(network) => Player::policy(network.clone()),
            belief => {
                let kind = belief.clone();
                Player::bot(move || BeliefBot::new(kind.clone()))
            }
        })
    }

    /// The grammar with its prior, if any strategy infers rules.
    fn knowledge(kinds: &[&Kind]) -> Vec<(&'static str, String)> {
        let infers = kinds.iter().any(|kind| kind.grammar().is_some());
        if infers { vec![("eleusis_grammar", Grammar::shared().digest())] } else { Vec::new() }
    }

    fn is_cheap(kind: &Kind) -> bool {
        matches!(kind, Kind::Random { .. })
    }
}
