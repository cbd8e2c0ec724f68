//! The question which rule sets beat a reference on goals, within limits.

use itertools::Itertools;
use maud::Markup;

use super::evidence::{Evidence, QuestionKind, enough_deals, list};
use super::figures::{FigureQuestion, changes};
use super::verdicts::{Goal, RuleSets, verdict};
use crate::rows::{Conclusion, Finding};
use crate::summary::Summary;
use crate::units::words;

/// A question about objectives.
#[derive(Debug)]
pub(super) struct ObjectiveQuestion(pub RuleSets);

impl QuestionKind for ObjectiveQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        let reference = &evidence.summary.variants[self.0.variants[0]].variant;
        let [goals, limits] = self.0.split().map(|it| in_words(evidence.summary, it));
        let with = if limits.is_empty() { "" } else { ", with " };
        format!("Do other rules beat {reference} on {goals}{with}{limits}?")
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        let [goals, _] = self.0.split();
        // All pairings, as in the search, its tables and the limits.
        let evidence = &Evidence { pair: None, weak: evidence.weak.clone(), ..*evidence };
        goals.iter().flat_map(|goal| changes(evidence, goal.0, &self.0.variants)).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        let (summary, [goals, limits]) = (evidence.summary, self.0.split());
        let compared = |v: usize, figure: usize| self.0.compared(summary, findings, v, figure);
        let has = |v: usize, wanted| {
            move |it: &(usize, Goal)| verdict(&compared(v, it.0), Some(it.1)) == Some(wanted)
        };
        let names = |variants: &[usize]| {
            let name = |v: &usize| format!("`{}`", summary.variants[*v].variant);
            list(&variants.iter().map(name).collect_vec())
        };
        let is_out = |v: &&usize| limits.iter().any(has(**v, "beyond"));
        let (out, kept): (Vec<usize>, Vec<usize>) = self.0.variants.iter().partition(is_out);
        let is_winner = |v: &&usize| goals.iter().all(has(**v, "better"));
        let winners = kept.iter().filter(is_winner).copied().collect_vec();
        let reference = names(&self.0.variants[..1]);
        let all = ["", " on both goals", " on all goals"][goals.len().min(3) - 1];
        let first = match winners.is_empty() {
            _ if kept.is_empty() => "No rule set keeps all limits.".to_owned(),
            true => format!("Nothing clearly beats {reference}{all}."),
            false => format!("Clearly better than {reference}{all}: {}.", names(&winners)),
        };
        // Otherwise the one that is better on most goals, of those that are worse on none.
        let better = |v: &usize| goals.iter().filter(|it| has(*v, "better")(it)).collect_vec();
        let is_safe = |v: &&usize| !goals.iter().any(has(**v, "worse"));
        let safe = kept.iter().filter(is_safe).max_set_by_key(|v| better(v).len());
        let safe = safe.into_iter().filter(|v| winners.is_empty() && !better(v).is_empty());
        // Of several, the one with the largest sum of gains, each divided by the width of its interval.
        let gain = |v: &usize| -> f64 {
            let one = |&(figure, goal): &(usize, Goal)| {
                let f = compared(*v, figure);
                let (low, high) = f.change?.interval?;
                let [from, to] = [f.reference_value?, f.subject_value?].map(|e| goal.loss(e.value));
                Some((from - to) / (high - low).max(f64::EPSILON))
            };
            goals.iter().filter_map(one).sum()
        };
        let best = safe.max_by(|a, b| gain(a).total_cmp(&gain(b))).map(|v| {
            let goals = in_words(summary, &better(v).into_iter().copied().collect_vec());
            let name = names(&[*v]);
            format!(
                "{name} is clearly better than {reference} on {goals}, and clearly worse on none of the goals."
            )
        });
        let nearest = goals.iter().filter_map(|&(figure, goal)| {
            let loss = |v: usize| Some((goal.loss(compared(v, figure).subject_value?.value), v));
            let all = kept.iter().filter_map(|v| loss(*v));
            let (_, v) = all.min_by(|a, b| a.0.total_cmp(&b.0))?;
            let others = self.0.columns(summary).into_iter().filter(|(other, _)| *other != figure);
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
        let limits = in_words(summary, limits);
        let out = (!out.is_empty()).then(|| format!("Out ({limits}): {}.", names(&out)));
        best.into_iter().chain([first]).chain(nearest).chain(out).collect()
    }

    fn chart(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Markup {
        let figures = self.0.objectives.iter().map(|it| it.0).unique().collect();
        let variants = self.0.variants.clone();
        let question = FigureQuestion { figures, variants, is_against_fair: false, mirror: None };
        question.chart(evidence, findings)
    }

    fn table(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<Vec<String>> {
        self.0.rows(evidence.summary, findings)
    }
}

/// Goals or limits in words.
fn in_words(summary: &Summary, goals: &[(usize, Goal)]) -> String {
    let text = |(figure, goal): &(usize, Goal)| goal.texts(&summary.figures[*figure])[0].clone();
    list(&goals.iter().map(text).collect_vec())
}

/// The level of a variant, next to that of the reference with the verdict and the costs of the change.
fn level(f: &Finding, goal: Goal, costs: &str) -> Option<String> {
    let level = |e| Some(f.unit().level(e?, f.change));
    let after = level(f.subject_value)?;
    let Some(verdict) = verdict(f, Some(goal)) else { return Some(after) };
    let with = if costs.is_empty() { "" } else { ", with " };
    Some(format!(
        "{after} instead of {} ({verdict}{}){with}{costs}",
        level(f.reference_value)?,
        enough_deals(f)
    ))
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
