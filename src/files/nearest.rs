//! Names that do not exist.

/// A message that a name is unknown: which exist, and the nearest of them.
pub fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let name: String = name.chars().take(60).collect();
    let nearest = known
        .iter()
        .map(|k| (strsim::damerau_levenshtein(&name, k), *k))
        .min()
        .filter(|(distance, k)| *distance <= 1 + k.len() / 3);
    let hint = nearest.map_or(String::new(), |(_, k)| format!(" Did you mean `{k}`?"));
    format!("unknown {what} `{name}`.{hint} Known: {}.", known.join(", "))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_nearest_name_is_offered_when_it_is_near() {
        let known = ["random", "greedy", "steady"];
        let said = super::unknown("strategy", "gredy", known);
        assert_eq!(
            said,
            "unknown strategy `gredy`. Did you mean `greedy`? Known: random, greedy, steady."
        );
        assert!(!super::unknown("strategy", "zzzzzz", known).contains("mean"));
    }
}
