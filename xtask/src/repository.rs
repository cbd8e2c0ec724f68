//! Places in the repository, and findings with their allowed number.

use std::path::{Path, PathBuf};

/// Root folder of the repository.
pub fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

/// A path relative to the repository.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().into_owned()
}

/// Root files of all crates and programs.
pub fn crate_roots() -> Vec<PathBuf> {
    let root = root();
    let mut folders =
        ["src", "lab/src", "python/rust", "web/src", "xtask/src"].map(|it| root.join(it)).to_vec();
    let crates = std::fs::read_dir(root.join("crates")).into_iter().flatten().flatten();
    folders.extend(crates.map(|entry| entry.path().join("src")));
    folders.sort();
    let files = folders.iter().flat_map(|folder| [folder.join("lib.rs"), folder.join("main.rs")]);
    files.filter(|file| file.exists()).collect()
}

/// Lists the files below folders whose extension is one of `extensions`, sorted.
pub fn files(folders: &[&str], extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for folder in folders {
        collect(&root().join(folder), extensions, &mut found);
    }
    found.sort();
    found
}

fn collect(path: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    if path.is_file() {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        if extensions.contains(&extension.as_ref()) {
            found.push(path.to_owned());
        }
        return;
    }
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if !["target", "__pycache__", ".git"].iter().any(|skip| name == *skip) {
            collect(&entry.path(), extensions, found);
        }
    }
}

/// The findings of one check.
#[derive(Debug)]
pub struct SearchResult {
    check: &'static str,
    count: usize,
    lines: Vec<String>,
    /// `true` if nothing was filtered out.
    is_complete: bool,
}

impl SearchResult {
    /// Creates an empty list for a check. `is_complete` is `false` if only a part is checked.
    pub fn new(check: &'static str, is_complete: bool) -> SearchResult {
        SearchResult { check, count: 0, lines: Vec::new(), is_complete }
    }

    /// Adds a finding that counts `weight` times.
    pub fn add(&mut self, weight: usize, line: String) {
        self.count += weight;
        self.lines.push(line);
    }

    /// Number of findings.
    #[cfg(test)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// Prints the findings, or only their number if they are allowed and `quiet` is set. Returns
    /// `false` if there are more than `xtask/allowed.txt` allows.
    pub fn report(&self, quiet: bool) -> bool {
        let allowed = allowed(self.check);
        let passes = self.count <= allowed;
        if !(passes && quiet) {
            self.lines.iter().for_each(|line| println!("{line}"));
        }
        println!("{}: {} findings, {allowed} allowed", self.check, self.count);
        if self.is_complete && self.count < allowed {
            println!("  lower `{}` in xtask/allowed.txt to {}", self.check, self.count);
        }
        passes
    }
}

/// Reads how many findings of a check are allowed; none if the file does not name it.
fn allowed(check: &str) -> usize {
    let text = std::fs::read_to_string(root().join("xtask/allowed.txt")).unwrap_or_default();
    text.lines()
        .filter_map(|line| line.split_once(' '))
        .find(|(name, _)| *name == check)
        .and_then(|(_, number)| number.trim().parse().ok())
        .unwrap_or(0)
}
