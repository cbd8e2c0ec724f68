//! Questions about figures of variants.

use maud::{Markup, html};

use super::evidence::{
    Evidence, Noun, QuestionKind, against_fair, change_chart, compared_with_first, fair_share,
    list, verdict,
};
use super::verdicts::RuleSets;
use crate::chart::Mark;
use crate::figures::FIRST_SEAT;
use crate::html::{level_chart, mark};
use crate::rows::Finding;
use crate::summary::{Summary, VariantSummary};
use crate::units::words;
use parlour_game::FigureInfo;

/// The maximum number of figures that are charted.
const MAX_CHARTS: usize = 2;

/// A question about figures of variants.
#[derive(Debug)]
pub(super) struct FigureQuestion {
    /// Indices of the figures.
    pub figures: Vec<usize>,
    /// The variants, at least one; the first is the reference.
    pub variants: Vec<usize>,
    /// `true` if the first seat's score is compared with a fair share instead.
    pub is_against_fair: bool,
}

impl QuestionKind for FigureQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        let variant = |v: usize| evidence.summary.variants[v].variant.as_str();
        let name = |figure: &usize| match *figure {
            FIRST_SEAT => "first seat's score".to_owned(),
            figure => words(evidence.summary.figures[figure].name),
        };
        let figures = list(&self.figures.iter().map(name).collect::<Vec<_>>());
        let is = if self.figures.len() == 1 { "is" } else { "are" };
        let from = variant(self.variants[0]);
        let change = match self.variants[1..] {
            [] => return format!("What {is} the {figures} under {from}?"),
            [to] => format!("Does {} change", variant(to)),
            ref others => format!("Do {} other variants change", others.len()),
        };
        format!("{change} the {figures}, compared with {from}?")
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        if self.is_against_fair {
            return self.variants.iter().map(|v| evidence.first_seat(*v)).collect();
        }
        self.figures.iter().flat_map(|f| changes(evidence.summary, *f, &self.variants)).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        if self.is_against_fair {
            return vec![against_fair("The first seat's score", findings, "under", |f| &f.subject)];
        }
        let per_figure = (self.variants.len() - 1).max(1);
        let each = findings.chunks(per_figure).zip(&self.figures).map(|(rows, figure)| {
            let noun = Noun::of(&evidence.summary.figures[*figure]);
            match rows {
                [one] => between_two(&noun, one),
                _ => compared_with_first(&noun, rows),
            }
        });
        let mut sentences: Vec<String> = each.collect();
        if let ([FIRST_SEAT], &[from, to]) = (&self.figures[..], &self.variants[..]) {
            let variants = &evidence.summary.variants;
            sentences.extend(fairness(&variants[from], &variants[to]));
        }
        sentences
    }

    fn chart(&self, summary: &Summary, findings: &[Finding]) -> Markup {
        let figures = self.figures.iter().take(MAX_CHARTS);
        html! { @for figure in figures { (self.one_chart(summary, findings, *figure)) } }
    }

    fn table(&self, summary: &Summary, findings: &[Finding]) -> Vec<Vec<String>> {
        if self.variants.len() < 2 || self.is_against_fair {
            return Vec::new();
        }
        let variants = self.variants.clone();
        RuleSets { objectives: Vec::new(), variants }.rows(summary, findings)
    }
}

impl FigureQuestion {
    /// A figure under each variant, and next to it the changes from the first.
    fn one_chart(&self, summary: &Summary, findings: &[Finding], number: usize) -> Markup {
        let name = summary.figures[number].name;
        let findings = findings.iter().filter(|f| f.figure == name);
        let findings: Vec<Finding> = findings.cloned().collect();
        let variants: Vec<_> = self.variants.iter().map(|v| &summary.variants[*v]).collect();
        let mark = |variant: &VariantSummary| {
            let mut findings = findings.iter();
            let found = findings.find(|f| self.is_against_fair && f.subject == variant.variant);
            found.map_or(Mark::Strong, |f| mark(f.conclusion, f.p_value))
        };
        let changes = findings.first().filter(|f| !self.is_against_fair && f.change.is_some());
        html! {
            div.grid {
                (level_chart(summary, number, &variants, mark))
                @if let Some(Finding { reference, .. }) = changes {
                    (change_chart(&findings, &format!("Change from {reference} on the same deals"), "none"))
                }
            }
        }
    }
}

/// A figure under the first variant and under each other one.
pub(super) fn changes(summary: &Summary, figure: usize, variants: &[usize]) -> Vec<Finding> {
    let FigureInfo { name, unit, .. } = summary.figures[figure];
    let value = |v: usize| summary.variants[v].figures[figure];
    let (from, others) = (variants[0], &variants[1..]);
    let reference = summary.variants[from].variant.as_str();
    let one = |&to: &usize| {
        let row = summary.change(from, to, figure);
        Finding {
            reference_value: value(from),
            subject_value: value(to),
            change: row.as_ref().map(|row| row.difference),
            p_value: row.and_then(|row| row.p_value),
            is_row: true,
            ..Finding::blank([name, unit, "", reference, &summary.variants[to].variant])
        }
    };
    if others.is_empty() {
        let subject_value = value(from);
        return vec![Finding { subject_value, ..Finding::blank([name, unit, "", "", reference]) }];
    }
    others.iter().map(one).collect()
}

/// A figure under one variant, or compared between two.
fn between_two(noun: &Noun, f: &Finding) -> String {
    let unit = f.unit();
    let Some(b) = f.subject_value else { return format!("{} was not measured.", noun.title()) };
    let (Some(a), Some(change)) = (f.reference_value, f.change) else {
        let (level, interval) = (unit.level(b, None), unit.interval(b));
        return format!("{} is {level} under `{}` ({interval}).", noun.title(), f.subject);
    };
    let [a, b] = [a, b].map(|e| unit.level(e, Some(change)));
    let change = unit.change(change);
    let values = format!("{a} under `{}`, {b} under `{}` ({change})", f.reference, f.subject);
    verdict(
        f,
        &format!("{}: {b} against {a} ({change})", noun.differs(f)),
        &format!("No clear difference in {}: {values}", noun.text()),
        &format!("{} differs: {values}", noun.text()),
    )
}

/// Compares the fairness of two variants.
fn fairness(from: &VariantSummary, to: &VariantSummary) -> Option<String> {
    let (fair, share) = (from.fair(), fair_share(from.fair()));
    let side = |variant: &VariantSummary| {
        let (low, high) = variant.first_seat()?.interval?;
        let side = if low > fair { "above" } else { "below" };
        Some((low > fair || high < fair).then_some(side))
    };
    let only = |variant: &VariantSummary, side| {
        format!("Only under `{}` is it clearly {side} the fair {share}.", variant.variant)
    };
    Some(match (side(from)?, side(to)?) {
        (None, None) => format!("Under both, it is not clearly off the fair {share}."),
        (Some(x), Some(y)) if x == y => format!("Under both, it is {x} the fair {share}."),
        (Some(_), Some(_)) => format!("The two are on opposite sides of the fair {share}."),
        (None, Some(side)) => only(to, side),
        (Some(side), None) => only(from, side),
    })
}
