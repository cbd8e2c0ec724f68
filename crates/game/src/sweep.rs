//! Sweeps: fields of rules or of a strategy, each with several values.

use std::borrow::Cow;

use indexmap::IndexMap;
use itertools::Itertools;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use parlour_base::error::{Error, Result};

/// The maximum number of values of a range; a list may have more.
const MOST: i128 = 100_000;

/// The maximum length of a name.
pub const MAX_NAME: usize = 60;

/// The values of each field. A sweep stands for all combinations of them.
///
/// In a file it is an object: `{"knock_at": [4, 5, 6], "suit_line": "2..3"}`. A range `A..B` includes
/// both ends and has steps of 1, `A..B:S` steps of `S`. A field within a group is `group.field`.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(try_from = "IndexMap<String, Values>")]
pub struct Sweep(IndexMap<String, Values>);

/// The values of one field.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Value")]
struct Values(Vec<Value>);

/// A value for each field.
pub type Combination<'a> = Vec<(&'a str, &'a Value)>;

impl Sweep {
    /// Parses settings `FIELD=VALUES` of the command line: a range, or values with commas between
    /// them.
    ///
    /// # Errors
    /// Bad input: the values are wrong, or a field occurs twice.
    pub fn parse<'a>(settings: impl IntoIterator<Item = &'a str>) -> Result<Sweep> {
        let mut sweep = Sweep::default();
        for setting in settings {
            let fault = |what: String| Error::input(format!("`{setting}`: {what}"));
            let (field, text) = setting.split_once('=').unwrap_or((setting, ""));
            let values = Values::parse(text).map_err(fault)?;
            if sweep.0.insert(field.to_owned(), values).is_some() {
                return Err(fault(format!("`{field}` is swept twice")));
            }
        }
        Ok(sweep)
    }

    /// The fields with their values, in their order.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&str, &[Value])> {
        self.0.iter().map(|(field, values)| (field.as_str(), values.0.as_slice()))
    }

    /// The number of combinations.
    pub fn count(&self) -> u128 {
        self.fields().fold(1, |count, (_, values)| count.saturating_mul(values.len() as u128))
    }

    /// The sweep of one combination: for each field the value of this number.
    #[must_use]
    pub fn only(&self, numbers: &[usize]) -> Sweep {
        let fields = self.0.iter().zip(numbers);
        let value = |values: &Values, number: usize| {
            Values(values.0.iter().skip(number).take(1).cloned().collect())
        };
        Sweep(fields.map(|((field, all), number)| (field.clone(), value(all, *number))).collect())
    }

    /// All combinations; the last field changes fastest.
    pub fn combinations(&self) -> Vec<Combination<'_>> {
        let fields = self.fields().map(|(field, values)| values.iter().map(move |it| (field, it)));
        fields.multi_cartesian_product().collect()
    }
}

/// The name of a combination: the pattern with each `{field}` replaced by its value. Fields that the
/// pattern does not name follow as `-field-value`, or as `-value` if the name is too long otherwise. A field
/// within a group is named by its last part.
pub fn name(pattern: &str, combination: &Combination<'_>) -> String {
    let long = joined(pattern, combination, true);
    if long.len() > MAX_NAME { joined(pattern, combination, false) } else { long }
}

/// Joins a pattern and the values of a combination, with the names of the fields or without.
fn joined(pattern: &str, combination: &Combination<'_>, has_fields: bool) -> String {
    let mut name = pattern.to_owned();
    for (field, value) in combination {
        let short = last(field);
        let (gap, value) = (format!("{{{short}}}"), word(value));
        match name.contains(&gap) {
            true => name = name.replace(&gap, &value),
            false if has_fields => name += &format!("-{short}-{value}"),
            false => name += &format!("-{value}"),
        }
    }
    name
}

/// Sets the fields of a combination; missing groups are created.
pub fn set_fields(fields: &mut Value, combination: &Combination<'_>) {
    for (field, value) in combination {
        let place = field.split('.').fold(&mut *fields, |group, name| {
            if !group.is_object() {
                *group = json!({});
            }
            &mut group[name]
        });
        *place = (*value).clone();
    }
}

/// The name of a field without its groups.
pub fn last(field: &str) -> &str {
    field.rsplit('.').next().unwrap_or(field)
}

