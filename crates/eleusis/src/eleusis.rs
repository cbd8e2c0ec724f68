//! Eleusis as a [`Game`].

use std::sync::Arc;

use super::state::Judge;
use super::{
    CardMultiset, ExpelCounts, Expr, Move, NoPlayEnd, Patch, Rule, RuleError, Rules, SecretFrom,
    Split, Stage, State, Statements, View, playable_rules, read_rule,
};
use parlour_base::chance::Stream;
use parlour_base::error::{Error, Result};
use parlour_game::{Game, MAX_SEATS, Preset, Ruled, Scores, Seat, SecretSetup, Turn};

/// Eleusis or Eleusis Express under a set of rules.
#[derive(Clone, Debug)]
pub struct Eleusis {
    rules: Rules,
    /// The candidates for the secret rule.
    pub(super) secrets: Arc<Vec<Rule>>,
    /// The rules that may be stated. Determinizations draw from the listed ones.
    statements: Arc<Statements>,
    /// The rule that accepts every card: used by a determinization if no listed statement agrees.
    anything: Rule,
    /// `true` if a person deals, keeps the rule secret and judges.
    pub(super) by_hand: bool,
}

impl Eleusis {
    /// Returns the rules that may be stated in Express. The playable corpus rules are listed, and
    /// determinizations draw from them.
    pub fn statements(&self) -> &Statements {
        &self.statements
    }

    /// Returns the game with another table of rules that may be stated.
    #[must_use]
    pub fn with_statements(mut self, statements: Statements) -> Eleusis {
        self.statements = Arc::new(statements);
        self
    }

    /// Returns the game with a person as dealer, who keeps the rule secret and judges.
    #[must_use]
    pub(super) fn judged_by_person(&self) -> Eleusis {
        // One rule, as in a game with a named secret, so that the same cards are dealt.
        let secrets = Arc::new(vec![self.anything.clone()]);
        Eleusis { secrets, by_hand: true, ..self.clone() }
    }

    /// Deals a hand under a given secret rule.
    pub fn deal_under(&self, secret: Rule, chance: &mut Stream) -> State {
        State::new_hand(&self.rules, secret, chance)
    }
}

impl Ruled for Eleusis {
    const NAME: &'static str = "eleusis";
    type Rules = Rules;
    type Patch = Patch;

    fn presets() -> Vec<Preset<Rules>> {
        parlour_game::rules::presets! {
            /// the full game: strings, prophets, expulsion; five seats
            "eleusis" => Rules::ELEUSIS;
            /// the short form: one card at a time, the rule may be stated; four seats
            "express" => Rules::EXPRESS;
            /// Express with one card for a wrong card, as on its inventor's page
            "express-golden" => Rules { wrong_card_penalty: 1, ..Rules::EXPRESS };
            /// Eleusis with 4 points for going out, also by a true claim, strings of at most four,
            /// and expulsion after 40 cards played
            "eleusis-1977" => Rules {
                going_out_bonus: 4,
                string_max: Some(4),
                expel_counts: ExpelCounts::Played,
                no_play_end: NoPlayEnd::None,
                ..Rules::ELEUSIS
            };
        }
    }

    fn conflict(patch: &Patch) -> Option<&'static str> {
        let both = matches!(patch.secret, Some(Some(_))) && patch.secret_from.is_some();
        both.then_some(
            "`secret` names the rule, so `secret_from` has no effect: remove one of them",
        )
    }

    fn patched(base: &Rules, patch: &Patch) -> Rules {
        patch.over(base)
    }

    fn new(rules: &Rules) -> Result<Eleusis> {
        rules.faults().into_result()?;
        let rules_of = |half| playable_rules(half).map(|entry| entry.rule.clone()).collect();
        let secrets: Vec<Rule> = match (&rules.secret, rules.secret_from) {
            (Some(text), _) => {
                vec![read_rule(text).map_err(|error| error.in_field("secret"))?]
            }
            (_, SecretFrom::Bank) => rules_of(None),
            (_, SecretFrom::Training) => rules_of(Some(Split::Training)),
            (_, SecretFrom::Test) => rules_of(Some(Split::Test)),
        };
        let anything = Rule::new(Expr::truth(true)).map_err(|e| Error::input(e.to_string()))?;
        Ok(Eleusis {
            rules: rules.clone(),
            secrets: Arc::new(secrets),
            statements: Arc::new(Statements { listed: rules_of(None) }),
            anything,
            by_hand: false,
        })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }
}

impl Game for Eleusis {
    type State = State;
    type View = View;
    type Move = Move;

    fn seats(&self) -> usize {
        self.rules.seats.into()
    }

    fn deal(&self, chance: &mut Stream) -> State {
        let secret = chance.below(self.secrets.len() as u32) as usize;
        let mut state = self.deal_under(self.secrets[secret].clone(), chance);
        if self.by_hand {
            state.judge = Judge::Person(None);
        }
        state
    }

    fn turn(&self, state: &State) -> Turn {
        state.public.turn()
    }

