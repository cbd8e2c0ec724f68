//! Scores with the luck taken out, beside the plain ones.

use maud::{Markup, html};

use super::super::Summary;
use crate::chart::show;
use crate::stats::Estimate;

/// A line: under which variant, whose score, plain and adjusted, and the variance left.
type Line<'a> = (&'a str, Markup, Option<Estimate>, Option<Estimate>, Option<f64>);

/// Empty where luck was not judged.
pub(super) fn section(summary: &Summary) -> Markup {
    let pairing = |row: &'_ crate::Matchup| {
        html! { code { (row.strategy) } " against " code { (row.opponent) } }
    };
    let pairings = summary.matchups().filter(|row| row.score_adjusted.is_some());
    let pairings = pairings.map(|row| {
        (row.variant.as_str(), pairing(row), row.score, row.score_adjusted, row.variance_left)
    });
    let seats = summary.variants.iter().filter(|row| row.adjusted.is_some());
    let seats = seats.map(|row| {
        let found = row.adjusted;
        let left = found.map(|found| 1.0 - found.saved);
        let adjusted = found.map(|found| found.mean);
        (row.variant.as_str(), html! { "the first seat" }, row.first_seat(), adjusted, left)
    });
    let lines: Vec<Line<'_>> = seats.chain(pairings).collect();
    if lines.is_empty() {
        return html! {};
    }
    html! {
        p { "After each hand a judge who sees all cards says what every card was worth as it came. Over many hands that "
            "is nothing, so it can be taken out of the scores. The variance left is that of the adjusted score as a "
            "part of the plain one's: with 0.5, half as many deals do." }
        div.scroll { table {
            thead { tr { th.text { "variant" } th.text { "score of" } th { "plain" } th { "luck-adjusted" } th { "variance left" } } }
            tbody { @for (variant, whose, plain, adjusted, left) in lines { tr {
                td.text { code { (variant) } } td.text { (whose) }
                td { (show(plain)) } td { (show(adjusted)) }
                td { @if let Some(left) = left { (format!("{left:.2}")) } @else { "–" } }
            } } }
        } }
    }
}
