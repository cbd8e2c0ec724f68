//! The summary in sentences, made from the numbers with their doubt.

use maud::{Markup, html};

use super::super::ladder::equals;
use super::super::{Comparison, Confirmed, Summary, VariantSummary};
use super::heading;
use crate::arena::{ProgressHeader, StopCondition};
use crate::chart::show;
use crate::stats::{ControlledMean, Estimate, Verdict, is_significant};

/// How large the run was.
pub(super) fn size(header: &ProgressHeader, summary: &Summary) -> String {
    let experiment = &header.resolved.experiment;
    let count = |n: u64, one: &str, many: &str| {
        format!("{} {}", spaced(n), if n == 1 { one } else { many })
    };
    format!(
        "{}, {}, {} and {} in all; seed {}; program {}",
        count(summary.variants.len() as u64, "variant", "variants"),
        count(experiment.strategies.len() as u64, "strategy", "strategies"),
        count(summary.deals, "deal", "deals"),
        count(summary.variants.iter().map(|v| v.hands).sum(), "hand", "hands"),
        experiment.seed,
        header.program,
    )
}

/// A number with its thousands apart.
pub(super) fn spaced(n: u64) -> String {
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join("\u{202f}")
}

/// The sentences.
pub(super) fn sentences(header: &ProgressHeader, summary: &Summary) -> Vec<Markup> {
    let mut said = Vec::new();
    if summary.deals < 2 {
        said.push(html! {
            "There was one deal only, so no number here has an interval. More deals tell how sure the "
            "numbers are."
        });
    }
    said.extend(end(header, summary));
    said.extend(fairness(summary));
    said.extend(control(summary));
    said.extend(change(summary));
    said.extend(strength(summary));
    said.extend(confirmed(summary));
    said.extend(proven(summary));
    // The first seat's score has a sentence of its own.
    for figure in summary.headlines().skip(1) {
        said.extend(range(summary, figure));
    }
    said.extend(spread(summary));
    said.extend(luck(summary));
    if let Some(untuned) = &summary.untuned {
        said.push(html! { b { "Tuning. " } (untuned.replace('`', "")) });
    }
    said.push(html! {
        b { "Reach. " } "These findings hold for these strategies. Stronger strategies may reach other results under the same rules."
    });
    said
}

/// When and why the run ended, where it might have ended early.
fn end(header: &ProgressHeader, summary: &Summary) -> Vec<Markup> {
    let experiment = &header.resolved.experiment;
    let Some(until) = experiment.until else { return Vec::new() };
    let (deals, all) = (spaced(summary.deals), spaced(experiment.deals));
    let mut said = vec![html! {
        b { "End. " }
        @if summary.early {
            "The run ended after " (deals) " of at most " (all) " deals, because "
        } @else {
            "All " (deals) " deals were played. The run would have ended early, once "
        }
        @match until {
            StopCondition::HalfWidth(half) => { "every score was known to ± " (half.to_string()) "." }
            StopCondition::Sprt(spec) => {
                "a sequential test of " (spec.elo0.to_string()) " against "
                (spec.elo1.to_string()) " Elo (error rates " (spec.alpha.to_string()) " and " (spec.beta.to_string())
                ") had decided every pairing. The scores after the test allow for the early end; other figures do not, and lean a little towards the decision."
            }
        }
    }];
    if let StopCondition::Sprt(spec) = until {
        said.extend(summary.matchups().filter_map(|row| {
            let verdict = match row.sprt? {
                Verdict::Upper => format!("accepted: at least {} Elo stronger", spec.elo1),
                Verdict::Lower => format!("accepted: at most {} Elo stronger", spec.elo0),
                Verdict::Undecided => "undecided".to_owned(),
            };
            let (low, high) = spec.bounds();
            Some(html! {
                b { "Test. " } code { (row.strategy) } " against " code { (row.opponent) } " under "
                code { (row.variant) } ": " (verdict)
                @if let Some(llr) = row.sprt_llr { (format!(" (LLR {llr:.2}, bounds {low:.2} and {high:.2})")) }
                @if row.sprt_score.is_some() { "; the score after the test is " (show(row.sprt_score)) }
                "."
            })
        }));
    }
    said
}

/// Parts one after the other, the last after “and”; none without parts.
fn joined(parts: impl IntoIterator<Item = Markup>) -> Option<Markup> {
    let parts: Vec<Markup> = parts.into_iter().collect();
    let list = html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index > 0 { @if index + 1 == parts.len() { " and " } @else { ", " } }
            (part)
        }
    };
    (!parts.is_empty()).then_some(list)
}

