//! Whether a rule can be played.

use super::walk::{Walk, dead_end};
use super::{Memory, Rule, RuleError};
use crate::cards::{Card, spaced};
use crate::chance::Seed;

/// The least and the largest share of right cards that a rule may have on average.
pub const SHARE: (f64, f64) = (0.05, 0.93);

const LINES: u64 = 200;
const LENGTH: usize = 40;

/// What was found out about a rule that can be played.
#[derive(Clone, PartialEq, Debug)]
pub struct Validity {
    /// The mean share of the 52 cards that is right: the mean over 200 random lines of 40 right
    /// cards from a random starter, the same lines for every rule.
    pub share: f64,
    /// How many situations can arise, as far as they were walked.
    pub situations: usize,
    /// Whether all of them were walked; otherwise a dead end was looked for within the limit and
    /// along random lines only.
    pub exact: bool,
}

/// The mean share of right cards along random lines of right cards.
pub fn right_share(rule: &Rule) -> f64 {
    let (mut right_cards, mut looks) = (0u64, 0u64);
    for line in 0..LINES {
        let mut chance = Seed::new(line).named("right share").stream();
        let starter = Card::from_index(chance.below(52) as u8);
        let mut memory = rule.step(&Memory::EMPTY, starter);
        for _ in 0..LENGTH {
            let right = rule.right(&memory);
            looks += 1;
            right_cards += u64::from(right.len());
            let Some(card) = right.pick(&mut chance) else { break };
            memory = rule.step(&memory, card);
        }
    }
    right_cards as f64 / (looks * 52) as f64
}

/// Checks that a rule can be played: something is right in every situation that can arise, and
/// neither too little nor too much on average.
///
/// # Errors
/// A line after which nothing is right, or the share that is out of bounds.
pub fn validate(rule: &Rule) -> Result<Validity, RuleError> {
    let share = right_share(rule);
    if !(SHARE.0..=SHARE.1).contains(&share) {
        let what = format!(
            "`{rule}` accepts {:.1} % of the cards on average; a rule must accept from {} % to {} %",
            share * 100.0,
            SHARE.0 * 100.0,
            SHARE.1 * 100.0
        );
        return Err(RuleError::Unusable(what));
    }
    match dead_end(rule) {
        Walk::All(situations) => Ok(Validity { share, situations, exact: true }),
        Walk::Part(situations) => Ok(Validity { share, situations, exact: false }),
        Walk::Found(line, _) => {
            let after = match line.len() {
                0 => "at the start".to_owned(),
                _ => format!("after {}", spaced(&line)),
            };
            Err(RuleError::Unusable(format!(
                "`{rule}` leaves no card right {after}; something must always be right"
            )))
        }
    }
}
