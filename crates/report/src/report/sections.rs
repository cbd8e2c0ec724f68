//! The sections of the page: the evidence, the strategies, the variants and the course of the hands.

use itertools::Itertools;
use maud::{Markup, html};

use crate::chart::{LINES, bands, board, histogram, key, sliver, stack};
use crate::html::{figure, heading, mark, rating_charts, sortable};
use crate::rows::{Conclusion, Confirmation, Family, Finding, PopulationRow};
use crate::summary::{Comparison, Summary, VariantSummary};
use crate::text_report::{
    TextTable, cross_table, level_sentences, luck_sentence, pairing_table, variant_table,
};
use crate::units::{Unit, words};
use parlour_game::{FigureInfo, FigureKind};
use parlour_stats::Estimate;

/// The comparisons of the question, then all figures between variants.
pub(super) fn evidence(summary: &Summary) -> Markup {
    let findings = &summary.answer.findings;
    // A change between variants is a row of the other table.
    let is_shown = |f: &Finding| f.change.is_some() && !(f.is_row && f.variant.is_empty());
    // The first comparison of the question is open, the others are folded.
    let first = summary.of_question().first().copied();
    let is_other = |c: &&Comparison| first.is_none_or(|f| (c.from, c.to) != (f.from, f.to));
    let others: Vec<&Comparison> = summary.from_first().filter(is_other).collect();
    html! {
        @if is_about_strength(summary) { (cross_tables(summary)) }
        @if findings.iter().any(is_shown) { (of_question(findings)) }
        @if let Some(comparison) = first {
            (between(summary, comparison))
            p.dim { (include_str!("../notes/evidence.txt")) }
        }
        @if !others.is_empty() {
            // A few variants are named on purpose; many come from a sweep.
            details open[others.len() < 4] {
                summary { "The other variants, compared with " (summary.variants[0].variant) }
                @for comparison in others { (between(summary, comparison)) }
            }
        }
    }
}

/// Returns `true` if the question compares scores of strategies.
fn is_about_strength(summary: &Summary) -> bool {
    summary.answer.findings.iter().any(|f| f.figure == "score")
}

/// The cross table of each variant.
fn cross_tables(summary: &Summary) -> Markup {
    html! { @for table in summary.variants.iter().filter_map(cross_table) {
        h3 style="margin-top:1.4rem" { (table.title) }
        (sortable(&table))
    } }
}

/// A table of comparisons: names, two numbers, and the [`verdict_cells`] on their difference.
fn comparison_table(names: &[&str], numbers: [&str; 2], rows: &Markup) -> Markup {
    html! {
        div.scroll { table.sort.evidence {
            thead { tr {
                @for name in names { th.text { (name) } }
                @for number in numbers { th { (number) } }
                th { "change" } th.text { "interval" } th.text { "conclusion" }
            } }
            tbody { (rows) }
        } }
    }
}

/// The last cells of a row.
fn verdict_cells(
    change: Option<Estimate>,
    unit: Unit<'_>,
    conclusion: Conclusion,
    p_value: Option<f64>,
) -> Markup {
    let class = if conclusion.is_clear() { "clear" } else { "dim" };
    html! {
        td data-head="change" { (unit.change_cell(change)) }
        td.text.drawn { @if let Some(change) = change { (sliver(change, mark(conclusion, p_value))) } }
        td.text.verdict { span class=(class) { (conclusion.text()) } }
    }
}

/// The comparisons of the question.
fn of_question(findings: &[Finding]) -> Markup {
    let has_variants = findings.iter().any(|f| !f.variant.is_empty());
    let is_between_players = findings.iter().all(|f| f.is_row && !f.variant.is_empty());
    let [subject, rules, reference, value, other] = match is_between_players {
        true => ["player", "rules", "opponent", "score", "opponent's score"],
        false => ["subject", "rules", "compared with", "value", "reference value"],
    };
    let has_figures = !findings.iter().map(|f| &f.figure).all_equal();
    let rows = html! {
        @for f in findings { tr {
            td.text { @if has_figures { (words(&f.figure)) ", " } (f.subject) }
            @if has_variants { td.text data-head=(rules) { (f.variant) } }
            td.text data-head=(reference) { (f.reference) }
            td data-head=(value) { (value_cell(f.subject_value, f.unit())) }
            td data-head=(other) { (value_cell(f.reference_value, f.unit())) }
            (verdict_cells(f.change, f.unit(), f.conclusion, f.p_value))
        } }
    };
    let names =
        if has_variants { vec![subject, rules, reference] } else { vec![subject, reference] };
    comparison_table(&names, [value, other], &rows)
}

/// A number, with a percent sign for shares.
fn value_cell(estimate: Option<Estimate>, unit: Unit<'_>) -> Markup {
    html! { (unit.cell(estimate).replace(' ', "\u{a0}")) }
}

/// A figure of a variant; a value that the rules force is in words.
fn figure_cell(variant: &VariantSummary, number: usize, unit: Unit<'_>) -> Markup {
    match variant.forced[number] {
        Some(forced) => html! { span.dim { (forced.words()) } },
        None => value_cell(variant.figures[number], unit),
    }
}

