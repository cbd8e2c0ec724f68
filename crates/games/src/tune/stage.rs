//! What a tuning is asked for and how far it is: one file, from which it goes on.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Climb, Halving};
use parlour_base::error::{Error, Result};
use parlour_base::files::{parse_json, read_text, write_atomic};

/// All that decides what comes out, together with the program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Settings {
    /// The program: its version and the fingerprint of its sources.
    pub program: String,
    /// The game.
    pub game: String,
    /// The strategy that is tuned, in full.
    pub strategy: Value,
    /// The variants that are played by turns, with their rules in full.
    pub variants: Vec<Value>,
    /// Whom every candidate plays, in full; none where a candidate plays its mirror image.
    pub against: Option<Value>,
    /// The fields that are tuned, or the values to try.
    pub fields: Value,
    /// Deals of all steps of a start, or of all rounds.
    pub deals: u64,
    /// How many starts there are.
    pub starts: u64,
    /// Fresh deals that confirm.
    pub confirm: u64,
    /// What all chance grows from.
    pub seed: u64,
}

/// Whether what was begun at a place was asked for the same.
///
/// # Errors
/// Bad input that names what was asked for otherwise.
pub(super) fn same(was: &Value, is: &Value, place: &Path) -> Result<()> {
    let mut parts = is.as_object().into_iter().flatten();
    match parts.find(|(name, part)| was[*name] != **part) {
        None => Ok(()),
        Some((name, _)) => Err(Error::input(format!(
            "cannot go on from {}: it was begun with another `{name}`; give the same, or remove it",
            place.display()
        ))),
    }
}

/// How far a tuning is.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Stage {
    /// What it is asked for.
    pub settings: Settings,
    /// The climbs that were begun, one for each start.
    pub climbs: Vec<Climb>,
    /// The search among values, where there are some to try.
    pub halving: Option<Halving>,
}

impl Stage {
    /// Where the state of the tuning of a file is kept.
    pub fn path(out: &Path) -> PathBuf {
        out.with_extension("tuning.json")
    }

    /// A state that has not begun, or the one that the file beside `out` holds.
    ///
    /// # Errors
    /// Bad input: a file that is of another tuning, or is there and nobody asked to go on.
    pub fn begin(settings: Settings, out: &Path, resume: bool) -> Result<Stage> {
        let path = Stage::path(out);
        let place = path.display();
        if !path.exists() {
            return Ok(Stage { settings, climbs: Vec::new(), halving: None });
        }
        if !resume {
            return Err(Error::input(format!(
                "{place} holds an unfinished tuning: go on with `--resume`, or remove it, or choose \
                 another file with `--out`"
            )));
        }
        let state: Stage = parse_json(&place.to_string(), &read_text(&path)?)?;
        same(&json!(state.settings), &json!(settings), &path)?;
        Ok(state)
    }

    /// Writes it down.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, out: &Path) -> Result<()> {
        write_atomic(&Stage::path(out), json!(self).to_string() + "\n")
    }
}
