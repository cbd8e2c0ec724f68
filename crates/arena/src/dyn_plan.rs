//! Plans of any game behind one object-safe trait.

use std::path::Path;

use super::{BotFactory, Chunk, ChunkOutcome, Plan, PlanInfo, Resolved, execute_chunk};
use parlour_base::error::Result;
use parlour_game::strategy::Strategic;
use parlour_game::{ReplayFn, ReplayView};

/// A plan of any game. Code on top of it, from runs to reports, is compiled once for all games.
pub trait DynPlan: Send + Sync {
    /// Returns the plan without its game's types.
    fn info(&self) -> &PlanInfo;

    /// Plays a chunk, as [`execute_chunk`](super::execute_chunk) does.
    ///
    /// # Errors
    /// If a hand cannot be logged; bad input if the plan has no players.
    fn execute_chunk(&self, chunk: Chunk<'_>) -> Result<ChunkOutcome>;

    /// Returns the plan with a change of its resolved experiment.
    ///
    /// # Errors
    /// Bad input if it cannot be played then.
    fn with(&self, change: &mut dyn FnMut(&mut Resolved)) -> Result<Box<dyn DynPlan>>;

    /// Returns the plan with players, made from the saved texts of its strategies.
    ///
    /// # Errors
    /// Bad input if a strategy cannot be read any more or differs in this program.
    fn with_bots(&self) -> Result<Box<dyn DynPlan>>;

    /// Starts all external bots. Their standard error goes into `folder`.
    ///
    /// # Errors
    /// Bad input if one does not start or does not speak the protocol.
    fn prepare(&self, folder: Option<&Path>) -> Result<()>;

    /// Returns the function that replays a record of the game.
    fn retell(&self) -> ReplayFn;

    /// Returns the built-in data that the strategies use, as pairs of a name and a digest.
    fn knowledge(&self) -> Vec<(&'static str, String)>;
}

impl<G: Strategic> DynPlan for Plan<G> {
    fn info(&self) -> &PlanInfo {
        self
    }

    fn execute_chunk(&self, chunk: Chunk<'_>) -> Result<ChunkOutcome> {
        execute_chunk(self, chunk)
    }

    fn with(&self, change: &mut dyn FnMut(&mut Resolved)) -> Result<Box<dyn DynPlan>> {
        Ok(Box::new(Plan::with(self, change)?))
    }

    fn with_bots(&self) -> Result<Box<dyn DynPlan>> {
        Ok(Box::new(Plan::with_bots(self)?))
    }

    fn prepare(&self, folder: Option<&Path>) -> Result<()> {
        for (strategy, bots) in self.bots.iter().enumerate() {
            if let BotFactory::External(_, players) = bots {
                let name = self.name_of(strategy);
                players
                    .prepare(name, folder)
                    .map_err(|error| error.in_part(format!("strategy `{name}`")))?;
            }
        }
        Ok(())
    }

    fn retell(&self) -> ReplayFn {
        ReplayView::read::<G>
    }

    fn knowledge(&self) -> Vec<(&'static str, String)> {
        let specs = self.bots.iter().filter_map(BotFactory::spec);
        let mut all = G::knowledge(&specs.map(|spec| &spec.kind).collect::<Vec<_>>());
        all.extend(self.resolved.judge.clone().map(|digest| ("judge of luck", digest)));
        let sampler = self.decision_sampler.as_ref();
        let judge = sampler.and_then(|sampler| sampler.judge_digest());
        all.extend(judge.map(|digest| ("judge of decisions", digest)));
        all
    }
}
