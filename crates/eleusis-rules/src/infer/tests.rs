//! Tests of the grammar and the posterior.

mod proposals;

use std::sync::Arc;

use super::*;
use crate::rule::{Rule, Verdicts, compare_from};
use crate::{Combination, Join, Memory, Vocabulary};
use parlour_base::cards::{Card, CardSet};
use parlour_base::chance::{Seed, Stream};

fn grammar() -> Arc<Grammar> {
    Grammar::shared()
}

#[test]
fn a_combination_judges_as_its_rule() {
    let count = Vocabulary::shared().tests.len() as u32;
    let mut chance = Seed::new(1).stream();
    for join in [Join::One, Join::And, Join::Or, Join::Xor, Join::If].repeat(200) {
        let tests = [0; 3].map(|_| chance.below(count) as u16);
        let combination = Combination::of(join, &tests);
        let Ok(rule) = combination.rule() else { continue };
        let line: Vec<Card> =
            (0..1 + chance.below(8)).map(|_| Card::from_index(chance.below(52) as u8)).collect();
        let after = |test: &Rule| test.verdicts(&test.after(&line));
        let verdicts: Vec<Verdicts> =
            Vocabulary::shared().tests.iter().map(|test| after(&test.rule)).collect();
        let expected = rule.right(&rule.after(&line));
        assert_eq!(CardSet(combination.right(&verdicts)), expected, "{rule} after {line:?}");
    }
}

/// A reference posterior: every rule of a small grammar with its mass.
struct Enumeration {
    rules: Vec<(Combination, Rule, f64)>,
    line: Vec<Card>,
}

/// Returns a grammar with few tests at each place and all sorts of verdicts on the empty line.
fn small(chance: &mut Stream, misspecification: f64) -> Arc<Grammar> {
    let all = Vocabulary::shared().tests.len() as u32;
    let mut kept: Vec<Vec<u16>> = [12, 12, 10, 9, 10]
        .map(|count| (0..8 * count).map(|_| chance.below(all) as u16).collect())
        .into();
    // A third of the tests are common.
    kept.extend(COMMON.map(|_| (0..all as u16).filter(|_| chance.below(3) == 0).collect()));
    let prior = Prior { misspecification, ..Prior::learned() };
    Arc::new(Grammar::of_tests(&prior, |test, place| kept[place].contains(&test)))
}

impl Enumeration {
    fn of(grammar: &Grammar) -> Enumeration {
        let with = |place: usize| -> Vec<u16> {
            let weights = grammar.weights[place].iter();
            let has = weights.enumerate().filter(|(_, weight)| **weight > 0.0);
            has.map(|(test, _)| test as u16).collect()
        };
        let [alone, main, other, conditions, sides] = [0, 1, 2, 3, 4].map(with);
        let common = COMMON.map(with);
        let mut all: Vec<Combination> =
            alone.iter().map(|a| Combination::of(Join::One, &[*a])).collect();
        for a in &main {
            for b in other.iter().filter(|b| *b != a) {
                all.extend([Join::And, Join::Or].map(|join| Combination::of(join, &[*a, *b])));
            }
        }
        for (c, a) in conditions.iter().flat_map(|c| sides.iter().map(move |a| (c, a))) {
            all.extend((c != a).then(|| Combination::of(Join::Xor, &[*c, *a])));
        }
        for [conditions, sides] in [[&conditions, &sides], [&common[0], &common[1]]] {
            for (c, a) in conditions.iter().flat_map(|c| sides.iter().map(move |a| (c, a))) {
                let others = sides.iter().filter(|b| *b != a);
                all.extend(others.map(|b| Combination::of(Join::If, &[*c, *a, *b])));
            }
        }
        all.sort();
        all.dedup();
        let rules =
            all.into_iter().filter_map(|one| Some((one, one.rule().ok()?, grammar.mass(one))));
        Enumeration { rules: rules.collect(), line: Vec::new() }
    }

    fn keep(&mut self, agrees: impl Fn(&Rule, &Memory) -> bool) {
        let line = self.line.clone();
        self.rules.retain(|(_, rule, _)| agrees(rule, &rule.after(&line)));
    }

    fn observe(&mut self, card: Card, right: bool) {
        self.keep(|rule, memory| rule.right(memory).has(card) == right);
        self.line.extend(right.then_some(card));
    }

    fn observe_wrong_string(&mut self, string: &[Card]) {
        self.keep(|rule, memory| rule.accepts(memory, string).is_none());
    }

    fn mass(&self) -> f64 {
        self.rules.iter().map(|(.., mass)| mass).sum()
    }

    fn sums(&self) -> [f64; 52] {
        let mut chances = [0.0; 52];
        for (_, rule, mass) in &self.rules {
            let right = rule.right(&rule.after(&self.line));
            right.for_each(|card| chances[usize::from(card.index())] += mass);
        }
        chances
    }
}

