//! Questions about two strategies, or one against itself.

use maud::Markup;

use super::evidence::{Evidence, LUCK_ADJUSTED, QuestionKind, score_finding, value_chart};
use super::phrases::{
    UNCLEAR, against_fair, by_conclusion, comparisons, enough_deals_for_all, names, size, verdict,
    with_conclusion,
};
use crate::figures::FIRST_SEAT;
use crate::rows::{Conclusion, Finding, Matchup};
use crate::summary::Summary;
use parlour_arena::{StopCondition, Tally};
use parlour_stats::{Sprt, Verdict};

/// A question about the stronger of two strategies; for one strategy, its first seat's score.
#[derive(Debug)]
pub(super) struct PairingQuestion {
    /// The two strategies.
    pub strategies: [usize; 2],
    /// The variants.
    pub variants: Vec<usize>,
    /// `true` if the first was built to exploit the second, so that its score is a lower bound.
    pub is_bound: bool,
}

impl PairingQuestion {
    fn is_mirror(&self) -> bool {
        self.strategies[0] == self.strategies[1]
    }
}

impl QuestionKind for PairingQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        let [a, b] = self.strategies.map(|s| evidence.plan.name_of(s));
        let under = match self.variants.as_slice() {
            [one] => format!(" under {}", evidence.summary.variants[*one].variant),
            _ => String::new(),
        };
        if self.is_mirror() {
            format!("How much is the first seat worth between two of {a}{under}?")
        } else if self.is_bound {
            format!("How far can {b} be exploited{under}?")
        } else {
            format!("Is {a} stronger than {b}{under}?")
        }
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        let [a, b] = self.strategies;
        let finding = |v: &usize| match () {
            () if self.is_mirror() => mirror(evidence, *v, a),
            () if self.is_bound => bound(evidence, *v, a, b).or_else(|| evidence.pairing(*v, a, b)),
            () => evidence.pairing(*v, a, b),
        };
        self.variants.iter().filter_map(finding).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        if self.is_mirror() {
            let name = evidence.plan.name_of(self.strategies[0]);
            let score = format!("Between two of `{name}`, the first seat's score");
            return vec![against_fair(&score, findings, "under", |f| &f.variant)];
        }
        if self.is_bound {
            return findings.iter().map(bound_sentence).collect();
        }
        let ([one], [variant], [a, b]) = (findings, &self.variants[..], self.strategies) else {
            return under_all(findings).into_iter().collect();
        };
        let mut rows = evidence.summary.variants[*variant].matchups.iter();
        let row = rows.find(|row| row.is_between(a, b));
        let test = match evidence.plan.experiment().until {
            Some(StopCondition::Sprt(test)) => row.and_then(|row| test_sentence(test, row)),
            _ => None,
        };
        test.into_iter().chain([pairing_sentence(one)]).collect()
    }

    fn chart(&self, _: &Summary, findings: &[Finding]) -> Markup {
        let (title, reference) = match findings.first() {
            Some(f) if !self.is_mirror() => {
                (format!("Score of {} against {}", f.subject, f.reference), "even")
            }
            _ => ("Score of the first seat".to_owned(), "fair"),
        };
        value_chart(findings, &title, reference, |f| &f.variant)
    }
}

/// The first seat's score between two of the same strategy.
fn mirror(evidence: &Evidence<'_>, variant: usize, strategy: usize) -> Option<Finding> {
    let tables = || evidence.plan.tables.iter();
    let name = evidence.plan.name_of(strategy);
    let variant_name = evidence.summary.variants[variant].variant.clone();
    if tables().filter(|t| t.variant == variant).count() == 1 {
        let subject = name.to_owned();
        return Some(Finding { subject, variant: variant_name, ..evidence.first_seat(variant) });
    }
    let number =
        tables().position(|t| t.variant == variant && t.line_up == [strategy, strategy])?;
    let score = |tally: &Tally| {
        let orders = tally.tables[number].orders.first()?;
        let ([w, d, l], [sl, sd, sw]) = (orders.in_order, orders.swapped);
        let all = (w + d + l + sl + sd + sw) as f64;
        (all > 0.0).then(|| ((w + sw) as f64 + 0.5 * (d + sd) as f64) / all)
    };
    let score = evidence.sample.jackknife(|tally| vec![score(tally)]).pop().flatten()?;
    let figure = evidence.summary.figures[FIRST_SEAT].name;
    let finding = evidence.against_fair(variant, figure, name, Some(score));
    Some(Finding { p_value: evidence.sample.p_value(Some(score.shifted(-0.5))), ..finding })
}

/// The luck-adjusted score of a strategy that was built to exploit the other; `None` without one.
fn bound(
    evidence: &Evidence<'_>,
    variant: usize,
    attacker: usize,
    target: usize,
) -> Option<Finding> {
    let row = evidence.matchup(variant, attacker, target)?;
    let score = row.score_luck_adjusted?;
    let p_value = evidence.sample.p_value(Some(score.shifted(-0.5)));
    Some(score_finding(LUCK_ADJUSTED, &row, Some(score), p_value))
}

