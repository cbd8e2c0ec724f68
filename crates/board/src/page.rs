//! A self-contained page to step through recorded hands.

use maud::{DOCTYPE, PreEscaped, html};
use serde::Serialize;
use serde_json::{Value, json};

use super::delta::delta;
use super::{BOARD_CSS, BOARD_JS};
use parlour_game::ReplayView;

/// A hand on a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Hand {
    /// The title: the deal, the players, the reason why it is shown.
    pub title: String,
    /// The hand as every seat saw it.
    pub replay: ReplayView,
    /// The notes of an adviser, if any.
    pub adviser: Option<Adviser>,
}

/// The notes of a strategy on the moves of a hand.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Adviser {
    /// The name of the strategy.
    pub name: String,
    /// `true` if its values are probabilities of winning; otherwise they are mean rewards, which
    /// count points too.
    pub is_chance: bool,
    /// A note on each move that was a choice.
    pub notes: Vec<Note>,
}

/// A note on a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Note {
    /// The index of the move, from 0.
    pub at: usize,
    /// The move that the adviser prefers.
    pub best: String,
    /// The value of the actual move for the seat that made it; `None` if the adviser did not try
    /// it.
    pub value: Option<f64>,
    /// The value of the preferred move.
    pub best_value: Option<f64>,
    /// The mark of the move. `?`: it costs more than the uncertainty. `??`: it costs over 0.05 as
    /// well. `other`: the adviser prefers another move, without a value.
    pub mark: &'static str,
    /// The reason in a sentence, if the adviser does not search and has one.
    pub why: Option<String>,
}

/// Returns the page for these hands.
pub fn page(title: &str, hands: &[Hand]) -> String {
    let data = json!(hands.iter().map(written).collect::<Vec<Value>>());
    // No text may close the element that holds it.
    let data = data.to_string().replace('<', "\\u003c");
    let policy =
        "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:";
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="generator" content=(concat!("parlour ", env!("CARGO_PKG_VERSION")));
                meta http-equiv="Content-Security-Policy" content=(policy);
                link rel="icon" href="data:,";
                title { (title) }
                style { (PreEscaped(BOARD_CSS)) (PreEscaped(include_str!("hand.css"))) }
            }
            body {
                header { h1 { (title) } }
                main id="hand" { noscript { "This page needs JavaScript to draw the table." } }
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(BOARD_JS)) (PreEscaped(include_str!("hand.js"))) }
            }
        }
    };
    page.into_string() + "\n"
}

/// Returns a hand as the page's script reads it: each frame but the first as a change.
fn written(hand: &Hand) -> Value {
    let frames: Vec<Value> = hand.replay.frames.iter().map(|frame| json!(frame)).collect();
    let changes = frames.windows(2).map(|two| delta(&two[0], &two[1]).unwrap_or(Value::Null));
    let mut all = json!(hand.replay);
    all["title"] = json!(hand.title);
    all["first"] = json!(frames.first());
    all["changes"] = changes.collect();
    all["adviser"] = json!(hand.adviser);
    all
}
