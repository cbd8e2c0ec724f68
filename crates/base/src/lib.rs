//! Cards, random streams, files, errors and SIMD dispatch: what every other crate builds on.

#![forbid(unsafe_code)]

pub mod cards;
pub mod chance;
pub mod error;
pub mod files;
pub mod maths;
mod program;
pub mod simd;

pub use program::Program;