/// All figures under two variants.
fn between(summary: &Summary, comparison: &Comparison) -> Markup {
    let [a, b] = [comparison.from, comparison.to].map(|v| &summary.variants[v]);
    let rows = summary.figures.iter().zip(&comparison.changes).enumerate();
    let rows = rows.filter(|(_, (head, _))| !summary.is_answered_apart(head.name));
    let mut rows: Vec<_> =
        rows.filter_map(|(number, (head, row))| Some((number, head, row.as_ref()?))).collect();
    // The question's figures first, then headlines, then the rest.
    rows.sort_by_key(|(_, head, row)| (row.family != Family::Question, !head.headline));
    let rows = html! {
        @for (number, head, row) in rows {
            @let unit = Unit::parse(head.unit);
            tr class=(if row.family == Family::Question { "asked" } else { "" }) {
                td.text title=(head.meaning) { (words(head.name)) }
                td data-head=(a.variant) { (figure_cell(a, number, unit)) }
                td data-head=(b.variant) { (figure_cell(b, number, unit)) }
                (verdict_cells(Some(row.difference), unit, row.conclusion, row.p_value))
            }
        }
    };
    html! {
        h3 style="margin-top:1.2rem" {
            (b.variant) " compared with " (a.variant)
            @if summary.has_several_pairings() { ", over all pairings" }
        }
        (comparison_table(&["figure"], [&a.variant, &b.variant], &rows))
    }
}

/// Ratings, scores against one another, cycles, confirmations.
pub(super) fn strategies(summary: &Summary) -> Markup {
    let variants: Vec<&VariantSummary> = summary.variants.iter().collect();
    if variants.iter().all(|v| v.standings.is_empty()) {
        return html! {};
    }
    let confirmed: Vec<&Confirmation> = variants.iter().flat_map(|v| &v.confirmed).collect();
    let pairings = pairing_table(&summary.matchups().collect::<Vec<_>>(), true, true);
    html! {
        p { (include_str!("../notes/ratings.txt")) }
        @for sentence in level_sentences(summary) { p { (sentence) } }
        h3 { "Ratings" }
        (rating_charts(&variants, str::to_owned))
        @if !is_about_strength(summary) { (cross_tables(summary)) }
        @for variant in variants.iter().filter(|v| !v.population.is_empty()) {
            (population(&variant.variant, &variant.population))
        }
        @if !confirmed.is_empty() { (confirmations(&confirmed)) }
        details {
            summary { "All pairings (" (pairings.rows.len()) ")" }
            p.dim { (include_str!("../notes/pairings.txt")) }
            (sortable(&pairings))
        }
    }
}

/// Nash averages and α-rank of a variant with a significant cycle.
fn population(variant: &str, population: &[PopulationRow]) -> Markup {
    let members = |cycle| population.iter().filter(move |row| row.cycle == Some(cycle));
    let names = |cycle| members(cycle).map(|row| row.strategy.as_str()).join(", ");
    let cycles: Vec<String> = (1..).map(names).take_while(|names| !names.is_empty()).collect();
    let row = |row: &PopulationRow| {
        let [share, score, rank] =
            [row.nash_share, row.nash_score, row.alpha_rank].map(|e| Unit::SHARE.cell(Some(e)));
        [row.strategy.clone(), share, score, rank]
    };
    let heads = ["strategy", "Nash share", "Nash score", "α-rank"];
    html! {
        h3 style="margin-top:1.4rem" { "Not transitive: " (variant) }
        p {
            "These strategies beat one another in a cycle, and each win is significant: "
            (cycles.join("; ")) ". " (include_str!("../notes/cycles.txt"))
        }
        (sortable(&TextTable::of(1, heads, population.iter().map(row))))
    }
}

/// The best strategies on deals that did not select them.
fn confirmations(rows: &[&Confirmation]) -> Markup {
    let row = |row: &&Confirmation| {
        let Confirmation { variant, strategy, opponent, selection_score, score, .. } = *row;
        let [selected, fresh] = [selection_score, score].map(|score| Unit::SHARE.cell(*score));
        [variant.clone(), strategy.clone(), opponent.clone(), selected, fresh]
    };
    let heads = ["variant", "strategy", "opponent", "score when selected", "score on fresh deals"];
    html! {
        h3 style="margin-top:1.4rem" { "Confirmed on fresh deals" }
        p { "The best strategy of many owes part of its lead to luck. These deals had no part in the selection." }
        (sortable(&TextTable::of(3, heads, rows.iter().map(row))))
    }
}

/// The figures, changes on the same deals, and wholes by their parts.
pub(super) fn variants(summary: &Summary) -> Markup {
    html! {
        p { (luck_sentence(summary)) }
        @if summary.is_adjusted() {
            p { (include_str!("../notes/adjusted.txt")) }
            (sortable(&variant_table(summary)))
        }
        h3 style="margin-top:1.4rem" { "Parts of a whole" }
        div.grid {
            @for index in 0..summary.variants[0].distributions.len() { (parts(summary, index)) }
        }
        (all_figures(summary))
    }
}

