//! Whether a grammar holds a rule, under what names, and what is left without its idea.

use std::sync::Arc;

use super::cells::Cells;
use super::evidence::Evidence;
use super::prior::Prior;
use super::{Grammar, Posterior};
use crate::cards::Card;
use crate::chance::Seed;
use crate::{Combination, Join, Memory, Rule, Vocabulary};

/// A rule is told from others along so many lines, each of so many right cards, before each of which
/// so many cards are judged.
const LINES: usize = 6;
const STEPS: usize = 12;
const JUDGED: usize = 4;

/// How many names of a rule are looked at.
const NAMES: usize = 256;

/// How many ideas are taken out at most.
const IDEAS: usize = 40;

/// A rule as a grammar has it.
#[derive(Clone, Debug)]
pub struct Known {
    /// The heaviest combinations that judge as it does, with their masses, heaviest first.
    pub names: Vec<(Combination, f64)>,
    /// The mass of all that do.
    pub mass: f64,
}

/// How a rule judged along some lines of its own.
pub struct Judged(Posterior);

impl Grammar {
    /// The combinations that judge as a rule does along lines of its own; none where there are none.
    pub fn known(self: &Arc<Grammar>, rule: &Rule) -> Option<Known> {
        self.known_as(&self.judged(rule)?)
    }

    /// The combinations that judge so, of a grammar with the same tests at each place.
    pub fn known_as(&self, judged: &Judged) -> Option<Known> {
        let Judged(posterior) = judged;
        let names = posterior.named(self, NAMES);
        let mass = names.iter().map(|(_, mass)| mass).sum();
        (!names.is_empty()).then_some(Known { names, mass })
    }

    /// How a rule judges along some lines of its own; none where there are none.
    pub fn judged(self: &Arc<Grammar>, rule: &Rule) -> Option<Judged> {
        let mut chance = Seed::new(1).named("known").stream();
        let first = rule.right(&Memory::default()).pick(&mut chance)?;
        let mut posterior = Posterior::new(self, first);
        for line in 0..LINES {
            let starter = rule.right(&Memory::default()).pick(&mut chance)?;
            if line > 0 {
                posterior.another_line(starter);
            }
            let mut memory = rule.after(&[if line > 0 { starter } else { first }]);
            for _ in 0..STEPS {
                let right = rule.right(&memory);
                for _ in 0..JUDGED {
                    let card = Card::from_index(chance.below(52) as u8);
                    posterior.judge(card, right.has(card));
                }
                let card = right.pick(&mut chance)?;
                posterior.judged(card, true);
                memory = rule.step(&memory, card);
            }
        }
        Some(Judged(posterior))
    }

    /// The grammar without the idea of a rule: again and again the rarest idea in the heaviest
    /// combination that judges as the rule does goes, at every place, until there is none.
    pub fn without_idea_of(self: &Arc<Grammar>, rule: &Rule) -> Arc<Grammar> {
        let vocabulary = Vocabulary::shared();
        let mut left = self.clone();
        let mut out: Vec<u16> = Vec::new();
        while out.len() < IDEAS
            && let Some(known) = left.known(rule)
        {
            let Some((name, _)) = known.names.first() else { break };
            let ideas = name.tests().iter().enumerate().map(|(at, &test)| {
                (
                    left.weights[name.place(at)][usize::from(test)],
                    vocabulary.tests[usize::from(test)].idea,
                )
            });
            let Some((_, rarest)) = ideas.min_by(|a, b| a.0.total_cmp(&b.0)) else { break };
            out.push(rarest);
            let stays = |test: u16, _| !out.contains(&vocabulary.tests[usize::from(test)].idea);
            left = Arc::new(Grammar::of_tests(&self.prior, stays));
        }
        left
    }

    /// The likeliest rules before anything is seen, with their priors.
    pub fn likeliest(self: &Arc<Grammar>, most: usize) -> Vec<(Combination, f64)> {
        let evidence = Evidence::new(self);
        let mut all = Cells::of(self, &evidence).heaviest(30 * most);
        all.retain(|(rule, _)| rule.is_playable());
        for (rule, mass) in &mut all {
            let levels = rule.tests().iter().map(|&test| usize::from(self.level(test)));
            *mass /= self.starter(rule.join, levels);
        }
        all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        all.truncate(most);
        all
    }

    /// The grammar with so much of its mass for *none of these*.
    #[must_use]
    pub fn with_outside(&self, outside: f64) -> Grammar {
        let prior = Prior { outside, ..self.prior.clone() };
        let mut grammar = self.clone();
        grammar.prior = prior;
        grammar
    }
}

impl Posterior {
    /// The heaviest rules that agree, with what they have of a prior.
    fn named(&self, grammar: &Grammar, most: usize) -> Vec<(Combination, f64)> {
        let all = self.cells_by(grammar).heaviest(most);
        let dead = |rule: &Combination| rule.join != Join::One && !rule.is_playable();
        all.into_iter().filter(|(rule, _)| !dead(rule)).collect()
    }
}
