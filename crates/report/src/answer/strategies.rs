//! Questions about several strategies: their order, against a champion or each against the next; and
//! their scores over all their tables.

use itertools::Itertools;
use maud::{Markup, html};

use super::evidence::{
    Evidence, FAIR, QuestionKind, SCORE_UNIT, change_chart, sort_by, value_chart,
};
use super::phrases::{
    MAX_LISTED, Noun, against_fair, by_conclusion, compared_with_first, names, rounded,
    with_conclusion,
};
use crate::html::rating_charts;
use crate::rows::{Conclusion, Finding, Standing};
use crate::summary::Summary;
use crate::units::count;
use parlour_arena::{Tally, UNIT};
use parlour_stats::Estimate;

/// A question about the order of the strategies.
#[derive(Debug)]
pub(super) struct LadderQuestion {
    /// The champion of a gauntlet, which all others are compared with.
    pub champion: Option<usize>,
    /// The variants.
    pub variants: Vec<usize>,
}

impl QuestionKind for LadderQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        match self.champion {
            Some(champion) => {
                format!("How does {} do against the others?", evidence.plan.name_of(champion))
            }
            None => "How strong are the strategies?".to_owned(),
        }
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        let of_variant = |v: usize| match self.champion {
            Some(champion) => {
                let ranked = evidence.summary.variants[v].standings.iter().map(|s| s.number);
                let others = ranked.filter(|s| *s != champion);
                others.filter_map(|s| evidence.pairing(v, s, champion)).collect()
            }
            None => neighbours(evidence, v),
        };
        self.variants.iter().flat_map(|v| of_variant(*v)).collect()
    }

    fn sentences(&self, _: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        if findings.is_empty() && self.champion.is_none() {
            return vec![
                "No neighbours by rating met, so the run cannot compare them; in a round-robin they meet."
                    .to_owned(),
            ];
        }
        let sentence = |rows: &[Finding]| match self.champion {
            Some(_) => gauntlet(rows),
            None if rows[0].reference == FAIR => {
                let score = format!("Under `{}`, the score", rows[0].variant);
                against_fair(&score, rows, "for", |f| &f.subject)
            }
            None => order(rows),
        };
        findings.chunk_by(|a, b| a.variant == b.variant).map(sentence).collect()
    }

    fn chart(&self, summary: &Summary, findings: &[Finding]) -> Markup {
        if self.champion.is_none() && !summary.ladder.is_empty() {
            let variants = self.variants.iter().map(|v| &summary.variants[*v]);
            return rating_charts(&variants.collect::<Vec<_>>(), |name| {
                format!("Ratings under {name}")
            });
        }
        let chart = |rows: &[Finding]| {
            let mut rows = rows.to_vec();
            sort_by(&mut rows, |f| f.subject_value);
            let (against, reference) = match self.champion {
                Some(_) => (format!(" against {}", rows[0].reference), "even"),
                None => (String::new(), "fair"),
            };
            let title = format!("Scores{against} under {}", rows[0].variant);
            value_chart(&rows, &title, reference, |f| &f.subject)
        };
        let variants = findings.chunk_by(|a, b| a.variant == b.variant);
        html! { div.grid { @for rows in variants { (chart(rows)) } } }
    }
}

/// Each strategy against the next below it; with more than two seats, each against a fair share.
fn neighbours(evidence: &Evidence<'_>, variant: usize) -> Vec<Finding> {
    let row = &evidence.summary.variants[variant];
    if row.matchups.iter().any(|m| m.pair.is_some()) {
        let pairs = row.standings.windows(2);
        return pairs
            .filter_map(|pair| evidence.pairing(variant, pair[0].number, pair[1].number))
            .collect();
    }
    let one = |s: &Standing| {
        let matches = s.matches / evidence.sample.deals().max(1);
        let scale = 1.0 / (matches as f64 * UNIT as f64);
        let tally = &evidence.sample.total.variants[variant].standings[s.number];
        let finding = evidence.against_fair(variant, "score", &s.strategy, s.score);
        Finding { p_value: tally.score_p(scale, row.fair()), ..finding }
    };
    let mut found: Vec<Finding> = row.standings.iter().map(one).collect();
    sort_by(&mut found, |f| f.subject_value);
    found
}

/// The champion of a gauntlet against all others.
fn gauntlet(rows: &[Finding]) -> String {
    let (champion, variant) = (&rows[0].reference, &rows[0].variant);
    let number = |f: &Finding| f.subject_value.map(|score| f.unit().level(score, None));
    let list = |found: &[&Finding]| names(found, MAX_LISTED, |f| &f.subject, number);
    let stronger = with_conclusion(rows, Conclusion::Higher);
    let first = match stronger.len() {
        0 => format!("No opponent is clearly stronger than `{champion}` under `{variant}`"),
        n => format!(
            "Under `{variant}`, {n} of {} {} stronger than `{champion}`: {}",
            count(rows.len() as u64, "opponent"),
            if n == 1 { "is" } else { "are" },
            list(&stronger)
        ),
    };
    let words = [
        (Conclusion::Lower, "weaker: ".to_owned()),
        (Conclusion::NoClearDifference, "no clear difference: ".to_owned()),
        (Conclusion::NotEnoughDeals, "not enough deals to place ".to_owned()),
    ];
    let others = by_conclusion(rows, words, list);
    let needed = rows.iter().filter_map(|f| f.deals_needed).max();
    let needed = needed.map(|n| format!("about {} would do", rounded(n, "deal")));
    let parts = [Some(first), Some(others).filter(|text| !text.is_empty()), needed];
    parts.into_iter().flatten().join("; ") + "."
}

/// The order of the strategies by rating.
fn order(rows: &[Finding]) -> String {
    let Finding { variant, subject, reference, subject_value, conclusion, .. } = &rows[0];
    let mut order = format!("`{subject}`");
    for f in rows {
        let sign = match f.conclusion {
            Conclusion::Higher => ">",
            Conclusion::Lower => "<",
            _ => "≈",
        };
        order += &format!(" {sign} `{}`", f.reference);
    }
    let is_unclear = rows.iter().any(|f| f.conclusion != Conclusion::Higher);
    let note = if is_unclear { " (≈: no clear difference)" } else { "" };
    let unit = rows[0].unit();
    let level = |score| format!("{} ({})", unit.level(score, None), unit.interval(score));
    let score = subject_value.map_or(String::new(), level);
    let is_first = *conclusion == Conclusion::Higher;
    let rank = if is_first { "is the strongest" } else { "is rated highest" };
    format!(
        "Under `{variant}`, `{subject}` {rank}: it scores {score} against `{reference}`, the next. The order is {order}{note}."
    )
}

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
