//! Sweeps: fields of rules or of a strategy, each with the values that it takes in turn.

use std::borrow::Cow;
use std::fmt::{self, Formatter};

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use parlour_base::error::{Error, Result};

/// The most values of a range; a list may have as many as it likes.
const MOST: i128 = 100_000;

/// The values of each field. A sweep stands for all combinations of them.
///
/// In a file it is an object: `{"knock_at": [4, 5, 6], "suit_line": "2..3"}`. A range `A..B` holds
/// both ends and goes up by 1, `A..B:S` by `S`. A field within a group is written `group.field`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Sweep {
    fields: Vec<(String, Values)>,
}

/// The values of one field.
#[derive(Clone, PartialEq, Debug)]
struct Values(Vec<Value>);

/// A value for each field.
pub type Combination<'a> = Vec<(&'a str, &'a Value)>;

impl Sweep {
    /// A sweep that was written as `FIELD=VALUES` on the command line: a range, or values with
    /// commas between them.
    ///
    /// # Errors
    /// Bad input: what is wrong with the values, or that a field stands there twice.
    pub fn parse<'a>(settings: impl IntoIterator<Item = &'a str>) -> Result<Sweep> {
        let mut sweep = Sweep::default();
        for setting in settings {
            let fault = |what: String| Error::input(format!("`{setting}`: {what}"));
            let (field, text) = setting.split_once('=').unwrap_or((setting, ""));
            let values = Values::written(text).map_err(fault)?;
            if sweep.fields.iter().any(|(known, _)| known == field) {
                return Err(fault(format!("`{field}` is swept twice")));
            }
            sweep.fields.push((field.to_owned(), values));
        }
        Ok(sweep)
    }

    /// The fields with their values, in their order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&str, &[Value])> {
        self.fields.iter().map(|(field, values)| (field.as_str(), values.0.as_slice()))
    }

    /// The number of combinations.
    pub fn count(&self) -> u128 {
        self.fields().fold(1, |count, (_, values)| count.saturating_mul(values.len() as u128))
    }

    /// All combinations; the last field changes fastest.
    pub fn combinations<'a>(&'a self) -> Vec<Combination<'a>> {
        self.fields().fold(vec![Vec::new()], |before, (field, values)| {
            let with = |start: &Combination<'a>| {
                let start = start.clone();
                values
                    .iter()
                    .map(move |value| start.iter().copied().chain([(field, value)]).collect())
            };
            before.iter().flat_map(with).collect::<Vec<Combination<'a>>>()
        })
    }
}

/// What a combination is called: each `{field}` of the pattern is its value, and what the pattern
/// does not name follows as `-field-value`. Of a field within a group the last part counts.
pub fn name(pattern: &str, combination: &Combination<'_>) -> String {
    let mut name = pattern.to_owned();
    for (field, value) in combination {
        let short = last(field);
        let (gap, value) = (format!("{{{short}}}"), word(value));
        match name.contains(&gap) {
            true => name = name.replace(&gap, &value),
            false => name += &format!("-{short}-{value}"),
        }
    }
    name
}

/// The name of a field without the groups that it lies in.
pub fn last(field: &str) -> &str {
    field.rsplit('.').next().unwrap_or(field)
}

/// A value as a part of a name.
pub fn word(value: &Value) -> String {
    match value {
        Value::String(word) => word.clone(),
        Value::Null => "none".to_owned(),
        other => other.to_string(),
    }
}

impl Values {
    /// Values as a text writes them.
    fn written(text: &str) -> std::result::Result<Values, String> {
        if let Some((low, rest)) = text.split_once("..") {
            let (high, step) = rest.split_once(':').unwrap_or((rest, "1"));
            return range(low, high, step).ok_or_else(|| {
                format!(
                    "the range `{text}` is not `A..B` or `A..B:STEP` with numbers that rise, at \
                     most {MOST} of them"
                )
            })?;
        }
        let value = |word: &str| serde_json::from_str(word).unwrap_or_else(|_| word.into());
        let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
        Values::checked(words.map(value).collect())
    }

    fn checked(values: Vec<Value>) -> std::result::Result<Values, String> {
        let nested = values.iter().find(|value| value.is_array() || value.is_object());
        let twice = values.iter().enumerate().find(|(at, value)| values[..*at].contains(value));
        match (values.is_empty(), nested, twice) {
            (true, ..) => Err("there is no value; write some, as in `[4, 5, 6]`".to_owned()),
            (_, Some(value), _) => {
                Err(format!("`{value}` is no single value: a number, a word, true, false or null"))
            }
            (.., Some((_, value))) => Err(format!("{value} is there twice")),
            _ => Ok(Values(values)),
        }
    }
}

