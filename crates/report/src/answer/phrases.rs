//! Phrases that the sentences of several kinds of questions share.

use std::fmt::Display;

use itertools::Itertools;

use crate::rows::{Conclusion, Finding};
use crate::units::{Unit, count, words};
use parlour_game::FigureInfo;

/// The maximum number of names in a list; the rest are counted, so that an answer fits a phone.
pub(super) const MAX_LISTED: usize = 5;

/// The words for a difference that is not significant.
pub(super) const UNCLEAR: &str = "not clearly different";

/// The maximum number of names without a clear result.
const MAX_UNCLEAR: usize = 3;

/// A figure as a noun.
#[derive(Clone, Debug)]
pub(super) struct Noun(String);

impl Noun {
    pub fn new(text: impl Into<String>) -> Noun {
        Noun(text.into())
    }

    /// The noun of a figure, from its meaning.
    pub fn of(head: &FigureInfo) -> Noun {
        let first = head.meaning.split(['.', ':', ';', ',']).next().unwrap_or_default().trim();
        Noun(match first.strip_prefix("Mean ") {
            _ if head.name == "first_seat_score" => "first seat's score".to_owned(),
            Some(rest) if rest.len() < 60 => format!("mean {rest}"),
            _ if head.unit.ends_with(" per hand") => format!("number of {}", head.unit),
            _ => words(head.name),
        })
    }

    /// The verb in the singular or plural.
    fn verb(&self) -> &'static str {
        if self.0.starts_with("mean points") { "are" } else { "is" }
    }

    /// “the draw rate”.
    pub fn text(&self) -> String {
        format!("the {}", self.0)
    }

    /// “The draw rate”.
    pub fn title(&self) -> String {
        format!("The {}", self.0)
    }

    /// “Under `revised` the draw rate is slightly higher than under `original`”.
    pub fn differs(&self, f: &Finding) -> String {
        let (size, up) = (size(f), f.conclusion == Conclusion::Higher);
        let (from, to, verb) = (&f.reference, &f.subject, self.verb());
        if self.0 == "first seat's score" {
            let more = if up { "more" } else { "less" };
            return format!("Under `{to}` the first seat scores {size}{more} than under `{from}`");
        }
        let higher = if up { "higher" } else { "lower" };
        format!("Under `{to}` the {} {verb} {size}{higher} than under `{from}`", self.0)
    }
}

/// The size of a difference as an adverb with a trailing space; nothing for a medium one.
pub(super) fn size(f: &Finding) -> &'static str {
    let change = f.change.map_or(0.0, |change| change.value.abs());
    match change / f.relevant_difference().0.max(f64::MIN_POSITIVE) {
        times if times < 0.5 => "slightly ",
        times if times >= 5.0 => "much ",
        _ => "",
    }
}

