//! `cargo xtask site`: the folder that any static host serves.

use std::fs::{copy, create_dir_all, read_dir, remove_dir_all, write};
use std::io::Result;
use std::path::{Path, PathBuf};

use crate::repository::root;
use crate::steps;

/// The files and folders of the site, with their places in it.
const PARTS: [(&str, &str); 10] = [
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
];

/// Copies the page, the module, the committed reports and the documentation to `target/site` or the
/// named folder. The module is that of a second folder, or of `target/web`, where it is built if it is
/// missing. Returns `false` if that fails.
pub fn build(arguments: &[String]) -> Result<bool> {
    let target = std::env::var("CARGO_TARGET_DIR").unwrap_or_else(|_| "target".to_owned());
    let target = root().join(target);
    let site = arguments.first().map_or_else(|| target.join("site"), PathBuf::from);
    let module = arguments.get(1).map_or_else(|| target.join("web"), PathBuf::from);
    if !module.join("parlour_web_bg.wasm").exists() && !steps::wasm(&[])? {
        return Ok(false);
    }
    if site.exists() {
        remove_dir_all(&site)?;
    }
    for (from, to) in PARTS {
        copy_all(&root().join(from), &site.join(to))?;
    }
    copy_all(&module, &site)?;
    // GitHub Pages would leave out files otherwise.
    write(site.join(".nojekyll"), "")?;
    println!("{}", site.display());
    Ok(true)
}

/// Copies a file, or a folder with its files.
fn copy_all(from: &Path, to: &Path) -> Result<()> {
    if from.is_file() {
        return copy(from, to).map(drop);
    }
    create_dir_all(to)?;
    for entry in read_dir(from)? {
        let entry = entry?;
        copy_all(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
