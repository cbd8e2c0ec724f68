//! `hands.html`: the most lopsided and the closest hands of a run that keeps records, to be stepped
//! through.

use std::path::Path;

use maud::{Markup, html};
use serde::Deserialize;

use crate::Result;
use crate::files::{Lines, write_atomic};
use crate::game::ReplayFn;
use crate::viewer::{self, Hand};

/// The file's name in a result folder.
pub const HANDS: &str = "hands.html";

/// So many hands of each kind.
const EACH: usize = 3;

/// What a record says of how its hand ended.
#[derive(Deserialize)]
struct Ended {
    variant: String,
    deal: u64,
    hand: u32,
    seats: Vec<String>,
    scores: Vec<i64>,
}

impl Ended {
    /// How far the best seat is ahead of the next.
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

/// A hand that may be chosen.
struct Candidate {
    /// What it is chosen by: the less the better.
    rank: i64,
    /// Its place in the file.
    place: u64,
    title: String,
    text: String,
}

/// Takes a hand among the best so many, unless all of them are as good and came before.
fn offer(best: &mut Vec<Candidate>, most: usize, rank: i64, make: impl Fn() -> Candidate) {
    let at = best.partition_point(|there| there.rank <= rank);
    if at < most {
        best.insert(at, Candidate { rank, ..make() });
        best.truncate(most);
    }
}

/// Writes the page, where the folder has records; the titles of its hands.
///
/// # Errors
/// When the records cannot be read, or the page not written.
pub fn write_hands(folder: &Path, name: &str, retell: ReplayFn) -> Result<Vec<String>> {
    let records = folder.join("records.jsonl");
    if !records.exists() {
        return Ok(Vec::new());
    }
    let hands = chosen(&records, retell)?;
    if !hands.is_empty() {
        let title = format!("Hands of {name}");
        write_atomic(&folder.join(HANDS), viewer::page(&title, &hands))?;
    }
    Ok(hands.into_iter().map(|hand| hand.title).collect())
}

/// The hands to look at. One that cannot be played again is left out: another program wrote it.
fn chosen(records: &Path, retell: ReplayFn) -> Result<Vec<Hand>> {
    let (mut lopsided, mut closest) = (Vec::new(), Vec::new());
    let mut place = 0;
    for line in Lines::open(records, 1, "record of a hand")? {
        let text = line?.text;
        let Ok(ended) = serde_json::from_str::<Ended>(&text) else { continue };
        place += 1;
        let margin = ended.margin();
        let make = |kind| {
            let (title, text) = (ended.title(kind), text.clone());
            Candidate { rank: 0, place, title, text }
        };
        offer(&mut lopsided, EACH, -margin, || make("most lopsided"));
        offer(&mut closest, 2 * EACH, margin, || make("closest"));
    }
    // A run of few hands has some that are both.
    closest.retain(|one| lopsided.iter().all(|other| other.place != one.place));
    closest.truncate(EACH);
    let hand = |Candidate { title, text, .. }: Candidate| {
        Some(Hand { title, replay: retell(&text).ok()?, adviser: None })
    };
    Ok(lopsided.into_iter().chain(closest).filter_map(hand).collect())
}

/// Links to the hands.
pub(super) fn section(titles: &[String]) -> Markup {
    html! {
        @if !titles.is_empty() {
            p { "The hands with the largest margins and with the smallest, to be stepped through; all are in " a href="records.jsonl" { "records.jsonl" } "." }
            ul.said { @for (number, title) in (1..).zip(titles) {
                li { a href=(format!("{HANDS}#hand-{number}")) { (title) } }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ReplayView;

    #[test]
    fn the_largest_and_the_smallest_margins_are_chosen_each_hand_once() {
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
            let hands = chosen(file.path(), none).unwrap();
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
