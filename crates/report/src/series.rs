//! Series for trends: variants, or strategies, that differ in one number only.

use serde_json::Value;

use crate::chart::in_ratios;
use parlour_base::error::Error;
use parlour_base::error::Result;
use parlour_base::files::{child_pointer, unknown};

/// Variants, or strategies under a variant, that differ in one value only.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// The common part of their names.
    pub name: String,
    /// The variant, if the members are strategies.
    pub variant: Option<usize>,
    /// Each value with the index of its variant or strategy, ascending.
    pub points: Vec<(f64, usize)>,
}

impl Series {
    /// Returns `true` if the values span so much that the trend is measured per doubling.
    pub(super) fn is_logarithmic(&self) -> bool {
        let [(first, _), .., (last, _)] = self.points.as_slice() else { return false };
        in_ratios(*first, *last)
    }
}

/// Finds a number by its path, with dots between names, or by its last name, outermost first.
/// Returns a JSON pointer.
fn find_number(value: &Value, name: &str) -> Option<String> {
    let path = format!("/{}", name.replace('.', "/"));
    if value.pointer(&path).is_some() {
        return Some(path);
    }
    let mut level = vec![(String::new(), value)];
    while !level.is_empty() {
        let inner = level.iter().flat_map(|(path, value)| {
            let fields = value.as_object().into_iter().flatten();
            fields.map(move |(key, value)| (format!("{path}/{key}"), value))
        });
        let inner: Vec<(String, &Value)> = inner.collect();
        let last = format!("/{name}");
        let mut here = inner.iter().filter(|(path, x)| path.ends_with(&last) && x.is_number());
        if let Some((path, _)) = here.next() {
            return Some(path.clone());
        }
        level = inner;
    }
    None
}

/// Groups named values into series of two or more members that agree in all but the number `over`.
/// `nobody` is the subject of the error if there are none.
pub(super) fn series(
    spelled: &[(&str, &Value)],
    over: &str,
    variant: Option<usize>,
    nobody: &str,
) -> Result<Vec<Series>> {
    let mut groups: Vec<(Value, Vec<(f64, usize)>)> = Vec::new();
    for (index, (_, value)) in spelled.iter().enumerate() {
        let mut rest = (*value).clone();
        let Some(place) = find_number(value, over) else { continue };
        let x = rest.pointer_mut(&place).and_then(|x| x.take().as_f64());
        let Some(x) = x else { continue };
        match groups.iter_mut().find(|(other, _)| *other == rest) {
            Some((_, points)) => points.push((x, index)),
            None => groups.push((rest, vec![(x, index)])),
        }
    }
    groups.retain(|(_, points)| points.iter().any(|(x, _)| *x != points[0].0));
    if groups.is_empty() {
        let numbers = spelled.first().and_then(|(_, value)| value.as_object());
        let numbers = numbers.into_iter().flatten().filter(|(_, value)| value.is_number());
        let known: Vec<&str> = numbers.map(|(name, _)| name.as_str()).collect();
        let error = if spelled.iter().any(|(_, value)| find_number(value, over).is_some()) {
            Error::input(format!("there is no trend: {nobody} differ only in `{over}`"))
        } else {
            Error::input(unknown("number", over, known))
        };
        return Err(error.in_field("over"));
    }
    let names_of = |points: &[(f64, usize)]| -> Vec<Vec<char>> {
        points.iter().map(|(_, index)| spelled[*index].0.chars().collect()).collect()
    };
    let rests: Vec<Value> = groups.iter().map(|(rest, _)| rest.clone()).collect();
    let one = |(_, mut points): (Value, Vec<(f64, usize)>)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let names = names_of(&points);
        let prefix = common_prefix(&names);
        let name = prefix.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
        let name = if name.is_empty() { names[0].iter().collect() } else { name.to_owned() };
        Series { name, variant, points }
    };
    let mut all: Vec<Series> = groups.into_iter().map(one).collect();
    let names: Vec<String> = all.iter().map(|series| series.name.clone()).collect();
    let is_repeated = |name: &String| names.iter().filter(|other| *other == name).count() > 1;
    let field = over.rsplit(['.', '/']).next().unwrap_or(over);
    let is_unclear = |name: &String| name.ends_with(field) || is_repeated(name);
    let fields = differing_fields(&rests);
    if names.iter().any(is_unclear) && (1..=MAX_NAMED_FIELDS).contains(&fields.len()) {
        // The other differing fields name the series.
        for (series, rest) in all.iter_mut().zip(&rests) {
            let one = |path: &String| {
                let name = path.rsplit('/').next().unwrap_or(path);
                let value = rest.pointer(path).unwrap_or(&Value::Null);
                format!("{name}-{}", value.as_str().map_or(value.to_string(), str::to_owned))
            };
            series.name = fields.iter().map(one).collect::<Vec<_>>().join(", ");
        }
        return Ok(all);
    }
    // With many differing fields, series whose names start alike are named by their ends.
    for series in all.iter_mut().filter(|series| is_repeated(&series.name)) {
        let mut reversed = names_of(&series.points);
        reversed.iter_mut().for_each(|name| name.reverse());
        let end: String = common_prefix(&reversed).chars().rev().collect();
        let end = end.trim_start_matches(|c: char| !c.is_ascii_alphabetic());
        if !end.is_empty() {
            series.name = end.to_owned();
        }
    }
    Ok(all)
}

