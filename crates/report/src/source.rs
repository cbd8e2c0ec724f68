//! Where plans come from: an experiment (a file or a text), the manifest of a run, or the header of a
//! finished run.

use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::question::ResolvedQuestion;
use parlour_arena::Plan;
use parlour_arena::{CustomBots, DynPlan, Head, Overrides, ProgressHeader, Resolved, custom_bots};
use parlour_base::Program;
use parlour_base::error::{Error, Result};
use parlour_base::files::{Origin, SourceFile, parse_json};
use parlour_game::strategy::Strategic;

/// The games of a program, by name. Reports and runs need no other knowledge of them.
pub trait Catalogue {
    /// Returns the reader of a game's plans.
    ///
    /// # Errors
    /// Bad input if there is no such game.
    fn plans(&self, game: &str) -> Result<&'static dyn PlanReader>;

    /// Returns the program that knows these games.
    fn program(&self) -> Program;
}

/// Reads the plans of one game. [`GamePlans`] implements it for every game.
pub trait PlanReader: Sync {
    /// Resolves the text of an experiment.
    ///
    /// # Errors
    /// Bad input, with its place in the file.
    fn read_experiment(
        &self,
        source: &SourceFile,
        overrides: Overrides,
        bots: &dyn CustomBots,
    ) -> Result<Box<dyn DynPlan>>;

    /// Reads the plan of a resolved experiment, to play it again.
    ///
    /// # Errors
    /// Bad input if the experiment means something else to this program.
    fn read_manifest(
        &self,
        resolved: Resolved,
        source: &SourceFile,
        overrides: Overrides,
        bots: &dyn CustomBots,
    ) -> Result<Box<dyn DynPlan>>;

    /// Reads the plan of a finished run, to report on it. Nobody can play this plan.
    ///
    /// # Errors
    /// Bad input if the header does not fit this program.
    fn read_header(&self, header: &ProgressHeader) -> Result<Box<dyn DynPlan>>;
}

/// The plans of the game `G`.
pub struct GamePlans<G>(pub PhantomData<fn() -> G>);

impl<G: Strategic> PlanReader for GamePlans<G> {
    fn read_experiment(
        &self,
        source: &SourceFile,
        overrides: Overrides,
        bots: &dyn CustomBots,
    ) -> Result<Box<dyn DynPlan>> {
        Ok(Box::new(Plan::<G>::from_file(source, overrides, custom_bots(bots)?)?))
    }

    fn read_manifest(
        &self,
        resolved: Resolved,
        source: &SourceFile,
        overrides: Overrides,
        bots: &dyn CustomBots,
    ) -> Result<Box<dyn DynPlan>> {
        Ok(Box::new(Plan::<G>::from_manifest(resolved, source, overrides, custom_bots(bots)?)?))
    }

    fn read_header(&self, header: &ProgressHeader) -> Result<Box<dyn DynPlan>> {
        Ok(Box::new(Plan::<G>::to_report(header)?))
    }
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
    let read = || {
        let place = found.place();
        if parse_json::<SourceKind>(&place, &found.text)?.is_manifest() {
            let Manifest { experiment } = parse_json(&place, &found.text)?;
            let (name, game) = (experiment.name.clone(), &experiment.experiment.game);
            let plans = games.plans(game).map_err(|error| error.in_field("experiment.game"));
            let plan = plans
                .and_then(|plans| plans.read_manifest(experiment.clone(), found, overrides, bots));
            return Ok((name, plan.map_err(|error| error.in_file(&place))?));
        }
        let head: Head = parse_json(&place, &found.text)?;
        let plans = games.plans(&head.game);
        let plans = plans.map_err(|error| error.in_field("game").in_file(&place))?;
        let plan = plans.read_experiment(found, overrides, bots)?;
        ResolvedQuestion::of(plan.info()).map_err(|error| error.in_file(&place))?;
        Ok((found.name.clone(), plan))
    };
    read().map_err(|error: Error| match found.origin {
        Origin::Given => error.without_lines(),
        _ => error,
    })
}

/// The fields that tell a manifest from an experiment.
#[derive(Deserialize)]
struct SourceKind {
    experiment: Option<IgnoredAny>,
    files: Option<IgnoredAny>,
}

impl SourceKind {
    fn is_manifest(&self) -> bool {
        self.experiment.is_some() && self.files.is_some()
    }
}

/// The part of a manifest that a rerun needs.
#[derive(Deserialize)]
struct Manifest {
    experiment: Resolved,
}
