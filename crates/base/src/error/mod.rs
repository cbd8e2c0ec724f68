//! What can go wrong: by whose doing, where, and what would be right.
//!
//! An [`Error`] is of a [`Kind`] and holds one [`Fault`] or several; each has its [`Place`] and
//! [`What`] is wrong there. The sentence that a person reads is composed from them when it is
//! shown, so nobody has to take a message apart:
//!
//! ```
//! use parlour_base::error::{Kind, What};
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
//! assert!(matches!(&fault.what, What::Said(said) if said == "missing field `game`"));
//! assert_eq!(error.to_string(), "my.json: line 3 column 1: missing field `game`");
//! ```

mod fault;

use std::fmt::{self, Display, Formatter};
use std::ops::{Deref, RangeInclusive};

pub use fault::{Fault, Place, Unknown, What, unknown};

/// An error that says what is wrong, unless something is right.
pub fn ensure<E>(right: bool, wrong: impl FnOnce() -> E) -> std::result::Result<(), E> {
    if right { Ok(()) } else { Err(wrong()) }
}

/// By whose doing something failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Wrong usage or bad input.
    Input,
    /// It failed while running.
    Failed,
    /// The user stopped it; finished work is saved.
    Stopped,
    /// Nobody reads the output any more.
    Closed,
}

/// Everything that is wrong.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Faults(Vec<Fault>);

/// What went wrong: one or several faults of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    kind: Kind,
    faults: Faults,
}

/// A result with this crate's [`Error`].
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of a kind.
    pub fn new(kind: Kind, what: impl Into<Fault>) -> Error {
        Error { kind, faults: Faults(vec![what.into()]) }
    }

    /// Bad input.
    pub fn input(what: impl Into<Fault>) -> Error {
        Error::new(Kind::Input, what)
    }

    /// A failure while running.
    pub fn failed(what: impl Into<Fault>) -> Error {
        Error::new(Kind::Failed, what)
    }

    /// Stopped by the user.
    pub fn stopped(what: impl Into<Fault>) -> Error {
        Error::new(Kind::Stopped, what)
    }

    /// By whose doing.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Everything that is wrong: at least one fault.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// The same as a failure while running.
    #[must_use]
    pub fn as_failed(self) -> Error {
        Error { kind: Kind::Failed, ..self }
    }

    /// The same in a file: faults that lie in another file are named as the cause.
    #[must_use]
    pub fn in_file(self, file: &str) -> Error {
        self.each(|fault| fault.in_file(file))
    }

    /// The same on a line of a file.
    #[must_use]
    pub fn on_line(self, file: &str, line: usize) -> Error {
        self.in_file(file).each(|mut fault| {
            fault.place.line = Some(line);
            fault
        })
    }

    /// The same of a text that has no lines for a person.
    #[must_use]
    pub fn without_lines(self) -> Error {
        self.each(Fault::without_lines)
    }

    /// The same at a line and a column.
    #[must_use]
    pub fn at(self, line: usize, column: usize) -> Error {
        self.each(|mut fault| {
            (fault.place.line, fault.place.column) = (Some(line), Some(column));
            fault
        })
    }

    /// The same within a field, whose parts the faults' fields are.
    #[must_use]
    pub fn in_field(self, field: &str) -> Error {
        self.each(|fault| fault.in_field(field))
    }

    /// The same within a part, named in words.
    #[must_use]
    pub fn in_part(self, part: impl Display) -> Error {
        self.each(|fault| {
            fault.at(|place| {
                let inner = place.part.as_ref().map_or(String::new(), |inner| format!(": {inner}"));
                place.part = Some(format!("{part}{inner}"));
            })
        })
    }

    /// The same with something to add for the reader.
    #[must_use]
    pub fn adding(self, note: &str) -> Error {
        self.each(|fault| match fault.what {
            What::Said(said) => Fault { what: What::Said(said + note), ..fault },
            What::Unknown(unknown) => {
                let note = unknown.note.clone() + note;
                Fault { what: Unknown { note, ..*unknown }.into(), ..fault }
            }
            _ => fault,
        })
    }

    fn each(self, change: impl Fn(Fault) -> Fault) -> Error {
        Error { faults: Faults(self.faults.0.into_iter().map(change).collect()), ..self }
    }
}

impl std::error::Error for Error {}

/// Of so many faults a message tells; whoever mends them hears of the rest.
const SHOWN: usize = 12;

/// The place that all faults share stands once, before them. A list of known names stands where it
/// is first needed; one that says little more is not shown.
impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let [first, rest @ ..] = self.faults() else { return f.write_str("it failed") };
        let mut shared = first.place.outer();
        if rest.is_empty() || rest.iter().any(|fault| fault.place.outer() != shared) {
            shared = Place::default();
        }
        let is_shared = shared != Place::default();
        let mut before = if is_shared { format!("{shared}: ") } else { String::new() };
        let mut listed: Vec<String> = Vec::new();
        for mut fault in self.faults().iter().take(SHOWN).cloned() {
            if is_shared {
                let Place { part, field, .. } = *fault.place;
                *fault.place = Place { part, field, ..Place::default() };
            }
            let mut text = fault.to_string();
            if let What::Unknown(unknown) = fault.what.clone() {
                let more = unknown.known.iter().filter(|name| !listed.contains(name)).count();
                if 2 * more < unknown.known.len() {
                    text = fault.before_what() + &fault::legible(&unknown.head());
                } else {
                    listed.extend(unknown.known);
                }
            }
            let text = if rest.is_empty() { &text } else { text.trim_end_matches('.') };
            write!(f, "{before}{text}")?;
            before = "; ".to_owned();
        }
        match self.faults().len().saturating_sub(SHOWN) {
            0 => Ok(()),
            1 => f.write_str("; and 1 more fault"),
            more => write!(f, "; and {more} more faults"),
        }
    }
}

