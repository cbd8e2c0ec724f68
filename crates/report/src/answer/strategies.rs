//! Questions about strategies: which of two is stronger; their order, against a
//! champion or each against the next; and their scores over all their tables.

use itertools::Itertools;
use maud::{Markup, html};

use super::evidence::{
    Evidence, FAIR, LUCK_ADJUSTED, MAX_LISTED, Noun, QuestionKind, SCORE_UNIT, UNCLEAR,
    against_fair, by_conclusion, change_chart, compared_with_first, comparisons,
    enough_deals_for_all, list, names, rounded, score_finding, size, sort_by, value_chart, verdict,
    with_conclusion,
};
use crate::html::rating_charts;
use crate::rows::{Conclusion, Finding, Matchup, Standing};
use crate::units::count;
use parlour_arena::{StopCondition, Tally, UNIT};
use parlour_stats::{Estimate, Sprt, Verdict};

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

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
        if let Some((champion, StopCondition::Sprt(test))) =
            self.champion.zip(evidence.plan.experiment().until.as_ref())
        {
            return self.variants.iter().map(|v| placed(evidence, *v, champion, test)).collect();
        }
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

    fn chart(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Markup {
        let summary = evidence.summary;
        if self.champion.is_none() && !summary.ladder.is_empty() {
            let variants: Vec<_> = self.variants.iter().map(|v| &summary.variants[*v]).collect();
            return rating_charts(&variants, |name| format!("Ratings under {name}"));
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

/// The verdicts of a sequential test on the champion of a gauntlet.
fn placed(evidence: &Evidence<'_>, variant: usize, champion: usize, test: &Sprt) -> String {
    let (all, name) = (&evidence.summary.variants[variant], evidence.plan.name_of(champion));
    let one = |row: &Matchup| {
        let words = match row.sprt_verdict? {
            Verdict::Upper => "stronger than",
            Verdict::Lower => "not stronger than",
            Verdict::Undecided => "undecided against",
        };
        let other = if row.strategy == name { &row.opponent } else { &row.strategy };
        Some(format!("{words} `{other}`"))
    };
    let verdicts = list(&all.matchups.iter().filter_map(one).collect_vec());
    let (Sprt { elo0, elo1, .. }, variant) = (test, &all.variant);
    format!(
        "By a sequential test of {elo0} against {elo1} Elo, `{name}` is {verdicts} under `{variant}`."
    )
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

    fn chart(&self, _: &Evidence<'_>, findings: &[Finding]) -> Markup {
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
            ..Finding::blank(["score", SCORE_UNIT, &row.variant, reference, subject])
        }
    };
    others.iter().zip(changes).map(one).collect()
}

/// A question about the stronger of two strategies.
#[derive(Debug)]
pub(super) struct PairingQuestion {
    /// The two strategies.
    pub strategies: [usize; 2],
    /// The variants.
    pub variants: Vec<usize>,
    /// `true` if the first was built to exploit the second, so that its score is a lower bound.
    pub is_bound: bool,
}

impl QuestionKind for PairingQuestion {
    fn title(&self, evidence: &Evidence<'_>) -> String {
        let [a, b] = self.strategies.map(|s| evidence.plan.name_of(s));
        let under = match self.variants.as_slice() {
            [one] => format!(" under {}", evidence.summary.variants[*one].variant),
            _ => String::new(),
        };
        if self.is_bound {
            format!("How far can {b} be exploited{under}?")
        } else {
            format!("Is {a} stronger than {b}{under}?")
        }
    }

    fn findings(&self, evidence: &Evidence<'_>) -> Vec<Finding> {
        let [a, b] = self.strategies;
        let finding = |v: &usize| match () {
            () if self.is_bound => bound(evidence, *v, a, b).or_else(|| evidence.pairing(*v, a, b)),
            () => evidence.pairing(*v, a, b),
        };
        self.variants.iter().filter_map(finding).collect()
    }

    fn sentences(&self, evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<String> {
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

    fn chart(&self, _: &Evidence<'_>, findings: &[Finding]) -> Markup {
        let title = |f: &Finding| format!("Score of {} against {}", f.subject, f.reference);
        let title = findings.first().map(title).unwrap_or_default();
        value_chart(findings, &title, "even", |f| &f.variant)
    }
}

/// The luck-adjusted score of a strategy that was built to exploit the other; `None` without one.
fn bound(evidence: &Evidence<'_>, v: usize, attacker: usize, target: usize) -> Option<Finding> {
    let row = evidence.matchup(v, attacker, target)?;
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
            let blank =
                Finding::blank([figure, "share of the win", "revised", "steady", "response"]);
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
