//! Variants, or strategies, that differ in one number alone: what a trend is asked over.

use serde_json::Value;

use crate::files::unknown;
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
    let one = |(_, mut points): (Value, Vec<(f64, usize)>)| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series { name: name(&points), variant, points }
    };
    Ok(groups.into_iter().map(one).collect())
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
