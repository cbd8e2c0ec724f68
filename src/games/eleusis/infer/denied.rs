//! What a wrong guess tells.

use super::{Learner, Masks};
use crate::chance::Seed;
use crate::games::eleusis::rule::{Memory, Rule};

/// How many likely continuations a denied rule is followed along, and how far.
const DENIALS: usize = 5;

/// A continuation of the mainline under a rule.
#[derive(Clone)]
struct Line {
    memory: Memory,
    memories: Vec<Memory>,
    masks: Vec<Masks>,
}

impl Learner {
    /// A rule was stated and is not the secret one: all that judge as it does now and along its
    /// likely continuations go.
    pub fn denied(&mut self, rule: &Rule) {
        let line = Line {
            memory: rule.after(&self.line),
            memories: self.memories.clone(),
            masks: self.masks.clone(),
        };
        let mut seen = vec![(rule.verdicts(&line.memory), line.masks.clone())];
        let mut chance = Seed::new(self.line.len() as u64).named("denied").stream();
        for _ in 0..DENIALS {
            let mut line = line.clone();
            for _ in 0..DENIALS {
                let mut cards = rule.verdicts(&line.memory);
                let Some(card) = cards.nth(chance.below(cards.len().max(1)) as usize) else {
                    break;
                };
                line.memory = rule.step(&line.memory, card);
                for &index in &self.used {
                    let index = usize::from(index);
                    let atom = &self.grammar.atoms()[index];
                    line.memories[index] = atom.step(&line.memories[index], card);
                    line.masks[index] = Masks::of(atom, &line.memories[index]);
                }
                seen.push((rule.verdicts(&line.memory), line.masks.clone()));
            }
        }
        self.keep(|combo| seen.iter().any(|(right, masks)| combo.right(masks) != right.0));
    }
}
