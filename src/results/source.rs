//! What a run is made of: an experiment, in a file or given as a text, or the manifest of a run.

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::Asked;
use crate::arena::{Bots, Head, Overrides, Playable, Resolved};
use crate::files::{Found, Origin, parse_json};
use crate::games::with_game;
use crate::{Error, Plan, Result, Strategic};

/// The bots that a calling program brings along, whatever the game.
pub trait Brought {
    /// Each by the name that the experiment gives it.
    fn bots<G: Strategic>(&self) -> Vec<(&str, Bots<G>)>;
}

/// None.
impl Brought for () {
    fn bots<G: Strategic>(&self) -> Vec<(&str, Bots<G>)> {
        Vec::new()
    }
}

/// What a text comes to that says what is to be run: its name, and the plan.
///
/// # Errors
/// Bad input, with its place in the file; a text that was given has no lines.
pub fn to_run(
    found: &Found,
    overrides: Overrides,
    own: &impl Brought,
) -> Result<(String, Box<dyn Playable>)> {
    let read = || {
        let place = found.place();
        if parse_json::<Form>(&place, &found.text)?.is_manifest() {
            let Manifest { experiment } = parse_json(&place, &found.text)?;
            let (name, game) = (experiment.name.clone(), experiment.experiment.game.clone());
            let plan =
                with_game!(game.as_str(), G => again::<G>(experiment, found, overrides, own))
                    .map_err(|error| error.in_field("experiment.game").in_file(&place))?;
            return Ok((name, plan.map_err(|error| error.in_file(&place))?));
        }
        let head: Head = parse_json(&place, &found.text)?;
        let plan = with_game!(head.game.as_str(), G => planned::<G>(found, overrides, own))
            .map_err(|error| error.in_field("game").in_file(&place))?;
        Ok((found.name.clone(), plan?))
    };
    read().map_err(|error: Error| match found.origin {
        Origin::Given => error.without_lines(),
        _ => error,
    })
}

/// Whether a file is the manifest of a run.
#[derive(Deserialize)]
struct Form {
    experiment: Option<IgnoredAny>,
    files: Option<IgnoredAny>,
}

impl Form {
    fn is_manifest(&self) -> bool {
        self.experiment.is_some() && self.files.is_some()
    }
}

/// What a manifest says of what was played.
#[derive(Deserialize)]
struct Manifest {
    experiment: Resolved,
}

fn again<G: Strategic>(
    resolved: Resolved,
    source: &Found,
    overrides: Overrides,
    own: &impl Brought,
) -> Result<Box<dyn Playable>> {
    Ok(Box::new(Plan::<G>::again(resolved, source, overrides, own.bots::<G>())?))
}

/// The plan of an experiment of this game.
fn planned<G: Strategic>(
    found: &Found,
    overrides: Overrides,
    own: &impl Brought,
) -> Result<Box<dyn Playable>> {
    let plan = Plan::<G>::from_file_with(found, overrides, own.bots::<G>())?;
    Asked::of(&plan).map_err(|error| error.in_file(&found.place()))?;
    Ok(Box::new(plan))
}
