//! One thing that is wrong: its place and what it is, such as a name that does not exist, with the
//! name that may have been meant.

use std::fmt::{self, Display, Formatter};

use super::Error;

/// Where something is wrong, as far as it is known.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Place {
    /// The file, as a message names it.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: Option<usize>,
    /// The column, from 1; 0 where a line ends too early.
    pub column: Option<usize>,
    /// A part of what the file tells, in words: `turn 3, act 1`.
    pub part: Option<String>,
    /// The field, as in `variants[1].hand`.
    pub field: Option<String>,
}

/// What is wrong, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum What {
    /// A sentence.
    Said(String),
    /// A value out of its range, both as they are shown: `0`, `from 1 to 4`.
    Range {
        /// What the field says.
        value: String,
        /// What it must be.
        right: String,
    },
    /// A name that does not exist.
    Unknown(Box<Unknown>),
    /// Another file, or a part of one, is wrong.
    Caused(Box<Fault>),
}

/// One thing that is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where.
    pub place: Box<Place>,
    /// What.
    pub what: What,
}

impl Fault {
    /// A fault in a part, named in words: `turn 3, act 1`.
    pub fn new(part: impl Into<String>, what: impl Into<What>) -> Fault {
        Fault::from(what.into()).at(|place| place.part = Some(part.into()))
    }

    /// A fault in a field.
    pub fn field(field: &str, what: impl Into<What>) -> Fault {
        Fault::from(what.into()).in_field(field)
    }

    /// The same in a file.
    #[must_use]
    pub fn in_file(self, file: &str) -> Fault {
        self.at(|place| place.file = Some(file.to_owned()))
    }

    /// The same within a field.
    #[must_use]
    pub fn in_field(self, field: &str) -> Fault {
        self.at(|place| {
            place.field = Some(match place.field.take() {
                Some(inner) if inner.starts_with('[') => format!("{field}{inner}"),
                Some(inner) => format!("{field}.{inner}"),
                None => field.to_owned(),
            });
        })
    }

    /// The same at another place. A fault of another file becomes the cause of one that has no
    /// place yet.
    pub(super) fn at(mut self, change: impl FnOnce(&mut Place)) -> Fault {
        if self.place.file.is_some() {
            self = What::Caused(Box::new(self)).into();
        }
        change(&mut self.place);
        self
    }

    /// The same of a text that has no lines for a person.
    pub(super) fn without_lines(mut self) -> Fault {
        (self.place.line, self.place.column) = (None, None);
        if let What::Caused(cause) = self.what {
            self.what = What::Caused(Box::new(cause.without_lines()));
        }
        self
    }

    pub(super) fn before_what(&self) -> String {
        let mut place = self.place.clone();
        if matches!(self.what, What::Range { .. }) {
            // The sentence itself names the field.
            place.field = None;
        }
        if *place == Place::default() { String::new() } else { format!("{place}: ") }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.before_what())?;
        let what = match &self.what {
            What::Said(said) => said.clone(),
            What::Range { value, right } => match &self.place.field {
                Some(field) => format!("`{field}` is {value}; it must be {right}"),
                None => format!("it is {value}; it must be {right}"),
            },
            What::Unknown(unknown) => unknown.to_string(),
            What::Caused(fault) => return fault.fmt(f),
        };
        f.write_str(&legible(&what))
    }
}

/// A text on one line: control characters, with which an input could write over the terminal, are
/// spelled out.
fn plain(text: &str) -> String {
    let spelled = |c: char| match c.is_control() {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    text.chars().map(spelled).collect()
}

/// The same with what is too long to be read cut short: words that an input made up, and sentences
/// that hold too many of them.
pub(super) fn legible(text: &str) -> String {
    let cut = |text: &str, longest: usize, kept: usize| match text.char_indices().nth(longest) {
        Some(_) => text.chars().take(kept).chain(['…']).collect(),
        None => text.to_owned(),
    };
    let words: Vec<String> = plain(text).split(' ').map(|word| cut(word, 200, 60)).collect();
    cut(&words.join(" "), 2000, 1000)
}

impl<T: Into<What>> From<T> for Fault {
    fn from(what: T) -> Fault {
        Fault { place: Box::default(), what: what.into() }
    }
}

/// Several faults become one sentence.
impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        match error.faults() {
            [fault] => fault.clone(),
            _ => error.to_string().into(),
        }
    }
}

