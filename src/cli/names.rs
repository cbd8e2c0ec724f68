//! Names and settings among the arguments. The path of a file may contain commas and equals signs.

use std::path::Path;

/// Splits lists of names at commas, but not within the path of a file.
pub(super) fn split_names(lists: &[String]) -> Vec<String> {
    let mut names = Vec::new();
    for list in lists {
        let parts: Vec<&str> = list.split(',').collect();
        let mut rest = &parts[..];
        while !rest.is_empty() {
            let is_file = |count: &usize| Path::new(&rest[..*count].join(",")).is_file();
            let (name, later) = rest.split_at((1..=rest.len()).rev().find(is_file).unwrap_or(1));
            names.push(name.join(","));
            rest = later;
        }
    }
    names
}

/// Returns `true` for FIELD=VALUES, and not for the path of a file.
pub(super) fn is_setting(word: &str) -> bool {
    word.contains('=') && !Path::new(word).is_file()
}
