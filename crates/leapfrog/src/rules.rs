//! The rules of a variant.

use schemars::JsonSchema;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::Leapfrog;
use parlour_base::error::{Faults, Result};
use parlour_game::{Preset, Ruled};

/// Maximum number of rows and of columns.
pub const SIDE: usize = 18;

/// Maximum number of seats.
pub const SEATS: usize = 4;

/// Number of pieces of each colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeapfrogColors")]
pub struct Colors {
    /// Green pieces, worth 4.
    pub green: u16,
    /// Red pieces, worth 3.
    pub red: u16,
    /// Yellow pieces, worth 2.
    pub yellow: u16,
    /// White pieces, worth 1.
    pub white: u16,
}

impl Colors {
    /// Green, red, yellow and white in the ratio 1 : 2 : 3 : 4.
    ///
    /// The counts are 10 %, 20 % and 30 % of the cells, rounded half to even; white is the rest.
    pub const fn murray(cells: u16) -> Colors {
        let (green, red, yellow) = (tenths(cells, 1), tenths(cells, 2), tenths(cells, 3));
        Colors { green, red, yellow, white: cells - green - red - yellow }
    }

    /// Name, worth and number of pieces of each colour, from the highest worth.
    pub fn each(self) -> [(&'static str, u8, u16); 4] {
        let Colors { green, red, yellow, white } = self;
        [("green", 4, green), ("red", 3, red), ("yellow", 2, yellow), ("white", 1, white)]
    }

    /// Number of pieces.
    pub fn total(self) -> u32 {
        self.each().iter().map(|&(_, _, count)| u32::from(count)).sum()
    }

    /// Total worth of the pieces.
    pub fn points(self) -> u32 {
        self.each().iter().map(|&(_, worth, count)| u32::from(worth) * u32::from(count)).sum()
    }
}

/// Tenths of a number, rounded half to even.
const fn tenths(number: u16, tenths: u32) -> u16 {
    let product = number as u32 * tenths;
    let (whole, rest) = (product / 10, product % 10);
    (whole + (rest > 5 || rest == 5 && whole % 2 == 1) as u32) as u16
}

/// Pieces on the board at the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "LeapfrogPieces")]
pub enum Pieces {
    /// Plain pieces, each worth 1.
    Original,
    /// Coloured pieces at random: green, red, yellow and white in the ratio 1 : 2 : 3 : 4.
    Murray,
    /// Coloured pieces at random, with these counts.
    Colors(#[serde(deserialize_with = "parlour_base::files::object")] Colors),
}

/// Number of leaps in a turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "LeapfrogChains")]
pub enum Chains {
    /// One or more leaps of one piece, as many as the seat wants.
    Optional,
    /// One leap.
    Single,
}

/// Seats that remove a piece before the first leap.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "LeapfrogFirstCaptures")]
pub enum FirstCaptures {
    /// Each seat in turn, any piece.
    #[default]
    Each,
    /// Only the first seat, a piece of the lowest value.
    FirstSeatLowest,
    /// Only the first seat, a green piece.
    FirstSeatGreen,
}

/// The seat that makes the first leap. Older records have the field `second_seat_starts`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(
    rename_all = "snake_case",
    expecting = "expected a seat number from 0, `lot` or `last_chooses`"
)]
#[schemars(rename = "LeapfrogFirstToLeap")]
pub enum FirstToLeap {
    /// A seat that chance draws after the first captures.
    Lot,
    /// A seat that the seat with the last first capture chooses after it.
    LastChooses,
    /// This seat, from 0.
    #[serde(untagged)]
    Seat(
        #[serde(deserialize_with = "seat_number")]
        #[schemars(range(max = 3))]
        u8,
    ),
}

impl FirstToLeap {
    /// Returns the sign of the first seat's future points for each of two seats that may be chosen to leap
    /// first: 1 for the first seat, −1 for the second. Empty for a lot: the mean of both seats is 0.
    pub(super) fn signs(self) -> &'static [i16] {
        match self {
            FirstToLeap::Seat(0) => &[1],
            FirstToLeap::Seat(_) => &[-1],
            FirstToLeap::LastChooses => &[1, -1],
            FirstToLeap::Lot => &[],
        }
    }
}

/// Reads a seat number, or the older form: `true` if the second seat starts.
fn seat_number<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<u8, D::Error> {
    match Value::deserialize(from)? {
        Value::Bool(second) => Ok(second.into()),
        number => u8::deserialize(number).map_err(D::Error::custom),
    }
}

fn two() -> u8 {
    2
}