/// The numbers from one to another; without rounding, as they are written. `None` where they are no
/// numbers.
fn range(low: &str, high: &str, step: &str) -> Option<std::result::Result<Values, String>> {
    let digits = |text: &str| text.split_once('.').map_or(0, |(_, digits)| digits.len());
    let decimals = digits(low).max(digits(high)).max(digits(step));
    let whole = |text: &str| {
        let text = text.trim();
        text.parse::<f64>().ok().filter(|_| decimals <= 9)?;
        let (before, after) = text.split_once('.').unwrap_or((text, ""));
        format!("{before}{after:0<decimals$}").parse::<i128>().ok()
    };
    let (low, high, step) = (whole(low)?, whole(high)?, whole(step)?);
    if step <= 0 || high < low || (high - low) / step >= MOST {
        return None;
    }
    let number = |scaled: i128| {
        let (sign, size) = (if scaled < 0 { "-" } else { "" }, scaled.unsigned_abs());
        let one = 10u128.pow(decimals as u32);
        let (whole, part) = (size / one, size % one);
        let text = match decimals {
            0 => format!("{sign}{whole}"),
            _ => format!("{sign}{whole}.{part:0>decimals$}"),
        };
        serde_json::from_str::<Value>(&text).unwrap_or_default()
    };
    let numbers = (0..=(high - low) / step).map(|k| number(low + k * step));
    Some(Values::checked(numbers.collect()))
}

impl Serialize for Sweep {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let field = |(name, values): (&str, &[Value])| (name.to_owned(), values.into());
        self.fields().map(field).collect::<Map<String, Value>>().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Sweep {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        from.deserialize_map(Fields)
    }
}

/// Reads the fields in the order of the file.
struct Fields;

impl<'de> Visitor<'de> for Fields {
    type Value = Sweep;

    fn expecting(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("fields with their values, `{\"field\": [1, 2, 3]}`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Sweep, A::Error> {
        let mut fields = Vec::new();
        while let Some(field) = map.next_entry()? {
            fields.push(field);
        }
        if fields.is_empty() {
            return Err(A::Error::custom("there is no field; write one with its values"));
        }
        Ok(Sweep { fields })
    }
}

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        let values = match Value::deserialize(from)? {
            Value::Array(values) => Values::checked(values),
            Value::String(text) if text.contains("..") => Values::written(&text),
            other => {
                Err(format!("{other} is no list of values, `[4, 5, 6]`, and no range, `\"4..6\"`"))
            }
        };
        values.map_err(D::Error::custom)
    }
}

impl JsonSchema for Sweep {
    fn schema_name() -> Cow<'static, str> {
        "Sweep".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let value = ["number", "string", "boolean", "null"];
        json_schema!({
            "description": "Fields, each with its values: a list, or a range `\"4..10\"`.",
            "type": "object",
            "minProperties": 1,
            "additionalProperties": { "anyOf": [
                {
                    "type": "array", "minItems": 1, "uniqueItems": true,
                    "items": { "type": value },
                },
                { "type": "string", "pattern": r"^-?[0-9.]+?\.\.-?[0-9.]+(:[0-9.]+)?$" },
            ] },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn values(text: &str) -> std::result::Result<Vec<Value>, String> {
        Values::written(text).map(|values| values.0)
    }

    #[test]
    fn ranges_and_lists_hold_what_they_say() {
        assert_eq!(values("4..6").unwrap(), [json!(4), json!(5), json!(6)]);
        assert_eq!(values("-1..1:0.5").unwrap().len(), 5);
        assert_eq!(values("-1..1:0.5").unwrap()[1], json!(-0.5));
        assert_eq!(values("0.1..0.3:0.1").unwrap()[2], json!(0.3), "no rounding");
        assert_eq!(
            values("2,no_knock, true,null").unwrap()[1..],
            [json!("no_knock"), json!(true), Value::Null]
        );
        for wrong in ["6..4", "a..b", "1..2:0", "0..1e9", "0..1000000", "..", ""] {
            assert!(values(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn all_combinations_have_names() {
        let sweep = Sweep::parse(["knock_at=4,5", "weights.threat=0.5,2"]).unwrap();
        assert_eq!(sweep.count(), 4);
        let names = |pattern| -> Vec<String> {
            sweep.combinations().iter().map(|combination| name(pattern, combination)).collect()
        };
        assert_eq!(names("a-{threat}-{knock_at}"), ["a-0.5-4", "a-2-4", "a-0.5-5", "a-2-5"]);
        assert_eq!(names("x-{threat}")[3], "x-2-knock_at-5");
        assert_eq!(names("x")[0], "x-knock_at-4-threat-0.5");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |text: &str| serde_json::from_str::<Sweep>(text).unwrap_err().to_string();
        assert!(said("{\"a\": []}").contains("there is no value"));
        assert!(said("{\"a\": [1, 1]}").contains("1 is there twice"));
        assert!(said("{\"a\": [[1]]}").contains("`[1]` is no single value"));
        assert!(said("{\"a\": 3}").contains("3 is no list of values"));
        assert!(said("{}").contains("there is no field"));
        assert!(Sweep::parse(["a=1", "a=2"]).unwrap_err().to_string().contains("swept twice"));
    }
}
