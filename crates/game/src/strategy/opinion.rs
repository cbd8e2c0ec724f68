//! A strategy's reasons for a move.

use schemars::JsonSchema;
use serde::Serialize;

/// Something hidden, as a strategy believes it to be.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Belief {
    /// The hypothesis.
    pub what: String,
    /// Its share of the belief.
    pub share: f64,
}

/// A strategy's reasons for a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Opinion {
    /// Beliefs about what is hidden, the strongest first.
    pub beliefs: Vec<Belief>,
    /// The share of the belief in none of the known hypotheses, if it matters.
    pub unknown: Option<f64>,
    /// The action and its reason: `lays 9S because …`.
    pub because: String,
}

impl Opinion {
    /// Returns the opinion as a sentence.
    pub fn in_words(&self) -> String {
        let known = self.beliefs.iter();
        let known = known.map(|belief| format!("`{}` {:.2}", belief.what, belief.share));
        let unknown = self.unknown.map(|share| format!("none that it knows {share:.2}"));
        let beliefs = known.chain(unknown).collect::<Vec<_>>().join(", ");
        match beliefs.is_empty() {
            true => format!("It {}.", self.because),
            false => format!("It believes {beliefs}; it {}.", self.because),
        }
    }
}
