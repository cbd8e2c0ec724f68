//! The results of a run in a folder: writing, and reading again; and plans from files.

use std::path::{Path, PathBuf};

use itertools::Itertools;
use serde::Deserialize;
use serde_json::Value;

use crate::answer::check_question;
use crate::compute::summarize;
use crate::manifest::{check_columns, check_files, is_derived};
use crate::run_dir::{CONFIRM_DIR, REPORT_PAGE, RESULT_FILES, special_file};
use crate::summary::Summary;
use crate::swept::SweptFields;
use crate::table::Table;
use crate::{confirm, manifest, report};
use parlour_arena::{
    Catalogue, CustomBots, DynPlan, Experiment, HandLogs, HandRow, Head, Overrides, PlanInfo,
    PlanSource, Progress, ProgressHeader, Resolved, Tally,
};
use parlour_base::Program;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{Origin, SourceFile, cannot_read, parse_json, write_atomic};
use parlour_game::ReplayFn;

/// A folder with the results of a run.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Path of the folder.
    pub path: PathBuf,
}

impl Folder {
    /// Returns the folder at a path, which need not exist yet.
    pub fn new(path: &Path) -> Folder {
        Folder { path: path.to_owned() }
    }

    /// Reads the header of the finished chunks.
    ///
    /// # Errors
    /// Bad input if there are none, or they are damaged.
    pub fn header(&self) -> Result<ProgressHeader> {
        ProgressHeader::read(&self.progress_file()?)
    }

    /// Adds the place of the header to an error.
    pub fn in_header(&self, error: Error) -> Error {
        error.on_line(&self.path.join(Progress::FILE).display().to_string(), 1)
    }

    fn progress_file(&self) -> Result<PathBuf> {
        let path = self.path.join(Progress::FILE);
        if let Some(name) = special_file(&self.path) {
            let what = "it is not a regular file";
            return Err(cannot_read(&self.path.join(name), &what));
        }
        ensure(path.exists(), || {
            let (place, folder) = (path.display(), self.path.display());
            let study = manifest::read(&self.path).filter(|json| json["protocol"].is_string());
            Error::input(match study.map(|study| manifest::description(&study)) {
                Some(study) => format!(
                    "{folder} contains {study}, not a run between players; see its {REPORT_PAGE} and tables"
                ),
                None => format!(
                    "cannot read {place}: {folder} is not a results folder, which has progress.jsonl, manifest.json, tables and report.html; `parlour run EXPERIMENT --out {folder}` creates one"
                ),
            })
        })?;
        Ok(path)
    }

    /// Reads the finished chunks. `empty` is the plan's tally of no deals.
    pub(super) fn progress(&self, empty: &Tally) -> Result<Progress> {
        let progress = Progress::read(&self.progress_file()?, empty)?;
        ensure(!progress.is_cut, || {
            let (place, line) = (self.path.join(Progress::FILE), progress.chunks.len() + 2);
            Error::input(format!(
                "{}: line {line} is cut off; finish the run with `--resume` first",
                place.display()
            ))
        })?;
        Ok(progress)
    }

    /// Reads the plan of the run for a report.
    ///
    /// # Errors
    /// Bad input if the game is unknown, or the plan does not fit this program.
    pub(super) fn plan(
        &self,
        header: &ProgressHeader,
        games: &dyn Catalogue,
    ) -> Result<Box<dyn DynPlan>> {
        let reader = games.plan_reader(&header.resolved.experiment.game);
        let reader = reader.map_err(|error| self.in_header(error.in_field("game")))?;
        let plan = reader(PlanSource::Header(header), Overrides::default(), &());
        plan.map_err(|error| self.in_header(error))
    }

    /// Reads a finished run with its header. Another version of the program may have written it; figures
    /// unknown to that version count as not measured. Without `tables` the tables may be missing
    /// or edited: everything is computed from the tallies.
    ///
    /// # Errors
    /// Bad input if a file is missing, cut, edited or of another version, the game is unknown, or the
    /// run is unfinished.
    pub fn read(&self, games: &dyn Catalogue, tables: bool) -> Result<(ProgressHeader, Summary)> {
        let header = self.header()?;
        check_files(&self.path, |name| tables || !is_derived(name))?;
        let playable = self.plan(&header, games)?;
        let plan = playable.info();
        let progress = self.progress(&plan.empty)?;
        if tables {
            let swept = SweptFields::of(plan);
            for table in (Summary { swept, ..Summary::blank(&plan.figures) }).tables() {
                check_columns(&self.path, &table)?;
            }
        }
        let chunks = progress.chunks.len() as u64;
        ensure(chunks >= plan.stop_decision(&progress.chunks).chunks, || {
            Error::input(format!(
                "{}: only {chunks} of {} chunks exist; finish the run with `--resume`, or combine all shards with `parlour merge`",
                self.path.display(),
                plan.resolved.chunks()
            ))
        })?;
        let mut summary = summarize(plan, &progress.tallies());
        if let Some(fresh) = confirm::fresh_plan(&*playable, &summary)? {
            let fresh = fresh.info();
            confirm::add_confirmations(&mut summary, fresh, &self.fresh_deals(fresh)?);
        }
        Ok((header, summary))
    }

