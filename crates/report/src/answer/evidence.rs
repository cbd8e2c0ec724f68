//! The parts of every kind of question: its data, its findings, their charts, and the phrases that their
//! sentences share.

use std::fmt::{Debug, Display};

use itertools::Itertools;
use maud::{Markup, html};

use crate::chart::{Axis, Dot};
use crate::figures::{FIRST_SEAT, at_table};
use crate::html::{forest_figure, mark};
use crate::rows::{Conclusion, Finding, Matchup};
use crate::sample::Sample;
use crate::summary::Summary;
use crate::units::{Unit, count, words};

pub(super) use crate::units::list;
use parlour_arena::{PlanInfo, PlannedTable, Tally, UNIT};
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
    /// The two players whose hands answer questions about rules. Without them all hands do.
    pub pair: Option<Vec<usize>>,
    /// Players too weak to show what rules change.
    pub weak: Vec<usize>,
}

/// The least score against the strongest of a player whose hands can answer a question about rules.
const MIN_SCORE: f64 = 0.05;

/// The `players` of a figure that is known only for all pairings together.
pub(super) const ALL_PAIRINGS: &str = "all";

/// A kind of question.
pub(super) trait QuestionKind: Debug {
    /// The question in words, for an experiment without one.
    fn title(&self, evidence: &Evidence<'_>) -> String;

    /// The comparisons, without correction for their number.
    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding>;

    /// The answer in sentences; names are in backticks.
    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String>;

    /// The strategy that meets itself, if the question names one.
    fn mirror(&self) -> Option<usize> {
        None
    }

    /// The chart of the answer.
    fn chart(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Markup;

    /// The variants with verdicts, if the question compares them: heads, then a row for each.
    fn table(&self, _: &Evidence<'_>, _: &[Finding]) -> Vec<Vec<String>> {
        Vec::new()
    }
}

impl<'a> Evidence<'a> {
    /// Selects the players of questions about rules: `mirror`, or the strongest strategy that meets
    /// itself, or else the strongest pairing.
    pub fn new(
        sample: &'a Sample<'a>,
        summary: &'a Summary,
        mirror: Option<usize>,
    ) -> Evidence<'a> {
        let (plan, all) = (sample.plan, 0..sample.plan.variants.len());
        let two: Vec<usize> = all.filter(|v| plan.variants[*v].seats == 2).collect();
        let first = two.first().map(|v| &summary.variants[*v]);
        let ranks = first.iter().flat_map(|v| &v.standings).map(|row| row.number).collect_vec();
        let is_weak = |s: &usize| {
            let score = first.zip(ranks.first()).and_then(|(v, best)| v.scores[*s][*best]);
            score.is_some_and(|score| score.value < MIN_SCORE)
        };
        let rank = |s: usize| ranks.iter().position(|other| *other == s).unwrap_or(0);
        let order = |pair: &&Vec<usize>| (pair[0] != pair[1], rank(pair[0]) + rank(pair[1]));
        let meet = |v: &usize, pair: &Vec<usize>| {
            plan.tables.iter().any(|t| t.variant == *v && t.line_up == *pair)
        };
        let pairs = plan.tables.iter().map(|t| &t.line_up).filter(|pair| {
            pair.len() == 2 && !pair.iter().any(is_weak) && two.iter().all(|v| meet(v, pair))
        });
        let weak = ranks.iter().copied().filter(is_weak).collect();
        let strongest = pairs.min_by_key(order);
        let pair = mirror.map(|s| vec![s, s]).or_else(|| strongest.cloned());
        Evidence { plan, sample, summary, pair, weak }
    }

    /// A figure of the hands of the selected players, in games of one hand.
    pub fn at_pair(&self, tally: &Tally, figure: usize, variant: usize) -> Option<f64> {
        let pair = self.pair.as_ref().filter(|_| self.plan.variants[variant].hands == 1)?;
        let is_theirs = |t: &PlannedTable| t.variant == variant && t.line_up == *pair;
        let table = self.plan.tables.iter().position(is_theirs)?;
        at_table(self.summary.figures[figure].name, &tally.tables[table])
    }

    /// The players of a figure under some variants: those of the only line-up, or the selected ones, or
    /// all if the figure is known only for all together. The flag is `true` if others played, too.
    pub fn players(&self, figure: usize, variants: &[usize]) -> (String, bool) {
        let tables = self.plan.tables.iter().filter(|t| variants.contains(&t.variant));
        let names = |line_up: &Vec<usize>| line_up.iter().map(|s| self.plan.name_of(*s)).join("+");
        if let Ok(line_up) = tables.map(|t| &t.line_up).all_equal_value() {
            return (names(line_up), false);
        }
        let is_known = |v: &usize| self.at_pair(&self.sample.total, figure, *v).is_some();
        let pair = self.pair.as_ref().filter(|_| variants.iter().all(is_known));
        (pair.map_or(ALL_PAIRINGS.to_owned(), names), pair.is_some())
    }

    /// A figure under each variant and its changes from the first, between the players of the figure.
    pub fn levels_and_changes(
        &self,
        figure: usize,
        variants: &[usize],
    ) -> [Vec<Option<Estimate>>; 2] {
        if self.players(figure, variants).1 {
            let mut all = self.sample.jackknife(|tally| {
                let levels = variants.iter().map(|v| self.at_pair(tally, figure, *v)).collect_vec();
                let changes = levels.iter().map(|to| Some((*to)? - levels[0]?));
                levels.iter().copied().chain(changes).collect()
            });
            let changes = all.split_off(variants.len());
            return [all, changes];
        }
        let change = |to: &usize| Some(self.summary.change(variants[0], *to, figure)?.difference);
        let level = |v: &usize| self.summary.variants[*v].figures[figure];
        [variants.iter().map(level).collect(), variants.iter().map(change).collect()]
    }

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
        let (players, is_part) = self.players(FIRST_SEAT, &[variant]);
        let (score, p_value) = if is_part {
            let score = self.levels_and_changes(FIRST_SEAT, &[variant])[0][0];
            (score, self.sample.p_value(score.map(|score| score.shifted(-row.fair()))))
        } else {
            let scale = 1.0 / (self.plan.hands_of_variant(variant) as f64 * UNIT as f64);
            let first = &self.sample.total.variants[variant].first_seat;
            (row.first_seat(), first.score_p(scale, row.fair()))
        };
        let name = self.summary.figures[FIRST_SEAT].name;
        let finding = self.against_fair(variant, name, &row.variant, score);
        Finding { p_value, players, variant: String::new(), ..finding }
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
            _ if head.name == "first_seat_luck_adjusted" => {
                "first seat's luck-adjusted score".to_owned()
            }
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

/// Sentences on findings; those on other players than the sentence before start with them.
pub(super) fn with_players<'a>(
    sentences: impl Iterator<Item = (&'a Finding, String)>,
) -> Vec<String> {
    let mut before = "";
    let one = |(f, sentence): (&'a Finding, String)| {
        let is_repeated = std::mem::replace(&mut before, &f.players) == f.players;
        let players = match f.players.split('+').collect_vec()[..] {
            _ if is_repeated => return sentence,
            [ALL_PAIRINGS] => "Over all pairings".to_owned(),
            [a, b] if a == b => format!("Between two `{a}` players"),
            [a, b] => format!("Between `{a}` and `{b}`"),
            _ => return sentence,
        };
        let (first, rest) = sentence.split_at(1.min(sentence.len()));
        format!("{players}, {}{rest}", first.to_lowercase())
    };
    sentences.map(one).collect()
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
