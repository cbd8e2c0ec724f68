//! Questions about the scores of several strategies over all their tables.

use maud::{Markup, html};

use super::phrases::{Noun, compared_with_first};
use super::{Answerable, Evidence, Finding, SCORE_UNIT, change_chart, sort_by};
use crate::question::ScoreQuestion;
use crate::summary::Summary;
use parlour_arena::{Tally, UNIT};
use parlour_stats::Estimate;

impl Answerable for ScoreQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        match self.strategies.first() {
            Some(first) => {
                format!("Which strategy scores more than {}?", evidence.plan.name_of(*first))
            }
            None => String::new(),
        }
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        self.variants.iter().flat_map(|v| scores(evidence, *v, &self.strategies)).collect()
    }

    fn sentences(&self, _: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        vec![compared_with_first(&Noun::new("score"), findings)]
    }

    fn chart(&self, summary: &Summary) -> Markup {
        let mut findings = summary.answer.findings.clone();
        let Some(first) = findings.first() else { return html! {} };
        let (title, zero) =
            (format!("Score minus that of {}", first.reference), format!("as {}", first.reference));
        sort_by(&mut findings, |f| f.change);
        change_chart(&findings, &title, &zero)
    }
}

/// The scores of strategies minus that of the first.
fn scores(evidence: &Evidence<'_>, variant: usize, strategies: &[usize]) -> Vec<Finding> {
    let [first, others @ ..] = strategies else { return Vec::new() };
    let row = &evidence.summary.variants[variant];
    let standing = |s: usize| row.standings.iter().find(|row| row.number == s);
    let score = |tally: &Tally, s: usize| {
        let matches = standing(s)?.matches / evidence.sample.deals().max(1);
        let sum = tally.variants[variant].standings[s].sum as f64;
        let maximum = (matches * tally.deals) as f64 * UNIT as f64;
        (maximum > 0.0).then(|| sum / maximum)
    };
    let changes = evidence.sample.jackknife(|tally| {
        others.iter().map(|s| Some(score(tally, *s)? - score(tally, *first)?)).collect()
    });
    let score_of = |s: usize| standing(s).and_then(|row| row.score);
    let one = |(s, change): (&usize, Option<Estimate>)| {
        let [reference, subject] = [*first, *s].map(|s| evidence.plan.name_of(s));
        Finding {
            reference_value: score_of(*first),
            subject_value: score_of(*s),
            change,
            p_value: change.and_then(|change| evidence.sample.p_value(change)),
            ..Finding::blank("score", SCORE_UNIT, &row.variant, reference, subject)
        }
    };
    others.iter().zip(changes).map(one).collect()
}
