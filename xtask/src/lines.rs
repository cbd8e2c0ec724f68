//! `cargo xtask lines`: lines of code by room, without comments, blank lines and tests.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::modules::{Crate, code_lines};
use crate::repository::{SearchResult, crate_roots, shown};

/// Most lines of a file, comments included.
const LONGEST_FILE: usize = 800;

/// Crates with at least this many lines are listed folder by folder as well.
const LARGE: usize = 3000;

/// Lines by room of each crate.
type Rooms = BTreeMap<String, BTreeMap<String, usize>>;

/// Prints the table and returns the files that are too long.
pub fn check() -> std::io::Result<SearchResult> {
    let (crates, findings) = count()?;
    let mut sum = 0;
    for (name, rooms) in &crates {
        let total: usize = rooms.values().sum();
        println!("{total:6} {name}");
        if total >= LARGE {
            rooms.iter().for_each(|(room, count)| println!("{count:13} {room}"));
        }
        let is_product = name == "src" || name.starts_with("crates");
        sum += if is_product { total } else { 0 };
    }
    println!("{sum:6} src and crates");
    Ok(findings)
}

/// Finds the files that are too long.
pub fn find() -> std::io::Result<SearchResult> {
    Ok(count()?.1)
}

fn count() -> std::io::Result<(Rooms, SearchResult)> {
    let mut findings = SearchResult::new("lines", true);
    let mut crates = Rooms::new();
    let mut seen: Vec<PathBuf> = Vec::new();
    for crate_root in crate_roots() {
        let folder = crate_root.parent().unwrap_or(Path::new(".")).to_owned();
        let rooms = crates.entry(shown(&folder)).or_default();
        for module in Crate::read(&crate_root)?.modules {
            if seen.contains(&module.file) {
                continue;
            }
            let source = std::fs::read_to_string(&module.file)?;
            let length = source.lines().count();
            if length > LONGEST_FILE {
                let name = shown(&module.file);
                findings.add(1, format!("{name}: {length} lines; at most {LONGEST_FILE}"));
            }
            *rooms.entry(room(&module.file, &folder)).or_default() += code_lines(&source);
            seen.push(module.file);
        }
    }
    Ok((crates, findings))
}

/// First folder of a file below its crate's `src`; two folders below `games`.
fn room(file: &Path, folder: &Path) -> String {
    let inside = file.strip_prefix(folder).unwrap_or(file).parent().unwrap_or(Path::new(""));
    let depth = if inside.starts_with("games") { 2 } else { 1 };
    let parts: Vec<_> = inside.iter().take(depth).map(|part| part.to_string_lossy()).collect();
    if parts.is_empty() { ".".to_owned() } else { parts.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::root;

    #[test]
    fn rooms_are_folders_of_a_crate() {
        let src = root().join("src");
        assert_eq!(room(&src.join("cli/run.rs"), &src), "cli");
        assert_eq!(room(&src.join("lib.rs"), &src), ".");
        assert_eq!(room(&src.join("games/leopard/bots/a.rs"), &src), "games/leopard");
    }
}
