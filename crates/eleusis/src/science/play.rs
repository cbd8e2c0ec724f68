//! A case played by a rule learner.

use std::fmt;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::Serialize;

use super::Case;
use super::case::HAND;
use crate::{CardMultiset, Rule, are_equivalent_from};
use parlour_base::cards::{Card, CardSet};
use parlour_base::chance::Stream;
use parlour_base::maths::exact::ln;
use parlour_game::BotFailure;

/// The number of turns.
pub const TURNS: u32 = 30;

/// The number of consecutive right tables, each committed to, that solve a case. One table is not
/// enough: every card may happen to be right now.
pub const TABLES_TO_SOLVE: u32 = 5;

/// The statement of a learner in a turn, before the verdict.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The card to lay.
    pub card: Card,
    /// The best guess of the rule, with its probability.
    pub guess: Option<(Guess, f64)>,
    /// Commits to the guess.
    pub commit: bool,
}

/// A guess of the rule.
#[derive(Clone, Debug)]
pub enum Guess {
    /// A rule; right if it judges as the secret rule from here on.
    Rule(Rule),
    /// The cards that are right before the card is laid, for learners without a rule language; right
    /// if all 52 verdicts are. [`TABLES_TO_SOLVE`] of them in a row solve the case.
    Table(CardSet),
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guess::Rule(rule) => rule.fmt(f),
            Guess::Table(cards) => {
                f.write_str("right:")?;
                cards.into_iter().try_for_each(|card| write!(f, " {card}"))
            }
        }
    }
}

/// A player that looks for the rule. It knows the starter, its hand and the verdicts.
pub trait RuleLearner {
    /// Starts a case with this card on the mainline.
    fn start(&mut self, starter: Card);

    /// Returns the statement for a turn, counted from 1.
    ///
    /// # Errors
    /// The failure of an external program, which loses the case.
    fn state(
        &mut self,
        hand: &CardMultiset,
        turn: u32,
        chance: &mut Stream,
    ) -> Result<Statement, BotFailure>;

    /// Observes the verdict on the card; a right card is now on the mainline.
    fn observe(&mut self, card: Card, right: bool);

    /// Observes that the last guess with a commitment is wrong.
    fn refuted(&mut self);

    /// The probability of each card to be right at the last statement; `None` if unknown.
    fn card_probabilities(&self) -> Option<[f64; 52]> {
        None
    }

    /// The belief in rules that judge as this one from here on; `None` if unknown. For reports only:
    /// the question reveals nothing to the learner.
    fn belief_in(&self, rule: &Rule) -> Option<f64> {
        let _ = rule;
        None
    }
}

/// The beliefs of a learner before a verdict, as far as they are known.
#[derive(Default)]
struct Insight {
    truth: Option<f64>,
    expected_bits: Option<f64>,
    best_bits: Option<f64>,
    gained_bits: Option<f64>,
}

impl Insight {
    /// The beliefs before the rule judges this card of the hand.
    fn of(
        learner: &dyn RuleLearner,
        rule: &Rule,
        hand: &CardMultiset,
        card: Card,
        right: bool,
    ) -> Self {
        let truth = learner.belief_in(rule);
        let Some(chances) = learner.card_probabilities() else {
            return Insight { truth, ..Self::default() };
        };
        let chance = |card: Card| chances[usize::from(card.index())].clamp(0.0, 1.0);
        let entropy = |p: f64| p * surprise(p) + (1.0 - p) * surprise(1.0 - p);
        let best = hand.distinct().map(|card| entropy(chance(card))).fold(0.0, f64::max);
        let said = if right { chance(card) } else { 1.0 - chance(card) };
        Insight {
            truth,
            expected_bits: Some(entropy(chance(card))),
            best_bits: Some(best),
            gained_bits: Some(surprise(said)),
        }
    }
}

/// The information of an event of this probability, in bits.
fn surprise(chance: f64) -> f64 {
    -ln(chance.max(1e-9)) / std::f64::consts::LN_2
}

/// The result of a case.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The turns, one row each.
    pub turns: Vec<ScienceTurn>,
    /// The turn in which the rule was found, if it was.
    pub solved: Option<u32>,
    /// The number of commitments to wrong rules.
    pub wrong_commitments: u32,
    /// The failure of an external learner, which ended the case.
    pub forfeit: Option<BotFailure>,
    /// The time that the learner used.
    pub thought: Duration,
}

impl CaseResult {
    /// The score: `31 − t − 2 ×` wrong commitments for a rule found in turn `t`, at least 0; otherwise 0.
    pub fn score(&self) -> u32 {
        let found = self.solved.map_or(0, |turn| TURNS + 1 - turn);
        found.saturating_sub(2 * self.wrong_commitments)
    }
}

