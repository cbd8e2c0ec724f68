//! A name that does not exist, and the name that may have been meant.

use std::fmt::{self, Display, Formatter};

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

impl Display for Unknown {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let known = match &self.known[..] {
            [] => "There are none".to_owned(),
            known => format!("Known: {}", known.join(", ")),
        };
        let note = self.note.trim_start();
        let between = if note.is_empty() { "" } else { " " };
        write!(f, "{} {known}.{between}{note}", self.head())
    }
}
