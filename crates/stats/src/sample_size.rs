//! Sample sizes: the number of deals that a question needs.
//!
//! `deviation` is the standard deviation between deals of the quantity, from a pilot or a finished
//! run. For a score against ½ it is the root of [`super::Moments::variance`]; for two variants,
//! that of the paired difference on the same deals. The score of a deal lies in `[0, 1]`, so
//! without a pilot its deviation is at most ½. All units are those of the deviation.

use super::Estimate;
use super::quantile::{TAIL, normal, student, student_95};
use parlour_base::maths::exact::square;

/// The largest sample size; beyond it the answer is `None`.
const MOST: f64 = 1e18;

/// Returns the standard deviation between deals that the interval of a mean implies: its half width
/// times `√n` over Student's t. `None` without an interval or below two deals.
pub fn deviation_of(estimate: Estimate, deals: u64) -> Option<f64> {
    let half = estimate.half_width().filter(|_| deals > 1)?;
    let n = deals as f64;
    Some(half * n.sqrt() / student_95(n - 1.0))
}

/// Returns the number of deals that detect a difference with probability `power` (between 0 and 1)
/// in a two-sided test at 5 %.
///
/// This is the smallest `n` with `n ≥ ((t₀.₉₇₅ + t_power)·σ/Δ)²`, Student's t on `n − 1` degrees of
/// freedom. The approximation to the noncentral t is off by a deal or two (Lachin 1981; Cohen
/// 1988). At least 2. `None` if no number of deals is enough (no difference), or if an argument is
/// out of range.
pub fn deals_for_difference(deviation: f64, difference: f64, power: f64) -> Option<u64> {
    let distance = difference.abs();
    let is_sound = power > 0.0
        && power < 1.0
        && (0.0..f64::INFINITY).contains(&deviation)
        && distance > 0.0
        && distance.is_finite();
    is_sound.then_some(())?;
    // The number of deals for this distance, in standard errors.
    let needed = |reach: f64| square(reach.max(0.0) * deviation / distance);
    let enough = |n: f64| n >= needed(student_95(n - 1.0) + student(power, n - 1.0));
    let guess = needed(normal(1.0 - TAIL) + normal(power));
    if guess.is_nan() || guess > MOST {
        return None;
    }
    // Student's t needs slightly more than the normal: far fewer than this.
    let (mut low, mut high) = (1.0, (2.0 * guess + 1000.0).ceil());
    while high - low > 1.0 {
        let middle = ((low + high) / 2.0).floor();
        if middle <= low || middle >= high {
            break; // Neighbouring floats.
        }
        if enough(middle) { high = middle } else { low = middle }
    }
    Some(high as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_published() {
        // R: pwr.t.test(d, power = 0.8, type = "paired") asks for 198.15, 33.37 and 14.30; SciPy's
        // noncentral t for 787 at d = 0.1.
        for (d, expected) in [(0.1, 787), (0.2, 199), (0.5, 34), (0.8, 15)] {
            assert_eq!(deals_for_difference(1.0, d, 0.8), Some(expected));
            assert_eq!(deals_for_difference(1.0, -d, 0.8), Some(expected));
        }
        // The normal formula for a small difference: (1.959964 + 0.841621)²·0.25/0.0001 = 19622.
        let n = deals_for_difference(0.5, 0.01, 0.8).unwrap();
        assert!((19_622..=19_625).contains(&n), "{n}");
    }

    #[test]
    fn an_interval_tells_its_deviation() {
        let moments: crate::Moments = [3, 5, 4, 9, 1].into_iter().collect();
        let mean = moments.mean(1.0).unwrap();
        let deviation = moments.variance(1.0).unwrap().sqrt();
        assert!((deviation_of(mean, 5).unwrap() - deviation).abs() < 1e-9);
        assert_eq!(deviation_of(Estimate::bare(1.0), 5), None);
        assert_eq!(deviation_of(mean, 1), None);
    }

    #[test]
    fn impossible_plans_are_none() {
        assert_eq!(deals_for_difference(0.5, 0.0, 0.8), None);
        assert_eq!(deals_for_difference(0.5, 0.1, 1.0), None);
        assert_eq!(deals_for_difference(f64::NAN, 0.1, 0.8), None);
        assert_eq!(deals_for_difference(0.5, 1e-12, 0.8), None);
        assert_eq!(deals_for_difference(0.0, 0.1, 0.8), Some(2));
        assert_eq!(deals_for_difference(0.5, 1e9, 0.8), Some(2));
    }
}
