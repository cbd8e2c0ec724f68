//! The bot of each strategy, and its play by a posterior over rules.

use super::explain::explain;
use super::ismcts::{Tree, search};
use super::turn_value::{TurnValue, best_string, likeliest, verdict};
use super::{BayesParams, Kind};
use crate::{
    Act, Eleusis, Event, Grammar, Move, Posterior, Public, RuleGuess, Shortlist, Stage, View, text,
};
use parlour_base::cards::{Card, CardMultiset, CardSet, CardStyle};
use parlour_base::chance::Stream;
use parlour_game::strategy::{Explainer, Opinion, Player, Spec, Strategic};
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

impl BeliefBot {
    fn choose_move(
        &mut self,
        game: &Eleusis,
        observation: Observation<'_, Eleusis>,
        chance: &mut Stream,
    ) -> Move {
        let view = observation.view;
        let public = &view.public;
        let deals = public.stage == Stage::Force;
        let Some(grammar) = self.kind.grammar().filter(|_| !deals) else {
            return game.sample_view(view, chance);
        };
        if self.seen > public.history.len() {
            // A new hand.
            Bot::start(self, view.seat);
        }
        let new = || Posterior::new(&grammar, public.mainline[0]);
        let posterior = self.posterior.get_or_insert_with(new);
        observe(game, posterior, &public.history[self.seen..]);
        self.seen = public.history.len();
        if public.stage == Stage::Pick {
            let shown = public.shown.as_ref().map_or(CardSet::EMPTY, CardMultiset::distinct);
            let best = likeliest(shown, &posterior.probabilities()).map(Move::Force);
            return best.unwrap_or_else(|| game.sample_view(view, chance));
        }
        match &self.kind {
            Kind::Random { .. } | Kind::Cautious { .. } | Kind::External(_) => {
                cautious(game, view, posterior)
            }
            Kind::Bayes(params) => bayes(game, view, posterior, params),
            Kind::Ismcts(_) if public.stage == Stage::After && game.rules().express => {
                guess(game, public, posterior)
            }
            Kind::Ismcts(depth) => {
                search(game, observation, posterior, *depth, &mut self.tree, chance)
            }
        }
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
        Ok(self.choose_move(game, observation, chance))
    }
}

/// Updates the posterior with these turns.
fn observe(game: &Eleusis, posterior: &mut Posterior, history: &[Event]) {
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
        if let Some((number, false)) = event.guess
            && let Some(rule) = game.statements().rule(number)
        {
            posterior.rule_out(&rule);
        }
    }
}

/// The number of rules in the shortlist for a whole hand or string.
const IN_VIEW: usize = 64;

/// Lays the card most likely to be right, one at a time, or claims *no play* if that sheds more. Never
/// becomes prophet and states no rule.
fn cautious(game: &Eleusis, view: &View, posterior: &Posterior) -> Move {
    let public = &view.public;
    match public.stage {
        Stage::Play if !public.string.is_empty() => return Move::Submit,
        Stage::After => return Move::Pass,
        _ => {}
    }
    let shortlist = posterior.shortlist(IN_VIEW);
    if public.stage == Stage::Judge {
        return Move::Judge(verdict(game.rules(), public, shortlist));
    }
    let chances = posterior.probabilities();
    let hand = view.hand.distinct();
    let value =
        TurnValue { rules: game.rules(), public, hand: &view.hand, curiosity: 0.0, likeness: 0.0 };
    let claim = value.claim(shortlist.none_right(hand));
    let pays = |card: &Card| value.string(1, chances[usize::from(card.index())]) >= claim;
    likeliest(hand, &chances).filter(pays).map_or(Move::NoPlay, Move::Lay)
}

