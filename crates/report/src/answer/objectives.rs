//! Objectives of rule sets: goals for figures, and limits; the question which rule sets beat a
//! reference; and the table that compares rule sets by what matters to a designer.

use itertools::Itertools;
use maud::Markup;

use super::evidence::{Evidence, QuestionKind, fair_share, list};
use super::figures::{FigureQuestion, changes};
use crate::figures::FIRST_SEAT;
use crate::rows::{Conclusion, Finding};
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

    /// A variant compared with the reference: by the question, or else by exploration.
    fn compared(
        &self,
        summary: &Summary,
        findings: &[Finding],
        v: usize,
        figure: usize,
    ) -> Finding {
        let (head, subject) = (&summary.figures[figure], &summary.variants[v].variant);
        let mut of_figure = findings.iter().filter(|f| f.figure == head.name).peekable();
        let level = of_figure.peek().and_then(|f| f.reference_value);
        if let Some(found) = of_figure.find(|f| f.subject == *subject) {
            return found.clone();
        }
        let value = |v: usize| summary.variants[v].figures[figure];
        let change = summary.change(self.variants[0], v, figure);
        Finding {
            reference_value: value(self.variants[0]),
            subject_value: level.filter(|_| v == self.variants[0]).or(value(v)),
            change: change.as_ref().map(|row| row.difference),
            conclusion: change.map_or(Conclusion::Measured, |row| row.conclusion),
            ..Finding::blank([head.name, head.unit, "", "", subject])
        }
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

    /// The variants by what matters to a designer: heads, then a row for each.
    pub fn rows(&self, summary: &Summary, findings: &[Finding]) -> Vec<Vec<String>> {
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
                let f = self.compared(summary, findings, v, figure);
                let level = |_| f.subject_value.map_or(String::new(), |e| f.unit().bare_level(e));
                let verdict = verdict(&f, goal).unwrap_or_default();
                format!("{} {verdict}", row.format(figure, level)).trim_end().to_owned()
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
        goals.iter().flat_map(|goal| changes(evidence, goal.0, &self.variants)).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        let (summary, [goals, limits]) = (evidence.summary, self.split());
        let compared = |v: usize, figure: usize| self.compared(summary, findings, v, figure);
        let has = |v: usize, wanted| {
            move |it: &(usize, Goal)| verdict(&compared(v, it.0), Some(it.1)) == Some(wanted)
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
        let nearest = goals.iter().filter_map(|&(figure, goal)| {
            let loss = |v: usize| Some((goal.loss(compared(v, figure).subject_value?.value), v));
            let all = kept.iter().filter_map(|v| loss(*v));
            let (_, v) = all.min_by(|a, b| a.0.total_cmp(&b.0))?;
            let others = self.columns(summary).into_iter().filter(|(other, _)| *other != figure);
            let costs =
                others.map(|(other, _)| compared(v, other)).filter(|f| f.conclusion.is_clear());
            let costs = list(&costs.filter_map(|f| change_text(&f)).collect_vec());
            let [_, is_nearest] = goal.texts(&summary.figures[figure]);
            Some(format!(
                "{} {is_nearest}, {}.",
                names(&[v]),
                level(&compared(v, figure), goal, &costs)?
            ))
        });
        let limits = Self::list(summary, limits);
        let out = (!out.is_empty()).then(|| format!("Out ({limits}): {}.", names(&out)));
        std::iter::once(first).chain(nearest).chain(out).collect()
    }

    fn chart(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Markup {
        let figures = self.objectives.iter().map(|it| it.0).unique().collect();
        let variants = self.variants.clone();
        let question = FigureQuestion { figures, variants, is_against_fair: false, mirror: None };
        question.chart(evidence, findings)
    }

    fn table(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<Vec<String>> {
        self.rows(evidence.summary, findings)
    }
}

/// The figures that matter to a designer, with their heads and usual goals. Length has none.
const USUAL: [(&str, &str, Option<Goal>); 5] = [
    ("first_seat_score", "fair", Some(Goal::Near(0.5))),
    ("draw_rate", "draws", Some(Goal::Min)),
    ("turns", "length", None),
    ("luck_share", "variance from the deal", Some(Goal::Min)),
    ("skill_range", "depth", Some(Goal::Max)),
];

/// The verdict on a comparison; `None` for the reference, unless there is a limit.
fn verdict(f: &Finding, goal: Option<Goal>) -> Option<&'static str> {
    if let Some(limit) = goal.filter(|goal| goal.is_limit()) {
        return f.subject_value.map(|e| limit.verdict_on(e));
    }
    f.change?;
    let [from, to] = [f.reference_value, f.subject_value];
    Some(match goal {
        _ if !f.conclusion.is_clear() => "unclear",
        None => ["shorter", "longer"][usize::from(f.conclusion == Conclusion::Higher)],
        Some(goal) => {
            let [from, to] = [from, to].map(|e| e.map(|e| goal.loss(e.value)));
            ["worse", "better"][usize::from(to < from)]
        }
    })
}

/// The level of a variant, next to that of the reference with the verdict and the costs of the change.
fn level(f: &Finding, goal: Goal, costs: &str) -> Option<String> {
    let level = |e| Some(f.unit().level(e?, f.change));
    let after = level(f.subject_value)?;
    let Some(verdict) = verdict(f, Some(goal)) else { return Some(after) };
    let with = if costs.is_empty() { "" } else { ", with " };
    Some(format!("{after} instead of {} ({verdict}){with}{costs}", level(f.reference_value)?))
}

/// A change in words: “2.8 percentage points more draws”, “40 more turns”.
fn change_text(f: &Finding) -> Option<String> {
    let text = f.unit().change(f.change?);
    let text = text.split(", ").next().unwrap_or_default();
    let amount = text.trim_start_matches(['+', '−']);
    let more = if f.conclusion == Conclusion::Higher { "more" } else { "fewer" };
    Some(match f.figure.as_str() {
        "draw_rate" => format!("{amount} {more} draws"),
        "turns" => amount.replace(" turns", &format!(" {more} turns")),
        figure => format!("{} {text}", words(figure)),
    })
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
