//! JSON pointers (RFC 6901): the way to a field of a text, and where it ends there.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::Found;
use crate::error::{Error, Fault};

/// The way to a field or an item of what a pointer leads to.
pub fn step(pointer: &str, name: &str) -> String {
    format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"))
}

/// The last name on a way.
pub(super) fn last(pointer: &str) -> Option<String> {
    pointer.rsplit_once('/').map(|(_, name)| plain(name))
}

fn plain(name: &str) -> String {
    name.replace("~1", "/").replace("~0", "~")
}

/// The way to a field as a message names it: `a.b[2]` for `/a/b/2`.
pub fn field_of(pointer: &str) -> String {
    pointer.split('/').skip(1).map(plain).fold(String::new(), |named, name| {
        match (name.parse::<usize>(), named.is_empty()) {
            (Ok(index), _) => format!("{named}[{index}]"),
            (_, true) => name,
            (_, false) => format!("{named}.{name}"),
        }
    })
}

/// The line and column at which a field's name ends, or an item begins, in a JSON text;
/// the way to it is a JSON pointer (RFC 6901).
pub fn position(text: &str, pointer: &str) -> Option<(usize, usize)> {
    let (mut value, mut field) = (text, None);
    for name in pointer.split('/').skip(1).map(plain) {
        // What is read raw is a part of the text that it was read from.
        let items = serde_json::from_str::<Vec<&RawValue>>(value);
        value = match &items {
            Ok(items) => items.get(name.parse::<usize>().ok()?)?.get(),
            Err(_) => {
                let fields: BTreeMap<String, &RawValue> = serde_json::from_str(value).ok()?;
                fields.get(&name)?.get()
            }
        };
        field = Some(items.is_err());
    }
    let before = &text[..value.as_ptr() as usize - text.as_ptr() as usize];
    let before = match field? {
        true => before.trim_end().strip_suffix(':')?.trim_end(),
        false => &text[..before.len() + 1],
    };
    Some(end_of(before))
}

/// An error on the line of a file to which a JSON pointer leads, unless it names a place itself.
pub fn on_its_line(error: Error, pointer: &str, source: Option<&Found>) -> Error {
    let has_place = |fault: &Fault| fault.place.file.is_some() || fault.place.line.is_some();
    match source.and_then(|found| position(&found.text, pointer)) {
        Some((line, column)) if !error.faults().iter().any(has_place) => error.at(line, column),
        _ => error,
    }
}

/// The line and the column at which a text ends.
pub(super) fn end_of(text: &str) -> (usize, usize) {
    let line = text.rfind('\n').map_or(0, |at| at + 1);
    (text.matches('\n').count() + 1, text.len() - line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_has_a_line_and_a_column() {
        let text = "{\"a\": [1,\n  {\"b\": {}, \"c\": 2}]}";
        assert_eq!(position(text, "/a"), Some((1, 4)));
        assert_eq!(position(text, "/a/1/c"), Some((2, 15)));
        assert_eq!(position(text, "/a/0"), Some((1, 8)));
        assert_eq!(position(text, "/x"), None);
    }
}