parlour_game::rules::rules! { "LeapfrogRules", "LeapfrogPatch",
    /// Rows of the board.
    rows: u8 [1..=18],
    /// Columns of the board.
    cols: u8 [1..=18],
    /// Pieces on the board at the start.
    pieces: Pieces,
    /// Number of leaps in a turn.
    chains: Chains,
    /// Diagonal leaps.
    diagonal: bool,
    /// The seat that makes the first leap: its number from 0, `lot` or `last_chooses`.
    #[serde(alias = "second_seat_starts")]
    first_to_leap: FirstToLeap,
    /// Number of seats.
    seats: u8 [2..=4] = "two",
    /// Seats that remove a piece before the first leap.
    first_captures: FirstCaptures = "FirstCaptures::default",
}

impl Rules {
    /// Plain pieces on a board of this size.
    pub const fn plain(rows: u8, cols: u8) -> Rules {
        Rules {
            rows,
            cols,
            pieces: Pieces::Original,
            chains: Chains::Optional,
            diagonal: false,
            first_to_leap: FirstToLeap::Seat(0),
            seats: 2,
            first_captures: FirstCaptures::Each,
        }
    }

    /// H. J. R. Murray's coloured pieces on a board of this size.
    pub const fn murray(rows: u8, cols: u8) -> Rules {
        Rules { pieces: Pieces::Murray, ..Rules::plain(rows, cols) }
    }

    /// A modern online form: the first seat removes a piece of the lowest value, and the second leaps
    /// first.
    pub const FROGLET: Rules = Rules {
        pieces: Pieces::Colors(Colors { green: 6, red: 21, yellow: 51, white: 66 }),
        first_to_leap: FirstToLeap::Seat(1),
        first_captures: FirstCaptures::FirstSeatLowest,
        ..Rules::plain(12, 12)
    };

    /// The rules of names such as `mini-4x5` and `murray-mini-4x5`, with 1 to 18 rows and columns.
    pub fn mini(name: &str) -> Option<Rules> {
        let (size, of): (_, fn(u8, u8) -> Rules) = match name.strip_prefix("murray-") {
            Some(rest) => (rest, Rules::murray),
            None => (name, Rules::plain),
        };
        let (rows, cols) = size.strip_prefix("mini-")?.split_once('x')?;
        let side = |text: &str| {
            let number: u8 = text.parse().ok()?;
            ((1..=SIDE as u8).contains(&number) && number.to_string() == text).then_some(number)
        };
        Some(of(side(rows)?, side(cols)?))
    }

    /// Number of cells.
    pub fn cells(&self) -> u16 {
        u16::from(self.rows) * u16::from(self.cols)
    }

    /// Number of pieces of each colour; `None` for plain pieces.
    pub fn colors(&self) -> Option<Colors> {
        match self.pieces {
            Pieces::Original => None,
            Pieces::Murray => Some(Colors::murray(self.cells())),
            Pieces::Colors(colors) => Some(colors),
        }
    }

    /// Total worth of the pieces.
    pub fn total_points(&self) -> u32 {
        self.colors().map_or_else(|| u32::from(self.cells()), Colors::points)
    }

    /// Number of seats that remove a piece before the first leap.
    pub(super) fn removers(&self) -> u8 {
        if self.first_captures == FirstCaptures::Each { self.seats } else { 1 }
    }

    /// The fields that are out of range or do not fit together.
    pub fn faults(&self) -> Faults {
        let mut faults = self.ranges();
        if let FirstToLeap::Seat(seat) = self.first_to_leap
            && (2..=4).contains(&self.seats)
        {
            faults.range("first_to_leap", seat, 0..=self.seats - 1);
        }
        if let Some(colors) = self.colors()
            && colors.total() != u32::from(self.cells())
        {
            let each = colors.each().map(|(name, _, count)| format!("{count} {name}")).join(", ");
            let (total, Rules { rows, cols, .. }, cells) = (colors.total(), self, self.cells());
            faults.push(format!(
                "`pieces` has {total} pieces ({each}); {rows} × {cols} cells need {cells}"
            ));
        }
        if self.first_captures == FirstCaptures::FirstSeatGreen
            && self.colors().is_none_or(|c| c.green == 0)
        {
            faults.push("`first_captures` is `first_seat_green`, but `pieces` has no green ones");
        }
        faults
    }
}

impl Ruled for Leapfrog {
    const NAME: &'static str = "leapfrog";
    const RULES_TEXT: &'static str = include_str!("rules.txt");
    type Rules = Rules;
    type Patch = Patch;

    /// The five named variants.
    fn presets() -> Vec<Preset<Rules>> {
        parlour_game::rules::presets! {
            /// plain pieces, 15 rows and columns
            "original" => Rules::plain(15, 15);
            /// plain pieces, 18 rows and columns
            "original-18" => Rules::plain(18, 18);
            /// pieces of four colours worth 1 to 4, laid at random, 15 rows and columns
            "murray" => Rules::murray(15, 15);
            /// pieces of four colours worth 1 to 4, laid at random, 18 rows and columns
            "murray-18" => Rules::murray(18, 18);
            /// 12 rows and columns, colours 66/51/21/6; only the first seat removes a piece,
            /// one of the lowest value
            "froglet" => Rules::FROGLET;
        }
    }