/// A field with its value, for people: `knock at 8`, `no diagonal`.
pub fn in_words(field: &str, value: &Value) -> String {
    let field = last(field).replace('_', " ");
    match value {
        Value::Bool(true) => field,
        Value::Bool(false) => format!("no {field}"),
        value => format!("{field} {}", word(value).replace('_', " ")),
    }
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
    /// Parses a range, or values with commas between them.
    fn parse(text: &str) -> std::result::Result<Values, String> {
        let value = |word: &str| serde_json::from_str(word).unwrap_or_else(|_| word.into());
        let words = || text.split(',').map(str::trim).filter(|word| !word.is_empty());
        if let Some((low, high)) = text.split_once('-')
            && [low, high].iter().all(|end| end.trim().parse::<f64>().is_ok())
        {
            return Err(format!("a range is written with dots: `{low}..{high}`"));
        }
        Values::checked(match text.split_once("..") {
            Some((low, rest)) => range(low, rest).ok_or_else(|| {
                format!(
                    "the range `{text}` is not `A..B` or `A..B:STEP` with numbers that rise, at \
                     most {MOST} of them"
                )
            })?,
            None => words().map(value).collect(),
        })
    }

    fn checked(values: Vec<Value>) -> std::result::Result<Values, String> {
        let nested = values.iter().find(|value| value.is_array() || value.is_object());
        let repeated = values.iter().duplicates_by(|value| value.to_string()).next();
        match (values.is_empty(), nested, repeated) {
            (true, ..) => Err("there is no value; write some, as in `[4, 5, 6]`".to_owned()),
            (_, Some(value), _) => Err(format!(
                "`{value}` is not a single value: a number, a word, true, false or null"
            )),
            (.., Some(value)) => Err(format!("{value} occurs twice")),
            _ => Ok(Values(values)),
        }
    }
}

/// The numbers of a range with this low end. The rest is the high end and perhaps a step. Numbers
/// are multiples of the last decimal, without rounding errors.
fn range(low: &str, rest: &str) -> Option<Vec<Value>> {
    let (high, step) = rest.split_once(':').unwrap_or((rest, "1"));
    let texts = [low, high, step];
    let decimals = texts.map(|text| text.split_once('.').map_or(0, |(_, digits)| digits.len()));
    let decimals = decimals.into_iter().max().filter(|decimals| *decimals <= 9)?;
    let one = 10f64.powi(decimals as i32);
    let scaled = |text: &str| {
        let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite())?;
        Some((number * one).round() as i128)
    };
    let (low, high, step) = (scaled(low)?, scaled(high)?, scaled(step)?);
    if step <= 0 || high < low || high.saturating_sub(low) / step >= MOST {
        return None;
    }
    let number = |scaled: i128| match decimals {
        0 => json!(scaled as i64),
        _ => json!(scaled as f64 / one),
    };
    Some((0..=(high - low) / step).map(|k| number(low + k * step)).collect())
}

impl TryFrom<IndexMap<String, Values>> for Sweep {
    type Error = &'static str;

    fn try_from(fields: IndexMap<String, Values>) -> std::result::Result<Sweep, &'static str> {
        match fields.is_empty() {
            true => Err("there is no field; write one with its values"),
            false => Ok(Sweep(fields)),
        }
    }
}

impl TryFrom<Value> for Values {
    type Error = String;

    fn try_from(value: Value) -> std::result::Result<Values, String> {
        match value {
            Value::Array(values) => Values::checked(values),
            Value::String(text) if text.contains("..") => Values::parse(&text),
            other => {
                Err(format!("{other} is not a list of values, `[4, 5, 6]`, or a range, `\"4..6\"`"))
            }
        }
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
        Values::parse(text).map(|values| values.0)
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
        assert_eq!(values("4-10").unwrap_err(), "a range is written with dots: `4..10`");
        assert!(values("-4,1e-10").is_ok());
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
        let long = Sweep::parse(["first=4", "second=0.5", "third=no"]).unwrap();
        let base = "a-name-of-thirty-four-letters-or-so";
        assert_eq!(name(base, &long.combinations()[0]), format!("{base}-4-0.5-no"));
        let words =
            [("knock_at", json!(8)), ("bonus_when", json!("no_knock")), ("diagonal", json!(false))];
        let words = words.map(|(field, value)| in_words(field, &value));
        assert_eq!(words, ["knock at 8", "bonus when no knock", "no diagonal"]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let said = |text: &str| serde_json::from_str::<Sweep>(text).unwrap_err().to_string();
        assert!(said("{\"a\": []}").contains("there is no value"));
        assert!(said("{\"a\": [1, 1]}").contains("1 occurs twice"));
        assert!(said("{\"a\": [[1]]}").contains("`[1]` is not a single value"));
        assert!(said("{\"a\": 3}").contains("3 is not a list of values"));
        assert!(said("{}").contains("there is no field"));
        assert!(Sweep::parse(["a=1", "a=2"]).unwrap_err().to_string().contains("swept twice"));
    }
}
