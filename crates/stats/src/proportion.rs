//! Intervals of numbers between 0 and 1: probabilities, scores, shares.

use super::Estimate;
use super::quantile::{TAIL, student_95};
use parlour_base::maths::exact::{pow, square};

/// Returns a mean of numbers in `[0, 1]` with an interval that stays inside, and that does not
/// vanish if nothing, or everything, happened.
///
/// `variance` is that of the mean with `freedom` degrees of freedom: between deals, or by the
/// jackknife over chunks of them. The interval is Wilson's score interval with the effective number
/// of trials `n* = p(1 − p)/variance`, and Student's t for the normal quantile (Wilson 1927; Dean
/// and Pagano, *Evaluating confidence interval methods for binomial proportions in clustered
/// surveys*, Journal of Survey Statistics and Methodology 3, 2015). Away from 0 and 1 it is `value
/// ± t·error`.
///
/// If all of `trials` independent trials gave the same `v` (all wins, all draws), another outcome
/// has a probability of at most `q = 1 − 0.025^(1/trials)` with 97.5 % confidence. That is about
/// `3.7/trials` (Clopper and Pearson 1934; the two-sided "rule of three" of Hanley and Lippman-Hand
/// 1983). Such an outcome could have been anything, so the interval is `[v − q·v, v + q·(1 − v)]`.
///
/// Without a degree of freedom there is no interval.
pub fn proportion(value: f64, variance: f64, freedom: f64, trials: u64) -> Estimate {
    let value = value.clamp(0.0, 1.0);
    if freedom < 1.0 || trials == 0 {
        return Estimate::bare(value);
    }
    let bound = value * (1.0 - value);
    if variance <= 0.0 || bound <= 0.0 {
        let q = 1.0 - pow(TAIL, 1.0 / trials as f64);
        return Estimate { value, interval: Some((value - q * value, value + q * (1.0 - value))) };
    }
    let effective = bound / variance;
    let t = student_95(freedom);
    let shrink = 1.0 + t * t / effective;
    let centre = (value + t * t / (2.0 * effective)) / shrink;
    let half = t / shrink * (bound / effective + square(t / (2.0 * effective))).sqrt();
    Estimate { value, interval: Some(((centre - half).max(0.0), (centre + half).min(1.0))) }
}

/// Returns the change `value` from one proportion to another on the same deals. Its `variance` has
/// `df` degrees of freedom. Each proportion was observed in `hands`, of which `trials` are
/// certainly independent.
///
/// This is Tango's score interval (*Equivalence test and confidence interval for the difference in
/// proportions for the paired-sample design*, Statistics in Medicine 17, 1998). Student's t
/// replaces the normal quantile, and the share of hands that differ comes from the variance. If
/// many hands differ, the interval is `value ± t·error`. If few or none do, it does not vanish: a
/// change `δ` needs at least the share `|δ|` of hands to differ.
pub fn proportion_change(value: f64, variance: f64, df: f64, hands: u64, trials: u64) -> Estimate {
    if df < 1.0 || trials == 0 {
        return Estimate::bare(value);
    }
    // The number of hands, and the share of them that differ, which give this variance.
    let differ = hands as f64 * variance + square(value);
    let (n, differ) = match () {
        () if variance <= 0.0 => (trials as f64, 0.0),
        () if differ > 1.0 => ((1.0 - square(value)) / variance, 1.0),
        () => (hands as f64, differ),
    };
    let differ = differ.max(value.abs());
    let down = (differ - value) / 2.0;
    // The variance under a change `δ`, with the most likely share that goes down.
    let under = |change: f64| {
        let b = (2.0 - value) * change - differ;
        let c = -down * change * (1.0 - change);
        let down = ((b * b - 8.0 * c).max(0.0).sqrt() - b) / 4.0;
        ((2.0 * down + change * (1.0 - change)) / n).max(0.0)
    };
    let t = square(student_95(df));
    let is_within = |change: f64| square(value - change) <= t * under(change);
    let end = |mut without: f64| {
        let mut within = value;
        if is_within(without) {
            return without;
        }
        for _ in 0..60 {
            let middle = (within + without) / 2.0;
            if is_within(middle) { within = middle } else { without = middle }
        }
        within
    };
    let interval = (end(-1.0), end(1.0));
    Estimate { value, interval: Some(interval).filter(|(low, high)| low < high) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_success_in_a_hundred_trials_is_not_certainty() {
        // Clopper and Pearson for 0 of 100: (0, 0.0362167).
        let none = proportion(0.0, 0.0, 63.0, 100);
        let (low, high) = none.interval.unwrap();
        assert!(low == 0.0 && (high - 0.036_216_7).abs() < 1e-6, "{none:?}");
        assert_eq!(proportion(0.0, 0.0, 0.0, 100), Estimate::bare(0.0));
    }

    #[test]
    fn wilson_for_independent_trials() {
        // R: prop.test(10, 100, correct = FALSE) gives 0.0552291 to 0.1743657, with z for t.
        let found = proportion(0.1, 0.1 * 0.9 / 100.0, 1e9, 100).interval.unwrap();
        assert!((found.0 - 0.055_229_1).abs() < 1e-6 && (found.1 - 0.174_365_7).abs() < 1e-6);
    }

    #[test]
    fn paired_change_matches_tango() {
        // Tango 1998, the soft lens: of 44 pairs 0 differ one way and 1 the other;
        // maximizing the likelihood by search gives −0.11808 and 0.05939.
        let (n, change) = (44.0, -1.0 / 44.0);
        let variance = (1.0 / 44.0 - square(change)) / n;
        let (low, high) = proportion_change(change, variance, 1e9, 44, 44).interval.unwrap();
        assert!((low + 0.118_08).abs() < 1e-5 && (high - 0.059_39).abs() < 1e-5, "{low} {high}");
    }

    #[test]
    fn large_changes_match_student_and_none_is_not_certainty() {
        let (low, high) = proportion_change(0.1, 1e-4, 60.0, 10_000, 900).interval.unwrap();
        let half = student_95(60.0) * 0.01;
        assert!(
            (low - 0.1 + half).abs() < 1e-3 && (high - 0.1 - half).abs() < 1e-3,
            "{low} {high}"
        );
        let (low, high) = proportion_change(0.0, 0.0, 60.0, 400, 100).interval.unwrap();
        assert!((0.03..0.05).contains(&high) && (low + high).abs() < 1e-9, "{low} {high}");
        assert_eq!(proportion_change(0.1, 0.0, 0.0, 4, 1), Estimate::bare(0.1));
    }
}