/// A row of `science.csv`: one turn of a case. The comments are the column descriptions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScienceTurn {
    /// The case.
    pub name: String,
    /// The deck of the case, from 0. Unit: number.
    pub deal: u64,
    /// The turn, from 1. Unit: number.
    pub turn: u32,
    /// The card laid.
    pub card: String,
    /// The verdict on the card. Unit: true or false.
    pub right: bool,
    /// The best guess of the rule before the verdict; empty if there is none.
    pub guess: Option<String>,
    /// The probability that the strategy gives to its guess. Unit: probability.
    pub probability: Option<f64>,
    /// True if the strategy committed to its guess. Unit: true or false.
    pub committed: bool,
    /// True if the guess judges as the rule does from here on. Unit: true or false.
    pub guess_right: bool,
    /// The belief in rules that judge as the secret one, before the verdict; empty if unknown. Unit: probability.
    pub truth: Option<f64>,
    /// The expected information of the card's verdict: its entropy under the player's beliefs. Unit:
    /// bits.
    pub expected_bits: Option<f64>,
    /// The expected information of the most informative card of the hand. Unit: bits.
    pub best_bits: Option<f64>,
    /// The information of the verdict: minus the binary logarithm of its probability under the
    /// player's beliefs. Unit: bits.
    pub gained_bits: Option<f64>,
}

/// Adds the time of some work.
fn timed<T>(time: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *time += start.elapsed();
    done
}

/// Plays a case whose deck has a starter.
pub fn play_case(case: &Case, learner: &mut dyn RuleLearner, chance: &mut Stream) -> CaseResult {
    let (turns, thought) = (Vec::new(), Duration::ZERO);
    let mut played =
        CaseResult { turns, solved: None, wrong_commitments: 0, forfeit: None, thought };
    let Some(at) = case.starter() else { return played };
    let starter = case.deck[at];
    let mut hand: CardMultiset = case.deck[..HAND].iter().copied().collect();
    let mut stock = case.deck[at + 1..].iter();
    let mut line = vec![starter];
    let mut memory = case.rule.after(&line);
    timed(&mut played.thought, || learner.start(starter));
    // A rule that was right once stays right.
    let mut known: Option<String> = None;
    let mut tables = 0;
    for turn in 1..=TURNS {
        let stated = timed(&mut played.thought, || learner.state(&hand, turn, chance));
        let Statement { card, guess, commit } = match stated {
            Ok(statement) => statement,
            Err(forfeit) => {
                played.forfeit = Some(forfeit);
                break;
            }
        };
        let right_now = case.rule.right(&memory);
        let right = right_now.has(card);
        let insight = Insight::of(learner, &case.rule, &hand, card, right);
        if !hand.remove(card) {
            debug_assert!(false, "{card} is not in the hand");
            break;
        }
        stock.next().into_iter().for_each(|&card| _ = hand.add(card));
        if right {
            memory = case.rule.step(&memory, card);
            line.push(card);
        }
        timed(&mut played.thought, || learner.observe(card, right));
        let guess_right = guess.as_ref().is_some_and(|(guess, _)| match guess {
            Guess::Rule(rule) => {
                known.as_deref() == Some(&rule.to_string())
                    || are_equivalent_from(&case.rule, rule, &memory, &rule.after(&line))
            }
            Guess::Table(cards) => *cards == right_now,
        });
        let is_rule = matches!(guess, Some((Guess::Rule(_), _)));
        let (guess, probability) = guess.map(|(guess, p)| (guess.to_string(), p)).unzip();
        if guess_right && is_rule {
            known.clone_from(&guess);
        }
        let committed = commit && guess.is_some();
        let (name, deal, card) = (case.name.clone(), case.deal, card.to_string());
        played.turns.push(ScienceTurn {
            name,
            deal,
            turn,
            card,
            right,
            guess,
            probability,
            committed,
            guess_right,
            truth: insight.truth,
            expected_bits: insight.expected_bits,
            best_bits: insight.best_bits,
            gained_bits: insight.gained_bits,
        });
        tables = if committed && guess_right && !is_rule { tables + 1 } else { 0 };
        if committed && guess_right && (is_rule || tables == TABLES_TO_SOLVE) {
            played.solved = Some(turn);
            break;
        }
        if committed && !guess_right {
            played.wrong_commitments += 1;
            timed(&mut played.thought, || learner.refuted());
        }
        if hand.is_empty() {
            break;
        }
    }
    played
}
