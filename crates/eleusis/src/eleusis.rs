//! Eleusis as a [`Game`].

use std::iter::once;
use std::sync::Arc;

use super::state::{Hand, Judge};
use super::{
    Act, CardMultiset, End, ExpelCounts, Expr, GuessAfter, Move, NoPlayEnd, Patch, Public, Rule,
    RuleError, Rules, Split, Stage, State, Statements, View, corpus_rule, playable_rules,
    read_playable, read_rule,
};
use parlour_base::cards::{Card, CardSet, spaced};
use parlour_base::chance::{Seed, Stream};
use parlour_base::error::{Error, Result, ensure};
use parlour_game::{
    Game, MANUAL, MAX_SEATS, Preset, Ruled, Scores, Seat, SecretPreview, SecretSetup, Turn,
};

/// Eleusis or Eleusis Express under a set of rules.
#[derive(Clone, Debug)]
pub struct Eleusis {
    pub(super) rules: Rules,
    /// The candidates for the secret rule.
    pub(super) secrets: Arc<Vec<Rule>>,
    /// The rules that may be stated in Express. The playable corpus rules are listed, and
    /// determinizations draw from them.
    pub statements: Arc<Statements>,
    /// The rule that accepts every card: used by a determinization if no listed statement agrees.
    pub(super) anything: Rule,
    /// `true` if a person deals, keeps the rule secret and judges.
    pub(super) by_hand: bool,
}

impl Eleusis {
    /// Deals a hand under a given secret rule.
    pub fn deal_under(&self, secret: Rule, chance: &mut Stream) -> State {
        State::deal(&self.rules, secret, chance).0
    }

    /// Lists the legal moves, given the player's hand and the cards that are right.
    fn list(
        &self,
        public: &Public,
        hand: &CardMultiset,
        right: impl FnOnce() -> CardSet,
        out: &mut Vec<Move>,
    ) {
        out.clear();
        match public.stage {
            _ if public.end != End::Open => {}
            Stage::Play => {
                if public.string.len() < self.rules.longest_string() {
                    out.extend(hand.distinct().map(Move::Lay));
                }
                out.push(if public.string.is_empty() { Move::NoPlay } else { Move::Submit });
            }
            Stage::Judge | Stage::Verdict => out.extend([Move::Judge(false), Move::Judge(true)]),
            Stage::Pick => out.extend(public.shown_cards().map(Move::Force)),
            Stage::Force => out.extend((public.shown_cards() & right()).map(Move::Force)),
            Stage::After if self.rules.express => {
                let listed = self.statements.listed.len() as u32;
                out.extend(once(Move::Pass).chain((0..listed).map(Move::Guess)));
            }
            Stage::After => out.extend([Move::Pass, Move::Prophesy]),
        }
    }

    /// Returns a hand with its source of cards.
    pub(super) fn hand<'a, D>(&'a self, state: &'a mut State, deck: &'a mut D) -> Hand<'a, D> {
        Hand { rules: &self.rules, statements: &self.statements, state, deck, drawn: Vec::new() }
    }
}

