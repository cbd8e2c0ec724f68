//! Making the grammar: the classes of combinations that judge alike, their families, and a prior
//! learnt from rules that people have used. Rules are told apart by what they do in fixed situations.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;

use super::grammar::likeliest;
use super::prior::{KINDS, Member, Pairing};
use super::{Grammar, Prior};
use crate::cards::{Card, CardSet};
use crate::chance::Seed;
use crate::games::eleusis::{Combination, Join, Role, Rule, Test, Verdicts, Vocabulary};

impl Grammar {
    /// The full grammar, with the prior learnt from the training half of the rule bank; made when
    /// it is first asked for.
    pub fn shared() -> Arc<Grammar> {
        static GRAMMAR: LazyLock<Arc<Grammar>> =
            LazyLock::new(|| Arc::new(Grammar::new(&Classes::default(), &Prior::learnt())));
        GRAMMAR.clone()
    }

    /// The rules of one test only, made when they are first asked for.
    pub fn simple() -> Arc<Grammar> {
        static SIMPLE: LazyLock<Arc<Grammar>> = LazyLock::new(|| {
            let all = Grammar::shared();
            Arc::new(all.keeping(|index| all.hypotheses[index].join == Join::One))
        });
        SIMPLE.clone()
    }

    /// The grammar with this prior.
    pub fn new(classes: &Classes, prior: &Prior) -> Grammar {
        let priors = prior.of_classes(&classes.members, classes.hypotheses.len());
        Grammar {
            families: classes.families.clone(),
            likely: likeliest(&priors),
            priors,
            hypotheses: classes.hypotheses.clone(),
            signatures: classes.signatures.clone(),
            outside: prior.outside,
        }
    }
}

/// The combinations of the vocabulary, joined to classes of those that judge alike.
pub struct Classes {
    /// The shortest combination of each class.
    hypotheses: Vec<Combination>,
    families: Vec<u32>,
    signatures: Vec<u128>,
    /// All combinations with their classes.
    pub members: Vec<Member>,
}

impl Default for Classes {
    /// Rules that judge alike in 128 fixed situations are one hypothesis, under the shortest text,
    /// with the priors of all. Combinations that are right too often or too rarely there, or often
    /// leave nothing right, are left out.
    fn default() -> Classes {
        let vocabulary = Vocabulary::shared();
        let rules: Vec<Rule> = vocabulary.tests.iter().map(|test| test.rule.clone()).collect();
        let templates: Vec<String> = vocabulary.tests.iter().map(Test::template).collect();
        let size = |rule: Combination| {
            let size = |&test: &u16| 1 + rules[usize::from(test)].expr().size();
            rule.tests().iter().map(size).sum::<usize>()
        };
        let situations = on_situations(&rules);
        let pairings = pairings(&templates, &situations);
        let all = &vocabulary.combinations;
        let mut known: FxHashMap<u128, u32> = FxHashMap::default();
        let (mut hypotheses, mut kept) = (Vec::new(), Vec::new());
        let mut members: Vec<Member> = Vec::new();
        let behaviour = signatures(all, &situations).into_iter().zip(dead_ends(all, &rules));
        for (&rule, (signature, is_stuck)) in all.iter().zip(behaviour) {
            let Some(signature) = signature.filter(|_| !is_stuck) else { continue };
            let next = hypotheses.len() as u32;
            let class = *known.entry(signature).or_insert(next);
            if class == next {
                hypotheses.push(rule);
                kept.push(signature);
            } else if size(rule) < size(hypotheses[class as usize]) {
                hypotheses[class as usize] = rule;
            }
            let pairing = match rule.tests() {
                [.., a, b] => pairings[&[*a, *b]],
                _ => 0,
            };
            members.push((class, rule, pairing));
        }
        let families = families(&hypotheses, &templates);
        Classes { hypotheses, families, signatures: kept, members }
    }
}

/// The family of each rule: of those with a condition, the rules whose conditions have one template.
fn families(rules: &[Combination], templates: &[String]) -> Vec<u32> {
    let mut names: Vec<&String> = templates.iter().collect();
    names.sort();
    names.dedup();
    let count = names.len() as u32;
    let of =
        |test: u16| names.binary_search(&&templates[usize::from(test)]).unwrap_or_default() as u32;
    let family = |rule: &Combination| match rule.join {
        Join::One => of(rule.tests[0]),
        Join::If => count * KINDS as u32 + of(rule.tests[0]),
        join => count + join as u32,
    };
    rules.iter().map(family).collect()
}

/// How each two of the simple tests go together.
fn pairings(templates: &[String], situations: &[Vec<Verdicts>]) -> FxHashMap<[u16; 2], Pairing> {
    let subject = |(at, test): (u16, &Test)| {
        let text = test.rule.to_string();
        (at, text.strip_prefix("not ").unwrap_or(&text).split(' ').next().map(str::to_owned))
    };
    let tests = (0..).zip(&Vocabulary::shared().tests);
    let simple = tests.filter(|(_, test)| test.role == Role::Simple).map(subject);
    let simple: Vec<(u16, Option<String>)> = simple.collect();
    let mut all = FxHashMap::default();
    for (first, subject) in &simple {
        for (second, other) in &simple {
            let (mut both, mut either, mut contrary) = (0, 0, true);
            let [a, b] = [*first, *second].map(usize::from);
            for situation in situations {
                let (a, b) = (situation[a], situation[b]);
                if a.yes != a.right || b.yes != b.right {
                    continue;
                }
                both += (a.yes & b.yes).count_ones();
                either += (a.yes | b.yes).count_ones();
                contrary &= a.yes ^ b.yes == CardSet::FULL.0;
            }
            let apart = f64::from(both) < 0.15 * f64::from(either);
            let ways = [contrary, apart, templates[a] == templates[b], subject == other];
            let bits = ways.into_iter().enumerate();
            let bits = bits.fold(0, |bits, (at, is_so)| bits | Pairing::from(is_so) << at);
            all.insert([*first, *second], bits);
        }
    }
    all
}

