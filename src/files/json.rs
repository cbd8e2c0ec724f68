//! JSON that says where it is wrong.

use std::path::Path;

use serde::de::DeserializeOwned;
use serde_path_to_error::{Path as Trail, Segment};

use super::nearest::nearest;
use crate::error::{Error, Result};

/// What is wrong with a JSON text, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{file}: line {line} column {column}{}: {what}", self.field())]
pub struct JsonFault {
    /// The file's name.
    pub file: String,
    /// From 1.
    pub line: usize,
    /// From 1; 0 when a line ends too early.
    pub column: usize,
    /// The field, as in `variants[1].hand`; empty at the top.
    pub path: String,
    /// What is wrong and what would be right.
    pub what: String,
}

impl JsonFault {
    fn field(&self) -> String {
        match self.path.as_str() {
            "" | "." => String::new(),
            path => format!(", field `{path}`"),
        }
    }
}

impl From<JsonFault> for Error {
    fn from(fault: JsonFault) -> Error {
        Error::Input(fault.to_string())
    }
}

/// Reads a whole text as one JSON object.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn parse_json<T: DeserializeOwned>(
    file: &str,
    text: &str,
) -> std::result::Result<T, JsonFault> {
    let fault = |line, column, path, what| {
        Err(JsonFault { file: file.to_owned(), line, column, path, what })
    };
    if let Some((line, column, what)) = no_object(text) {
        return fault(line, column, String::new(), what);
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize(&mut deserializer) {
        Err(error) => {
            let (inner, what) = (error.inner(), said(error.inner()));
            fault(inner.line(), inner.column(), place(error.path(), &what), hinted(what))
        }
        Ok(value) => match deserializer.end() {
            Err(error) => fault(error.line(), error.column(), String::new(), said(&error)),
            Ok(()) => Ok(value),
        },
    }
}

/// What serde_json says, without the place that it ends with.
fn said(error: &serde_json::Error) -> String {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    said.strip_suffix(&place).unwrap_or(&said).to_owned()
}

/// The line, the column and what is wrong, where a text is plainly no object. Without this a list
/// of values would pass for an object's fields in their order.
fn no_object(text: &str) -> Option<(usize, usize, String)> {
    if text.starts_with('\u{feff}') {
        let what = "the file begins with a byte order mark; save it as UTF-8 without one";
        return Some((1, 1, what.to_owned()));
    }
    let rest = text.trim_start();
    let found = match rest.chars().next() {
        None => return Some((1, 1, "it is empty; an object `{…}` is expected".to_owned())),
        Some('[') => "a list",
        Some('"') => "a text",
        Some('-' | '0'..='9') => "a number",
        _ if ["true", "false", "null"].contains(&rest.trim_end()) => "a single word",
        _ => return None,
    };
    let before = &text[..text.len() - rest.len()];
    let line = before.matches('\n').count() + 1;
    let column = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
    Some((line, column, format!("an object `{{…}}` is expected, not {found}")))
}

/// The field that a fault is about. An unknown field that was read through a wrapper is not in
/// the trail to it.
fn place(trail: &Trail, what: &str) -> String {
    let unknown = what.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
    let last = trail.iter().next_back();
    match unknown {
        Some(field) if last.is_none() => field.to_owned(),
        Some(field) if !matches!(last, Some(Segment::Map { key }) if key == field) => {
            format!("{trail}.{field}")
        }
        _ => trail.to_string(),
    }
}

/// With the nearest of the names that serde lists, where a name is unknown.
pub(crate) fn hinted(what: String) -> String {
    let quoted: Vec<&str> = what.split('`').skip(1).step_by(2).collect();
    let near = match &quoted[..] {
        [name, known @ ..] if what.starts_with("unknown ") && known.len() > 1 => {
            nearest(name, known)
        }
        _ => None,
    };
    near.map(|near| format!("{what}; did you mean `{near}`?")).unwrap_or(what)
}

/// Reads a text file.
///
/// # Errors
/// Bad input when it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    let cannot = |why: String| Error::input(format!("cannot read {}: {why}", path.display()));
    let bytes = std::fs::read(path).map_err(|error| cannot(error.to_string()))?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        cannot(format!("line {line} is not UTF-8; save the file as UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_names_file_line_column_and_field() {
        #[derive(serde::Deserialize, Debug)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only read by the parser")]
        struct Inner {
            hand: u8,
        }
        type Inners = std::collections::BTreeMap<String, Inner>;
        let fault = |text| parse_json::<Inners>("x.json", text).unwrap_err().to_string();
        assert_eq!(
            fault("{\"a\": {\"hand\": 1},\n \"b\": {\"hand\": 300}}"),
            "x.json: line 2 column 18, field `b.hand`: invalid value: integer `300`, expected u8"
        );
        assert_eq!(
            fault("{\"a\": {\"hnd\": 1}}"),
            "x.json: line 1 column 12, field `a.hnd`: unknown field `hnd`, expected `hand`"
        );
        assert_eq!(fault("{} {}"), "x.json: line 1 column 4: trailing characters");
        assert_eq!(
            fault(" \n\n  [{\"hand\": 1}]"),
            "x.json: line 3 column 3: an object `{…}` is expected, not a list"
        );
    }
}
