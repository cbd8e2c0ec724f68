//! Names that do not exist.

/// A message that a name is unknown: which exist, and the nearest of them.
pub fn unknown<'a>(what: &str, name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let name: String = name.chars().take(60).collect();
    let hint =
        nearest(&name, &known).map_or(String::new(), |near| format!(" Did you mean `{near}`?"));
    format!("unknown {what} `{name}`.{hint}{KNOWN}{}.", known.join(", "))
}

/// A message that a name belongs to the first of two places and not to the second: which names
/// that has.
pub(super) fn misplaced<'a>(
    what: &str,
    name: &str,
    (there, here): (&str, &str),
    known: impl IntoIterator<Item = &'a str>,
) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    format!("`{name}` is a {what} of {there}, not of {here}.{KNOWN}{}.", known.join(", "))
}

/// What a list of known names begins with.
const KNOWN: &str = " Known: ";

/// The known name that is nearest to this one, if one is near.
pub(super) fn nearest<'a>(name: &str, known: &[&'a str]) -> Option<&'a str> {
    known
        .iter()
        .map(|k| (strsim::damerau_levenshtein(name, k), *k))
        .min()
        .filter(|(distance, k)| *distance <= 1 + k.len() / 3)
        .map(|(_, k)| k)
}

/// Several faults as one message. A list of known names stands there once, where it is first
/// needed.
pub fn together(faults: &[String]) -> String {
    let mut lists = Vec::new();
    let mut parts = Vec::new();
    for fault in faults {
        let (head, list) = fault.split_once(KNOWN).unwrap_or((fault, ""));
        let said = if list.is_empty() || lists.contains(&list) {
            head
        } else {
            lists.push(list);
            fault
        };
        parts.push(said.trim_end_matches('.'));
    }
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_when_it_is_near() {
        let known = ["random", "greedy", "steady"];
        let said = unknown("strategy", "gredy", known);
        assert_eq!(
            said,
            "unknown strategy `gredy`. Did you mean `greedy`? Known: random, greedy, steady."
        );
        assert!(!unknown("strategy", "zzzzzz", known).contains("mean"));
    }

    #[test]
    fn faults_together_give_a_list_once() {
        let strategy = |name| unknown("strategy", name, ["random", "greedy"]);
        let faults = [
            strategy("zzzzzz"),
            "`draw` is 0".to_owned(),
            strategy("gredy"),
            strategy("yyyyyy"),
            unknown("variant", "zzzzzz", ["revised"]),
        ];
        assert_eq!(
            together(&faults),
            "unknown strategy `zzzzzz`. Known: random, greedy; `draw` is 0; unknown strategy \
             `gredy`. Did you mean `greedy`?; unknown strategy `yyyyyy`; unknown variant \
             `zzzzzz`. Known: revised"
        );
    }
}
