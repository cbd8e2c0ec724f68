//! JSON as a tree of raw text, so that it can be written incorrectly.

use parlour::chance::Stream;
use serde_json::Value;

/// A value; its raw texts need not be JSON, and an object may say a field twice.
#[derive(Clone)]
pub enum Json {
    Raw(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl From<&Value> for Json {
    fn from(value: &Value) -> Json {
        match value {
            Value::Array(items) => Json::List(items.iter().map(Json::from).collect()),
            Value::Object(fields) => {
                Json::Object(fields.iter().map(|(name, v)| (quoted(name), v.into())).collect())
            }
            other => Json::Raw(other.to_string()),
        }
    }
}

fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

/// Replacements of numbers.
const NUMBERS: &[&str] = &[
    "0",
    "-0",
    "-1",
    "1",
    "2",
    "3",
    "7",
    "9",
    "13",
    "52",
    "53",
    "64",
    "100",
    "104",
    "105",
    "127",
    "128",
    "200",
    "255",
    "256",
    "300",
    "32767",
    "32768",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e999",
    "-1e999",
    "1e308",
    "-1e308",
    "1e-999",
    "5e-324",
    "NaN",
    "Infinity",
    "0.1",
    "0.5",
    "1.0",
    "1.5",
    "-0.0",
    "1e2",
    "1E+2",
    "01",
    "+1",
    ".5",
    "1.",
    "0x10",
];

/// Replacements of texts; the last ones are not JSON.
const TEXTS: &[&str] = &[
    r#""""#,
    r#"" ""#,
    r#""0""#,
    r#""-1""#,
    r#""null""#,
    r#""a\u0000b""#,
    r#""\u001b[31m""#,
    r#""\n""#,
    r#""\r\n\t""#,
    r#""é""#,
    r#""日本""#,
    r#""🂡""#,
    r#""\u202e""#,
    r#""./none.json""#,
    r#""../..""#,
    r#""a/b""#,
    r#""none.json""#,
    r#""AS""#,
    r#""TD""#,
    r#""10D""#,
    r#""a1""#,
    r#""a19""#,
    r#""z99""#,
    r#""7H o7""#,
    r#""knock""#,
    r#""random""#,
    r#""greedy""#,
    r#""revised""#,
    r#""leopard""#,
    r#""leapfrog""#,
    r#""eleusis""#,
    r#""fixed:red""#,
    r#""fixed:""#,
    r#""color == red""#,
    r#""\ud800""#,
    r#""\x""#,
    r#"""#,
    "'a'",
];

/// Values of each type.
const TYPES: &[&str] = &["null", "true", "false", "0", "-1", "1.5", r#""x""#, "[]", "{}", "[0]"];

impl Json {
    /// Its text, on one line or on several.
    pub fn write(&self, pretty: bool) -> String {
        let mut out = String::new();
        self.write_to(&mut out, pretty.then_some(0));
        out
    }

    fn write_to(&self, out: &mut String, depth: Option<usize>) {
        let inner = depth.map(|depth| depth + 1);
        let line = |out: &mut String, depth: Option<usize>| {
            if let Some(depth) = depth {
                out.push('\n');
                out.push_str(&"  ".repeat(depth));
            }
        };
        match self {
            Json::Raw(text) => out.push_str(text),
            Json::List(items) => {
                out.push('[');
                for (index, item) in items.iter().enumerate() {
                    out.push_str(if index > 0 { ", " } else { "" });
                    item.write_to(out, inner);
                }
                out.push(']');
            }
            Json::Object(fields) => {
                out.push('{');
                for (index, (name, value)) in fields.iter().enumerate() {
                    out.push_str(if index > 0 { "," } else { "" });
                    line(out, inner);
                    out.push_str(name);
                    out.push(':');
                    value.write_to(out, inner);
                }
                line(out, depth);
                out.push('}');
            }
        }
    }

    fn nodes(&self) -> u32 {
        1 + match self {
            Json::Raw(_) => 0,
            Json::List(items) => items.iter().map(Json::nodes).sum(),
            Json::Object(fields) => fields.iter().map(|(_, value)| value.nodes()).sum(),
        }
    }

    /// The node with this number, from the top, and the fields on the way to it.
    fn node(&mut self, mut number: u32, way: &mut Vec<String>) -> Option<&mut Json> {
        if number == 0 {
            return Some(self);
        }
        number -= 1;
        let children: Vec<(Option<&str>, &mut Json)> = match self {
            Json::Raw(_) => return None,
            Json::List(items) => items.iter_mut().map(|item| (None, item)).collect(),
            Json::Object(fields) => {
                fields.iter_mut().map(|(name, v)| (Some(name.as_str()), v)).collect()
            }
        };
        for (name, child) in children {
            let nodes = child.nodes();
            if number < nodes {
                way.extend(name.map(|name| name.trim_matches('"').to_owned()));
                return child.node(number, way);
            }
            number -= nodes;
        }
        None
    }

    /// Changes one node drawn at random. Where that only puts a value of another type into a field,
    /// returns the fields on the way to it.
    pub fn change(&mut self, chance: &mut Stream) -> Option<Vec<String>> {
        let whole = self.clone();
        let mut way = Vec::new();
        let nodes = self.nodes();
        let node = self.node(chance.below(nodes), &mut way)?;
        if chance.below(6) == 0 {
            let was = node.kind();
            *node = Json::Raw(pick(TYPES, chance).to_string());
            // Nothing in the place of what may be left out leaves it out.
            let other = was != node.kind() && node.kind() != "null";
            return other.then_some(way).filter(|way| !way.is_empty());
        }
        match chance.below(12) {
            0 => {
                // Another part of the same file.
                let mut whole = whole;
                let other = whole.node(chance.below(nodes), &mut Vec::new())?.clone();
                *node = other;
            }
            1 => {
                let depth = [2, 10, 100, 127, 128, 129, 1000, 20_000][chance.below(8) as usize];
                let (open, close) = pick(&[("[", "]"), (r#"{"a":"#, "}")], chance);
                *node = Json::Raw(open.repeat(depth) + "1" + &close.repeat(depth));
            }
            2 => *node = Json::List(vec![node.clone()]),
            // Two texts or numbers change places: all cards are still there, but not where they were.
            3..6 => self.swap(chance),
            _ => node.change_inside(chance),
        }
        None
    }

    fn swap(&mut self, chance: &mut Stream) {
        let nodes = self.nodes();
        let mut place = || chance.below(nodes);
        for _ in 0..20 {
            let (one, other) = (place(), place());
            let mut at = |number| self.node(number, &mut Vec::new()).cloned();
            let (Some(first), Some(second)) = (at(one), at(other)) else { continue };
            let is_leaf = |json: &Json| matches!(json, Json::Raw(_));
            if is_leaf(&first) && is_leaf(&second) && first.kind() == second.kind() {
                for (number, value) in [(one, second), (other, first)] {
                    _ = self.node(number, &mut Vec::new()).map(|node| *node = value);
                }
                return;
            }
        }
    }

    /// A word for its type.
    fn kind(&self) -> &'static str {
        match self {
            Json::List(_) => "list",
            Json::Object(_) => "object",
            Json::Raw(text) => match text.as_bytes().first() {
                Some(b'"') => "text",
                Some(b'[') => "list",
                Some(b'{') => "object",
                Some(b't' | b'f') => "switch",
                Some(b'n') => "null",
                _ => "number",
            },
        }
    }

    fn change_inside(&mut self, chance: &mut Stream) {
        match self {
            Json::Raw(text) if text.starts_with('"') => *text = changed_text(text, chance),
            Json::Raw(text) => {
                *text = match (chance.below(8), text.parse::<i64>()) {
                    (0, Ok(n)) => (n.wrapping_add(1)).to_string(),
                    (1, Ok(n)) => (n.wrapping_sub(1)).to_string(),
                    (2, Ok(n)) => (n.wrapping_mul(10)).to_string(),
                    (3, _) => "9".repeat([30, 400, 5000][chance.below(3) as usize]),
                    _ => pick(NUMBERS, chance).to_string(),
                };
            }
            Json::List(items) => change_list(items, chance),
            Json::Object(fields) => change_fields(fields, chance),
        }
    }
}

fn pick<T: Copy>(from: &[T], chance: &mut Stream) -> T {
    from[chance.below(from.len() as u32) as usize]
}

fn changed_text(text: &str, chance: &mut Stream) -> String {
    let inner: Vec<char> = text.trim_matches('"').chars().collect();
    let at = chance.below(inner.len() as u32 + 1) as usize;
    let (before, after) = inner.split_at(at);
    let (before, after) = (String::from_iter(before), String::from_iter(after));
    let inner = match chance.below(8) {
        0 => before + after.get(1..).unwrap_or_default(),
        1 => before + pick(&["x", " ", "-", "0", "9", ",", ".", "(", ")", "é"], chance) + &after,
        2 => after + &before,
        3 => before,
        4 => after.clone() + &after,
        5 => "a".repeat([70, 5000, 200_000][chance.below(3) as usize]),
        _ => return pick(TEXTS, chance).to_string(),
    };
    format!("\"{inner}\"")
}

fn change_list(items: &mut Vec<Json>, chance: &mut Stream) {
    let len = items.len() as u32;
    if len == 0 {
        return items.push(Json::Raw(pick(TYPES, chance).to_string()));
    }
    let (one, other) = (chance.below(len) as usize, chance.below(len) as usize);
    match chance.below(7) {
        0 => _ = items.remove(one),
        1 => items.insert(other, items[one].clone()),
        2 => items.swap(one, other),
        3 => items.truncate(one),
        4 => items.reverse(),
        5 => items.extend(vec![items[one].clone(); [2, 20, 300][chance.below(3) as usize]]),
        _ => items.push(Json::Raw(pick(TYPES, chance).to_string())),
    }
}

fn change_fields(fields: &mut Vec<(String, Json)>, chance: &mut Stream) {
    let len = fields.len() as u32;
    if len == 0 {
        return fields.push((r#""x""#.to_owned(), Json::Raw("1".to_owned())));
    }
    let (one, other) = (chance.below(len) as usize, chance.below(len) as usize);
    match chance.below(9) {
        0 | 1 => _ = fields.remove(one),
        2 => fields.insert(other, fields[one].clone()),
        3 => {
            let value = Json::Raw(pick(TYPES, chance).to_string());
            fields.push((fields[one].0.clone(), value));
        }
        4 => {
            let value = fields[one].1.clone();
            fields[one].1 = std::mem::replace(&mut fields[other].1, value);
        }
        5 => fields[one].0 = changed_text(&fields[one].0, chance),
        6 => {
            let name = quoted(pick(&["", "x", "note", "name", "base", "kind", "game"], chance));
            fields.insert(other, (name, Json::Raw(pick(TYPES, chance).to_string())));
        }
        7 => chance.shuffle(fields),
        _ => fields.truncate(one),
    }
}
