//! The first screen: the one chart that shows the answer.

use maud::{Markup, html};

use super::super::answer::FAIR;
use super::super::{Asked, Call, FIRST_SEAT, Finding, Series, Summary};
use super::{figure, heading, in_print, unit_of, unit_of_change};
use crate::chart::{Axis, Dot, Mark, Side, forest, grid, lines, span};
use crate::stats::Estimate;

/// So many figures are drawn on the first screen.
const FIGURES: usize = 2;

/// What shows the answer.
pub(super) fn shown(summary: &Summary) -> Markup {
    html! {
        (chart(summary))
        p.dim {
            "± is half a 95 % interval; square brackets hold its ends. The unit of every interval is the deal: the "
            "same cards for every pairing and every variant. Colour: significant at 5 % after Holm's correction."
        }
    }
}

/// A sentence with its names, which stand between backticks, as code.
pub(super) fn marked(sentence: &str) -> Markup {
    html! {
        @for (index, part) in sentence.split('`').enumerate() {
            @if index % 2 == 1 { code { (part) } } @else { (part.replace(" %", "\u{a0}%")) }
        }
    }
}

/// How a finding is marked in a chart.
pub(super) fn mark(f: &Finding) -> Mark {
    match f.call {
        Call::Higher | Call::Lower => Mark::Strong,
        _ if f.p.is_some_and(|p| p < 0.05) => Mark::Open,
        _ => Mark::Faint,
    }
}

/// The chart for this kind of question.
fn chart(summary: &Summary) -> Markup {
    let answer = &summary.answer;
    let Some(asked) = &answer.asked else { return html! {} };
    match asked {
        Asked::Figures { figures, variants, fair } => {
            let each = figures.iter().take(FIGURES);
            html! { @for number in each { (between(summary, *number, variants, *fair)) } }
        }
        Asked::Pairing { strategies: [a, b], .. } if a == b => {
            values(answer.findings.iter(), "What the first seat scores", "fair", |f| {
                f.variant.clone()
            })
        }
        Asked::Pairing { .. } => {
            let title = match answer.findings.first() {
                Some(f) => format!("What {} scores against {}", f.to, f.from),
                None => return html! {},
            };
            values(answer.findings.iter(), &title, "even", |f| f.variant.clone())
        }
        Asked::Scores { .. } => {
            let Some(first) = answer.findings.first() else { return html! {} };
            let title = format!("Score less that of {}", first.from);
            changes(&sorted(&answer.findings), &title, &format!("as {}", first.from))
        }
        Asked::Ladder { champion: Some(_), variants } => html! {
            div.grid { @for variant in variants {
                @let name = &summary.variants[*variant].variant;
                @let rows = answer.findings.iter().filter(|f| f.variant == *name).cloned();
                @let rows = by_value(rows.collect());
                @if let Some(first) = rows.first() {
                    (values(rows.iter(), &format!("Scores against {} under {name}", first.from), "even", |f| f.to.clone()))
                }
            } }
        },
        Asked::Ladder { champion: None, variants } => ladder(summary, variants),
        Asked::Trend { figure, over, series } => trend(summary, *figure, over, series),
    }
}

/// A figure under each variant, and beside it the changes from the first.
fn between(summary: &Summary, number: usize, variants: &[usize], fair: bool) -> Markup {
    let head = &summary.figures[number];
    let findings = || summary.answer.findings.iter().filter(|f| f.figure == head.name);
    let row = |v: &usize| {
        let variant = &summary.variants[*v];
        let found = findings().find(|f| f.to == variant.variant);
        Dot {
            label: variant.variant.clone(),
            estimate: in_print(variant.figures[number], head.unit),
            mark: if fair { found.map_or(Mark::Faint, mark) } else { Mark::Strong },
        }
    };
    let rows: Vec<Dot> = variants.iter().map(row).collect();
    let name = heading(head.name);
    let first = variants.first().map(|v| &summary.variants[*v]);
    let reference = first.filter(|_| number == FIRST_SEAT).map(|v| (100.0 * v.fair(), "fair"));
    let on = Axis { unit: &unit_of(head.unit), reference, span: None };
    let text = format!("{name} by variant with 95 % intervals");
    let rest: Vec<Finding> = findings().filter(|_| !fair).cloned().collect();
    html! {
        div.grid {
            (figure(&name, &forest(&text, on, &rows), head.meaning))
            @if let Some(one) = rest.first() {
                @if one.change.is_some() {
                    (changes(&rest, &format!("Change from {} on the same deals", one.from), "none"))
                }
            }
        }
    }
}

/// The changes of findings, one below the other.
fn changes(findings: &[Finding], title: &str, none: &str) -> Markup {
    let Some(first) = findings.first() else { return html! {} };
    let row = |f: &Finding| Dot {
        label: f.to.clone(),
        estimate: in_print(f.change, &f.unit),
        mark: mark(f),
    };
    let rows: Vec<Dot> = findings.iter().map(row).collect();
    let unit = unit_of_change(&first.unit);
    let on = Axis { unit: &unit, reference: Some((0.0, none)), span: None };
    figure(title, &forest(&format!("{title} with 95 % intervals"), on, &rows), "")
}

