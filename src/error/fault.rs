//! One thing that is wrong: its place and what it is.

use std::fmt::{self, Display, Formatter};

use super::{Error, Unknown};

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
    Unknown(Unknown),
    /// Another file, or a part of one, is wrong.
    Caused(Box<Fault>),
}

/// One thing that is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What.
    pub what: What,
}

impl Fault {
    /// A fault in a part, named in words: `turn 3, act 1`.
    pub fn new(part: impl Into<String>, what: impl Into<What>) -> Fault {
        let place = Place { part: Some(part.into()), ..Place::default() };
        Fault { place, what: what.into() }
    }

    /// A fault in a field.
    pub fn field(field: &str, what: impl Into<What>) -> Fault {
        Fault::from(what.into()).in_field(field)
    }

    /// The same in a file.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Fault {
        self = self.into_cause();
        self.place.file = Some(file.to_owned());
        self
    }

    /// The same on a line of a file.
    #[must_use]
    pub fn on_line(self, file: &str, line: usize) -> Fault {
        let mut fault = self.in_file(file);
        fault.place.line = Some(line);
        fault
    }

    /// The same within a field.
    #[must_use]
    pub fn in_field(mut self, field: &str) -> Fault {
        self = self.into_cause();
        let inner = self.place.field.take();
        self.place.field = Some(match inner {
            Some(inner) if inner.starts_with('[') => format!("{field}{inner}"),
            Some(inner) => format!("{field}.{inner}"),
            None => field.to_owned(),
        });
        self
    }

    /// The same within a part.
    #[must_use]
    pub fn in_part(mut self, part: &str) -> Fault {
        self = self.into_cause();
        let inner = self.place.part.take();
        self.place.part = Some(match inner {
            Some(inner) => format!("{part}: {inner}"),
            None => part.to_owned(),
        });
        self
    }

    /// A fault of another file becomes the cause of one that has no place yet.
    fn into_cause(self) -> Fault {
        match self.place.file {
            Some(_) => What::Caused(Box::new(self)).into(),
            None => self,
        }
    }

    pub(super) fn before_what(&self) -> String {
        let mut place = self.place.clone();
        if matches!(self.what, What::Range { .. }) {
            // The sentence itself names the field.
            place.field = None;
        }
        if place == Place::default() { String::new() } else { format!("{place}: ") }
    }
}

impl Display for Fault {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.before_what())?;
        match &self.what {
            What::Said(said) => f.write_str(said),
            What::Range { value, right } => match &self.place.field {
                Some(field) => write!(f, "`{field}` is {value}; it must be {right}"),
                None => write!(f, "it is {value}; it must be {right}"),
            },
            What::Unknown(unknown) => unknown.fmt(f),
            What::Caused(fault) => fault.fmt(f),
        }
    }
}

impl From<What> for Fault {
    fn from(what: What) -> Fault {
        Fault { place: Place::default(), what }
    }
}

macro_rules! becomes_a_fault {
    ($from:ty, $it:ident => $what:expr) => {
        impl From<$from> for What {
            fn from($it: $from) -> What {
                $what
            }
        }

        impl From<$from> for Fault {
            fn from($it: $from) -> Fault {
                What::from($it).into()
            }
        }
    };
}

/// Several faults become one sentence.
impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        match error.faults() {
            [fault] => fault.clone(),
            _ => What::Said(error.to_string()).into(),
        }
    }
}

becomes_a_fault!(String, said => What::Said(said));
becomes_a_fault!(&str, said => What::Said(said.to_owned()));
becomes_a_fault!(Unknown, unknown => What::Unknown(unknown));

impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut between = "";
        if let Some(file) = &self.file {
            f.write_str(file)?;
            between = ": ";
        }
        match (self.line, self.column) {
            (Some(line), Some(column)) => write!(f, "{between}line {line} column {column}")?,
            (Some(line), None) => write!(f, "{between}line {line}")?,
            (None, Some(column)) => write!(f, "{between}column {column}")?,
            (None, None) => {}
        }
        if self.line.is_some() || self.column.is_some() {
            between = ", ";
        }
        if let Some(part) = &self.part {
            write!(f, "{}{part}", if between.is_empty() { "" } else { ": " })?;
            between = ": ";
        }
        match &self.field {
            Some(field) => write!(f, "{between}field `{field}`"),
            None => Ok(()),
        }
    }
}
