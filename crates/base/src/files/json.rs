//! JSON whose errors name the line, the column and the field.
//!
//! A text is read directly into its type. Only after an error it is read again, to find the field;
//! paths to fields are JSON pointers (RFC 6901).

use std::collections::BTreeSet;
use std::fmt::{self, Formatter};
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use serde_path_to_error::{Path, Segment};
use serde_untagged::UntaggedEnumVisitor;

use crate::error::{Error, Fault, Place, Problem, Result, ensure, unknown};

/// Parses a text as one JSON object, in which no object has a field twice. An outermost `$schema`,
/// which is for editors, is ignored.
///
/// # Errors
/// The first problem, with its place.
pub fn parse_json<T: DeserializeOwned>(file: &str, text: &str) -> Result<T> {
    let fault = |misread: Misread| misread.into_error(file, 1, text);
    let in_field = |(pointer, problem)| fault(Misread { pointer, problem, place: None });
    check_object(text).map_err(fault)?;
    // A value needs some 300 bytes of memory at most.
    let values = text.bytes().filter(|byte| b",[{".contains(byte)).count();
    ensure(values <= MAX_VALUES, || {
        Error::input(format!("it has more than {MAX_VALUES} values")).in_file(file)
    })?;
    let mut fields: Map<String, Value> = read(text).map_err(fault)?;
    if let Some(pointer) = repeated_field(text.trim_start(), "") {
        let problem = format!("duplicate field `{}`", last(&pointer).unwrap_or_default()).into();
        return Err(in_field((pointer, problem)));
    }
    if fields.get("$schema").is_some_and(Value::is_string) {
        fields.shift_remove("$schema");
    }
    read_value(&fields).map_err(in_field)
}

/// Parses a line of a file of JSON lines; `line` is its number, from 1.
///
/// # Errors
/// As [`parse_json`].
pub fn parse_json_line<T: DeserializeOwned>(file: &str, line: usize, text: &str) -> Result<T> {
    let read = check_object(text).and_then(|()| read(text));
    read.map_err(|misread| misread.into_error(file, line, text))
}

/// Reads a value that is JSON already, by way of its text: each type has one reader.
///
/// # Errors
/// The pointer to the first problem, and the problem.
pub fn read_value<T: DeserializeOwned>(
    value: &impl Serialize,
) -> std::result::Result<T, (String, Problem)> {
    read(&compact(value)).map_err(|misread| (misread.pointer, misread.problem))
}

/// A problem in a JSON text.
struct Misread {
    pointer: String,
    problem: Problem,
    /// The line and column, if they are known better than from the field.
    place: Option<(usize, usize)>,
}

impl Misread {
    /// Adds the place; `first_line` is the number of the text's first line in its file.
    fn into_error(self, file: &str, first_line: usize, text: &str) -> Error {
        let place = self.place.or_else(|| position(text, &self.pointer));
        let (line, column) = place.unwrap_or_else(|| end_of(text.trim_end()));
        let field = Some(field_path(&self.pointer)).filter(|field| !field.is_empty());
        let (file, line) = (Some(file.to_owned()), Some(first_line + line - 1));
        let place = Place { file, line, column: Some(column), field, ..Place::default() };
        Error::input(Fault { place: Box::new(place), problem: self.problem })
    }
}

/// The largest number of values in a file that is one object.
const MAX_VALUES: usize = 1_000_000;

/// The deepest nesting that `serde_json` reads.
const MAX_DEPTH: usize = 127;

fn read<T: DeserializeOwned>(text: &str) -> std::result::Result<T, Misread> {
    serde_json::from_str(text).map_err(|error| {
        let place = (!error.is_data()).then(|| (error.line(), error.column()));
        let message = message(&error);
        let mut pointer = String::new();
        if !error.is_eof() {
            // The first reader was quicker, and does not know the field.
            let mut again = serde_json::Deserializer::from_str(text);
            let found = serde_path_to_error::deserialize::<_, T>(&mut again);
            pointer = found.err().map_or(pointer, |error| pointer_of(error.path()));
        }
        if message == "recursion limit exceeded" {
            // The outermost fields are enough.
            let end = pointer.match_indices('/').nth(3).map_or(pointer.len(), |(at, _)| at);
            pointer.truncate(end);
            let problem = format!("nested too deeply: at most {MAX_DEPTH} levels").into();
            return Misread { pointer, problem, place };
        }
        // An unknown or repeated field that was read through a wrapper is not on the path.
        if let Some(rest) =
            message.strip_prefix("unknown field `").or(message.strip_prefix("duplicate field `"))
            && let Some((name, _)) = rest.split_once('`')
            && last(&pointer).as_deref() != Some(name)
        {
            pointer = child_pointer(&pointer, name);
        }
        Misread { pointer, problem: problem_of(&message), place }
    })
}

