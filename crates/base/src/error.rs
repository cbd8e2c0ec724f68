//! Errors: who caused them, where the problem is, and what would be right.
//!
//! An [`Error`] has a [`Kind`] and one or more [`Fault`]s. Each fault has a [`Place`] and a
//! [`Problem`]. The sentence for people is composed only when it is shown, so that no caller has to
//! parse a message:
//!
//! ```
//! use parlour_base::error::{Kind, Problem};
//!
//! #[derive(Debug, serde::Deserialize)]
//! struct Table {
//!     game: String,
//! }
//!
//! let text = "{\n  \"seats\": 9\n}";
//! let error = parlour_base::files::parse_json::<Table>("my.json", text).unwrap_err();
//! assert_eq!(error.kind(), Kind::Input);
//! let fault = &error.faults()[0];
//! assert_eq!((fault.place.file.as_deref(), fault.place.line), (Some("my.json"), Some(3)));
//! assert_eq!(fault.problem, Problem::Message("missing field `game`".to_owned()));
//! assert_eq!(error.to_string(), "my.json: line 3 column 1: missing field `game`");
//! ```

use std::fmt::{self, Display, Formatter};
use std::ops::{Deref, RangeInclusive};

use crate::names::printable;

/// A result with this crate's [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Returns an error unless a condition holds.
pub fn ensure<E>(holds: bool, error: impl FnOnce() -> E) -> std::result::Result<(), E> {
    if holds { Ok(()) } else { Err(error()) }
}

/// Who or what caused an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Wrong usage or bad input.
    Input,
    /// A failure while running.
    Failed,
    /// The user stopped the program; finished work is saved.
    Stopped,
    /// The output is closed: nobody reads it.
    Closed,
}

/// One or more faults of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    kind: Kind,
    faults: Faults,
}

impl Error {
    /// Creates an error of a kind.
    pub fn new(kind: Kind, fault: impl Into<Fault>) -> Error {
        Error { kind, faults: Faults(vec![fault.into()]) }
    }

    /// Creates an error for bad input.
    pub fn input(fault: impl Into<Fault>) -> Error {
        Error::new(Kind::Input, fault)
    }

    /// Creates an error for a failure while running.
    pub fn failed(fault: impl Into<Fault>) -> Error {
        Error::new(Kind::Failed, fault)
    }

    /// Creates an error for a stop by the user.
    pub fn stopped(fault: impl Into<Fault>) -> Error {
        Error::new(Kind::Stopped, fault)
    }

    /// Returns the kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Returns the faults; there is at least one.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Turns the error into a failure while running.
    #[must_use]
    pub fn as_failed(self) -> Error {
        Error { kind: Kind::Failed, ..self }
    }

    /// Adds the file to every place. A fault that already has a file becomes the cause.
    #[must_use]
    pub fn in_file(self, file: &str) -> Error {
        self.each(|fault| fault.outside().file = Some(file.to_owned()))
    }

    /// Adds the file and the line to every place.
    #[must_use]
    pub fn on_line(self, file: &str, line: usize) -> Error {
        self.in_file(file).each(|fault| fault.place.line = Some(line))
    }

    /// Removes lines and columns, for a text without lines that a person could look up.
    #[must_use]
    pub fn without_lines(self) -> Error {
        self.each(|fault| {
            let mut place = Some(&mut fault.place);
            while let Some(at) = place {
                (at.line, at.column) = (None, None);
                place = at.cause.as_mut();
            }
        })
    }

    /// Sets the line and the column of every place.
    #[must_use]
    pub fn at(self, line: usize, column: usize) -> Error {
        self.each(|fault| (fault.place.line, fault.place.column) = (Some(line), Some(column)))
    }

    /// Adds an outer field; the faults' own fields are parts of it.
    #[must_use]
    pub fn in_field(self, field: &str) -> Error {
        let faults = self.faults.0.into_iter().map(|fault| fault.in_field(field)).collect();
        Error { faults: Faults(faults), ..self }
    }

