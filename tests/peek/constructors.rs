//! The ways to come by a `State`: of a view, `determinize` is the only one.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.extension() {
            _ if path.is_dir() => sources(&path, out),
            Some(end) if end == "rs" => out.push(path),
            _ => {}
        }
    }
}

/// Every public function whose answer has a state in it, by its file and name.
fn makers() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("crates"), &mut files);
    sources(&root.join("src"), &mut files);
    files.sort();
    let mut makers = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        for rest in text.split("pub fn ").skip(1) {
            let head = rest.split('{').next().unwrap_or_default();
            let Some((before, answer)) = head.split_once("->") else { continue };
            let is_state = |word: &str| word == "State" || word == "HandResult";
            if answer.split(|c: char| !c.is_alphanumeric()).any(is_state) {
                let name = before.split(['(', '<']).next().unwrap_or_default();
                let file = file.strip_prefix(root).unwrap();
                let room = file.iter().nth(1).unwrap().to_string_lossy();
                makers.push(format!("{room}: {name}"));
            }
        }
    }
    makers
}

/// A function that is added here must not make a state of a view: `View::determinize` draws one of all
/// that the view allows, and nothing else may.
#[test]
fn these_public_functions_give_a_state() {
    insta::assert_snapshot!(makers().join("\n"), @r"
    arena: play_hand
    arena: play
    eleusis: deal_under
    game: into_parts
    game: draw
    leapfrog: new
    leapfrog: midway
    leopard: state
    ");
}

/// The fields of a state that hold what is hidden cannot be set or read from outside.
#[test]
fn what_is_hidden_in_a_state_is_private() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let read = |game: &str| fs::read_to_string(root.join(game).join("src/state.rs")).unwrap();
    for (game, hidden) in
        [("leopard", ["hands", "stock"].as_slice()), ("eleusis", &["hands", "undrawn", "memory"])]
    {
        let text = read(game);
        let body = text.split("pub struct State {").nth(1).unwrap().split('}').next().unwrap();
        for field in hidden {
            assert!(body.contains(&format!("pub(super) {field}:")), "{game}: {field} is private");
            assert!(!body.contains(&format!("pub {field}:")), "{game}: {field} is private");
        }
    }
}