/// Returns serde_json's message without the place at its end.
fn message(error: &serde_json::Error) -> String {
    let mut message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    if let Some(shorter) = message.strip_suffix(&place) {
        message.truncate(shorter.len());
    }
    message
}

fn pointer_of(path: &Path) -> String {
    path.iter().fold(String::new(), |pointer, segment| match segment {
        Segment::Seq { index } => format!("{pointer}/{index}"),
        Segment::Map { key } => child_pointer(&pointer, key),
        Segment::Enum { variant } => child_pointer(&pointer, variant),
        Segment::Unknown => pointer,
    })
}

/// Turns serde's message into a problem. serde lists known names only as text; this is the one
/// place that parses it, and a test fixes its form.
fn problem_of(message: &str) -> Problem {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let starts = |kind: &str| message.starts_with(&format!("unknown {kind} `"));
    let kind = ["field", "variant"].into_iter().find(|kind| starts(kind));
    match (kind, quoted.next()) {
        (Some("field"), Some(name)) => unknown("field", name, quoted).into(),
        // serde's variant is a word of a list, not a variant of a game.
        (Some(_), Some(name)) => unknown("word", name, quoted).into(),
        _ => without_types(message).into(),
    }
}

/// Returns a JSON reader's message with its place and without the names of Rust's types.
pub fn plain_message(error: &serde_json::Error) -> String {
    let problem = without_types(&message(error));
    format!("{problem} at line {} column {}", error.line(), error.column())
}

/// Returns serde's message without the names of Rust's types.
fn without_types(message: &str) -> String {
    match message.rsplit_once(", expected ") {
        Some((wrong, expected)) => format!("{wrong}, expected {}", in_words(expected)),
        None if message == "expected value" => "expected a valid value; quote words".to_owned(),
        None => message.to_owned(),
    }
}

/// Describes what serde expects without the names of Rust's types.
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

/// Checks that a text is not plainly something else than an object. Without this check a list of
/// values would pass for the fields of a struct in their order.
fn check_object(text: &str) -> std::result::Result<(), Misread> {
    let rest = text.trim_start();
    let wrong = |before: &str, problem: String| {
        let (line, column) = end_of(before);
        let place = Some((line, column + 1));
        Err(Misread { pointer: String::new(), problem: problem.into(), place })
    };
    let found = match rest.chars().next() {
        Some('\u{feff}') => {
            return wrong(
                "",
                "the file begins with a byte order mark; save it as UTF-8 without one".into(),
            );
        }
        None => return wrong("", "it is empty; an object `{…}` is expected".into()),
        Some('[') => "a list",
        Some('"') => "a text",
        Some('-' | '0'..='9') => "a number",
        _ if ["true", "false", "null"].contains(&rest.trim_end()) => "a single word",
        _ => return Ok(()),
    };
    let before = &text[..text.len() - rest.len()];
    wrong(before, format!("an object `{{…}}` is expected, not {found}"))
}

/// The fields of an object with their raw values, in order.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Fields<'de>, D::Error> {
        let in_order = UntaggedEnumVisitor::new().map(|mut map| {
            let mut fields = Vec::new();
            while let Some(field) = map.next_entry()? {
                fields.push(field);
            }
            Ok(Fields(fields))
        });
        in_order.deserialize(from)
    }
}

/// Returns the fields of an object, or the items of a list by their numbers, as parts of the text.
fn children(text: &str) -> Vec<(String, &str)> {
    if text.trim_start().starts_with('[') {
        let items = serde_json::from_str::<Vec<&RawValue>>(text).unwrap_or_default();
        return items.iter().enumerate().map(|(at, raw)| (at.to_string(), raw.get())).collect();
    }
    let fields = serde_json::from_str(text).map_or(Vec::new(), |Fields(fields)| fields);
    fields.into_iter().map(|(name, raw)| (name, raw.get())).collect()
}