    /// Adds an outer part, described in words.
    #[must_use]
    pub fn in_part(self, part: impl Display) -> Error {
        let faults = self.faults.0.into_iter().map(|fault| fault.in_part(&part)).collect();
        Error { faults: Faults(faults), ..self }
    }

    /// Appends a note for the reader to every message.
    #[must_use]
    pub fn with_note(self, note: &str) -> Error {
        self.each(|fault| match &mut fault.problem {
            Problem::Message(text) => text.push_str(note),
            Problem::UnknownName(unknown) => unknown.note.push_str(note),
            Problem::OutOfRange { .. } => {}
        })
    }

    fn each(mut self, change: impl Fn(&mut Fault)) -> Error {
        self.faults.0.iter_mut().for_each(change);
        self
    }
}

impl std::error::Error for Error {}

/// The largest number of faults in a message.
const MAX_SHOWN: usize = 12;

/// Writes the place that all faults share once, before them. Writes a list of known names where it
/// is first needed, and omits later lists that add little.
impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [first, rest @ ..] = self.faults() else { return f.write_str("failed") };
        let shared = first.place.location();
        let is_shared = !rest.is_empty()
            && shared != Place::default()
            && rest.iter().all(|fault| fault.place.location() == shared);
        let mut listed: Vec<&String> = Vec::new();
        let shown = self.faults().iter().take(MAX_SHOWN);
        let mut sentences: Vec<String> = shown
            .map(|fault| {
                let mut with_names = true;
                if let Problem::UnknownName(unknown) = &fault.problem {
                    let known = &unknown.known;
                    let new = known.iter().filter(|name| !listed.contains(name)).count();
                    with_names = 2 * new >= known.len();
                    listed.extend(known.iter().filter(|_| with_names));
                }
                let text = fault.sentence(!is_shared, with_names);
                if rest.is_empty() { text } else { text.trim_end_matches('.').to_owned() }
            })
            .collect();
        match self.faults().len() - sentences.len() {
            0 => {}
            1 => sentences.push("and 1 more fault".to_owned()),
            more => sentences.push(format!("and {more} more faults")),
        }
        let before = if is_shared { format!("{shared}: ") } else { String::new() };
        write!(f, "{before}{}", sentences.join("; "))
    }
}

impl From<Faults> for Error {
    fn from(faults: Faults) -> Error {
        Error { kind: Kind::Input, faults }
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Error {
        Error::input(fault)
    }
}

/// A collection of faults; empty if nothing is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// Adds a fault.
    pub fn push(&mut self, fault: impl Into<Fault>) {
        self.0.push(fault.into());
    }

    /// Adds the faults of an error, except those already present: a shared base is reported once.
    pub fn add(&mut self, error: Error) {
        for fault in error.faults.0 {
            if !self.0.contains(&fault) {
                self.0.push(fault);
            }
        }
    }

    /// Adds a fault if the value of a field lies outside the range.
    pub fn range<T: PartialOrd + Display>(
        &mut self,
        field: &str,
        value: T,
        allowed: RangeInclusive<T>,
    ) {
        if !allowed.contains(&value) {
            let (low, high) = allowed.into_inner();
            let allowed = format!("from {low} to {high}");
            let problem = Problem::OutOfRange { value: value.to_string(), allowed };
            self.push(Fault::field(field, problem));
        }
    }

    /// Returns the faults as an error for bad input.
    ///
    /// # Errors
    /// If there is any fault.
    pub fn into_result(self) -> Result<()> {
        if self.is_empty() { Ok(()) } else { Err(self.into()) }
    }
}

impl Deref for Faults {
    type Target = [Fault];

    fn deref(&self) -> &[Fault] {
        &self.0
    }
}

impl<T: Into<Fault>> Extend<T> for Faults {
    fn extend<I: IntoIterator<Item = T>>(&mut self, faults: I) {
        self.0.extend(faults.into_iter().map(Into::into));
    }
}

