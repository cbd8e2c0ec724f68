//! The ideas that players have, as `strategies/eleusis/rules/vocabulary.txt` lists them: a line each,
//! with its texts. The file says how it is written.

use rustc_hash::FxHashMap;

/// The places in a rule where a test may stand: alone, as the main part of *both* or *either*, as the
/// other part, as a condition, as a side of an *if*; and as one of the few conditions and few sides that come to
/// mind first.
pub const PLACES: usize = 7;

/// The letters of the places in the file.
pub const PLACE_LETTERS: [char; PLACES] = ['o', 'p', 'x', 'c', 's', 'k', 't'];

/// How many groups of ideas there are, `A` to `F`.
pub const GROUPS: usize = 6;

/// An idea: a line of the file.
#[derive(Clone, PartialEq, Debug)]
pub struct Idea {
    /// Its group, 0 for `A`.
    pub group: u8,
    /// Its weight at each place among the ideas of its group; 0 where it never stands.
    pub weights: [f64; PLACES],
    /// Its text with brackets.
    pub pattern: String,
    /// The texts that it stands for; none for [`Idea::pairs`].
    pub texts: Vec<String>,
    /// How many pairs of tests are tests themselves: the heaviest of the group.
    pub pairs: usize,
}

/// Reads the file.
///
/// # Errors
/// The first line that is wrong.
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
        let (head, pattern) = line.split_once(": ").ok_or_else(|| wrong("there is no colon"))?;
        let (group, places) = head.split_once(' ').ok_or_else(|| wrong("there are no places"))?;
        let group = match group.as_bytes() {
            [letter @ b'A'..=b'F'] => letter - b'A',
            _ => return Err(wrong("its group is a letter from A to F")),
        };
        let weights = weights(places).ok_or_else(|| wrong("its places are not understood"))?;
        let pairs = pattern.strip_prefix("pairs ").and_then(|number| number.parse().ok());
        let texts = match pairs {
            Some(_) => Vec::new(),
            None => expand(pattern, &lists, &mut Vec::new()).ok_or_else(|| wrong("a bracket"))?,
        };
        let (pattern, pairs) = (pattern.to_owned(), pairs.unwrap_or(0));
        ideas.push(Idea { group, weights, pattern, texts, pairs });
    }
    Ok(ideas)
}

/// `o2xs.5`: letters, each with its weight.
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

/// All texts of a pattern. What is bound by a number stays bound in what follows.
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
    fn brackets_stand_for_what_they_hold() {
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
