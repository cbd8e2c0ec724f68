//! JSON that says where it is wrong.

use std::fmt::{self, Formatter};
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::path::Path;

use serde::Serialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};

use super::pointer::{end_of, field_of, last, step};
use super::walk::{pointer_to_end, surveyed};
use crate::error::{Error, Fault, Place, Result, What, ensure, unknown};

/// Reads a whole text as one JSON object.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn parse_json<T: DeserializeOwned>(file: &str, text: &str) -> Result<T> {
    let text = surveyed(text).map_err(|(way, bytes, what)| {
        wrong(file, end_of(&text[..bytes]), Some(field_of(&way)), what.into())
    })?;
    read_json(file, &text)
}

fn read_json<T: DeserializeOwned>(file: &str, text: &str) -> Result<T> {
    if let Some((before, what)) = no_object(text) {
        let (line, column) = end_of(before);
        return Err(wrong(file, (line, column + 1), None, what.into()));
    }
    serde_json::from_str(text).map_err(|error| {
        let (read, way, what) = place_of::<T>(text, &error);
        let field = (!way.is_empty()).then(|| field_of(&way));
        wrong(file, end_of(read), field, what)
    })
}

fn wrong(file: &str, (line, column): (usize, usize), field: Option<String>, what: What) -> Error {
    let (file, line, column) = (Some(file.to_owned()), Some(line), Some(column));
    let place = Place { file, line, column, field, part: None };
    Error::input(Fault { place: place.into(), what })
}

/// Reads a line of a file of JSON lines; `line` is its number, from 1.
///
/// # Errors
/// As [`parse_json`].
pub fn parse_json_line<T: DeserializeOwned>(file: &str, line: usize, text: &str) -> Result<T> {
    read_json("", text).map_err(|error| {
        let fault = error.faults().first().cloned();
        let mut fault = fault.unwrap_or_else(|| "it cannot be read".into());
        (fault.place.file, fault.place.line) = (Some(file.to_owned()), Some(line));
        Error::input(fault)
    })
}

/// Reads what is JSON already. It goes by the text: each type then has one reader.
///
/// # Errors
/// The way, a JSON pointer, to the first thing that is wrong, and what is wrong with it.
pub fn read_value<T: DeserializeOwned>(
    value: &impl Serialize,
) -> std::result::Result<T, (String, What)> {
    let text = compact(value);
    serde_json::from_str(&text).map_err(|error| {
        let (_, way, what) = place_of::<T>(&text, &error);
        (way, what)
    })
}

/// The text up to what is wrong in it, the way there, and what serde says of it.
fn place_of<'a, T: DeserializeOwned>(
    text: &'a str,
    error: &serde_json::Error,
) -> (&'a str, String, What) {
    let lines = text.split_inclusive('\n').take(error.line().saturating_sub(1));
    let bytes = lines.map(str::len).sum::<usize>() + error.column();
    let whole = (0..=bytes.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    let mut read = &text[..whole.unwrap_or(0)];
    let what = said(error);
    // A text that ends too early has no field yet.
    if error.is_eof() {
        return (read, String::new(), what);
    }
    // What a type refuses after it was read, serde_json finds at the bracket or comma that follows.
    while let Some(shorter) = read.trim_end().strip_suffix(['}', ']', ','])
        && serde_json::from_str::<T>(shorter).is_err_and(|error| said(&error) == what)
    {
        read = shorter.trim_end();
    }
    let mut way = pointer_to_end(read);
    // An unknown field that was read through a wrapper is not on the way to it.
    if let What::Unknown(unknown) = &what
        && unknown.what == "field"
        && last(&way).as_ref() != Some(&unknown.name)
    {
        way = step(&way, &unknown.name);
    }
    (read, way, what)
}

/// Reads a struct from an object; by itself it would take a list for its fields in their order.
pub fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<T, D::Error> {
    struct Object<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
        type Value = T;

        fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
            f.write_str("an object `{…}`")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    from.deserialize_map(Object(PhantomData))
}

/// The same for a field that may be absent.
pub fn some_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<T>, D::Error> {
    object(from).map(Some)
}

/// What serde_json says, without the place that it ends with.
fn said(error: &serde_json::Error) -> What {
    let said = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    said_of_names(said.strip_suffix(&place).unwrap_or(&said))
}

/// What serde says, with the names that it lists where one is unknown. serde hands on its findings
/// as text only; this is the one place where that text is taken apart, and a test holds it to its
/// form.
pub fn said_of_names(said: &str) -> What {
    let mut quoted = said.split('`').skip(1).step_by(2);
    let what = ["field", "variant"].into_iter().find(|what| {
        said.strip_prefix("unknown ").is_some_and(|rest| rest.starts_with(&format!("{what} `")))
    });
    match (what, quoted.next()) {
        (Some("field"), Some(name)) => unknown("field", name, quoted).into(),
        // What serde calls a variant is a word of a list, and no variant of a game.
        (Some(_), Some(name)) => unknown("word", name, quoted).into(),
        _ => match said.rsplit_once(", expected ") {
            Some((wrong, right)) => format!("{wrong}, expected {}", in_words(right)).into(),
            None => said.into(),
        },
    }
}

/// What serde expects, without the names of Rust's types.
fn in_words(expected: &str) -> &str {
    match expected {
        "u8" => "a whole number from 0 to 255",
        "i8" => "a whole number from -128 to 127",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number, 0 or more",
        "a nonzero u32" => "a whole number from 1 to 4294967295",
        "a nonzero u64" | "a nonzero usize" => "a whole number, 1 or more",
        "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a sequence" => "a list `[…]`",
        "a map" => "an object `{…}`",
        "a boolean" => "true or false",
        other if other.starts_with("struct ") => "an object `{…}`",
        other => other,
    }
}

/// What stands before it and what is wrong, where a text is plainly no object. Without this a list
/// of values would pass for an object's fields in their order.
fn no_object(text: &str) -> Option<(&str, String)> {
    if text.starts_with('\u{feff}') {
        let what = "the file begins with a byte order mark; save it as UTF-8 without one";
        return Some(("", what.to_owned()));
    }
    let rest = text.trim_start();
    let found = match rest.chars().next() {
        None => return Some(("", "it is empty; an object `{…}` is expected".to_owned())),
        Some('[') => "a list",
        Some('"') => "a text",
        Some('-' | '0'..='9') => "a number",
        _ if ["true", "false", "null"].contains(&rest.trim_end()) => "a single word",
        _ => return None,
    };
    let before = &text[..text.len() - rest.len()];
    Some((before, format!("an object `{{…}}` is expected, not {found}")))
}

/// One of this program's own values as JSON on one line.
#[expect(
    clippy::expect_used,
    reason = "only a map whose keys are no text fails: a test would meet it"
)]
pub fn compact<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data")
}

