//! How the numbers were made, and how to make them again.

use maud::{Markup, html};

use super::super::Summary;
use super::Story;
use super::words::spaced;

#[expect(clippy::unnecessary_wraps, reason = "sections may be missing; this one never is")]
pub(super) fn section(story: &Story, summary: &Summary) -> Option<Markup> {
    Some(html! {
        p { "Deals: " (spaced(summary.deals)) ". Each deal was played once for every rotation of the strategies over the "
            "seats, by every pairing and under every variant. The cards were always the same, so luck cancels within "
            "a deal. The tallies are whole numbers, from which the numbers on this page are computed once." }
        ul.said {
            li { b { "Scores" } ": 1 for a win, a share for a shared one. Interval: Wilson's, with an effective number of "
                "deals from the variance between deals (Dean and Pagano 2015)." }
            li { b { "Ratings" } ": the model of Bradley and Terry with Davidson's draws and a term for the seat; with more "
                "than two seats, over all pairs of seats by their points." }
            li { b { "Other intervals and changes" } ": the delete-a-group jackknife over chunks of deals (Kott 2001), which "
                "keeps together what shares a deal." }
            li { b { "Many comparisons" } ": Holm's method (1979), once over all pairings and once over all changes of "
                "figures between variants." }
            @if summary.variants.iter().any(|v| v.controlled.is_some()) {
                li { b { "Cards" } ": the differences between the seats' cards are control variates; their coefficients are "
                    "fitted on other chunks of deals (Lavenberg and Welch 1981; Avramidis and Wilson 1993)." }
            }
            li { b { "Rings" } ": strongly connected parts of the graph of significant wins. Where there is a ring, Nash "
                "averaging of greatest entropy (Balduzzi et al. 2018) and α-rank (Omidshafiei et al. 2019), with a "
                "bootstrap over chunks." }
            li { b { "Luck and skill" } ": variance components of a two-way layout of deals and seatings (Searle et al. 1992)." }
        }
        h3 { "How to repeat this run" }
        pre { (story.command) }
        p.dim { "The same program gives the same bytes with any number of threads, on any machine. Program "
            (story.program) ", experiment " code { (&story.digest[..16.min(story.digest.len())]) } "." }
        details {
            summary { "The variants' rules" }
            @for variant in &story.variants { h3 { (variant.name) } pre { (spelled(&variant.rules)) } }
        }
        details {
            summary { "The strategies" }
            @for (name, about, spec) in &story.strategies {
                h3 { (name) } @if !about.is_empty() { p { (about) } } pre { (spelled(spec)) }
            }
        }
        p.dim { "Beside this page: " code { "matchups.csv" } ", " code { "strategies.csv" } ", " code { "variants.csv" } ", "
            code { "differences.csv" } " and more for your own analysis, " code { "manifest.json" } " with the run "
            "in full, and " code { "progress.jsonl" } " with the exact tallies." }
    })
}

fn spelled(value: &serde_json::Value) -> String {
    serde_json::to_string_pretty(value).expect("plain data")
}
