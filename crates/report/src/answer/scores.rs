//! Questions about the scores of several strategies over all their tables.

use maud::{Markup, html};

use super::evidence::{Evidence, QuestionKind, SCORE_UNIT, change_chart, sort_by};
use super::phrases::{Noun, compared_with_first};
use crate::rows::Finding;
use crate::summary::Summary;
use parlour_arena::{Tally, UNIT};
use parlour_stats::Estimate;

/// A question about the scores of strategies.
#[derive(Debug)]
pub(super) struct ScoreQuestion {
    /// The strategies; the first is the reference.
    pub strategies: Vec<usize>,
    /// The variants.
    pub variants: Vec<usize>,
}

impl QuestionKind for ScoreQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        format!("Which strategy scores more than {}?", evidence.plan.name_of(self.strategies[0]))
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        self.variants.iter().flat_map(|v| scores(evidence, *v, &self.strategies)).collect()
    }

    fn sentences(&self, _: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        vec![compared_with_first(&Noun::new("score"), findings)]
    }

    fn chart(&self, _: &Summary, findings: &[Finding]) -> Markup {
        let Some(Finding { reference, .. }) = findings.first() else { return html! {} };
        let mut findings = findings.to_vec();
        sort_by(&mut findings, |f| f.change);
        let (title, zero) = (format!("Score minus that of {reference}"), format!("as {reference}"));
        change_chart(&findings, &title, &zero)
    }
}

/// The scores of strategies minus that of the first.
fn scores(evidence: &Evidence<'_>, variant: usize, strategies: &[usize]) -> Vec<Finding> {
    let (first, others) = (strategies[0], &strategies[1..]);
    let row = &evidence.summary.variants[variant];
    let standing = |s: usize| row.standings.iter().find(|row| row.number == s);
    let score = |tally: &Tally, s: usize| {
        let matches = standing(s)?.matches / evidence.sample.deals().max(1);
        let sum = tally.variants[variant].standings[s].sum as f64;
        let maximum = (matches * tally.deals) as f64 * UNIT as f64;
        (maximum > 0.0).then(|| sum / maximum)
    };
    let changes = evidence.sample.jackknife(|tally| {
        others.iter().map(|s| Some(score(tally, *s)? - score(tally, first)?)).collect()
    });
    let score_of = |s: usize| standing(s).and_then(|row| row.score);
    let one = |(s, change): (&usize, Option<Estimate>)| {
        let [reference, subject] = [first, *s].map(|s| evidence.plan.name_of(s));
        Finding {
            reference_value: score_of(first),
            subject_value: score_of(*s),
            change,
            p_value: evidence.sample.p_value(change),
            ..Finding::blank("score", SCORE_UNIT, &row.variant, reference, subject)
        }
    };
    others.iter().zip(changes).map(one).collect()
}
