//! A page on which recorded hands can be stepped through; it needs nothing but itself.

use maud::{DOCTYPE, PreEscaped, html};
use serde::Serialize;
use serde_json::{Value, json};

use super::delta::delta;
use super::{BOARD_CSS, BOARD_JS};
use crate::game::ReplayView;

/// A hand on a page.
#[derive(Clone, PartialEq, Debug)]
pub struct Hand {
    /// What it is called: its deal, who played, why it is shown.
    pub title: String,
    /// The hand as every seat saw it.
    pub told: ReplayView,
    /// What a strategy makes of its moves, where one was asked.
    pub adviser: Option<Adviser>,
}

/// What a strategy makes of the moves of a hand.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Adviser {
    /// Its name.
    pub name: String,
    /// Whether its values are chances to win; otherwise they are mean rewards, which count points too.
    pub is_chance: bool,
    /// What it says of each move that was a choice.
    pub notes: Vec<Note>,
}

/// What a strategy makes of a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Note {
    /// The move's place, from 0.
    pub at: usize,
    /// What it would have done.
    pub best: String,
    /// What it makes of the move that was made, for the seat that made it; none if it has not tried it.
    pub value: Option<f64>,
    /// What it expects of its own.
    pub best_value: Option<f64>,
    /// How the move is marked: `?` where it costs more than doubt allows, `??` where it costs over
    /// 0.05 as well, `other` where the adviser would have done something else that it cannot value.
    pub mark: &'static str,
    /// Why it would have done so, in a sentence, where it does not search and can say so.
    pub why: Option<String>,
}

/// The page about these hands.
pub fn page(title: &str, hands: &[Hand]) -> String {
    let data = json!(hands.iter().map(written).collect::<Vec<Value>>());
    // Nothing in a text may end the element that holds it.
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
                main id="hand" { noscript { "This page draws the table with JavaScript, which is off." } }
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(BOARD_JS)) (PreEscaped(include_str!("hand.js"))) }
            }
        }
    };
    page.into_string() + "\n"
}

/// A hand as the page's script reads it: each frame but the first as what changed.
fn written(hand: &Hand) -> Value {
    let frames: Vec<Value> = hand.told.frames.iter().map(|frame| json!(frame)).collect();
    let changes = frames.windows(2).map(|two| delta(&two[0], &two[1]).unwrap_or(Value::Null));
    let mut all = json!(hand.told);
    all["title"] = json!(hand.title);
    all["first"] = json!(frames.first());
    all["changes"] = changes.collect();
    all["adviser"] = json!(hand.adviser);
    all
}
