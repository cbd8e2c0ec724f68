//! JSON that says where it is wrong.

use std::path::Path;

use serde::de::DeserializeOwned;

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

/// Reads a whole text as one JSON value.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn parse_json<T: DeserializeOwned>(
    file: &str,
    text: &str,
) -> std::result::Result<T, JsonFault> {
    let fault = |path: String, error: &serde_json::Error| {
        let said = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let what = said.strip_suffix(&place).unwrap_or(&said).to_owned();
        // The path of an unknown field is that of what holds it.
        let unknown = what.strip_prefix("unknown field `").and_then(|rest| rest.split('`').next());
        let path = match (path.as_str(), unknown) {
            (_, None) => path,
            ("" | ".", Some(field)) => field.to_owned(),
            (path, Some(field)) => format!("{path}.{field}"),
        };
        JsonFault { file: file.to_owned(), line: error.line(), column: error.column(), path, what }
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| fault(error.path().to_string(), error.inner()))?;
    deserializer.end().map_err(|error| fault(String::new(), &error))?;
    Ok(value)
}

/// Reads a text file.
///
/// # Errors
/// Bad input when it cannot be read or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    std::fs::read_to_string(path)
        .map_err(|error| Error::input(format!("cannot read {}: {error}", path.display())))
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
        let text = "[{\"hand\": 1},\n {\"hand\": 300}]";
        let fault = parse_json::<Vec<Inner>>("x.json", text).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "x.json: line 2 column 13, field `[1].hand`: invalid value: integer `300`, expected u8"
        );
        let fault = parse_json::<Vec<Inner>>("x.json", "[] []").unwrap_err();
        assert_eq!(fault.to_string(), "x.json: line 1 column 4: trailing characters");
    }
}
