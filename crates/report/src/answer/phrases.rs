//! Phrases that the sentences of several kinds of questions share.

use indexmap::IndexSet;

use super::{Conclusion, Finding, Unit};
use crate::units::{count, words};
use parlour_game::FigureInfo;

/// The maximum number of names in a list; the rest are counted, so that an answer fits a phone.
pub(super) const MAX_LISTED: usize = 5;

/// The maximum number of names without a clear result.
const MAX_UNCLEAR: usize = 3;

/// A figure as a noun, and its verb in the singular or plural.
#[derive(Clone, Debug)]
pub(super) struct Noun {
    text: String,
    verb: &'static str,
}

impl Noun {
    pub fn new(text: impl Into<String>) -> Noun {
        Noun { text: text.into(), verb: "is" }
    }

    /// The noun of a figure, from its meaning.
    pub fn of(head: &FigureInfo) -> Noun {
        let first = head.meaning.split(['.', ':', ';', ',']).next().unwrap_or_default().trim();
        if head.name == "first_seat_score" {
            return Noun::new("first seat's score");
        }
        match first.strip_prefix("Mean ") {
            Some(rest) if rest.len() < 60 => Noun {
                text: format!("mean {rest}"),
                verb: if rest.starts_with("points") { "are" } else { "is" },
            },
            _ if head.unit.ends_with(" per hand") => Noun::new(format!("number of {}", head.unit)),
            _ => Noun::new(words(head.name)),
        }
    }

    /// “the draw rate”.
    pub fn text(&self) -> String {
        format!("the {}", self.text)
    }

    /// “The draw rate”.
    pub fn title(&self) -> String {
        format!("The {}", self.text)
    }

    /// “Under `revised` the draw rate is slightly higher than under `original`”.
    pub fn differs(&self, f: &Finding) -> String {
        let (size, up) = (size(f), f.conclusion == Conclusion::Higher);
        let (from, to, verb) = (&f.reference, &f.subject, self.verb);
        if self.text == "first seat's score" {
            let more = if up { "more" } else { "less" };
            return format!("Under `{to}` the first seat scores {size}{more} than under `{from}`");
        }
        let higher = if up { "higher" } else { "lower" };
        format!("Under `{to}` the {} {verb} {size}{higher} than under `{from}`", self.text)
    }
}

/// The size of a difference as an adverb with a trailing space; nothing for a medium one.
pub(super) fn size(f: &Finding) -> &'static str {
    let change = f.change.map_or(0.0, |change| change.value.abs());
    match change / f.relevant_difference().max(f64::MIN_POSITIVE) {
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
    let difference = f.unit().relevant_difference_text();
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
    let mut found: Vec<&Finding> = rows.iter().filter(|f| f.conclusion == conclusion).collect();
    let size = |f: &Finding| f.change.map_or(0.0, |change| change.value.abs());
    found.sort_by(|a, b| size(b).total_cmp(&size(a)));
    found
}

/// Names with numbers, at most `most` of them, the rest counted. Only the first names its
/// unit and explains its interval.
pub(super) fn names<'a>(
    found: &[&'a Finding],
    most: usize,
    name: impl Fn(&'a Finding) -> &'a str,
    number: impl Fn(&Finding) -> Option<String>,
) -> String {
    let shown = if found.len() == most + 1 { most + 1 } else { most };
    let mut parts: Vec<String> = Vec::new();
    for (index, &f) in found.iter().take(shown).enumerate() {
        let number = number(f).map_or(String::new(), |number| format!(" ({number})"));
        let short =
            |number: String| number.replace("95 % interval ", "").replace(" percentage points", "");
        let number = if index == 0 { number } else { short(number) };
        parts.push(format!("`{}`{number}", name(f)));
    }
    if found.len() > shown {
        parts.push(format!("{} more", found.len() - shown));
    }
    list(&parts)
}

/// The subjects of findings.
pub(super) fn subject(f: &Finding) -> &str {
    &f.subject
}

/// Conclusions with the words before their lists, in the order of a sentence.
pub(super) const UNCLEAR: [(Conclusion, &str); 2] = [
    (Conclusion::NoClearDifference, "not clearly different"),
    (Conclusion::NotEnoughDeals, "undecided (not enough deals)"),
];

/// A figure of several variants or strategies, each compared with the first.
pub(super) fn compared_with_first(noun: &Noun, rows: &[Finding]) -> String {
    let Some(first) = rows.first() else { return String::new() };
    let variants: IndexSet<&str> = rows.iter().map(|f| f.variant.as_str()).collect();
    if variants.len() > 1 {
        let of = |variant: &&str| -> Vec<Finding> {
            rows.iter().filter(|f| f.variant == *variant).cloned().collect()
        };
        let each = variants.iter().map(|v| {
            let text = compared_with_first(noun, &of(v));
            let text =
                text.strip_prefix("Compared").map(|rest| format!("compared{rest}")).unwrap_or(text);
            format!("Under `{v}`: {text}")
        });
        return each.collect::<Vec<_>>().join(" ");
    }
    let change = |f: &Finding| f.change.map(|change| f.unit().change(change));
    let base = first
        .reference_value
        .map_or(String::new(), |value| format!(" ({})", first.unit().level(value, None)));
    let few = with_conclusion(rows, Conclusion::NotEnoughDeals);
    let enough = enough_deals_for_all(&few);
    if few.len() == rows.len() {
        let list = names(&few, MAX_UNCLEAR, subject, change);
        return format!(
            "Not enough deals to compare {} with that of `{}`{base}: {list}{enough}.",
            noun.text(),
            first.reference
        );
    }
    let preposition = if first.variant.is_empty() { "under" } else { "for" };
    let clear = [(Conclusion::Higher, "higher"), (Conclusion::Lower, "lower")];
    let parts = clear.into_iter().chain(UNCLEAR).filter_map(|(conclusion, words)| {
        let found = with_conclusion(rows, conclusion);
        let list = match conclusion.is_clear() {
            true => names(&found, MAX_LISTED, subject, change),
            false => names(&found, MAX_UNCLEAR, subject, |_| None),
        };
        (!found.is_empty()).then(|| format!("{words} {preposition} {list}"))
    });
    let parts: Vec<String> = parts.collect();
    format!(
        "Compared with `{}`{base}, {} {} {}{enough}.",
        first.reference,
        noun.text(),
        noun.verb,
        parts.join("; ")
    )
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
