//! Questions about the trend of a figure over a value, per unit or per doubling of the value; and the
//! series of variants or strategies that differ in one number only.

use itertools::Itertools;
use maud::{Markup, html};
use serde_json::Value;

use super::evidence::{Evidence, Noun, QuestionKind, verdict};
use crate::chart::{in_ratios, lines};
use crate::figures::{FIRST_SEAT, variant_numbers};
use crate::html::{figure, heading};
use crate::rows::{Conclusion, Finding};
use crate::summary::{Summary, VariantSummary};
use crate::units::{PER_DOUBLING, PER_UNIT, Unit};
use parlour_arena::Tally;
use parlour_base::error::{Error, Result};
use parlour_base::files::{leaves, unknown};
use parlour_base::maths::exact::{ln, square};
use parlour_game::sweep;
use parlour_stats::Estimate;

/// Figures that are drawn next to the one of the question.
const OTHERS: [&str; 3] = ["first_seat_score", "draw_rate", "turns"];

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
    /// Name, unit and meaning of a figure, or of the ratings.
    fn head(number: Option<usize>, summary: &Summary) -> [&'static str; 3] {
        let head = number.map(|number| &summary.figures[number]);
        head.map_or(["rating", "Elo", ""], |head| [head.name, head.unit, head.meaning])
    }

    fn noun(&self, summary: &Summary) -> Noun {
        self.figure.map_or(Noun::new("rating"), |figure| Noun::of(&summary.figures[figure]))
    }

    /// A figure, or the rating, of a member of a series.
    fn number(
        figure: Option<usize>,
        series: &Series,
        variants: &[VariantSummary],
        at: usize,
    ) -> Option<Estimate> {
        match figure {
            Some(figure) => variants[at].figures[figure],
            None => {
                let mut rows = variants[series.variant?].standings.iter();
                rows.find(|row| row.number == at)?.rating
            }
        }
    }

    /// The chart of a figure, or of the ratings.
    fn one_chart(&self, summary: &Summary, number: Option<usize>, fair: Option<f64>) -> Markup {
        let [name, unit, meaning] = Self::head(number, summary);
        let unit = Unit::parse(unit);
        let line = |series: &Series| {
            let point = |(x, member): &(f64, usize)| {
                let value = Self::number(number, series, &summary.variants, *member);
                Some((*x, unit.displayed(value)?))
            };
            (series.name.clone(), series.points.iter().filter_map(point).collect())
        };
        let all: Vec<(String, Vec<(f64, Estimate)>)> = self.series.iter().map(line).collect();
        let title = format!("{} over {}", heading(name), self.over);
        let text = format!("{title} with 95 % intervals");
        figure(&title, &lines(&unit.label(), &text, &self.over, fair, &all), meaning)
    }

    /// The slope of the figure over each series by least squares with equal weights. The luck of a deal
    /// cancels, because the jackknife leaves out a chunk of deals under all values at once.
    fn slopes(&self, evidence: &Evidence<'_>) -> Vec<Option<Estimate>> {
        let (plan, figures) = (evidence.plan, evidence.summary.figures.len());
        evidence.sample.jackknife(|tally: &Tally| {
            let numbers: Vec<Vec<Option<f64>>> =
                (0..plan.variants.len()).map(|v| variant_numbers(plan, tally, v)).collect();
            let number = |series: &Series, at: usize| match self.figure {
                Some(figure) => numbers[at][figure],
                None => numbers[series.variant?][figures + at],
            };
            let one = |series: &Series| {
                let point =
                    |(x, at): &(f64, usize)| Some((series.position(*x), number(series, *at)?));
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
        let [name, unit, _] = Self::head(self.figure, evidence.summary);
        let one = |(series, change): (&Series, Option<Estimate>)| {
            let rate = match series.is_logarithmic() {
                true => PER_DOUBLING.to_owned(),
                false => format!("{PER_UNIT}{}", self.over),
            };
            let [(low, first), (high, last)] = series.ends();
            let value =
                |member| Self::number(self.figure, series, &evidence.summary.variants, member);
            let [from, to] = [low, high].map(|x| format!("{} {x}", self.over));
            Finding {
                reference_value: value(first),
                subject_value: value(last),
                change,
                p_value: evidence.sample.p_value(change),
                steps: (series.position(high) - series.position(low)).max(f64::MIN_POSITIVE),
                ..Finding::blank([name, &Unit::parse(unit).trend(&rate), &series.name, &from, &to])
            }
        };
        self.series.iter().zip(self.slopes(evidence)).map(one).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        let noun = self.noun(evidence.summary);
        findings.iter().map(|f| sentence(&noun, &self.over, f, findings.len() > 1)).collect()
    }

    fn chart(&self, summary: &Summary, _: &[Finding]) -> Markup {
        let fair = summary.variants.first().map(|variant| 100.0 * variant.fair());
        let fair = |number| fair.filter(|_| number == Some(FIRST_SEAT));
        let figures = summary.figures.iter().enumerate();
        let others =
            figures.filter(|(_, head)| self.figure.is_some() && OTHERS.contains(&head.name));
        let numbers = std::iter::once(self.figure).chain(others.map(|(number, _)| Some(number)));
        html! { div.grid {
            @for number in numbers.unique() { (self.one_chart(summary, number, fair(number))) }
        } }
    }
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

/// The maximum number of other differing fields by which series are named.
const MAX_NAMED_FIELDS: usize = 3;

/// Two or more values with the index of the variant or strategy of each, ascending.
type Points = Vec<(f64, usize)>;

/// Variants, or strategies under a variant, that differ in one value only.
#[derive(Debug)]
pub(super) struct Series {
    /// The common part of their names.
    pub name: String,
    /// The variant, if the members are strategies.
    pub variant: Option<usize>,
    /// The values with their variants or strategies.
    pub points: Points,
}

impl Series {
    /// The first and the last point.
    pub fn ends(&self) -> [(f64, usize); 2] {
        [self.points[0], self.points[self.points.len() - 1]]
    }

    /// Returns `true` if the values span so much that the trend is measured per doubling.
    pub fn is_logarithmic(&self) -> bool {
        let [(first, _), (last, _)] = self.ends();
        in_ratios(first, last)
    }

    /// The position of a value along the trend.
    pub fn position(&self, x: f64) -> f64 {
        if self.is_logarithmic() { ln(x) / std::f64::consts::LN_2 } else { x }
    }
}

/// Finds a number by its path, with dots between names, or by the end of its path, outermost first.
/// Returns a JSON pointer.
fn find_number(value: &Value, name: &str) -> Option<String> {
    let end = format!("/{}", name.replace('.', "/"));
    let leaves = leaves(value).into_iter();
    let found = leaves.filter(|(path, value)| value.is_number() && path.ends_with(&end));
    found.map(|(path, _)| path).min_by_key(|path| path.matches('/').count())
}

/// Groups named values into series of two or more members that agree in all but the number `over`.
/// `nobody` is the subject of the error if there are none.
pub(super) fn series(
    named: &[(&str, &Value)],
    over: &str,
    variant: Option<usize>,
    nobody: &str,
) -> Result<Vec<Series>> {
    let mut groups: Vec<(Value, Points)> = Vec::new();
    for (index, (_, value)) in named.iter().enumerate() {
        let mut rest = (*value).clone();
        let place = find_number(value, over).and_then(|place| rest.pointer_mut(&place));
        let Some(x) = place.and_then(|place| place.take().as_f64()) else { continue };
        match groups.iter_mut().find(|(other, _)| *other == rest) {
            Some((_, points)) => points.push((x, index)),
            None => groups.push((rest, vec![(x, index)])),
        }
    }
    let is_known = !groups.is_empty();
    groups.retain(|(_, points)| points.iter().any(|(x, _)| *x != points[0].0));
    if groups.is_empty() {
        let first = named.first().and_then(|(_, value)| value.as_object()).into_iter().flatten();
        let numbers = first.filter(|(_, value)| value.is_number()).map(|(name, _)| name.as_str());
        let error = match is_known {
            true => Error::input(format!("there is no trend: {nobody} differ only in `{over}`")),
            false => Error::input(unknown("number", over, numbers)),
        };
        return Err(error.in_field("over"));
    }
    groups.iter_mut().for_each(|(_, points)| points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    let (rests, all): (Vec<Value>, Vec<Points>) = groups.into_iter().unzip();
    let names = names(named, over, &rests, &all).into_iter();
    Ok(names.zip(all).map(|(name, points)| Series { name, variant, points }).collect())
}

/// Names series by what the names of their members have in common, or by other differing fields.
fn names(named: &[(&str, &Value)], over: &str, rests: &[Value], all: &[Points]) -> Vec<String> {
    // Digits and separators at an end belong to the values that differ.
    let is_other = |c: char| !c.is_ascii_alphabetic();
    let members = |points: &[(f64, usize)]| points.iter().map(|(_, at)| named[*at].0).collect();
    let one = |points: &Points| {
        let members: Vec<&str> = members(points);
        let start = common_start(members.iter().map(|name| name.chars()));
        let name = start.trim_end_matches(is_other);
        if name.is_empty() { members[0].to_owned() } else { name.to_owned() }
    };
    let mut names: Vec<String> = all.iter().map(one).collect();
    let repeated: Vec<String> = names.iter().duplicates().cloned().collect();
    let field = over.rsplit(['.', '/']).next().unwrap_or(over);
    let is_unclear = |name: &String| name.ends_with(field) || repeated.contains(name);
    let fields = leaves(&rests[0]).into_iter().map(|(path, _)| path);
    let differs = |path: &String| !rests.iter().map(|rest| rest.pointer(path)).all_equal();
    let fields: Vec<String> = fields.filter(differs).collect();
    if names.iter().any(is_unclear) && (1..=MAX_NAMED_FIELDS).contains(&fields.len()) {
        let value = |rest: &Value, path: &String| {
            let field = path.rsplit('/').next().unwrap_or(path);
            rest.pointer(path).map_or(String::new(), |value| sweep::in_words(field, value))
        };
        return rests
            .iter()
            .map(|rest| fields.iter().map(|path| value(rest, path)).join(", "))
            .collect();
    }
    // With many differing fields, series whose names start alike are named by their ends.
    for (name, points) in names.iter_mut().zip(all).filter(|(name, _)| repeated.contains(name)) {
        let members: Vec<&str> = members(points);
        let end = common_start(members.iter().map(|name| name.chars().rev()));
        let end: String = end.chars().rev().collect();
        let end = end.trim_start_matches(is_other);
        if !end.is_empty() {
            *name = end.to_owned();
        }
    }
    names
}

/// Returns the common start of names.
fn common_start<I: Iterator<Item = char>>(names: impl IntoIterator<Item = I>) -> String {
    let starts = names.into_iter().map(Iterator::collect::<String>);
    let common = |a: String, b: String| {
        let equal = a.chars().zip(b.chars()).take_while(|(a, b)| a == b);
        equal.map(|(a, _)| a).collect()
    };
    starts.reduce(common).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

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

    #[test]
    fn other_differing_fields_name_the_series() {
        let rules = |knock: u8, line: u8| json!({ "knock_at": knock, "suit_line": line });
        let values = [rules(4, 2), rules(4, 3), rules(6, 2), rules(6, 3)];
        let names = ["r-4-line-2", "r-4-line-3", "r-6-line-2", "r-6-line-3"];
        let spelled: Vec<(&str, &Value)> = names.into_iter().zip(&values).collect();
        let found = series(&spelled, "knock_at", None, "no two").unwrap();
        let names: Vec<&str> = found.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["suit line 2", "suit line 3"]);
        assert_eq!(found[1].points, [(4.0, 1), (6.0, 3)]);
        // The names of a sweep omit values of the base variant.
        let names = ["r", "r-line-3", "r-knock_at-6", "r-knock_at-6-line-3"];
        let spelled: Vec<(&str, &Value)> = names.into_iter().zip(&values).collect();
        let found = series(&spelled, "knock_at", None, "no two").unwrap();
        let names: Vec<&str> = found.iter().map(|series| series.name.as_str()).collect();
        assert_eq!(names, ["suit line 2", "suit line 3"]);
    }

    #[test]
    fn nested_numbers_are_found_by_name() {
        let value = json!({ "kind": "ismcts", "budget": { "iterations": 500 } });
        assert_eq!(find_number(&value, "iterations").as_deref(), Some("/budget/iterations"));
        assert_eq!(find_number(&value, "budget.iterations").as_deref(), Some("/budget/iterations"));
        assert_eq!(find_number(&value, "seconds"), None);
    }
}
