//! Trains the prior over Eleusis rules on rules that people have used:
//! `cargo run --release -p parlour-lab -- eleusis-prior > strategies/eleusis/rules/prior.json`.
//!
//! The prior is a product (see [`Prior`]). Several combinations of tests may be equivalent to a training
//! rule, so the tests behind it are latent. Training is expectation maximization (Dempster, Laird and
//! Rubin 1977) with the vocabulary's weights as a Dirichlet prior. A group that the corpus lists in full counts more
//! than others, but less than its number of rules ([`Learning::alike`]). Powers are the platform's, so
//! the table is reproducible on one kind of machine only.

use std::io::Write;
use std::sync::Arc;

use clap::Args;
use parlour::games::eleusis::infer::{COMMON, Equivalents, Grammar, Posterior, Prior};
use parlour::games::eleusis::{
    Combination, CorpusRule, GROUPS, Join, PLACES, Split, Vocabulary, playable_rules,
};
use rayon::prelude::*;

/// Options of training. Defaults were chosen on folds of the training half and on the rules in words.
#[derive(Args, Clone, Copy, PartialEq, Debug)]
pub struct Learning {
    /// Pseudo-count of the hand-set masses of kinds and groups, in rules
    #[arg(long, default_value_t = 60.0)]
    pub kinds: f64,
    /// Pseudo-count of the vocabulary weights at each place of each group, in rules
    #[arg(long, default_value_t = 10.0)]
    pub ideas: f64,
    /// Balance of the groups of the corpus: 1 weighs groups equally, 0 rules equally
    #[arg(long, default_value_t = 0.3)]
    pub alike: f64,
    /// Number of steps
    #[arg(long, default_value_t = 3)]
    pub steps: u32,
    /// Mass of misspecification (*none of these*)
    #[arg(long, default_value_t = 0.35)]
    pub misspecification: f64,
}

/// Expected counts of the parts of rules.
struct Counts {
    single: [f64; GROUPS],
    both: [[f64; GROUPS]; GROUPS],
    either: [[f64; GROUPS]; GROUPS],
    exactly_one: [f64; GROUPS],
    choice: [[f64; GROUPS]; GROUPS],
    common: f64,
    conditions: [f64; GROUPS],
    /// By idea and place.
    ideas: Vec<[f64; PLACES]>,
}

impl Counts {
    /// Counts a rule with weight `share`, of which `few` as a combination of common tests.
    fn add(&mut self, name: &Combination, share: f64, few: f64) {
        let vocabulary = Vocabulary::shared();
        let group = |&test: &u16| {
            usize::from(vocabulary.ideas[usize::from(vocabulary.test(test).idea)].group)
        };
        let group: Vec<usize> = name.tests().iter().map(group).collect();
        match name.join {
            Join::One => self.single[group[0]] += share,
            Join::And => self.both[group[0]][group[1]] += share,
            Join::Or => self.either[group[0]][group[1]] += share,
            Join::Xor => self.exactly_one[group[1]] += share,
            Join::If => self.choice[group[1]][group[2]] += share - few,
        }
        self.common += few;
        if matches!(name.join, Join::Xor | Join::If) {
            self.conditions[group[0]] += share - few;
        }
        for (at, &test) in name.tests().iter().enumerate() {
            let idea = usize::from(vocabulary.tests[usize::from(test)].idea);
            self.ideas[idea][name.join.places()[at]] += share - few;
            self.ideas[idea][COMMON[usize::from(at > 0)]] += few;
        }
    }
}

impl Learning {
    /// Writes the prior trained on the training half of the corpus.
    pub fn run(&self) -> anyhow::Result<()> {
        let prior = serde_json::to_string_pretty(&self.prior())?;
        Ok(writeln!(std::io::stdout(), "{prior}")?)
    }

    /// Returns the prior trained on the training half of the corpus.
    pub fn prior(&self) -> Prior {
        let training: Vec<&CorpusRule> = playable_rules(Split::Training).collect();
        learn_from(&training, self)
    }
}