    const UNLISTED: &'static str = "Any board of 1 to 18 rows and columns is named by its size, plain \
         `mini-4x5` or coloured `murray-mini-4x5`.";

    /// The presets, `mini-RxC` and `murray-mini-RxC`.
    fn preset(name: &str) -> Option<Rules> {
        let listed = Leapfrog::presets().into_iter().find(|p| p.name == name);
        listed.map(|p| p.rules).or_else(|| Rules::mini(name))
    }

    fn patched(base: &Rules, patch: &Patch) -> Rules {
        patch.over(base)
    }

    fn new(rules: &Rules) -> Result<Leapfrog> {
        rules.faults().into_result().map(|()| Leapfrog { rules: rules.clone() })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_in_the_ratio_1_2_3_4_rounded_half_to_even() {
        let counts = |cells| {
            let c = Colors::murray(cells);
            assert_eq!(c.total(), u32::from(cells));
            [c.green, c.red, c.yellow, c.white]
        };
        assert_eq!(counts(225), [22, 45, 68, 90]);
        assert_eq!(counts(324), [32, 65, 97, 130]);
        assert_eq!(counts(144), [14, 29, 43, 58]);
        assert_eq!(counts(1), [0, 0, 0, 1]);
        assert_eq!(counts(15), [2, 3, 4, 6]);
        (1..=324).for_each(|cells| assert!(counts(cells)[3] > 0));
    }

    #[test]
    fn small_boards_are_named_by_their_size() {
        assert_eq!(Rules::mini("mini-4x5"), Some(Rules::plain(4, 5)));
        assert_eq!(Rules::mini("murray-mini-1x18"), Some(Rules::murray(1, 18)));
        for name in
            ["mini-0x4", "mini-19x4", "mini-4", "mini-04x4", "mini-+4x4", "mini-4x4x4", "mini", ""]
        {
            assert_eq!(Rules::mini(name), None, "{name}");
        }
    }

    #[test]
    fn faults_name_the_field_and_the_fix() {
        let faults =
            |rules: &Rules| rules.faults().iter().map(ToString::to_string).collect::<Vec<_>>();
        assert!(Leapfrog::presets().iter().all(|p| p.rules.faults().is_empty()));
        let wrong = Rules { rows: 0, seats: 5, ..Rules::plain(4, 19) };
        assert_eq!(
            faults(&wrong),
            [
                "`rows` is 0; it must be from 1 to 18",
                "`cols` is 19; it must be from 1 to 18",
                "`seats` is 5; it must be from 2 to 4"
            ]
        );
        let wrong = Rules { seats: 3, first_to_leap: FirstToLeap::Seat(3), ..Rules::plain(4, 4) };
        assert_eq!(faults(&wrong), ["`first_to_leap` is 3; it must be from 0 to 2"]);
        let wrong = Rules { rows: 11, ..Rules::FROGLET };
        assert_eq!(
            faults(&wrong),
            [
                "`pieces` has 144 pieces (6 green, 21 red, 51 yellow, 66 white); 11 × 12 cells need 132"
            ]
        );
        let wrong = Rules { first_captures: FirstCaptures::FirstSeatGreen, ..Rules::murray(1, 3) };
        assert_eq!(
            faults(&wrong),
            ["`first_captures` is `first_seat_green`, but `pieces` has no green ones"]
        );
    }

    #[test]
    fn rules_have_the_form_of_records() {
        let text = r#"{"rows":4,"cols":4,"pieces":"murray","chains":"optional","diagonal":false,"second_seat_starts":false}"#;
        let rules: Rules = serde_json::from_str(text).unwrap();
        assert_eq!(rules, Rules::murray(4, 4));
        let text = serde_json::to_string(&Rules::FROGLET).unwrap();
        assert!(
            text.contains(r#""pieces":{"colors":{"green":6,"red":21,"yellow":51,"white":66}}"#)
        );
        assert_eq!(serde_json::from_str::<Rules>(&text).unwrap(), Rules::FROGLET);
        for (starts, before) in [("1", "true"), ("0", "false"), ("1", "1")] {
            let old = text.replace("first_to_leap", "second_seat_starts");
            let old = old.replace("starts\":1", &format!("starts\":{before}"));
            let rules: Rules = serde_json::from_str(&old).unwrap();
            assert_eq!(rules.first_to_leap, FirstToLeap::Seat(starts.parse().unwrap()), "{old}");
        }
        let wrong = text.replace("leap\":1", "leap\":\"last\"");
        let fault = serde_json::from_str::<Rules>(&wrong).unwrap_err().to_string();
        assert!(fault.starts_with("expected a seat number from 0"), "{fault}");
    }
}
