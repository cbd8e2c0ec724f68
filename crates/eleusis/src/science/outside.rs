//! A scientist that is a program of its own: lines of JSON, as `docs/bot-protocol.md` says.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Guess, Scientist, Statement, TURNS};
use crate::cards::{Card, CardSet};
use crate::chance::Stream;
use crate::external::{ProcessPool, Session, parse_answer, shorten, to_line};
use crate::game::{BotFailure, BotFault};
use crate::{CardMultiset, Rule};

/// What it is told.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ToScientist<'a> {
    /// A case begins.
    Science { starter: Card, turns: u32, seed: u64 },
    /// It is to lay a card and to say what it believes.
    State {
        turn: u32,
        hand: Vec<Card>,
        mainline: &'a [Card],
        verdicts: &'a [Verdict],
        refuted: &'a [String],
    },
    /// The case is over.
    End { scores: Option<()> },
}

/// A card that was laid, and whether it was right.
#[derive(Serialize)]
struct Verdict {
    card: Card,
    right: bool,
}

/// What it answers to `state`. What else it says is let pass.
#[derive(Deserialize)]
struct Answer {
    card: Card,
    guess: Option<String>,
    right: Option<Vec<Card>>,
    probability: Option<f64>,
    #[serde(default)]
    commit: bool,
}

/// A program that looks for the rule. It hears all verdicts anew in each turn.
pub struct Outside {
    talk: Session,
    starter: Card,
    mainline: Vec<Card>,
    verdicts: Vec<Verdict>,
    refuted: Vec<String>,
    stated: String,
}

impl Outside {
    /// A scientist that takes its process from here.
    pub fn new(players: Arc<ProcessPool>) -> Outside {
        Outside {
            talk: Session::new(players),
            starter: Card::from_index(0),
            mainline: Vec::new(),
            verdicts: Vec::new(),
            refuted: Vec::new(),
            stated: String::new(),
        }
    }
}

impl Scientist for Outside {
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
            // Numbers of this size are exact in every language.
            to_line(&ToScientist::Science { starter, turns: TURNS, seed: chance.bits() >> 11 })
        })?;
        let question = ToScientist::State {
            turn,
            hand: hand.cards().collect(),
            mainline: &self.mainline,
            verdicts: &self.verdicts,
            refuted: &self.refuted,
        };
        let stated = self.talk.ask(&to_line(&question), |said| stated(hand, said))?;
        self.stated =
            stated.guess.as_ref().map_or_else(String::new, |(guess, _)| guess.to_string());
        Ok(stated)
    }

    fn told(&mut self, card: Card, right: bool) {
        self.verdicts.push(Verdict { card, right });
        if right {
            self.mainline.push(card);
        }
    }

    fn refuted(&mut self) {
        self.refuted.push(self.stated.clone());
    }
}

impl Drop for Outside {
    fn drop(&mut self) {
        self.talk.end(|| to_line(&ToScientist::End { scores: None }));
    }
}

/// What an answer to `state` says, with this hand.
///
/// # Errors
/// That it is no answer, lays a card that is not in the hand, or states what is no rule or no
/// probability.
pub fn stated(hand: &CardMultiset, said: &[u8]) -> Result<Statement, BotFailure> {
    let wrong = |fault, said: String| Err(BotFailure { fault, said });
    let Answer { card, guess, right, probability, commit } = parse_answer(said)?;
    if hand.count(card) == 0 {
        return wrong(BotFault::Illegal, format!("it laid {card}, which is not in its hand"));
    }
    let guess = match (guess, right) {
        (Some(text), None) => match text.parse::<Rule>() {
            Ok(rule) => Some(Guess::Rule(rule)),
            Err(error) => {
                let (text, error) = (shorten(&text), shorten(&error.to_string()));
                let what = format!("it stated `{text}`, which is no rule: {error}");
                return wrong(BotFault::Illegal, what);
            }
        },
        (None, Some(cards)) => Some(Guess::Table(cards.into_iter().collect::<CardSet>())),
        (None, None) => None,
        _ => {
            let what = "its answer may have `guess` or `right`, not both";
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
            let what = "it states a rule, so its answer must have `probability`, from 0 to 1";
            return wrong(BotFault::Garbled, what.to_owned());
        }
    };
    Ok(Statement { card, guess, commit })
}
