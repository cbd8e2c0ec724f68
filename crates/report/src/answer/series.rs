//! Series for trends: variants, or strategies, that differ in one number only.

use itertools::Itertools;
use serde_json::Value;

use crate::chart::in_ratios;
use parlour_base::error::{Error, Result};
use parlour_base::files::{child_pointer, unknown};
use parlour_base::maths::exact::ln;
use parlour_game::sweep;

/// The maximum number of other differing fields by which series are named.
const MAX_NAMED_FIELDS: usize = 3;

/// Variants, or strategies under a variant, that differ in one value only.
#[derive(Debug)]
pub(super) struct Series {
    /// The common part of their names.
    pub name: String,
    /// The variant, if the members are strategies.
    pub variant: Option<usize>,
    /// Two or more values with the index of the variant or strategy of each, ascending.
    pub points: Vec<(f64, usize)>,
}

impl Series {
    /// The first and the last point.
    pub fn ends(&self) -> [(f64, usize); 2] {
        [self.points[0], self.points[self.points.len() - 1]]
    }

    /// Returns `true` if the values span so much that the trend is measured per doubling.
    pub fn is_logarithmic(&self) -> bool {
        let [(first, _), (last, _)] = self.ends();
        in_ratios(first, last)
    }

    /// The position of a value along the trend.
    pub fn position(&self, x: f64) -> f64 {
        if self.is_logarithmic() { ln(x) / std::f64::consts::LN_2 } else { x }
    }
}

/// Returns everything in a value that is no object, with its JSON pointer.
fn leaves(value: &Value, path: &str) -> Vec<(String, Value)> {
    let Some(fields) = value.as_object() else { return vec![(path.to_owned(), value.clone())] };
    fields.iter().flat_map(|(name, value)| leaves(value, &child_pointer(path, name))).collect()
}

/// Finds a number by its path, with dots between names, or by the end of its path, outermost first.
/// Returns a JSON pointer.
fn find_number(value: &Value, name: &str) -> Option<String> {
    let end = format!("/{}", name.replace('.', "/"));
    let leaves = leaves(value, "").into_iter();
    let found = leaves.filter(|(path, value)| value.is_number() && path.ends_with(&end));
    found.map(|(path, _)| path).min_by_key(|path| path.matches('/').count())
}

/// Groups named values into series of two or more members that agree in all but the number `over`.
/// `nobody` is the subject of the error if there are none.
pub(super) fn series(
    named: &[(&str, &Value)],
    over: &str,
    variant: Option<usize>,
    nobody: &str,
) -> Result<Vec<Series>> {
    let mut groups: Vec<(Value, Vec<(f64, usize)>)> = Vec::new();
    for (index, (_, value)) in named.iter().enumerate() {
        let mut rest = (*value).clone();
        let place = find_number(value, over).and_then(|place| rest.pointer_mut(&place));
        let Some(x) = place.and_then(|place| place.take().as_f64()) else { continue };
        match groups.iter_mut().find(|(other, _)| *other == rest) {
            Some((_, points)) => points.push((x, index)),
            None => groups.push((rest, vec![(x, index)])),
        }
    }
    let is_known = !groups.is_empty();
    groups.retain(|(_, points)| points.iter().any(|(x, _)| *x != points[0].0));
    if groups.is_empty() {
        let first = named.first().and_then(|(_, value)| value.as_object()).into_iter().flatten();
        let numbers = first.filter(|(_, value)| value.is_number()).map(|(name, _)| name.as_str());
        let error = match is_known {
            true => Error::input(format!("there is no trend: {nobody} differ only in `{over}`")),
            false => Error::input(unknown("number", over, numbers)),
        };
        return Err(error.in_field("over"));
    }
    groups.iter_mut().for_each(|(_, points)| points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let (rests, all): (Vec<Value>, Vec<Vec<(f64, usize)>>) = groups.into_iter().unzip();
    let names = names(named, over, &rests, &all).into_iter();
    Ok(names.zip(all).map(|(name, points)| Series { name, variant, points }).collect())
}

/// Names series by what the names of their members have in common, or by other differing fields.
fn names(
    named: &[(&str, &Value)],
    over: &str,
    rests: &[Value],
    all: &[Vec<(f64, usize)>],
) -> Vec<String> {
    // Digits and separators at an end belong to the values that differ.
    let is_other = |c: char| !c.is_ascii_alphabetic();
    let members = |points: &[(f64, usize)]| points.iter().map(|(_, at)| named[*at].0).collect();
    let one = |points: &Vec<(f64, usize)>| {
        let members: Vec<&str> = members(points);
        let start = common_start(members.iter().map(|name| name.chars()));
        let name = start.trim_end_matches(is_other);
        if name.is_empty() { members[0].to_owned() } else { name.to_owned() }
    };
    let mut names: Vec<String> = all.iter().map(one).collect();
    let repeated: Vec<String> = names.iter().duplicates().cloned().collect();
    let field = over.rsplit(['.', '/']).next().unwrap_or(over);
    let is_unclear = |name: &String| name.ends_with(field) || repeated.contains(name);
    let fields = leaves(&rests[0], "").into_iter().map(|(path, _)| path);
    let differs = |path: &String| !rests.iter().map(|rest| rest.pointer(path)).all_equal();
    let fields: Vec<String> = fields.filter(differs).collect();
    if names.iter().any(is_unclear) && (1..=MAX_NAMED_FIELDS).contains(&fields.len()) {
        let value = |rest: &Value, path: &String| {
            let value = rest.pointer(path).map_or(String::new(), sweep::word);
            format!("{}-{value}", path.rsplit('/').next().unwrap_or(path))
        };
        return rests
            .iter()
            .map(|rest| fields.iter().map(|path| value(rest, path)).join(", "))
            .collect();
    }
    // With many differing fields, series whose names start alike are named by their ends.
    for (name, points) in names.iter_mut().zip(all).filter(|(name, _)| repeated.contains(name)) {
        let members: Vec<&str> = members(points);
        let end = common_start(members.iter().map(|name| name.chars().rev()));
        let end: String = end.chars().rev().collect();
        let end = end.trim_start_matches(is_other);
        if !end.is_empty() {
            *name = end.to_owned();
        }
    }
    names
}

/// Returns the common start of names.
fn common_start<I: Iterator<Item = char>>(names: impl IntoIterator<Item = I>) -> String {
    let starts = names.into_iter().map(Iterator::collect::<String>);
    let common = |a: String, b: String| {
        let equal = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
        equal.map(|(a, _)| a).collect()
    };
    starts.reduce(common).unwrap_or_default()
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
