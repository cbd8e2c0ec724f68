//! Plans of any game behind one object-safe trait, and the catalogue of games that reads them.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{
    BotFactory, Chunk, CustomBots, Input, Inputs, Overrides, PartialChunk, Plan, PlanInfo,
    ProgressHeader, Resolved, Tally, custom_bots, execute_chunk,
};
use parlour_base::Program;
use parlour_base::error::Result;
use parlour_base::files::{Origin, SourceFile, parse_json};
use parlour_game::strategy::Strategic;
use parlour_game::{ReplayFn, ReplayView};

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
    /// A resolved experiment from a manifest, which can be played again; with the sources of the run
    /// that is repeated, if they are known.
    Manifest(&'a Resolved, &'a SourceFile, Option<&'a Inputs>),
    /// The header of a finished run. Nobody can play its plan.
    Header(&'a ProgressHeader),
}

/// [`Plan::read`](super::Plan::read) of some game.
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
        let bots = custom_bots(bots)?.into_iter().collect();
        let plan = match source {
            PlanSource::Experiment(file) => {
                let place = file.place();
                let mut experiment = parse_json(&place, &file.text)?;
                overrides.apply(&mut experiment);
                let plan = Plan::<G>::resolve_from(&file.name, &experiment, Some(file), bots);
                plan.map_err(|error| error.in_file(&place))?
            }
            PlanSource::Manifest(resolved, file, inputs) => {
                let mut resolved = resolved.clone();
                overrides.apply(&mut resolved.experiment);
                let mut plan = Plan::<G>::from_manifest(resolved, file, bots)?;
                if let Some(Inputs { experiment, strategies }) = inputs {
                    plan.info.inputs.experiment.clone_from(experiment);
                    for (now, then) in plan.info.inputs.strategies.iter_mut().zip(strategies) {
                        // The files of a command are those of today.
                        let files = std::mem::take(&mut now.files);
                        *now = Input { files, version: None, ..then.clone() };
                    }
                }
                plan
            }
            PlanSource::Header(header) => {
                let (resolved, inputs) = (header.resolved.clone(), header.inputs.clone());
                let mut plan = Plan::<G>::derive(resolved, inputs, [], None)?;
                plan.info.digest.clone_from(&header.digest);
                plan
            }
        };
        Ok(Box::new(plan))
    }
}

/// A plan of any game. Code on top of it, from runs to reports, is compiled once for all games.
pub trait DynPlan: Send + Sync {
    /// Returns the plan without its game's types.
    fn info(&self) -> &PlanInfo;

    /// Plays a chunk, as [`execute_chunk`](super::execute_chunk) does.
    ///
    /// # Errors
    /// If a hand cannot be logged; bad input if the plan has no players.
    fn execute_chunk(&self, chunk: Chunk<'_>) -> Result<PartialChunk>;

    /// Returns the plan with a change of its resolved experiment.
    ///
    /// # Errors
    /// Bad input if it cannot be played then.
    fn with(&self, change: &mut dyn FnMut(&mut Resolved)) -> Result<Box<dyn DynPlan>>;

    /// Returns the plan with players, made from the options of its strategies in the resolved experiment.
    ///
    /// # Errors
    /// Bad input if a strategy cannot be read any more or differs in this program.
    fn with_bots(&self) -> Result<Box<dyn DynPlan>>;

    /// Starts all external bots; the flag cancels their questions. Their standard error goes into
    /// `folder`. Returns the versions that they report, by strategy.
    ///
    /// # Errors
    /// Bad input if one does not start or does not speak the protocol.
    fn prepare(&self, folder: Option<&Path>, stop: &Arc<AtomicBool>)
    -> Result<Vec<Option<String>>>;

    /// Counts the failures of external bots in these tallies for their limits of failed hands.
    fn resume_faults(&self, tallies: &[Tally]);

    /// Returns the function that replays a record of the game.
    fn replay_fn(&self) -> ReplayFn;

    /// Returns the built-in data that the strategies use, as pairs of a name and a digest.
    fn knowledge(&self) -> Vec<(&'static str, String)>;
}

impl<G: Strategic> DynPlan for Plan<G> {
    fn info(&self) -> &PlanInfo {
        self
    }

    fn execute_chunk(&self, chunk: Chunk<'_>) -> Result<PartialChunk> {
        execute_chunk(self, chunk)
    }

    fn with(&self, change: &mut dyn FnMut(&mut Resolved)) -> Result<Box<dyn DynPlan>> {
        let mut resolved = self.resolved.clone();
        change(&mut resolved);
        let (inputs, bots, luck) = (&self.inputs, &self.bots, &self.luck_judge);
        let plan = Plan::derive(resolved, inputs.clone(), bots.clone(), luck.clone())?;
        Ok(Box::new(plan))
    }

    fn with_bots(&self) -> Result<Box<dyn DynPlan>> {
        let source = SourceFile::new(&self.resolved.name, Origin::Given, String::new());
        let resolved = self.resolved.clone();
        let mut plan = Plan::<G>::from_manifest(resolved, &source, BTreeMap::new())?;
        plan.info.inputs.clone_from(&self.inputs);
        Ok(Box::new(plan))
    }

    fn prepare(
        &self,
        folder: Option<&Path>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Vec<Option<String>>> {
        let all = self.bots.iter().zip(self.names());
        all.map(|(bots, name)| bots.prepare(name, folder, Some(stop))).collect()
    }

    fn resume_faults(&self, tallies: &[Tally]) {
        for tally in tallies {
            for (table, counted) in self.tables.iter().zip(&tally.tables) {
                for (&strategy, slot) in table.line_up.iter().zip(&counted.slots) {
                    if let Some(BotFactory::External(_, players)) = self.bots.get(strategy) {
                        players.add_faults(slot.faults);
                    }
                }
            }
        }
    }

    fn replay_fn(&self) -> ReplayFn {
        ReplayView::read::<G>
    }

    fn knowledge(&self) -> Vec<(&'static str, String)> {
        let specs = self.bots.iter().filter_map(BotFactory::spec);
        let mut all = G::knowledge(&specs.map(|spec| &spec.kind).collect::<Vec<_>>());
        all.extend(self.resolved.judge.clone().map(|digest| ("judge of luck", digest)));
        let judge = self.decision_judge.as_ref().map(|judge| judge.digest.clone());
        all.extend(judge.map(|digest| ("judge of decisions", digest)));
        all
    }
}
