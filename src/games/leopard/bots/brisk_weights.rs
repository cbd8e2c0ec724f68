//! The numbers that make a brisk player.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Weights are rounded to this part of a point, so that a decision takes whole numbers only.
pub(super) const POINT: f64 = 32.0;

/// The first weights are shares of lines. With these limits a cell's four lines, each worth at
/// most 20, add up to less than 2¹⁵ parts.
const SHARES: usize = 13;
const SHARE_LIMIT: f64 = 2.0;

/// No other weight is larger, either way.
const LIMIT: f64 = 20.0;

/// Makes the struct and, beside it, the names and the plain numbers in the order of its fields.
macro_rules! weights {
    ($($(#[$doc:meta])* $field:ident: $plain:literal,)*) => {
        /// All that [`Brisk`](super::Brisk) goes by. What a line is worth is a share of its
        /// points; all else is points of the rules in force.
        #[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[schemars(rename = "LeopardBriskWeights")]
        pub struct BriskWeights { $($(#[$doc])* pub $field: f64,)* }

        impl Default for BriskWeights {
            fn default() -> BriskWeights {
                BriskWeights { $($field: $plain,)* }
            }
        }

        impl BriskWeights {
            /// The names of the weights, in order.
            pub const NAMES: &[&str] = &[$(stringify!($field),)*];

            /// The weights in the order of their names.
            pub fn to_vec(&self) -> Vec<f64> {
                vec![$(self.$field,)*]
            }

            /// The weights from numbers in the order of their names; a missing one is plain.
            pub fn from_slice(numbers: &[f64]) -> BriskWeights {
                let mut numbers = numbers.iter().copied();
                BriskWeights { $($field: numbers.next().unwrap_or($plain),)* }
            }
        }
    };
}

weights! {
    /// A whole line on the own square.
    own_done: 1.0,
    /// An own line of one suit with two fitting cards and an open cell.
    own_two: 0.35,
    /// The same with one fitting card and two open cells.
    own_one: 0.12,
    /// What more it is worth that the card for the last open cell is held.
    own_ready: 0.3,
    /// The same where two cards of the line are held.
    own_plan: 0.1,
    /// An own line of one colour with two fitting cards and an open cell.
    own_color_two: 0.35,
    /// The same with one fitting card.
    own_color_one: 0.12,
    /// What more it is worth that the card for the last open cell is held.
    own_color_ready: 0.3,
    /// A whole line on the other's square.
    other_done: 1.0,
    /// A line of one suit there with two fitting cards and an open cell.
    other_two: 0.3,
    /// The same with one fitting card.
    other_one: 0.1,
    /// A line of one colour there with two fitting cards and an open cell.
    other_color_two: 0.3,
    /// The same with one fitting card.
    other_color_one: 0.1,
    /// A number card in hand.
    keep_number: 0.1,
    /// The share of what a number card would bring on the own square, while it is held.
    keep_use: 0.5,
    /// A ten in hand.
    keep_ten: 0.7,
    /// A jack in hand.
    keep_jack: 1.5,
    /// A queen in hand.
    keep_queen: 0.2,
    /// A king in hand.
    keep_king: 1.5,
    /// To stand where the next own turn may end the hand with a winning knock.
    threat: 3.0,
    /// To leave the other where its next turn may.
    danger: 6.0,
    /// To leave the other within a suit line of that.
    looming: 0.5,
    /// To stand within a suit line of that.
    poised: 0.5,
}

impl BriskWeights {
    /// Everything that is wrong with the weights, a sentence each.
    pub fn faults(&self) -> Vec<String> {
        let named = BriskWeights::NAMES.iter().zip(self.to_vec()).enumerate();
        named
            .map(|(at, named)| (named, if at < SHARES { SHARE_LIMIT } else { LIMIT }))
            .filter(|((_, weight), limit)| !weight.is_finite() || weight.abs() > *limit)
            .map(|((name, weight), limit)| {
                format!("`{name}` is {weight}; it must be a finite number from -{limit} to {limit}")
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_names_go_together() {
        let plain = BriskWeights::default();
        assert_eq!(BriskWeights::from_slice(&plain.to_vec()), plain);
        assert_eq!(BriskWeights::from_slice(&[]), plain);
        let json = serde_json::to_value(plain).unwrap();
        let names: Vec<&String> = json.as_object().unwrap().keys().collect();
        assert_eq!(names, BriskWeights::NAMES);
    }

    #[test]
    fn every_fault_is_named() {
        assert!(BriskWeights::default().faults().is_empty());
        let odd = BriskWeights { threat: f64::NAN, danger: 1e4, ..BriskWeights::default() };
        let faults = odd.faults();
        assert_eq!(faults.len(), 2);
        assert!(faults[0].contains("threat") && faults[1].contains("danger"), "{faults:?}");
    }
}
