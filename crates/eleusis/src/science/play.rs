//! A case played by a scientist.

use std::fmt;
use std::time::{Duration, Instant};

use super::case::HAND;
use super::{Case, ScienceTurn};
use crate::cards::{Card, CardSet};
use crate::chance::Stream;
use crate::game::BotFailure;
use crate::{CardMultiset, Rule, are_equivalent_from};
use parlour_base::maths::exact::ln;

/// How many turns there are.
pub const TURNS: u32 = 30;

/// So many tables in a row, each committed to and right, find a rule. A rule under which every card
/// happens to be right now is so not found by who knows nothing of it.
pub const TABLES: u32 = 5;

/// What a scientist says in a turn, before it hears the verdict.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The card it lays.
    pub card: Card,
    /// Its best guess of the rule, with the probability that it is right.
    pub guess: Option<(Guess, f64)>,
    /// Whether it commits to the guess.
    pub commit: bool,
}

/// A guess of the rule.
#[derive(Clone, Debug)]
pub enum Guess {
    /// A rule; it is right if it judges as the secret one from here on.
    Rule(Rule),
    /// The cards that are right before its card is laid, for who has no words for the rule; right if
    /// all 52 verdicts are. One table says less than a rule: the rule is found by [`TABLES`] in a row.
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

/// Someone who looks for the rule. It knows the starter, its hand and what it is told.
pub trait Scientist {
    /// A case begins with this card on the mainline.
    fn start(&mut self, starter: Card);

    /// What it says in this turn, from 1.
    ///
    /// # Errors
    /// How it failed, where it is a program of its own: the case is then lost.
    fn state(
        &mut self,
        hand: &CardMultiset,
        turn: u32,
        chance: &mut Stream,
    ) -> Result<Statement, BotFailure>;

    /// The verdict on its card; a right one is now on the mainline.
    fn told(&mut self, card: Card, right: bool);

    /// The guess that it committed to last is not the rule.
    fn refuted(&mut self);

    /// What chance it gave each card to be right when it last stated its guess; none if it does not
    /// tell.
    fn chances(&self) -> Option<[f64; 52]> {
        None
    }

    /// How much of its belief is in rules that judge as this one from here on; none if it does not
    /// tell. It is asked for the page about it, and cannot learn from being asked.
    fn mass(&self, rule: &Rule) -> Option<f64> {
        let _ = rule;
        None
    }
}

/// What a scientist believed before a verdict, as far as it tells.
#[derive(Default)]
struct Insight {
    truth: Option<f64>,
    expected_bits: Option<f64>,
    best_bits: Option<f64>,
    gained_bits: Option<f64>,
}

impl Insight {
    /// Before this card of the hand is judged by the rule.
    fn of(
        scientist: &dyn Scientist,
        rule: &Rule,
        hand: &CardMultiset,
        card: Card,
        right: bool,
    ) -> Self {
        let truth = scientist.mass(rule);
        let Some(chances) = scientist.chances() else {
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

/// What it tells that something of this chance came about, in bits.
fn surprise(chance: f64) -> f64 {
    -ln(chance.max(1e-9)) / std::f64::consts::LN_2
}

/// How a case went.
#[derive(Clone, Debug)]
pub struct Played {
    /// The turns.
    pub turns: Vec<ScienceTurn>,
    /// The turn in which the rule was found.
    pub solved: Option<u32>,
    /// How many other rules were committed to.
    pub wrong_commitments: u32,
    /// How the scientist failed, where it did: nothing more was asked.
    pub forfeit: Option<BotFailure>,
    /// How long the scientist took: to start, to state and to lay, and over what it was told.
    pub thought: Duration,
}

impl Played {
    /// `31 − t − 2 ×` wrong commitments for a rule found at turn `t`, not below 0; else 0.
    pub fn score(&self) -> u32 {
        let found = self.solved.map_or(0, |turn| TURNS + 1 - turn);
        found.saturating_sub(2 * self.wrong_commitments)
    }
}

/// Adds the time that a piece of work takes.
fn timed<T>(time: &mut Duration, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let done = work();
    *time += start.elapsed();
    done
}

/// Plays a case whose deck has a starter.
pub fn play_case(case: &Case, scientist: &mut dyn Scientist, chance: &mut Stream) -> Played {
    let (turns, thought) = (Vec::new(), Duration::ZERO);
    let mut played = Played { turns, solved: None, wrong_commitments: 0, forfeit: None, thought };
    let Some(at) = case.starter() else { return played };
    let starter = case.deck[at];
    let mut hand: CardMultiset = case.deck[..HAND].iter().copied().collect();
    let mut stock = case.deck[at + 1..].iter();
    let mut line = vec![starter];
    let mut memory = case.rule.after(&line);
    timed(&mut played.thought, || scientist.start(starter));
    // A guess that was right once is right for good.
    let mut known: Option<String> = None;
    let mut tables = 0;
    for turn in 1..=TURNS {
        let stated = timed(&mut played.thought, || scientist.state(&hand, turn, chance));
        let Statement { card, guess, commit } = match stated {
            Ok(statement) => statement,
            Err(forfeit) => {
                played.forfeit = Some(forfeit);
                break;
            }
        };
        let right_now = case.rule.right(&memory);
        let right = right_now.has(card);
        let insight = Insight::of(scientist, &case.rule, &hand, card, right);
        if !hand.remove(card) {
            debug_assert!(false, "{card} is not in the hand");
            break;
        }
        stock.next().into_iter().for_each(|&card| _ = hand.add(card));
        if right {
            memory = case.rule.step(&memory, card);
            line.push(card);
        }
        timed(&mut played.thought, || scientist.told(card, right));
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
        if committed && guess_right && (is_rule || tables == TABLES) {
            played.solved = Some(turn);
            break;
        }
        if committed && !guess_right {
            played.wrong_commitments += 1;
            timed(&mut played.thought, || scientist.refuted());
        }
        if hand.is_empty() {
            break;
        }
    }
    played
}