fn pairing_sentence(f: &Finding) -> String {
    let Some(score) = f.subject_value else { return String::new() };
    let (a, b, variant, size) = (&f.subject, &f.reference, &f.variant, size(f));
    let score = format!("scores {} ({})", f.unit().level(score, None), f.unit().interval(score));
    let more = if f.conclusion == Conclusion::Higher { "stronger" } else { "weaker" };
    verdict(
        f,
        &format!("`{a}` is {size}{more} than `{b}` under `{variant}`: it {score}"),
        &format!("No clear difference between `{a}` and `{b}` under `{variant}`: `{a}` {score}"),
        &format!("`{a}` or `{b}` is stronger under `{variant}`: `{a}` {score}"),
    )
}

/// The lower bound of how far a strategy can be exploited.
fn bound_sentence(f: &Finding) -> String {
    let Some(score) = f.subject_value else { return String::new() };
    let (attacker, target, variant) = (&f.subject, &f.reference, &f.variant);
    let (level, interval) = (f.unit().level(score, None), f.unit().interval(score));
    let luck = if f.figure == LUCK_ADJUSTED { ", luck-adjusted" } else { "" };
    let scores = format!(
        "`{attacker}`, built to exploit it, scores {level} against it under `{variant}` ({interval}{luck})"
    );
    let exploited = format!("`{target}` can be exploited: {scores}");
    let found = format!("{exploited}. The best possible opponent scores at least this");
    let none = format!(
        "No exploit of `{target}` found: {scores}. This is only a lower bound; a stronger attacker may exist"
    );
    let clear = if f.conclusion == Conclusion::Higher { &found } else { &none };
    verdict(f, clear, &none, &exploited)
}

/// The same pairing under several variants.
fn under_all(rows: &[Finding]) -> Option<String> {
    let Finding { subject: a, reference: b, .. } = rows.first()?;
    let number = |f: &Finding| f.subject_value.map(|score| f.unit().level_and_interval(score));
    let list = |found: &[&Finding]| names(found, usize::MAX - 1, |f| &f.variant, number);
    let few = with_conclusion(rows, Conclusion::NotEnoughDeals);
    if few.len() == rows.len() {
        return Some(format!(
            "Not enough deals to tell whether `{a}` or `{b}` is stronger, under {}{}.",
            list(&few),
            enough_deals_for_all(&few)
        ));
    }
    let parts = by_conclusion(rows, comparisons(["stronger", "weaker", UNCLEAR], "under"), list);
    Some(format!("Compared with `{b}`, `{a}` is {parts}."))
}

/// The state of a sequential test.
fn test_sentence(test: Sprt, row: &Matchup) -> Option<String> {
    let (low, high) = test.bounds();
    let [llr, low, high] = [row.sprt_llr?, low, high].map(|x| format!("{x:.2}").replace('-', "−"));
    let (a, b) = (&row.strategy, &row.opponent);
    let Sprt { elo0, elo1, .. } = test;
    let verdict = match row.sprt_verdict? {
        Verdict::Upper => format!("accepts that `{a}` is at least {elo1} Elo stronger than `{b}`"),
        Verdict::Lower => format!("accepts that `{a}` is at most {elo0} Elo stronger than `{b}`"),
        Verdict::Undecided => {
            format!("has not decided whether `{a}` is {elo0} or {elo1} Elo stronger than `{b}`")
        }
    };
    Some(format!(
        "The sequential test {verdict} (log-likelihood ratio {llr}, bounds {low} and {high})."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_stats::Estimate;

    #[test]
    fn the_sentence_on_a_bound_follows_from_the_conclusion() {
        let of = |figure: &str, score: Estimate, conclusion: Conclusion| {
            let blank = Finding::blank(figure, "share of the win", "revised", "steady", "response");
            bound_sentence(&Finding { subject_value: Some(score), conclusion, ..blank })
        };
        let text = of(LUCK_ADJUSTED, Estimate::symmetric(0.634, 0.015), Conclusion::Higher);
        assert_eq!(
            text,
            "`steady` can be exploited: `response`, built to exploit it, scores 63.4 % against it under \
             `revised` (95 % interval 61.9 to 64.9 %, luck-adjusted). The best possible opponent scores \
             at least this."
        );
        let text = of("score", Estimate::symmetric(0.51, 0.015), Conclusion::NoClearDifference);
        assert!(text.starts_with("No exploit of `steady` found"), "{text}");
        assert!(text.contains("only a lower bound") && !text.contains("luck"), "{text}");
        let text = of("score", Estimate::symmetric(0.8, 0.3), Conclusion::NotEnoughDeals);
        assert!(
            text.starts_with("Not enough deals to tell whether `steady` can be exploited"),
            "{text}"
        );
    }
}
