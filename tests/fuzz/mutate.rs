//! Mutations of good files: by bytes, by words, and by JSON structure.

use parlour::chance::Stream;
use serde_json::Value;

use super::json::Json;

/// The form of a reader's files.
#[derive(Clone, Copy, PartialEq)]
pub enum Form {
    /// One JSON value.
    Json,
    /// A JSON value on each line.
    Lines,
    /// Words.
    Words,
}

/// A changed file.
pub struct Input {
    pub bytes: Vec<u8>,
    /// The fields on the way to the value that got another type, if nothing else was changed.
    pub field: Option<Vec<String>>,
}

/// One of the good files, changed once to four times; `other` is another one.
pub fn mutated(good: &[u8], other: &[u8], form: Form, chance: &mut Stream) -> Input {
    let mut bytes = good.to_vec();
    let mut field = None;
    for time in 0..1 + [0, 0, 0, 1, 1, 3][chance.below(6) as usize] {
        let way = match (form, chance.below(10)) {
            (Form::Words, 0..7) | (_, 7) => words(&mut bytes, chance),
            (Form::Words, _) | (_, 8..) => raw(&mut bytes, other, chance),
            (Form::Json, _) => json(&mut bytes, chance),
            (Form::Lines, _) => a_line(&mut bytes, chance),
        };
        field = way.filter(|_| time == 0);
    }
    Input { bytes, field }
}

/// As JSON; not at all where it is none any more.
fn json(bytes: &mut Vec<u8>, chance: &mut Stream) -> Option<Vec<String>> {
    let value: Value = serde_json::from_slice(bytes).ok()?;
    let mut json = Json::from(&value);
    let way = json.change(chance);
    *bytes = json.write(chance.below(2) == 0).into_bytes();
    way
}

/// One line, as JSON.
fn a_line(bytes: &mut Vec<u8>, chance: &mut Stream) -> Option<Vec<String>> {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let at = chance.below(lines.len() as u32) as usize;
    let value: Value = serde_json::from_slice(lines[at]).ok()?;
    let mut json = Json::from(&value);
    let way = json.change(chance);
    let line = json.write(false);
    lines[at] = line.as_bytes();
    *bytes = lines.join(&b'\n');
    way
}

/// Two places of a slice, the lower one first.
fn span(len: usize, chance: &mut Stream) -> (usize, usize) {
    let (a, b) = (chance.below(len as u32 + 1) as usize, chance.below(len as u32 + 1) as usize);
    // Mostly short.
    let end = a.max(b);
    let start =
        if chance.below(4) > 0 { end.saturating_sub(chance.below(9) as usize) } else { a.min(b) };
    (start, end)
}

const BYTES: &[u8] = b"\0\t\n\r \"'{}[](),:;.-+/\\0123456789azAZ_|&=<>\x7f\x80\xbf\xc3\xed\xf4\xff";

fn raw(bytes: &mut Vec<u8>, other: &[u8], chance: &mut Stream) -> Option<Vec<String>> {
    let (start, end) = span(bytes.len(), chance);
    let byte = BYTES[chance.below(BYTES.len() as u32) as usize];
    match chance.below(9) {
        0 => bytes.insert(start, byte),
        1 => _ = bytes.get_mut(start).map(|at| *at = byte),
        2 => _ = bytes.get_mut(start).map(|at| *at ^= 1 << chance.below(8)),
        3 => drop(bytes.drain(start..end)),
        4 => bytes.truncate(start),
        5 => {
            let part = bytes[start..end].to_vec();
            drop(bytes.splice(start..start, part));
        }
        6 => {
            let (from, to) = span(other.len(), chance);
            drop(bytes.splice(start..end, other[from..to].iter().copied()));
        }
        7 => drop(bytes.splice(0..0, *b"\xef\xbb\xbf")),
        _ => {
            let many = [1, 100, 10_000][chance.below(3) as usize];
            drop(bytes.splice(start..start, std::iter::repeat_n(byte, many)));
        }
    }
    None
}

/// Words of all files, to stand anywhere.
const WORDS: &[&str] = &[
    "0",
    "1",
    "-1",
    "13",
    "14",
    "99",
    "1e999",
    "4294967296",
    "18446744073709551616",
    "\"",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ":",
    "null",
    "true",
    "if",
    "then",
    "else",
    "and",
    "or",
    "not",
    "xor",
    "mod",
    "in",
    "last",
    "card",
    "color",
    "suit",
    "rank",
    "red",
    "black",
    "heart",
    "odd",
    "even",
    "cycle",
    "pattern",
    "since",
    "times",
    "count",
    "any",
    "all",
    "previous",
    "run",
    "of",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    "+",
    "-",
    "*",
    "/",
    "..",
    "|",
    "&",
    "minority",
    "majority",
    "line",
    "A",
    "K",
    "x",
    "AS",
    "2H",
];

/// Where words begin and end: runs of letters and digits, blanks, single signs.
fn borders(bytes: &[u8]) -> Vec<usize> {
    let kind = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | 0x80.. => 0,
        b' ' | b'\n' => 1,
        _ => 2,
    };
    let inner = (1..bytes.len()).filter(|&at| {
        let (before, here) = (kind(bytes[at - 1]), kind(bytes[at]));
        before != here || here == 2
    });
    std::iter::once(0).chain(inner).chain([bytes.len()]).collect()
}

fn words(bytes: &mut Vec<u8>, chance: &mut Stream) -> Option<Vec<String>> {
    let borders = borders(bytes);
    let words = borders.len() as u32 - 1;
    let mut word = || {
        let at = chance.below(words.max(1)) as usize;
        borders.get(at).copied().unwrap_or(0)..borders.get(at + 1).copied().unwrap_or(0)
    };
    let (one, two) = (word(), word());
    let other = bytes[two.clone()].to_vec();
    let new = WORDS[chance.below(WORDS.len() as u32) as usize].as_bytes();
    match chance.below(7) {
        0 => drop(bytes.drain(one)),
        1 => drop(bytes.splice(one.start..one.start, other)),
        2 => drop(bytes.splice(one, other)),
        3 => drop(bytes.splice(one, new.iter().copied())),
        4 => {
            let around = [b" ", new, b" "].concat();
            drop(bytes.splice(one.start..one.start, around));
        }
        5 => {
            // Deeper and deeper.
            let depth = [1, 8, 60, 500][chance.below(4) as usize];
            let (open, close) = [("(", ")"), ("not (", ")"), ("if red then (", ") else black")]
                [chance.below(3) as usize];
            let inner = String::from_utf8_lossy(bytes).into_owned();
            *bytes = (open.repeat(depth) + &inner + &close.repeat(depth)).into_bytes();
        }
        _ => {
            let first = bytes[one.clone()].to_vec();
            if one.start < two.start {
                drop(bytes.splice(two, first));
                drop(bytes.splice(one, other));
            }
        }
    }
    None
}