/// All that was found, or all that went wrong.
///
/// # Errors
/// What went wrong; several things at once are bad input.
pub fn gather<T>(results: impl IntoIterator<Item = Result<T>>) -> Result<Vec<T>> {
    let (mut found, mut wrong) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(it) => found.push(it),
            Err(error) => wrong.push(error),
        }
    }
    if let [_, _, ..] = wrong[..] {
        let mut faults = Faults::default();
        wrong.into_iter().for_each(|error| faults.add(error));
        return Err(faults.into());
    }
    wrong.pop().map_or(Ok(found), Err)
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

impl Faults {
    /// Adds a fault.
    pub fn push(&mut self, fault: impl Into<Fault>) {
        self.0.push(fault.into());
    }

    /// Adds all faults of an error, but for those that are there: what many things build on is at
    /// fault once.
    pub fn add(&mut self, error: Error) {
        for fault in error.faults.0 {
            if !self.0.contains(&fault) {
                self.0.push(fault);
            }
        }
    }

    /// Adds a fault unless the field's value lies within the range.
    pub fn range<T: PartialOrd + Display>(
        &mut self,
        field: &str,
        value: T,
        right: RangeInclusive<T>,
    ) {
        if !right.contains(&value) {
            let (low, high) = right.into_inner();
            let right = format!("from {low} to {high}");
            self.push(Fault::field(field, What::Range { value: value.to_string(), right }));
        }
    }

    /// The value if nothing is wrong, otherwise bad input.
    ///
    /// # Errors
    /// These faults, if there are any.
    pub fn or<T>(self, value: impl FnOnce() -> T) -> Result<T> {
        if self.is_empty() { Ok(value()) } else { Err(self.into()) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_when_it_is_near() {
        let known = ["random", "greedy", "steady"];
        let said = unknown("strategy", "gredy", known).to_string();
        assert_eq!(
            said,
            "unknown strategy `gredy`. Did you mean `greedy`? Known: random, greedy, steady."
        );
        assert_eq!(unknown("strategy", "zzzzzz", known).nearest(), None);
        let noted = unknown("strategy", "zzzzzz", []).noting("Ask.").to_string();
        assert_eq!(noted, "unknown strategy `zzzzzz`. There are none. Ask.");
    }

    #[test]
    fn faults_together_give_a_list_once() {
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
    fn a_fault_that_comes_again_is_one_fault() {
        let again = || Error::input("it is wrong").in_file("a.json");
        let error = gather::<()>(vec![Err(again()), Err(Error::input("so is this")), Err(again())]);
        assert_eq!(error.unwrap_err().to_string(), "a.json: it is wrong; so is this");
    }

    #[test]
    fn many_faults_are_counted() {
        let mut faults = Faults::default();
        (0..SHOWN + 2).for_each(|_| faults.range("draw", 0, 1..=4));
        let said = Error::from(faults).to_string();
        assert_eq!(said.matches("from 1 to 4").count(), SHOWN);
        assert!(said.ends_with("; and 2 more faults"), "{said}");
    }

    #[test]
    fn what_an_input_made_up_is_legible() {
        let long = "a".repeat(200_000);
        let said = Error::input(Fault::field(&long, unknown("game", "\u{1b}[31m\n", [])));
        let said = said.in_file("x\u{7}.json").to_string();
        let start = format!("x\\u{{7}}.json: field `{}…`: unknown game", &long[..60]);
        assert_eq!(said, format!("{start} `\\u{{1b}}[31m\\n`. There are none."));
        let sentence = Error::input("no ".repeat(100_000)).to_string();
        assert_eq!(sentence.chars().count(), 1001);
    }

    #[test]
    fn a_place_grows_from_the_inside() {
        let mut faults = Faults::default();
        faults.range("draw", 0, 1..=4);
        let error = Error::from(faults).in_field("variants[1]").on_line("x.json", 3);
        assert_eq!(
            error.to_string(),
            "x.json: line 3: `variants[1].draw` is 0; it must be from 1 to 4"
        );
        assert_eq!(error.faults()[0].place.field.as_deref(), Some("variants[1].draw"));
        let of_another = error.in_field("strategies[0]").in_file("y.json");
        assert_eq!(
            of_another.to_string(),
            "y.json: field `strategies[0]`: x.json: line 3: `variants[1].draw` is 0; it must be \
             from 1 to 4"
        );
        let part = Error::failed(Fault::new("turn 3, act 1", "no")).on_line("r.jsonl", 7);
        assert_eq!(part.to_string(), "r.jsonl: line 7: turn 3, act 1: no");
        assert_eq!(
            (part.kind(), part.adding("; ask").to_string().ends_with("no; ask")),
            (Kind::Failed, true)
        );
    }
}
