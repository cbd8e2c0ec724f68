//! Objectives of rule sets: goals for figures, and limits; the question which rule sets beat a
//! reference; and the table that compares rule sets by what matters to a designer.

use itertools::Itertools;
use maud::Markup;
use serde::Serialize;

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
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
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

/// An objective: a figure with its goal.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Objective {
    /// A column of `variants.csv`.
    pub figure: String,
    /// The goal.
    pub goal: Goal,
}

impl Objective {
    /// Reads `FIGURE=min`, `FIGURE=max`, `FIGURE=NUMBER`, `FIGURE<=NUMBER` or `FIGURE>=NUMBER`.
    ///
    /// # Errors
    /// Bad input if the text has none of these forms.
    pub fn parse(text: &str) -> Result<Objective> {
        let found =
            ["<=", ">=", "="].into_iter().find_map(|sign| Some((sign, text.split_once(sign)?)));
        let goal = || {
            let (sign, (figure, aim)) = found?;
            let number = || aim.trim().parse().ok().filter(|number: &f64| number.is_finite());
            let goal = match (sign, aim.trim()) {
                ("<=", _) => Goal::AtMost(number()?),
                (">=", _) => Goal::AtLeast(number()?),
                (_, "min") => Goal::Min,
                (_, "max") => Goal::Max,
                _ => Goal::Near(number()?),
            };
            Some(Objective { figure: figure.trim().to_owned(), goal })
        };
        goal().ok_or_else(|| {
            let forms = "FIGURE=min, FIGURE=max, FIGURE=NUMBER, FIGURE<=NUMBER or FIGURE>=NUMBER";
            Error::input(format!("`{text}` is not an objective; use {forms}"))
        })
    }
}

impl Goal {
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

    /// Returns the number of the goal, if it has one.
    fn number(self) -> Option<f64> {
        match self {
            Goal::Near(number) | Goal::AtMost(number) | Goal::AtLeast(number) => Some(number),
            Goal::Min | Goal::Max => None,
        }
    }

    /// Returns the goal for a figure in words: “first seat score near 50 %”, “turns at most 45”.
    fn text(self, head: &FigureInfo) -> String {
        let relation = match self {
            Goal::Near(aim) if head.name == FIRST_SEAT_NAME && aim == 0.5 => {
                return "a fair first seat".to_owned();
            }
            Goal::Near(_) => "near",
            Goal::AtMost(_) => "at most",
            Goal::AtLeast(_) => "at least",
            Goal::Min => return format!("a low {}", noun(head)),
            Goal::Max => return format!("a high {}", noun(head)),
        };
        let number = self.number().map_or(String::new(), |x| plain(x, Unit::parse(head.unit)));
        format!("{} {relation} {number}", words(head.name))
    }
}

/// The first seat's score.
const FIRST_SEAT_NAME: &str = "first_seat_score";

/// A question about objectives.
#[derive(Debug)]
pub(super) struct ObjectiveQuestion {
    /// The goals with the indices of their figures.
    pub goals: Vec<(usize, Goal)>,
    /// The limits.
    pub limits: Vec<(usize, Goal)>,
    /// The variants; the first is the reference.
    pub variants: Vec<usize>,
}