/// An estimate and its variant: “0.512 ± 0.002 under `revised`”.
fn under(variant: &str, estimate: Option<Estimate>) -> Option<Markup> {
    estimate.map(|_| html! { (show(estimate)) " under " code { (variant) } })
}

/// Which variants favour the first seat.
fn fairness(summary: &Summary) -> Vec<Markup> {
    let side = |row: &VariantSummary| {
        let interval = row.first_seat().and_then(|score| score.interval);
        interval.map_or(0, |(low, high)| i8::from(low > row.fair()) - i8::from(high < row.fair()))
    };
    let say = |(of, end): (i8, &str)| {
        let rows = summary.variants.iter().filter(|row| side(row) == of);
        let list = joined(rows.filter_map(|row| under(&row.variant, row.first_seat())))?;
        Some(html! { b { "Fairness. " } "The first seat scores " (list) ": " (end) })
    };
    let ends = [
        (1, "more than its fair share."),
        (0, "no clear difference from its fair share."),
        (-1, "less than its fair share."),
    ];
    ends.into_iter().filter_map(say).collect()
}

/// What the cards of the deals explain of the first seat's score.
fn control(summary: &Summary) -> Option<Markup> {
    let part = |row: &VariantSummary| {
        let ControlledMean { mean, saved } = row.controlled?;
        let saved = format!("{:.0} %", 100.0 * saved).replace('-', "−");
        Some(html! { (under(&row.variant, Some(mean))?) " (" (saved) " of the variance saved)" })
    };
    let list = joined(summary.variants.iter().filter_map(part))?;
    Some(html! {
        b { "Cards. " } "Corrected for the strength of the cards that the seats draw, the first seat scores "
        (list) ". The coefficients for a chunk of deals were fitted on the other chunks."
    })
}

/// How the first seat's score changes from the first variant to the others.
fn change(summary: &Summary) -> Option<Markup> {
    let seats = || summary.from_first().filter_map(Comparison::first_seat);
    let list = joined(seats().filter_map(|d| under(&d.variant_b, Some(d.difference))))?;
    let significant = seats().filter(|d| is_significant(d.p_family)).count();
    let all = summary.differences().filter(|d| d.p.is_some()).count() as u64;
    let kept = summary.differences().filter(|d| is_significant(d.p_family)).count() as u64;
    Some(html! {
        b { "Change. " } "Compared with " code { (summary.variants.first()?.variant) }
        " on the same deals, the first seat's score changes by " (list) ". "
        @match (significant, seats().count()) {
            (0, _) => "No change is",
            (_, 1) => "The change is",
            (some, all) => { (some) " of these " (all) " changes are" }
        }
        " significant after Holm's correction (5 %). Of all " (spaced(all))
        " changes of figures between variants, " (spaced(kept)) @if kept == 1 { " is." } @else { " are." }
    })
}

/// The highest rated strategies, each with the variants under which it leads.
fn strength(summary: &Summary) -> Option<Markup> {
    if summary.variants.first()?.scores.len() < 2 {
        return Some(html! {
            "One strategy has nobody to be compared with: there are no ratings, and no share of skill."
        });
    }
    let mut groups: Vec<(&str, Vec<&VariantSummary>)> = Vec::new();
    for row in &summary.variants {
        let Some(top) = row.standings.first() else { continue };
        match groups.iter_mut().find(|(name, _)| *name == top.strategy) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((&top.strategy, vec![row])),
        }
    }
    let one = |name: &str, rows: &[&VariantSummary]| {
        let lead = |row: &&VariantSummary| {
            let [top, second, ..] = row.standings.as_slice() else { return None };
            let score = row.scores[top.number][second.number]?;
            Some(html! {
                (show(Some(score))) " against the runner-up " code { (second.strategy) }
                @if rows.len() > 1 { " (" code { (row.variant) } ")" }
            })
        };
        html! {
            code { (name) } " under "
            @if rows.len() == summary.variants.len() && rows.len() > 1 { "every variant" }
            @else if let Some(names) = joined(rows.iter().map(|row| html! { code { (row.variant) } })) { (names) }
            @if let Some(leads) = joined(rows.iter().filter_map(lead)) { ", where it scores " (leads) }
        }
    };
    (!groups.is_empty()).then(|| {
        html! {
            b { "Strength. " }
            @if groups.len() > 1 { "Which strategy is rated highest depends on the variant: " }
            @else { "The highest rated strategy is " }
            @for (index, (name, rows)) in groups.iter().enumerate() {
                @if index > 0 { "; " } (one(name, rows))
            }
            "."
            @for variant in summary.variants.iter().filter(|v| !v.population.is_empty()) {
                " Under " code { (variant.variant) } " the ratings are no ladder: some strategies beat one another in a ring."
            }
        }
    })
}

