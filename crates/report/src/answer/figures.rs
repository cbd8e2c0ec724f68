//! Questions about figures of variants.

use maud::{Markup, html};

use super::phrases::{
    MAX_LISTED, Noun, compared_with_first, enough_deals, fair_share, list, names, subject,
    with_conclusion,
};
use super::{Answerable, Comparand, Conclusion, Evidence, FAIR, Finding, change_chart, mark};
use crate::chart::{Axis, Dot, Mark};
use crate::figures::FIRST_SEAT;
use crate::html::{forest_figure, heading};
use crate::question::FigureQuestion;
use crate::summary::{Summary, VariantSummary};
use crate::units::{Unit, words};
use parlour_game::FigureInfo;

/// The maximum number of figures that are charted.
const MAX_CHARTS: usize = 2;

impl Answerable for FigureQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        let variant = |v: &usize| evidence.summary.variants[*v].variant.as_str();
        let name = |figure: &usize| match *figure {
            FIRST_SEAT => "first seat's score".to_owned(),
            figure => words(evidence.summary.figures[figure].name),
        };
        let figures = list(&self.figures.iter().map(name).collect::<Vec<_>>());
        let is = if self.figures.len() == 1 { "is" } else { "are" };
        match self.variants.as_slice() {
            [] => String::new(),
            [one] => format!("What {is} the {figures} under {}?", variant(one)),
            [from, to] => {
                format!(
                    "Does {} change the {figures}, compared with {}?",
                    variant(to),
                    variant(from)
                )
            }
            [from, others @ ..] => format!(
                "Do {} other variants change the {figures}, compared with {}?",
                others.len(),
                variant(from)
            ),
        }
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        if self.is_against_fair {
            return self.variants.iter().map(|v| evidence.first_seat(*v)).collect();
        }
        self.figures.iter().flat_map(|f| changes(evidence, *f, &self.variants)).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        if self.is_against_fair {
            return vec![against_fair(findings)];
        }
        let per_figure = self.variants.len().saturating_sub(1).max(1);
        let each = findings.chunks(per_figure).zip(&self.figures).map(|(rows, figure)| {
            let noun = Noun::of(&evidence.summary.figures[*figure]);
            match rows {
                [one] => between_two(&noun, one),
                _ => compared_with_first(&noun, rows),
            }
        });
        let mut sentences: Vec<String> = each.collect();
        if let ([FIRST_SEAT], [from, to]) = (&self.figures[..], &self.variants[..]) {
            let variants = &evidence.summary.variants;
            sentences.extend(fairness(&variants[*from], &variants[*to]));
        }
        sentences
    }

    fn chart(&self, summary: &Summary) -> Markup {
        html! { @for figure in self.figures.iter().take(MAX_CHARTS) { (self.one_chart(summary, *figure)) } }
    }
}

impl FigureQuestion {
    /// A figure under each variant, and next to it the changes from the first.
    fn one_chart(&self, summary: &Summary, number: usize) -> Markup {
        let head = &summary.figures[number];
        let unit = Unit::parse(head.unit);
        let findings = || summary.answer.findings.iter().filter(|f| f.figure == head.name);
        let row = |v: &usize| {
            let variant = &summary.variants[*v];
            let found = findings().find(|f| f.subject == variant.variant);
            let fair_mark = found.map_or(Mark::Faint, |f| mark(f.conclusion, f.p_value));
            Dot {
                label: variant.variant.clone(),
                estimate: unit.displayed(variant.figures[number]),
                mark: if self.is_against_fair { fair_mark } else { Mark::Strong },
            }
        };
        let rows: Vec<Dot> = self.variants.iter().map(row).collect();
        let first = self.variants.first().map(|v| &summary.variants[*v]);
        let reference = first.filter(|_| number == FIRST_SEAT).map(|v| (100.0 * v.fair(), "fair"));
        let axis = Axis { unit: &unit.label(), reference, span: None };
        let changes: Vec<Finding> = findings().filter(|f| f.reference != FAIR).cloned().collect();
        html! {
            div.grid {
                (forest_figure(&heading(head.name), axis, &rows, head.meaning))
                @if let Some(one) = changes.first().filter(|one| one.change.is_some()) {
                    (change_chart(&changes, &format!("Change from {} on the same deals", one.reference), "none"))
                }
            }
        }
    }
}

