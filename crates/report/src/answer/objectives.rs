//! Objectives of rule sets: goals for figures, and limits; the question which rule sets beat a
//! reference; and the table that compares rule sets by what matters to a designer.

use itertools::Itertools;
use maud::Markup;

use super::evidence::{Evidence, QuestionKind, fair_share, list};
use super::figures::{FigureQuestion, changes};
use crate::figures::FIRST_SEAT;
use crate::rows::{Conclusion, Difference, Finding};
use crate::summary::Summary;
use crate::units::{Unit, words};
use parlour_base::error::{Error, Result};
use parlour_game::FigureInfo;
use parlour_stats::Estimate;

/// The goal for a figure.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Goal {
    /// As near to a number as possible.
    Near(f64),
    /// As small as possible.
    Min,
    /// As large as possible.
    Max,
    /// A limit from above.
    AtMost(f64),
    /// A limit from below.
    AtLeast(f64),
}

impl Goal {
    /// Reads an objective: `FIGURE=min`, `FIGURE=max`, `FIGURE=NUMBER`, `FIGURE<=NUMBER` or
    /// `FIGURE>=NUMBER`. Returns the figure too.
    ///
    /// # Errors
    /// Bad input if the text has none of these forms.
    pub fn parse(text: &str) -> Result<(&str, Goal)> {
        let parse = || {
            let (figure, aim) = text.split_once('=')?;
            let number = aim.trim().parse().ok().filter(|number: &f64| number.is_finite());
            let goal = match aim.trim() {
                _ if figure.ends_with('<') => Goal::AtMost(number?),
                _ if figure.ends_with('>') => Goal::AtLeast(number?),
                "min" => Goal::Min,
                "max" => Goal::Max,
                _ => Goal::Near(number?),
            };
            Some((figure.trim_end_matches(['<', '>']).trim(), goal))
        };
        let forms = "FIGURE=min, FIGURE=max, FIGURE=NUMBER, FIGURE<=NUMBER or FIGURE>=NUMBER";
        let fault = || Error::input(format!("`{text}` is not an objective; use {forms}"));
        parse().ok_or_else(fault)
    }

    /// Returns the distance of a number from the goal; less is better. Within a limit it is 0.
    pub fn loss(self, number: f64) -> f64 {
        match self {
            Goal::Near(aim) => (number - aim).abs(),
            Goal::Min => number,
            Goal::Max => -number,
            Goal::AtMost(limit) => (number - limit).max(0.0),
            Goal::AtLeast(limit) => (limit - number).max(0.0),
        }
    }

    /// Returns `true` for a limit.
    pub fn is_limit(self) -> bool {
        matches!(self, Goal::AtMost(_) | Goal::AtLeast(_))
    }

    /// Returns `within` or `beyond` if both ends of the interval are within or beyond the limit, otherwise
    /// `unclear`.
    pub fn verdict_on(self, e: Estimate) -> &'static str {
        let (low, high) = e.interval.unwrap_or((e.value, e.value));
        match [low, high].map(|end| self.loss(end) > 0.0) {
            [false, false] => "within",
            [true, true] => "beyond",
            _ => "unclear",
        }
    }

    /// Returns the goal for a figure in words, and a predicate for the variant that is nearest to it.
    pub fn texts(self, head: &FigureInfo) -> [String; 2] {
        let noun = words(head.name);
        let is_share = Unit::parse(head.unit).is_share();
        let plain = |x: f64| if is_share { fair_share(x) } else { x.to_string() };
        let (goal, nearest) = match self {
            Goal::Near(aim) if head.name == "first_seat_score" && aim == 0.5 => {
                ("a fair first seat".to_owned(), "comes closest to fair".to_owned())
            }
            Goal::Near(aim) => {
                (format!("{noun} near {}", plain(aim)), format!("comes closest to {}", plain(aim)))
            }
            Goal::Min => (format!("low {noun}"), format!("has the lowest {noun}")),
            Goal::Max => (format!("high {noun}"), format!("has the highest {noun}")),
            Goal::AtMost(limit) => (format!("{noun} at most {}", plain(limit)), String::new()),
            Goal::AtLeast(limit) => (format!("{noun} at least {}", plain(limit)), String::new()),
        };
        [goal, nearest]
    }
}

/// A question about objectives.
#[derive(Debug)]
pub(super) struct ObjectiveQuestion {
    /// The goals with the indices of their figures; limits follow other goals.
    pub objectives: Vec<(usize, Goal)>,
    /// The variants; the first is the reference.
    pub variants: Vec<usize>,
}