impl QuestionKind for ObjectiveQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        let text = |all: &[(usize, Goal)]| {
            let text =
                all.iter().map(|(figure, goal)| goal.text(&evidence.summary.figures[*figure]));
            list(&text.collect::<Vec<_>>())
        };
        let with = if self.limits.is_empty() { "" } else { ", with " };
        let reference = &evidence.summary.variants[self.variants[0]].variant;
        format!(
            "Do other rules beat {reference} on {}{with}{}?",
            text(&self.goals),
            text(&self.limits)
        )
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        let summary = evidence.summary;
        let goals = self.goals.iter().flat_map(|goal| changes(summary, goal.0, &self.variants));
        let limits = self.limits.iter().cartesian_product(&self.variants);
        let limits = limits.map(|(&(figure, goal), &v)| {
            let (head, row) = (&summary.figures[figure], &summary.variants[v]);
            let limit = goal.number().unwrap_or_default();
            let change = row.figures[figure].map(|value| value.shifted(-limit));
            Finding {
                reference_value: Some(Estimate::exact(limit)),
                subject_value: row.figures[figure],
                change,
                p_value: evidence.sample.p_value(change),
                ..Finding::blank([head.name, head.unit, "", &goal.text(head), &row.variant])
            }
        });
        goals.chain(limits).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        let view = Verdicts { summary: evidence.summary, findings, reference: self.variants[0] };
        let name = |v: &usize| format!("`{}`", evidence.summary.variants[*v].variant);
        let has = |v: usize, verdict| {
            move |it: &(usize, Goal)| view.verdict(v, it.0, Some(it.1)) == Some(verdict)
        };
        let (broken, kept): (Vec<usize>, Vec<usize>) =
            self.variants.iter().partition(|v| self.limits.iter().any(has(**v, "beyond")));
        let winners = kept.iter().filter(|v| self.goals.iter().all(has(**v, "better")));
        let winners: Vec<String> = winners.map(name).collect();
        let (reference, all) = (
            name(&self.variants[0]),
            match self.goals.len() {
                1 => String::new(),
                2 => " on both goals".to_owned(),
                count => format!(" on all {count} goals"),
            },
        );
        let mut sentences = vec![match winners.len() {
            0 => format!("Nothing clearly beats {reference}{all}."),
            1 => format!("{} clearly beats {reference}{all}.", winners[0]),
            _ => format!("{} clearly beat {reference}{all}.", list(&winners)),
        }];
        let nearest: Vec<_> = self.goals.iter().filter_map(|it| view.nearest(&kept, *it)).collect();
        for (index, (v, text, cost)) in nearest.iter().enumerate() {
            let is_told = nearest[..index].iter().any(|(other, ..)| other == v);
            let cost = if is_told { "" } else { cost };
            sentences.push(format!("{} {text}{cost}.", name(v)));
        }
        if !broken.is_empty() {
            let limits = self.limits.iter();
            let limits = limits.map(|(figure, goal)| goal.text(&evidence.summary.figures[*figure]));
            let (limits, names) = (list(&limits.collect::<Vec<_>>()), broken.iter().map(name));
            sentences.push(format!("Out ({limits}): {}.", list(&names.collect::<Vec<_>>())));
        }
        sentences
    }

    fn chart(&self, summary: &Summary, findings: &[Finding]) -> Markup {
        let figures = self.goals.iter().chain(&self.limits).map(|it| it.0).unique().collect();
        let changes: Vec<Finding> = findings.iter().filter(|f| f.is_row).cloned().collect();
        let variants = self.variants.clone();
        FigureQuestion { figures, variants, is_against_fair: false }.chart(summary, &changes)
    }

    fn table(&self, summary: &Summary, findings: &[Finding]) -> Vec<Vec<String>> {
        let objectives = self.goals.iter().chain(&self.limits).copied();
        verdict_table(summary, findings, &self.variants, objectives)
    }
}

/// Verdicts on variants, compared with a reference.
#[derive(Clone, Copy)]
struct Verdicts<'a> {
    summary: &'a Summary,
    findings: &'a [Finding],
    reference: usize,
}

