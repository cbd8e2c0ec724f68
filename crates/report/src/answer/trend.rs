//! Questions about the trend of a figure over a value, per unit or per doubling of the value.

use maud::{Markup, html};

use super::phrases::{Noun, enough_deals};
use super::{Answerable, Conclusion, Evidence, Finding};
use crate::chart::{Side, grid, lines};
use crate::figures::{FIRST_SEAT, variant_numbers};
use crate::html::{figure, heading};
use crate::question::TrendQuestion;
use crate::series::Series;
use crate::summary::{Summary, VariantSummary};
use crate::units::{PER_DOUBLING, PER_UNIT, Unit};
use parlour_arena::Tally;
use parlour_base::maths::exact::{ln, square};
use parlour_stats::Estimate;

impl TrendQuestion {
    /// Name and unit of the figure.
    fn name_and_unit(&self, summary: &Summary) -> (&'static str, &'static str) {
        let head = self.figure.map(|figure| &summary.figures[figure]);
        head.map_or(("rating", "Elo"), |head| (head.name, head.unit))
    }

    fn noun(&self, summary: &Summary) -> Noun {
        self.figure.map_or(Noun::new("rating"), |figure| Noun::of(&summary.figures[figure]))
    }

    /// The figure of a member of a series.
    fn number(
        &self,
        series: &Series,
        variants: &[VariantSummary],
        member: usize,
    ) -> Option<Estimate> {
        match self.figure {
            Some(figure) => variants[member].figures[figure],
            None => {
                let mut rows = variants[series.variant?].standings.iter();
                rows.find(|row| row.number == member)?.rating
            }
        }
    }

    /// The slope of the figure over each series by least squares with equal weights. The luck of a deal
    /// cancels, because the jackknife leaves out a chunk of deals under all values at once.
    fn slopes(&self, evidence: &Evidence<'_>) -> Vec<Option<Estimate>> {
        let (plan, figures) = (evidence.plan, evidence.summary.figures.len());
        evidence.sample.jackknife(|tally: &Tally| {
            let numbers: Vec<Vec<Option<f64>>> =
                (0..plan.variants.len()).map(|v| variant_numbers(plan, tally, v)).collect();
            let number = |series: &Series, member: usize| match self.figure {
                Some(figure) => numbers[member][figure],
                None => numbers[series.variant?][figures + member],
            };
            let one = |series: &Series| {
                let point = |(x, member): &(f64, usize)| {
                    Some((position(series, *x), number(series, *member)?))
                };
                slope(&series.points.iter().map(point).collect::<Option<Vec<_>>>()?)
            };
            self.series.iter().map(one).collect()
        })
    }
}

impl Answerable for TrendQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        format!("How does {} change with {}?", self.noun(evidence.summary).text(), self.over)
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        let (name, unit) = self.name_and_unit(evidence.summary);
        let one = |(series, change): (&Series, Option<Estimate>)| {
            let rate = match series.is_logarithmic() {
                true => PER_DOUBLING.to_owned(),
                false => format!("{PER_UNIT}{}", self.over),
            };
            let ends = [series.points.first(), series.points.last()];
            let [reference, subject] = ends.map(|end| {
                let found = end.and_then(|&(x, member)| {
                    let value = self.number(series, &evidence.summary.variants, member)?;
                    Some((format!("{} {x}", self.over), value))
                });
                found.unzip()
            });
            let [low, high] = ends.map(|end| end.map_or(0.0, |(x, _)| position(series, *x)));
            let [from, to] = [&reference.0, &subject.0].map(|end| end.as_deref().unwrap_or(""));
            let unit = Unit::parse(unit).trend(&rate);
            Finding {
                reference_value: reference.1,
                subject_value: subject.1,
                change,
                p_value: change.and_then(|change| evidence.sample.p_value(change)),
                steps: (high - low).abs().max(f64::MIN_POSITIVE),
                ..Finding::blank(name, &unit, &series.name, from, to)
            }
        };
        self.series.iter().zip(self.slopes(evidence)).map(one).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        let noun = self.noun(evidence.summary);
        findings.iter().map(|f| sentence(&noun, &self.over, f, findings.len() > 1)).collect()
    }

    fn chart(&self, summary: &Summary) -> Markup {
        let (name, unit) = self.name_and_unit(summary);
        let unit = Unit::parse(unit);
        let line = |series: &Series| {
            let point = |(x, member): &(f64, usize)| {
                let number = self.number(series, &summary.variants, *member);
                Some((*x, unit.displayed(number)?))
            };
            (series.name.clone(), series.points.iter().filter_map(point).collect())
        };
        let all: Vec<(String, Vec<(f64, Estimate)>)> = self.series.iter().map(line).collect();
        let fair = summary.variants.first().filter(|_| self.figure == Some(FIRST_SEAT));
        let fair = fair.map(|variant| 100.0 * variant.fair());
        let title = format!("{} over {}", heading(name), self.over);
        let text = format!("{title} with 95 % intervals");
        let caption = self.figure.map_or("", |number| summary.figures[number].meaning);
        html! {
            div.grid {
                (figure(&title, &lines(&unit.label(), &text, &self.over, fair, &all), caption))
                @if let Some(number) = self.figure { (over_two_rules(summary, number, fair)) }
            }
        }
    }
}

