//! Questions about figures of variants.

use itertools::Itertools;
use maud::{Markup, html};

use super::evidence::{
    ALL_PAIRINGS, Evidence, Noun, QuestionKind, against_fair, change_chart, compared_with_first,
    list, verdict, with_players,
};
use super::verdicts::RuleSets;
use crate::chart::Mark;
use crate::figures::FIRST_SEAT;
use crate::html::{heading, level_chart, mark};
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
    /// The strategy that meets itself, if the question names one.
    pub mirror: Option<usize>,
}

impl QuestionKind for FigureQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        let variant = |v: usize| evidence.summary.variants[v].variant.as_str();
        let name = |figure: &usize| match *figure {
            FIRST_SEAT => "first seat's score".to_owned(),
            figure => words(evidence.summary.figures[figure].name),
        };
        if self.is_against_fair {
            return "How much is the first seat worth?".to_owned();
        }
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

    fn mirror(&self) -> Option<usize> {
        self.mirror
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        if self.is_against_fair {
            let each = self.variants.iter().map(|v| evidence.first_seat(*v));
            return each
                .sorted_by_key(|f| (f.players == ALL_PAIRINGS, f.players.clone()))
                .collect();
        }
        self.figures.iter().flat_map(|f| changes(evidence, *f, &self.variants)).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        if self.is_against_fair {
            let text = |rows| against_fair("The first seat's score", rows, "under", |f| &f.subject);
            let each = findings.chunk_by(|a, b| a.players == b.players);
            return with_players(each.map(|rows| (&rows[0], text(rows))));
        }
        let per_figure = (self.variants.len() - 1).max(1);
        let each = findings.chunks(per_figure).zip(&self.figures).map(|(rows, figure)| {
            let noun = Noun::of(&evidence.summary.figures[*figure]);
            let text = match rows {
                [one] => between_two(&noun, one),
                _ => compared_with_first(&noun, rows),
            };
            (&rows[0], text)
        });
        with_players(each)
    }

    fn chart(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Markup {
        let figures = self.figures.iter().take(MAX_CHARTS);
        html! { @for figure in figures { (self.one_chart(evidence.summary, findings, *figure)) } }
    }

    fn table(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<Vec<String>> {
        let is_part = evidence.players(FIRST_SEAT, &self.variants).1;
        if self.variants.len() < 2 || self.is_against_fair || is_part {
            return Vec::new();
        }
        let variants = self.variants.clone();
        RuleSets { objectives: Vec::new(), variants }.rows(evidence.summary, findings)
    }
}

impl FigureQuestion {
    /// A figure under each variant, and next to it the changes from the first.
    fn one_chart(&self, summary: &Summary, findings: &[Finding], number: usize) -> Markup {
        let name = summary.figures[number].name;
        let findings = findings.iter().filter(|f| f.figure == name);
        let findings: Vec<Finding> = findings.cloned().collect();
        let variants: Vec<_> = self.variants.iter().map(|v| &summary.variants[*v]).collect();
        let level =
            |variant: &VariantSummary| match findings.iter().find(|f| f.subject == variant.variant)
            {
                Some(f) if self.is_against_fair => (f.subject_value, mark(f.conclusion, f.p_value)),
                Some(f) => (f.subject_value, Mark::Strong),
                None => (findings.first().and_then(|f| f.reference_value), Mark::Strong),
            };
        let changes = findings.first().filter(|f| !self.is_against_fair && f.change.is_some());
        html! {
            div.grid {
                (level_chart(summary, number, &variants, level))
                @if let Some(Finding { reference, .. }) = changes {
                    (change_chart(&findings, &format!("{}: change from {reference} on the same deals", heading(name)), "none"))
                }
            }
        }
    }
}

/// A figure under the first variant and under each other one.
pub(super) fn changes(evidence: &Evidence<'_>, figure: usize, variants: &[usize]) -> Vec<Finding> {
    let FigureInfo { name, unit, .. } = evidence.summary.figures[figure];
    let variant = |at: usize| evidence.summary.variants[variants[at]].variant.as_str();
    let (players, is_part) = evidence.players(figure, variants);
    let [levels, changes] = evidence.levels_and_changes(figure, variants);
    let (players, reference) = (|| players.clone(), variant(0));
    if variants.len() == 1 {
        let blank = Finding::blank([name, unit, "", "", reference]);
        return vec![Finding { subject_value: levels[0], players: players(), ..blank }];
    }
    let one = |at: usize| Finding {
        reference_value: levels[0],
        subject_value: levels[at],
        change: changes[at],
        p_value: evidence.sample.p_value(changes[at]),
        is_row: !is_part,
        players: players(),
        ..Finding::blank([name, unit, "", reference, variant(at)])
    };
    (1..variants.len()).map(one).collect()
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
