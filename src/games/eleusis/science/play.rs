//! A case played by a scientist.

use super::case::HAND;
use super::{Case, ScienceTurn};
use crate::cards::Card;
use crate::chance::Stream;
use crate::games::eleusis::{Counts, Rule, alike_from};

/// How many turns there are.
pub const TURNS: u32 = 30;

/// What a scientist says in a turn, before it hears the verdict.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The card it lays.
    pub card: Card,
    /// Its best guess of the rule, with the probability that it is right.
    pub guess: Option<(Rule, f64)>,
    /// Whether it commits to the guess.
    pub commit: bool,
}

/// Someone who looks for the rule. It knows the starter, its hand and what it is told.
pub trait Scientist {
    /// A case begins with this card on the mainline.
    fn start(&mut self, starter: Card);

    /// What it says in this turn, from 1.
    fn state(&mut self, hand: &Counts, turn: u32, chance: &mut Stream) -> Statement;

    /// The verdict on its card; a right one is now on the mainline.
    fn told(&mut self, card: Card, right: bool);

    /// The guess that it committed to last is not the rule.
    fn refuted(&mut self);
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
}

impl Played {
    /// `31 − t − 2 ×` wrong commitments for a rule found at turn `t`, not below 0; else 0.
    pub fn score(&self) -> u32 {
        let found = self.solved.map_or(0, |turn| TURNS + 1 - turn);
        found.saturating_sub(2 * self.wrong_commitments)
    }
}

/// Plays a case whose deck has a starter.
pub fn play_case(case: &Case, scientist: &mut dyn Scientist, chance: &mut Stream) -> Played {
    let mut played = Played { turns: Vec::new(), solved: None, wrong_commitments: 0 };
    let Some(at) = case.starter() else { return played };
    let starter = case.deck[at];
    let mut hand: Counts = case.deck[..HAND].iter().copied().collect();
    let mut stock = case.deck[at + 1..].iter();
    let mut line = vec![starter];
    let mut memory = case.rule.after(&line);
    scientist.start(starter);
    // A guess that was right once is right for good.
    let mut known: Option<String> = None;
    for turn in 1..=TURNS {
        let Statement { card, guess, commit } = scientist.state(&hand, turn, chance);
        if !hand.remove(card) {
            debug_assert!(false, "{card} is not in the hand");
            break;
        }
        stock.next().into_iter().for_each(|&card| _ = hand.add(card));
        let right = case.rule.right(&memory).has(card);
        if right {
            memory = case.rule.step(&memory, card);
            line.push(card);
        }
        scientist.told(card, right);
        let guess_right = guess.as_ref().is_some_and(|(rule, _)| {
            known.as_deref() == Some(&rule.to_string())
                || alike_from(&case.rule, rule, &memory, &rule.after(&line))
        });
        let (guess, probability) = guess.map(|(rule, p)| (rule.to_string(), p)).unzip();
        if guess_right {
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
        });
        if committed && guess_right {
            played.solved = Some(turn);
            break;
        }
        if committed {
            played.wrong_commitments += 1;
            scientist.refuted();
        }
        if hand.is_empty() {
            break;
        }
    }
    played
}
