//! Lines with a checksum: what a run writes down while it is played.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::files::{digest, parse_json_line};

/// A line of a progress file that has its end.
pub(super) struct Line<'a> {
    /// The file, as a message names it.
    pub place: &'a str,
    /// Its number, from 1.
    pub number: usize,
    /// What it says, without its end.
    pub text: &'a str,
}

impl Line<'_> {
    /// What is wrong with it, with its place.
    pub fn fault(&self, what: impl Into<String>) -> Error {
        Error::input(what.into()).on_line(self.place, self.number)
    }

    /// What it says, if its checksum fits.
    pub fn unseal<T: DeserializeOwned>(&self) -> Result<T> {
        let inner = self.text.strip_prefix("{\"body\":").and_then(|rest| rest.strip_suffix("\"}"));
        let parts = inner.and_then(|inner| inner.rsplit_once(",\"check\":\""));
        let (body, check) = parts
            .ok_or_else(|| self.fault("it is no line of a progress file: it was cut or edited"))?;
        if digest(body)[..16] != *check {
            return Err(self.fault("its checksum does not fit: the line was changed"));
        }
        parse_json_line(self.place, self.number, body)
    }
}

/// A line with its checksum: the first 16 digits of the SHA-256 of the body's JSON.
pub(super) fn seal<T: Serialize>(body: &T) -> String {
    let body = crate::files::compact(body);
    format!("{{\"body\":{body},\"check\":\"{}\"}}\n", &digest(&body)[..16])
}
