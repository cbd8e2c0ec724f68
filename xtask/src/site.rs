//! `cargo xtask site`: the folder that any static host serves.

use std::fs::{copy, create_dir_all, read_dir, remove_dir_all, write};
use std::io::{Error, Result};
use std::path::{Path, PathBuf};

use crate::repository::root;
use crate::{markdown, steps};

/// The files and folders of the site, with their places in it.
const PARTS: [(&str, &str); 18] = [
    ("web/page", ""),
    ("crates/play/src/table/page/table.css", "table.css"),
    ("crates/play/src/table/page/table.js", "table.js"),
    ("crates/board/src/board.css", "board.css"),
    ("crates/board/src/board.js", "board.js"),
    ("crates/board/src/hand.css", "hand.css"),
    ("crates/board/src/hand.js", "hand.js"),
    ("crates/report/src/report/page.css", "report.css"),
    ("docs", "docs"),
    ("results", "results"),
    // Files that the documentation links to.
    ("experiments", "experiments"),
    ("examples", "examples"),
    ("scripts/bots", "scripts/bots"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("CITATION.cff", "CITATION.cff"),
    ("CONTRIBUTING.md", "CONTRIBUTING.md"),
    ("SECURITY.md", "SECURITY.md"),
    ("web/README.md", "web/README.md"),
];

/// Copies the page, the module, the committed reports and the documentation to `target/site` or the
/// named folder. The module is that of a second folder, or is built in `target/web`. Returns `false` if
/// that fails.
pub fn build(arguments: &[String]) -> Result<bool> {
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let target = root().join(target);
    let site = arguments.first().map_or_else(|| target.join("site"), PathBuf::from);
    let module = arguments.get(1).map_or_else(|| target.join("web"), PathBuf::from);
    if arguments.len() < 2 && !steps::wasm(&[])? {
        return Ok(false);
    }
    // GitHub Pages would leave out files without this one; it also marks the folder.
    let mark = site.join(".nojekyll");
    if mark.exists() {
        remove_dir_all(&site)?;
    }
    if read_dir(&site).is_ok_and(|mut files| files.next().is_some()) {
        return Err(Error::other(format!("{} has other files than a site", site.display())));
    }
    create_dir_all(&site).and_then(|()| write(mark, "")).map_err(|error| {
        Error::other(format!("{}: the site cannot be written: {error}", site.display()))
    })?;
    for (from, to) in PARTS {
        copy_all(&root().join(from), &site.join(to))?;
    }
    copy_all(&module, &site)?;
    markdown::replace_all(&site, "")?;
    println!("{}", site.display());
    Ok(true)
}

/// Copies a file, or a folder with its files.
fn copy_all(from: &Path, to: &Path) -> Result<()> {
    if from.is_file() {
        to.parent().map_or(Ok(()), create_dir_all)?;
        return copy(from, to).map(drop);
    }
    create_dir_all(to)?;
    for entry in read_dir(from)? {
        let entry = entry?;
        copy_all(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