impl ObjectiveQuestion {
    /// The goals and the limits.
    fn split(&self) -> [&[(usize, Goal)]; 2] {
        let goals = self.objectives.partition_point(|(_, goal)| !goal.is_limit());
        self.objectives.split_at(goals).into()
    }

    /// Goals or limits in words.
    fn list(summary: &Summary, goals: &[(usize, Goal)]) -> String {
        let text =
            |(figure, goal): &(usize, Goal)| goal.texts(&summary.figures[*figure])[0].clone();
        list(&goals.iter().map(text).collect_vec())
    }

    /// The variant nearest to a goal, how near it is, and what that costs.
    fn nearest(
        &self,
        summary: &Summary,
        kept: &[usize],
        (figure, goal): (usize, Goal),
    ) -> Option<String> {
        let head = &summary.figures[figure];
        let unit = Unit::parse(head.unit);
        let value = |v: usize| summary.variants[v].figures[figure];
        let all = kept.iter().filter_map(|v| Some((*v, goal.loss(value(*v)?.value))));
        let (v, _) = all.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let (name, [_, nearest]) = (&summary.variants[v].variant, goal.texts(head));
        let change = summary.change(self.variants[0], v, figure);
        let level =
            |v: usize| Some(unit.level(value(v)?, change.as_ref().map(|row| row.difference)));
        let Some(verdict) = self.verdict(summary, v, figure, Some(goal)) else {
            return Some(format!("`{name}` itself {nearest}, {}.", level(v)?));
        };
        let others = self.columns(summary).into_iter().filter(|(other, _)| *other != figure);
        let costs = others.filter_map(|(other, _)| summary.change(self.variants[0], v, other));
        let costs = costs.filter(|row| row.conclusion.is_clear()).map(|row| change_text(&row));
        let costs = list(&costs.collect_vec());
        let with = if costs.is_empty() { "" } else { ", with " };
        let (before, after) = (level(self.variants[0])?, level(v)?);
        Some(format!("`{name}` {nearest}, {after} instead of {before} ({verdict}){with}{costs}."))
    }

    /// The figures that matter to a designer with their goals: those of the objectives, then the usual ones.
    fn columns(&self, summary: &Summary) -> Vec<(usize, Option<Goal>)> {
        let all = &summary.variants;
        let usual = USUAL.iter().filter_map(|(name, _, goal)| {
            let figure = summary.figures.iter().position(|head| head.name == *name)?;
            let fair = (figure == FIRST_SEAT).then(|| Goal::Near(all[0].fair()));
            Some((figure, fair.or(*goal)))
        });
        let objectives = self.objectives.iter().map(|(figure, goal)| (*figure, Some(*goal)));
        let is_known = |(figure, _): &(usize, _)| {
            self.variants.iter().all(|v| all[*v].figures[*figure].is_some())
        };
        objectives.chain(usual).unique_by(|column| column.0).filter(is_known).collect()
    }

    /// The verdict on a figure of a variant; `None` for the reference, unless there is a limit.
    fn verdict(
        &self,
        summary: &Summary,
        variant: usize,
        figure: usize,
        goal: Option<Goal>,
    ) -> Option<&'static str> {
        let value = |v: usize| summary.variants[v].figures[figure];
        if let Some(limit) = goal.filter(|goal| goal.is_limit()) {
            return value(variant).map(|e| limit.verdict_on(e));
        }
        let conclusion = summary.change(self.variants[0], variant, figure)?.conclusion;
        let is_higher = conclusion == Conclusion::Higher;
        Some(match goal {
            _ if !conclusion.is_clear() => "unclear",
            None => ["shorter", "longer"][usize::from(is_higher)],
            Some(goal) => {
                let loss = |v: usize| value(v).map(|e| goal.loss(e.value));
                ["worse", "better"][usize::from(loss(variant) < loss(self.variants[0]))]
            }
        })
    }

    /// The variants by what matters to a designer: heads, then a row for each.
    pub fn rows(&self, summary: &Summary) -> Vec<Vec<String>> {
        let columns = self.columns(summary);
        let head = |(figure, _): &(usize, _)| {
            let head = &summary.figures[*figure];
            let usual = USUAL.iter().find(|(name, ..)| *name == head.name);
            let name = usual.map_or_else(|| words(head.name), |(_, head, _)| (*head).to_owned());
            format!("{name} ({})", Unit::parse(head.unit).short())
        };
        let heads = std::iter::once("rules".to_owned()).chain(columns.iter().map(head)).collect();
        let row = |&v: &usize| {
            let row = &summary.variants[v];
            let cell = |&(figure, goal): &(usize, _)| {
                let unit = Unit::parse(summary.figures[figure].unit);
                let level = row.format(figure, |e| e.map_or(String::new(), |e| unit.bare_level(e)));
                let verdict = self.verdict(summary, v, figure, goal).unwrap_or_default();
                format!("{level} {verdict}").trim_end().to_owned()
            };
            std::iter::once(row.variant.clone()).chain(columns.iter().map(cell)).collect()
        };
        std::iter::once(heads).chain(self.variants.iter().map(row)).collect()
    }
}

