//! When a run may end before its last deal.
//!
//! The decision is made at the borders of chunks, in their order: after chunk `k` it depends on the
//! chunks `0..=k` and on nothing else, so it is the same for any number of threads and any
//! sharding. The chunks of such a run are small at first and grow. Chunks beyond the deciding one do not count, even where they were played.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::{Outline, Table, TableTally, Tally, UNIT, VariantTally};
use crate::error::{Error, Result};
use crate::files::{object, some_object};
use crate::stats::{Estimate, Moments, Sprt, Verdict, score_after};

/// When a run may end; `deals` stays the most that are played.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Until {
    /// When a sequential test has decided every pairing.
    Sprt(#[serde(deserialize_with = "object")] Sprt),
    /// When the 95 % interval of every pairing's score, and of every variant's first-seat score,
    /// is at most this much to each side.
    HalfWidth(f64),
}

/// Reads a condition; by itself two in one object would only be called an unexpected value.
pub(super) fn one_condition<'de, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<Until>, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Conditions {
        #[serde(default, deserialize_with = "some_object")]
        sprt: Option<Sprt>,
        half_width: Option<f64>,
    }
    match object::<Conditions, D>(from)? {
        Conditions { sprt: Some(test), half_width: None } => Ok(Some(Until::Sprt(test))),
        Conditions { sprt: None, half_width: Some(half) } => Ok(Some(Until::HalfWidth(half))),
        _ => Err(D::Error::custom("name one condition: `sprt` or `half_width`")),
    }
}

impl Until {
    /// Whether it can be decided.
    ///
    /// # Errors
    /// Bad input that says all that is wrong.
    pub fn check(&self, plan: &Outline) -> Result<()> {
        let what = match self {
            Until::HalfWidth(half) if *half > 0.0 && *half < 0.5 => return Ok(()),
            Until::HalfWidth(half) => {
                format!("`half_width` is {half}; it must lie above 0 and below 0.5")
            }
            Until::Sprt(test) => {
                let mut faults = test.faults();
                if !plan.tables.iter().all(|t| t.line_up.len() == 2 && !t.is_mirror()) {
                    let two = "it compares pairings of two strategies, neither a mirror pairing nor more than two seats";
                    faults.push(two.to_owned());
                }
                if faults.is_empty() {
                    return Ok(());
                }
                format!("`sprt`: {}", faults.join("; "))
            }
        };
        Err(Error::input(format!("`until`: {what}")))
    }

    /// Whether these deals are enough, of which the last `step` came since the look before.
    fn enough(&self, plan: &Outline, tested: &mut [Tested], total: &Tally, step: u64) -> bool {
        match self {
            Until::Sprt(test) => {
                for (tested, table) in tested.iter_mut().zip(&total.tables) {
                    // The first decision stands: a sequential test does not look again.
                    if tested.verdict == Verdict::Undecided {
                        *tested = Tested::look(test, &table.deals, step);
                    }
                }
                tested.iter().all(|tested| tested.verdict != Verdict::Undecided)
            }
            Until::HalfWidth(wanted) => {
                // The most that a deal can give, in wins.
                let narrow = |won: &Moments, most: u64| {
                    let score = won.score(1.0 / (most as f64 * UNIT as f64));
                    score.and_then(|s| s.half_width()).is_some_and(|half| half <= *wanted)
                };
                let pairing = |(table, counted): (&Table, &TableTally)| {
                    let seats = table.line_up.len() as u64;
                    table.is_mirror() || counted.slots.iter().all(|slot| narrow(&slot.score, seats))
                };
                let first = |(variant, counted): (usize, &VariantTally)| {
                    narrow(&counted.first, plan.hands_of_variant(variant))
                };
                plan.tables.iter().zip(&total.tables).all(pairing)
                    && total.variants.iter().enumerate().all(first)
            }
        }
    }
}

/// A run does not end before it has so many chunks: fewer give no intervals worth the name.
const FEWEST: usize = 20;

/// What a sequential test says of a table.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Tested {
    /// Which hypothesis it accepts.
    pub verdict: Verdict,
    /// The log-likelihood ratio at the decision, or after all deals.
    pub llr: f64,
    /// The score at the decision, free of the bias that the stop gives it.
    pub score: Option<Estimate>,
}

impl Tested {
    fn look(test: &Sprt, deals: &[u64; 5], step: u64) -> Tested {
        let verdict = test.verdict(deals);
        Tested { verdict, llr: test.llr(deals), score: score_after(test, verdict, deals, step) }
    }
}

/// What was decided, and after which chunk.
#[derive(Clone, PartialEq, Debug)]
pub struct Decision {
    /// How many chunks count.
    pub chunks: u64,
    /// What a sequential test says of each table; empty without one.
    pub tested: Vec<Tested>,
    /// Whether the run ended because it was decided, and not with its last deal.
    pub early: bool,
}

impl Outline {
    /// How many chunks count, given those that were played; all without `until`.
    pub fn decision(&self, chunks: &BTreeMap<u64, Tally>) -> Decision {
        let until = self.experiment().until;
        let tests = if let Some(Until::Sprt(_)) = until { self.tables.len() } else { 0 };
        let begun = Tested { verdict: Verdict::Undecided, llr: 0.0, score: None };
        let mut tested = vec![begun; tests];
        let fewest = FEWEST.min(self.chunks() as usize);
        let decided = until.and_then(|until| {
            let mut total = self.empty.clone();
            // In their order, as far as they are there.
            (0..).map_while(|chunk| chunks.get(&chunk)).zip(1..).position(|(tally, count)| {
                total.merge(tally);
                // All deals are new to the first look.
                let step = if count == fewest { total.deals } else { tally.deals };
                count >= fewest && until.enough(self, &mut tested, &total, step)
            })
        });
        let chunks = decided.map_or(self.chunks(), |last| last as u64 + 1);
        Decision { chunks, tested, early: chunks < self.chunks() }
    }
}