/// Lays the string or makes the claim with the highest expected value. Becomes prophet, or in Express
/// states the rule, if one rule is likely enough.
fn bayes(game: &Eleusis, view: &View, posterior: &Posterior, params: &BayesParams) -> Move {
    let public = &view.public;
    let shortlist = || posterior.shortlist(params.panel.into());
    match public.stage {
        Stage::Judge => Move::Judge(verdict(game.rules(), public, shortlist())),
        Stage::After if game.rules().express => guess(game, public, posterior),
        Stage::After => match posterior.best_guess() {
            Some(stated) if params.prophesies(game.rules(), view, stated.belief) => Move::Prophesy,
            _ => Move::Pass,
        },
        // No bot judges in person.
        Stage::Play | Stage::Pick | Stage::Force | Stage::Verdict => {
            play(game, view, shortlist(), params)
        }
    }
}

fn play(game: &Eleusis, view: &View, shortlist: Shortlist, params: &BayesParams) -> Move {
    let (rules, public, hand) = (game.rules(), &view.public, &view.hand);
    let &BayesParams { curiosity, likeness, .. } = params;
    let value = TurnValue { rules, public, hand, curiosity, likeness };
    let none = shortlist.none_right(view.hand.distinct());
    let string = best_string(&value, shortlist);
    match string.next {
        _ if public.string.is_empty() && value.claim(none) > string.worth => Move::NoPlay,
        Some(card) => Move::Lay(card),
        None => Move::Submit,
    }
}

/// States the likeliest rule if the expected gain is positive: a right guess brings points, a wrong
/// guess costs cards.
fn guess(game: &Eleusis, public: &Public, posterior: &Posterior) -> Move {
    let rules = game.rules();
    let Some(stated) = posterior.best_guess() else { return Move::Pass };
    let RuleGuess { belief, .. } = stated;
    let (bonus, cost) = (f64::from(rules.guess_bonus), f64::from(rules.wrong_guess_penalty));
    let denied = || public.refuted(game.statements()).iter().any(|rule| **rule == stated.rule);
    if belief * bonus <= (1.0 - belief) * cost || denied() {
        return Move::Pass;
    }
    let number =
        stated.equivalents.first().and_then(|&rule| game.statements().of_combination(rule));
    number.map_or(Move::Pass, Move::Guess)
}

impl Explainer<Eleusis> for Eleusis {
    fn belief(&self, spec: &Spec<Kind>, view: &View) -> Option<String> {
        let grammar = spec.kind.grammar().filter(|_| view.rule.is_none())?;
        let mut posterior = Posterior::new(&grammar, *view.public.mainline.first()?);
        observe(self, &mut posterior, &view.public.history);
        let RuleGuess { rule, belief, .. } = posterior.best_guess()?;
        Some(format!("believes `{rule}`, {:.0} % sure", 100.0 * belief))
    }

    fn explain(&self, spec: &Spec<Kind>, view: &View, mv: Move) -> Option<Opinion> {
        let grammar = spec.kind.grammar().filter(|_| view.rule.is_none())?;
        let mut posterior = Posterior::new(&grammar, *view.public.mainline.first()?);
        observe(self, &mut posterior, &view.public.history);
        Some(explain(self, &spec.kind, &posterior, view, mv))
    }
}

impl Strategic for Eleusis {
    type Kind = Kind;
    type Scratch = ();

    const ADVISER: &'static str = "bayes";

    fn how_to_write(&self) -> String {
        let rules = self.rules();
        let string = if rules.longest_string() > 1 { ", `submit` ends a string" } else { "" };
        let after = match (rules.prophet, rules.express) {
            (true, _) => "`pass` and `prophesy`",
            (false, true) => "`pass` and `guess RULE`",
            (false, false) => "`pass`",
        };
        format!(
            "`7H` lays the seven of hearts{string}, `no play` claims that no card fits, `right` and `wrong` \
             judge; then {after}."
        )
    }

    fn picture(&self, view: &View, letters: CardStyle) -> String {
        text::draw(view, self.seats(), letters)
    }

    fn explainer(&self) -> Option<&dyn Explainer<Eleusis>> {
        Some(self)
    }

    fn player(kind: &Kind) -> Result<Player<'_, Eleusis>, Vec<String>> {
        if let Kind::External(external) = kind {
            return Player::external(external);
        }
        let kind = kind.clone();
        Ok(Player::bot(move || BeliefBot::new(kind.clone())))
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