impl Ruled for Eleusis {
    const NAME: &'static str = "eleusis";
    const RULES_TEXT: &'static str = include_str!("rules.txt");
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
        let rules_of = |split| playable_rules(split).map(|entry| entry.rule.clone()).collect();
        let secrets: Vec<Rule> = match &rules.secret {
            Some(text) => vec![read_rule(text).map_err(|error| error.in_field("secret"))?],
            None => rules_of(rules.secret_from),
        };
        let anything = Rule::new(Expr::truth(true)).map_err(|e| Error::input(e.to_string()))?;
        Ok(Eleusis {
            rules: rules.clone(),
            secrets: Arc::new(secrets),
            statements: Arc::new(Statements::new(rules_of(Split::All))),
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

    /// In Express only guesses of listed statements are included. Guesses of all other rules are
    /// [legal](Game::is_legal) too.
    fn legal_moves(&self, state: &State, out: &mut Vec<Move>) {
        self.list(&state.public, state.hand(state.public.player), || state.right(), out);
    }

    fn is_legal_among(&self, listed: &[Move], mv: Move) -> bool {
        match mv {
            Move::Guess(number) if listed.contains(&Move::Guess(0)) => {
                self.statements.rule(number).is_some()
            }
            mv => listed.contains(&mv),
        }
    }

    fn apply(&self, state: &mut State, mv: Move, chance: &mut Stream) {
        self.hand(state, chance).play(mv);
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
        let stated = if let Move::Guess(number) = mv { self.statements.rule(number) } else { None };
        stated.map_or_else(|| mv.to_string(), |rule| format!("guess {rule}"))
    }

    fn parse_move(&self, text: &str) -> Result<Move> {
        let Some(stated) = text.strip_prefix("guess ").filter(|rest| !rest.starts_with('#')) else {
            return text.parse().map_err(|what: String| Error::input(what));
        };
        let rule: Rule = stated.parse().map_err(|e: RuleError| Error::input(e.to_string()))?;
        let number = self.statements.of_rule(&rule).map(Move::Guess);
        number.ok_or_else(|| Error::input(format!("`{rule}` cannot be stated as a guess")))
    }

    /// The rule is drawn from the listed statements that agree with all verdicts so far. If none agrees,
    /// every card is right.
    fn determinize(&self, view: &View, chance: &mut Stream) -> State {
        if let Some(rule) = &view.rule {
            return view.determinize_under(rule.clone(), chance);
        }
        let refuted = view.public.refuted(&self.statements);
        let mut order: Vec<&Rule> = self.statements.listed.iter().collect();
        // Shuffles only the part of the order that is needed.
        for at in 0..order.len() {
            let left = (order.len() - at) as u32;
            order.swap(at, at + chance.below(left) as usize);
            let rule = order[at];
            if !refuted.iter().any(|stated| **stated == *rule) && view.public.agrees(rule) {
                return view.determinize_under(rule.clone(), chance);
            }
        }
        view.determinize_under(self.anything.clone(), chance)
    }

    fn legal_moves_in_view(&self, view: &View, out: &mut Vec<Move>) {
        out.clear();
        if view.public.turn() == Turn::Seat(view.seat) {
            self.list(&view.public, &view.hand, || view.right(), out);
        }
    }

    fn sample(&self, state: &State, chance: &mut Stream) -> Move {
        by_lot(|moves| self.legal_moves(state, moves), chance)
    }

    fn sample_view(&self, view: &View, chance: &mut Stream) -> Move {
        by_lot(|moves| self.legal_moves_in_view(view, moves), chance)
    }

    /// Every turn except a true *no play* puts a card on the table for good. Each true *no play* makes
    /// a hand smaller by `no_play_fewer`. Hands grow by penalties only, and the number of playable
    /// cards bounds the penalties. A turn has one move per card, at most four more, and one for each
    /// other player who may state the rule.
    fn max_moves(&self) -> usize {
        let rules = &self.rules;
        let cards = 52 * (2 + usize::from(rules.decks_added_max));
        let guessers = if rules.guess_after == GuessAfter::Any { MAX_SEATS } else { 1 };
        let penalties = usize::from(rules.wrong_card_penalty)
            + usize::from(rules.false_no_play_penalty)
            + usize::from(rules.wrong_guess_penalty) * guessers;
        let overthrows = MAX_SEATS * usize::from(rules.overthrow_penalty);
        let grown = cards * (1 + penalties) + overthrows;
        let claims = grown / usize::from(rules.no_play_fewer).max(1) + 1;
        cards + (3 + guessers) * (cards + claims)
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
        let players = &scores[1..];
        let (sum, count) = match seat {
            Seat(0) => (players.iter().sum::<i32>(), players.len()),
            _ => (players.iter().sum::<i32>() - own, players.len() - 1),
        };
        own as f32 - sum as f32 / count.max(1) as f32
    }

    /// Each seat deals once.
    fn hands_per_match(&self) -> u32 {
        self.rules.seats.into()
    }
}

/// Samples one of the moves. An only card to force takes nothing from the random stream, so that the
/// rest of the hand does not depend on it.
fn by_lot(list: impl FnOnce(&mut Vec<Move>), chance: &mut Stream) -> Move {
    let mut moves = Vec::new();
    list(&mut moves);
    match moves[..] {
        [only @ Move::Force(_)] => only,
        _ => moves[chance.below(moves.len() as u32) as usize],
    }
}

/// The secret rule that a dealer chooses: set up before the deal, typed by a person, or kept secret
/// until the end.
impl SecretSetup<Eleusis> for Eleusis {
    /// Deals under the listed statement with this number, unless the variant names its secret.
    fn deal_with_setup(&self, setup: Option<u32>, rng: &mut Stream) -> State {
        let chosen = setup.filter(|_| self.rules.secret.is_none());
        match chosen.and_then(|index| self.statements.listed.get(index as usize)) {
            Some(rule) => {
                // Draws a number as any other dealer does, so that the same cards are dealt.
                rng.below(self.secrets.len() as u32);
                self.deal_under(rule.clone(), rng)
            }
            None => self.deal(rng),
        }
    }

    /// Any listed statement may be the rule of the redacted game.
    fn redacted(&self) -> Option<Eleusis> {
        self.rules.secret.as_ref()?;
        let rules = Rules { secret: None, ..self.rules.clone() };
        let secrets = Arc::new(self.statements.listed.clone());
        Some(Eleusis { rules, secrets, ..self.clone() })
    }

    fn asks_dealer(&self) -> bool {
        self.rules.secret.is_none()
    }

    fn with_secret(&self, text: &str) -> Result<Eleusis> {
        if text.trim() == MANUAL {
            // One rule, as in a game with a named secret, so that the same cards are dealt.
            let secrets = Arc::new(vec![self.anything.clone()]);
            return Ok(Eleusis { secrets, by_hand: true, ..self.clone() });
        }
        let secret = Some(read_playable(text)?.to_string());
        Eleusis::new(&Rules { secret, ..self.rules.clone() })
    }

    fn is_manual(&self) -> bool {
        self.by_hand
    }

    /// Replays the hand under the revealed rule. All moves but the verdicts also exist there.
    fn reveal(
        &self,
        text: &str,
        start: Stream,
        moves: &[(Seat, Move)],
    ) -> Result<(Eleusis, Vec<usize>)> {
        let told = self.with_secret(text)?;
        let [mut of_hand, mut of_rule] = [start.clone(), start];
        let (mut by_hand, mut by_rule) = (self.deal(&mut of_hand), told.deal(&mut of_rule));
        let mut kept = Vec::new();
        for (at, (_, mv)) in moves.iter().enumerate() {
            let differs = |what: &str, by_rule: &str| {
                let at = at + 1;
                Error::input(format!(
                    "this rule contradicts your verdicts: at move {at} ({what}), under this rule {by_rule}"
                ))
            };
            let of_person = [Stage::Verdict, Stage::Force].contains(&by_hand.public.stage);
            self.apply(&mut by_hand, *mv, &mut of_hand);
            // Under the rule verdicts follow.
            if !of_person || by_rule.public.stage == Stage::Force && matches!(mv, Move::Force(_)) {
                ensure(told.is_legal(&by_rule, *mv), || differs(&mv.to_string(), "it is wrong"))?;
                told.apply(&mut by_rule, *mv, &mut of_rule);
                kept.push(at);
            }
            if [Stage::Verdict, Stage::Pick, Stage::Force].contains(&by_hand.public.stage) {
                continue;
            }
            let Some(said) = by_hand.public.history.last() else { continue };
            let by_rule = match by_rule.public.history.get(by_hand.public.history.len() - 1) {
                Some(event) if event == said => continue,
                Some(event) if event.right => "it is right",
                Some(_) => "it is wrong",
                None => "the hand goes another way",
            };
            return Err(match &said.act {
                Act::Play(cards) => differs(&spaced(cards), by_rule),
                Act::NoPlay { .. } => differs("the claim that no card fits", by_rule),
            });
        }
        Ok((told, kept))
    }

    /// Returns the meaning of a typed rule and the cards that it accepts now.
    fn preview(&self, text: &str, view: Option<&View>) -> Result<SecretPreview> {
        if text.trim() == MANUAL {
            let words = Some("you keep the rule to yourself, and say right or wrong".to_owned());
            return Ok(SecretPreview { text: MANUAL.to_owned(), words, ..Default::default() });
        }
        let rule = read_playable(text)?;
        let line = view.map_or(&[][..], |view| view.public.mainline.as_slice());
        let (mut memory, mut chance) = (rule.after(line), Seed::new(1).stream());
        let right = rule.right(&memory).map(|card| card.to_string()).collect();
        let next = |_| {
            let right: Vec<Card> = rule.right(&memory).collect();
            let card = *right.get(chance.below(right.len().max(1) as u32) as usize)?;
            memory = rule.step(&memory, card);
            Some(card.to_string())
        };
        Ok(SecretPreview {
            text: rule.to_string(),
            words: corpus_rule(text.trim()).map(|entry| entry.words.clone()),
            right,
            sample: (0..10).map_while(next).collect(),
        })
    }
}
