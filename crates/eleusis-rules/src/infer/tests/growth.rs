//! Tests of rules that are grown.

use super::super::growth::alike;
use super::super::heads::Spot;
use super::super::joined::{Joined, Parts};
use super::super::scene::Scene;
use super::*;
use crate::{Expr, Op};

/// What is worked out for a whole line at once is what the compiled rule says card by card.
#[test]
fn a_tree_worked_out_at_once_judges_as_its_rule_does() {
    let tests = &Vocabulary::shared().tests;
    let mut chance = Seed::new(4).stream();
    let mut worked_out = 0;
    for round in 0..600 {
        let some = [0; 3].map(|_| chance.below(tests.len() as u32) as u16);
        let join = [Join::One, Join::If, Join::Or, Join::Xor][round % 4];
        let Ok(rule) = Combination::of(join, &some).rule() else { continue };
        let (mut scene, mut memory, mut errors) = (Scene::default(), Memory::default(), 0);
        for _ in 0..24 {
            let card = Card::from_index(chance.below(52) as u8);
            let right = chance.below(2) == 0;
            errors += usize::from(rule.right(&memory).has(card) != right);
            scene.judged(card, right);
            if right {
                memory = rule.step(&memory, card);
            }
        }
        if let Some(found) = scene.errors(rule.expr()) {
            assert_eq!(found, errors, "{rule}");
            worked_out += 1;
        }
    }
    assert!(worked_out > 400, "{worked_out}");
}

/// A tree that is weighed before it is made weighs what it does when it is made.
#[test]
fn a_joined_tree_is_as_likely_as_the_tree_itself() {
    let derivations = grammar().derivations();
    let mut parts = Parts::default();
    let mut joined = Joined::of(&derivations, &mut parts);
    let tests = Vocabulary::shared().tests.len() as u32;
    let mut chance = Seed::new(6).stream();
    for round in 0..600 {
        let some = [0; 3].map(|_| derivations.known(chance.below(tests) as u16));
        let (op, count) = [(Op::And, 2), (Op::Or, 2), (Op::If, 3)][round % 3];
        let parts = &some[..count];
        let tree = Expr::Op(op, parts.iter().map(|part| part.expr.clone()).collect());
        assert_eq!(joined.chance(op, parts), derivations.chance(&tree, Spot::TOP), "{tree}");
    }
}

/// A posterior that grows as it hears of random cards; the rule is not in its grammar.
fn grown(text: &str, cards: usize) -> (Posterior, Rule, Memory) {
    let secret: Rule = text.parse().unwrap();
    grown_by(&grammar().without_idea_of(&secret), secret, cards, 5)
}

fn grown_by(
    grammar: &Arc<Grammar>,
    secret: Rule,
    cards: usize,
    seed: u64,
) -> (Posterior, Rule, Memory) {
    let mut chance = Seed::new(seed).stream();
    let starter = secret.right(&Memory::default()).pick(&mut chance).unwrap();
    let mut posterior = Posterior::new(grammar, starter);
    let mut memory = secret.after(&[starter]);
    for _ in 0..cards {
        let card = Card::from_index(chance.below(52) as u8);
        let right = secret.right(&memory).has(card);
        posterior.judged(card, right);
        posterior.grow();
        if right {
            memory = secret.step(&memory, card);
        }
    }
    (posterior, secret, memory)
}

/// Growth goes by chance, so each rule is looked for along several lines.
#[test]
fn rules_whose_ideas_were_left_out_are_found() {
    let texts = ["suit != last(3).suit", "suit != last(2).suit"];
    let mut found = 0;
    for text in texts {
        let secret: Rule = text.parse().unwrap();
        let grammar = grammar().without_idea_of(&secret);
        for seed in 5..9 {
            let (posterior, secret, memory) = grown_by(&grammar, secret.clone(), 40, seed);
            let Some(stated) = posterior.stated() else { continue };
            let after = stated.rule.after(&posterior.line);
            // The grammar may have a name for what judges so along a short line.
            if alike(&secret, &memory, &stated.rule, &after) && stated.alike.is_empty() {
                found += 1;
                assert!(stated.belief > 0.0 && stated.belief <= 1.0, "{}", stated.belief);
                assert!(posterior.mass_of(&secret) >= 0.99 * stated.belief);
            }
        }
    }
    assert!(found >= 4, "{found} of 8");
}

#[test]
fn what_grows_is_a_function_of_the_evidence() {
    let says = |posterior: &Posterior| {
        let grown = posterior.growth.grown.iter();
        grown.map(|one| (one.rule.to_string(), one.weight)).collect::<Vec<_>>()
    };
    let (mut first, ..) = grown("even != last.even", 24);
    let (second, ..) = grown("even != last.even", 24);
    assert!(!says(&first).is_empty());
    assert_eq!(says(&first), says(&second));
    // Asked twice of the same evidence it finds nothing more.
    first.grow();
    assert_eq!(says(&first), says(&second));
}

#[test]
fn a_grown_rule_that_is_refuted_goes_for_good() {
    let (mut posterior, secret, _) = grown("suit != last(2).suit", 40);
    let stated = posterior.stated().unwrap();
    posterior.refuted(&stated);
    let is_gone = |posterior: &Posterior| {
        let after = stated.rule.after(&posterior.line);
        let mut grown = posterior.growth.grown.iter();
        grown.all(|one| !alike(&stated.rule, &after, &one.rule, &one.memory))
    };
    assert!(is_gone(&posterior));
    let card = Card::from_index(0);
    posterior.judged(card, secret.right(&secret.after(&posterior.line)).has(card));
    posterior.grow();
    assert!(is_gone(&posterior));
}

/// With a small grammar every part can be gone through: its rules, *none of these*, the grown rules.
#[test]
fn a_posterior_with_growth_agrees_with_its_parts() {
    let mut chance = Seed::new(8).named("plain").stream();
    let grammar = Arc::new(small(&mut chance).with_outside(0.5));
    let secret: Rule = "suit != last.suit or rank > last.rank".parse().unwrap();
    let starter = secret.right(&Memory::default()).pick(&mut chance).unwrap();
    let mut posterior = Posterior::new(&grammar, starter);
    let mut plain = Plain::of(&grammar);
    plain.judged(starter, true);
    let mut most = 0;
    for _ in 0..30 {
        let card = Card::from_index(chance.below(52) as u8);
        let right = secret.right(&secret.after(&plain.line)).has(card);
        posterior.judged(card, right);
        plain.judged(card, right);
        posterior.grow();
        let growth = &posterior.growth.grown;
        most = most.max(growth.len());
        let part = posterior.per_weight();
        let grown: f64 = growth.iter().map(|one| part * one.weight).sum();
        let total = 0.5 * plain.held() + posterior.misspecified.mass() + grown;
        assert!((total - posterior.total()).abs() < 1e-12 * total);
        let mut chances = plain.chances().map(|chance| 0.5 * chance / total);
        posterior.misspecified.add_chances(&posterior.tests.says, 1.0 / total, &mut chances);
        for one in growth {
            let right = one.rule.right(&one.rule.after(&plain.line));
            right.for_each(|card| {
                chances[usize::from(card.index())] += part * one.weight / total;
            });
        }
        for (a, b) in chances.into_iter().zip(posterior.chances()) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
        let shares = posterior.inside() / total + posterior.misspecification() + grown / total;
        assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    }
    assert!(most > 0, "nothing was grown");
}
