//! Embedded strategies and experiments, and the user's own.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use include_dir::{Dir, File, include_dir};

use serde_json::json;

use super::checksum::digest;
use super::json::{compact, field_path, position};
use super::text_file::read_text;
use crate::error::{Error, Fault, Result, UnknownName, unknown};
use crate::names::misreading;

static STRATEGIES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../strategies");
static EXPERIMENTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../experiments");

/// The origin of a text.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// Embedded in the program.
    Embedded,
    /// A file.
    File(PathBuf),
    /// A text from a calling program.
    Given,
}

/// A text with its name and origin.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The file's name without `.json`.
    pub name: String,
    /// The origin.
    pub origin: Origin,
    /// The text.
    pub text: String,
    /// The SHA-256 of the text.
    pub digest: String,
    /// `true` if it is the user's own file, found by the name of an embedded one with another text.
    pub replaces_embedded: bool,
}

impl SourceFile {
    /// Creates a source file from its text.
    pub fn new(name: &str, origin: Origin, text: String) -> SourceFile {
        let digest = digest(&text);
        SourceFile { name: name.to_owned(), origin, text, digest, replaces_embedded: false }
    }

    /// Returns the file as a message names it.
    pub fn place(&self) -> String {
        match &self.origin {
            Origin::Embedded => format!("{}.json (embedded)", self.name),
            Origin::File(path) => path.display().to_string(),
            Origin::Given => self.name.clone(),
        }
    }
}

/// Returns the path of a file that another file names: next to that file, or else as it stands.
pub fn named_in(file: &Path, name: &str) -> String {
    let near = file.strip_prefix(".").unwrap_or(file).with_file_name(name);
    if near.is_file() { near.to_string_lossy().into_owned() } else { name.to_owned() }
}

/// Sets the line of a file to which a JSON pointer leads, unless the error has a place already.
pub fn on_its_line(error: Error, pointer: &str, source: Option<&SourceFile>) -> Error {
    let has_place = |fault: &Fault| fault.place.file.is_some() || fault.place.line.is_some();
    match source.and_then(|found| position(&found.text, pointer)) {
        Some((line, column)) if !error.faults().iter().any(has_place) => error.at(line, column),
        _ => error,
    }
}

/// Adds the field to which a JSON pointer leads, and its line unless the error has a place already.
pub fn located(error: Error, pointer: &str, source: Option<&SourceFile>) -> Error {
    let field = field_path(pointer);
    let error = if field.is_empty() { error } else { error.in_field(&field) };
    on_its_line(error, pointer, source)
}

/// A folder of JSON files: the one under the current folder, then the embedded one.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    /// The game, for strategies; `None` for experiments.
    game: Option<&'static str>,
    local: bool,
}

impl Library {
    /// Returns the library of experiments.
    pub fn experiments() -> Library {
        Library { game: None, local: true }
    }

    /// Returns the library of strategies of a game.
    pub fn strategies(game: &'static str) -> Library {
        Library { game: Some(game), local: true }
    }

    fn embedded(&self) -> Option<&'static Dir<'static>> {
        self.game.map_or(Some(&EXPERIMENTS), |game| STRATEGIES.get_dir(game))
    }

    /// Returns `true` if the program embeds strategies of a game of this name.
    pub fn has_strategies_of(game: &str) -> bool {
        STRATEGIES.get_dir(game).is_some()
    }

    /// Removes the user's own files from the library.
    #[must_use]
    pub fn embedded_only(self) -> Library {
        Library { local: false, ..self }
    }

    fn local(&self) -> PathBuf {
        self.game.map_or("experiments".into(), |game| Path::new("strategies").join(game))
    }

