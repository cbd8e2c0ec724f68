//! Tests of the grammar and the learner.

use std::sync::Arc;

use super::*;
use crate::cards::{Card, CardSet};
use crate::chance::Seed;
use crate::games::eleusis::rule::{Rule, compare_from};

fn grammar() -> Arc<Grammar> {
    Grammar::shared()
}

#[test]
fn the_grammar_has_hundreds_of_thousands_of_rules() {
    let grammar = grammar();
    let (combined, joined) = (grammar.combined(), grammar.combos().len());
    assert!(combined > 250_000 && joined > 200_000, "{combined} combined, {joined} different");
    assert!((grammar.priors().iter().sum::<f64>() - 1.0).abs() < 1e-9);
    assert_eq!(grammar.digest().len(), 64);
}

#[test]
fn a_combination_judges_as_its_rule_does() {
    let grammar = grammar();
    let mut chance = Seed::new(1).stream();
    for _ in 0..2000 {
        let combo = grammar.combos()[chance.below(grammar.combos().len() as u32) as usize];
        let rule = grammar.rule(combo).unwrap();
        let line: Vec<Card> =
            (0..1 + chance.below(8)).map(|_| Card::from_index(chance.below(52) as u8)).collect();
        let masks: Vec<Masks> =
            grammar.atoms().iter().map(|atom| Masks::of(atom, &atom.after(&line))).collect();
        let expected = rule.verdicts(&rule.after(&line));
        assert_eq!(CardSet(combo.right(&masks)), expected, "{rule} after {line:?}");
    }
}

/// Learns a rule from random cards; the number of cards until it is sure, or none.
fn learn(text: &str) -> Option<usize> {
    let secret: Rule = text.parse().unwrap();
    let mut chance = Seed::new(9).stream();
    let starter = Card::from_index(chance.below(52) as u8);
    let mut learner = Learner::new(grammar(), starter);
    let mut line = vec![starter];
    for cards in 1..=120 {
        let card = Card::from_index(chance.below(52) as u8);
        let memory = secret.after(&line);
        let right = secret.verdicts(&memory).has(card);
        learner.judged(card, right);
        if right {
            line.push(card);
        }
        let Some(Stated { rule: stated, belief, .. }) = learner.stated().filter(|_| cards % 5 == 0)
        else {
            continue;
        };
        if belief > 0.9 {
            let (a, b) = (secret.after(&line), stated.after(&line));
            assert!(compare_from(&secret, &stated, &a, &b).alike(), "{stated} is not {text}");
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
    let mut learner = Learner::new(grammar(), starter);
    let mut chance = Seed::new(3).stream();
    // Verdicts at random: no rule of the grammar agrees for long.
    for _ in 0..60 {
        let card = Card::from_index(chance.below(52) as u8);
        learner.judged(card, chance.below(2) == 0);
    }
    assert!(learner.none_share() > 0.9, "{}", learner.none_share());
    assert!(learner.chances().iter().all(|c| (0.0..=1.0).contains(c)));
}

#[test]
fn a_wrong_string_needs_one_wrong_card() {
    let starter: Card = "5H".parse().unwrap();
    let string: Vec<Card> = ["7H", "9D"].iter().map(|c| c.parse().unwrap()).collect();
    let mut learner = Learner::new(grammar(), starter);
    let before = learner.live();
    learner.wrong_string(&string);
    assert!(learner.live() < before);
    let grammar = grammar();
    for combo in learner.live.iter().step_by(997) {
        let rule = grammar.rule(*combo).unwrap();
        let first = rule.after(&[starter]);
        let second = rule.step(&first, string[0]);
        let both = rule.verdicts(&first).has(string[0]) && rule.verdicts(&second).has(string[1]);
        assert!(!both, "{rule}");
    }
    // The line itself has not moved on.
    let fresh = Learner::new(grammar, starter);
    assert_eq!(learner.masks, fresh.masks);
}

/// `cargo test --profile quick --lib eleusis::infer -- --ignored --nocapture`
#[test]
#[ignore = "prints times; they mean something in an optimised build on a quiet machine"]
fn speed() {
    let start = std::time::Instant::now();
    let grammar = grammar();
    println!(
        "grammar: {} atoms, {} combined, {} different, {:?}",
        grammar.atoms().len(),
        grammar.combined(),
        grammar.combos().len(),
        start.elapsed()
    );
    let fresh = Learner::new(grammar, Card::from_index(5));
    for right in [false, true] {
        let mut best = std::time::Duration::MAX;
        for _ in 0..20 {
            let mut learner = fresh.clone();
            let start = std::time::Instant::now();
            learner.judged(Card::from_index(20), right);
            best = best.min(start.elapsed());
        }
        println!("one update (right: {right}) over {} rules: {best:?}", fresh.live());
    }
    let start = std::time::Instant::now();
    std::hint::black_box(fresh.chances());
    println!("chances of 52 cards: {:?}", start.elapsed());
}