    /// In Express only guesses of listed statements are included. All other guesses are
    /// [legal](Game::is_legal) too.
    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        let player = state.public.player.index();
        let hand: &CardMultiset = &state.hands[player % MAX_SEATS];
        let listed = self.statements.listed.len();
        state.public.list(&self.rules, listed, hand, || state.right(), out);
    }

    fn is_legal(&self, state: &State, mv: Move) -> bool {
        let mut listed = Vec::new();
        self.legal_moves(state, &mut listed);
        let states = |number| self.rules.express && self.statements.rule(number).is_some();
        let may_state = self.turn(state) != Turn::Over && state.public.stage == Stage::After;
        listed.binary_search(&mv).is_ok()
            || may_state && matches!(mv, Move::Guess(number) if states(number))
    }

    fn apply(&self, state: &mut State, mv: Move, chance: &mut Stream) {
        state.play(&self.rules, &self.statements, mv, chance);
    }

    fn scores(&self, state: &State) -> Scores {
        state.public.scores(&self.rules)
    }

    fn view(&self, state: &State, seat: Seat) -> View {
        View {
            seat,
            public: state.public.clone(),
            hand: state.hands[seat.index()],
            rule: (seat == Seat(0) && state.judge == Judge::Rule).then(|| state.rule.clone()),
        }
    }

    fn secret_setup(&self) -> Option<&dyn SecretSetup<Eleusis>> {
        Some(self)
    }

    fn check_view(&self, view: &View) -> Result<()> {
        view.faults(&self.rules).into_result()
    }

    /// A guess shows its rule.
    fn notation(&self, mv: Move) -> String {
        match mv {
            Move::Guess(number) => match self.statements.rule(number) {
                Some(rule) => format!("guess {rule}"),
                None => mv.to_string(),
            },
            _ => mv.to_string(),
        }
    }

    fn parse_move(&self, text: &str) -> Result<Move> {
        let Some(stated) = text.strip_prefix("guess ").filter(|rest| !rest.starts_with('#')) else {
            return text.parse().map_err(|what: String| Error::input(what));
        };
        let rule: Rule = stated.parse().map_err(|e: RuleError| Error::input(e.to_string()))?;
        let number = self.statements.of_rule(&rule).map(Move::Guess);
        number.ok_or_else(|| Error::input(format!("`{rule}` cannot be stated as a guess")))
    }

    fn determinize(&self, view: &View, chance: &mut Stream) -> State {
        view.determinize(&self.statements, &self.anything, chance)
    }

    fn legal_moves_in_view(&self, view: &View, out: &mut Vec<Move>) {
        out.clear();
        if view.public.turn() == Turn::Seat(view.seat) {
            let listed = self.statements.listed.len();
            view.public.list(&self.rules, listed, &view.hand, || view.right(), out);
        }
    }

    /// Every turn except a true *no play* puts a card on the table for good. Each true *no play* makes
    /// a hand smaller by `no_play_fewer`. Hands grow by penalties only, and the number of playable
    /// cards bounds the penalties. A turn has one move per card and at most four more.
    fn max_moves(&self) -> usize {
        let rules = &self.rules;
        let cards = 52 * (2 + usize::from(rules.decks_added_max));
        let penalties = usize::from(rules.wrong_card_penalty)
            + usize::from(rules.false_no_play_penalty)
            + usize::from(rules.wrong_guess_penalty);
        let overthrows = MAX_SEATS * usize::from(rules.overthrow_penalty);
        let grown = cards * (1 + penalties) + overthrows;
        let claims = grown / usize::from(rules.no_play_fewer).max(1) + 1;
        cards + 4 * (cards + claims)
    }

    /// No player holds more than all cards, and each card after the marker is worth at most 2.
    fn score_range(&self) -> (i32, i32) {
        let rules = &self.rules;
        let cards = 52 * (2 + i32::from(rules.decks_added_max));
        let bonus = i32::from(rules.going_out_bonus) + i32::from(rules.guess_bonus);
        if rules.express {
            (i32::from(rules.hand_size) - cards, i32::from(rules.hand_size) + bonus)
        } else {
            (0, 3 * cards + bonus)
        }
    }

    /// The own points minus the mean points of the other players.
    fn evaluate(&self, state: &State, seat: Seat) -> f32 {
        let scores = self.scores(state).0;
        let own = scores.get(seat.index()).copied().unwrap_or(0);
        let others = scores.iter().enumerate().skip(1).filter(|(other, _)| *other != seat.index());
        let (sum, count) =
            others.fold((0, 0), |(sum, count), (_, points)| (sum + points, count + 1));
        own as f32 - sum as f32 / count.max(1) as f32
    }

    /// Each seat deals once.
    fn hands_per_match(&self) -> u32 {
        self.rules.seats.into()
    }
}

impl Eleusis {
    /// Deals under the listed statement with this number, unless the variant names its secret.
    pub(super) fn deal_with_rule(&self, setup: Option<u32>, chance: &mut Stream) -> State {
        let chosen = setup.and_then(|index| self.statements.listed.get(index as usize));
        match chosen.filter(|_| self.rules.secret.is_none()) {
            Some(rule) => {
                // Draws a number as any other dealer does, so that the same cards are dealt.
                chance.below(self.secrets.len() as u32);
                self.deal_under(rule.clone(), chance)
            }
            None => self.deal(chance),
        }
    }

    /// Returns the game without a named secret: any listed statement may be the rule. `None` if the
    /// variant names no secret.
    pub(super) fn without_secret(&self) -> Option<Eleusis> {
        self.rules.secret.as_ref()?;
        let rules = Rules { secret: None, ..self.rules.clone() };
        let secrets = Arc::new(self.statements.listed.clone());
        Some(Eleusis { rules, secrets, ..self.clone() })
    }
}