/// A whole by its parts under each variant; nothing for other charts.
fn parts(summary: &Summary, index: usize) -> Markup {
    let whole = &summary.variants[0].distributions[index];
    let FigureKind::Parts(names) = &whole.kind else { return html! {} };
    let bar = |row: &VariantSummary| {
        let parts = row.distributions[index].rows.concat();
        let whole = parts.iter().sum::<i64>() as f64;
        let parts = parts.iter().filter(|_| whole > 0.0);
        (row.variant.clone(), parts.map(|x| *x as f64 / whole).collect())
    };
    let bars: Vec<(String, Vec<f64>)> = summary.variants.iter().map(bar).collect();
    let title = heading(whole.head.name);
    let text = format!("{title} by variant, as shares of all {}", whole.head.unit);
    html! { @if !whole.rows.is_empty() { (figure(&title, &stack(&text, names, &bars), whole.head.meaning)) } }
}

fn all_figures(summary: &Summary) -> Markup {
    let requested = (0..summary.figures.len()).filter(|figure| summary.is_requested(*figure));
    let variants = summary.variants.iter().map(|row| row.variant.as_str());
    let row = |number: usize| {
        let FigureInfo { name, unit, meaning, .. } = summary.figures[number];
        let cells = summary.variants.iter().map(move |row| match summary.missing.contains(&name) {
            true => "not measured".to_owned(),
            false => row.format(number, |figure| Unit::parse(unit).cell(figure)),
        });
        [format!("{}\n{meaning} ({unit})", words(name))].into_iter().chain(cells)
    };
    let heads = ["figure"].into_iter().chain(variants);
    let rows = requested.map(|figure| row(figure).collect_vec());
    let rows = rows.filter(|row| row[1..].iter().any(|cell| cell != "–"));
    let table = TextTable::of(1, heads, rows);
    html! {
        details {
            summary { "All figures (" (table.rows.len()) ")" }
            (sortable(&table))
        }
    }
}

/// The course of the hands: every chart, variant by variant.
pub(super) fn distributions(summary: &Summary) -> Markup {
    let charts = summary.variants[0].distributions.iter().enumerate();
    let charts = charts.filter(|(_, chart)| !matches!(chart.kind, FigureKind::Parts(_)));
    html! {
        p { "All hands of a variant together, so the shapes depend on the participating strategies. Variants "
            "of a row share their axes. The outermost bars include everything beyond. Point at a chart for its numbers." }
        @for (index, about) in charts {
            h3 style="margin-top:1.4rem" { (heading(about.head.name)) }
            p.dim { (about.head.meaning) @if matches!(about.kind, FigureKind::Curve(_)) {
                " The line is the median; half of the hands lie in the dark band, 90 % in the light one."
            } }
            @if about.rows.is_empty() { p { "Not measured: the program that played did not know this figure." } }
            @else {
                div.grid { @for row in &summary.variants { (chart(summary, row, index)) } }
                @if about.kind == FigureKind::Histogram { (seat_key(summary, index)) }
            }
        }
    }
}

/// The legend of a chart with a line per seat.
fn seat_key(summary: &Summary, index: usize) -> Markup {
    let seats = summary.variants.iter().map(|row| row.distributions[index].rows.len());
    let seats = seats.max().unwrap_or(0);
    let names = (0..).zip(&LINES).take(seats);
    let names = names.map(|(seat, line)| format!("seat {seat} ({})", line.looks));
    html! { @if seats > 1 { (key(names)) } }
}

fn chart(summary: &Summary, variant: &VariantSummary, index: usize) -> Markup {
    let about = &variant.distributions[index];
    let (bins, rows) = (about.bins, &about.rows);
    let text = format!("{} under {}", heading(about.head.name), variant.variant);
    let share = |count: i64| count as f64 / variant.hands.max(1) as f64;
    let mut caption = String::new();
    let chart = match about.kind {
        FigureKind::Histogram => {
            let counted = rows.first().map_or(0, |row| row.iter().sum());
            if counted < variant.hands as i64 {
                let percent = 100.0 * share(counted);
                caption = format!("Shares of the {percent:.0} % of hands with such a number.");
            }
            // All variants with the same bins share their axes.
            let all = summary.variants.iter().map(|row| &row.distributions[index]);
            let all = all.filter(|chart| chart.bins == bins).flat_map(|chart| &chart.rows);
            histogram(about.head.unit, &text, bins, rows, all)
        }
        FigureKind::Curve(clock) => bands(&text, clock, bins, rows),
        _ => {
            "The stronger the colour, the more often.".clone_into(&mut caption);
            let cells: Vec<f64> = rows.iter().flatten().map(|count| share(*count)).collect();
            board(&text, rows[0].len(), &cells)
        }
    };
    figure(&variant.variant, &chart, &caption)
}
