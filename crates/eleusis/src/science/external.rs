//! A rule learner that is an external program: lines of JSON, as described in `docs/bot-protocol.md`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Case, CaseView, Guess, RuleLearner, Statement, TURNS};
use crate::{CardMultiset, RuleError};
use parlour_base::cards::Card;
use parlour_base::chance::{Seed, Stream};
use parlour_game::external::{ProcessPool, Session, parse_answer, shorten, to_line};
use parlour_game::{BotFailure, BotFault};

/// A message to the program.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ToLearner<'a> {
    /// The start of a case.
    Science { starter: Card, turns: u32, seed: u64 },
    /// A request for a card and a guess.
    State(&'a CaseView),
    /// The end of the case.
    End { scores: Option<()> },
}

/// The answer to `state`; unknown fields are ignored.
#[derive(Deserialize)]
struct Answer {
    card: Card,
    guess: Option<String>,
    right: Option<Vec<Card>>,
    probability: Option<f64>,
    #[serde(default)]
    commit: bool,
}

/// An external program that looks for the rule.
pub struct ExternalLearner(Session);

impl ExternalLearner {
    /// Creates a learner for a case that takes a process from the pool: one that has not met the rule.
    pub fn new(players: Arc<ProcessPool>, case: &Case) -> ExternalLearner {
        let rule = Seed::new(0).named(&case.rule.to_string()).number();
        ExternalLearner(Session::new(players, Some(rule)))
    }
}

impl RuleLearner for ExternalLearner {
    fn state(&mut self, view: &CaseView, chance: &mut Stream) -> Result<Statement, BotFailure> {
        let starter = view.mainline[0];
        // Numbers of 53 bits are exact in every language.
        let mut seed = || chance.bits() >> 11;
        let start = || to_line(&ToLearner::Science { starter, turns: TURNS, seed: seed() });
        let question = to_line(&ToLearner::State(view));
        Ok(self.0.ask(start, &question, |answer| parse_statement(&view.hand, answer))?)
    }
}

impl Drop for ExternalLearner {
    fn drop(&mut self) {
        self.0.end(|| to_line(&ToLearner::End { scores: None }));
    }
}

/// Reads an answer to `state`, with this hand.
///
/// # Errors
/// If it is no answer, lays a card that is not in the hand, or has an invalid rule or probability.
pub fn parse_statement(hand: &CardMultiset, answer: &[u8]) -> Result<Statement, BotFailure> {
    let illegal = |message| BotFailure { fault: BotFault::Illegal, message };
    let garbled =
        |message: &str| Err(BotFailure { fault: BotFault::Garbled, message: message.to_owned() });
    let Answer { card, guess, right, probability, commit } = parse_answer(answer)?;
    if hand.count(card) == 0 {
        return Err(illegal(format!("it laid {card}, which is not in its hand")));
    }
    let guess = match (guess, right) {
        (Some(_), Some(_)) => return garbled("its answer has both `guess` and `right`"),
        (Some(text), None) => Guess::Rule(text.parse().map_err(|error: RuleError| {
            let (text, error) = (shorten(&text), shorten(&error.to_string()));
            illegal(format!("its guess `{text}` is not a rule: {error}"))
        })?),
        (None, Some(cards)) => Guess::Table(cards.into_iter().collect()),
        (None, None) => return Ok(Statement { commit, ..Statement::of(card) }),
    };
    match probability {
        Some(p) if (0.0..=1.0).contains(&p) => {
            Ok(Statement { guess: Some((guess, p)), commit, ..Statement::of(card) })
        }
        Some(p) => Err(illegal(format!("its `probability` is {p}; it must be from 0 to 1"))),
        None => garbled("its answer has a guess without `probability`, from 0 to 1"),
    }
}
