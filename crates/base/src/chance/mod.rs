//! Chance: seeds that branch by name and number, and streams of random numbers.
//!
//! The derivation and everything drawn from a stream are spelled out here and held by test
//! vectors, so no library release can change a result. Only the generator itself,
//! xoshiro256++ (Blackman and Vigna 2021), comes from a library.

pub mod cases;
mod seed;
mod stream;

pub use seed::Seed;
pub use seed::{GAMMA, mix};
pub use stream::Stream;