/// The maximum number of other differing fields by which series are named.
const MAX_NAMED_FIELDS: usize = 3;

/// Returns the JSON pointers of fields in which some values differ, in order.
fn differing_fields(values: &[Value]) -> Vec<String> {
    let mut places = Vec::new();
    let mut open = vec![String::new()];
    while let Some(path) = open.pop() {
        let here = || values.iter().map(|value| value.pointer(&path));
        let Some(first) = here().flatten().next() else { continue };
        match first.as_object() {
            Some(fields) => {
                open.extend(fields.keys().rev().map(|name| child_pointer(&path, name)));
            }
            None if here().any(|other| other != Some(first)) => places.push(path),
            None => {}
        }
    }
    places
}

/// Returns the common start of names.
fn common_prefix(names: &[Vec<char>]) -> String {
    let Some(first) = names.first() else { return String::new() };
    let is_common = |at: &usize| names.iter().all(|name| name.get(*at) == first.get(*at));
    first[..(0..first.len()).take_while(is_common).count()].iter().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn other_differing_fields_name_the_series() {
        let rules = |knock: u8, line: u8| json!({ "knock_at": knock, "suit_line": line });
        let values = [rules(4, 2), rules(4, 3), rules(6, 2), rules(6, 3)];
        let names = ["r-4-line-2", "r-4-line-3", "r-6-line-2", "r-6-line-3"];
        let spelled: Vec<(&str, &Value)> = names.into_iter().zip(&values).collect();
        let found = series(&spelled, "knock_at", None, "no two").unwrap();
        let names: Vec<&str> = found.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["suit_line-2", "suit_line-3"]);
        assert_eq!(found[1].points, [(4.0, 1), (6.0, 3)]);
        // The names of a sweep omit values of the base variant.
        let names = ["r", "r-line-3", "r-knock_at-6", "r-knock_at-6-line-3"];
        let spelled: Vec<(&str, &Value)> = names.into_iter().zip(&values).collect();
        let found = series(&spelled, "knock_at", None, "no two").unwrap();
        let names: Vec<&str> = found.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["suit_line-2", "suit_line-3"]);
    }

    #[test]
    fn nested_numbers_are_found_by_name() {
        let value = json!({ "kind": "ismcts", "budget": { "iterations": 500 } });
        assert_eq!(find_number(&value, "iterations").as_deref(), Some("/budget/iterations"));
        assert_eq!(find_number(&value, "budget.iterations").as_deref(), Some("/budget/iterations"));
        assert_eq!(find_number(&value, "seconds"), None);
    }
}
