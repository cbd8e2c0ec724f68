//! The laboratory in a browser tab: what the page asks of the library, as JSON. `cargo xtask wasm`
//! builds the module; `web/README.md` lists the functions.

#![cfg(target_family = "wasm")]

mod request;
mod run;
mod table;

use serde::Serialize;
use wasm_bindgen::JsError;

/// A result for JavaScript, which throws the error.
type JsResult<T> = Result<T, JsError>;

/// Returns a value as JSON.
fn json(value: &impl Serialize) -> JsResult<String> {
    Ok(serde_json::to_string(value)?)
}
