//! Variants, or strategies, that differ in one number alone: what a trend is asked over.

use serde_json::Value;

use super::VariantSummary;
use crate::chart::in_ratios;
use crate::files::{child_pointer, unknown};
use crate::stats::Estimate;
use crate::{Error, Result};

/// Variants, or strategies under a variant, that differ in a value alone.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// What they share of their names.
    pub name: String,
    /// The variant, where these are strategies.
    pub variant: Option<usize>,
    /// Each value with its variant or strategy, by size.
    pub points: Vec<(f64, usize)>,
}

impl Series {
    /// The number of one of its members: a figure, or where none is named the rating.
    pub(super) fn number(
        &self,
        variants: &[VariantSummary],
        figure: Option<usize>,
        of: usize,
    ) -> Option<Estimate> {
        match figure {
            Some(figure) => variants[of].figures[figure],
            None => {
                let mut rows = variants[self.variant?].standings.iter();
                rows.find(|row| row.number == of)?.rating
            }
        }
    }

    /// Whether its values are so wide that they are counted in doublings rather than in steps of 1.
    pub(super) fn in_doublings(&self) -> bool {
        let [(first, _), .., (last, _)] = self.points.as_slice() else { return false };
        in_ratios(*first, *last)
    }
}

/// Where a number of this name stands: by its whole path, with points between, or else by its last
/// name, in the outermost place.
fn found(value: &Value, name: &str) -> Option<String> {
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

/// Those of two members or more that agree in all but one number.
pub(super) fn series(
    spelled: &[(&str, &Value)],
    over: &str,
    variant: Option<usize>,
    nobody: &str,
) -> Result<Vec<Series>> {
    let mut groups: Vec<(Value, Vec<(f64, usize)>)> = Vec::new();
    for (index, (_, value)) in spelled.iter().enumerate() {
        let mut rest = (*value).clone();
        let Some(place) = found(value, over) else { continue };
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
        let error = if spelled.iter().any(|(_, value)| found(value, over).is_some()) {
            Error::input(format!("{nobody} differ in `{over}` alone, so it has no trend"))
        } else {
            Error::input(unknown("number", over, known))
        };
        return Err(error.in_field("over"));
    }
    let name = |points: &[(f64, usize)]| shared(points.iter().map(|(_, index)| spelled[*index].0));
    let rests: Vec<Value> = groups.iter().map(|(rest, _)| rest.clone()).collect();
    let one = |(_, mut points): (Value, Vec<(f64, usize)>)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { name: name(&points), variant, points }
    };
    let mut all: Vec<Series> = groups.into_iter().map(one).collect();
    let names: Vec<String> = all.iter().map(|series| series.name.clone()).collect();
    let is_unclear = |name: &String| {
        name.ends_with(over.rsplit(['.', '/']).next().unwrap_or(over))
            || names.iter().filter(|other| *other == name).count() > 1
    };
    let fields = differing(&rests);
    if names.iter().any(is_unclear) && (1..=FEW).contains(&fields.len()) {
        // What else differs tells them apart.
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
    // Of many fields only the names tell: where their beginnings are alike, their ends.
    for series in &mut all {
        if names.iter().filter(|name| **name == series.name).count() > 1 {
            let end = ending(series.points.iter().map(|(_, index)| spelled[*index].0));
            if !end.is_empty() {
                series.name = end;
            }
        }
    }
    Ok(all)
}

/// In so many fields series may differ beside the one of their trend, to be named by them.
const FEW: usize = 3;

/// The places in which some of these differ, in order.
fn differing(values: &[Value]) -> Vec<String> {
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

/// What names end with, all of them.
fn ending<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut turned = names.map(|name| name.chars().rev().collect::<Vec<char>>());
    let first = turned.next().unwrap_or_default();
    let common = |a: Vec<char>, b: Vec<char>| {
        let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
        a[..same].to_vec()
    };
    let end: String = turned.fold(first, common).into_iter().rev().collect();
    end.trim_start_matches(|c: char| !c.is_ascii_alphabetic()).to_owned()
}

/// What names begin with, all of them.
fn shared<'a>(mut names: impl Iterator<Item = &'a str>) -> String {
    let first = names.next().unwrap_or_default();
    let common = |a: &'a str, b: &str| {
        let same = a.chars().zip(b.chars()).take_while(|(x, y)| x == y);
        &a[..same.map(|(x, _)| x.len_utf8()).sum()]
    };
    let name = names.fold(first, common).trim_end_matches(|c: char| !c.is_ascii_alphabetic());
    if name.is_empty() { first.to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn series_are_told_apart_by_what_else_differs() {
        let rules = |knock: u8, line: u8| json!({ "knock_at": knock, "suit_line": line });
        let values = [rules(4, 2), rules(4, 3), rules(6, 2), rules(6, 3)];
        let names = ["r-4-line-2", "r-4-line-3", "r-6-line-2", "r-6-line-3"];
        let spelled: Vec<(&str, &Value)> = names.into_iter().zip(&values).collect();
        let found = series(&spelled, "knock_at", None, "no two").unwrap();
        let names: Vec<&str> = found.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["suit_line-2", "suit_line-3"]);
        assert_eq!(found[1].points, [(4.0, 1), (6.0, 3)]);
        // The names of a sweep leave out what is as in the variant that it began with.
        let names = ["r", "r-line-3", "r-knock_at-6", "r-knock_at-6-line-3"];
        let spelled: Vec<(&str, &Value)> = names.into_iter().zip(&values).collect();
        let found = series(&spelled, "knock_at", None, "no two").unwrap();
        let names: Vec<&str> = found.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["suit_line-2", "suit_line-3"]);
    }

    #[test]
    fn a_number_within_a_group_is_found_by_its_own_name() {
        let value = json!({ "kind": "ismcts", "budget": { "iterations": 500 } });
        assert_eq!(found(&value, "iterations").as_deref(), Some("/budget/iterations"));
        assert_eq!(found(&value, "budget.iterations").as_deref(), Some("/budget/iterations"));
        assert_eq!(found(&value, "seconds"), None);
    }
}
