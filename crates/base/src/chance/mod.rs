//! Random numbers: seeds that branch by name and number, and streams.
//!
//! The derivation of seeds and all draws from a stream are implemented here and fixed by test
//! vectors, so no library release can change a result. Only the generator, xoshiro256++ (Blackman
//! and Vigna 2021), comes from a library.

pub mod cases;
mod seed;
mod stream;

pub use seed::Seed;
pub use seed::{GAMMA, mix};
pub use stream::Stream;