/// Collects all values, or the faults of all errors.
///
/// # Errors
/// If any result is an error. A single error keeps its kind; several are bad input.
pub fn collect_results<T>(results: impl IntoIterator<Item = Result<T>>) -> Result<Vec<T>> {
    let (mut values, mut faults, mut kind) = (Vec::new(), Faults::default(), None);
    for result in results {
        match result {
            Ok(value) => values.push(value),
            Err(error) => {
                kind = Some(kind.map_or(error.kind, |_| Kind::Input));
                faults.add(error);
            }
        }
    }
    kind.map_or(Ok(values), |kind| Err(Error { kind, faults }))
}

/// One problem and its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The place, as far as it is known.
    pub place: Box<Place>,
    /// The problem.
    pub problem: Problem,
}

/// A problem, with what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// A sentence.
    Message(String),
    /// A value outside its range, both as text: `0`, `from 1 to 4`.
    OutOfRange {
        /// The value of the field.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// A name that does not exist.
    UnknownName(Box<UnknownName>),
}

impl Fault {
    /// Creates a fault in a part that is described in words: `turn 3, act 1`.
    pub fn new(part: impl Display, problem: impl Into<Problem>) -> Fault {
        Fault::from(problem.into()).in_part(part)
    }

    /// Creates a fault in a field.
    pub fn field(field: &str, problem: impl Into<Problem>) -> Fault {
        Fault::from(problem.into()).in_field(field)
    }

    /// Adds an outer field.
    #[must_use]
    pub fn in_field(mut self, field: &str) -> Fault {
        let place = self.outside();
        place.field = Some(match place.field.take() {
            Some(inner) if inner.starts_with('[') => format!("{field}{inner}"),
            Some(inner) => format!("{field}.{inner}"),
            None => field.to_owned(),
        });
        self
    }

    /// Adds an outer part, described in words.
    #[must_use]
    pub fn in_part(mut self, part: impl Display) -> Fault {
        let place = self.outside();
        place.part = Some(match place.part.take() {
            Some(inner) => format!("{part}: {inner}"),
            None => part.to_string(),
        });
        self
    }

    /// Returns the place for additions; a place in a file becomes the cause of a new place first.
    fn outside(&mut self) -> &mut Place {
        if self.place.file.is_some() {
            *self.place =
                Place { cause: Some(std::mem::take(&mut self.place)), ..Place::default() };
        }
        &mut self.place
    }

    /// Returns the place and the problem, if requested with the file and line, and with the list of
    /// known names.
    fn sentence(&self, with_location: bool, with_names: bool) -> String {
        let mut place = (*self.place).clone();
        if !with_location {
            (place.file, place.line, place.column) = (None, None, None);
        }
        let problem = match &self.problem {
            Problem::Message(text) => text.clone(),
            // The sentence itself names the field.
            Problem::OutOfRange { value, allowed } => {
                let field = place.innermost().field.take();
                let field = field.map_or("it".to_owned(), |field| format!("`{field}`"));
                format!("{field} is {value}; it must be {allowed}")
            }
            Problem::UnknownName(unknown) if with_names => unknown.to_string(),
            Problem::UnknownName(unknown) => unknown.head(),
        };
        let before = if place == Place::default() { String::new() } else { format!("{place}: ") };
        before + &legible(&problem)
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.sentence(true, true))
    }
}

impl<T: Into<Problem>> From<T> for Fault {
    fn from(problem: T) -> Fault {
        Fault { place: Box::default(), problem: problem.into() }
    }
}

/// Joins several faults into one sentence.
impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        match error.faults() {
            [fault] => fault.clone(),
            _ => error.to_string().into(),
        }
    }
}

impl<T: Into<String>> From<T> for Problem {
    fn from(text: T) -> Problem {
        Problem::Message(text.into())
    }
}

impl From<UnknownName> for Problem {
    fn from(unknown: UnknownName) -> Problem {
        Problem::UnknownName(Box::new(unknown))
    }
}

/// The place of a problem, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The file, as a message names it.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1; 0 at the end of a line that is too short.
    pub column: Option<usize>,
    /// A part of the content, in words: `turn 3, act 1`.
    pub part: Option<String>,
    /// The field: `variants[1].hand`.
    pub field: Option<String>,
    /// The place in another file that causes the problem here.
    pub cause: Option<Box<Place>>,
}