/// A figure over two swept rules, if every combination of values is one variant.
fn over_two_rules(summary: &Summary, number: usize, fair: Option<f64>) -> Markup {
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
    let unit = Unit::parse(head.unit);
    let cell = |row: &String, column: &String| {
        let at = (0..count).find(|&v| across[v] == *column && down[v] == *row)?;
        unit.displayed(summary.variants[at].figures[number])
    };
    let cells: Vec<Vec<Option<Estimate>>> =
        rows.iter().map(|row| columns.iter().map(|column| cell(row, column)).collect()).collect();
    let title = format!("{} over {one} and {other}", heading(head.name));
    let sides = [(one, &columns), (other, &rows)].map(|(name, values)| Side { name, values });
    figure(&title, &grid(&title, sides[0], sides[1], fair, &cells), &unit.label())
}

fn sentence(noun: &Noun, over: &str, f: &Finding, is_one_of_several: bool) -> String {
    let Some(slope) = f.change else { return String::new() };
    let unit = f.unit();
    let under = if is_one_of_several { format!(" under `{}`", f.variant) } else { String::new() };
    let ends = f.reference_value.zip(f.subject_value).map_or(String::new(), |(a, b)| {
        let [a, b] = [a, b].map(|e| unit.without_rate().level(e, None));
        let [from, to] = [&f.reference, &f.subject].map(|at| at.trim_start_matches(over).trim());
        format!(": {a} at {from}, {b} at {to}")
    });
    let end = format!("as `{over}` grows{under}{ends} ({})", unit.change(slope));
    match f.conclusion {
        Conclusion::Higher => format!("{} rises {end}.", noun.title()),
        Conclusion::Lower => format!("{} falls {end}.", noun.title()),
        Conclusion::NotEnoughDeals => format!(
            "Not enough deals to tell whether {} changes {end}{}.",
            noun.text(),
            enough_deals(f)
        ),
        _ => format!("{} does not clearly change {end}.", noun.title()),
    }
}

/// The position of a value along the trend.
fn position(series: &Series, x: f64) -> f64 {
    if series.is_logarithmic() { ln(x) / std::f64::consts::LN_2 } else { x }
}

/// The slope of the least-squares line; `None` if all values are equal.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let n = points.len() as f64;
    let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0, y + point.1));
    let (x, y) = (x / n, y / n);
    let spread: f64 = points.iter().map(|point| square(point.0 - x)).sum();
    let joint: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    (spread > 0.0).then(|| joint / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slope_of_the_least_squares_line() {
        assert_eq!(slope(&[(1.0, 3.0), (2.0, 5.0), (4.0, 9.0)]), Some(2.0));
        // By hand: x̄ = 2, ȳ = 2; Σ(x−x̄)(y−ȳ) = 1, Σ(x−x̄)² = 2.
        assert_eq!(slope(&[(1.0, 2.0), (2.0, 1.0), (3.0, 3.0)]), Some(0.5));
        assert_eq!(slope(&[(1.0, 2.0), (1.0, 4.0)]), None);
    }

    #[test]
    fn wide_ranges_are_logarithmic() {
        let of = |values: &[f64]| Series {
            name: String::new(),
            variant: None,
            points: values.iter().map(|x| (*x, 0)).collect(),
        };
        let wide = of(&[250.0, 500.0, 4000.0]);
        assert!(wide.is_logarithmic() && !of(&[4.0, 10.0]).is_logarithmic());
        assert!(!of(&[0.0, 10.0]).is_logarithmic(), "0 has no doubling");
        assert!((position(&wide, 500.0) - position(&wide, 250.0) - 1.0).abs() < 1e-12);
    }
}
