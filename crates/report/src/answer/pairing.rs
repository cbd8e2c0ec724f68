//! Questions about two strategies, or one against itself.

use maud::{Markup, html};

use super::phrases::{UNCLEAR, enough_deals, enough_deals_for_all, names, size, with_conclusion};
use super::{
    Answerable, Conclusion, Evidence, Finding, LUCK_ADJUSTED, Matchup, score_finding, value_chart,
};
use crate::figures::FIRST_SEAT;
use crate::question::PairingQuestion;
use crate::summary::Summary;
use parlour_arena::{StopCondition, Tally};
use parlour_stats::{Sprt, Verdict};

impl PairingQuestion {
    fn is_mirror(&self) -> bool {
        self.strategies[0] == self.strategies[1]
    }
}

impl Answerable for PairingQuestion {
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
            return findings.iter().map(mirror_sentence).collect();
        }
        if self.is_bound {
            return findings.iter().map(bound_sentence).collect();
        }
        let ([one], [variant]) = (findings, &self.variants[..]) else {
            return under_all(findings).into_iter().collect();
        };
        let [a, b] = self.strategies;
        let test = match evidence.plan.experiment().until {
            Some(StopCondition::Sprt(test)) => {
                let rows = &evidence.summary.variants[*variant].matchups;
                let row = rows.iter().find(|m| m.pair == Some((a, b)) || m.pair == Some((b, a)));
                row.and_then(|row| test_sentence(test, row))
            }
            _ => None,
        };
        test.into_iter().chain([pairing_sentence(one)]).collect()
    }

    fn chart(&self, summary: &Summary) -> Markup {
        let findings = &summary.answer.findings;
        let (title, reference) = match findings.first() {
            _ if self.is_mirror() => ("Score of the first seat".to_owned(), "fair"),
            Some(f) => (format!("Score of {} against {}", f.subject, f.reference), "even"),
            None => return html! {},
        };
        value_chart(findings, &title, reference, |f| f.variant.clone())
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
    Some(Finding { p_value: evidence.sample.p_value(score.shifted(-0.5)), ..finding })
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
    let p_value = evidence.sample.p_value(score.shifted(-0.5));
    Some(score_finding(LUCK_ADJUSTED, &row, Some(score), p_value))
}

fn mirror_sentence(f: &Finding) -> String {
    let Some(score) = f.subject_value else { return String::new() };
    let conclusion = match f.conclusion {
        Conclusion::Higher => "more than a fair half".to_owned(),
        Conclusion::Lower => "less than a fair half".to_owned(),
        Conclusion::NotEnoughDeals => {
            format!("not enough deals to tell whether this is fair{}", enough_deals(f))
        }
        _ => "no clear difference from a fair half".to_owned(),
    };
    format!(
        "Between two of `{}`, the first seat scores {} under `{}` ({}): {conclusion}.",
        f.subject,
        f.unit().level(score, None),
        f.variant,
        f.unit().interval(score)
    )
}

fn pairing_sentence(f: &Finding) -> String {
    let Some(score) = f.subject_value else { return String::new() };
    let (a, b, variant, size) = (&f.subject, &f.reference, &f.variant, size(f));
    let score = format!("scores {} ({})", f.unit().level(score, None), f.unit().interval(score));
    match f.conclusion {
        Conclusion::Higher => {
            format!("`{a}` is {size}stronger than `{b}` under `{variant}`: it {score}.")
        }
        Conclusion::Lower => {
            format!("`{a}` is {size}weaker than `{b}` under `{variant}`: it {score}.")
        }
        Conclusion::NoClearDifference | Conclusion::Measured => {
            format!("No clear difference between `{a}` and `{b}` under `{variant}`: `{a}` {score}.")
        }
        Conclusion::NotEnoughDeals => format!(
            "Not enough deals to tell whether `{a}` or `{b}` is stronger under `{variant}`: `{a}` {score}{}.",
            enough_deals(f)
        ),
    }
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
    match f.conclusion {
        Conclusion::Higher => format!(
            "`{target}` can be exploited: {scores}. The best possible opponent scores at least this."
        ),
        Conclusion::NotEnoughDeals => format!(
            "Not enough deals to tell whether `{target}` can be exploited: {scores}{}.",
            enough_deals(f)
        ),
        _ => format!(
            "No exploit of `{target}` found: {scores}. This is only a lower bound; a stronger attacker may exist."
        ),
    }
}

/// The same pairing under several variants.
fn under_all(rows: &[Finding]) -> Option<String> {
    let first = rows.first()?;
    let (a, b) = (&first.subject, &first.reference);
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
    let clear = [(Conclusion::Higher, "stronger"), (Conclusion::Lower, "weaker")];
    let parts = clear.into_iter().chain(UNCLEAR).filter_map(|(conclusion, words)| {
        let found = with_conclusion(rows, conclusion);
        (!found.is_empty()).then(|| format!("{words} under {}", list(&found)))
    });
    Some(format!("Compared with `{b}`, `{a}` is {}.", parts.collect::<Vec<_>>().join("; ")))
}

/// The state of a sequential test.
fn test_sentence(test: Sprt, row: &Matchup) -> Option<String> {
    let (low, high) = test.bounds();
    let [llr, low, high] = [row.sprt_llr?, low, high].map(|x| format!("{x:.2}").replace('-', "−"));
    let (a, b) = (&row.strategy, &row.opponent);
    let verdict = match row.sprt_verdict? {
        Verdict::Upper => {
            format!("accepts that `{a}` is at least {} Elo stronger than `{b}`", test.elo1)
        }
        Verdict::Lower => {
            format!("accepts that `{a}` is at most {} Elo stronger than `{b}`", test.elo0)
        }
        Verdict::Undecided => format!(
            "has not decided whether `{a}` is {} or {} Elo stronger than `{b}`",
            test.elo0, test.elo1
        ),
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
