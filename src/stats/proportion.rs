//! Shares of independent trials.
//!
//! Hands of one deal are not independent: for anything counted once a hand, take the deal as the
//! unit ([`super::Moments::score`], [`super::PairMoments::ratio`]). These are for trials that share
//! nothing, one a deal or one a case.

use super::Estimate;
use super::quantile::{TAIL, beta, normal};

/// The share of successes with Wilson's score interval (Wilson 1927; Newcombe 1998, method 3).
/// `None` without trials; successes beyond the trials count as all.
pub fn wilson(successes: u64, trials: u64) -> Option<Estimate> {
    if trials == 0 {
        return None;
    }
    let n = trials as f64;
    let p = successes.min(trials) as f64 / n;
    let z = normal(1.0 - TAIL);
    let shrink = 1.0 + z * z / n;
    let centre = (p + z * z / (2.0 * n)) / shrink;
    let half = z / shrink * (p * (1.0 - p) / n + (z / (2.0 * n)).powi(2)).sqrt();
    // At the ends the formula gives 0 and 1 but for rounding.
    let low = if successes == 0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if successes >= trials { 1.0 } else { (centre + half).min(1.0) };
    Some(Estimate { value: p, interval: Some((low, high)) })
}

/// The share of successes with the exact interval of Clopper and Pearson (1934), which holds the
/// truth at least 95 % of the time, whatever it is. `None` without trials; successes beyond the
/// trials count as all.
pub fn clopper_pearson(successes: u64, trials: u64) -> Option<Estimate> {
    if trials == 0 {
        return None;
    }
    let n = trials as f64;
    let x = successes.min(trials) as f64;
    let low = match successes {
        0 => 0.0,
        s if s >= trials => TAIL.powf(1.0 / n),
        _ => beta(TAIL, x, n - x + 1.0),
    };
    let high = match successes {
        0 => 1.0 - TAIL.powf(1.0 / n),
        s if s >= trials => 1.0,
        _ => beta(1.0 - TAIL, x + 1.0, n - x),
    };
    Some(Estimate { value: x / n, interval: Some((low, high)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<Estimate>, low: f64, high: f64) {
        let (a, b) = found.unwrap().interval.unwrap();
        let close = |x: f64, y: f64| (x - y).abs() <= 1e-6 * y.abs().max(1e-3);
        assert!(close(a, low) && close(b, high), "{a} {b}, not {low} {high}");
    }

    #[test]
    fn intervals_as_published() {
        // Newcombe, *Two-sided confidence intervals for the single proportion*, Statistics in
        // Medicine 17 (1998), table I prints four digits of the first four; SciPy's
        // binomtest(k, n).proportion_ci the rest.
        for (k, n, w, c) in [
            (81, 263, (0.255_288_52, 0.366_209_58), (0.252_736_75, 0.367_621_92)),
            (15, 148, (0.062_386_40, 0.160_487_24), (0.057_844_01, 0.161_650_49)),
            (0, 20, (0.0, 0.161_125_16), (0.0, 0.168_433_47)),
            (1, 29, (0.006_113_21, 0.171_755_22), (0.000_872_647, 0.177_644_295)),
            (20, 20, (0.838_874_84, 1.0), (0.831_566_53, 1.0)),
            (5000, 10_000, (0.490_202_06, 0.509_797_94), (0.490_151_38, 0.509_848_62)),
        ] {
            near(wilson(k, n), w.0, w.1);
            near(clopper_pearson(k, n), c.0, c.1);
        }
        near(clopper_pearson(3, 1_000_000), 6.186_726e-7, 8.767_248e-6);
    }

    #[test]
    fn no_trials_no_share() {
        assert_eq!(wilson(0, 0), None);
        assert_eq!(clopper_pearson(0, 0), None);
        assert_eq!(wilson(9, 3), wilson(3, 3));
    }
}
