//! Runs in memory whose chunks are played one by one by any number of workers, as in a browser tab.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::answer::check_question;
use crate::compute::summarize;
use crate::confirm::play_fresh_deals;
use crate::report;
use crate::run_dir::REPORT_PAGE;
use crate::summary::Summary;
use parlour_arena::{
    Chunk, DynPlan, Observer, Progress, ProgressHeader, RunOptions, SilentObserver, chunk_line,
};
use parlour_base::Program;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::ChecksummedLine;

/// A run in memory. Workers with the same experiment exchange chunks as lines of a progress file.
pub struct ChunkedRun {
    plan: Box<dyn DynPlan>,
    program: Program,
    progress: Progress,
}

impl ChunkedRun {
    /// Creates a run without finished chunks.
    ///
    /// # Errors
    /// Bad input if the question does not fit the plan, or an external bot does not start.
    pub fn new(plan: Box<dyn DynPlan>, program: Program) -> Result<ChunkedRun> {
        check_question(plan.info())?;
        plan.prepare(None, &Arc::default())?;
        let header = ProgressHeader::of(plan.info(), program, false, false, None);
        Ok(ChunkedRun { plan, program, progress: Progress::in_memory(header) })
    }

    /// Returns the chunks that are still to be played, in order; fewer if the run may stop early.
    pub fn missing(&self) -> Vec<u64> {
        let needed = self.plan.info().stop_decision(&self.progress.chunks).chunks;
        (0..needed).filter(|chunk| !self.progress.chunks.contains_key(chunk)).collect()
    }

    /// Returns the number of hands of the whole run.
    pub fn hands(&self) -> u64 {
        self.plan.info().hands(None)
    }

    /// Plays a chunk and returns its line, which any worker can [add](ChunkedRun::add).
    ///
    /// # Errors
    /// Bad input if the run has no such chunk.
    pub fn play(&self, number: u64, observer: &dyn Observer) -> Result<String> {
        let plan = self.plan.info();
        ensure(number < plan.resolved.chunks(), || {
            Error::input(format!(
                "the run has no chunk {number}; it has {}",
                plan.resolved.chunks()
            ))
        })?;
        let played = self.plan.execute_chunk(Chunk {
            number,
            deals: plan.resolved.deals_of(number),
            partial: None,
            log: None,
            observer,
            stop: &AtomicBool::new(false),
            save: &|_| Ok(()),
        })?;
        Ok(chunk_line(number, &played.tally))
    }

    /// Adds the line of a finished chunk. A chunk that was added before changes nothing.
    ///
    /// # Errors
    /// Bad input if the line was cut or edited, or belongs to another run.
    pub fn add(&mut self, line: &str) -> Result<()> {
        let line = ChecksummedLine { file: "chunk", number: 1, text: line.trim_end() };
        let (chunk, tally) = self.progress.header.read_chunk(&line, &self.plan.info().empty)?;
        self.progress.add(chunk, tally)
    }

    /// Returns the summary of the deals so far; `None` before the first chunk.
    pub fn summary(&self) -> Option<Summary> {
        let tallies = self.progress.tallies_so_far();
        (!tallies.is_empty()).then(|| summarize(self.plan.info(), &tallies))
    }

    /// Plays the fresh deals that the experiment asks for, and returns the final summary with the files
    /// of the run: their names and contents.
    ///
    /// # Errors
    /// Bad input if chunks are missing.
    pub fn finish(&mut self) -> Result<(Summary, Vec<(String, String)>)> {
        let (plan, missing) = (self.plan.info(), self.missing().len());
        ensure(missing == 0, || Error::input(format!("{missing} chunks are missing")))?;
        self.progress.truncate(plan.stop_decision(&self.progress.chunks).chunks);
        let mut summary = summarize(plan, &self.progress.tallies());
        let (observer, stop) = (&SilentObserver, &AtomicBool::new(false));
        let work = RunOptions { threads: 0, shard: None, observer, stop };
        play_fresh_deals(&*self.plan, self.program, &mut summary, None, &work)?;
        let mut files = Vec::new();
        for table in summary.tables() {
            files.push((table.file(), String::from_utf8_lossy(&table.csv()?).into_owned()));
        }
        let header = &self.progress.header;
        files.push((REPORT_PAGE.to_owned(), report::page(header, &summary, &[])));
        files.push((Progress::FILE.to_owned(), self.progress.lines().collect()));
        Ok((summary, files))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;
    use parlour_arena::{Experiment, Plan};
    use parlour_leopard::Leopard;

    const PROGRAM: Program = Program { version: "0", source: "0", revision: "unknown" };

    #[test]
    fn chunks_of_several_workers_give_the_bytes_of_a_run() {
        let experiment = Experiment {
            deals: 60,
            confirm: true,
            ..Experiment::of_variants("leopard", ["original", "revised"], ["greedy", "random"])
        };
        let plan = || Plan::<Leopard>::resolve("tab", &experiment).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let results = folder.path().join("results");
        Run { folder: Some(&results), ..Run::of(&plan(), PROGRAM) }.go().unwrap();
        let worker = || ChunkedRun::new(Box::new(plan()), PROGRAM).unwrap();
        let (mut one, two) = (worker(), worker());
        assert!(one.summary().is_none() && one.finish().is_err());
        for chunk in one.missing().into_iter().rev() {
            let line =
                if chunk % 2 == 0 { &one } else { &two }.play(chunk, &SilentObserver).unwrap();
            one.add(&line).unwrap();
            assert!(one.add(&line.replace("deals", "hands")).is_err(), "an edited line");
        }
        assert!(two.play(60, &SilentObserver).is_err());
        let (_, files) = one.finish().unwrap();
        assert!(files.iter().any(|(name, _)| name == "confirmed.csv"));
        for (name, text) in files {
            assert_eq!(text, std::fs::read_to_string(results.join(&name)).unwrap(), "{name}");
        }
    }
}
