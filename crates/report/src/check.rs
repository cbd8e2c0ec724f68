//! Whether a result folder is as it was written.

use std::path::Path;

use serde_json::Value;

use super::manifest::digest_file;
use super::table::Table;
use crate::files::{cannot_read, read_text};
use crate::{Error, Result};

/// The one table that does not follow from the tallies.
const HANDS: &str = "hands.csv";

/// Checks that a finished folder holds every file that its manifest names, unchanged; tables that follow
/// from the tallies only where they count.
///
/// # Errors
/// Bad input that names the file, and what is wrong with it.
pub(super) fn unchanged(folder: &Path, tables_too: bool) -> Result<()> {
    let path = folder.join("manifest.json");
    let fault = |what: String| Error::input(format!("{}: {what}", path.display()));
    if !path.exists() {
        let (place, folder) = (path.display(), folder.display());
        return Err(Error::input(format!("{place} is missing: {folder} holds no finished run")));
    }
    let manifest: Value = serde_json::from_str(&read_text(&path)?)
        .map_err(|error| fault(format!("{error}; it was cut or edited")))?;
    if manifest["format"] != 1 {
        let format = manifest["format"].as_u64().map_or("missing".to_owned(), |f| f.to_string());
        return Err(fault(format!("its format is {format}; this program reads 1")));
    }
    let files = manifest["files"].as_object();
    for (name, digest) in files.ok_or_else(|| fault("field `files` is missing".to_owned()))? {
        let follows = name.ends_with(".csv") && name != HANDS;
        if follows && !tables_too {
            continue;
        }
        let file = folder.join(name);
        let found = digest_file(&file).map_err(|error| cannot_read(&file, &error))?;
        if digest.as_str() != Some(&found) {
            return Err(Error::input(format!(
                "{} was cut or edited since the run: its SHA-256 is not that of manifest.json; {}",
                file.display(),
                match follows {
                    true => "`parlour report FOLDER --tables` writes the tables again",
                    false => "run again, or put the file back",
                }
            )));
        }
    }
    Ok(())
}

/// Checks that the file of a table has no columns but those that this program writes, in their
/// order. A column may be missing: a program before this one did not know the figure.
///
/// # Errors
/// Bad input that names the first column that differs.
pub(super) fn columns(folder: &Path, table: &Table) -> Result<()> {
    let path = folder.join(table.file());
    if ["answer", "ladder"].contains(&table.name.as_str()) && !path.exists() {
        return Ok(()); // A program before this one did not write it; nothing else is read from it.
    }
    let fault = |what: String| Error::input(format!("{}: line 1: {what}", path.display()));
    let mut reader = csv::Reader::from_path(&path).map_err(|error| cannot_read(&path, &error))?;
    let found = reader.headers().map_err(|e| fault(e.to_string()))?;
    let mut known = table.heads().collect::<Vec<_>>().into_iter();
    for (index, head) in (1..).zip(found) {
        let next = known.as_slice().first().map(|name| format!("`{name}`"));
        if !known.any(|known| known == head) {
            let next = next.unwrap_or_else(|| "no column".to_owned());
            return Err(fault(format!(
                "column {index} is `{head}`, where this version writes {next}: the file is of another version; run the experiment again",
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Column;

    #[test]
    fn a_column_may_be_missing_but_not_be_another() {
        let here = tempfile::tempdir().unwrap();
        let columns = ["a", "b", "c"].map(|name| Column {
            heads: vec![name.to_owned()],
            kind: "text",
            unit: String::new(),
            meaning: String::new(),
        });
        let table = Table { name: "t".to_owned(), columns: columns.to_vec(), ..Table::default() };
        let check = |heads: &str| {
            std::fs::write(here.path().join("t.csv"), format!("{heads}\n")).unwrap();
            super::columns(here.path(), &table).map_err(|error| {
                error.to_string().replace(&here.path().display().to_string(), "FOLDER")
            })
        };
        assert_eq!((check("a,b,c"), check("a,c")), (Ok(()), Ok(())));
        insta::assert_snapshot!(check("a,x,c").unwrap_err(), @"FOLDER/t.csv: line 1: column 2 is `x`, where this version writes `b`: the file is of another version; run the experiment again");
        insta::assert_snapshot!(check("b,a").unwrap_err(), @"FOLDER/t.csv: line 1: column 2 is `a`, where this version writes `c`: the file is of another version; run the experiment again");
        insta::assert_snapshot!(check("a,b,c,d").unwrap_err(), @"FOLDER/t.csv: line 1: column 4 is `d`, where this version writes no column: the file is of another version; run the experiment again");
    }
}
