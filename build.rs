//! Tells the program which sources it was built from.

use std::path::{Path, PathBuf};
use std::process::Command;

/// What decides the program's behaviour.
const SOURCES: [&str; 5] =
    ["src", "crates", "strategies/eleusis/rules", "Cargo.toml", "Cargo.lock"];

/// What else is built into it. A run spells out the texts that it used from here, so they do not
/// tell one program from another.
const TEXTS: [&str; 2] = ["strategies", "experiments"];

fn main() {
    for source in SOURCES.iter().chain(&TEXTS).chain(&["build.rs"]) {
        println!("cargo:rerun-if-changed={source}");
    }
    if Path::new(".git/logs/HEAD").exists() {
        println!("cargo:rerun-if-changed=.git/logs/HEAD");
    }
    println!("cargo:rustc-env=PARLOUR_REVISION={}", revision());
    let date = git(&["log", "-1", "--format=%cs"]).filter(|date| !date.is_empty());
    println!(
        "cargo:rustc-env=PARLOUR_DATE={}",
        date.map_or(String::new(), |date| format!(" of {date}"))
    );
    println!("cargo:rustc-env=PARLOUR_SOURCE={:016x}", fingerprint());
}

/// The last commit that touched the sources, with `+` when they were changed since.
fn revision() -> String {
    match (git(&["log", "-1", "--format=%H"]), git(&["status", "--porcelain"])) {
        (Some(commit), Some(changes)) if !commit.is_empty() => {
            commit + if changes.is_empty() { "" } else { "+" }
        }
        _ => "unknown".to_owned(),
    }
}

/// Returns the output of a git command on the sources; `None` outside a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).arg("--").args(SOURCES).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// FNV-1a over the names and contents of all sources, in order of name.
fn fingerprint() -> u64 {
    let mut files = Vec::new();
    SOURCES.iter().for_each(|source| collect(Path::new(source), &mut files));
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        let name = file.to_string_lossy().replace('\\', "/");
        let content = std::fs::read(&file).unwrap_or_default();
        for byte in name.bytes().chain([0]).chain(content).chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    hash
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    match std::fs::read_dir(path) {
        Ok(entries) => entries.flatten().for_each(|entry| collect(&entry.path(), files)),
        Err(_) => files.push(path.to_owned()),
    }
}
