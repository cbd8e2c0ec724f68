//! The parts of every kind of question: its data, its findings, their charts, and the phrases that their
//! sentences share.

use std::fmt::{Debug, Display};

use itertools::Itertools;
use maud::{Markup, html};

use crate::chart::{Axis, Dot};
use crate::figures::FIRST_SEAT;
use crate::html::{forest_figure, mark};
use crate::rows::{Conclusion, Finding, Matchup};
use crate::sample::Sample;
use crate::summary::Summary;
use crate::units::{Unit, count, words};

pub(super) use crate::units::list;
use parlour_arena::{PlanInfo, UNIT};
use parlour_game::FigureInfo;
use parlour_stats::Estimate;

/// The `reference` of a score that is compared with a fair share.
pub(super) const FAIR: &str = "a fair share";

/// The figure of a luck-adjusted score.
pub(super) const LUCK_ADJUSTED: &str = "score_luck_adjusted";

/// The unit of scores.
pub(super) const SCORE_UNIT: &str = "share of the win";

/// The data of findings.
pub(super) struct Evidence<'a> {
    pub plan: &'a PlanInfo,
    pub sample: &'a Sample<'a>,
    pub summary: &'a Summary,
}

/// A kind of question.
pub(super) trait QuestionKind: Debug {
    /// The question in words, for an experiment without one.
    fn title(&self, evidence: &Evidence<'_>) -> String;

    /// The comparisons, without correction for their number.
    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding>;

    /// The answer in sentences; names are in backticks.
    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String>;

    /// The chart of the answer.
    fn chart(&self, summary: &Summary, findings: &[Finding]) -> Markup;

    /// The variants with verdicts, if the question compares them: heads, then a row for each.
    fn table(&self, _: &Summary, _: &[Finding]) -> Vec<Vec<String>> {
        Vec::new()
    }
}

impl Evidence<'_> {
    /// The score of one strategy against another, as a finding.
    pub fn pairing(&self, variant: usize, subject: usize, reference: usize) -> Option<Finding> {
        let row = self.matchup(variant, subject, reference)?;
        let finding = score_finding("score", &row, row.score, row.p_value);
        Some(Finding { is_row: true, ..finding })
    }

    /// The results of one strategy against another.
    pub fn matchup(&self, variant: usize, subject: usize, reference: usize) -> Option<Matchup> {
        let mut rows = self.summary.variants[variant].matchups.iter();
        let row = rows.find(|row| row.is_between(subject, reference))?;
        // After a sequential test, the score that is corrected for early stopping.
        let row = Matchup { score: row.sprt_score.or(row.score), ..row.clone() };
        Some(if row.pair == Some((subject, reference)) { row } else { row.swapped() })
    }

    /// A score that is compared with a fair share, as a finding.
    pub fn against_fair(
        &self,
        variant: usize,
        figure: &str,
        subject: &str,
        score: Option<Estimate>,
    ) -> Finding {
        let row = &self.summary.variants[variant];
        Finding {
            reference_value: Some(Estimate::symmetric(row.fair(), 0.0)),
            subject_value: score,
            change: score.map(|score| score.shifted(-row.fair())),
            ..Finding::blank([figure, SCORE_UNIT, &row.variant, FAIR, subject])
        }
    }

    /// The first seat's score against a fair share, as a finding.
    pub fn first_seat(&self, variant: usize) -> Finding {
        let row = &self.summary.variants[variant];
        let hands = self.plan.hands_of_variant(variant);
        let scale = 1.0 / (hands as f64 * UNIT as f64);
        let name = self.summary.figures[FIRST_SEAT].name;
        let finding = self.against_fair(variant, name, &row.variant, row.first_seat());
        let first = &self.sample.total.variants[variant].first_seat;
        Finding { p_value: first.score_p(scale, row.fair()), variant: String::new(), ..finding }
    }
}

/// The score of a strategy against another, as a finding.
pub(super) fn score_finding(
    figure: &str,
    row: &Matchup,
    score: Option<Estimate>,
    p_value: Option<f64>,
) -> Finding {
    Finding {
        reference_value: score.map(|score| score.scaled(-1.0).shifted(1.0)),
        subject_value: score,
        change: score.map(|score| score.shifted(-0.5)),
        p_value,
        ..Finding::blank([figure, SCORE_UNIT, &row.variant, &row.opponent, &row.strategy])
    }
}

/// A forest plot of the subjects' values.
pub(super) fn value_chart(
    findings: &[Finding],
    title: &str,
    reference: &str,
    label: fn(&Finding) -> &str,
) -> Markup {
    let Some(first) = findings.first() else { return html! {} };
    let fair = first.reference_value.filter(|_| first.reference == FAIR).map_or(0.5, |e| e.value);
    let (unit, reference) = (first.unit().label(), Some((100.0 * fair, reference)));
    let rows = dots(findings, label, |f| f.subject_value);
    forest_figure(title, Axis { unit: &unit, reference, span: None }, &rows, "")
}

/// A forest plot of changes from the reference.
pub(super) fn change_chart(findings: &[Finding], title: &str, zero: &str) -> Markup {
    let Some(first) = findings.first() else { return html! {} };
    let (unit, reference) = (first.unit().change_label(), Some((0.0, zero)));
    let rows = dots(findings, |f| &f.subject, |f| f.change);
    forest_figure(title, Axis { unit: &unit, reference, span: None }, &rows, "")
}

fn dots(
    findings: &[Finding],
    label: fn(&Finding) -> &str,
    number: fn(&Finding) -> Option<Estimate>,
) -> Vec<Dot> {
    let dot = |f: &Finding| {
        Dot::new(label(f), f.unit().displayed(number(f)), mark(f.conclusion, f.p_value))
    };
    findings.iter().map(dot).collect()
}

/// Sorts findings by a number, largest first.
pub(super) fn sort_by(findings: &mut [Finding], number: impl Fn(&Finding) -> Option<Estimate>) {
    let value = |f: &Finding| number(f).map_or(0.0, |e| e.value);
    findings.sort_by(|a, b| value(b).total_cmp(&value(a)));
}

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