impl Test {
    /// Its text with numbers, colours, suits, properties and letters blanked: rules with the same
    /// template are of one family. Parts of a phase count once.
    pub fn template(&self) -> String {
        template(self.text)
    }
}

fn template(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() {
            word.push(c);
            continue;
        }
        if !word.is_empty() {
            out += blanked(&word);
            word.clear();
        }
        out.push(c);
    }
    for (long, short) in [
        ("@ @", "@"),
        (", #, #", ", #"),
        (", c, c", ", c"),
        (", s, s", ", s"),
        (", # c, # c", ", # c"),
        (", # s, # s", ", # s"),
        (", # p, # p", ", # p"),
    ] {
        while out.contains(long) {
            out = out.replace(long, short);
        }
    }
    out.trim_end().to_owned()
}

fn blanked(word: &str) -> &str {
    match word {
        "red" | "black" => "c",
        "spade" | "heart" | "diamond" | "club" => "s",
        "even" | "odd" | "face" | "prime" | "composite" | "loop" | "low" | "high" => "p",
        w if w.bytes().all(|b| b.is_ascii_digit()) => "#",
        w if w.bytes().all(|b| b.is_ascii_uppercase()) => "@",
        w => w,
    }
}

/// Situations on which rules are told apart.
const SITUATIONS: u64 = 128;

/// How many lines of two cards are looked at for dead ends, beside all of one.
const PAIRS: u64 = 96;

fn after(rules: &[Rule], line: &[Card]) -> Vec<Verdicts> {
    rules.iter().map(|rule| rule.verdicts(&rule.after(line))).collect()
}

/// What each rule says in each situation: after lines of 1 to 12 random cards, half of them with
/// few suits or ranks.
pub(super) fn on_situations(rules: &[Rule]) -> Vec<Vec<Verdicts>> {
    let line = |index: u64| -> Vec<Card> {
        let mut chance = Seed::new(index).named("situations").stream();
        let few = index % 2 == 1;
        let length = 1 + chance.below(12);
        let draw = |_| {
            let (rank, suit) = (chance.below(13), chance.below(4));
            let keep = few && chance.below(3) > 0;
            let (rank, suit) = if keep { (rank % 3 * 5, suit % 2) } else { (rank, suit) };
            Card::from_index((4 * rank + suit) as u8)
        };
        (0..length).map(draw).collect()
    };
    (0..SITUATIONS).map(|index| after(rules, &line(index))).collect()
}

/// A number for what each rule does in all situations; none if it is right too often or too rarely
/// there, or often leaves nothing right.
pub(super) fn signatures(rules: &[Combination], situations: &[Vec<Verdicts>]) -> Vec<Option<u128>> {
    let mut all = vec![(0u128, 0u32, 0usize); rules.len()];
    // Situation by situation: what the tests say in one fits the nearest cache.
    for tests in situations {
        for (rule, (hash, cards, stuck)) in rules.iter().zip(&mut all) {
            let right = rule.right(tests);
            // The lines are random: some could not have come about under the rule.
            *stuck += usize::from(right == 0);
            *cards += right.count_ones();
            // Multiplication by an odd constant and a turn (as in FxHash, on twice the width).
            *hash = (hash.rotate_left(23) ^ u128::from(right))
                .wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645);
        }
    }
    let playable = |(hash, cards, stuck): (u128, u32, usize)| {
        let share = f64::from(cards) / (52.0 * situations.len() as f64);
        ((0.04..0.95).contains(&share) && stuck <= situations.len() / 4).then_some(hash)
    };
    all.into_iter().map(playable).collect()
}

/// The number of a rule that is not made of tests; none if it cannot be played.
pub(super) fn rule_signature(rule: &Rule) -> Option<u128> {
    signatures(&[Combination::of(Join::One, &[0])], &on_situations(std::slice::from_ref(rule)))[0]
}

/// Which of these rules leave no card right after a line of one or two cards that are right under
/// them, as far as looked at: they cannot be anybody's secret.
pub(super) fn dead_ends(rules: &[Combination], tests: &[Rule]) -> Vec<bool> {
    let pairs = (0..PAIRS).map(|pair| {
        let mut chance = Seed::new(pair).named("pairs").stream();
        let draw = |_| Card::from_index(chance.below(52) as u8);
        (0..2).map(draw).collect()
    });
    let lines: Vec<Vec<Card>> = Card::all().map(|card| vec![card]).chain(pairs).collect();
    let mut stuck = vec![false; rules.len()];
    for line in &lines {
        // What is said before each card, and after the last one.
        let said = |cards| after(tests, &line[..cards]);
        let said: Vec<Vec<Verdicts>> = (0..=line.len()).map(said).collect();
        for (rule, stuck) in rules.iter().zip(&mut stuck) {
            let mut cards = line.iter().zip(&said);
            *stuck |= rule.right(&said[line.len()]) == 0
                && cards.all(|(card, before)| rule.right(before) >> card.index() & 1 == 1);
        }
    }
    stuck
}
