//! Quantiles of the normal distribution and of Student's t.
//!
//! `statrs` uses the logarithms of `libm` unless another crate turns on the standard library's in
//! `num-traits`. One crate of the tests and one of the Python package do. Results are rounded to
//! twelve digits, in which the two hardly ever differ.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use parlour_base::maths::exact::ln_1p;

/// The probability above a two-sided 95 % interval.
pub(super) const TAIL: f64 = 0.025;

/// From this many degrees of freedom on, Student's t is expanded around the normal.
const MANY: f64 = 300.0;

/// Rounds a number to 41 bits, some twelve digits (Veltkamp 1968).
fn rounded(x: f64) -> f64 {
    let high = x * 4097.0;
    if high.is_finite() { high - (high - x) } else { x }
}

/// Returns the standard normal quantile: `P(Z ≤ z) = p`, for `0 < p < 1`.
pub(super) fn normal(p: f64) -> f64 {
    rounded(Normal::standard().inverse_cdf(p))
}

/// Returns the quantile of Student's t with this many degrees of freedom (at least 1), for `0 < p <
/// 1`.
///
/// With many degrees it uses the expansion of Abramowitz and Stegun, *Handbook of Mathematical
/// Functions* (1964), 26.7.5, with an error below 10⁻¹¹; inverting the beta function would lose
/// digits there.
pub(super) fn student(p: f64, freedom: f64) -> f64 {
    if freedom < MANY
        && let Ok(distribution) = StudentsT::new(0.0, 1.0, freedom.max(1.0))
    {
        return rounded(distribution.inverse_cdf(p));
    }
    let x = normal(p);
    let s = x * x;
    let terms = [
        (s + 1.0) * x / 4.0,
        ((5.0 * s + 16.0) * s + 3.0) * x / 96.0,
        (((3.0 * s + 19.0) * s + 17.0) * s - 15.0) * x / 384.0,
        ((((79.0 * s + 776.0) * s + 1482.0) * s - 1920.0) * s - 945.0) * x / 92_160.0,
    ];
    x + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom)
}

/// Returns the half width, in standard errors, of a two-sided 95 % interval with this many degrees
/// of freedom.
pub(super) fn student_95(freedom: f64) -> f64 {
    student(1.0 - TAIL, freedom)
}

/// Returns `P(|T| ≥ |t|)` of Student's t with this many degrees of freedom (at least 1).
///
/// With many degrees it uses the normal deviate of Hill, *Algorithm 395: Student's t-distribution*,
/// Communications of the ACM 13 (1970).
pub(super) fn student_two_sided(t: f64, freedom: f64) -> f64 {
    let t = t.abs();
    if freedom < MANY
        && let Ok(distribution) = StudentsT::new(0.0, 1.0, freedom.max(1.0))
    {
        return rounded(2.0 * distribution.sf(t)).clamp(0.0, 1.0);
    }
    let a = freedom - 0.5;
    let b = 48.0 * a * a;
    let z = (a * ln_1p(t * t / freedom)).sqrt();
    let s = z * z;
    let bend =
        (((4.0 * s + 33.0) * s + 240.0) * s + 855.0) / (10.0 * b * (b + 0.8 * s * s + 100.0));
    let z = z + z * ((s + 3.0) / b - bend);
    rounded(2.0 * Normal::standard().sf(z)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_agree_with_tables() {
        // SciPy's norm.ppf(.975) and t.ppf(.975, freedom).
        assert!((normal(0.975) - 1.959_963_984_540_054).abs() < 1e-9);
        for (freedom, expected) in [
            (1.0, 12.706_204_736_175),
            (5.0, 2.570_581_835_636),
            (30.0, 2.042_272_456_301),
            (299.0, 1.967_929_669_1),
            (300.0, 1.967_903_011_3),
            (1000.0, 1.962_339_080_8),
            (1e6, 1.959_966_356_8),
        ] {
            let found = student_95(freedom);
            assert!((found - expected).abs() < 2e-9, "{freedom}: {found}");
        }
    }
    #[test]
    fn tails_agree_with_tables() {
        // SciPy's 2·t.sf(t, freedom).
        for (t, freedom, expected) in [
            (2.5, 100.0, 0.014_045_789_124),
            (-2.5, 400.0, 0.012_818_866_763),
            (1e-3, 301.0, 0.999_202_777_991),
            (2.5, 1e4, 0.012_435_219_551),
            (7.0, 1e4, 2.724_031_560_7e-12),
            (7.0, 1e6, 2.561_224_111_4e-12),
        ] {
            let found = student_two_sided(t, freedom);
            assert!((found / expected - 1.0).abs() < 1e-7, "{t} {freedom}: {found}");
        }
        assert_eq!(student_two_sided(f64::INFINITY, 5.0), 0.0);
    }
}
