//! The ideas of players: one line each in `strategies/eleusis/rules/vocabulary.txt`, whose header
//! explains the format.

use rustc_hash::FxHashMap;

/// Number of places for a test in a rule: alone (0), main part of *both* or *either* (1), other
/// part (2), condition (3), side of an *if* (4), common condition (5), common side (6).
pub const PLACES: usize = 7;

/// Letters of the places in the file.
pub const PLACE_LETTERS: [char; PLACES] = ['o', 'p', 'x', 'c', 's', 'k', 't'];

/// Number of groups of ideas, `A` to `F`.
pub const GROUPS: usize = 6;

/// An idea: a line of the file.
#[derive(Clone, PartialEq, Debug)]
pub struct Idea {
    /// The group, 0 for `A`.
    pub group: u8,
    /// The weight at each place among the ideas of the group; 0 where the idea is not allowed.
    pub weights: [f64; PLACES],
    /// The text with brackets.
    pub pattern: String,
    /// The expanded texts; empty for [`Idea::pairs`].
    pub texts: Vec<String>,
    /// Number of pairs of tests that become tests: the heaviest of the group.
    pub pairs: usize,
}

/// Parses the file.
///
/// # Errors
/// If a line is wrong.
pub fn read(file: &str) -> Result<Vec<Idea>, String> {
    let mut lists: FxHashMap<&str, &str> = FxHashMap::default();
    let mut ideas = Vec::new();
    let lines = file.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in lines {
        let wrong = |what: &str| format!("`{line}`: {what}");
        if let Some((name, items)) = line.strip_prefix("list ").and_then(|l| l.split_once(" = ")) {
            lists.insert(name, items);
            continue;
        }
        let (head, pattern) = line.split_once(": ").ok_or_else(|| wrong("missing colon"))?;
        let (group, places) = head.split_once(' ').ok_or_else(|| wrong("missing places"))?;
        let group = match group.as_bytes() {
            [letter @ b'A'..=b'F'] => letter - b'A',
            _ => return Err(wrong("the group must be a letter from A to F")),
        };
        let weights = weights(places).ok_or_else(|| wrong("unknown place or weight"))?;
        let pairs = pattern.strip_prefix("pairs ").and_then(|number| number.parse().ok());
        let texts = match pairs {
            Some(_) => Vec::new(),
            None => expand(pattern, &lists, &mut Vec::new())
                .ok_or_else(|| wrong("unbalanced bracket"))?,
        };
        let (pattern, pairs) = (pattern.to_owned(), pairs.unwrap_or(0));
        ideas.push(Idea { group, weights, pattern, texts, pairs });
    }
    Ok(ideas)
}

/// Parses letters with weights, such as `o2xs.5`.
fn weights(places: &str) -> Option<[f64; PLACES]> {
    let mut weights = [0.0; PLACES];
    let mut rest = places;
    while let Some(letter) = rest.chars().next() {
        let place = PLACE_LETTERS.iter().position(|known| *known == letter)?;
        rest = &rest[1..];
        let end = rest.find(|c: char| c.is_ascii_lowercase()).unwrap_or(rest.len());
        weights[place] = if end == 0 { 1.0 } else { rest[..end].parse().ok()? };
        rest = &rest[end..];
    }
    Some(weights)
}

/// Expands a pattern to all its texts. A choice with a number is fixed for the rest of the text.
fn expand<'a>(
    pattern: &'a str,
    lists: &FxHashMap<&str, &'a str>,
    bound: &mut Vec<(&'a str, String)>,
) -> Option<Vec<String>> {
    let Some((before, rest)) = pattern.split_once('[') else { return Some(vec![pattern.into()]) };
    let (inside, after) = rest.split_once(']')?;
    let (number, items) = match inside.split_once(':') {
        Some((number, items)) => (Some(number), choices(items, lists)),
        None => match bound.iter().find(|(number, _)| *number == inside) {
            Some((_, value)) => (None, vec![value.clone()]),
            None => (None, choices(inside, lists)),
        },
    };
    let mut texts = Vec::new();
    for item in items {
        if let Some(number) = number {
            bound.push((number, item.clone()));
        }
        let ends = expand(after, lists, bound)?;
        texts.extend(ends.into_iter().map(|end| format!("{before}{item}{end}")));
        if number.is_some() {
            bound.pop();
        }
    }
    Some(texts)
}

fn choices(items: &str, lists: &FxHashMap<&str, &str>) -> Vec<String> {
    let mut all = Vec::new();
    for item in items.split('|') {
        let range = item
            .split_once("..")
            .and_then(|(low, high)| Some(low.parse::<u32>().ok()?..=high.parse::<u32>().ok()?));
        match (lists.get(item), range) {
            (Some(list), _) => all.extend(choices(list, lists)),
            (None, Some(range)) => all.extend(range.map(|number| number.to_string())),
            (None, None) => all.push(item.to_owned()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_expand_to_their_choices() {
        let file =
            "# x\nlist T = red|black\nB o2xs.5: [1:T|even] [==|!=] last.[1]\nC p: rank < [3..4]\n";
        let ideas = read(file).unwrap();
        assert_eq!(ideas[0].texts.len(), 6);
        assert_eq!(ideas[0].texts[1], "red != last.red");
        assert_eq!((ideas[0].group, ideas[0].weights), (1, [2.0, 0.0, 1.0, 0.0, 0.5, 0.0, 0.0]));
        assert_eq!(ideas[1].texts, ["rank < 3", "rank < 4"]);
        for wrong in ["A o red", "G o: red", "A q: red", "A o: [red"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
