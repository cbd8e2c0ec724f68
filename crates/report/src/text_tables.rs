//! Tables for terminal and Markdown: the answer, pairings, ratings, variants and changes.

use super::rows::{Difference, Family, Matchup, Standing};
use super::summary::{Comparison, Summary, VariantSummary};
use super::text_report::{TextReport, TextTable};
use super::units::words;
use crate::strategies::{elo, equal_players};
use parlour_stats::{ControlledMean, Estimate, Verdict, number};

/// The maximum number of printed pairings. Of more, only those of the question are printed.
const MAX_PAIRINGS: usize = 30;

/// Formats an estimate, or a dash.
fn show(estimate: Option<Estimate>) -> String {
    estimate.map_or_else(|| "–".to_owned(), |e| e.to_string())
}

/// Formats a number with some decimals, or a dash.
fn decimals(x: Option<f64>, decimals: usize) -> String {
    x.map_or_else(|| "–".to_owned(), |x| format!("{x:.decimals$}"))
}

/// Formats a p-value, or a dash.
fn p_text(p: Option<f64>) -> String {
    if p.is_some_and(|p| p < 0.0001) { "< 0.0001".to_owned() } else { decimals(p, 4) }
}

/// The question and its answer.
pub fn answer_report(summary: &Summary) -> TextReport {
    TextReport::default().question(&summary.answer.question).paragraph(summary.answer.text())
}

/// The answer, then pairings, ratings and variants.
pub fn run_report(summary: &Summary) -> TextReport {
    answer_report(summary)
        .then(pairing_report(summary))
        .then(rating_report(summary))
        .then(variant_report(summary))
        .table(luck_table(summary))
        .paragraph(summary.tuning_warning.clone().unwrap_or_default())
}

/// Every pairing with its score, Elo and likelihood of superiority. Empty at tables of more than two,
/// or if no strategy met another.
pub fn pairing_report(summary: &Summary) -> TextReport {
    // Against itself a strategy scores exactly one half.
    let is_true_pairing = |row: &&Matchup| row.pair.is_some_and(|(a, b)| a != b);
    let all: Vec<&Matchup> = summary.matchups().filter(is_true_pairing).collect();
    let is_shown = |row: &&&Matchup| all.len() <= MAX_PAIRINGS || row.family == Family::Question;
    let rows: Vec<&Matchup> = all.iter().filter(is_shown).copied().collect();
    let more = match rows.len() < all.len() {
        true => format!("All {} pairings are in matchups.csv.", all.len()),
        false => String::new(),
    };
    let table = pairing_table(&rows, summary.variants.len() > 1, false);
    TextReport::default().table(table.titled("Pairings")).paragraph(more)
}

/// A table of pairings, with their variants and with details if wanted.
pub(super) fn pairing_table(
    rows: &[&Matchup],
    with_variants: bool,
    with_details: bool,
) -> TextTable {
    let is_adjusted = rows.iter().any(|row| row.score_luck_adjusted.is_some());
    let is_tested = rows.iter().any(|row| row.sprt_llr.is_some());
    type Cell = fn(&Matchup) -> String;
    // Each column with its condition.
    let columns: [(&str, bool, Cell); 15] = [
        ("variant", with_variants, |row| row.variant.clone()),
        ("strategy", true, |row| row.strategy.clone()),
        ("opponent", true, |row| row.opponent.clone()),
        ("score", true, |row| show(row.sprt_score.or(row.score))),
        ("luck-adjusted", is_adjusted, |row| show(row.score_luck_adjusted)),
        ("remaining variance", is_adjusted, |row| decimals(row.remaining_variance, 2)),
        ("Elo", true, |row| elo_text(row.sprt_score.or(row.score))),
        ("margin", with_details, |row| show(row.margin)),
        ("won-drawn-lost", true, |row| format!("{}-{}-{}", row.wins, row.draws, row.losses)),
        ("LOS", true, likelihood_of_superiority),
        ("p", with_details, |row| p_text(row.p_value)),
        ("p, corrected", with_details, |row| p_text(row.p_adjusted_family)),
        ("variance ratio", with_details, |row| decimals(row.variance_ratio, 2)),
        ("LLR", is_tested, |row| decimals(row.sprt_llr, 2)),
        ("sequential test", is_tested && with_details, |row| match row.sprt_verdict {
            Some(Verdict::Upper) => "at least elo1".to_owned(),
            Some(Verdict::Lower) => "at most elo0".to_owned(),
            Some(Verdict::Undecided) => "undecided".to_owned(),
            None => "–".to_owned(),
        }),
    ];
    let columns = || columns.iter().filter(|(_, is_shown, _)| *is_shown);
    let cells = |row: &&Matchup| columns().map(|(_, _, cell)| cell(row)).collect::<Vec<_>>();
    let heads = columns().map(|(head, _, _)| *head);
    TextTable::of(2 + usize::from(with_variants), heads, rows.iter().map(cells))
}

/// Formats a score in Elo. A certain win or loss has only a bound.
fn elo_text(score: Option<Estimate>) -> String {
    let Some(score) = score else { return "–".to_owned() };
    if let Some(found) = elo(score).filter(|e| e.interval.is_some()) {
        return found.to_string();
    }
    let bound = |s: f64| elo(Estimate::bare(s)).map(|e| number(e.value, 0));
    match score.interval {
        Some((low, _)) if score.value > 0.5 => {
            bound(low).map_or("–".into(), |b| format!("> {b}"))
        }
        Some((_, high)) => bound(high).map_or("–".into(), |b| format!("< {b}")),
        None => "–".to_owned(),
    }
}

