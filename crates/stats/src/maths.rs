//! The logarithms, exponentials and powers of the statistics, from a library that computes them with
//! IEEE arithmetic alone, so that they are the same on any machine; `clippy.toml` keeps the
//! platform's out.
//!
//! Searches have faster ones, good to nine digits, in `crate::maths`: others would change moves.

pub use libm::{exp, log as ln, log1p as ln_1p, log10, pow};

/// A number times itself.
pub fn square(x: f64) -> f64 {
    x * x
}
