//! A result folder: made ready, written, read again.

use std::path::{Path, PathBuf};

use super::ledger::Ledgers;
use super::manifest::{self, Timing};
use super::{Catalogue, Summary, SweptFields, check, confirm, report, site};
use crate::arena::{DynPlan, PlanInfo, Progress, ProgressHeader, ProgressReader, Resolved, Tally};
use crate::files::write_atomic;
use crate::game::ReplayFn;
use crate::{Error, Program, Result};

/// All files that a run may leave behind, the manifest last.
pub const RESULT_FILES: [&str; 15] = [
    "answer.csv",
    "ladder.csv",
    "matchups.csv",
    "strategies.csv",
    "variants.csv",
    "differences.csv",
    "populations.csv",
    "confirmed.csv",
    "confirm/progress.jsonl",
    "hands.csv",
    "records.jsonl",
    "progress.jsonl",
    report::HANDS,
    report::FILE,
    "manifest.json",
];

/// A folder for the results of one run.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Where it is.
    pub path: PathBuf,
}

impl Folder {
    /// The folder at a path; it need not be there yet.
    pub fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// What the finished chunks in it belong to.
    ///
    /// # Errors
    /// Bad input when there are none, or they are damaged.
    pub fn header(&self) -> Result<ProgressHeader> {
        ProgressHeader::read(&self.progress_file()?)
    }

    /// What is wrong with its header, with its place: the first line of the finished chunks.
    pub fn in_header(&self, error: Error) -> Error {
        error.on_line(&self.path.join(Progress::FILE).display().to_string(), 1)
    }

    fn progress_file(&self) -> Result<PathBuf> {
        let path = self.path.join(Progress::FILE);
        if !path.exists() {
            let (place, folder) = (path.display(), self.path.display());
            if let Some(found) = site::of_protocol(&self.path) {
                return Err(Error::input(format!(
                    "{folder} holds {found}, and no games between players: its {} and its tables tell of it",
                    report::FILE
                )));
            }
            return Err(Error::input(format!(
                "cannot read {place}: {folder} holds no results; a result folder has progress.jsonl (the tallies), manifest.json, the tables and report.html, and `parlour run EXPERIMENT --out {folder}` makes one"
            )));
        }
        Ok(path)
    }

    /// The finished chunks in it, given the plan's tally of no deals.
    pub(super) fn progress(&self, empty: &Tally) -> Result<Progress> {
        let path = self.progress_file()?;
        let progress = Progress::read(&path, empty)?;
        self.no_line_cut(progress.is_cut.then_some(progress.chunks.len() + 2))?;
        Ok(progress)
    }

    /// The finished chunks in it, one after another.
    pub(super) fn chunks(&self) -> Result<ProgressReader> {
        ProgressReader::open(&self.progress_file()?)
    }

    /// Refuses finished chunks of which a line was cut off.
    pub(super) fn no_line_cut(&self, line: Option<usize>) -> Result<()> {
        let Some(line) = line else { return Ok(()) };
        let place = self.path.join(Progress::FILE);
        Err(Error::input(format!(
            "{}: line {line} is cut off; finish the run with `--resume` first",
            place.display()
        )))
    }

    /// Reads the plan of the run, to report on it.
    ///
    /// # Errors
    /// Bad input if there is no such game, or the plan does not fit this program.
    pub(super) fn plan(
        &self,
        header: &ProgressHeader,
        games: &dyn Catalogue,
    ) -> Result<Box<dyn DynPlan>> {
        let plans = games.plans(&header.resolved.experiment.game);
        let plans = plans.map_err(|error| self.in_header(error.in_field("game")))?;
        plans.from_header(header).map_err(|error| self.in_header(error))
    }

    /// Reads a finished run and its plan's header. Another version of the program may have written
    /// the run; figures unknown to that version are not measured.
    ///
    /// # Errors
    /// Bad input if a file is missing, truncated, edited or of another version, if there is no such
    /// game, or if the run is not finished.
    pub fn reread(&self, games: &dyn Catalogue) -> Result<(ProgressHeader, Summary)> {
        self.read(games, true)
    }