/// The likelihood of superiority, from the p-value of equal strength.
fn likelihood_of_superiority(row: &Matchup) -> String {
    let Some((p, score)) = row.p_value.zip(row.score) else { return "–".to_owned() };
    let share = if score.value >= 0.5 { 1.0 - p / 2.0 } else { p / 2.0 };
    match 100.0 * share {
        x if x > 99.9 => "> 99.9 %".to_owned(),
        x if x < 0.1 => "< 0.1 %".to_owned(),
        x => format!("{x:.1} %"),
    }
}

/// Ratings and levels by variant. Empty for a single strategy.
pub fn rating_report(summary: &Summary) -> TextReport {
    let row = |row: &Standing| {
        let mut ladder = summary.ladder.iter();
        let next = ladder.find(|r| r.variant == row.variant && r.strategy == row.strategy);
        vec![
            if row.rank == 1 { row.variant.clone() } else { String::new() },
            row.strategy.clone(),
            show(row.rating),
            match summary.ladder.is_empty() {
                true => show(row.score),
                false => next.map_or(String::new(), |next| show(next.score)),
            },
        ]
    };
    let rows = summary.variants.iter().flat_map(|variant| &variant.standings).map(row);
    // A score against all others together depends on the participants.
    let score = if summary.ladder.is_empty() { "score" } else { "score against next" };
    let heads = ["variant", "strategy", "rating (Elo)", score];
    let table = TextTable::of(2, heads, rows).titled("Ratings");
    TextReport::default().table(table).sentences(level_sentences(summary))
}

/// The levels of strength of each variant with three or more strategies, and their definition.
pub(super) fn level_sentences(summary: &Summary) -> Vec<String> {
    let variants = summary.variants.iter();
    let levels = variants.filter(|v| v.levels.len() > 1 && v.standings.len() > 2);
    let line = |v: &VariantSummary| {
        format!("Levels under {}: {} ({}).", v.variant, v.levels.len(), v.levels.join(" > "))
    };
    let mut levels: Vec<String> = levels.map(line).collect();
    if !levels.is_empty() {
        levels.push("Each level scores at least 60 % against the next.".to_owned());
    }
    levels
}

/// The headline figures of each variant.
pub fn variant_report(summary: &Summary) -> TextReport {
    TextReport::default().table(variant_table(summary).titled("Variants"))
}

/// The headline figures of each variant, and the first seat's score adjusted for luck or cards.
pub(super) fn variant_table(summary: &Summary) -> TextTable {
    type Score = fn(&VariantSummary) -> Option<ControlledMean>;
    let adjusted: [(&str, Score); 2] = [
        ("first seat, luck-adjusted", |v| v.luck_adjusted),
        ("first seat, card-adjusted", |v| v.controlled),
    ];
    let is_known = |score: Score| summary.variants.iter().any(|v| score(v).is_some());
    let adjusted = || adjusted.into_iter().filter(|(_, score)| is_known(*score));
    let heads = summary.headlines().map(|figure| words(summary.figures[figure].name));
    let heads = std::iter::once("variant".to_owned()).chain(heads);
    let more = adjusted().flat_map(|(head, _)| [head, "remaining variance"].map(str::to_owned));
    let row = |row: &VariantSummary| {
        let figures = summary.headlines().map(|figure| row.format(figure, show));
        let more = adjusted().map(|(_, score)| score(row)).flat_map(|score| {
            [show(score.map(|s| s.mean)), decimals(score.map(|s| 1.0 - s.saved), 2)]
        });
        std::iter::once(row.variant.clone()).chain(figures).chain(more).collect::<Vec<_>>()
    };
    TextTable::of(1, heads.chain(more), summary.variants.iter().map(row))
}

/// The share of luck between two equally good players, and between two that are 100 Elo apart, from
/// the strongest neighbours of each variant.
pub(super) fn luck_table(summary: &Summary) -> TextTable {
    let row = |variant: &VariantSummary| {
        let row = equal_players(&summary.ladder, &variant.variant)?;
        let percent = |e: Option<Estimate>| show(e.map(|e| e.scaled(100.0)));
        Some([
            variant.variant.clone(),
            format!("{}, {}", row.strategy, row.below),
            percent(row.luck_share_equal),
            percent(row.luck_share_100_elo),
        ])
    };
    let heads = ["variant", "measured with", "equal players", "100 Elo apart"];
    TextTable::of(2, heads, summary.variants.iter().filter_map(row))
        .titled("Luck of the deal, in % of the variance of a result")
}

/// The changes of all figures from the first variant to each other one, on the same deals.
pub fn difference_report(summary: &Summary) -> TextReport {
    let row = |row: &Difference| {
        let decimals = row.difference.decimals();
        let star = if row.family == Family::Question { "* " } else { "" };
        [
            format!("{star}{}", words(row.figure)),
            row.difference.to_string(),
            row.conclusion.text().to_owned(),
            format!("{} → {}", number(row.value_a, decimals), number(row.value_b, decimals)),
        ]
    };
    let table = |comparison: &Comparison| {
        let [a, b] = [comparison.from, comparison.to].map(|v| &summary.variants[v].variant);
        let rows = comparison.changes.iter().flatten().map(row);
        let values = format!("{a} → {b}");
        let table = TextTable::of(1, ["figure", "change", "conclusion", &values], rows);
        table.titled(format!("From {a} to {b}, on the same deals"))
    };
    let note = "Higher or lower: significant at 5 % after Holm's correction. Figures of the question (*) \
                and all others (exploratory) are corrected separately.";
    let tables = summary.from_first().map(table);
    tables.fold(TextReport::default(), TextReport::table).paragraph(note)
}
