//! Clocks. The standard library has none in a browser tab; elsewhere these are its own.

pub use web_time::{Instant, SystemTime};
