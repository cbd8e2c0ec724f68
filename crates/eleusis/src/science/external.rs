//! A rule learner that is an external program: lines of JSON, as described in `docs/bot-protocol.md`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Guess, RuleLearner, Statement, TURNS};
use crate::{CardMultiset, Rule};
use parlour_base::cards::{Card, CardSet};
use parlour_base::chance::Stream;
use parlour_game::external::{ProcessPool, Session, parse_answer, shorten, to_line};
use parlour_game::{BotFailure, BotFault};

/// A message to the program.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ToLearner<'a> {
    /// The start of a case.
    Science { starter: Card, turns: u32, seed: u64 },
    /// A request for a card and a guess.
    State {
        turn: u32,
        hand: Vec<Card>,
        mainline: &'a [Card],
        verdicts: &'a [Verdict],
        refuted: &'a [String],
    },
    /// The end of the case.
    End { scores: Option<()> },
}

/// A card that was laid, with its verdict.
#[derive(Serialize)]
struct Verdict {
    card: Card,
    right: bool,
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

/// An external program that looks for the rule. Each request repeats all verdicts.
pub struct ExternalLearner {
    talk: Session,
    starter: Card,
    mainline: Vec<Card>,
    verdicts: Vec<Verdict>,
    refuted: Vec<String>,
    stated: String,
}

impl ExternalLearner {
    /// Creates a learner that takes a process from the pool.
    pub fn new(players: Arc<ProcessPool>) -> ExternalLearner {
        ExternalLearner {
            talk: Session::new(players),
            starter: Card::from_index(0),
            mainline: Vec::new(),
            verdicts: Vec::new(),
            refuted: Vec::new(),
            stated: String::new(),
        }
    }
}

impl RuleLearner for ExternalLearner {
    fn start(&mut self, starter: Card) {
        self.starter = starter;
        self.mainline = vec![starter];
    }

    fn state(
        &mut self,
        hand: &CardMultiset,
        turn: u32,
        chance: &mut Stream,
    ) -> Result<Statement, BotFailure> {
        let starter = self.starter;
        self.talk.begin(|| {
            // Numbers of 53 bits are exact in every language.
            to_line(&ToLearner::Science { starter, turns: TURNS, seed: chance.bits() >> 11 })
        })?;
        let question = ToLearner::State {
            turn,
            hand: hand.cards().collect(),
            mainline: &self.mainline,
            verdicts: &self.verdicts,
            refuted: &self.refuted,
        };
        let stated = self.talk.ask(&to_line(&question), |said| parse_statement(hand, said))?;
        self.stated =
            stated.guess.as_ref().map_or_else(String::new, |(guess, _)| guess.to_string());
        Ok(stated)
    }

    fn observe(&mut self, card: Card, right: bool) {
        self.verdicts.push(Verdict { card, right });
        if right {
            self.mainline.push(card);
        }
    }

    fn refuted(&mut self) {
        self.refuted.push(self.stated.clone());
    }
}

impl Drop for ExternalLearner {
    fn drop(&mut self) {
        self.talk.end(|| to_line(&ToLearner::End { scores: None }));
    }
}

/// Reads an answer to `state`, with this hand.
///
/// # Errors
/// If it is no answer, lays a card that is not in the hand, or has an invalid rule or probability.
pub fn parse_statement(hand: &CardMultiset, said: &[u8]) -> Result<Statement, BotFailure> {
    let wrong = |fault, message: String| Err(BotFailure { fault, message });
    let Answer { card, guess, right, probability, commit } = parse_answer(said)?;
    if hand.count(card) == 0 {
        return wrong(BotFault::Illegal, format!("it laid {card}, which is not in its hand"));
    }
    let guess = match (guess, right) {
        (Some(text), None) => match text.parse::<Rule>() {
            Ok(rule) => Some(Guess::Rule(rule)),
            Err(error) => {
                let (text, error) = (shorten(&text), shorten(&error.to_string()));
                let what = format!("its guess `{text}` is not a rule: {error}");
                return wrong(BotFault::Illegal, what);
            }
        },
        (None, Some(cards)) => Some(Guess::Table(cards.into_iter().collect::<CardSet>())),
        (None, None) => None,
        _ => {
            let what = "its answer has both `guess` and `right`";
            return wrong(BotFault::Garbled, what.to_owned());
        }
    };
    let guess = match (guess, probability) {
        (None, _) => None,
        (Some(guess), Some(p)) if (0.0..=1.0).contains(&p) => Some((guess, p)),
        (Some(_), Some(p)) => {
            return wrong(
                BotFault::Illegal,
                format!("its `probability` is {p}; it must be from 0 to 1"),
            );
        }
        (Some(_), None) => {
            let what = "its answer has a guess without `probability`, from 0 to 1";
            return wrong(BotFault::Garbled, what.to_owned());
        }
    };
    Ok(Statement { card, guess, commit })
}
