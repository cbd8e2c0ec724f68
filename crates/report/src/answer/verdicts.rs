//! Goals and limits for figures, and rule sets compared by what matters to a designer.

use itertools::Itertools;

use super::evidence::fair_share;
use crate::figures::{FIRST_SEAT, OF_MATRIX};
use crate::rows::{Conclusion, Finding};
use crate::summary::Summary;
use crate::units::{Unit, words};
use parlour_arena::Objective;
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

    /// Returns the figure and the goal of an objective; for a matrix the distance of the win rates from it.
    ///
    /// # Errors
    /// Bad input if the text or the matrix is wrong.
    pub fn of(objective: &Objective) -> Result<(&str, Goal)> {
        match objective {
            Objective::Figure(text) => Goal::parse(text),
            Objective::WinRates(matrix) => matrix.check().map(|()| (OF_MATRIX[0].name, Goal::Min)),
        }
    }

    /// Returns `true` if no figure can have both goals: two of them, a number beyond a limit, or limits that
    /// leave nothing between.
    pub fn contradicts(self, other: Goal) -> bool {
        match (self, other) {
            (Goal::AtMost(high), Goal::AtLeast(low)) | (Goal::AtLeast(low), Goal::AtMost(high)) => {
                low > high
            }
            (Goal::Near(aim), limit) | (limit, Goal::Near(aim)) if limit.is_limit() => {
                limit.loss(aim) > 0.0
            }
            _ => !self.is_limit() && !other.is_limit(),
        }
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

/// The figures that matter to a designer, with their heads and usual goals. Length has none.
pub(super) const USUAL: [(&str, &str, Option<Goal>); 5] = [
    ("first_seat_score", "first seat", Some(Goal::Near(0.5))),
    ("draw_rate", "draws", Some(Goal::Min)),
    ("turns", "length", None),
    ("luck_share", "variance from the deal", Some(Goal::Min)),
    ("skill_range", "depth", Some(Goal::Max)),
];

/// Variants that are compared with the first of them.
#[derive(Debug)]
pub(super) struct RuleSets {
    /// The goals with the indices of their figures; limits follow other goals.
    pub objectives: Vec<(usize, Goal)>,
    /// The variants.
    pub variants: Vec<usize>,
}

impl RuleSets {
    /// The goals and the limits.
    pub fn split(&self) -> [&[(usize, Goal)]; 2] {
        let goals = self.objectives.partition_point(|(_, goal)| !goal.is_limit());
        self.objectives.split_at(goals).into()
    }

    /// A variant compared with the reference: by the question, or else by exploration.
    pub fn compared(
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
    pub fn columns(&self, summary: &Summary) -> Vec<(usize, Option<Goal>)> {
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

/// The verdict on a comparison; `None` for the reference, unless there is a limit.
pub(super) fn verdict(f: &Finding, goal: Option<Goal>) -> Option<&'static str> {
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
        for (a, b, is_wrong) in [
            ("a=min", "a=max", true),
            ("a=1", "a=2", true),
            ("a<=10", "a>=20", true),
            ("a>=10", "a<=20", false),
            ("a=min", "a<=20", false),
            ("a=25", "a<=20", true),
            ("a>=20", "a=25", false),
        ] {
            let [one, two] = [a, b].map(|text| parse(text).1);
            assert_eq!(one.contradicts(two), is_wrong, "{a} {b}");
        }
        assert_eq!(Goal::Near(0.5).loss(0.25), Goal::Near(0.5).loss(0.75));
        assert_eq!([40.0, 45.0, 47.0].map(|x| Goal::AtMost(45.0).loss(x)), [0.0, 0.0, 2.0]);
        assert_eq!([40.0, 47.0].map(|x| Goal::AtLeast(45.0).loss(x)), [5.0, 0.0]);
    }
}
