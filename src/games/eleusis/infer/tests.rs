//! Tests of the grammar and the posterior.

use std::sync::Arc;

use super::*;
use crate::cards::{Card, CardSet};
use crate::chance::Seed;
use crate::games::eleusis::Vocabulary;
use crate::games::eleusis::rule::{Rule, Verdicts, compare_from};

fn grammar() -> Arc<Grammar> {
    Grammar::shared()
}

#[test]
fn the_grammar_has_hundreds_of_thousands_of_rules() {
    let grammar = grammar();
    let combined = Vocabulary::shared().combinations.len();
    let joined = grammar.hypotheses.len();
    assert!(combined > 250_000 && joined > 200_000, "{combined} combined, {joined} different");
    assert!((grammar.priors.iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!(grammar.digest().len(), 64);
}

#[test]
fn a_combination_judges_as_its_rule_does() {
    let grammar = grammar();
    let mut chance = Seed::new(1).stream();
    for _ in 0..2000 {
        let hypothesis = grammar.hypotheses[chance.below(grammar.hypotheses.len() as u32) as usize];
        let rule = hypothesis.rule().unwrap();
        let line: Vec<Card> =
            (0..1 + chance.below(8)).map(|_| Card::from_index(chance.below(52) as u8)).collect();
        let after = |test: &Rule| test.verdicts(&test.after(&line));
        let verdicts: Vec<Verdicts> =
            Vocabulary::shared().tests.iter().map(|test| after(&test.rule)).collect();
        let expected = rule.right(&rule.after(&line));
        assert_eq!(CardSet(hypothesis.right(&verdicts)), expected, "{rule} after {line:?}");
    }
}

/// Learns a rule from random cards; the number of cards until it is sure, or none.
fn learn(text: &str) -> Option<usize> {
    let secret: Rule = text.parse().unwrap();
    let mut chance = Seed::new(9).stream();
    let starter = Card::from_index(chance.below(52) as u8);
    let mut posterior = Posterior::new(&grammar(), starter);
    let mut line = vec![starter];
    for cards in 1..=120 {
        let card = Card::from_index(chance.below(52) as u8);
        let memory = secret.after(&line);
        let right = secret.right(&memory).has(card);
        posterior.judged(card, right);
        if right {
            line.push(card);
        }
        let Some(Stated { rule: stated, belief, .. }) =
            posterior.stated().filter(|_| cards % 5 == 0)
        else {
            continue;
        };
        if belief > 0.9 {
            let (a, b) = (secret.after(&line), stated.after(&line));
            assert!(
                compare_from(&secret, &stated, &a, &b).found_nothing(),
                "{stated} is not {text}"
            );
            return Some(cards);
        }
    }
    None
}

#[test]
fn rules_of_the_grammar_are_learnt() {
    for text in [
        "color != last.color",
        "abs(rank - last.rank) <= 3",
        "suit == after(last.suit, S C D H)",
        "if last.odd then red else black",
        "phase: 2 red, 2 black",
    ] {
        assert!(learn(text).is_some(), "{text}");
    }
}

#[test]
fn belief_moves_to_none_of_these_when_no_rule_agrees() {
    let starter = Card::from_index(0);
    let mut posterior = Posterior::new(&grammar(), starter);
    let mut chance = Seed::new(3).stream();
    // Verdicts at random: no rule of the grammar agrees for long.
    for _ in 0..60 {
        let card = Card::from_index(chance.below(52) as u8);
        posterior.judged(card, chance.below(2) == 0);
    }
    assert!(posterior.misspecification() > 0.9, "{}", posterior.misspecification());
    assert!(posterior.chances().iter().all(|c| (0.0..=1.0).contains(c)));
}

#[test]
fn a_wrong_string_needs_one_wrong_card() {
    let starter: Card = "5H".parse().unwrap();
    let string: Vec<Card> = ["7H", "9D"].iter().map(|c| c.parse().unwrap()).collect();
    let mut posterior = Posterior::new(&grammar(), starter);
    let before = posterior.live.len();
    posterior.wrong_string(&string);
    assert!(posterior.live.len() < before);
    let grammar = grammar();
    for hypothesis in posterior.live.iter().step_by(997) {
        let rule = hypothesis.rule().unwrap();
        let first = rule.after(&[starter]);
        let second = rule.step(&first, string[0]);
        let both = rule.right(&first).has(string[0]) && rule.right(&second).has(string[1]);
        assert!(!both, "{rule}");
    }
    // The line itself has not moved on.
    let fresh = Posterior::new(&grammar, starter);
    assert_eq!(posterior.tests.says, fresh.tests.says);
}

/// `cargo test --profile quick --lib eleusis::infer -- --ignored --nocapture`
#[test]
#[ignore = "prints times; they mean something in an optimised build on a quiet machine"]
fn speed() {
    let start = std::time::Instant::now();
    let grammar = grammar();
    println!(
        "grammar: {} tests, {} combined, {} different, {:?}",
        Vocabulary::shared().tests.len(),
        Vocabulary::shared().combinations.len(),
        grammar.hypotheses.len(),
        start.elapsed()
    );
    let fresh = Posterior::new(&grammar, Card::from_index(5));
    for right in [false, true] {
        let mut best = std::time::Duration::MAX;
        for _ in 0..20 {
            let mut posterior = fresh.clone();
            let start = std::time::Instant::now();
            posterior.judged(Card::from_index(20), right);
            best = best.min(start.elapsed());
        }
        println!("one update (right: {right}) over {} rules: {best:?}", fresh.live.len());
    }
    let start = std::time::Instant::now();
    std::hint::black_box(fresh.chances());
    println!("chances of 52 cards: {:?}", start.elapsed());
}