impl Verdicts<'_> {
    /// The verdict on a figure of a variant; `None` for the reference itself.
    fn verdict(&self, variant: usize, figure: usize, goal: Option<Goal>) -> Option<&'static str> {
        let (row, head) = (&self.summary.variants[variant], &self.summary.figures[figure]);
        if let Some(limit) = goal.filter(|goal| goal.is_limit()) {
            let reference = limit.text(head);
            let is_it = |f: &&Finding| f.reference == reference && f.subject == row.variant;
            return Some(match (self.findings.iter().find(is_it)?.conclusion, limit) {
                (Conclusion::Lower, Goal::AtMost(_)) | (Conclusion::Higher, Goal::AtLeast(_)) => {
                    "within"
                }
                (Conclusion::Lower | Conclusion::Higher, _) => "beyond",
                _ => "unclear",
            });
        }
        let change = self.change(variant, figure)?;
        let is_higher = change.conclusion == Conclusion::Higher;
        let [from, to] = [&self.summary.variants[self.reference], row].map(|v| v.figures[figure]);
        let is_better = match goal {
            _ if !change.conclusion.is_clear() => return Some("unclear"),
            None => return Some(if is_higher { "longer" } else { "shorter" }),
            Some(Goal::Near(aim)) => {
                let [(before, wide), (after, half)] =
                    [from?, to?].map(|e| ((e.value - aim).abs(), e.half_width().unwrap_or(0.0)));
                // On opposite sides of the goal, the change is larger than that of the distance.
                let is_across = (from?.value - aim) * (to?.value - aim) < 0.0;
                if is_across && (before - after).abs() <= wide + half {
                    return Some("unclear");
                }
                after < before
            }
            Some(goal) => is_higher == (goal == Goal::Max),
        };
        Some(if is_better { "better" } else { "worse" })
    }

    /// The change of a figure from the reference.
    fn change(&self, variant: usize, figure: usize) -> Option<Difference> {
        let (from, to) = (self.reference.min(variant), self.reference.max(variant));
        let pair = self.summary.comparisons.iter().find(|c| (c.from, c.to) == (from, to))?;
        let row = pair.changes[figure].clone()?;
        Some(if from == self.reference {
            row
        } else {
            let (difference, conclusion) = (row.difference.scaled(-1.0), row.conclusion.reversed());
            Difference { difference, conclusion, ..row }
        })
    }

    /// The variant nearest to a goal, a predicate that says so, and what it costs.
    fn nearest(
        &self,
        variants: &[usize],
        (figure, goal): (usize, Goal),
    ) -> Option<(usize, String, String)> {
        let (head, all) = (&self.summary.figures[figure], &self.summary.variants);
        let values = variants.iter().filter_map(|&v| Some((v, all[v].figures[figure]?)));
        let (v, value) =
            values.min_by(|a, b| goal.loss(a.1.value).total_cmp(&goal.loss(b.1.value)))?;
        let (unit, noun) = (Unit::parse(head.unit), noun(head));
        let nearest = match goal {
            Goal::Near(aim) if figure == FIRST_SEAT && aim == all[v].fair() => {
                "comes closest to fair".to_owned()
            }
            Goal::Near(aim) => format!("comes closest to {noun} {}", plain(aim, unit)),
            Goal::Max => format!("has the highest {noun}"),
            _ => format!("has the lowest {noun}"),
        };
        let Some((change, verdict)) =
            self.change(v, figure).zip(self.verdict(v, figure, Some(goal)))
        else {
            return Some((
                v,
                format!("itself {nearest}, {}", unit.level(value, None)),
                String::new(),
            ));
        };
        let before = all[self.reference].figures[figure]?;
        let [before, after] = [before, value].map(|e| unit.level(e, Some(change.difference)));
        let shown = columns(self.summary, std::iter::empty()).into_iter().map(|(other, ..)| other);
        let costs =
            shown.filter(|other| *other != figure).filter_map(|other| self.change(v, other));
        let costs = costs.filter(|row| row.conclusion.is_clear());
        let costs: Vec<String> = costs.map(|row| change_text(&row)).collect();
        let with = if costs.is_empty() { "" } else { ", with " };
        let text = format!("{nearest}, {after} instead of {before} ({verdict})");
        Some((v, text, format!("{with}{}", list(&costs))))
    }
}

/// The figures that matter to a designer, with their heads and usual goals. Length has none.
const USUAL: [(&str, &str, Option<Goal>); 5] = [
    (FIRST_SEAT_NAME, "fair", Some(Goal::Near(0.5))),
    ("draw_rate", "draws", Some(Goal::Min)),
    ("turns", "length", None),
    ("luck_share", "luck share", Some(Goal::Min)),
    ("skill_range", "depth", Some(Goal::Max)),
];

