//! Requests without state: the games, rules, records.

use parlour::files::{Library, parse_json};
use parlour::games::{ALL, AnyGame, SchemaPart, game, with_game};
use parlour::viewer::Hand;
use parlour::{Error, Ruled, Seed};
use schemars::generate::SchemaSettings;
use serde::Deserialize;
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{JsResult, json};

/// A request.
#[derive(Deserialize)]
#[serde(tag = "get", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// The games with their variants, strategies and the schema of their rules; and the experiments.
    Games {},
    /// The rules of a variant, for people.
    Rules { game: String, variant: Option<String> },
    /// A record as the viewer of hands reads it, with the review of a strategy if one is named.
    Replay { line: String, reviewer: Option<String>, seat: Option<usize>, seed: Option<u64> },
}

/// The part of a record that names its game.
#[derive(Deserialize)]
struct Head {
    game: String,
}

/// The part of a strategy's file that describes it. To load its networks takes longer.
#[derive(Deserialize, Default)]
#[serde(default)]
struct StrategyHead {
    about: String,
    research: bool,
}

/// Returns the behaviour signature, as `parlour bench --signature` prints it.
#[wasm_bindgen]
pub fn signature() -> JsResult<String> {
    Ok(parlour::games::signature()?)
}

/// Returns the program's version and the fingerprint of its sources.
#[wasm_bindgen]
pub fn version() -> String {
    parlour::PROGRAM.to_string()
}

/// Answers a request in JSON.
#[wasm_bindgen]
pub fn request(text: &str) -> JsResult<String> {
    match parse_json("request", text)? {
        Request::Games {} => {
            let games = ALL.iter().map(description).collect::<JsResult<Vec<Value>>>()?;
            json(&json!({ "games": games, "experiments": experiments()? }))
        }
        Request::Rules { game: name, variant } => {
            json(&(game(&name)?.rulebook)(variant.as_deref())?)
        }
        Request::Replay { line, reviewer, seat, seed } => {
            replay(&line, reviewer.as_deref(), seat.unwrap_or(0), seed.unwrap_or(0))
        }
    }
}

/// Describes a game, without its rules for people: those of Eleusis take a quarter of a second at first.
fn description(game: &AnyGame) -> JsResult<Value> {
    let variants = with_game!(game.name, G => {
        let variants = G::presets().into_iter();
        let variant = variants.map(|it| json!({ "name": it.name, "about": it.about, "rules": it.rules }));
        variant.collect::<Vec<Value>>()
    })?;
    let mut strategies = Vec::new();
    for name in game.strategies().names() {
        let file = game.strategies().find(&name)?;
        let StrategyHead { about, research } = parse_json(&name, &file.text)?;
        strategies.push(json!({ "name": name, "about": about, "research": research }));
    }
    let mut generator =
        SchemaSettings::draft2020_12().with(|it| it.inline_subschemas = true).into_generator();
    Ok(json!({
        "name": game.name,
        "adviser": game.adviser,
        "reviewer": game.reviewer,
        "has_luck_judge": game.has_luck_judge,
        "variants": variants,
        "strategies": strategies,
        "rules": (game.schema)(SchemaPart::Rules, &mut generator),
    }))
}

/// Returns the experiments of the program with their texts.
fn experiments() -> JsResult<Vec<Value>> {
    let library = Library::experiments();
    let mut all = Vec::new();
    for name in library.names() {
        let text = library.find(&name)?.text;
        all.push(json!({ "name": name, "text": text }));
    }
    Ok(all)
}

/// Replays a record.
fn replay(line: &str, reviewer: Option<&str>, seat: usize, seed: u64) -> JsResult<String> {
    let Head { game: name } = parse_json("record", line)?;
    let game = game(&name)?;
    let record = (game.record)("record", 1, line)?;
    let replay = record.replay_view().map_err(Error::input)?;
    let mut adviser = None;
    if let Some(strategy) = reviewer {
        let choices = record.replay().map_err(Error::input)?;
        let notes = choices.evaluate(strategy, false, Seed::new(seed), 1)?;
        adviser = Some(parlour::viewer::Adviser { seat, ..notes });
    }
    let title = format!("A hand of {name}");
    json(&Hand { title, replay, adviser }.data())
}