impl From<String> for What {
    fn from(said: String) -> What {
        What::Said(said)
    }
}

impl From<&str> for What {
    fn from(said: &str) -> What {
        What::Said(said.to_owned())
    }
}

impl From<Unknown> for What {
    fn from(unknown: Unknown) -> What {
        What::Unknown(Box::new(unknown))
    }
}

impl Place {
    /// The same without what lies within a line.
    pub(super) fn outer(&self) -> Place {
        Place { part: None, field: None, ..self.clone() }
    }
}

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let numbered = |what, number: Option<usize>| number.map(|n| format!("{what} {n}"));
        let at = [numbered("line", self.line), numbered("column", self.column)];
        let mut at = at.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let mut field = self.field.as_ref().map(|field| format!("field `{}`", legible(field)));
        if !at.is_empty() && self.part.is_none() {
            at.extend(field.take().map(|field| format!(", {field}")));
        }
        let at = Some(at).filter(|at| !at.is_empty());
        let part = self.part.as_deref().map(legible);
        let parts = [self.file.as_deref().map(plain), at, part, field];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(": "))
    }
}

/// A name that does not exist.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unknown {
    /// What it should name: `strategy`, `field`.
    pub what: String,
    /// The name.
    pub name: String,
    /// The names that exist.
    pub known: Vec<String>,
    /// Where the name does exist, and where it was looked for.
    pub elsewhere: Option<(String, String)>,
    /// What is to be said of names that are known but not listed; empty for nothing.
    pub note: String,
}

/// A name that is none of those that are known.
pub fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> Unknown {
    Unknown {
        what: what.to_owned(),
        name: name.chars().take(60).collect(),
        known: known.into_iter().map(str::to_owned).collect(),
        elsewhere: None,
        note: String::new(),
    }
}

impl Unknown {
    /// The known name that is nearest to this one, if one is near.
    pub fn nearest(&self) -> Option<&str> {
        let known = self.known.iter().map(String::as_str);
        known
            .map(|k| (strsim::damerau_levenshtein(&self.name, k), k))
            .min()
            .filter(|(distance, k)| *distance <= 1 + k.len() / 3)
            .map(|(_, k)| k)
    }

    /// The same with a sentence on names that are known but not listed.
    #[must_use]
    pub fn noting(self, note: &str) -> Unknown {
        Unknown { note: note.to_owned(), ..self }
    }

    /// All but the list of names.
    pub(super) fn head(&self) -> String {
        let Unknown { what, name, .. } = self;
        match (&self.elsewhere, self.nearest()) {
            (Some((there, here)), _) => format!("`{name}` is a {what} of {there}, not of {here}."),
            (None, Some(near)) => format!("unknown {what} `{name}`. Did you mean `{near}`?"),
            (None, None) => format!("unknown {what} `{name}`."),
        }
    }
}

/// With a name at hand that is near, a longer list is not shown.
const MOST_SHOWN: usize = 24;

impl Display for Unknown {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.known.len() > MOST_SHOWN && self.elsewhere.is_none() && self.nearest().is_some() {
            return f.write_str(&self.head());
        }
        let known = match &self.known[..] {
            [] => "There are none".to_owned(),
            known => format!("Known: {}", known.join(", ")),
        };
        let note = self.note.trim_start();
        let between = if note.is_empty() { "" } else { " " };
        write!(f, "{} {known}.{between}{note}", self.head())
    }
}
