//! Some hundred thousand hypotheses, each with its prior.

use sha2::{Digest, Sha256};

use super::build::rule_signature;
use crate::games::eleusis::vocabulary::VERSION;
use crate::games::eleusis::{Combination, Rule, Vocabulary};

/// How many of the likeliest hypotheses are kept at hand.
pub const LIKELY: usize = 1024;

/// The hypotheses about the secret rule: combinations of the vocabulary that behave unlike.
#[derive(Debug)]
pub struct Grammar {
    /// The hypotheses.
    pub hypotheses: Vec<Combination>,
    /// The prior of each, all together 1.
    pub priors: Vec<f64>,
    /// The family of each: rules of one template.
    pub(super) families: Vec<u32>,
    /// What each does in the fixed situations, as a number.
    pub(super) signatures: Vec<u128>,
    /// The misspecification mass at the start: the share of the training rules that the grammar
    /// does not hold, one added to the missing and two to all (Laplace's rule).
    pub outside: f64,
    /// The places of the [`LIKELY`] largest priors, largest first.
    pub(super) likely: Vec<u32>,
}

/// The places of the largest priors, largest first.
pub(super) fn likeliest(priors: &[f64]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..priors.len() as u32).collect();
    order.sort_by(|a, b| priors[*b as usize].total_cmp(&priors[*a as usize]).then(a.cmp(b)));
    order.truncate(LIKELY);
    order
}

impl Grammar {
    /// The grammar without the family of a rule: everything of the same template, and whatever
    /// judges as the rule does. `None` when the rule is not in the grammar.
    pub fn without_family_of(&self, rule: &Rule) -> Option<Grammar> {
        let index = self.class_of(rule)?;
        Some(self.keeping(|other| self.families[other] != self.families[index]))
    }

    /// The place of the hypothesis that judges as this rule does in the fixed situations.
    pub fn class_of(&self, rule: &Rule) -> Option<usize> {
        let signature = rule_signature(rule)?;
        self.signatures.iter().position(|known| *known == signature)
    }

    /// The hypotheses at the places that pass, their priors scaled.
    pub(super) fn keeping(&self, keep: impl Fn(usize) -> bool) -> Grammar {
        let kept: Vec<usize> = (0..self.hypotheses.len()).filter(|&index| keep(index)).collect();
        let total: f64 = kept.iter().map(|&index| self.priors[index]).sum();
        let priors: Vec<f64> = kept.iter().map(|&index| self.priors[index] / total).collect();
        Grammar {
            likely: likeliest(&priors),
            hypotheses: kept.iter().map(|&index| self.hypotheses[index]).collect(),
            priors,
            families: kept.iter().map(|&index| self.families[index]).collect(),
            signatures: kept.iter().map(|&index| self.signatures[index]).collect(),
            outside: self.outside,
        }
    }

    /// The digest of the version, the tests, the hypotheses and their priors, as hexadecimal text.
    pub fn digest(&self) -> String {
        let mut hash = Sha256::new();
        hash.update(VERSION.to_le_bytes());
        for test in &Vocabulary::shared().tests {
            hash.update(test.rule.to_string());
            hash.update([0]);
        }
        for (hypothesis, prior) in self.hypotheses.iter().zip(&self.priors) {
            hash.update(format!("{hypothesis:?}"));
            hash.update(prior.to_bits().to_le_bytes());
        }
        hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
    }
}