/// Returns the pointer to a field that its object has twice.
fn repeated_field(text: &str, pointer: &str) -> Option<String> {
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let mut names = BTreeSet::new();
    children(text).into_iter().find_map(|(name, value)| {
        let field = child_pointer(pointer, &name);
        if names.insert(name) { repeated_field(value, &field) } else { Some(field) }
    })
}

/// Reads a struct from an object only; serde alone would accept a list of its fields in order.
///
/// # Errors
/// If the value is no object, or the struct refuses it.
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

/// Reads an optional field as [`object`] does.
///
/// # Errors
/// As [`object`].
pub fn some_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    from: D,
) -> std::result::Result<Option<T>, D::Error> {
    object(from).map(Some)
}

/// Writes one of this program's own values as JSON on one line.
#[expect(
    clippy::expect_used,
    reason = "fails only for maps whose keys are not text: a test would find one"
)]
pub fn compact<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("plain data")
}

/// Writes one of this program's own values as JSON on several lines.
#[expect(clippy::expect_used, reason = "as above")]
pub fn pretty<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string_pretty(value).expect("plain data")
}

/// Returns the pointer to a field or an item of what a pointer leads to.
pub fn child_pointer(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// Returns all values in `value` that are no objects, with their JSON pointers.
pub fn leaves(value: &Value) -> Vec<(String, &Value)> {
    fn visit<'a>(value: &'a Value, pointer: String, all: &mut Vec<(String, &'a Value)>) {
        match value.as_object() {
            Some(fields) => fields
                .iter()
                .for_each(|(name, value)| visit(value, child_pointer(&pointer, name), all)),
            None => all.push((pointer, value)),
        }
    }
    let mut all = Vec::new();
    visit(value, String::new(), &mut all);
    all
}

fn last(pointer: &str) -> Option<String> {
    pointer.rsplit_once('/').map(|(_, name)| unescaped(name))
}

fn unescaped(name: &str) -> String {
    name.replace("~1", "/").replace("~0", "~")
}

/// Returns the field of a pointer as messages name it: `a.b[2]` for `/a/b/2`.
pub fn field_path(pointer: &str) -> String {
    pointer.split('/').skip(1).map(unescaped).fold(String::new(), |path, name| {
        match (name.parse::<usize>(), path.is_empty()) {
            (Ok(index), _) => format!("{path}[{index}]"),
            (_, true) => name,
            (_, false) => format!("{path}.{name}"),
        }
    })
}

/// Returns the line and column at which a field's name ends, or an item begins, in a JSON text.
pub fn position(text: &str, pointer: &str) -> Option<(usize, usize)> {
    let (mut value, mut is_field) = (text, None);
    for name in pointer.split('/').skip(1).map(unescaped) {
        is_field = Some(value.trim_start().starts_with('{'));
        // Of a repeated field the last counts.
        value = children(value).into_iter().rfind(|(child, _)| *child == name)?.1;
    }
    let before = &text[..value.as_ptr() as usize - text.as_ptr() as usize];
    let before = match is_field? {
        true => before.trim_end().strip_suffix(':')?.trim_end(),
        false => &text[..before.len() + 1],
    };
    Some(end_of(before))
}

/// Returns the line and the column at which a text ends.
fn end_of(text: &str) -> (usize, usize) {
    let line = text.rfind('\n').map_or(0, |at| at + 1);
    (text.matches('\n').count() + 1, text.len() - line)
}

/// Describes the first difference of two values, as in "`deals` was 100, it is 200 now".
pub fn difference(old: &Value, new: &Value) -> Option<String> {
    fn below(path: &str, old: &Value, new: &Value) -> Option<String> {
        let mut keys: Vec<String> = Vec::new();
        for value in [new, old] {
            match value {
                Value::Object(fields) => keys.extend(fields.keys().map(|key| format!("/{key}"))),
                Value::Array(items) => keys.extend((0..items.len()).map(|at| format!("/{at}"))),
                _ => {}
            }
        }
        let part = |value: &Value, key: &str| value.pointer(key).cloned().unwrap_or(Value::Null);
        let inner = keys
            .iter()
            .find_map(|key| below(&format!("{path}{key}"), &part(old, key), &part(new, key)));
        let name = || field_path(path);
        inner.or_else(|| (old != new).then(|| format!("`{}` was {old}, it is {new} now", name())))
    }
    below("", old, new)
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

    fn fault(text: &str) -> String {
        parse_json::<Inners>("x.json", text).unwrap_err().to_string()
    }

    #[test]
    fn errors_name_file_line_column_and_field() {
        assert_eq!(
            fault("{\"a\": {\"hand\": 1},\n \"b\": {\"hand\": 300}}"),
            "x.json: line 2 column 13, field `b.hand`: invalid value: integer `300`, \
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
        assert_eq!(line.to_string(), "x.jsonl: line 7 column 4, field `a`: missing field `hand`");
        assert_eq!(
            fault("{\"a\": {\"hand\": 1,}}"),
            "x.json: line 1 column 18, field `a`: trailing comma"
        );
        assert_eq!(fault("{\"a\": {"), "x.json: line 1 column 7: EOF while parsing an object");
    }

    #[test]
    fn names_in_serde_messages_are_understood() {
        let problem =
            |text| parse_json::<Inners>("x", text).unwrap_err().faults()[0].problem.clone();
        let fields = unknown("field", "x", ["hand", "word"]);
        assert_eq!(problem("{\"a\": {\"x\": 1}}"), fields.into());
        let words = unknown("word", "never", ["always", "no_knock"]);
        assert_eq!(problem("{\"a\": {\"hand\": 1, \"word\": \"never\"}}"), words.into());
        #[derive(serde::Deserialize, Debug)]
        #[serde(deny_unknown_fields)]
        struct One {
            #[expect(dead_code, reason = "only read by the parser")]
            only: u8,
        }
        let fault = parse_json::<One>("x", "{\"b\": 1}").unwrap_err();
        assert_eq!(fault.faults()[0].problem, unknown("field", "b", ["only"]).into());
    }

    #[test]
    fn repeated_fields_and_deep_nesting_are_refused() {
        let parse = |text: &str| parse_json::<Value>("x", text).map_err(|error| error.to_string());
        let repeated = parse("{\"a\": [{\"b\": 1, \"c\": 2, \"b\": 3}]}").unwrap_err();
        assert_eq!(repeated, "x: line 1 column 27, field `a[0].b`: duplicate field `b`");
        let nested = |deep: usize| format!("{{\"a\": {}", "[".repeat(deep - 1));
        assert!(parse(&nested(127)).unwrap_err().contains("EOF"));
        let deep = parse(&nested(1_000_000)).unwrap_err();
        let start = "x: line 1 column 133, field `a[0][0]`: nested too deeply: at most 127 levels";
        assert_eq!(deep, start);
    }

    #[test]
    fn the_outermost_schema_alone_is_ignored() {
        let parse = |text| parse_json::<Value>("x", text).unwrap().to_string();
        assert_eq!(parse("{\"$schema\": \"é\",\n \"a\": 1}"), "{\"a\":1}");
        let inner = "{\"a\": {\"$schema\": \"x\"}, \"$schema\": \"y\"}";
        assert_eq!(parse(inner), "{\"a\":{\"$schema\":\"x\"}}");
    }

    #[test]
    fn broken_json_is_refused() {
        for text in ["", "\"", "{\"\\", "]}", "{\"a\" \"a\": [,,", "\u{2028}{é", "{:}{,:,}"] {
            assert!(parse_json::<Value>("x", text).is_err(), "{text}");
            assert!(parse_json_line::<Value>("x", 1, text).is_err(), "{text}");
        }
    }

    #[test]
    fn fields_have_a_line_and_a_column() {
        let text = "{\"a\": [1,\n  {\"b\": {}, \"c\": 2}]}";
        assert_eq!(position(text, "/a"), Some((1, 4)));
        assert_eq!(position(text, "/a/1/c"), Some((2, 15)));
        assert_eq!(position(text, "/a/0"), Some((1, 8)));
        assert_eq!(position(text, "/x"), None);
    }
}