/// A list with “and” before the last part.
pub(super) fn list(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// The number of deals that would be enough, as the end of a sentence.
pub(super) fn enough_deals(f: &Finding) -> String {
    let (_, difference) = f.relevant_difference();
    f.deals_needed.map_or(String::new(), |deals| {
        format!("; about {} would show a difference of {difference}", rounded(deals, "deal"))
    })
}

/// [`enough_deals`] for the comparison that needs most.
pub(super) fn enough_deals_for_all(rows: &[&Finding]) -> String {
    rows.iter().max_by_key(|f| f.deals_needed).map_or(String::new(), |f| enough_deals(f))
}

/// “4,100 deals”: a count rounded up to two digits.
pub(super) fn rounded(n: u64, noun: &str) -> String {
    let unit = 10u64.pow(n.max(1).ilog10().saturating_sub(1));
    count(if n < 100 { n } else { n.div_ceil(unit) * unit }, noun)
}

/// Findings with a conclusion, largest change first.
pub(super) fn with_conclusion(rows: &[Finding], conclusion: Conclusion) -> Vec<&Finding> {
    let size = |f: &Finding| f.change.map_or(0.0, |change| change.value.abs());
    let found = rows.iter().filter(|f| f.conclusion == conclusion);
    found.sorted_by(|a, b| size(b).total_cmp(&size(a))).collect()
}

/// Names with numbers, at most `most` of them, the rest counted. Only the first names its
/// unit and explains its interval.
pub(super) fn names(
    found: &[&Finding],
    most: usize,
    name: fn(&Finding) -> &str,
    number: impl Fn(&Finding) -> Option<String>,
) -> String {
    // One more takes no more room than its count.
    let shown = if found.len() == most + 1 { most + 1 } else { most };
    let part = |(index, f): (usize, &&Finding)| {
        let number = number(f).map_or(String::new(), |number| format!(" ({number})"));
        let short = || number.replace("95 % interval ", "").replace(" percentage points", "");
        format!("`{}`{}", name(f), if index == 0 { number.clone() } else { short() })
    };
    let mut parts: Vec<String> = found.iter().enumerate().take(shown).map(part).collect();
    if found.len() > shown {
        parts.push(format!("{} more", found.len() - shown));
    }
    list(&parts)
}

/// The findings of each conclusion: its words, then a list of its findings.
pub(super) fn by_conclusion<'a>(
    rows: &'a [Finding],
    words: impl IntoIterator<Item = (Conclusion, String)>,
    list: impl Fn(&[&'a Finding]) -> String,
) -> String {
    let mut parts = words.into_iter().filter_map(|(conclusion, words)| {
        let found = with_conclusion(rows, conclusion);
        (!found.is_empty()).then(|| words + &list(&found))
    });
    parts.join("; ")
}

/// All conclusions in the order of a sentence, with the words before their lists.
pub(super) fn comparisons(
    [higher, lower, unclear]: [impl Display; 3],
    end: &str,
) -> [(Conclusion, String); 4] {
    [
        (Conclusion::Higher, format!("{higher} {end} ")),
        (Conclusion::Lower, format!("{lower} {end} ")),
        (Conclusion::NoClearDifference, format!("{unclear} {end} ")),
        (Conclusion::NotEnoughDeals, format!("undecided (not enough deals) {end} ")),
    ]
}

/// The sentence on one finding: `clear` if there is a clear difference, `unclear` if there is none,
/// and `question` if there are not enough deals to answer it.
pub(super) fn verdict(f: &Finding, clear: &str, unclear: &str, question: &str) -> String {
    match f.conclusion {
        Conclusion::Higher | Conclusion::Lower => format!("{clear}."),
        Conclusion::NoClearDifference | Conclusion::Measured => format!("{unclear}."),
        Conclusion::NotEnoughDeals => {
            format!("Not enough deals to tell whether {question}{}.", enough_deals(f))
        }
    }
}

/// Scores against a fair share; `preposition` leads to the names of their variants or strategies.
pub(super) fn against_fair(
    subject: &str,
    rows: &[Finding],
    preposition: &str,
    name: fn(&Finding) -> &str,
) -> String {
    let fair = rows.iter().find_map(|f| f.reference_value);
    let is_same = rows.iter().all(|f| f.reference_value == fair);
    let share = match fair.filter(|_| is_same) {
        Some(fair) if fair.value == 0.5 => "a fair half".to_owned(),
        Some(fair) => format!("a fair share of {}", fair_share(fair.value)),
        None => "a fair share".to_owned(),
    };
    let words = ["above", "below", "not clearly different from"].map(|is| format!("{is} {share}"));
    let words = comparisons(words, preposition);
    let number = |f: &Finding| f.subject_value.map(|value| f.unit().level_and_interval(value));
    let parts = by_conclusion(rows, words, |found| names(found, MAX_LISTED, name, number));
    let enough = enough_deals_for_all(&with_conclusion(rows, Conclusion::NotEnoughDeals));
    if parts.is_empty() { parts } else { format!("{subject} is {parts}{enough}.") }
}

/// A figure of several variants or strategies, each compared with the first.
pub(super) fn compared_with_first(noun: &Noun, rows: &[Finding]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    if rows.iter().any(|f| f.variant != first.variant) {
        let mut each = rows.chunk_by(|a, b| a.variant == b.variant).map(|rows| {
            let text = compared_with_first(noun, rows).replacen("Compared", "compared", 1);
            format!("Under `{}`: {text}", rows[0].variant)
        });
        return each.join(" ");
    }
    let change = |f: &Finding| f.change.map(|change| f.unit().change(change));
    let base = first.reference_value.map(|value| format!(" ({})", first.unit().level(value, None)));
    let (base, reference, noun_text) = (base.unwrap_or_default(), &first.reference, noun.text());
    let few = with_conclusion(rows, Conclusion::NotEnoughDeals);
    let enough = enough_deals_for_all(&few);
    if few.len() == rows.len() {
        let list = names(&few, MAX_UNCLEAR, |f| &f.subject, change);
        return format!(
            "Not enough deals to compare {noun_text} with that of `{reference}`{base}: {list}{enough}."
        );
    }
    let preposition = if first.variant.is_empty() { "under" } else { "for" };
    let list = |found: &[&Finding]| match found[0].conclusion.is_clear() {
        true => names(found, MAX_LISTED, |f| &f.subject, change),
        false => names(found, MAX_UNCLEAR, |f| &f.subject, |_| None),
    };
    let parts = by_conclusion(rows, comparisons(["higher", "lower", UNCLEAR], preposition), list);
    format!("Compared with `{reference}`{base}, {noun_text} {} {parts}{enough}.", noun.verb())
}

/// A share without trailing zeros: “50 %”.
pub(super) fn fair_share(share: f64) -> String {
    let text = Unit::parse("share").level(parlour_stats::Estimate::exact(share), None);
    let number = text.trim_end_matches(" %");
    match number.contains('.') {
        true => format!("{} %", number.trim_end_matches('0').trim_end_matches('.')),
        false => text,
    }
}