impl Place {
    /// Returns the file, line and column alone.
    fn location(&self) -> Place {
        let (file, line, column) = (self.file.clone(), self.line, self.column);
        Place { file, line, column, ..Place::default() }
    }

    /// Returns the last of the chain of causes.
    fn innermost(&mut self) -> &mut Place {
        match self.cause {
            Some(ref mut cause) => cause.innermost(),
            None => self,
        }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let numbered = |name, number: Option<usize>| number.map(|n| format!("{name} {n}"));
        let at = [numbered("line", self.line), numbered("column", self.column)];
        let mut at = at.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let mut field = self.field.as_ref().map(|field| format!("field `{}`", legible(field)));
        if !at.is_empty() && self.part.is_none() {
            at.extend(field.take().map(|field| format!(", {field}")));
        }
        let at = Some(at).filter(|at| !at.is_empty());
        let file = self.file.as_deref().map(escaped);
        let cause = self.cause.as_ref().map(ToString::to_string);
        let parts = [file, at, self.part.as_deref().map(legible), field, cause];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(": "))
    }
}

/// Escapes control characters, with which an input could write over the terminal.
fn escaped(text: &str) -> String {
    printable(&text.replace('\n', "\\n").replace('\t', "\\t"))
}

/// Escapes a text and shortens it: long words that an input made up, and long sentences.
fn legible(text: &str) -> String {
    let cut = |text: &str, longest: usize, kept: usize| match text.char_indices().nth(longest) {
        Some(_) => text.chars().take(kept).chain(['…']).collect(),
        None => text.to_owned(),
    };
    let words: Vec<String> = escaped(text).split(' ').map(|word| cut(word, 200, 60)).collect();
    cut(&words.join(" "), 2000, 1000)
}

/// A name that does not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownName {
    /// The kind of thing that it should name: `strategy`, `field`.
    pub kind: String,
    /// The name.
    pub name: String,
    /// The names that exist.
    pub known: Vec<String>,
    /// The game in which the name exists, and the one in which it was looked up.
    pub elsewhere: Option<(String, String)>,
    /// A note on names that are known but not listed; may be empty.
    pub note: String,
}

/// Describes a name that is not among the known ones.
pub fn unknown<'a>(
    kind: &str,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> UnknownName {
    UnknownName {
        kind: kind.to_owned(),
        name: name.chars().take(60).collect(),
        known: known.into_iter().map(str::to_owned).collect(),
        elsewhere: None,
        note: String::new(),
    }
}

impl UnknownName {
    /// Returns the most similar known name if it is similar enough.
    pub fn nearest(&self) -> Option<&str> {
        let known = self.known.iter().map(String::as_str);
        let all = known.map(|k| (strsim::damerau_levenshtein(&self.name, k), k));
        let is_near =
            |(distance, k): &(usize, &str)| *distance <= 1 + k.len().min(self.name.len()) / 3;
        all.min().filter(is_near).map(|(_, k)| k)
    }

    /// Sets the note on names that are known but not listed.
    #[must_use]
    pub fn with_note(self, note: &str) -> UnknownName {
        UnknownName { note: note.to_owned(), ..self }
    }

    /// Returns the sentence without the list of known names.
    fn head(&self) -> String {
        let UnknownName { kind, name, .. } = self;
        match (&self.elsewhere, self.nearest()) {
            (Some((there, here)), _) => format!("`{name}` is a {kind} of {there}, not of {here}."),
            (None, Some(near)) => format!("unknown {kind} `{name}`. Did you mean `{near}`?"),
            (None, None) => format!("unknown {kind} `{name}`."),
        }
    }
}

/// The longest list that is shown although a similar name is known.
const MAX_LISTED: usize = 24;

