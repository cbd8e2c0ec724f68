//! Objectives of a question: goals for figures, and wanted win rates between players.

use itertools::Itertools;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use parlour_base::error::{Error, Result, ensure};

/// An objective, as a question or a command names it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Objective {
    /// A goal or a limit for a figure, as `turns=min` or `turns<=45`.
    Figure(String),
    /// Win rates to come near to.
    WinRates(WinRates),
}

/// The win rates between players that the rules should lead to; a draw counts half.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WinRates {
    /// The players: strategies of the run.
    pub players: Vec<String>,
    /// For each player a row with the wanted win rate against each player, from 0 to 1. Each entry and its
    /// mirror image add up to 1.
    pub win_rates: Vec<Vec<f64>>,
}

impl WinRates {
    /// Checks the shape and the entries.
    ///
    /// # Errors
    /// Bad input, with the place of the wrong row or entry.
    pub fn check(&self) -> Result<()> {
        let (players, count) = (&self.players, self.players.len());
        let fault = |text: String, place: &str| Err(Error::input(text).in_field(place));
        if let Some(name) = players.iter().duplicates().next() {
            return fault(format!("`{name}` is listed twice; keep one"), "players");
        }
        ensure(count > 1, || {
            Error::input("a matrix needs two players or more").in_field("players")
        })?;
        let lengths = self.win_rates.iter().map(Vec::len);
        if self.win_rates.len() != count {
            return fault(format!("{count} players need {count} rows, one for each"), "win_rates");
        }
        if let Some((row, _)) = lengths.enumerate().find(|(_, length)| *length != count) {
            let text = format!("{count} players need {count} entries in each row");
            return fault(text, &format!("win_rates[{row}]"));
        }
        for (row, column) in (0..count).cartesian_product(0..count) {
            let (rate, mirror) = (self.win_rates[row][column], self.win_rates[column][row]);
            let place = format!("win_rates[{row}][{column}]");
            if !(0.0..=1.0).contains(&rate) {
                return fault(format!("{rate} is not a win rate; it must be from 0 to 1"), &place);
            }
            if (rate + mirror - 1.0).abs() > 1e-9 {
                let text = match row == column {
                    true => format!("{rate} of `{}` against itself; write 0.5", players[row]),
                    false => format!(
                        "{rate} and its mirror image {mirror} do not add up to 1; `{}` against `{}` \
                         must be 1 minus the reverse",
                        players[row], players[column]
                    ),
                };
                return fault(text, &place);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_matrices_are_refused_with_their_place() {
        let check = |players: &[&str], win_rates: &[&[f64]]| {
            let players = players.iter().map(|name| (*name).to_owned()).collect();
            let win_rates = win_rates.iter().map(|row| row.to_vec()).collect();
            WinRates { players, win_rates }.check().map_err(|error| error.to_string())
        };
        assert_eq!(check(&["a", "b"], &[&[0.5, 0.7], &[0.3, 0.5]]), Ok(()));
        for (players, rates, text) in [
            (&["a", "b"][..], &[&[0.5, 0.7][..]][..], "2 players need 2 rows"),
            (&["a", "b"], &[&[0.5, 0.7], &[0.3]], "`win_rates[1]`"),
            (&["a", "b"], &[&[0.5, 0.7], &[0.4, 0.5]], "do not add up to 1"),
            (&["a", "b"], &[&[0.5, 1.7], &[-0.7, 0.5]], "must be from 0 to 1"),
            (&["a", "b"], &[&[0.6, 0.7], &[0.3, 0.5]], "write 0.5"),
            (&["a", "a"], &[&[0.5, 0.5], &[0.5, 0.5]], "`a` is listed twice"),
            (&["a"], &[&[0.5]], "two players"),
        ] {
            let found = check(players, rates).unwrap_err();
            assert!(found.contains(text), "{found}");
        }
    }
}