/// A figure under the first variant and under each other one.
fn changes(evidence: &Evidence<'_>, figure: usize, variants: &[usize]) -> Vec<Finding> {
    let summary = evidence.summary;
    let FigureInfo { name, unit, .. } = summary.figures[figure];
    let under =
        |v: usize| (summary.variants[v].variant.as_str(), summary.variants[v].figures[figure]);
    let (from, others) = match variants {
        [] => return Vec::new(),
        [only] => {
            let (subject, subject_value) = under(*only);
            return vec![Finding { subject_value, ..Finding::blank(name, unit, "", "", subject) }];
        }
        [first, others @ ..] => (*first, others),
    };
    let one = |&to: &usize| {
        let pair = (from.min(to), from.max(to));
        let pair = summary.comparisons.iter().find(|c| (c.from, c.to) == pair);
        let row = pair.and_then(|pair| pair.changes[figure].as_ref());
        let sign = if from < to { 1.0 } else { -1.0 };
        let (reference, reference_value) = under(from);
        let (subject, subject_value) = under(to);
        Finding {
            reference_value,
            subject_value,
            change: row.map(|row| row.difference.scaled(sign)),
            p_value: row.and_then(|row| row.p_value),
            comparand: Comparand::Change { figure, from, to },
            ..Finding::blank(name, unit, "", reference, subject)
        }
    };
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
    let values = format!("{a} under `{}`, {b} under `{}`", f.reference, f.subject);
    match f.conclusion {
        Conclusion::Higher | Conclusion::Lower => {
            format!("{}: {b} against {a} ({change}).", noun.differs(f))
        }
        Conclusion::NoClearDifference | Conclusion::Measured => {
            format!("No clear difference in {}: {values} ({change}).", noun.text())
        }
        Conclusion::NotEnoughDeals => format!(
            "Not enough deals to tell whether {} differs: {values} ({change}){}.",
            noun.text(),
            enough_deals(f)
        ),
    }
}

/// The first seat's score of each variant against its fair share.
fn against_fair(rows: &[Finding]) -> String {
    let fair = rows.iter().find_map(|f| f.reference_value);
    let is_same = rows.iter().all(|f| f.reference_value == fair);
    let share = match fair.filter(|_| is_same) {
        Some(fair) if fair.value == 0.5 => "a fair half".to_owned(),
        Some(fair) => format!("a fair share of {}", fair_share(fair.value)),
        None => "a fair share".to_owned(),
    };
    let parts = [
        (Conclusion::Higher, format!("above {share}")),
        (Conclusion::Lower, format!("below {share}")),
        (Conclusion::NoClearDifference, format!("not clearly different from {share}")),
        (Conclusion::NotEnoughDeals, "undecided (not enough deals)".to_owned()),
    ];
    let number = |f: &Finding| f.subject_value.map(|value| f.unit().level_and_interval(value));
    let parts = parts.into_iter().filter_map(|(conclusion, words)| {
        let found = with_conclusion(rows, conclusion);
        (!found.is_empty())
            .then(|| format!("{words} under {}", names(&found, MAX_LISTED, subject, number)))
    });
    format!("The first seat's score is {}.", parts.collect::<Vec<_>>().join("; "))
}

/// Compares the fairness of two variants.
fn fairness(from: &VariantSummary, to: &VariantSummary) -> Option<String> {
    let fair = from.fair();
    let side = |variant: &VariantSummary| {
        let (low, high) = variant.first_seat()?.interval?;
        Some(i8::from(low > fair) - i8::from(high < fair))
    };
    let side_text = |side: i8| if side > 0 { "above" } else { "below" };
    let share = fair_share(fair);
    Some(match (side(from)?, side(to)?) {
        (0, 0) => format!("Under both, it is not clearly off the fair {share}."),
        (x, y) if x == y => format!("Under both, it is {} the fair {share}.", side_text(x)),
        (0, y) => {
            format!("Only under `{}` is it clearly {} the fair {share}.", to.variant, side_text(y))
        }
        (x, 0) => {
            format!(
                "Only under `{}` is it clearly {} the fair {share}.",
                from.variant,
                side_text(x)
            )
        }
        _ => format!("The two are on opposite sides of the fair {share}."),
    })
}
