//! `hands.html`: the most lopsided and the closest hands of a run with records, as replays.

use std::path::Path;

use itertools::{Itertools, process_results};
use maud::{Markup, html};
use serde::Deserialize;

use crate::run_dir::HANDS_PAGE;
use parlour_base::error::Result;
use parlour_base::files::{Lines, write_atomic};
use parlour_board::Hand;
use parlour_game::ReplayFn;

/// Number of hands of each kind.
const HANDS_PER_KIND: usize = 3;

/// The result of a hand in its record.
#[derive(Deserialize)]
struct HandResult {
    variant: String,
    deal: u64,
    hand: u32,
    seats: Vec<String>,
    scores: Vec<i64>,
}

impl HandResult {
    /// Lead of the best seat over the next.
    fn margin(&self) -> i64 {
        let mut scores = self.scores.clone();
        scores.sort_unstable_by(|a, b| b.cmp(a));
        scores.first().zip(scores.get(1)).map_or(0, |(best, next)| best.saturating_sub(*next))
    }

    fn title(&self, kind: &str) -> String {
        let points = self.seats.iter().zip(&self.scores);
        let points: Vec<String> = points.map(|(name, points)| format!("{name} {points}")).collect();
        let hand = if self.hand > 0 { format!(", hand {}", self.hand) } else { String::new() };
        let points = points.join(", ").replace('-', "−");
        format!("{kind}: {} deal {}{hand}: {points}", self.variant, self.deal)
    }
}

/// Writes the page if the folder has records. Returns the titles of its hands.
///
/// # Errors
/// If the records cannot be read, or the page cannot be written.
pub fn write_hands(folder: &Path, name: &str, retell: ReplayFn) -> Result<Vec<String>> {
    let records = folder.join("records.jsonl");
    if !records.exists() {
        return Ok(Vec::new());
    }
    let hands = select(&records, retell)?;
    if !hands.is_empty() {
        let title = format!("Hands of {name}");
        write_atomic(&folder.join(HANDS_PAGE), parlour_board::page(&title, &hands))?;
    }
    Ok(hands.into_iter().map(|hand| hand.title).collect())
}

/// Selects hands. Hands that cannot be replayed, because another program wrote them, are skipped.
fn select(records: &Path, retell: ReplayFn) -> Result<Vec<Hand>> {
    // The hands with the smallest ranks, with their places; of equal hands the earlier ones.
    let smallest = |count: usize, rank: fn(&HandResult) -> i64| {
        process_results(Lines::open(records, 1, "record of a hand")?, |lines| {
            let results = lines.filter_map(|line| {
                let result = serde_json::from_str::<HandResult>(&line.text).ok()?;
                Some((rank(&result), line.number, result, line.text))
            });
            results.k_smallest_by_key(count, |(rank, place, ..)| (*rank, *place)).collect_vec()
        })
    };
    let lopsided = smallest(HANDS_PER_KIND, |result| -result.margin())?;
    let closest = smallest(2 * HANDS_PER_KIND, HandResult::margin)?;
    // With few hands some are both.
    let is_other = |one: &(i64, usize, _, _)| lopsided.iter().all(|other| other.1 != one.1);
    let closest: Vec<_> = closest.into_iter().filter(is_other).take(HANDS_PER_KIND).collect();
    let titled = |kind: &'static str| {
        move |(_, _, result, text): (_, _, HandResult, String)| {
            Some(Hand { title: result.title(kind), replay: retell(&text).ok()?, adviser: None })
        }
    };
    let closest = closest.into_iter().filter_map(titled("closest"));
    Ok(lopsided.into_iter().filter_map(titled("most lopsided")).chain(closest).collect())
}

/// Links to the hands.
pub(super) fn section(titles: &[String]) -> Markup {
    html! {
        @if !titles.is_empty() {
            p { "Replays of the hands with the largest and the smallest margins. All hands are in " a href="records.jsonl" { "records.jsonl" } "." }
            ul.list { @for (number, title) in (1..).zip(titles) {
                li { a href=(format!("{HANDS_PAGE}#hand-{number}")) { (title) } }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_game::ReplayView;

    #[test]
    fn largest_and_smallest_margins_are_selected_once_each() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let write = |margins: &[i64]| {
            let line = |(deal, margin): (usize, &i64)| {
                format!(
                    r#"{{"variant":"v","deal":{deal},"hand":0,"seats":["a","b"],"scores":[{margin},0]}}"#
                )
            };
            let lines: Vec<String> = margins.iter().enumerate().map(line).collect();
            std::fs::write(file.path(), lines.join("\n")).unwrap();
            let none: ReplayFn = |_| {
                let (moves, frames, points) = (Vec::new(), Vec::new(), Vec::new());
                Ok(ReplayView { head: serde_json::Map::new(), moves, frames, points })
            };
            let hands = select(file.path(), none).unwrap();
            hands.into_iter().map(|hand| hand.title.replace(" deal", "")).collect::<Vec<_>>()
        };
        assert_eq!(
            write(&[0, 3, 9, 1, 3, 9, 0, 1]),
            [
                "most lopsided: v 2: a 9, b 0",
                "most lopsided: v 5: a 9, b 0",
                "most lopsided: v 1: a 3, b 0",
                "closest: v 0: a 0, b 0",
                "closest: v 6: a 0, b 0",
                "closest: v 3: a 1, b 0",
            ]
        );
        assert_eq!(write(&[4]), ["most lopsided: v 0: a 4, b 0"]);
        assert!(write(&[]).is_empty());
    }
}