/// What findings come to, one below the other.
fn values<'a>(
    findings: impl Iterator<Item = &'a Finding>,
    title: &str,
    reference: &str,
    label: impl Fn(&Finding) -> String,
) -> Markup {
    let findings: Vec<&Finding> = findings.collect();
    let Some(first) = findings.first() else { return html! {} };
    let row =
        |f: &&Finding| Dot { label: label(f), estimate: in_print(f.b, &f.unit), mark: mark(f) };
    let rows: Vec<Dot> = findings.iter().map(row).collect();
    let fair = first.a.map_or(0.5, |a| if first.from == FAIR { a.value } else { 0.5 });
    let unit = unit_of(&first.unit);
    let on = Axis { unit: &unit, reference: Some((100.0 * fair, reference)), span: None };
    figure(title, &forest(&format!("{title} with 95 % intervals"), on, &rows), "")
}

/// The largest change first.
fn sorted(findings: &[Finding]) -> Vec<Finding> {
    let mut findings = findings.to_vec();
    let value = |e: Option<Estimate>| e.map_or(0.0, |e| e.value);
    findings.sort_by(|a, b| value(b.change).total_cmp(&value(a.change)));
    findings
}

/// The largest number first.
fn by_value(mut findings: Vec<Finding>) -> Vec<Finding> {
    let value = |e: Option<Estimate>| e.map_or(0.0, |e| e.value);
    findings.sort_by(|a, b| value(b.b).total_cmp(&value(a.b)));
    findings
}

/// The ratings of each variant, on one axis; at tables of more than two the scores.
fn ladder(summary: &Summary, variants: &[usize]) -> Markup {
    let of = |v: &usize| &summary.variants[*v];
    if summary.ladder.is_empty() {
        return html! { div.grid { @for v in variants {
            @let name = &of(v).variant;
            @let rows: Vec<&Finding> = summary.answer.findings.iter().filter(|f| f.variant == *name).collect();
            (values(rows.into_iter(), &format!("Scores under {name}"), "fair", |f| f.to.clone()))
        } } };
    }
    let rows = |v: &usize| -> Vec<Dot> {
        let row = |s: &super::super::Standing| Dot {
            label: s.strategy.clone(),
            estimate: s.rating,
            mark: Mark::Strong,
        };
        of(v).standings.iter().map(row).collect()
    };
    let all: Vec<Dot> = variants.iter().flat_map(rows).collect();
    let on = Axis { unit: "Elo", reference: None, span: span(&all) };
    html! {
        div.grid { @for v in variants {
            @let title = format!("Ratings under {}", of(v).variant);
            (figure(&title, &forest(&title, on, &rows(v)), ""))
        } }
    }
}

/// A figure over a value.
fn trend(summary: &Summary, number: Option<usize>, over: &str, series: &[Series]) -> Markup {
    let (name, unit) = match number {
        Some(number) => (summary.figures[number].name, summary.figures[number].unit),
        None => ("rating", "Elo"),
    };
    let line = |series: &Series| {
        let points = series.points.iter();
        let points = points.filter_map(|(x, of)| {
            Some((*x, in_print(series.number(&summary.variants, number, *of), unit)?))
        });
        (series.name.clone(), points.collect())
    };
    let all: Vec<(String, Vec<(f64, Estimate)>)> = series.iter().map(line).collect();
    let fair = summary.variants.first().filter(|_| number == Some(FIRST_SEAT));
    let fair = fair.map(|variant| 100.0 * variant.fair());
    let title = format!("{} over {over}", heading(name));
    let text = format!("{title} with 95 % intervals");
    let below = number.map_or("", |number| summary.figures[number].meaning);
    html! {
        div.grid {
            (figure(&title, &lines(&unit_of(unit), &text, over, fair, &all), below))
            @if let Some(number) = number { (over_two(summary, number, fair)) }
        }
    }
}

/// A figure over two swept rules, where each two values are those of one variant.
fn over_two(summary: &Summary, number: usize, fair: Option<f64>) -> Markup {
    let Some([(one, across), (other, down)]) = summary.swept.two_rules() else { return html! {} };
    let distinct = |all: &[String]| {
        let mut each: Vec<String> = Vec::new();
        for value in all.iter().filter(|value| *value != "null") {
            if !each.contains(value) {
                each.push(value.clone());
            }
        }
        each
    };
    let (columns, rows) = (distinct(&across), distinct(&down));
    let (head, count) = (&summary.figures[number], summary.variants.len());
    if columns.len() * rows.len() != count {
        return html! {};
    }
    let cell = |row: &String, column: &String| {
        let at = (0..count).find(|&v| across[v] == *column && down[v] == *row)?;
        in_print(summary.variants[at].figures[number], head.unit)
    };
    let cells: Vec<Vec<Option<Estimate>>> =
        rows.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect()).collect();
    let title = format!("{} over {one} and {other}", heading(head.name));
    let sides = [(one, &columns), (other, &rows)].map(|(name, values)| Side { name, values });
    figure(&title, &grid(&title, sides[0], sides[1], fair, &cells), &unit_of(head.unit))
}
