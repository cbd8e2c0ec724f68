//! The summary in sentences, made from the numbers with their doubt.

use maud::{Markup, html};

use super::super::{Comparison, Matchup, Summary, VariantSummary};
use super::{Story, plain};
use crate::arena::Until;
use crate::chart::show;
use crate::stats::{Estimate, Verdict, survives};

/// How large the run was.
pub(super) fn size(story: &Story, summary: &Summary) -> String {
    let deals = summary.deals;
    let hands: u64 = summary.variants.iter().map(|v| v.hands).sum();
    let count =
        |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
    format!(
        "{}, {}, {} and {} in all; seed {}; program {}",
        count(story.variants.len(), "variant", "variants"),
        count(story.strategies.len(), "strategy", "strategies"),
        if deals == 1 { "1 deal".to_owned() } else { format!("{} deals", spaced(deals)) },
        if hands == 1 { "1 hand".to_owned() } else { format!("{} hands", spaced(hands)) },
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
            "There was one deal only, so nothing here has an interval: play more deals to know how "
            "sure the numbers are."
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
    for &figure in &summary.headlines[1..summary.headlines.len() - 1] {
        said.extend(range(summary, figure));
    }
    said.extend(spread(summary));
    said.push(html! {
        b { "Reach. " } "All of this holds for these strategies; stronger ones may play the same rules to another result."
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
        @if summary.early { "After " (spaced(deals)) " of at most " (spaced(story.deals)) " deals it was enough: " }
        @else { "All " (spaced(deals)) " deals were played: " }
        @match until {
            Until::HalfWidth(half) => {
                "the run was to go on until every score is known to ± " (half.to_string()) "."
            }
            Until::Sprt(spec) => {
                "the run was to go on until a sequential test of " (spec.elo0.to_string()) " against "
                (spec.elo1.to_string()) " Elo (error rates " (spec.alpha.to_string()) " and " (spec.beta.to_string())
                ") had decided every pairing. Intervals of such a run do not know of the stop and are somewhat too narrow."
            }
        }
    }];
    if let Until::Sprt(spec) = until {
        said.extend(matchups(summary).filter_map(|row| {
            let verdict = match row.sprt? {
                Verdict::Upper => format!("accepted: at least {} Elo stronger", spec.elo1),
                Verdict::Lower => format!("rejected: no more than {} Elo stronger", spec.elo0),
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

/// Names with their estimates: “0.512 ± 0.002 under `revised`”.
fn list(rows: &[(&str, Estimate)]) -> Markup {
    html! {
        @for (index, (name, estimate)) in rows.iter().enumerate() {
            @if index > 0 { @if index + 1 == rows.len() { " and " } @else { ", " } }
            (show(Some(*estimate))) " under " code { (name) }
        }
    }
}

fn fairness(story: &Story, summary: &Summary) -> Vec<Markup> {
    let (mut edge, mut level, mut behind) = (Vec::new(), Vec::new(), Vec::new());
    for (row, ruled) in summary.variants.iter().zip(&story.variants) {
        let Some(score) = row.first_seat() else { continue };
        let (low, high) = score.interval.unwrap_or((f64::MIN, f64::MAX));
        let fair = 1.0 / ruled.seats.max(1) as f64;
        let place = if low > fair {
            &mut edge
        } else if high < fair {
            &mut behind
        } else {
            &mut level
        };
        place.push((row.variant.as_str(), score));
    }
    let say = |rows: &[(&str, Estimate)], end: &str| {
        (!rows.is_empty())
            .then(|| html! { b { "Fairness. " } "The first seat scores " (list(rows)) ": " (end) })
    };
    [
        say(&edge, "more than its fair share."),
        say(&level, "not told from its fair share by so many deals."),
        say(&behind, "less than its fair share."),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// What the cards of the deals explain of the first seat's score.
fn control(summary: &Summary) -> Option<Markup> {
    let rows: Vec<_> = summary
        .variants
        .iter()
        .filter_map(|row| row.controlled.map(|found| (row.variant.as_str(), found)))
        .collect();
    (!rows.is_empty()).then(|| {
        html! {
            b { "Cards. " } "With what the strength of the cards drawn explains taken out, the first seat scores "
            @for (index, (variant, found)) in rows.iter().enumerate() {
                @if index > 0 { ", " }
                (show(Some(found.mean))) " under " code { (variant) }
                " (" (format!("{:.0} %", 100.0 * found.saved).replace('-', "−")) " of the variance saved)"
            }
            "; the coefficients that a chunk of deals meets were fitted on the others."
        }
    })
}

fn change(summary: &Summary) -> Option<Markup> {
    let first = &summary.variants.first()?.variant;
    let seats = || summary.from_first().filter_map(Comparison::first_seat);
    let rows: Vec<(&str, Estimate)> =
        seats().map(|d| (d.variant_b.as_str(), d.difference)).collect();
    let told = seats().filter(|d| survives(d.p_holm)).count();
    let all = summary.differences().filter(|d| d.p.is_some()).count();
    let kept = summary.differences().filter(|d| survives(d.p_holm)).count();
    (!rows.is_empty()).then(|| {
        html! {
            b { "Change. " } "Against " code { (first) } " on the same deals the first seat's score changes by "
            (list(&rows)) "; "
            @if told == 0 { "none is told from no change" }
            @else if rows.len() == 1 { "that is told from no change" }
            @else { (told) " of " (rows.len()) " are told from no change" }
            ". Of all " (spaced(all as u64)) " changes of figures between variants "
            (spaced(kept as u64)) " survive Holm's correction (5 %)."
        }
    })
}

fn strength(story: &Story, summary: &Summary) -> Vec<Markup> {
    if story.strategies.len() < 2 {
        return vec![html! {
            "One strategy has nobody to be compared with: there are no ratings, and no share of skill."
        }];
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
        let leads: Vec<(&str, Estimate, &str)> = rows
            .iter()
            .filter_map(|row| {
                let [top, second, ..] = row.standings.as_slice() else { return None };
                let met = row.scores[top.number][second.number]?;
                Some((second.strategy.as_str(), met, row.variant.as_str()))
            })
            .collect();
        html! {
            code { (name) }
            @if rows.len() == summary.variants.len() && rows.len() > 1 { " under every variant" }
            @else { " under " @for (i, row) in rows.iter().enumerate() {
                @if i > 0 { @if i + 1 == rows.len() { " and " } @else { ", " } } code { (row.variant) }
            } }
            @if !leads.is_empty() { ", where it scores "
                @for (i, (other, score, variant)) in leads.iter().enumerate() {
                    @if i > 0 { ", " }
                    (show(Some(*score))) " against the runner-up " code { (other) }
                    @if leads.len() > 1 { " (" code { (variant) } ")" }
                }
            }
        }
    };
    let mut said = Vec::new();
    if !groups.is_empty() {
        said.push(html! {
            b { "Strength. " }
            @if groups.len() > 1 { "Which strategy is rated highest depends on the variant: " }
            @else { "The highest rating has " }
            @for (index, (name, rows)) in groups.iter().enumerate() {
                @if index > 0 { "; " } (one(name, rows))
            }
            "."
            @for variant in summary.variants.iter().filter(|v| v.population.is_some()) {
                " Under " code { (variant.variant) } " a rating orders nothing: some strategies there beat one another in a ring."
            }
        });
    }
    said
}

/// The best of many on deals that did not choose it.
fn confirmed(summary: &Summary) -> Vec<Markup> {
    let half = |e: Option<Estimate>| e.and_then(|e| e.interval).is_some_and(|(low, _)| low > 0.5);
    let said = summary.variants.iter().filter_map(|variant| {
        let rows = &variant.confirmed;
        let first = rows.first()?;
        let beaten = rows.iter().filter(|row| half(row.score)).count();
        let hardest = rows.iter().min_by(|a, b| {
            let value = |e: Option<Estimate>| e.map_or(1.0, |e| e.value);
            value(a.score).total_cmp(&value(b.score))
        })?;
        Some(html! {
            b { "Measured again. " } "On " (spaced(first.deals)) " fresh deals, which had no part in choosing it, "
            code { (first.strategy) } " beats " (beaten) " of " (rows.len()) " others under "
            code { (variant.variant) } "; against the hardest, " code { (hardest.opponent) } ", it scores "
            (show(hardest.score))
            @if hardest.chosen_score.is_some() { " (" (show(hardest.chosen_score)) " when it was chosen)" } "."
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
            b { "Proof. " }
            @if compared == proven { "All " (compared) } @else { (proven) " of " (compared) }
            @if compared == 1 { " pairing differs" } @else { " pairings differ" }
            " from equal strength after Holm's correction for so many comparisons (5 %)"
            @if let Some(ring) = summary.variants.iter().find(|v| v.population.is_some()) {
                "; under " code { (ring.variant) } " some strategies beat one another in a ring, so no ladder orders them"
            } @else { "; no ring of strategies that beat one another is proven" }
            "."
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
    let name = plain(about.name);
    let mut letters = name.chars();
    let name: String =
        letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default() + letters.as_str();
    let (low, high) = (rows.first()?, rows.last()?);
    Some(html! {
        b { (name) ". " } (show(Some(low.1)))
        @if rows.len() > 1 {
            " under " code { (low.0) } " to " (show(Some(high.1))) " under " code { (high.0) }
        }

        ". " span.dim { (about.meaning) }
    })
}

fn spread(summary: &Summary) -> Option<Markup> {
    let rows: Vec<(&str, Estimate)> = summary
        .variants
        .iter()
        .filter_map(|v| v.skill_spread().map(|e| (v.variant.as_str(), e)))
        .collect();
    (!rows.is_empty()).then(|| {
        html! {
            b { "Skill. " } "In Elo, the ratings of the strategies have a standard deviation of " (list(&rows))
            ": the more, the more skill the rules let show."
        }
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