    /// Returns all names, sorted and unique.
    pub fn names(&self) -> Vec<String> {
        let embedded = self.embedded().into_iter().flat_map(|dir| dir.files());
        let embedded = embedded.map(|file| file.path().to_owned());
        let paths = embedded.chain(self.local_files()).filter(|path| is_usable(path));
        let stems = paths.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()));
        stems.collect::<BTreeSet<String>>().into_iter().collect()
    }

    /// Returns the user's files that look like hidden or half-written files of the library.
    pub fn ignored(&self) -> BTreeSet<PathBuf> {
        let is_like = |path: &PathBuf| path.to_string_lossy().contains(".json") && !is_usable(path);
        self.local_files().filter(is_like).collect()
    }

    fn local_files(&self) -> impl Iterator<Item = PathBuf> {
        let entries = self.local.then(|| std::fs::read_dir(self.local()).ok()).flatten();
        entries.into_iter().flatten().flatten().map(|entry| entry.path())
    }

    /// Finds a file by name or path. A name with `/` or ending in `.json` is a path; a path
    /// of a network stands for a strategy file of this network alone.
    ///
    /// # Errors
    /// Bad input if there is none, with the names that exist.
    pub fn find(&self, wanted: &str) -> Result<SourceFile> {
        let as_path = Path::new(wanted);
        let extension = as_path.extension().and_then(OsStr::to_str);
        let is_network = self.game.is_some() && matches!(extension, Some("safetensors" | "onnx"));
        let is_path = is_network || wanted.contains('/') || extension == Some("json");
        let name = match as_path.file_stem() {
            Some(stem) if is_path => stem.to_string_lossy().into_owned(),
            _ => wanted.to_owned(),
        };
        if is_network {
            let fields =
                json!({ "about": "A trained network.", "kind": "network", "file": wanted });
            return Ok(SourceFile::new(&name, Origin::Given, compact(&fields)));
        }
        let local =
            if is_path { as_path.to_owned() } else { self.local().join(format!("{name}.json")) };
        if (is_path || self.local) && local.exists() {
            if let Some(problem) = misreading(&name).filter(|_| self.game.is_some()) {
                let problem = format!("`{name}` cannot be the name of a strategy: {problem}");
                return Err(Error::input(problem).in_file(&local.display().to_string()));
            }
            let text = read_text(&local)?;
            let embedded = self.embedded_text(&name).filter(|_| !is_path);
            let replaces_embedded = embedded.is_some_and(|embedded| embedded != text);
            let file = SourceFile::new(&name, Origin::File(local), text);
            return Ok(SourceFile { replaces_embedded, ..file });
        }
        // Without the usual folder, a path into it means the embedded file.
        if (!is_path || local.parent() == Some(self.local().as_path()))
            && let Some(text) = self.embedded_text(&name)
        {
            return Ok(SourceFile::new(&name, Origin::Embedded, text.to_owned()));
        }
        let kind = self.game.map_or("experiment", |_| "strategy");
        if is_path {
            return Err(Error::input(format!("there is no {kind} file {wanted}")));
        }
        if as_path.is_file() {
            return Err(Error::input(format!(
                "unknown {kind} `{wanted}`; to use the file of this name, write `./{wanted}`"
            )));
        }
        let names = self.names();
        let elsewhere =
            self.game.and_then(|game| Some((other_than(game, &name)?, game.to_owned())));
        let known = names.iter().map(String::as_str);
        Err(Error::input(UnknownName { elsewhere, ..unknown(kind, wanted, known) }))
    }

    /// Returns the embedded network with this file name.
    pub fn network(name: &str) -> Option<&'static [u8]> {
        let find = |dir: &'static Dir<'_>| dir.get_file(dir.path().join(name));
        STRATEGIES.dirs().find_map(find).map(File::contents)
    }

    fn embedded_text(&self, name: &str) -> Option<&'static str> {
        let dir = self.embedded()?;
        dir.get_file(dir.path().join(format!("{name}.json")))?.contents_utf8()
    }
}

/// Returns `true` for a JSON file that is not hidden.
fn is_usable(path: &Path) -> bool {
    let is_hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
    !is_hidden && path.extension().is_some_and(|extension| extension == "json")
}

/// Returns another game that has a strategy of this name.
fn other_than(game: &str, name: &str) -> Option<String> {
    let mut others = STRATEGIES.dirs().filter(|dir| dir.path() != Path::new(game));
    let other = others.find(|dir| dir.contains(dir.path().join(format!("{name}.json"))));
    other.map(|dir| dir.path().to_string_lossy().into_owned())
}
