//! `parlour migrate`.

use super::{Args, PathBuf, Result, Value, parse_json, read_text, say};
use crate::files::write_whole;
use crate::strategy::migrated;

#[derive(Args, Debug)]
pub(super) struct Migrate {
    /// Strategy files
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(super) fn run(given: &Migrate) -> Result<()> {
    for path in &given.files {
        let file: Value = parse_json(&path.display().to_string(), &read_text(path)?)?;
        let said = match migrated(&file) {
            Some(text) => {
                write_whole(path, text)?;
                "rewritten in the form of this version"
            }
            None => "needs no change",
        };
        say(format!("{}: {said}", path.display()))?;
    }
    Ok(())
}
