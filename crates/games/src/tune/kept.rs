//! What a search for rules keeps until it is finished: what it was asked for, and the tallies of every
//! round, in a folder beside that of its results. With them it goes on where it was stopped.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::FrontTask;
use super::stage::same;
use parlour_base::Program;

use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::{DirLock, create_dir, parse_json, read_text, remove_dir, write_atomic};
use parlour_report::RunStatus;

/// What was asked for.
const ASKED: &str = "search.json";

/// The folder of an unfinished search, which this process has for itself.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    held: DirLock,
}

impl Kept {
    /// Begins to keep a search whose results go to `out`, or goes on with one that was stopped.
    ///
    /// # Errors
    /// Bad input: another search is kept there, or nobody asked to go on with it, or it is finished.
    pub fn begin(
        task: &FrontTask<'_>,
        game: &str,
        out: &Path,
        resume: bool,
        program: Program,
    ) -> Result<Kept> {
        let mut name = out.file_name().map_or_else(|| OsString::from("front"), OsString::from);
        name.push(".search");
        let folder = out.with_file_name(name);
        let (file, place) = (folder.join(ASKED), folder.display().to_string());
        let is_begun = file.exists();
        ensure(resume || !is_begun, || {
            Error::input(format!(
                "{place} holds an unfinished search: go on with `--resume`, or remove it, or choose \
                 another folder with `--out`"
            ))
        })?;
        ensure(!resume || is_begun || RunStatus::of(out) != RunStatus::Finished, || {
            let out = out.display();
            Error::input(format!("the search in {out} is finished; there is nothing to go on with"))
        })?;
        let asked = json!({
            "program": program.to_string(),
            "game": game,
            "base": task.base,
            "sweep": task.sweep,
            "towards": task.aims.iter().map(|aim| format!("{aim:?}")).collect::<Vec<_>>(),
            "strategies": task.strategies,
            "deals": task.deals,
            "confirm": task.confirm,
            "seed": task.seed,
        });
        create_dir(&folder)?;
        let held = DirLock::acquire(&folder)?;
        if is_begun {
            let was: Value = parse_json(&file.display().to_string(), &read_text(&file)?)?;
            same(&was, &asked, &file)?;
        } else {
            write_atomic(&file, asked.to_string() + "\n")?;
        }
        Ok(Kept { folder, held })
    }

    /// Where the tallies of a round are.
    pub fn round(&self, round: u32) -> PathBuf {
        self.folder.join(format!("round-{round}"))
    }

    /// Removes what was kept: the search is finished.
    pub fn clear(self) {
        drop(self.held);
        remove_dir(&self.folder);
    }
}
