//! Embedded strategies and experiments, and the user's own.

use std::path::{Path, PathBuf};

use include_dir::{Dir, include_dir};

use super::json::position;
use super::text_file::read_text;
use super::write::digest;
use crate::error::{Error, Fault, Result, UnknownName, unknown};

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
}

impl SourceFile {
    /// Creates a source file from its text.
    pub fn new(name: &str, origin: Origin, text: String) -> SourceFile {
        let digest = digest(&text);
        SourceFile { name: name.to_owned(), origin, text, digest }
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

/// Sets the line of a file to which a JSON pointer leads, unless the error has a place already.
pub fn on_its_line(error: Error, pointer: &str, source: Option<&SourceFile>) -> Error {
    let has_place = |fault: &Fault| fault.place.file.is_some() || fault.place.line.is_some();
    match source.and_then(|found| position(&found.text, pointer)) {
        Some((line, column)) if !error.faults().iter().any(has_place) => error.at(line, column),
        _ => error,
    }
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
        let stem = |path: &Path| {
            let is_json = path.extension().is_some_and(|e| e == "json");
            path.file_stem().filter(|_| is_json).map(|s| s.to_string_lossy().into_owned())
        };
        let embedded = self.embedded().into_iter().flat_map(|dir| dir.files());
        let mut names: Vec<String> = embedded.filter_map(|file| stem(file.path())).collect();
        if self.local
            && let Ok(entries) = std::fs::read_dir(self.local())
        {
            names.extend(entries.flatten().filter_map(|entry| stem(&entry.path())));
        }
        names.sort();
        names.dedup();
        names
    }

    /// Finds a file by name or path. A name with `/` or ending in `.json` is a path.
    ///
    /// # Errors
    /// Bad input if there is none, with the names that exist.
    pub fn find(&self, wanted: &str) -> Result<SourceFile> {
        let as_path = Path::new(wanted);
        let is_path = wanted.contains('/') || as_path.extension().is_some_and(|e| e == "json");
        let name = match as_path.file_stem() {
            Some(stem) if is_path => stem.to_string_lossy().into_owned(),
            _ => wanted.to_owned(),
        };
        let local =
            if is_path { as_path.to_owned() } else { self.local().join(format!("{name}.json")) };
        if (is_path || self.local) && local.exists() {
            let text = read_text(&local)?;
            return Ok(SourceFile::new(&name, Origin::File(local), text));
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

    fn embedded_text(&self, name: &str) -> Option<&'static str> {
        let dir = self.embedded()?;
        dir.get_file(dir.path().join(format!("{name}.json")))?.contents_utf8()
    }
}

/// Returns another game that has a strategy of this name.
fn other_than(game: &str, name: &str) -> Option<String> {
    let mut others = STRATEGIES.dirs().filter(|dir| dir.path() != Path::new(game));
    let other = others.find(|dir| dir.contains(dir.path().join(format!("{name}.json"))));
    other.map(|dir| dir.path().to_string_lossy().into_owned())
}