/// The figures of a [`verdict_table`] with their heads and goals: those of the objectives, then the usual
/// ones.
fn columns(
    summary: &Summary,
    objectives: impl Iterator<Item = (usize, Goal)>,
) -> Vec<(usize, String, Option<Goal>)> {
    let usual = USUAL.iter().filter_map(|(name, head, goal)| {
        let figure = summary.figures.iter().position(|figure| figure.name == *name)?;
        let fair = Some(Goal::Near(summary.variants[0].fair()));
        Some((figure, (*head).to_owned(), if figure == FIRST_SEAT { fair } else { *goal }))
    });
    let usual: Vec<_> = usual.collect();
    let head = |figure: usize| {
        let usual = usual.iter().find(|(usual, ..)| *usual == figure);
        usual.map_or_else(|| words(summary.figures[figure].name), |(_, head, _)| head.clone())
    };
    let named: Vec<_> =
        objectives.map(|(figure, goal)| (figure, head(figure), Some(goal))).collect();
    named.into_iter().chain(usual.clone()).unique_by(|(figure, ..)| *figure).collect()
}

/// The variants by what matters to a designer, each compared with the first of them: heads, then rows.
pub(super) fn verdict_table(
    summary: &Summary,
    findings: &[Finding],
    variants: &[usize],
    objectives: impl Iterator<Item = (usize, Goal)>,
) -> Vec<Vec<String>> {
    let view = Verdicts { summary, findings, reference: variants[0] };
    let is_known =
        |figure: usize| variants.iter().all(|v| summary.variants[*v].figures[figure].is_some());
    let columns = columns(summary, objectives).into_iter();
    let columns: Vec<_> = columns.filter(|(figure, ..)| is_known(*figure)).collect();
    let row = |&v: &usize| {
        let cells = columns.iter().map(|&(figure, _, goal)| {
            let unit = Unit::parse(summary.figures[figure].unit);
            let level = |e: Option<Estimate>| e.map_or(String::new(), |e| unit.bare_level(e));
            let verdict = view.verdict(v, figure, goal).unwrap_or_default();
            format!("{} {verdict}", summary.variants[v].format(figure, level)).trim_end().to_owned()
        });
        std::iter::once(summary.variants[v].variant.clone()).chain(cells).collect::<Vec<_>>()
    };
    let head = |(figure, head, _): &(usize, String, _)| {
        format!("{head} ({})", Unit::parse(summary.figures[*figure].unit).short())
    };
    let heads = columns.iter().map(head);
    let heads = std::iter::once("rules".to_owned()).chain(heads).collect();
    std::iter::once(heads).chain(variants.iter().map(row)).collect()
}

/// The name of a figure, for a sentence.
fn noun(head: &FigureInfo) -> String {
    if head.name == "turns" { "number of turns".to_owned() } else { words(head.name) }
}

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

/// A number without an interval and without trailing zeros.
fn plain(x: f64, unit: Unit<'_>) -> String {
    if unit.is_share() { fair_share(x) } else { x.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objectives_are_parsed() {
        let goal = |text| Objective::parse(text).map(|objective| objective.goal);
        assert_eq!(goal("a=min").unwrap(), Goal::Min);
        assert_eq!(goal("a = 0.5").unwrap(), Goal::Near(0.5));
        assert_eq!(goal("a<=45").unwrap(), Goal::AtMost(45.0));
        assert_eq!(goal("a >= 45").unwrap(), Goal::AtLeast(45.0));
        for wrong in ["a", "a=near", "a=nan", "a<=min", "a<45"] {
            assert!(goal(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Goal::Near(0.5).loss(0.25), Goal::Near(0.5).loss(0.75));
        assert_eq!([40.0, 45.0, 47.0].map(|x| Goal::AtMost(45.0).loss(x)), [0.0, 0.0, 2.0]);
        assert_eq!([40.0, 47.0].map(|x| Goal::AtLeast(45.0).loss(x)), [5.0, 0.0]);
    }
}
