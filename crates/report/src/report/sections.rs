//! The sections of the page: the evidence, the strategies, the variants and the course of the hands.

use itertools::Itertools;
use maud::{Markup, html};

use crate::chart::{Axis, Dot, LINES, Mark, bands, board, histogram, key, show, sliver, stack};
use crate::html::{figure, forest_figure, heading, level_chart, mark, rating_charts, sortable};
use crate::rows::{Conclusion, Confirmation, Difference, Family, Finding, PopulationRow};
use crate::summary::{Comparison, Summary, VariantSummary};
use crate::text_report::{TextTable, cross_table, level_sentences, luck_table, pairing_table};
use crate::units::{Unit, words};
use parlour_game::{FigureInfo, FigureKind};
use parlour_stats::Estimate;

/// The comparisons of the question, then all figures between variants.
pub(super) fn evidence(summary: &Summary) -> Markup {
    let findings = &summary.answer.findings;
    let is_trend = findings.iter().any(|f| f.unit() != f.unit().without_rate());
    // A change between variants is a row of the other table.
    let is_shown = |f: &Finding| f.change.is_some() && !(f.is_row && f.variant.is_empty());
    // The first comparison of the question is open, the others are folded.
    let is_of_question =
        |c: &&Comparison| c.changes.iter().flatten().any(|row| row.family == Family::Question);
    let first = summary.comparisons.iter().find(is_of_question).or(summary.comparisons.first());
    let first = first.filter(|_| !is_trend);
    let is_other = |c: &&Comparison| first.is_none_or(|f| (c.from, c.to) != (f.from, f.to));
    let others: Vec<&Comparison> = summary.from_first().filter(is_other).collect();
    let is_exploratory = |d: &&Difference| d.p_value.is_some() && d.family != Family::Question;
    let exploratory = summary.differences().filter(is_exploratory).count();
    html! {
        @if is_about_strength(summary) { (cross_tables(summary)) }
        @if findings.iter().any(is_shown) { (of_question(findings)) }
        @if let Some(comparison) = first {
            (between(summary, comparison))
            p.dim {
                "Shares are in percent, their changes in percentage points (pp). The interval is drawn in units of its own width "
                "around zero. Comparisons of the question are corrected for their number; the other " (exploratory)
                " changes between variants are exploratory and corrected separately (Holm, 5 %). A ring in colour: significant "
                "only without the correction."
            }
        }
        @if !others.is_empty() {
            details {
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
        td data-head="change" {
            (show(unit.displayed(change))) " " span.dim { (unit.short_change_label()) }
        }
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
    let rows = html! {
        @for f in findings { tr {
            td.text { (f.subject) }
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
    let sign = if unit.is_share() && estimate.is_some() { "\u{a0}%" } else { "" };
    html! { (show(unit.displayed(estimate))) (sign) }
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
        h3 style="margin-top:1.2rem" { (b.variant) " compared with " (a.variant) }
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
        p { "Ratings are on the Elo scale: their mean is 0 under each variant, unless the run fixes the rating of one "
            "strategy, the anchor. A difference of 100 means an "
            "expected score of 0.64." }
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
            p.dim {
                "LOS is the likelihood of superiority. “p” is the p-value of equal strength. “p, corrected” is corrected for the "
                "number of pairings, separately for those of the question and all others; a difference is significant below 0.05. "
                "“Variance ratio” is the variance of a deal's score divided by its variance with independent seatings: below 1, "
                "pairing helped."
            }
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
            [row.nash_share, row.nash_score, row.alpha_rank].map(|e| show(Some(e)));
        [row.strategy.clone(), share, score, rank]
    };
    let heads = ["strategy", "Nash share", "Nash score", "α-rank"];
    html! {
        h3 style="margin-top:1.4rem" { "Not transitive: " (variant) }
        p {
            "These strategies beat one another in a cycle, and each win is significant: "
            (cycles.join("; ")) ". A rating cannot order them. The Nash share is a strategy's part in the mixture that no "
            "strategy beats (the one of greatest entropy). The Nash score is its score "
            "against that mixture. α-rank is the share of time that evolution spends with a strategy."
        }
        (sortable(&TextTable::of(1, heads, population.iter().map(row))))
    }
}

/// The best strategies on deals that did not select them.
fn confirmations(rows: &[&Confirmation]) -> Markup {
    let row = |row: &&Confirmation| {
        let Confirmation { variant, strategy, opponent, selection_score, score, .. } = *row;
        let [selected, fresh] = [selection_score, score].map(|score| show(*score));
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
    let (variants, first) = (summary.variants.len(), &summary.variants[0]);
    let headlines = || summary.headlines().filter(|figure| is_informative(summary, *figure));
    let all: Vec<&VariantSummary> = summary.variants.iter().collect();
    let levels = |figure| level_chart(summary, figure, &all, |_| Mark::Strong);
    let luck_table = luck_table(summary);
    html! {
        @if variants > 1 { div.grid { @for figure in headlines() { (levels(figure)) } } }
        @if variants > 2 {
            h3 style="margin-top:1.4rem" { "Changes from " code { (first.variant) } " on the same deals" }
            p.dim { "Each dot is a variant's figure minus that of " code { (first.variant) }
                "; the interval comes from the differences within deals. Colour: significant at 5 % after Holm's correction "
                "within its family. A ring in colour: only without the correction." }
            div.grid { @for figure in headlines() { (changes(summary, figure)) } }
        }
        h3 style="margin-top:1.4rem" { "Parts of a whole" }
        div.grid {
            @for index in 0..first.distributions.len() { (parts(summary, index)) }
            (luck_and_skill(summary))
        }
        @if !luck_table.rows.is_empty() {
            h3 style="margin-top:1.4rem" { (luck_table.title) }
            p.dim { "Between two equally good players, and between two that are 100 Elo apart." }
            (sortable(&luck_table))
        }
        (all_figures(summary))
    }
}

/// Returns `true` if a figure is known and not 0 under some variant. A figure of 0 whose interval is
/// wider (a negative luck share, shown as 0) is informative.
fn is_informative(summary: &Summary, figure: usize) -> bool {
    let is_nonzero = |e: Estimate| e != Estimate::exact(0.0) && e != Estimate::bare(0.0);
    let mut free = summary.variants.iter().filter(|v| v.forced[figure].is_none());
    free.any(|v| v.figures[figure].is_some_and(is_nonzero))
}

/// The change of a figure from the first variant to each other one.
fn changes(summary: &Summary, number: usize) -> Markup {
    let FigureInfo { name, unit, .. } = summary.figures[number];
    let unit = Unit::parse(unit);
    let dot = |d: &Difference| {
        let mark = mark(d.conclusion, d.p_value);
        Dot::new(&d.variant_b, unit.displayed(Some(d.difference)), mark)
    };
    let rows = summary.from_first().filter_map(|c| c.changes[number].as_ref());
    let rows: Vec<Dot> = rows.map(dot).collect();
    let axis = Axis { unit: &unit.change_label(), reference: Some((0.0, "none")), span: None };
    html! { @if !rows.is_empty() { (forest_figure(&heading(name), axis, &rows, "")) } }
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

/// The variance of a result by its parts.
fn luck_and_skill(summary: &Summary) -> Markup {
    let bar = |row: &VariantSummary| {
        (row.variant.clone(), row.variance_shares().map_or(Vec::new(), Vec::from))
    };
    let bars: Vec<(String, Vec<f64>)> = summary.variants.iter().map(bar).collect();
    if bars.iter().all(|(_, shares)| shares.is_empty()) {
        return html! {};
    }
    let text = "Luck and skill: parts of the variance of a result";
    let chart = stack(text, &["the deal", "the strategies", "the rest"], &bars);
    let caption = "Parts of the variance of a match's result between these strategies: the deal, the strength of the \
        strategies, and the rest. The rest is chance during play, and cards that suit one strategy better. All three \
        depend on the participating strategies.";
    figure("Luck and skill", &chart, caption)
}

fn all_figures(summary: &Summary) -> Markup {
    let requested = (0..summary.figures.len()).filter(|figure| summary.is_requested(*figure));
    let variants = summary.variants.iter().map(|row| row.variant.as_str());
    let row = |number: usize| {
        let FigureInfo { name, unit, meaning, .. } = summary.figures[number];
        let cells = summary.variants.iter().map(move |row| match summary.missing.contains(&name) {
            true => "not measured".to_owned(),
            false => row.format(number, show),
        });
        [format!("{}\n{meaning} ({unit})", words(name))].into_iter().chain(cells)
    };
    let heads = ["figure"].into_iter().chain(variants);
    let table = TextTable::of(1, heads, requested.map(row));
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