/// Returns the prior before training: the weights of the vocabulary and typical shares of beginners.
fn uninformed() -> Prior {
    // Most beginners think of groups A and B first.
    let groups = [0.3, 0.2, 0.2, 0.05, 0.13, 0.12];
    let main = [0.345, 0.25, 0.25, 0.005, 0.05, 0.1];
    let other = [0.4, 0.15, 0.1, 0.25, 0.05, 0.05];
    let product = |mass: f64, a: [f64; GROUPS], b: [f64; GROUPS]| {
        a.map(|first| b.map(|second| mass * first * second))
    };
    let side = [0.34, 0.3, 0.24, 0.02, 0.04, 0.06];
    let mut choice = product(0.08, side, side);
    // Both sides are mostly of one group.
    (0..GROUPS).for_each(|group| choice[group][group] += 0.08 * side[group]);
    let ideas = &Vocabulary::shared().ideas;
    Prior {
        trained_on: Vec::new(),
        misspecification: 0.35,
        single: groups.map(|share| 0.42 * share),
        both: product(0.1, main, other),
        either: product(0.13, main, other),
        exactly_one: side.map(|share| 0.07 * share),
        choice,
        common: 0.12,
        conditions: [0.2, 0.08, 0.02, 0.5, 0.1, 0.1],
        ideas: ideas.iter().map(|idea| (idea.pattern.clone(), idea.weights)).collect(),
    }
}

/// Trains the prior on rules.
pub fn learn_from(training: &[&CorpusRule], learning: &Learning) -> Prior {
    let before = Prior { misspecification: learning.misspecification, ..uninformed() };
    let mut prior = before.clone();
    let of_group = |group: char| training.iter().filter(|entry| entry.group == group).count();
    let all = Arc::new(Grammar::new(&before));
    let judged: Vec<Option<Posterior>> =
        training.par_iter().map(|entry| all.behavior_of(&entry.rule)).collect();
    for _ in 0..learning.steps {
        let grammar = Arc::new(Grammar::new(&prior));
        let known: Vec<Option<Equivalents>> =
            judged.par_iter().map(|judged| grammar.equivalents_like(judged.as_ref()?)).collect();
        let mut counts = Counts {
            single: [0.0; GROUPS],
            both: [[0.0; GROUPS]; GROUPS],
            either: [[0.0; GROUPS]; GROUPS],
            exactly_one: [0.0; GROUPS],
            choice: [[0.0; GROUPS]; GROUPS],
            common: 0.0,
            conditions: [0.0; GROUPS],
            ideas: vec![[0.0; PLACES]; prior.ideas.len()],
        };
        for (entry, known) in training.iter().zip(known) {
            let Some(Equivalents { combinations: names, mass }) = known else { continue };
            let alike = training.len() as f64 / GROUPS as f64 / of_group(entry.group) as f64;
            let rule = alike.powf(learning.alike);
            for (name, part) in names {
                let few = grammar.common_mass(name) / grammar.mass(name);
                let share = rule * part / mass;
                counts.add(&name, share, few * share);
            }
        }
        prior = again(&before, &counts, learning);
    }
    prior.trained_on = training.iter().map(|entry| entry.rule.to_string()).collect();
    prior
}

/// Combines hand-set weights and counts. Numbers are rounded to their significant digits.
fn again(before: &Prior, counts: &Counts, learning: &Learning) -> Prior {
    let round = |x: f64| (x * 1e5).round() / 1e5;
    let mass = |mass: f64, count: f64| round(learning.kinds * mass + count);
    let masses = |a: [f64; GROUPS], b: [f64; GROUPS]| std::array::from_fn(|at| mass(a[at], b[at]));
    let pairs = |a: [[f64; GROUPS]; GROUPS], b: [[f64; GROUPS]; GROUPS]| {
        std::array::from_fn(|at| masses(a[at], b[at]))
    };
    let mut sums = [[0.0; PLACES]; GROUPS];
    let vocabulary = &Vocabulary::shared().ideas;
    for idea in vocabulary {
        for (sum, weight) in sums[usize::from(idea.group)].iter_mut().zip(idea.weights) {
            *sum += weight;
        }
    }
    for place in COMMON {
        let all: f64 = sums.iter().map(|sums| sums[place]).sum();
        sums.iter_mut().for_each(|sums| sums[place] = all / GROUPS as f64);
    }
    let ideas = vocabulary.iter().zip(&counts.ideas).map(|(idea, counts)| {
        let sums = sums[usize::from(idea.group)];
        let weight = |place: usize| match idea.weights[place] {
            0.0 => 0.0,
            weight => round(learning.ideas * weight / sums[place] + counts[place]),
        };
        (idea.pattern.clone(), std::array::from_fn(weight))
    });
    Prior {
        trained_on: Vec::new(),
        misspecification: before.misspecification,
        single: masses(before.single, counts.single),
        both: pairs(before.both, counts.both),
        either: pairs(before.either, counts.either),
        exactly_one: masses(before.exactly_one, counts.exactly_one),
        choice: pairs(before.choice, counts.choice),
        common: mass(before.common, counts.common),
        conditions: masses(before.conditions, counts.conditions),
        ideas: ideas.collect(),
    }
}
