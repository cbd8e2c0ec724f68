//! Plans from files: an experiment, or the manifest of a run.

use serde::Deserialize;
use serde_json::Value;

use crate::answer::check_question;
use parlour_arena::{Catalogue, CustomBots, DynPlan, Head, Overrides, PlanSource, Resolved};
use parlour_base::error::Result;
use parlour_base::files::{Origin, SourceFile, parse_json};

/// The part of a manifest that a rerun needs.
#[derive(Deserialize)]
struct Manifest {
    experiment: Resolved,
}

/// Reads a plan from an experiment or from the manifest of a run; returns its name too.
///
/// # Errors
/// Bad input, with its place in the file; a text without a file has no line numbers.
pub fn plan_from_source(
    found: &SourceFile,
    overrides: Overrides,
    bots: &dyn CustomBots,
    games: &dyn Catalogue,
) -> Result<(String, Box<dyn DynPlan>)> {
    let place = found.place();
    let read = || {
        let json: Value = parse_json(&place, &found.text)?;
        if ["experiment", "files"].iter().all(|field| !json[field].is_null()) {
            let Manifest { experiment } = parse_json(&place, &found.text)?;
            let reader = games.plan_reader(&experiment.experiment.game);
            let plan = reader
                .map_err(|error| error.in_field("experiment.game"))
                .and_then(|read| read(PlanSource::Manifest(&experiment, found), overrides, bots));
            return Ok((experiment.name.clone(), plan.map_err(|error| error.in_file(&place))?));
        }
        let Head { game, .. } = parse_json(&place, &found.text)?;
        let reader = games.plan_reader(&game);
        let reader = reader.map_err(|error| error.in_field("game").in_file(&place))?;
        let plan = reader(PlanSource::Experiment(found), overrides, bots)?;
        check_question(plan.info()).map_err(|error| error.in_file(&place))?;
        Ok((found.name.clone(), plan))
    };
    match found.origin {
        Origin::Given => read().map_err(parlour_base::error::Error::without_lines),
        _ => read(),
    }
}
