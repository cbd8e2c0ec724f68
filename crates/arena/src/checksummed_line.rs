//! Lines of JSON with a checksum: the form of all progress that a run saves.

use serde::Serialize;
use serde::de::DeserializeOwned;

use parlour_base::error::{Error, Result};
use parlour_base::files::{compact, digest, parse_json_line};

/// Formats `body` as a line: its JSON and the first 16 hex digits of the SHA-256 of that JSON.
pub(super) fn checksummed_line<T: Serialize>(body: &T) -> String {
    let body = compact(body);
    format!("{{\"body\":{body},\"check\":\"{}\"}}\n", &digest(&body)[..16])
}

/// A complete line of a progress file.
pub(super) struct Line<'a> {
    /// The file, as messages name it.
    pub file: &'a str,
    /// The line number, from 1.
    pub number: usize,
    /// The text without the line break.
    pub text: &'a str,
}

impl Line<'_> {
    /// Returns an error about this line, with its place.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::input(message.into()).on_line(self.file, self.number)
    }

    /// Verifies the checksum and reads the body.
    pub fn parse<T: DeserializeOwned>(&self) -> Result<T> {
        let inner = self.text.strip_prefix("{\"body\":").and_then(|rest| rest.strip_suffix("\"}"));
        let parts = inner.and_then(|inner| inner.rsplit_once(",\"check\":\""));
        let (body, check) = parts
            .ok_or_else(|| self.error("not a line of a progress file: it was cut or edited"))?;
        if digest(body)[..16] != *check {
            return Err(self.error("the checksum does not match: the line was edited"));
        }
        parse_json_line(self.file, self.number, body)
    }
}
