//! The summary in sentences, made from the numbers with their doubt.

use maud::{Markup, html};

use super::super::{Comparison, Confirmed, Matchup, Summary, VariantSummary};
use super::story::Ruled;
use super::{Story, heading};
use crate::arena::Until;
use crate::chart::show;
use crate::stats::{Controlled, Estimate, Verdict, survives};

/// How large the run was.
pub(super) fn size(story: &Story, summary: &Summary) -> String {
    let hands: u64 = summary.variants.iter().map(|v| v.hands).sum();
    let count = |n: u64, one: &str, many: &str| {
        format!("{} {}", spaced(n), if n == 1 { one } else { many })
    };
    format!(
        "{}, {}, {} and {} in all; seed {}; program {}",
        count(story.variants.len() as u64, "variant", "variants"),
        count(story.strategies.len() as u64, "strategy", "strategies"),
        count(summary.deals, "deal", "deals"),
        count(hands, "hand", "hands"),
        story.seed,
        story.program,
    )
}

/// A number with its thousands apart.
pub(super) fn spaced(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// The sentences.
pub(super) fn sentences(story: &Story, summary: &Summary) -> Vec<Markup> {
    let mut said = Vec::new();
    if summary.deals < 2 {
        said.push(html! {
            "There was one deal only, so no number here has an interval. More deals tell how sure the "
            "numbers are."
        });
    }
    said.extend(end(story, summary));
    said.extend(fairness(story, summary));
    said.extend(control(summary));
    said.extend(change(summary));
    said.extend(strength(story, summary));
    said.extend(confirmed(summary));
    said.extend(proven(summary));
    // The first seat's score and the spread of the ratings have sentences of their own.
    let headlines: Vec<usize> = summary.headlines().collect();
    for &figure in &headlines[1..headlines.len() - 1] {
        said.extend(range(summary, figure));
    }
    said.extend(spread(summary));
    said.push(html! {
        b { "Reach. " } "These findings hold for these strategies. Stronger strategies may reach other results under the same rules."
    });
    said
}

fn matchups(summary: &Summary) -> impl Iterator<Item = &Matchup> {
    summary.variants.iter().flat_map(|variant| &variant.matchups)
}

/// When and why the run ended, where it might have ended early.
fn end(story: &Story, summary: &Summary) -> Vec<Markup> {
    let Some(until) = story.until else { return Vec::new() };
    let deals = summary.deals;
    let mut said = vec![html! {
        b { "End. " }
        @if summary.early {
            "The run ended after " (spaced(deals)) " of at most " (spaced(story.deals)) " deals, because "
        } @else {
            "All " (spaced(deals)) " deals were played. The run would have ended early, once "
        }
        @match until {
            Until::HalfWidth(half) => { "every score was known to ± " (half.to_string()) "." }
            Until::Sprt(spec) => {
                "a sequential test of " (spec.elo0.to_string()) " against "
                (spec.elo1.to_string()) " Elo (error rates " (spec.alpha.to_string()) " and " (spec.beta.to_string())
                ") had decided every pairing. The intervals of such a run do not allow for the early end and are somewhat too narrow."
            }
        }
    }];
    if let Until::Sprt(spec) = until {
        said.extend(matchups(summary).filter_map(|row| {
            let verdict = match row.sprt? {
                Verdict::Upper => format!("accepted: at least {} Elo stronger", spec.elo1),
                Verdict::Lower => format!("accepted: at most {} Elo stronger", spec.elo0),
                Verdict::Undecided => "undecided".to_owned(),
            };
            Some(html! {
                b { "Test. " } code { (row.strategy) } " against " code { (row.opponent) } " under "
                code { (row.variant) } ": " (verdict) "."
            })
        }));
    }
    said
}

/// Parts one after the other, the last after “and”.
fn joined(parts: &[Markup]) -> Markup {
    html! {
        @for (index, part) in parts.iter().enumerate() {
            @if index > 0 { @if index + 1 == parts.len() { " and " } @else { ", " } }
            (part)
        }
    }
}

/// Estimates by variant: “0.512 ± 0.002 under `revised`”.
fn by_variant<'a>(
    rows: impl IntoIterator<Item = (&'a String, Option<Estimate>)>,
) -> Option<Markup> {
    let part = |(variant, estimate): (&String, Option<Estimate>)| {
        Some(html! { (show(Some(estimate?))) " under " code { (variant) } })
    };
    let parts: Vec<Markup> = rows.into_iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| joined(&parts))
}

/// Which variants favour the first seat.
fn fairness(story: &Story, summary: &Summary) -> Vec<Markup> {
    let side = |(row, ruled): (&VariantSummary, &Ruled)| {
        let fair = 1.0 / ruled.seats.max(1) as f64;
        let interval = row.first_seat().and_then(|score| score.interval);
        interval.map_or(0, |(low, high)| i8::from(low > fair) - i8::from(high < fair))
    };
    let said = [
        (1, "more than its fair share."),
        (0, "no clear difference from its fair share."),
        (-1, "less than its fair share."),
    ];
    let say = |(of, end): (i8, &str)| {
        let rows = summary.variants.iter().zip(&story.variants).filter(|row| side(*row) == of);
        let list = by_variant(rows.map(|(row, _)| (&row.variant, row.first_seat())))?;
        Some(html! { b { "Fairness. " } "The first seat scores " (list) ": " (end) })
    };
    said.into_iter().filter_map(say).collect()
}

