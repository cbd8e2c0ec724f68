//! A walk over the text of a JSON value: which field stands where. serde_json tells how far into a
//! text it came, so no reader need keep account of the way while all is well.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;

use super::pointer::last;

/// How deep a text is read, as `serde_json` reads it.
const DEEPEST: usize = 127;

/// A text, and how much of it was walked.
struct Walk<'a> {
    text: &'a str,
    at: usize,
    /// The objects and lists that are open, the outermost first.
    open: Vec<Open>,
}

/// What stands open at a place.
enum Open {
    /// An object: its names so far, and the one whose value comes.
    Object(BTreeSet<String>, Option<String>),
    /// A list, and the number of its item.
    List(usize),
}

/// What the walk came by.
enum Token {
    /// An object's field, and whether the object has said it before.
    Name { before: bool },
    /// A text, a number or a word.
    Plain,
    /// A bracket, a comma or a colon.
    Mark,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str) -> Walk<'a> {
        Walk { text, at: 0, open: Vec::new() }
    }

    /// The next token and where it stands. What is no JSON is walked over somehow.
    fn step(&mut self) -> Option<(Token, Range<usize>)> {
        let rest = self.text[self.at..].trim_start_matches([' ', '\n', '\t', '\r']);
        let from = self.text.len() - rest.len();
        let mut token = Token::Mark;
        let length = match (rest.bytes().next()?, self.open.last_mut()) {
            (b'{', _) => {
                self.open.push(Open::Object(BTreeSet::new(), None));
                1
            }
            (b'[', _) => {
                self.open.push(Open::List(0));
                1
            }
            (b'}' | b']', _) => {
                self.open.pop();
                1
            }
            (b',', around) => {
                match around {
                    Some(Open::Object(_, name)) => *name = None,
                    Some(Open::List(index)) => *index += 1,
                    None => {}
                }
                1
            }
            (b':', _) => 1,
            (b'"', around) => {
                let length = quoted(rest);
                token = Token::Plain;
                if let Some(Open::Object(said, name @ None)) = around {
                    *name = serde_json::from_str(&rest[..length]).ok();
                    let before = name.clone().is_some_and(|name| !said.insert(name));
                    token = Token::Name { before };
                }
                length
            }
            _ => {
                token = Token::Plain;
                rest.find([' ', '\n', '\t', '\r', ',', ':', '"', '{', '}', '[', ']'])
                    .unwrap_or(rest.len())
            }
        };
        self.at = from + length;
        Some((token, from..self.at))
    }

    /// The way to where the walk is: a JSON pointer (RFC 6901).
    fn pointer(&self) -> String {
        let steps = self.open.iter().filter_map(|open| match open {
            Open::Object(_, name) => name.as_ref().map(|n| n.replace('~', "~0").replace('/', "~1")),
            Open::List(index) => Some(index.to_string()),
        });
        steps.fold(String::new(), |way, step| way + "/" + &step)
    }
}

/// The bytes of the quoted text that this begins with.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    let end = text.bytes().skip(1).position(|byte| {
        let ends = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        ends
    });
    end.map_or(text.len(), |end| end + 2)
}

/// The way, a JSON pointer, to what stands last in a text that ends somewhere.
pub(super) fn pointer_to_end(text: &str) -> String {
    let mut walk = Walk::new(text);
    while walk.step().is_some() {}
    walk.pointer()
}

/// The text as a reader shall have it: blanks in place of the outermost `$schema`, which is for
/// editors.
///
/// # Errors
/// A field that its object says twice, or more brackets in one another than anything that is read: the
/// way to it, the bytes up to its end, and what is wrong.
pub(super) fn surveyed(text: &str) -> Result<Cow<'_, str>, (String, usize, String)> {
    let mut walk = Walk::new(text);
    let (mut mark, mut from, mut blank) = (0, None, None);
    while let Some((token, place)) = walk.step() {
        let said = &text[place.clone()];
        if walk.open.len() > DEEPEST {
            // The outermost fields say where.
            walk.open.truncate(3);
            let what = format!("it is nested too deeply: at most {DEEPEST} levels");
            return Err((walk.pointer(), place.end, what));
        }
        match token {
            Token::Name { before: true } => {
                let way = walk.pointer();
                let what = format!("duplicate field `{}`", last(&way).unwrap_or_default());
                return Err((way, place.end, what));
            }
            Token::Name { .. } if walk.open.len() == 1 && said == "\"$schema\"" => {
                from = Some(mark)
            }
            Token::Plain if said.starts_with('"') => {
                blank = from.take().map(|from| from..place.end).or(blank);
            }
            Token::Mark if said != ":" => (mark, from) = (place.start, None),
            _ => {}
        }
    }
    let Some(mut blank) = blank else { return Ok(text.into()) };
    // The comma before it goes too; where it is the first, the one after it.
    if text[blank.start..].starts_with('{') {
        blank.start += 1;
        if let Some(rest) = text[blank.end..].trim_start().strip_prefix(',') {
            blank.end = text.len() - rest.len();
        }
    }
    let blanks = text[blank.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' });
    let (before, after) = (&text[..blank.start], &text[blank.end..]);
    Ok(before.chars().chain(blanks).chain(after.chars()).collect::<String>().into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_is_to_what_was_read_last() {
        let text = r#"{"a": [1, {"b\"/": true}], "c": {}}"#;
        let way = |end: &str| pointer_to_end(&text[..text.find(end).unwrap() + end.len()]);
        assert_eq!(way("{"), "");
        assert_eq!(way(r#""a""#), "/a");
        assert_eq!(way("1"), "/a/0");
        assert_eq!(way("true"), "/a/1/b\"~1");
        assert_eq!(way("}"), "/a/1");
        assert_eq!(way("]"), "/a");
        assert_eq!(way("{}"), "/c");
        assert_eq!(way("{}}"), "");
    }

    #[test]
    fn what_is_no_json_is_walked_over() {
        for text in ["", "\"", "{\"\\", "]}", "{\"a\" \"a\": [,,", "\u{2028}{é", "{:}{,:,}"] {
            pointer_to_end(text);
            let survey = surveyed(text);
            assert_eq!(survey, Ok(text.into()));
        }
    }

    #[test]
    fn a_schema_is_blanked_and_a_field_said_twice_found() {
        let one = surveyed("{\"$schema\": \"é\",\n \"a\": 1}").unwrap();
        assert_eq!(one, format!("{{{}\n \"a\": 1}}", " ".repeat(16)));
        let last = surveyed("{\"a\": 1, \"$schema\": \"x\"}").unwrap();
        assert_eq!(last, format!("{{\"a\": 1{}}}", " ".repeat(16)));
        let inner = "{\"a\": {\"$schema\": \"x\"}, \"$schema\": 1}";
        assert_eq!(surveyed(inner).unwrap(), inner);
        let twice = "{\"a\": [{\"b\": 1, \"c\": 2, \"b\": 3}]}";
        let fault = ("/a/0/b".to_owned(), 27, "duplicate field `b`".to_owned());
        assert_eq!(surveyed(twice), Err(fault));
    }

    #[test]
    fn what_is_nested_too_deeply_is_not_walked_further() {
        let nested = |deep: usize| format!("{{\"a\": {}", "[".repeat(deep - 1));
        assert!(surveyed(&nested(127)).is_ok());
        let (way, bytes, what) = surveyed(&nested(1_000_000)).unwrap_err();
        assert_eq!((way.as_str(), bytes), ("/a/0/0", 6 + 127));
        assert!(what.contains("nested too deeply"), "{what}");
    }
}