/// The same over several lines.
#[expect(clippy::expect_used, reason = "as above")]
pub fn pretty<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("plain data")
}

/// The most megabytes of a file that is read whole.
const MOST: u64 = 64;

/// Reads a text file of at most 64 MB.
///
/// # Errors
/// Bad input when it cannot be read, is longer or is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    let cannot = |why: String| Error::input(format!("cannot read {}: {why}", path.display()));
    let (mut bytes, limit) = (Vec::new(), MOST << 20);
    let read = File::open(path).and_then(|file| file.take(limit + 1).read_to_end(&mut bytes));
    read.map_err(|error| cannot(error.to_string()))?;
    ensure(bytes.len() as u64 <= limit, || cannot(format!("it is longer than {MOST} MB")))?;
    String::from_utf8(bytes).map_err(|error| {
        let before = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        cannot(format!("line {line} is not UTF-8; save the file as UTF-8"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "only read by the parser")]
    struct Inner {
        hand: u8,
        word: Option<Word>,
    }

    #[derive(serde::Deserialize, Debug)]
    #[serde(rename_all = "snake_case")]
    enum Word {
        Always,
        NoKnock,
    }

    type Inners = std::collections::BTreeMap<String, Inner>;

    #[test]
    fn a_fault_names_file_line_column_and_field() {
        let fault = |text| parse_json::<Inners>("x.json", text).unwrap_err().to_string();
        assert_eq!(
            fault("{\"a\": {\"hand\": 1},\n \"b\": {\"hand\": 300}}"),
            "x.json: line 2 column 18, field `b.hand`: invalid value: integer `300`, \
             expected a whole number from 0 to 255"
        );
        assert_eq!(
            fault("{\"a\": {\"hnd\": 1}}"),
            "x.json: line 1 column 12, field `a.hnd`: unknown field `hnd`. Did you mean `hand`? \
             Known: hand, word."
        );
        assert_eq!(fault("{} {}"), "x.json: line 1 column 4: trailing characters");
        assert_eq!(
            fault(" \n\n  [{\"hand\": 1}]"),
            "x.json: line 3 column 3: an object `{…}` is expected, not a list"
        );
        let line = parse_json_line::<Inners>("x.jsonl", 7, "{\"a\": {}}").unwrap_err();
        assert_eq!(line.to_string(), "x.jsonl: line 7 column 8, field `a`: missing field `hand`");
    }

    #[test]
    fn what_serde_says_of_names_is_understood() {
        let what = |text| parse_json::<Inners>("x", text).unwrap_err().faults()[0].what.clone();
        let fields = unknown("field", "x", ["hand", "word"]);
        assert_eq!(what("{\"a\": {\"x\": 1}}"), What::Unknown(fields.into()));
        let words = unknown("word", "never", ["always", "no_knock"]);
        assert_eq!(
            what("{\"a\": {\"hand\": 1, \"word\": \"never\"}}"),
            What::Unknown(words.into())
        );
        #[derive(serde::Deserialize, Debug)]
        #[serde(deny_unknown_fields)]
        struct One {
            #[expect(dead_code, reason = "only read by the parser")]
            only: u8,
        }
        let fault = parse_json::<One>("x", "{\"b\": 1}").unwrap_err();
        assert_eq!(fault.faults()[0].what, unknown("field", "b", ["only"]).into());
    }
}
