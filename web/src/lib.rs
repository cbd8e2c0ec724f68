//! The laboratory in a browser tab: what the page asks of the library, as JSON. `cargo xtask wasm`
//! builds the module; `web/README.md` lists the functions.

#![cfg(target_family = "wasm")]

mod request;
mod run;
mod table;

use js_sys::{Function, Reflect, global};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsError, JsValue};

/// A result for JavaScript, which throws the error.
type JsResult<T> = Result<T, JsError>;

/// Returns a value as JSON.
fn json(value: &impl Serialize) -> JsResult<String> {
    Ok(serde_json::to_string(value)?)
}

/// Prepares the module when it is loaded: a panic ends the module, so its message goes to the console.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| {
        let print = || -> Result<JsValue, JsValue> {
            let console = Reflect::get(&global(), &"console".into())?;
            let error: Function = Reflect::get(&console, &"error".into())?.dyn_into()?;
            error.call1(&console, &panic.to_string().into())
        };
        _ = print();
    }));
}
