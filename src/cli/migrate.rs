//! `parlour migrate`.

use std::path::PathBuf;

use clap::Args;
use serde_json::Value;

use super::say;
use crate::error::Result;
use crate::files::{parse_json, read_text, write_whole};
use crate::strategy::migrated;

#[derive(Args, Debug)]
pub(super) struct Migrate {
    /// Strategy files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Migrate {
    pub fn run(self) -> Result<()> {
        for path in self.files {
            let file: Value = parse_json(&path.display().to_string(), &read_text(&path)?)?;
            let said = match migrated(&file) {
                Some(text) => {
                    write_whole(&path, text)?;
                    "rewritten in the form of this version"
                }
                None => "needs no change",
            };
            say(format!("{}: {said}", path.display()))?;
        }
        Ok(())
    }
}
