//! Questions about the order of the strategies: against a champion, or each against the next.

use maud::{Markup, html};

use super::phrases::{MAX_LISTED, fair_share, names, rounded, subject, with_conclusion};
use super::{Answerable, Conclusion, Evidence, FAIR, Finding, sort_by, value_chart};
use crate::chart::{Axis, Dot, Mark, forest, span};
use crate::html::figure;
use crate::question::LadderQuestion;
use crate::rows::Standing;
use crate::summary::Summary;
use crate::units::count;
use parlour_arena::UNIT;

impl Answerable for LadderQuestion {
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
        let sentence = |v: &usize| {
            let variant = &evidence.summary.variants[*v].variant;
            let rows: Vec<Finding> =
                findings.iter().filter(|f| f.variant == *variant).cloned().collect();
            let first = rows.first()?;
            Some(match self.champion {
                Some(_) => gauntlet(&first.reference, variant, &rows),
                None if first.reference == FAIR => against_fair(variant, &rows),
                None => order(variant, &rows),
            })
        };
        self.variants.iter().filter_map(sentence).collect()
    }

    fn no_answer(&self) -> &'static str {
        match self.champion {
            Some(_) => "The run measured nothing that answers the question.",
            None => {
                "No neighbours by rating met, so the run cannot compare them; in a round-robin they meet."
            }
        }
    }

    fn chart(&self, summary: &Summary) -> Markup {
        let variants = || self.variants.iter().map(|v| &summary.variants[*v]);
        let findings = |variant: &str| -> Vec<Finding> {
            summary.answer.findings.iter().filter(|f| f.variant == variant).cloned().collect()
        };
        if self.champion.is_none() && !summary.ladder.is_empty() {
            let row = |s: &Standing| Dot {
                label: s.strategy.clone(),
                estimate: s.rating,
                mark: Mark::Strong,
            };
            let rows: Vec<Vec<Dot>> =
                variants().map(|v| v.standings.iter().map(row).collect()).collect();
            let axis = Axis { unit: "Elo", reference: None, span: span(rows.iter().flatten()) };
            return html! { div.grid { @for (variant, rows) in variants().zip(&rows) {
                @let title = format!("Ratings under {}", variant.variant);
                (figure(&title, &forest(&title, axis, rows), ""))
            } } };
        }
        html! { div.grid { @for variant in variants() {
            @let mut rows = findings(&variant.variant);
            @let () = sort_by(&mut rows, |f| f.subject_value);
            @let (against, reference) = match (self.champion, rows.first()) {
                (Some(_), Some(first)) => (format!(" against {}", first.reference), "even"),
                _ => (String::new(), "fair"),
            };
            (value_chart(&rows, &format!("Scores{against} under {}", variant.variant), reference, |f| f.subject.clone()))
        } } }
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
fn gauntlet(champion: &str, variant: &str, rows: &[Finding]) -> String {
    let number = |f: &Finding| f.subject_value.map(|score| f.unit().level(score, None));
    let found = |conclusion| {
        let found = with_conclusion(rows, conclusion);
        let list = names(&found, MAX_LISTED, subject, number);
        (found, list)
    };
    let (stronger, list) = found(Conclusion::Higher);
    let mut parts = vec![match stronger.len() {
        0 => format!("No opponent is clearly stronger than `{champion}` under `{variant}`"),
        n => format!(
            "Under `{variant}`, {n} of {} {} stronger than `{champion}`: {list}",
            count(rows.len() as u64, "opponent"),
            if n == 1 { "is" } else { "are" }
        ),
    }];
    for (conclusion, words) in
        [(Conclusion::Lower, "weaker"), (Conclusion::NoClearDifference, "no clear difference")]
    {
        let (found, list) = found(conclusion);
        parts.extend((!found.is_empty()).then(|| format!("{words}: {list}")));
    }
    let (few, list) = found(Conclusion::NotEnoughDeals);
    let needed = few.iter().filter_map(|f| f.deals_needed).max();
    let needed =
        needed.map_or(String::new(), |n| format!("; about {} would do", rounded(n, "deal")));
    parts.extend((!few.is_empty()).then(|| format!("not enough deals to place {list}{needed}")));
    parts.join("; ") + "."
}

/// The best and the worst strategy at tables of more than two.
fn against_fair(variant: &str, rows: &[Finding]) -> String {
    let value = |f: &Finding| f.subject_value.map_or(String::new(), |score| level(f, score));
    let (first, last) = (&rows[0], &rows[rows.len() - 1]);
    let fair = first.reference_value.map_or(String::new(), |fair| fair_share(fair.value));
    format!(
        "Under `{variant}`, `{}` scores most, {}, and `{}` least, {}; a fair share is {fair}.",
        first.subject,
        value(first),
        last.subject,
        value(last)
    )
}

/// “52.4 % (95 % interval 51.0 to 53.8 %)”.
fn level(f: &Finding, score: parlour_stats::Estimate) -> String {
    format!("{} ({})", f.unit().level(score, None), f.unit().interval(score))
}

/// The order of the strategies by rating.
fn order(variant: &str, rows: &[Finding]) -> String {
    let first = &rows[0];
    let mut order = format!("`{}`", first.subject);
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
    let rank = match first.conclusion {
        Conclusion::Higher => "is the strongest",
        _ => "is rated highest",
    };
    let score = first.subject_value.map_or(String::new(), |score| level(first, score));
    format!(
        "Under `{variant}`, `{}` {rank}: it scores {score} against `{}`, the next. The order is {order}{note}.",
        first.subject, first.reference
    )
}