/// What the cards of the deals explain of the first seat's score.
fn control(summary: &Summary) -> Option<Markup> {
    let part = |row: &VariantSummary| {
        let Controlled { mean, saved } = row.controlled?;
        let saved = format!("{:.0} %", 100.0 * saved).replace('-', "−");
        Some(
            html! { (show(Some(mean))) " under " code { (row.variant) } " (" (saved) " of the variance saved)" },
        )
    };
    let parts: Vec<Markup> = summary.variants.iter().filter_map(part).collect();
    (!parts.is_empty()).then(|| {
        html! {
            b { "Cards. " } "Corrected for the strength of the cards that the seats draw, the first seat scores "
            (joined(&parts)) ". The coefficients for a chunk of deals were fitted on the other chunks."
        }
    })
}

/// How the first seat's score changes from the first variant to the others.
fn change(summary: &Summary) -> Option<Markup> {
    let seats = || summary.from_first().filter_map(Comparison::first_seat);
    let list = by_variant(seats().map(|d| (&d.variant_b, Some(d.difference))))?;
    let significant = seats().filter(|d| survives(d.p_holm)).count();
    let all = summary.differences().filter(|d| d.p.is_some()).count() as u64;
    let kept = summary.differences().filter(|d| survives(d.p_holm)).count() as u64;
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
fn strength(story: &Story, summary: &Summary) -> Option<Markup> {
    if story.strategies.len() < 2 {
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
    let lead = |row: &VariantSummary, alone: bool| {
        let [top, second, ..] = row.standings.as_slice() else { return None };
        let score = row.scores[top.number][second.number]?;
        Some(html! {
            (show(Some(score))) " against the runner-up " code { (second.strategy) }
            @if !alone { " (" code { (row.variant) } ")" }
        })
    };
    let one = |name: &str, rows: &[&VariantSummary]| {
        let names: Vec<Markup> = rows.iter().map(|row| html! { code { (row.variant) } }).collect();
        let leads: Vec<Markup> = rows.iter().filter_map(|row| lead(row, rows.len() == 1)).collect();
        html! {
            code { (name) } " under "
            @if rows.len() == summary.variants.len() && rows.len() > 1 { "every variant" }
            @else { (joined(&names)) }
            @if !leads.is_empty() { ", where it scores " (joined(&leads)) }
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
            @for variant in summary.variants.iter().filter(|v| v.population.is_some()) {
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
    let compared = matchups(summary).filter(|m| m.p_holm.is_some()).count();
    let proven = matchups(summary).filter(|m| survives(m.p_holm)).count();
    (compared > 0).then(|| {
        html! {
            b { "Significance. " }
            @if compared == proven { "All " (compared) } @else { (proven) " of " (compared) }
            @if compared == 1 { " pairing differs" } @else { " pairings differ" }
            " significantly from equal strength (5 %, with Holm's correction for many comparisons). "
            @if let Some(ring) = summary.variants.iter().find(|v| v.population.is_some()) {
                "Under " code { (ring.variant) } " some strategies beat one another in a ring, so no ladder orders them."
            } @else { "No ring of strategies that beat one another is proven." }
        }
    })
}

/// The least and the largest of a figure over the variants.
fn range(summary: &Summary, figure: usize) -> Option<Markup> {
    let mut rows: Vec<(&str, Estimate)> = summary
        .variants
        .iter()
        .filter_map(|v| v.figures[figure].map(|e| (v.variant.as_str(), e)))
        .collect();
    rows.sort_by(|a, b| a.1.value.total_cmp(&b.1.value));
    let about = summary.figures[figure];
    let (low, high) = (rows.first()?, rows.last()?);
    Some(html! {
        b { (heading(about.name)) ". " } (show(Some(low.1)))
        @if rows.len() > 1 {
            " under " code { (low.0) } " to " (show(Some(high.1))) " under " code { (high.0) }
        }

        ". " span.dim { (about.meaning) }
    })
}

/// How far the rules let strength show.
fn spread(summary: &Summary) -> Option<Markup> {
    let list = by_variant(summary.variants.iter().map(|v| (&v.variant, v.skill_spread())))?;
    Some(html! {
        b { "Skill. " } "The standard deviation of the strategies' ratings, in Elo, is " (list)
        ". The larger it is, the more skill the rules let show."
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_stand_apart() {
        let show = |n| super::spaced(n).replace('\u{202f}', " ");
        assert_eq!([0, 999, 1000, 1_234_567].map(show), ["0", "999", "1 000", "1 234 567"]);
    }
}
