//! Weights of the `steady` and `brisk` players.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Defines a struct of weights with their names, their defaults in the order of the fields, a check
/// of their size, and their values for many plays a turn.
macro_rules! weights {
    ($(#[$about:meta])* $name:ident, $schema:literal, within $limit:expr,
     $($(#[$doc:meta])* $field:ident: $plain:literal $(* $many:ident)?,)*) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        #[schemars(rename = $schema)]
        pub struct $name { $($(#[$doc])* pub $field: f64,)* }

        impl Default for $name {
            fn default() -> $name {
                $name { $($field: $plain,)* }
            }
        }

        impl $name {
            /// Names of the weights, in order.
            pub const NAMES: &[&str] = &[$(stringify!($field),)*];

            /// Returns the weights in the order of their names.
            pub fn to_vec(&self) -> Vec<f64> {
                vec![$(self.$field,)*]
            }

            /// Creates weights from numbers in the order of their names; missing ones get the
            /// default.
            pub fn from_slice(numbers: &[f64]) -> $name {
                let mut numbers = numbers.iter().copied();
                $name { $($field: numbers.next().unwrap_or($plain),)* }
            }

            /// Returns the weights for many plays a turn: some are multiplied by a factor.
            #[must_use]
            pub fn for_many_plays(&self) -> $name {
                $name { $($field: self.$field $(* self.$many)?,)* }
            }

            /// Returns one sentence for each weight that is not allowed.
            pub fn faults(&self) -> Vec<String> {
                let fault = |((name, weight), limit): ((&&str, f64), f64)| {
                    // Called for each hand: the text is made for a fault only.
                    let text = || {
                        let range = format!("a finite number from -{limit} to {limit}");
                        format!("`{name}` is {weight}; it must be {range}")
                    };
                    let is_within = weight.abs() <= limit;
                    (!is_within).then(text)
                };
                let weights = $name::NAMES.iter().zip([$(self.$field,)*]);
                weights.zip((0..).map($limit)).filter_map(fault).collect()
            }
        }
    };
}

weights! {
    /// Weights of [`Steady`](super::Steady). Points are points of the rules in force, so one set of
    /// weights serves every variant. Probabilities are from 0 to 1.
    ///
    /// The default is set by hand: `steady-plain`.
    Weights, "LeopardWeights", within |_| 1000.0,
    /// Value of a point of the own square now.
    own_now: 1.0,
    /// Cost of a point of the other square now.
    other_now: 1.0,
    /// Value of an expected point of the own lines, complete lines included.
    own_hope: 0.5 * many_own_hope,
    /// Cost of an expected point of the other square's lines.
    other_hope: 0.5 * many_other_hope,
    /// Extra value of the own expected points that grows with them: times their square, divided by
    /// the value to knock at.
    own_swell: 0.0 * many_own_hope,
    /// Extra cost of the other square's expected points that grows with them.
    other_swell: 0.0 * many_other_hope,
    /// Probability that an open cell is filled with a number card in hand.
    fill_number: 0.7 * many_fill,
    /// Probability that an open cell is filled with a ten in hand.
    fill_ten: 0.25 * many_fill,
    /// Probability that an open cell is filled with a king in hand.
    fill_king: 0.25 * many_fill,
    /// Number of own future turns whose draws count.
    own_horizon: 10.0 * many_horizon,
    /// Number of the other seat's future turns whose draws count.
    other_horizon: 8.0 * many_horizon,
    /// Weight of an unseen ten or king for one cell; an unseen number card of the cell counts 1.
    unseen_wild: 0.3,
    /// Probability that a card of the wrong suit is replaced where it lies, with a king of the
    /// right suit in hand.
    replace_king: 0.25 * many_fill,
    /// The same without such a king, as a share of the probability to fill the cell if it were
    /// open.
    own_replace: 0.2,
    /// The same share for the other square.
    other_replace: 0.2,
    /// Value of keeping a ten, in points.
    keep_ten: 0.7 * many_keep,
    /// Value of keeping a jack, in points.
    keep_jack: 1.0 * many_keep,
    /// Extra value of a jack for each expected point that the other square does not have yet.
    keep_jack_hope: 0.0 * many_keep,
    /// Value of keeping a queen, in points.
    keep_queen: 0.2 * many_keep,
    /// Value of keeping a king, in points.
    keep_king: 1.0 * many_keep,
    /// Extra value of a king for each expected point that the own square does not have yet.
    keep_king_hope: 0.0 * many_keep,
    /// Extra value of a ten, jack, queen or king when it is discarded: this share of its best play
    /// now.
    keep_best: 0.5 * many_keep,
    /// Value of keeping a number card for the harm it could do on the other square: this share of
    /// the harm.
    keep_harm: 0.3 * many_keep,
    /// Number of cards in the stock below which kept cards lose value, in proportion.
    fade: 10.0,
    /// Value of a position in which the next own turn may end the hand with a winning knock.
    threat: 3.0 * many_race,
    /// Share of `threat` that is lost, times the probability that the other seat has a jack, if a
    /// jack would undo it.
    threat_jack: 0.7,
    /// Share of `threat` that is lost if the other seat could catch up with one card.
    threat_overtaken: 0.2,
    /// Value of holding the card that leads to a `threat`.
    poised: 1.0 * many_race,
    /// Cost of a position in which the other seat's next turn may lead to a `threat`, if it had any
    /// card.
    looming: 0.5 * many_race,
    /// Share of `looming` that a jack in hand can answer.
    guard: 0.5,
    /// Cost of each point of the largest loss by a jack, times the probability that the other seat
    /// has a jack.
    exposure: 0.3 * many_race,
    /// Cost of a position in which the other seat's next turn may end the hand with a winning
    /// knock.
    danger: 8.0,
    /// Value of progress to the value that wins by a knock: times that value, times the square of
    /// the share that is reached.
    own_approach: 0.2,
    /// Cost of the other seat's progress to the value that wins by a knock.
    other_approach: 0.2,
    /// Share of the lead in expected points that counts when a knock is compared with going on.
    knock_growth: 0.5,
    /// Value of the turn to move, in points, when a knock is compared with going on.
    knock_tempo: 0.5,
    /// Cost of going on for each point of the own value, which may be overtaken, broken up or
    /// knocked upon.
    knock_risk: 0.2,
    /// With many plays a turn: factor of `own_hope` and `own_swell`.
    many_own_hope: 1.0,
    /// With many plays a turn: factor of `other_hope` and `other_swell`.
    many_other_hope: 1.0,
    /// With many plays a turn: factor of both horizons.
    many_horizon: 0.3,
    /// With many plays a turn: factor of the probabilities to fill or replace a card from the hand.
    many_fill: 1.0,
    /// With many plays a turn: factor of all values of kept cards.
    many_keep: 1.0,
    /// With many plays a turn: factor of `threat`, `poised`, `looming` and `exposure`.
    many_race: 1.0,
}

impl Weights {
    /// Returns `true` if the values of plays have simple bounds. Then the chances to fill own cells and
    /// the shares of the race are from 0 to 1. Own points, the race and kept cards have the usual
    /// signs, and `danger` costs at least as much as `looming`.
    pub(super) fn are_plain(&self) -> bool {
        let shares = [
            [self.fill_number, self.fill_ten, self.fill_king, self.replace_king],
            [self.own_replace, self.threat_jack, self.threat_overtaken, self.guard],
        ];
        let more = [
            [self.own_now, self.own_hope, self.own_swell, self.own_approach, self.other_approach],
            [self.exposure, self.poised, self.threat, self.keep_best, self.keep_harm],
        ];
        shares.as_flattened().iter().all(|share| (0.0..=1.0).contains(share))
            && more.as_flattened().iter().all(|weight| *weight >= 0.0)
            && self.danger >= self.looming.max(0.0)
    }
}

/// Parts of a point to which brisk's weights are rounded, so that a decision uses whole numbers
/// only.
pub(super) const POINT: f64 = 32.0;

/// Number of brisk's weights that are shares of lines. With a limit of 2, a cell's four lines, each
/// worth at most 20, add up to less than 2¹⁵ parts of a point.
const SHARES: usize = 13;

weights! {
    /// Weights of [`Brisk`](super::Brisk). The value of a line is a share of its points; all other
    /// values are points of the rules in force.
    BriskWeights, "LeopardBriskWeights", within |at| if at < SHARES { 2.0 } else { 20.0 },
    /// A complete line on the own square.
    own_done: 1.0,
    /// An own line of one suit with two fitting cards and an open cell.
    own_two: 0.35,
    /// An own line of one suit with one fitting card and two open cells.
    own_one: 0.12,
    /// Extra value if the card for the last open cell is in hand.
    own_ready: 0.3,
    /// Extra value if two missing cards of the line are in hand.
    own_plan: 0.1,
    /// An own line of one colour with two fitting cards and an open cell.
    own_color_two: 0.35,
    /// The same kind of line with one fitting card.
    own_color_one: 0.12,
    /// Extra value if the card for the last open cell is in hand.
    own_color_ready: 0.3,
    /// A complete line on the other square.
    other_done: 1.0,
    /// A line of one suit on the other square with two fitting cards and an open cell.
    other_two: 0.3,
    /// The same kind of line with one fitting card.
    other_one: 0.1,
    /// A line of one colour on the other square with two fitting cards and an open cell.
    other_color_two: 0.3,
    /// The same kind of line with one fitting card.
    other_color_one: 0.1,
    /// A number card in hand.
    keep_number: 0.1,
    /// Share of the value of a number card on the own square that counts while it is in hand.
    keep_use: 0.5,
    /// A ten in hand.
    keep_ten: 0.7,
    /// A jack in hand.
    keep_jack: 1.5,
    /// A queen in hand.
    keep_queen: 0.2,
    /// A king in hand.
    keep_king: 1.5,
    /// A position in which the next own turn may end the hand with a winning knock.
    threat: 3.0,
    /// A position in which the other seat's next turn may end the hand with a winning knock.
    danger: 6.0,
    /// A position in which the other seat is within a suit line of that.
    looming: 0.5,
    /// A position in which the own seat is within a suit line of that.
    poised: 0.5,
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! check {
        ($name:ident) => {
            let plain = $name::default();
            assert_eq!($name::from_slice(&plain.to_vec()), plain);
            assert_eq!($name::from_slice(&[]), plain);
            let json = serde_json::to_value(plain).unwrap();
            let names: Vec<&String> = json.as_object().unwrap().keys().collect();
            assert_eq!(names, $name::NAMES);
            assert!(plain.faults().is_empty());
            let odd = $name { threat: f64::NAN, danger: 1e4, ..plain };
            let faults = odd.faults();
            assert_eq!(faults.len(), 2);
            assert!(faults[0].contains("threat") && faults[1].contains("danger"), "{faults:?}");
        };
    }

    #[test]
    fn numbers_and_names_go_together_and_every_fault_is_named() {
        check!(Weights);
        check!(BriskWeights);
    }

    #[test]
    fn faults_name_the_limits() {
        let wide = BriskWeights { own_two: 2.5, keep_ten: 2.5, ..BriskWeights::default() };
        assert_eq!(wide.faults(), ["`own_two` is 2.5; it must be a finite number from -2 to 2"]);
        assert_eq!(BriskWeights::NAMES[SHARES - 1], "other_color_one");
    }
}
