//! The numbers that make a steady and a brisk player.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Makes a struct of weights and, beside it, their names, the plain numbers in the order of its
/// fields, the check of their size, and what they become with many plays a turn.
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
            /// The names of the weights, in order.
            pub const NAMES: &[&str] = &[$(stringify!($field),)*];

            /// The weights in the order of their names.
            pub fn to_vec(&self) -> Vec<f64> {
                vec![$(self.$field,)*]
            }

            /// The weights from numbers in the order of their names; a missing one is plain.
            pub fn from_slice(numbers: &[f64]) -> $name {
                let mut numbers = numbers.iter().copied();
                $name { $($field: numbers.next().unwrap_or($plain),)* }
            }

            /// The weights as they are used with many plays a turn: some have a factor for that.
            #[must_use]
            pub fn for_many_plays(&self) -> $name {
                $name { $($field: self.$field $(* self.$many)?,)* }
            }

            /// Everything that is wrong with the weights, a sentence each.
            pub fn faults(&self) -> Vec<String> {
                let limits = (0..).map($limit);
                $name::NAMES
                    .iter()
                    .zip(self.to_vec())
                    .zip(limits)
                    .filter(|((_, weight), limit)| !weight.is_finite() || weight.abs() > *limit)
                    .map(|((name, weight), limit)| {
                        format!(
                            "`{name}` is {weight}; it must be a finite number from -{limit} to \
                             {limit}"
                        )
                    })
                    .collect()
            }
        }
    };
}

weights! {
    /// All that [`Steady`](super::Steady) goes by. Points are points of the rules in force, so
    /// that one set of weights serves every variant; chances are shares of 1.
    ///
    /// The default is set by hand: `steady-plain`.
    Weights, "LeopardWeights", within |_| 1000.0,
    /// What a point of the own square's value is worth now.
    own_now: 1.0,
    /// What a point of the other square's value costs now.
    other_now: 1.0,
    /// What a point that the own square's lines may still bring is worth (expected points of each
    /// line, the finished ones included).
    own_hope: 0.5 * many_own_hope,
    /// What a point that the other square's lines may still bring costs.
    other_hope: 0.5 * many_other_hope,
    /// What the own square's expected points are worth beyond that, the more of them there are:
    /// times their square, divided by the value to knock at.
    own_swell: 0.0 * many_own_hope,
    /// What those of the other's square cost beyond that.
    other_swell: 0.0 * many_other_hope,
    /// The chance that an open cell is filled with a number card that is held.
    fill_number: 0.7 * many_fill,
    /// The chance that an open cell is filled with a ten that is held.
    fill_ten: 0.25 * many_fill,
    /// The chance that an open cell is filled with a king that is held.
    fill_king: 0.25 * many_fill,
    /// How many of the own turns to come are counted on to draw what is unseen.
    own_horizon: 10.0 * many_horizon,
    /// How many of the other's turns to come are counted on to draw what is unseen.
    other_horizon: 8.0 * many_horizon,
    /// What an unseen ten or king counts for one cell, an unseen card of its number being 1.
    unseen_wild: 0.3,
    /// The chance that a card of the wrong suit is replaced where it lies, with a king of the
    /// right one held.
    replace_king: 0.25 * many_fill,
    /// That chance without such a king, as a share of the chance to fill the cell were it open.
    own_replace: 0.2,
    /// That share for the other's square.
    other_replace: 0.2,
    /// What a ten in hand is worth keeping, in points.
    keep_ten: 0.7 * many_keep,
    /// What a jack in hand is worth keeping, in points.
    keep_jack: 1.0 * many_keep,
    /// What more it is worth for each expected point that the other's square does not have yet.
    keep_jack_hope: 0.0 * many_keep,
    /// What a queen in hand is worth keeping, in points.
    keep_queen: 0.2 * many_keep,
    /// What a king in hand is worth keeping, in points.
    keep_king: 1.0 * many_keep,
    /// What more it is worth for each expected point that the own square does not have yet.
    keep_king_hope: 0.0 * many_keep,
    /// What else a ten, jack, queen or king is worth keeping when it comes to discarding it: this
    /// share of the best it could do now.
    keep_best: 0.5 * many_keep,
    /// What a number card is worth keeping for the harm it could do on the other's square: this
    /// share of the harm.
    keep_harm: 0.3 * many_keep,
    /// The number of cards in the stock below which what is kept loses its worth, in proportion.
    fade: 10.0,
    /// What it is worth to stand where the next own turn may end the hand with a winning knock.
    threat: 3.0 * many_race,
    /// How much of that is lost, times the chance that the other has a jack, when one would undo it.
    threat_jack: 0.7,
    /// How much of that is lost when the other could come level by one card.
    threat_overtaken: 0.2,
    /// What it is worth to hold the card that leads to such a threat.
    poised: 1.0 * many_race,
    /// What it costs to leave the other where its next turn may lead to such a threat, could it
    /// have any card.
    looming: 0.5 * many_race,
    /// How much of that a jack in hand makes good.
    guard: 0.5,
    /// What the most that a jack would take costs for each point, times the chance that the other
    /// has a jack.
    exposure: 0.3 * many_race,
    /// What it costs to leave the other where its next turn may end the hand with a winning knock.
    danger: 8.0,
    /// What it is worth to come near the value that wins by a knock: times that value, times the
    /// square of the share of it that is reached.
    own_approach: 0.2,
    /// What it costs when the other comes near the value that wins by a knock.
    other_approach: 0.2,
    /// How much of the lead in what the lines may still bring is counted on when a knock is
    /// weighed against going on.
    knock_growth: 0.5,
    /// What the turn to move is worth, in points, when a knock is weighed against going on.
    knock_tempo: 0.5,
    /// What going on costs for each point of the own value, which may be overtaken, broken up or
    /// knocked upon.
    knock_risk: 0.2,
    /// With many plays a turn: factor of the hopes for the own square's lines.
    many_own_hope: 1.0,
    /// With many plays a turn: factor of the hopes for the other's lines.
    many_other_hope: 1.0,
    /// With many plays a turn: factor of both horizons.
    many_horizon: 0.3,
    /// With many plays a turn: factor of the chances to fill a cell from the hand.
    many_fill: 1.0,
    /// With many plays a turn: factor of all that cards are worth keeping.
    many_keep: 1.0,
    /// With many plays a turn: factor of `threat`, `poised`, `looming` and `exposure`.
    many_race: 1.0,
}

