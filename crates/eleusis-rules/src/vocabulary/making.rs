//! How the tests of a vocabulary are made: each unlike all others, some of them of two others.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::{Idea, Test, is_playable};
use crate::cards::Card;
use crate::chance::Seed;
use crate::rule::Remembered;
use crate::{Expr, Memory, Op, Rule, Verdicts};

/// Lines along which tests are told apart, and how many cards each has.
const LINES: u64 = 16;
const LENGTH: usize = 12;

/// Tests unlike one another.
#[derive(Default)]
pub(super) struct Made {
    pub tests: Vec<Test>,
    /// By how each is written.
    pub places: FxHashMap<Expr, u16>,
    known: FxHashMap<u128, u16>,
    memories: FxHashMap<Remembered, u16>,
}

impl Made {
    pub fn add(&mut self, idea: u16, rule: Rule) {
        static LINES: LazyLock<Vec<Vec<Card>>> = LazyLock::new(lines);
        let next = self.tests.len() as u16;
        if let Some(&place) = self.places.get(rule.expr()) {
            let test = &mut self.tests[usize::from(place)];
            test.times += u16::from(test.idea == idea);
            return;
        }
        let place = *self.known.entry(signature(&rule, &LINES)).or_insert(next);
        self.places.insert(rule.expr().clone(), place);
        if place == next {
            let first = rule.verdicts(&Memory::default());
            let card = |card| rule.verdicts(&rule.after(&[Card::from_index(card as u8)]));
            let after: Box<[Verdicts; 52]> = Box::new(std::array::from_fn(card));
            let alone = is_playable(first.right, |card| after[card].right);
            let next = self.memories.len() as u16;
            let memory = *self.memories.entry(Remembered(rule.clone())).or_insert(next);
            self.tests.push(Test { idea, times: 1, rule, memory, first, after, alone });
        }
    }

    /// The heaviest pairs of a main part of the idea's group and another part, by the weights of the
    /// file: *either*, and *both*.
    pub fn add_pairs(&mut self, idea: u16, line: &Idea, ideas: &[Idea]) {
        let weights = |place: usize| {
            let own = |(at, test): (usize, &Test)| {
                let idea = &ideas[usize::from(test.idea)];
                let share = f64::from(test.times) / idea.texts.len().max(1) as f64;
                (at, idea.group, idea.weights[place] * share)
            };
            let all = self.tests.iter().enumerate().map(own);
            all.filter(|(.., weight)| *weight > 0.0).collect::<Vec<_>>()
        };
        let (main, other) = (weights(1), weights(2));
        let mut pairs: Vec<(f64, [usize; 2])> = Vec::new();
        for &(a, _, weight) in main.iter().filter(|(_, group, _)| *group == line.group) {
            let others = other.iter().filter(|(b, ..)| *b != a);
            pairs.extend(others.map(|&(b, _, share)| (weight * share, [a, b])));
        }
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let before = self.tests.len();
        for (_, tests) in pairs {
            for op in [Op::Or, Op::And] {
                let parts = tests.map(|test| self.tests[test].rule.expr().clone());
                let rule = Rule::new(Expr::Op(op, parts.to_vec()));
                let one_sided = |rule: &Rule| rule.verdicts(&Memory::default()).right == 0;
                if let Ok(rule) = rule
                    && !one_sided(&rule)
                {
                    self.add(idea, rule);
                }
            }
            if self.tests.len() >= before + line.pairs {
                break;
            }
        }
    }
}

/// Lines of random cards, half of them of few suits and ranks.
pub(super) fn lines() -> Vec<Vec<Card>> {
    let line = |index: u64| {
        let mut chance = Seed::new(index).named("situations").stream();
        let few = index % 2 == 1;
        let draw = |_| {
            let (rank, suit) = (chance.below(13), chance.below(4));
            let keep = few && chance.below(3) > 0;
            let (rank, suit) = if keep { (rank % 3 * 5, suit % 2) } else { (rank, suit) };
            Card::from_index((4 * rank + suit) as u8)
        };
        (0..LENGTH).map(draw).collect()
    };
    (0..LINES).map(line).collect()
}

/// A number for what a test says on the empty line and along some lines.
fn signature(rule: &Rule, lines: &[Vec<Card>]) -> u128 {
    let mut hash = 0u128;
    let mut add = |word: u64| {
        // Multiplication by an odd constant and a turn (as in FxHash, on twice the width).
        hash = (hash.rotate_left(23) ^ u128::from(word))
            .wrapping_mul(0x2360_ED05_1FC6_5DA4_4385_DF64_9FCC_F645);
    };
    for line in lines {
        let mut memory = Memory::default();
        for &card in line {
            memory = rule.step(&memory, card);
            let says = rule.verdicts(&memory);
            add(says.right);
            add(says.yes);
        }
    }
    hash
}