    /// Reads the fresh deals that confirm a finished run.
    fn fresh_deals(&self, fresh: &PlanInfo) -> Result<Progress> {
        let folder = Folder::new(&self.path.join(CONFIRM_DIR));
        let key = |r: &Resolved| (r.experiment.seed, r.experiment.deals, r.tables.clone());
        if key(&folder.header()?.resolved) == key(&fresh.resolved) {
            let progress = folder.progress(&fresh.empty)?;
            if progress.chunks.len() as u64 >= fresh.resolved.chunks() {
                return Ok(progress);
            }
        }
        Err(Error::input(format!(
            "{} does not contain the fresh deals of this run; finish the run with `--resume`",
            folder.path.join(Progress::FILE).display()
        )))
    }

    /// Writes everything that follows from the finished chunks.
    pub(super) fn write(
        &self,
        plan: &dyn DynPlan,
        program: Program,
        progress: &Progress,
        summary: &Summary,
        folders: &[(u64, &Path)],
        timing: Value,
    ) -> Result<()> {
        let logs = HandLogs::new(plan.info(), &self.path, &progress.header)?;
        let rows = Table::empty::<HandRow<'_>>("hands", logs.seats);
        let tallies = progress.chunks.values();
        let hands =
            tallies.clone().map(|tally| tally.deals).sum::<u64>() * plan.info().hands_per_deal();
        let slots = tallies.flat_map(|tally| &tally.tables).flat_map(|table| &table.slots);
        // A hand with a failure has no record, and one of several failures is counted several times.
        let faults: u64 = slots.map(|slot| slot.faults).sum();
        let hands = hands.saturating_sub(faults)..=hands;
        logs.join_chunks(&self.path, folders, &(rows.heads().join(",") + "\n"), &hands)?;
        summary.tables().iter().try_for_each(|table| table.write(&self.path))?;
        self.write_report(&progress.header, summary, plan.replay_fn())?;
        // The manifest has no digests of pages, which a later program may write again.
        let [data_files @ .., _map_page, _hands_page, _report_page, _manifest] = &RESULT_FILES;
        manifest::write_of_run(&self.path, plan, program, progress, data_files, timing)?;
        logs.remove_parts();
        Ok(())
    }

    /// Rewrites the tables of a finished run. The manifest then names this program as their author.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_tables(&self, program: Program, summary: &Summary) -> Result<()> {
        manifest::rewrite_tables(&self.path, program, &summary.tables())
    }

    /// Writes the report page, and a page of selected hands if the folder has records, which `replay_fn`
    /// replays.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_report(
        &self,
        header: &ProgressHeader,
        summary: &Summary,
        replay_fn: ReplayFn,
    ) -> Result<()> {
        let hands = report::write_hands(&self.path, &header.resolved.name, replay_fn)?;
        write_atomic(&self.path.join(REPORT_PAGE), report::page(header, summary, &hands))
    }
}

/// The part of a manifest that a rerun needs.
#[derive(Deserialize)]
struct Manifest {
    experiment: Resolved,
    #[serde(default)]
    experiment_digest: Option<String>,
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
            let Manifest { experiment, experiment_digest } = parse_json(&place, &found.text)?;
            ensure(experiment_digest.is_none_or(|digest| digest == experiment.digest()), || {
                let what = "its digest does not match: the manifest was damaged or edited";
                Error::input(what).in_field("experiment").in_file(&place)
            })?;
            let header = Path::new(&place).parent().and_then(|dir| Folder::new(dir).header().ok());
            let header = header.filter(|header| header.digest == experiment.digest());
            let inputs = header.as_ref().map(|header| &header.inputs);
            let reader = games.plan_reader(&experiment.experiment.game);
            let source = PlanSource::Manifest(&experiment, found, inputs);
            let plan = reader
                .map_err(|error| error.in_field("experiment.game"))
                .and_then(|read| read(source, overrides, bots));
            return Ok((experiment.name.clone(), plan.map_err(|error| error.in_file(&place))?));
        }
        // Without a game, a misspelled field is the likely fault.
        let head = parse_json::<Head>(&place, &found.text).map_err(|error| {
            parse_json::<Experiment<Value>>(&place, &found.text).err().unwrap_or(error)
        });
        let Head { game, .. } = head?;
        let reader = games.plan_reader(&game);
        let reader = reader.map_err(|error| error.in_field("game").in_file(&place))?;
        let plan = reader(PlanSource::Experiment(found), overrides, bots)?;
        check_question(plan.info()).map_err(|error| error.in_file(&place))?;
        Ok((found.name.clone(), plan))
    };
    match found.origin {
        Origin::Given => read().map_err(Error::without_lines),
        _ => read(),
    }
}
