//! The games of a program by name, and the reading of their plans.

use super::{CustomBots, DynPlan, Overrides, Plan, ProgressHeader, Resolved, custom_bots};
use parlour_base::Program;
use parlour_base::error::Result;
use parlour_base::files::SourceFile;
use parlour_game::strategy::Strategic;

/// The games of a program. Reports and runs need no other knowledge of them.
pub trait Catalogue {
    /// Returns the function that reads the plans of a game.
    ///
    /// # Errors
    /// Bad input if there is no such game.
    fn plan_reader(&self, game: &str) -> Result<PlanReader>;

    /// Returns the program that knows these games.
    fn program(&self) -> Program;
}

/// The source of a plan.
#[derive(Clone, Copy, Debug)]
pub enum PlanSource<'a> {
    /// The text of an experiment.
    Experiment(&'a SourceFile),
    /// A resolved experiment from a manifest, which can be played again.
    Manifest(&'a Resolved, &'a SourceFile),
    /// The header of a finished run. Nobody can play its plan.
    Header(&'a ProgressHeader),
}

/// [`Plan::read`] of some game.
pub type PlanReader = fn(PlanSource<'_>, Overrides, &dyn CustomBots) -> Result<Box<dyn DynPlan>>;

impl<G: Strategic> Plan<G> {
    /// Reads a plan of the game `G`. The header of a run needs neither overrides nor bots.
    ///
    /// # Errors
    /// Bad input, with its place in the file; an experiment that means something else to this program.
    pub fn read(
        source: PlanSource<'_>,
        overrides: Overrides,
        bots: &dyn CustomBots,
    ) -> Result<Box<dyn DynPlan>> {
        Ok(Box::new(match source {
            PlanSource::Experiment(file) => {
                Plan::<G>::from_file(file, overrides, custom_bots(bots)?)?
            }
            PlanSource::Manifest(resolved, file) => {
                Plan::<G>::from_manifest(resolved.clone(), file, overrides, custom_bots(bots)?)?
            }
            PlanSource::Header(header) => Plan::<G>::to_report(header)?,
        }))
    }
}
