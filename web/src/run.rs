//! Runs that the workers of a page share.

use std::cell::RefCell;

use js_sys::Function;
use parlour::arena::{Observer, Overrides};
use parlour::files::{Origin, SourceFile};
use parlour::games::Games;
use parlour::results::{ChunkedRun, Summary, plan_from_source};
use serde_json::{Map, Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{JsResult, json};

thread_local! {
    /// The listener to the chunk that is played.
    static LISTENER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// An observer that passes the numbers of hands to the listener.
struct Listener;

impl Observer for Listener {
    fn played(&self, hands: u64) {
        LISTENER.with_borrow(|listener| {
            // A listener that fails stops nothing.
            _ = listener.as_ref().map(|it| it.call1(&JsValue::NULL, &(hands as f64).into()));
        });
    }
}

/// A run of an experiment, played chunk by chunk.
#[wasm_bindgen]
pub struct Run(ChunkedRun);

#[wasm_bindgen]
impl Run {
    /// Reads an experiment in JSON; `name` is the name of its file without `.json`.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, experiment: &str) -> JsResult<Run> {
        let file = SourceFile::new(name, Origin::Given, experiment.to_owned());
        let games = Games(parlour::PROGRAM);
        let (_, plan) = plan_from_source(&file, Overrides::default(), &(), &games)?;
        Ok(Run(ChunkedRun::new(plan, parlour::PROGRAM)?))
    }

    /// Returns the number of hands of the whole run.
    pub fn hands(&self) -> f64 {
        self.0.hands() as f64
    }

    /// Returns the numbers of the chunks that are still to be played.
    pub fn missing(&self) -> Vec<u32> {
        self.0.missing().into_iter().map(|chunk| chunk as u32).collect()
    }

    /// Plays a chunk and returns its line for [`add`](Run::add) of any worker. `listener` gets the number
    /// of hands that were just played.
    pub fn play(&self, chunk: u32, listener: Option<Function>) -> JsResult<String> {
        LISTENER.set(listener);
        let line = self.0.play(chunk.into(), &Listener);
        LISTENER.set(None);
        Ok(line?)
    }

    /// Adds the line of a finished chunk.
    pub fn add(&mut self, line: &str) -> JsResult<()> {
        Ok(self.0.add(line)?)
    }

    /// Returns the figures of the deals so far; `null` before the first chunk.
    pub fn live(&self) -> JsResult<String> {
        json(&self.0.summary().as_ref().map(figures))
    }

    /// Returns the final figures with the texts of all files of the run.
    pub fn finish(&mut self) -> JsResult<String> {
        let (summary, files) = self.0.finish()?;
        let mut all = figures(&summary);
        all["files"] =
            files.into_iter().map(|(name, text)| (name, text.into())).collect::<Map<_, _>>().into();
        json(&all)
    }
}

/// The summary, with the table of verdicts and the chart of the answer.
fn figures(summary: &Summary) -> Value {
    let answer = &summary.answer;
    json!({ "summary": summary, "verdicts": answer.table, "chart": answer.chart.0 })
}
