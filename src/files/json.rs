//! JSON that says where it is wrong.

use std::collections::BTreeSet;
use std::fmt::{self, Formatter};
use std::fs::File;
use std::io::Read;
use std::marker::PhantomData;
use std::path::Path;

use serde::de::value::MapAccessDeserializer;
use serde::de::{
    Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess,
    SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;
use serde_path_to_error::{Path as Trail, Segment};

use crate::error::{Error, Fault, Place, Result, What, ensure, unknown};

/// Reads a whole text as one JSON object.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn parse_json<T: DeserializeOwned>(file: &str, text: &str) -> Result<T> {
    read_json::<Distinct>(file, text)?;
    read_json(file, text)
}

/// Reads a file's object as if it did not say `$schema`, which is for editors.
struct WithoutSchema<D>(D);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for WithoutSchema<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(
        self,
        visitor: V,
    ) -> std::result::Result<V::Value, D::Error> {
        self.0.deserialize_any(WithoutSchema(visitor))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// Nothing but an object comes this far.
impl<'de, V: Visitor<'de>> Visitor<'de> for WithoutSchema<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> std::result::Result<V::Value, A::Error> {
        self.0.visit_map(WithoutSchema(map))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutSchema<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> std::result::Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.0.next_key::<String>()? {
            if key != "$schema" {
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
            self.0.next_value::<String>()?;
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> std::result::Result<V::Value, A::Error> {
        self.0.next_value_seed(seed)
    }
}

fn read_json<T: DeserializeOwned>(file: &str, text: &str) -> Result<T> {
    let fault = |line, column, field, what| {
        let (file, line, column) = (Some(file.to_owned()), Some(line), Some(column));
        let place = Place { file, line, column, field, part: None };
        Err(Error::input(Fault { place: place.into(), what }))
    };
    if let Some((line, column, what)) = no_object(text) {
        return fault(line, column, None, what.into());
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    match serde_path_to_error::deserialize(WithoutSchema(&mut deserializer)) {
        Err(error) => {
            let (inner, what) = (error.inner(), said(error.inner()));
            fault(inner.line(), inner.column(), field(error.path(), &what), what)
        }
        Ok(value) => match deserializer.end() {
            Err(error) => fault(error.line(), error.column(), None, said(&error)),
            Ok(()) => Ok(value),
        },
    }
}

/// Reads a line of a file of JSON lines; `line` is its number, from 1.
///
/// # Errors
/// As [`parse_json`].
pub fn parse_json_line<T: DeserializeOwned>(file: &str, line: usize, text: &str) -> Result<T> {
    // To know the field of what is wrong takes time, and there are many lines, few of them wrong.
    if text.starts_with('{')
        && let Ok(value) = serde_json::from_str(text)
    {
        return Ok(value);
    }
    read_json("", text).map_err(|error| {
        let fault = error.faults().first().cloned();
        let mut fault = fault.unwrap_or_else(|| "it cannot be read".into());
        (fault.place.file, fault.place.line) = (Some(file.to_owned()), Some(line));
        Error::input(fault)
    })
}

/// Any JSON in which no object says a field twice.
struct Distinct;

impl<'de> Deserialize<'de> for Distinct {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        from.deserialize_any(Distinct)
    }
}

/// Values that no object lies in.
macro_rules! plain {
    ($($visit:ident: $type:ty),+) => {
        $(fn $visit<E>(self, _: $type) -> std::result::Result<Self, E> { Ok(self) })+
    };
}

impl<'de> Visitor<'de> for Distinct {
    type Value = Distinct;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    plain! { visit_bool: bool, visit_i64: i64, visit_u64: u64, visit_f64: f64, visit_str: &str }

    fn visit_unit<E>(self) -> std::result::Result<Self, E> {
        Ok(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> std::result::Result<Self, A::Error> {
        while items.next_element::<Distinct>()?.is_some() {}
        Ok(self)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Self, A::Error> {
        let mut seen = BTreeSet::new();
        while let Some(name) = map.next_key::<String>()? {
            if seen.contains(&name) {
                return Err(serde::de::Error::custom(format!("duplicate field `{name}`")));
            }
            seen.insert(name);
            map.next_value::<Distinct>()?;
        }
        Ok(self)
    }
}

/// Reads a struct from an object; by itself it would take a list for its fields in their order.
pub(crate) fn object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
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
pub(crate) fn some_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
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
pub(crate) fn said_of_names(said: &str) -> What {
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
        "i16" | "i32" | "i64" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a sequence" => "a list `[…]`",
        "a map" => "an object `{…}`",
        "a boolean" => "true or false",
        other if other.starts_with("struct ") => "an object `{…}`",
        other => other,
    }
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
fn field(trail: &Trail, what: &What) -> Option<String> {
    let last = trail.iter().next_back();
    match what {
        What::Unknown(unknown) if unknown.what == "field" => {
            let name = &unknown.name;
            match last {
                None => Some(name.clone()),
                Some(Segment::Map { key }) if key == name => Some(trail.to_string()),
                _ => Some(format!("{trail}.{name}")),
            }
        }
        // A text that ends too early has no field yet.
        _ => last.filter(|last| !matches!(last, Segment::Unknown)).map(|_| trail.to_string()),
    }
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