/// The best of many on deals that did not choose it.
fn confirmed(summary: &Summary) -> Vec<Markup> {
    let half = |e: Option<Estimate>| e.and_then(|e| e.interval).is_some_and(|(low, _)| low > 0.5);
    let value = |row: &Confirmed| row.score.map_or(1.0, |score| score.value);
    let said = summary.variants.iter().filter_map(|variant| {
        let rows = &variant.confirmed;
        let beaten = rows.iter().filter(|row| half(row.score)).count();
        let hardest = rows.iter().min_by(|a, b| value(a).total_cmp(&value(b)))?;
        Some(html! {
            b { "Measured again. " } "On " (spaced(hardest.deals)) " fresh deals, which had no part in choosing it, "
            code { (hardest.strategy) } " beats " (beaten) " of " (rows.len()) " opponents under "
            code { (variant.variant) } ". Against the hardest, " code { (hardest.opponent) } ", it scores "
            (show(hardest.score))
            @if hardest.chosen_score.is_some() { " (" (show(hardest.chosen_score)) " in the run that chose it)" } "."
        })
    });
    said.collect()
}

/// What many comparisons at once leave standing.
fn proven(summary: &Summary) -> Option<Markup> {
    let compared = summary.matchups().filter(|m| m.p_family.is_some()).count();
    let proven = summary.matchups().filter(|m| is_significant(m.p_family)).count();
    (compared > 0).then(|| {
        html! {
            b { "Significance. " }
            @match (proven, compared) {
                (1, 1) => "The pairing differs",
                (0, 1) => "The pairing does not differ",
                (0, _) => { "None of the " (compared) " pairings differs" }
                (1, _) => { "One of the " (compared) " pairings differs" }
                (some, all) if some == all => { "All " (all) " pairings differ" }
                (some, all) => { (some) " of " (all) " pairings differ" }
            }
            " significantly from equal strength (5 %, with Holm's correction for many comparisons). "
            @if let Some(ring) = summary.variants.iter().find(|v| !v.population.is_empty()) {
                "Under " code { (ring.variant) } " some strategies beat one another in a ring, so no ladder orders them."
            } @else { "No ring of strategies that beat one another is proven." }
        }
    })
}

/// A figure under each variant, in their order.
fn range(summary: &Summary, figure: usize) -> Option<Markup> {
    let about = summary.figures[figure];
    let one = |v: &VariantSummary| match v.fixed[figure] {
        Some(fixed) => Some(html! { (fixed.words()) " under " code { (v.variant) } }),
        None => under(&v.variant, v.figures[figure]),
    };
    let list = joined(summary.variants.iter().filter_map(one))?;
    Some(html! { b { (heading(about.name)) ". " } (list) ". " span.dim { (about.meaning) } })
}

/// The levels that can be told apart, and how far the ratings of these strategies lie apart.
fn spread(summary: &Summary) -> Option<Markup> {
    let rows = summary.variants.iter();
    let company = joined(
        summary.variants.first()?.standings.iter().map(|s| html! { code { (s.strategy) } }),
    )?;
    let list = joined(rows.clone().filter_map(|v| under(&v.variant, v.rating_spread())))?;
    let levels = joined(rows.filter(|v| v.levels.len() > 1).map(|v| {
        html! { (v.levels.len()) " under " code { (v.variant) } " (" (v.levels.join(" > ")) ")" }
    }));
    Some(html! {
        b { "Skill. " }
        @if let Some(levels) = levels { "Levels of strength, each scoring at least 60 % against the next: " (levels) ". " }
        "Among " (company) " the standard deviation of the ratings, in Elo, is " (list)
        "; it depends on this company."
    })
}

/// What the deal decides between equal good players, and between players at a stated gap.
fn luck(summary: &Summary) -> Option<Markup> {
    let one = |v: &VariantSummary| {
        let rung = equals(&summary.ladder, &v.variant)?;
        let percent = |e: Option<Estimate>| show(e.map(|e| e.scaled(100.0)));
        Some(html! {
            (percent(rung.luck_share_equal)) " % under " code { (v.variant) } " (" (percent(rung.luck_share_100))
            " % between two that are 100 Elo apart; judged by " code { (rung.strategy) } " and " code { (rung.below) } ")"
        })
    };
    let list = joined(summary.variants.iter().filter_map(one))?;
    Some(
        html! { b { "Luck. " } "Between two equal good players the deal decides so much of the variance of a result: " (list) "." },
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_stand_apart() {
        let show = |n| super::spaced(n).replace('\u{202f}', " ");
        assert_eq!([0, 999, 1000, 1_234_567].map(show), ["0", "999", "1 000", "1 234 567"]);
    }
}