    /// Reads a finished run from its tallies alone; the tables may be missing or edited.
    ///
    /// # Errors
    /// As [`reread`](Folder::reread), tables aside.
    pub fn recount(&self, games: &dyn Catalogue) -> Result<(ProgressHeader, Summary)> {
        self.read(games, false)
    }

    fn read(&self, games: &dyn Catalogue, tables_too: bool) -> Result<(ProgressHeader, Summary)> {
        let read = self.header()?;
        check::unchanged(&self.path, tables_too)?;
        let place = self.path.display();
        let playable = self.plan(&read, games)?;
        let plan = playable.info();
        let progress = self.progress(&plan.empty)?;
        let swept = SweptFields::of(plan);
        if tables_too {
            for table in (Summary { swept, ..Summary::blank(&plan.figures) }).tables() {
                check::columns(&self.path, &table)?;
            }
        }
        let chunks = progress.chunks.len() as u64;
        if chunks < plan.stop_decision(&progress.chunks).chunks {
            return Err(Error::input(format!(
                "{place}: {chunks} of {} chunks are there: finish the run with `--resume`, or join all shards with `merge`",
                plan.chunks()
            )));
        }
        let mut summary = Summary::new(plan, &progress.tallies());
        if let Some(fresh) = confirm::fresh(&*playable, &summary)? {
            let fresh = fresh.info();
            confirm::confirm(&mut summary, fresh, &self.fresh_deals(fresh)?);
        }
        Ok((read, summary))
    }

    /// The fresh deals of a finished run.
    fn fresh_deals(&self, fresh: &PlanInfo) -> Result<Progress> {
        let folder = Folder::new(&self.path.join(confirm::FOLDER));
        let decisive = |r: &Resolved| (r.experiment.seed, r.experiment.deals, r.tables.clone());
        if decisive(&folder.header()?.resolved) == decisive(&fresh.resolved) {
            let progress = folder.progress(&fresh.empty)?;
            if progress.chunks.len() as u64 >= fresh.chunks() {
                return Ok(progress);
            }
        }
        Err(Error::input(format!(
            "{}: it does not hold the fresh deals of this run; finish the run with `--resume`",
            folder.path.join(Progress::FILE).display()
        )))
    }

    /// Writes all that follows from the finished chunks.
    pub(super) fn write(
        &self,
        plan: &dyn DynPlan,
        program: Program,
        progress: &Progress,
        summary: &Summary,
        folders: &[(u64, &Path)],
        timing: Timing,
    ) -> Result<()> {
        let ledgers = Ledgers::new(plan.info(), &self.path, &progress.header)?;
        ledgers.bind(&self.path, folders)?;
        summary.tables().iter().try_for_each(|table| table.write(&self.path))?;
        self.write_report(&progress.header, summary, plan.retell())?;
        // Pages may be written again by a later program; the manifest speaks of what lasts.
        let [lasting @ .., _hands, _page, _manifest] = &RESULT_FILES;
        manifest::write(&self.path, plan, program, progress, lasting, timing)?;
        ledgers.tidy();
        Ok(())
    }

    /// Writes the tables of a finished run again, which another program may have written before. The
    /// manifest then names this one beside the one that played.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_tables(&self, program: Program, summary: &Summary) -> Result<()> {
        manifest::rewrite(&self.path, program, &summary.tables())
    }

    /// Writes the page for people, and beside it one on which some hands can be looked at, where the
    /// folder has records: `retell` plays them again.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write_report(
        &self,
        header: &ProgressHeader,
        summary: &Summary,
        retell: ReplayFn,
    ) -> Result<()> {
        let hands = report::write_hands(&self.path, &header.resolved.name, retell)?;
        write_atomic(&self.path.join(report::FILE), report::page(header, summary, &hands))
    }
}
