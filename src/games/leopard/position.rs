//! A position as one seat sees it, in the form that people write by hand.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CELLS, Leopard, Patch, Rules, Setup, View};
use crate::cards::Card;
use crate::error::{Faults, Result, unknown};
use crate::files::parse_json;
use crate::game::{Game, Ruled, Seat, Shown, read_position};

/// What a seat knows when it must choose, after its draw. It may be wrong; a [`View`] made of it
/// is not.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "LeopardPositionByHand")]
pub struct Position {
    /// `leopard`.
    #[serde(default)]
    pub game: String,
    /// The variant's name; `revised` when left out.
    #[serde(default = "revised")]
    pub variant: String,
    /// Rules that differ from the variant's.
    #[serde(default)]
    pub rules: Patch,
    /// The seat that chooses, 0 or 1 (0 moved first in the hand).
    #[serde(default)]
    pub seat: u8,
    /// Its cards.
    pub hand: Vec<Card>,
    /// The face-up cards on its own nine cells, row by row; null for an open cell.
    pub own: Vec<Option<Card>>,
    /// The other's square.
    pub other: Vec<Option<Card>>,
    /// The cards seen that are out of play: discarded, laid face down, or lying under others.
    #[serde(default)]
    pub gone: Vec<Card>,
    /// How many cards the stock has.
    pub stock: u32,
    /// How many cards the other seat holds.
    pub other_held: u32,
    /// Whether a play has been made in this turn.
    #[serde(default)]
    pub played: bool,
}

fn revised() -> String {
    "revised".to_owned()
}

/// Which of the two forms of a position it is.
#[derive(Deserialize)]
struct Form {
    view: Option<serde::de::IgnoredAny>,
}

/// Reads a position by hand, or one that a program wrote.
pub(super) fn read(file: &str, text: &str) -> Result<Shown<Leopard>> {
    if parse_json::<Form>(file, text)?.view.is_some() {
        return read_position(file, text);
    }
    let position: Position = parse_json(file, text)?;
    let (game, view) = position.view().map_err(|error| error.in_file(file))?;
    Shown::checked(game, view, Vec::new()).map_err(|error| error.in_file(file))
}

impl Position {
    /// The game and what the seat sees.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn view(&self) -> Result<(Leopard, View)> {
        let mut faults = Faults::default();
        let rules = Leopard::preset(&self.variant).unwrap_or_else(|| {
            let names = Leopard::presets();
            let names = names.iter().map(|preset| preset.name);
            faults.push(unknown("variant of leopard", &self.variant, names));
            Rules::REVISED
        });
        let rules = Leopard::patched(&rules, &self.rules);
        if self.seat > 1 {
            faults.push(format!("`seat` is {}; it must be 0 or 1", self.seat));
        }
        let seat = usize::from(self.seat) & 1;
        let mut setup = Setup { to_move: seat as u8, played: self.played, ..Setup::default() };
        for (name, cells, at) in [("own", &self.own, seat), ("other", &self.other, seat ^ 1)] {
            match <[Option<Card>; CELLS]>::try_from(&cells[..]) {
                Ok(cells) => setup.squares[at] = cells,
                Err(_) => {
                    let said = cells.len();
                    faults.push(format!("`{name}` has {said} cells; a square has nine"));
                }
            }
        }
        setup.hands[seat].clone_from(&self.hand);
        setup.gone.clone_from(&self.gone);
        // What is named too often is complained of below.
        let unseen = setup.stock(&mut Faults::default());
        let (left, said) = (unseen.len(), u64::from(self.stock) + u64::from(self.other_held));
        if u64::from(left) != said {
            faults.push(format!(
                "`stock` and `other_held` make {said} cards; of 104, {left} are not in `hand`, \
                 `own`, `other` or `gone`"
            ));
        }
        // Any cards will do for the other seat: a view does not show them.
        setup.hands[seat ^ 1] = unseen.cards().take(self.other_held.min(104) as usize).collect();
        match setup.state(&rules).map_err(|more| faults.add(more)) {
            Ok(state) if faults.is_empty() => {
                let game = Leopard::new(&rules)?;
                let view = game.view(&state, Seat(seat as u8));
                Ok((game, view))
            }
            _ => Err(faults.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Side;
    use super::*;

    fn position() -> Position {
        serde_json::from_str(
            r#"{ "hand": ["AS", "KD"], "own": [null, "2H", null, null, null, null, null, null, null],
                 "other": [null, null, null, null, null, null, null, null, null],
                 "gone": ["JS"], "stock": 92, "other_held": 8 }"#,
        )
        .unwrap()
    }

    #[test]
    fn a_right_position_is_a_view() {
        let (game, view) = position().view().unwrap();
        assert_eq!(view.hand.len(), 2);
        assert_eq!(view.unseen.len(), 100);
        assert_eq!((view.stock_len, view.held), (92, [2, 8]));
        assert_eq!(format!("{:?}", view.square(Side::Own)), ".H./.../...");
        let mut options = Vec::new();
        game.options(&view, &mut options);
        assert!(!options.is_empty());
    }

    #[test]
    fn every_fault_is_named() {
        let mut wrong = position();
        wrong.variant = "revisd".to_owned();
        (wrong.seat, wrong.stock) = (3, 500);
        wrong.own.pop();
        wrong.hand = vec!["AS".parse().unwrap(); 3];
        wrong.other[0] = Some("2C".parse().unwrap());
        wrong.other[1] = Some("JC".parse().unwrap());
        let faults = wrong.view().unwrap_err();
        assert_eq!(faults.faults().len(), 7, "{faults:#?}");
    }
}
