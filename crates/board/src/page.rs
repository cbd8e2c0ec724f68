//! A self-contained page to step through recorded hands.

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use serde_json::{Value, json};

use super::delta::delta;
use super::{BOARD_CSS, BOARD_JS};
use parlour_game::ReplayView;
use parlour_game::search::Comparison;

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
    /// The seat with the curve of its chance to win.
    pub seat: usize,
    /// A note on each move that was a choice.
    pub notes: Vec<Note>,
}

/// A note on a move.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Note {
    /// The index of the move, from 0.
    pub at: usize,
    /// The kind of the move, as the game names it.
    pub kind: &'static str,
    /// The move that the adviser prefers: the move played if they agree.
    pub best: String,
    /// The chances to win after both moves; `None` if the adviser gives none.
    pub values: Option<Comparison>,
    /// The [mark](Comparison::mark) of the loss; `other` if the adviser prefers another move and gives
    /// no values.
    pub mark: &'static str,
    /// The reason in a sentence, if the adviser does not search and has one.
    pub why: Option<String>,
}

impl Note {
    /// Returns the loss in chance to win; 0 if the adviser agrees, `None` without values.
    pub fn loss(&self) -> Option<f64> {
        match &self.values {
            None => (self.mark != "other").then_some(0.0),
            Some(values) => Some(values.loss()),
        }
    }
}

/// Returns the page for these hands.
pub fn page(title: &str, hands: &[Hand]) -> String {
    page_with_introduction(title, &html! {}, hands)
}

/// Returns the page for these hands, with an introduction above them.
pub fn page_with_introduction(title: &str, introduction: &Markup, hands: &[Hand]) -> String {
    let data = json!(hands.iter().map(Hand::data).collect::<Vec<Value>>());
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
                header { h1 { (title) } (introduction) }
                main id="hand" { noscript { "This page needs JavaScript to draw the table." } }
                script type="application/json" id="data" { (PreEscaped(data)) }
                script { (PreEscaped(BOARD_JS)) (PreEscaped(include_str!("hand.js"))) }
            }
        }
    };
    page.into_string() + "\n"
}

impl Hand {
    /// Returns the hand as the page's script reads it: each frame but the first as a change.
    pub fn data(&self) -> Value {
        let frames: Vec<Value> = self.replay.frames.iter().map(|frame| json!(frame)).collect();
        let changes = frames.windows(2).map(|two| delta(&two[0], &two[1]).unwrap_or(Value::Null));
        let mut all = json!(self.replay);
        all["title"] = json!(self.title);
        all["first"] = json!(frames.first());
        all["changes"] = changes.collect();
        all["adviser"] = json!(self.adviser);
        all
    }
}