/// The products agree with an enumeration of the rules to 1e-12.
#[test]
fn products_agree_with_plain_enumeration() {
    for seed in 0..6 {
        let mut chance = Seed::new(seed).named("plain").stream();
        let grammar = small(&mut chance, 0.0);
        let mut plain = Enumeration::of(&grammar);
        assert!(plain.rules.len() > 3000, "{}", plain.rules.len());
        // The secret rule is in the grammar, so some rule survives.
        let secret = plain.rules[chance.below(plain.rules.len() as u32) as usize].1.clone();
        let Some(starter) = secret.right(&Memory::default()).pick(&mut chance) else { continue };
        let mut posterior = Posterior::new(&grammar, starter);
        plain.observe(starter, true);
        for turn in 0..14 {
            let (held, all) = (plain.mass(), posterior.surviving_mass());
            assert!((held - all).abs() <= 1e-12 * held.max(1e-3), "{seed} {turn}: {held} {all}");
            for (card, (a, b)) in
                plain.sums().into_iter().zip(posterior.probabilities()).enumerate()
            {
                assert!(
                    (a / held - b).abs() < 1e-12,
                    "{seed} {turn} card {card}: {} {b}",
                    a / held
                );
            }
            let mut heaviest = plain.rules.clone();
            heaviest.sort_by(|a, b| b.2.total_cmp(&a.2));
            let top = posterior.heaviest(5);
            for ((.., mass), (_, share)) in heaviest.iter().zip(&top) {
                assert!((mass / held - share).abs() < 1e-12, "{seed} {turn}");
            }
            let memory = secret.after(&plain.line);
            let string = [0; 3].map(|_| Card::from_index(chance.below(52) as u8));
            if turn % 3 == 1 && secret.accepts(&memory, &string).is_none() {
                posterior.observe_wrong_string(&string);
                plain.observe_wrong_string(&string);
            } else if turn % 5 == 4 {
                let hand = string.into_iter().collect::<CardSet>();
                let hand = CardSet(hand.0 & !secret.right(&memory).0);
                posterior.observe_claim(hand, None);
                hand.for_each(|card| plain.observe(card, false));
            } else {
                let card = string[0];
                let right = secret.right(&memory).has(card);
                posterior.observe(card, right);
                plain.observe(card, right);
            }
            if turn == 9 {
                // Some of the heaviest rules are excluded.
                let out: Vec<Combination> =
                    posterior.heaviest(3).into_iter().map(|(rule, _)| rule).collect();
                plain.rules.retain(|(rule, ..)| !out.contains(rule));
                posterior.exclude(out.into_iter());
            }
        }
    }
}

/// Learns a rule from random cards. Returns the number of cards until the belief exceeds 0.9.
fn learn(text: &str) -> Option<usize> {
    let secret: Rule = text.parse().unwrap();
    let mut chance = Seed::new(9).stream();
    let starter = secret.right(&Memory::default()).pick(&mut chance).unwrap();
    let mut posterior = Posterior::new(&grammar(), starter);
    let mut line = vec![starter];
    for cards in 1..=120 {
        let card = Card::from_index(chance.below(52) as u8);
        let memory = secret.after(&line);
        let right = secret.right(&memory).has(card);
        posterior.observe(card, right);
        if right {
            line.push(card);
        }
        let Some(RuleGuess { rule: guess, belief, .. }) =
            posterior.best_guess().filter(|_| cards % 5 == 0)
        else {
            continue;
        };
        if belief > 0.9 {
            let (a, b) = (secret.after(&line), guess.after(&line));
            assert!(compare_from(&secret, &guess, &a, &b).is_empty(), "{guess} is not {text}");
            return Some(cards);
        }
    }
    None
}

#[test]
fn rules_of_the_grammar_are_learned() {
    for text in [
        "color != last.color",
        "abs(rank - last.rank) <= 3",
        "suit == after(last.suit, S C D H)",
        "if last.odd then red else black",
    ] {
        assert!(learn(text).is_some(), "{text}");
    }
}

#[test]
fn a_rule_without_its_idea_has_no_equivalents() {
    let rule: Rule = "color != last.color".parse().unwrap();
    let known = grammar().equivalents(&rule).unwrap();
    assert!(known.mass > 1e-3 && known.combinations.len() > 3, "{known:?}");
    assert!(grammar().without_idea_of(&rule).equivalents(&rule).is_none());
}

#[test]
fn belief_moves_to_misspecification_when_no_rule_agrees() {
    let starter = Card::from_index(0);
    let mut posterior = Posterior::new(&grammar(), starter);
    let mut chance = Seed::new(3).stream();
    // No rule of the grammar agrees with random verdicts for long.
    for _ in 0..60 {
        let card = Card::from_index(chance.below(52) as u8);
        posterior.observe(card, chance.below(2) == 0);
    }
    assert!(posterior.misspecification() > 0.9, "{}", posterior.misspecification());
    assert!(posterior.probabilities().iter().all(|c| (0.0..=1.0).contains(c)));
}

/// `cargo test --profile quick -p parlour-eleusis-rules infer -- --ignored --nocapture`
#[test]
#[ignore = "prints times; run an optimised build on a quiet machine"]
fn speed() {
    let start = std::time::Instant::now();
    let grammar = grammar();
    println!("{} tests: {:?}", Vocabulary::shared().tests.len(), start.elapsed());
    let secret: Rule = "if last.face then red else rank >= last.rank".parse().unwrap();
    let mut chance = Seed::new(9).stream();
    let starter = secret.right(&Memory::default()).pick(&mut chance).unwrap();
    let mut posterior = Posterior::new(&grammar, starter);
    let mut memory = secret.after(&[starter]);
    for _ in 0..20 {
        let card = Card::from_index(chance.below(52) as u8);
        let right = secret.right(&memory).has(card);
        let start = std::time::Instant::now();
        posterior.observe(card, right);
        let judged = start.elapsed();
        let products = posterior.products();
        let (products, lists) = (products.products.len(), products.lists.len());
        let made = start.elapsed();
        std::hint::black_box(posterior.probabilities());
        let chances = start.elapsed();
        std::hint::black_box(posterior.best_guess());
        println!(
            "{right}: observed {judged:?}, {products} products of {lists} lists {:?}, chances {:?}, stated {:?}",
            made - judged,
            chances - made,
            start.elapsed() - chances
        );
        if right {
            memory = secret.step(&memory, card);
        }
    }
}