impl Weights {
    /// Whether chances lie from 0 to 1, and own points, hopes and the race count for what one thinks
    /// they do: then what a card brings is easily bounded.
    pub(super) fn are_plain(&self) -> bool {
        let chances = [
            self.fill_number,
            self.fill_ten,
            self.fill_king,
            self.replace_king,
            self.own_replace,
            self.other_replace,
            self.threat_jack,
            self.threat_overtaken,
            self.guard,
        ];
        let more = [
            self.own_now,
            self.own_hope,
            self.other_hope,
            self.own_swell,
            self.other_swell,
            self.own_approach,
            self.other_approach,
            self.exposure,
            self.poised,
            self.danger,
            self.threat,
            self.keep_best,
            self.keep_harm,
            self.unseen_wild,
            self.own_horizon,
            self.other_horizon,
        ];
        chances.iter().all(|chance| (0.0..=1.0).contains(chance)) && more.iter().all(|w| *w >= 0.0)
    }
}

/// Brisk's weights are rounded to this part of a point, so that a decision takes whole numbers
/// only.
pub(super) const POINT: f64 = 32.0;

/// So many of brisk's weights are shares of lines. With a limit of 2 a cell's four lines, each
/// worth at most 20, add up to less than 2¹⁵ parts of a point.
const SHARES: usize = 13;

weights! {
    /// All that [`Brisk`](super::Brisk) goes by. What a line is worth is a share of its points; all
    /// else is points of the rules in force.
    BriskWeights, "LeopardBriskWeights", within |at| if at < SHARES { 2.0 } else { 20.0 },
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
    fn the_limits_are_told() {
        let wide = BriskWeights { own_two: 2.5, keep_ten: 2.5, ..BriskWeights::default() };
        assert_eq!(wide.faults(), ["`own_two` is 2.5; it must be a finite number from -2 to 2"]);
        assert_eq!(BriskWeights::NAMES[SHARES - 1], "other_color_one");
    }
}