impl Display for UnknownName {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.head())?;
        if self.known.len() > MAX_LISTED && self.elsewhere.is_none() && self.nearest().is_some() {
            return Ok(());
        }
        match &self.known[..] {
            [] => f.write_str(" There are none.")?,
            known => write!(f, " Known: {}.", known.join(", "))?,
        }
        match self.note.trim_start() {
            "" => Ok(()),
            note => write!(f, " {note}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_the_nearest_name_if_similar() {
        let known = ["random", "greedy", "steady"];
        let text = unknown("strategy", "gredy", known).to_string();
        assert_eq!(
            text,
            "unknown strategy `gredy`. Did you mean `greedy`? Known: random, greedy, steady."
        );
        assert_eq!(unknown("strategy", "zzzzzz", known).nearest(), None);
        assert_eq!(unknown("field", "name", ["endgame"]).nearest(), None);
        let noted = unknown("strategy", "zzzzzz", []).with_note("Ask.").to_string();
        assert_eq!(noted, "unknown strategy `zzzzzz`. There are none. Ask.");
    }

    #[test]
    fn several_faults_share_one_list_of_names() {
        let strategy = |name| unknown("strategy", name, ["random", "greedy"]);
        let mut faults = Faults::default();
        faults.push(strategy("zzzzzz"));
        faults.range("draw", 0, 1..=4);
        faults.range("draw", 2, 1..=4);
        faults.push(strategy("gredy"));
        faults.push(Fault::field("model", strategy("yyyyyy")));
        faults.push(unknown("variant", "zzzzzz", ["revised"]));
        assert_eq!(
            Error::from(faults).in_file("x.json").to_string(),
            "x.json: unknown strategy `zzzzzz`. Known: random, greedy; `draw` is 0; it must be \
             from 1 to 4; unknown strategy `gredy`. Did you mean `greedy`?; field `model`: unknown \
             strategy `yyyyyy`; unknown variant `zzzzzz`. Known: revised"
        );
    }

    #[test]
    fn equal_faults_are_reported_once() {
        let again = || Error::input("it is wrong").in_file("a.json");
        let error = collect_results::<()>(vec![
            Err(again()),
            Err(Error::input("so is this")),
            Err(again()),
        ]);
        assert_eq!(error.unwrap_err().to_string(), "a.json: it is wrong; so is this");
    }

    #[test]
    fn further_faults_are_counted() {
        let mut faults = Faults::default();
        (0..MAX_SHOWN + 2).for_each(|_| faults.range("draw", 0, 1..=4));
        let text = Error::from(faults).to_string();
        assert_eq!(text.matches("from 1 to 4").count(), MAX_SHOWN);
        assert!(text.ends_with("; and 2 more faults"), "{text}");
    }

    #[test]
    fn long_or_control_text_from_input_is_made_legible() {
        let long = "a".repeat(200_000);
        let text = Error::input(Fault::field(&long, unknown("game", "\u{1b}[31m\n", [])));
        let text = text.in_file("x\u{7}.json").to_string();
        let start = format!("x\\u0007.json: field `{}…`: unknown game", &long[..60]);
        assert_eq!(text, format!("{start} `\\u001b[31m\\n`. There are none."));
        let sentence = Error::input("no ".repeat(100_000)).to_string();
        assert_eq!(sentence.chars().count(), 1001);
    }

    #[test]
    fn places_nest_from_the_inside_out() {
        let mut faults = Faults::default();
        faults.range("draw", 0, 1..=4);
        let error = Error::from(faults).in_field("variants[1]").on_line("x.json", 3);
        assert_eq!(
            error.to_string(),
            "x.json: line 3: `variants[1].draw` is 0; it must be from 1 to 4"
        );
        assert_eq!(error.faults()[0].place.field.as_deref(), Some("variants[1].draw"));
        let nested = error.in_field("strategies[0]").in_file("y.json");
        assert_eq!(
            nested.to_string(),
            "y.json: field `strategies[0]`: x.json: line 3: `variants[1].draw` is 0; it must be \
             from 1 to 4"
        );
        let part = Error::failed(Fault::new("turn 3, act 1", "no")).on_line("r.jsonl", 7);
        assert_eq!(part.to_string(), "r.jsonl: line 7: turn 3, act 1: no");
        assert_eq!(
            (part.kind(), part.with_note("; ask").to_string().ends_with("no; ask")),
            (Kind::Failed, true)
        );
    }
}
