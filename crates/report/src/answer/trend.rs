//! Questions about the trend of a figure over a value, per unit or per doubling of the value.

use itertools::Itertools;
use maud::{Markup, html};

use super::evidence::{Evidence, QuestionKind};
use super::phrases::{Noun, verdict};
use super::series::Series;
use crate::chart::{HeatMap, lines};
use crate::figures::{FIRST_SEAT, variant_numbers};
use crate::html::{figure, heading};
use crate::rows::{Conclusion, Finding};
use crate::summary::{Summary, VariantSummary};
use crate::units::{PER_DOUBLING, PER_UNIT, Unit};
use parlour_arena::Tally;
use parlour_base::maths::exact::square;
use parlour_stats::Estimate;

/// A question about the change of a figure over a value.
#[derive(Debug)]
pub(super) struct TrendQuestion {
    /// Index of the figure; `None` for the strategies' ratings.
    pub figure: Option<usize>,
    /// Name of the value.
    pub over: String,
    /// The variants, or strategies, that differ in the value only.
    pub series: Vec<Series>,
}

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
                    Some((series.position(*x), number(series, *member)?))
                };
                slope(&series.points.iter().map(point).collect::<Option<Vec<_>>>()?)
            };
            self.series.iter().map(one).collect()
        })
    }
}

impl QuestionKind for TrendQuestion {
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
            let [(low, first), (high, last)] = series.ends();
            let value = |member| self.number(series, &evidence.summary.variants, member);
            let [from, to] = [low, high].map(|x| format!("{} {x}", self.over));
            Finding {
                reference_value: value(first),
                subject_value: value(last),
                change,
                p_value: evidence.sample.p_value(change),
                steps: (series.position(high) - series.position(low)).max(f64::MIN_POSITIVE),
                ..Finding::blank(name, &Unit::parse(unit).trend(&rate), &series.name, &from, &to)
            }
        };
        self.series.iter().zip(self.slopes(evidence)).map(one).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        let noun = self.noun(evidence.summary);
        findings.iter().map(|f| sentence(&noun, &self.over, f, findings.len() > 1)).collect()
    }

    fn chart(&self, summary: &Summary, _: &[Finding]) -> Markup {
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
    let distinct = |all: &[String]| -> Vec<String> {
        all.iter().filter(|value| *value != "null").unique().cloned().collect()
    };
    let (columns, rows) = (distinct(&across), distinct(&down));
    let (head, count) = (&summary.figures[number], summary.variants.len());
    if columns.len() * rows.len() != count {
        return html! {};
    }
    let unit = Unit::parse(head.unit);
    let cell = |(row, column): (&String, &String)| {
        let at = (0..count).find(|&v| across[v] == *column && down[v] == *row)?;
        unit.displayed(summary.variants[at].figures[number])
    };
    let cells: Vec<_> = rows.iter().cartesian_product(&columns).map(cell).collect();
    let map = HeatMap {
        titles: [other, one],
        names: [&rows, &columns],
        cells: &cells.chunks(columns.len()).map(<[_]>::to_vec).collect::<Vec<_>>(),
        middle: fair,
        has_contour: fair.is_some(),
    };
    let title = format!("{} over {one} and {other}", heading(head.name));
    let chart = map.draw(&title, |row, column| format!("{one} {column}, {other} {row}"));
    figure(&title, &chart, &unit.label())
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
    let moves = if f.conclusion == Conclusion::Higher { "rises" } else { "falls" };
    verdict(
        f,
        &format!("{} {moves} {end}", noun.title()),
        &format!("{} does not clearly change {end}", noun.title()),
        &format!("{} changes {end}", noun.text()),
    )
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
        assert!((wide.position(500.0) - wide.position(250.0) - 1.0).abs() < 1e-12);
    }
}
