//! Measures a rule learner that knows the rule corpus by heart:
//! `cargo run --release -p parlour-lab -- eleusis-by-heart`.
//!
//! The player considers exactly the rules of the corpus, all equally likely, and chooses cards and
//! commitments like `bayes`. Its score bounds what a prior can achieve on the corpus. With `--words` it
//! also knows the 200 rules in words. Among indistinguishable rules it states the first.

use clap::Args;
use parlour::cards::{Card, CardSet};
use parlour::chance::{Seed, Stream};
use parlour::game::BotFailure;
use parlour::games::eleusis::rule::{Memory, Rule};
use parlour::games::eleusis::science::{
    Case, CaseResult, CaseView, Guess, RuleLearner, Statement, Verdict, corpus_cases, means,
    plain_text_cases, play_case,
};
use parlour::games::eleusis::{CardMultiset, Split, plain_text_rules, playable_rules};
use rayon::prelude::*;

const SEED: u64 = 1;

/// Turns that a wrong commitment costs.
const COST: f64 = 2.0;

#[derive(Args)]
pub struct ByHeart {
    /// Decks for each rule
    #[arg(long, default_value_t = 1)]
    decks: u64,
    /// Also know and play the 200 rules in words
    #[arg(long)]
    words: bool,
}

impl ByHeart {
    pub fn run(&self) -> anyhow::Result<()> {
        let words =
            || plain_text_cases(plain_text_rules(), 1, SEED).into_iter().map(|case| case.rule);
        let mut rules: Vec<Rule> =
            playable_rules(Split::All).map(|entry| entry.rule.clone()).collect();
        rules.extend(self.words.then(words).into_iter().flatten());
        println!("{} rules known, all equally likely", rules.len());
        let print = |name: &str, cases: Vec<Case>| {
            let played: Vec<CaseResult> = cases.par_iter().map(|case| play(case, &rules)).collect();
            let means = means(played.iter());
            println!(
                "{name}: {} cases, {:.1} % solved, mean score {:.2}, {:.2} wrong commitments per case",
                means.cases,
                100.0 * means.solved,
                means.score,
                means.wrong_commitments
            );
        };
        print("training half", corpus_cases(Split::Training, self.decks, SEED));
        print("test half", corpus_cases(Split::Test, self.decks, SEED));
        if self.words {
            print("rules in words", plain_text_cases(plain_text_rules(), self.decks, SEED));
        }
        Ok(())
    }
}

fn play(case: &Case, rules: &[Rule]) -> CaseResult {
    let known = rules.iter().map(|rule| Known::of(rule, Memory::default())).collect();
    let mut player = Player { known, committed: false };
    play_case(case, &mut player, &mut Seed::new(SEED).stream())
}

/// A rule that agrees so far, with its memory and its current verdicts.
#[derive(Clone, Copy)]
struct Known<'a> {
    rule: &'a Rule,
    memory: Memory,
    right: CardSet,
}

impl<'a> Known<'a> {
    fn of(rule: &'a Rule, memory: Memory) -> Known<'a> {
        Known { rule, memory, right: rule.right(&memory) }
    }

    fn step(self, card: Card) -> Known<'a> {
        Known::of(self.rule, self.rule.step(&self.memory, card))
    }
}

/// Share of the rules under which the card is right.
fn chance(known: &[Known], card: Card) -> f64 {
    let right = known.iter().filter(|one| one.right.has(card)).count();
    right as f64 / known.len().max(1) as f64
}

/// Information of the verdict on a card, as its variance.
fn telling(known: &[Known], card: Card) -> f64 {
    let chance = chance(known, card);
    4.0 * chance * (1.0 - chance)
}

struct Player<'a> {
    known: Vec<Known<'a>>,
    /// `true` if the player committed to a rule in the last turn.
    committed: bool,
}

impl Player<'_> {
    /// Information of a card, including the best next card after either verdict.
    fn worth(&self, hand: &CardMultiset, card: Card) -> f64 {
        let mut rest = *hand;
        rest.remove(card);
        let after = |right: bool| {
            let agree = self.known.iter().filter(|one| one.right.has(card) == right).copied();
            let left: Vec<Known> = match right {
                true => agree.map(|one| one.step(card)).collect(),
                false => agree.collect(),
            };
            let share = left.len() as f64 / self.known.len() as f64;
            share * rest.distinct().map(|next| telling(&left, next)).fold(0.0, f64::max)
        };
        telling(&self.known, card) + after(true) + after(false)
    }
}

impl RuleLearner for Player<'_> {
    fn state(&mut self, view: &CaseView, _: &mut Stream) -> Result<Statement, BotFailure> {
        match view.verdicts.last() {
            Some(&Verdict { card, right }) => self.observe(card, right),
            None => self.observe(view.mainline[0], true),
        }
        if self.committed && !self.known.is_empty() {
            self.known.remove(0);
        }
        let worth = view.hand.distinct().map(|card| (self.worth(&view.hand, card), card));
        let best = worth.reduce(|best, next| if next.0 > best.0 { next } else { best });
        let card = best.map_or(Card::from_index(0), |(_, card)| card);
        let Some(first) = self.known.first() else {
            self.committed = false;
            return Ok(Statement::of(card));
        };
        let belief = 1.0 / self.known.len() as f64;
        // A wrong rule would be refuted by the verdict.
        let says = first.right.has(card);
        let others = self.known.iter().filter(|one| one.right.has(card) != says).count();
        let refuting = others as f64 * belief / (1.0 - belief).max(1e-9);
        self.committed = belief > COST * refuting / (1.0 + COST * refuting);
        let guess = Some((Guess::Rule(first.rule.clone()), belief));
        Ok(Statement { guess, commit: self.committed, ..Statement::of(card) })
    }
}

impl Player<'_> {
    fn observe(&mut self, card: Card, right: bool) {
        self.known.retain(|one| one.right.has(card) == right);
        if right {
            self.known.iter_mut().for_each(|one| *one = one.step(card));
        }
    }
}
