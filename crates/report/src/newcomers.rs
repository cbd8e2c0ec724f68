//! Newcomers to a finished tournament: only their own tables are played, on the same deals, and joined
//! with the results of the others.

use std::path::Path;

use crate::compute::summarize;
use crate::folder::Folder;
use crate::manifest::{check_files, timing};
use crate::run::{PlayResult, Run};
use crate::summary::Summary;
use parlour_arena::{
    Catalogue, DynPlan, Overrides, PlanInfo, PlanSource, Progress, ProgressHeader, Schedule,
    StopCondition, TableSpec,
};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{Origin, SourceFile};
use parlour_base::time::SystemTime;
use parlour_stats::Sprt;

/// A finished tournament and its newcomers.
pub struct Newcomers {
    /// The tables of the newcomers.
    pub tables: Box<dyn DynPlan>,
    /// The tournament as it was.
    before: Box<dyn DynPlan>,
    /// All tables.
    all: Box<dyn DynPlan>,
    header: ProgressHeader,
}

impl Newcomers {
    /// Reads a finished tournament; the newcomers are the strategies of another plan.
    ///
    /// # Errors
    /// Bad input if the folder holds no such tournament, a newcomer plays already, or another build or
    /// an edited bot would play.
    pub fn of(
        folder: &Path,
        newcomers: &PlanInfo,
        allow_other_build: bool,
        games: &dyn Catalogue,
    ) -> Result<Newcomers> {
        let (place, name) = (Folder::new(folder), folder.display());
        let mut header = place.header()?;
        check_files(folder, |_| true)?;
        let before = place.plan(&header, games)?;
        // With lists of hands, those of the newcomers would be missing.
        let is_extendable =
            before.info().empty.results.is_some() && !header.hands && !header.records;
        ensure(is_extendable, || {
            Error::input(format!(
                "{name} is not a run of `parlour tournament`, so nobody can be added; start one with `--out`"
            ))
        })?;
        // As this build would begin the run now, with the present files of bots.
        let source = SourceFile::new(&header.resolved.name, Origin::Given, String::new());
        let read = games.plan_reader(&header.resolved.experiment.game)?;
        let now =
            read(PlanSource::Manifest(&header.resolved, &source, None), Overrides::default(), &())?;
        let now = ProgressHeader::of(now.info(), games.program(), false, false, None);
        let refused = |why| Error::input(format!("cannot add to {name}: {why}"));
        header.merge(&now, allow_other_build).map_err(refused)?;
        header.resolved = before.info().with_strategies(&newcomers.experiment().strategies)?;
        header.digest = header.resolved.digest();
        header.inputs.strategies.extend_from_slice(&newcomers.inputs.strategies);
        let all = place.plan(&header, games)?.with_bots()?;
        let played = &before.info().resolved.tables;
        let tables = all.with(&mut |run| run.tables.retain(|table| !played.contains(table)))?;
        Ok(Newcomers { tables, before, all, header })
    }

    /// Plays the tables of the newcomers and replaces the tournament by the joined one. `run` is a run of
    /// these tables into the folder of the tournament.
    ///
    /// # Errors
    /// As [`Run::go`].
    pub fn play(&self, folder: &Path, run: &Run<'_>) -> Result<Summary> {
        let (started, before) = (SystemTime::now(), self.before.info());
        let mut old = Folder::new(folder).progress(&before.empty)?;
        let PlayResult { dir, progress, resumed_chunks, is_complete } =
            run.play_chunks(&run.work(None), true)?;
        ensure(is_complete, || run.stopped(&progress))?;
        let dir = dir.ok_or_else(|| Error::input("newcomers need a folder"))?;
        let mut header = self.header.clone();
        let inputs = header.inputs.strategies.iter_mut().zip(&progress.header.inputs.strategies);
        inputs.for_each(|(input, now)| input.version.clone_from(&now.version));
        let (all, tables) = (self.all.info(), self.tables.info());
        let mut joined = Progress::in_memory(header).at(&dir.work.join(Progress::FILE));
        for (chunk, added) in &progress.chunks {
            let Some(old) = old.chunks.remove(chunk) else { continue };
            let parts = [(before, &old), (tables, added)];
            joined.chunks.insert(*chunk, all.join_tables(parts));
        }
        joined.save()?;
        let summary = summarize(all, &joined.tallies());
        let timing = timing(started, progress.time(), run.threads.max(1), resumed_chunks);
        Folder::new(&dir.work).write(&*self.all, run.program, &joined, &summary, &[], timing)?;
        joined.remove_checkpoints();
        dir.finish()?;
        Ok(summary)
    }

    /// Returns the plan that places a single newcomer: it meets the others until a sequential test has
    /// decided each of its pairings.
    ///
    /// # Errors
    /// Bad input for several newcomers, or if the test cannot decide.
    pub fn placement(&self, test: Sprt) -> Result<(String, Box<dyn DynPlan>)> {
        let mut newcomers = self.all.info().names().skip(self.before.info().names().len());
        let name = newcomers.next().unwrap_or_default().to_owned();
        ensure(newcomers.next().is_none(), || {
            Error::input("`--sprt` places one newcomer; add the others one by one")
        })?;
        let plan = self.tables.with(&mut |run| {
            let experiment = &mut run.experiment;
            (experiment.schedule, experiment.store_deals) = (Schedule::Gauntlet, false);
            experiment.champion = Some(name.clone());
            // The test ends most pairings long before.
            experiment.deals = experiment.deals.saturating_mul(20);
            experiment.until = Some(StopCondition::Sprt(test));
            // The newcomer comes first: the test asks how much stronger it is.
            let swap =
                |TableSpec { line_up, .. }: &mut TableSpec| line_up.sort_by_key(|at| *at != name);
            run.tables.iter_mut().for_each(swap);
        });
        plan.map(|plan| (name, plan))
    }
}
