//! Tests of the search for rules outside the grammar.

use super::super::productions::ChildFactors;
use super::super::proposals::judge_alike;
use super::super::transcript::Transcript;
use super::*;
use crate::{Expr, Op};

/// The interpreter of whole transcripts agrees with the compiled rule.
#[test]
fn the_transcript_interpreter_agrees_with_the_compiled_rule() {
    let tests = &Vocabulary::shared().tests;
    let mut chance = Seed::new(4).stream();
    let mut evaluated = 0;
    for round in 0..600 {
        let some = [0; 3].map(|_| chance.below(tests.len() as u32) as u16);
        let join = [Join::One, Join::If, Join::Or, Join::Xor][round % 4];
        let Ok(rule) = Combination::of(join, &some).rule() else { continue };
        let (mut transcript, mut memory, mut errors) =
            (Transcript::default(), Memory::default(), 0);
        for _ in 0..24 {
            let card = Card::from_index(chance.below(52) as u8);
            let right = chance.below(2) == 0;
            errors += usize::from(rule.right(&memory).has(card) != right);
            transcript.push(card, right);
            if right {
                memory = rule.step(&memory, card);
            }
        }
        if let Some(found) = transcript.errors(rule.expr()) {
            assert_eq!(found, errors, "{rule}");
            evaluated += 1;
        }
    }
    assert!(evaluated > 400, "{evaluated}");
}

/// A union has the probability of the tree that it stands for.
#[test]
fn a_union_has_the_probability_of_its_tree() {
    let grammar = grammar();
    let trees = grammar.tree_grammar();
    let mut subtrees = ChildFactors::default();
    let tests = Vocabulary::shared().tests.len() as u32;
    let mut chance = Seed::new(6).stream();
    for round in 0..600 {
        let some = [0; 3].map(|_| trees.subtree(chance.below(tests) as u16));
        let (op, count) = [(Op::And, 2), (Op::Or, 2), (Op::If, 3)][round % 3];
        let parts = &some[..count];
        let tree = Expr::new(op, parts.iter().map(|part| part.expr.clone()).collect::<Vec<_>>());
        let union = trees.union_prior(op, parts, &mut subtrees);
        assert_eq!(union, trees.probability(&tree), "{tree}");
    }
}

/// Returns a posterior that proposed rules after each random card; the secret rule is not in its
/// grammar.
fn searched(text: &str, cards: usize) -> (Posterior, Rule, Memory) {
    let secret: Rule = text.parse().unwrap();
    searched_by(&grammar().without_idea_of(&secret), secret, cards, 5)
}

fn searched_by(
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
        posterior.observe(card, right);
        posterior.propose_rules();
        if right {
            memory = secret.step(&memory, card);
        }
    }
    (posterior, secret, memory)
}

/// The search is random, so each rule is searched along several lines.
#[test]
fn rules_whose_ideas_were_left_out_are_found() {
    let texts = ["suit != last(3).suit", "suit != last(2).suit"];
    let mut found = 0;
    for text in texts {
        let secret: Rule = text.parse().unwrap();
        let grammar = grammar().without_idea_of(&secret);
        for seed in 5..9 {
            let (posterior, secret, memory) = searched_by(&grammar, secret.clone(), 40, seed);
            let Some(guess) = posterior.best_guess() else { continue };
            let after = guess.rule.after(&posterior.line);
            // The grammar may have an equivalent along a short line.
            if judge_alike(&secret, &memory, &guess.rule, &after) && guess.equivalents.is_empty() {
                found += 1;
                assert!(guess.belief > 0.0 && guess.belief <= 1.0, "{}", guess.belief);
                assert!(posterior.belief_in(&secret) >= 0.99 * guess.belief);
            }
        }
    }
    assert!(found >= 4, "{found} of 8");
}

#[test]
fn found_rules_depend_only_on_the_evidence() {
    let says = |posterior: &Posterior| {
        let found = posterior.search.found.iter();
        found.map(|one| (one.rule.to_string(), one.weight)).collect::<Vec<_>>()
    };
    let (mut first, ..) = searched("even != last.even", 24);
    let (second, ..) = searched("even != last.even", 24);
    assert!(!says(&first).is_empty());
    assert_eq!(says(&first), says(&second));
    // A second call with the same evidence finds nothing more.
    first.propose_rules();
    assert_eq!(says(&first), says(&second));
}

#[test]
fn a_refuted_rule_is_not_found_again() {
    let (mut posterior, secret, _) = searched("suit != last(2).suit", 40);
    let guess = posterior.best_guess().unwrap();
    posterior.refute(&guess);
    let is_gone = |posterior: &Posterior| {
        let after = guess.rule.after(&posterior.line);
        let mut found = posterior.search.found.iter();
        found.all(|one| !judge_alike(&guess.rule, &after, &one.rule, &one.memory))
    };
    assert!(is_gone(&posterior));
    let card = Card::from_index(0);
    posterior.observe(card, secret.right(&secret.after(&posterior.line)).has(card));
    posterior.propose_rules();
    assert!(is_gone(&posterior));
}

/// Compares all parts of the belief with an enumeration: rules, misspecification and found rules.
#[test]
fn a_posterior_with_found_rules_agrees_with_its_parts() {
    let mut chance = Seed::new(8).named("plain").stream();
    let grammar = small(&mut chance, 0.5);
    let secret: Rule = "suit != last.suit or rank > last.rank".parse().unwrap();
    let starter = secret.right(&Memory::default()).pick(&mut chance).unwrap();
    let mut posterior = Posterior::new(&grammar, starter);
    let mut plain = Enumeration::of(&grammar);
    plain.observe(starter, true);
    let mut most = 0;
    for _ in 0..30 {
        let card = Card::from_index(chance.below(52) as u8);
        let right = secret.right(&secret.after(&plain.line)).has(card);
        posterior.observe(card, right);
        plain.observe(card, right);
        posterior.propose_rules();
        let search = &posterior.search.found;
        most = most.max(search.len());
        let part = posterior.grammar.prior.misspecification;
        let grown: f64 = search.iter().map(|one| part * one.weight).sum();
        let total = 0.5 * plain.mass() + posterior.misspecified.mass() + grown;
        assert!((total - posterior.total()).abs() < 1e-12 * total);
        let mut chances = plain.sums().map(|chance| 0.5 * chance / total);
        posterior.misspecified.add_chances(&posterior.tests.verdicts, 1.0 / total, &mut chances);
        for one in search {
            let right = one.rule.right(&one.rule.after(&plain.line));
            right.for_each(|card| {
                chances[usize::from(card.index())] += part * one.weight / total;
            });
        }
        for (a, b) in chances.into_iter().zip(posterior.probabilities()) {
            assert!((a - b).abs() < 1e-9, "{a} {b}");
        }
        let shares = posterior.inside() / total + posterior.misspecification() + grown / total;
        assert!((shares - 1.0).abs() < 1e-9, "{shares}");
    }
    assert!(most > 0, "nothing was found");
}
