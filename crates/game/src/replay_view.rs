//! A recorded hand as every seat saw it, as JSON for pages.

use serde::Serialize;
use serde_json::{Map, Value};

use super::{PastMove, Recorded, Replay, Seat};
use parlour_base::error::Fault;

/// A replayed hand from the views of all seats.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReplayView {
    /// The fields around the play: game, variant, rules, deal, seats, scores, winner.
    #[serde(flatten)]
    pub head: Map<String, Value>,
    /// The recorded moves with their seats.
    pub moves: Vec<PastMove>,
    /// The views before each move and at the end.
    #[serde(skip)]
    pub frames: Vec<ReplayFrame>,
    /// For each frame, the points of each seat if the hand ended there.
    pub points: Vec<Vec<i32>>,
}

/// The [views](super::Game::View) of all seats at one moment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ReplayFrame {
    /// The fields that all views share.
    pub common: Map<String, Value>,
    /// The other fields of each seat's view.
    pub own: Vec<Map<String, Value>>,
}

/// A function that replays a record of some game from the views of all seats.
pub type ReplayFn = fn(&str) -> Result<ReplayView, Fault>;

/// The fields of a record around the play.
const HEAD: [&str; 10] =
    ["game", "variant", "rules", "deal", "hand", "rotation", "seed", "seats", "scores", "winner"];

impl ReplayView {
    /// Replays a line of `records.jsonl`.
    ///
    /// # Errors
    /// The fault of the line or of the hand.
    pub fn read<G: Recorded>(line: &str) -> Result<ReplayView, Fault> {
        let record = serde_json::from_str(line).map_err(|error| Fault::from(error.to_string()))?;
        ReplayView::of::<G>(&record)
    }

    /// Replays a record.
    ///
    /// # Errors
    /// The first difference from the rules.
    pub fn of<G: Recorded>(record: &G::Record) -> Result<ReplayView, Fault> {
        let Replay { game, choices, written, end } = G::replay(record)?;
        let Value::Object(mut head) = json(record)? else { return Err("no record".into()) };
        head.retain(|name, _| HEAD.contains(&name.as_str()));
        let seats = 0..game.seats() as u8;
        let views = |state: &G::State| {
            let views = seats.clone().map(|seat| json(&game.view(state, Seat(seat))));
            Ok(ReplayFrame::of(views.collect::<Result<Vec<Value>, Fault>>()?))
        };
        let states = || choices.iter().map(|(before, _)| before).chain([&end]);
        let made = choices
            .iter()
            .zip(written)
            .map_while(|((before, _), mv)| Some(PastMove { seat: game.turn(before).seat()?, mv }));
        Ok(ReplayView {
            moves: made.collect(),
            frames: states().map(views).collect::<Result<Vec<ReplayFrame>, Fault>>()?,
            points: states().map(|state| game.scores(state).0.to_vec()).collect(),
            head,
        })
    }
}

fn json(what: &impl Serialize) -> Result<Value, Fault> {
    serde_json::to_value(what).map_err(|error| Fault::from(error.to_string()))
}

impl ReplayFrame {
    fn of(views: Vec<Value>) -> ReplayFrame {
        let mut own: Vec<Map<String, Value>> = views
            .into_iter()
            .map(|view| match view {
                Value::Object(fields) => fields,
                // A view that is not a JSON object.
                other => Map::from_iter([("view".to_owned(), other)]),
            })
            .collect();
        let alike = |name: &String, value: &Value| {
            name != "seat" && own.iter().all(|view| view.get(name) == Some(value))
        };
        let first = own.first().cloned().unwrap_or_default();
        let common: Map<String, Value> =
            first.into_iter().filter(|(name, value)| alike(name, value)).collect();
        own.iter_mut().for_each(|view| view.retain(|name, _| !common.contains_key(name)));
        ReplayFrame { common, own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_parts_what_all_see_from_what_each_sees() {
        let views = [r#"{"seat":0,"stock":9,"hand":["7H"]}"#, r#"{"seat":1,"stock":9,"hand":[]}"#];
        let frame =
            ReplayFrame::of(views.iter().map(|view| serde_json::from_str(view).unwrap()).collect());
        let text = serde_json::to_string(&frame).unwrap();
        let right =
            r#"{"common":{"stock":9},"own":[{"seat":0,"hand":["7H"]},{"seat":1,"hand":[]}]}"#;
        assert_eq!(text, right);
    }
}
