//! Logarithms, exponentials and powers that give the same bits on every machine. The platform's own
//! may differ in the last bit; `clippy.toml` forbids them.
//!
//! Games and searches use the fast functions of this module, good to nine digits. Statistics use
//! those of [`exact`].

/// Functions to the last digits, from `libm`, which uses only IEEE arithmetic.
pub mod exact {
    pub use libm::{exp, log as ln, log1p as ln_1p, log10, pow, sin};

    /// Returns a number times itself.
    pub fn square(x: f64) -> f64 {
        x * x
    }
}

const LN_2: f64 = std::f64::consts::LN_2;

/// Returns the natural logarithm of a positive, finite, normal number, to about 1e-9.
///
/// x = m · 2^k with m near 1, and ln m = 2 artanh((m − 1) / (m + 1)) as a series.
pub fn ln(x: f64) -> f64 {
    debug_assert!(x.is_normal() && x > 0.0);
    let bits = x.to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut m = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if m > std::f64::consts::SQRT_2 {
        m *= 0.5;
        exponent += 1;
    }
    let s = (m - 1.0) / (m + 1.0);
    let q = s * s;
    let series = 1.0
        + q * (1.0 / 3.0 + q * (1.0 / 5.0 + q * (1.0 / 7.0 + q * (1.0 / 9.0 + q * (1.0 / 11.0)))));
    exponent as f64 * LN_2 + 2.0 * s * series
}

/// Returns e to the power of x, to about 1e-9 of the result. Far out it is 0 or the largest value.
pub fn exp(x: f64) -> f64 {
    let x = x.clamp(-700.0, 700.0);
    let k = (x / LN_2).round();
    let r = x - k * LN_2;
    let mut sum = 1.0;
    for n in (1..=9u32).rev() {
        sum = 1.0 + sum * r / f64::from(n);
    }
    sum * f64::from_bits(((1023 + k as i64) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the reference")]
    fn fast_functions_agree_with_the_platform() {
        for step in 1..4000 {
            let x = f64::from(step) * 0.37;
            assert!((ln(x) - x.ln()).abs() < 1e-8, "{x}");
            let y = f64::from(step - 2000) * 0.013;
            assert!((exp(y) / y.exp() - 1.0).abs() < 1e-8, "{y}");
        }
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(ln(1.0), 0.0);
    }
}
