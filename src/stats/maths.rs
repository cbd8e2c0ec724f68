//! The logarithms, exponentials and powers of the statistics, in one place: `clippy.toml` keeps the
//! platform's out elsewhere.
//!
//! Those of `crate::maths`, by which searches choose, are good to nine digits; ratings are written
//! with ten. The platform's may differ in the last bit from one machine to the next, which the sixth
//! decimal of a rating can show.

#![expect(clippy::disallowed_methods, reason = "the one place where they are called")]

pub(crate) fn exp(x: f64) -> f64 {
    x.exp()
}

pub(crate) fn ln(x: f64) -> f64 {
    x.ln()
}

pub(crate) fn ln_1p(x: f64) -> f64 {
    x.ln_1p()
}

pub(crate) fn log10(x: f64) -> f64 {
    x.log10()
}

pub(crate) fn pow(x: f64, y: f64) -> f64 {
    x.powf(y)
}

/// A number times itself.
pub(crate) fn square(x: f64) -> f64 {
    x * x
}