impl QuestionKind for ObjectiveQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        let reference = &evidence.summary.variants[self.variants[0]].variant;
        let [goals, limits] = self.split().map(|it| Self::list(evidence.summary, it));
        let with = if limits.is_empty() { "" } else { ", with " };
        format!("Do other rules beat {reference} on {goals}{with}{limits}?")
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        let [goals, _] = self.split();
        goals.iter().flat_map(|goal| changes(evidence.summary, goal.0, &self.variants)).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, _: &[Finding]) -> Vec<String> {
        let (summary, [goals, limits]) = (evidence.summary, self.split());
        let has = |v: usize, verdict| {
            move |it: &(usize, Goal)| self.verdict(summary, v, it.0, Some(it.1)) == Some(verdict)
        };
        let names = |variants: &[usize]| {
            let name = |v: &usize| format!("`{}`", summary.variants[*v].variant);
            list(&variants.iter().map(name).collect_vec())
        };
        let is_out = |v: &&usize| limits.iter().any(has(**v, "beyond"));
        let (out, kept): (Vec<usize>, Vec<usize>) = self.variants.iter().partition(is_out);
        let is_winner = |v: &&usize| goals.iter().all(has(**v, "better"));
        let winners = kept.iter().filter(is_winner).copied().collect_vec();
        let reference = names(&self.variants[..1]);
        let all = ["", " on both goals", " on all goals"][goals.len().min(3) - 1];
        let first = match winners.is_empty() {
            true => format!("Nothing clearly beats {reference}{all}."),
            false => format!("Clearly better than {reference}{all}: {}.", names(&winners)),
        };
        let nearest = goals.iter().filter_map(|goal| self.nearest(summary, &kept, *goal));
        let limits = Self::list(summary, limits);
        let out = (!out.is_empty()).then(|| format!("Out ({limits}): {}.", names(&out)));
        std::iter::once(first).chain(nearest).chain(out).collect()
    }

    fn chart(&self, summary: &Summary, findings: &[Finding]) -> Markup {
        let figures = self.objectives.iter().map(|it| it.0).unique().collect();
        let variants = self.variants.clone();
        FigureQuestion { figures, variants, is_against_fair: false }.chart(summary, findings)
    }

    fn table(&self, summary: &Summary) -> Vec<Vec<String>> {
        self.rows(summary)
    }
}

/// The figures that matter to a designer, with their heads and usual goals. Length has none.
const USUAL: [(&str, &str, Option<Goal>); 5] = [
    ("first_seat_score", "fair", Some(Goal::Near(0.5))),
    ("draw_rate", "draws", Some(Goal::Min)),
    ("turns", "length", None),
    ("luck_share", "luck share", Some(Goal::Min)),
    ("skill_range", "depth", Some(Goal::Max)),
];

/// A change in words: “2.8 percentage points more draws”, “40 more turns”.
fn change_text(row: &Difference) -> String {
    let text = Unit::parse(row.unit).change(row.difference);
    let text = text.split(", ").next().unwrap_or_default();
    let amount = text.trim_start_matches(['+', '−']);
    let more = if row.difference.value > 0.0 { "more" } else { "fewer" };
    match row.figure {
        "draw_rate" => format!("{amount} {more} draws"),
        "turns" => amount.replace(" turns", &format!(" {more} turns")),
        figure => format!("{} {text}", words(figure)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objectives_are_parsed() {
        let parse = |text| Goal::parse(text).unwrap();
        assert_eq!(parse("a=min"), ("a", Goal::Min));
        assert_eq!(parse("a = 0.5"), ("a", Goal::Near(0.5)));
        assert_eq!(parse("a<=45"), ("a", Goal::AtMost(45.0)));
        assert_eq!(parse("a >= 45"), ("a", Goal::AtLeast(45.0)));
        for wrong in ["a", "a=near", "a=nan", "a<=min", "a<45"] {
            assert!(Goal::parse(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Goal::Near(0.5).loss(0.25), Goal::Near(0.5).loss(0.75));
        assert_eq!([40.0, 45.0, 47.0].map(|x| Goal::AtMost(45.0).loss(x)), [0.0, 0.0, 2.0]);
        assert_eq!([40.0, 47.0].map(|x| Goal::AtLeast(45.0).loss(x)), [5.0, 0.0]);
    }
}
