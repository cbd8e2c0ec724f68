//! What a score is worth whose sequential test has ended.

use std::f64::consts::PI;

use super::maths::{exp, square};
use super::quantile::TAIL;
use super::{Estimate, Sprt, Verdict, proportion};

/// By how many standard deviations of a step the ratio runs over its bound, on average (Siegmund,
/// *Sequential Analysis*, 1985, chapter 4).
const OVERSHOOT: f64 = 0.583;

/// Points at which the density of the time to a decision is taken.
const POINTS: u32 = 256;

/// Steps of bisection: a score to ten digits.
const STEPS: u32 = 34;

/// The score of a pairing whose test has decided, free of the bias that stopping gives: whoever
/// stops on a lucky streak has seen one. `deals` are the counts at the decision (see [`Sprt::llr`]),
/// `step` how many deals came since the test looked before.
///
/// The number is that of which the median outcome is the one seen, the interval's ends those which
/// reach as far with 2.5 % each; outcomes are ordered by stages: a sooner acceptance of the upper
/// hypothesis is higher, a sooner one of the lower is lower (Siegmund, *Estimation following
/// sequential tests*, Biometrika 65, 1978; Rosner and Tsiatis, *Exact confidence intervals following a
/// group sequential trial*, Biometrika 75, 1988). The ratio is taken for a Brownian motion between
/// bounds that are moved outwards by the mean overshoot. At the first look nothing has been chosen,
/// and the score is the plain one. `None` without a decision, and where all deals agree.
pub fn score_after(test: &Sprt, verdict: Verdict, deals: &[u64], step: u64) -> Option<Estimate> {
    let n: u64 = deals.iter().sum();
    let top = (deals.len().max(2) - 1) as f64;
    let seen = || deals.iter().enumerate().map(|(i, &count)| (i as f64 / top, count as f64));
    let mean = seen().map(|(score, count)| score * count).sum::<f64>() / n as f64;
    let variance =
        seen().map(|(score, count)| square(score - mean) * count).sum::<f64>() / n as f64;
    if verdict == Verdict::Undecided || variance.is_nan() || variance <= 0.0 {
        return None;
    }
    if step >= n {
        return Some(proportion(mean, variance / (n as f64 - 1.0), n as f64 - 1.0, n));
    }
    let (lower, upper) = test.scores(variance.sqrt(), top);
    let (low, high) = test.bounds();
    // By deal, of the ratio: its spread, and its drift under a score.
    let spread = square(upper - lower) / variance;
    let drift = |score: f64| (upper - lower) * (score - (lower + upper) / 2.0) / variance;
    let beyond = OVERSHOOT * (spread * step as f64).sqrt();
    let (low, high) = (low - beyond, high + beyond);
    let sooner = |score: f64| match verdict {
        Verdict::Upper => passage(high, high - low, drift(score), spread, n as f64),
        _ => 1.0 - passage(-low, high - low, -drift(score), spread, n as f64),
    };
    // The score that reaches an outcome as high as this with the probability; more do with more.
    let reaching = |probability: f64| {
        let (mut below, mut above) = (0.0, 1.0);
        for _ in 0..STEPS {
            let middle = (below + above) / 2.0;
            if sooner(middle) < probability { below = middle } else { above = middle }
        }
        (below + above) / 2.0
    };
    let interval = Some((reaching(TAIL), reaching(1.0 - TAIL)));
    Some(Estimate { value: reaching(0.5), interval })
}

/// The probability that a Brownian motion from 0 with this drift and variance a unit of time comes to
/// `bound` within `time`, and before it comes `width` below it (Cox and Miller, *The Theory of
/// Stochastic Processes*, 1965, section 5.7).
fn passage(bound: f64, width: f64, drift: f64, variance: f64, time: f64) -> f64 {
    let density = |t: f64| {
        // Whichever of the two series is short: of images for early times, of sines for late ones.
        let moved = drift * bound / variance - drift * drift * t / (2.0 * variance);
        if variance * t < 0.3 * width * width {
            let image = |k: i32| {
                let to = bound + 2.0 * f64::from(k) * width;
                to * exp(moved - to * to / (2.0 * variance * t))
            };
            (-3..=3).map(image).sum::<f64>() / (2.0 * PI * variance * t).sqrt() / t
        } else {
            let sine = |n: u32| {
                let n = f64::from(n);
                let decay = square(n * PI / width) * variance * t / 2.0;
                n * libm::sin(n * PI * bound / width) * exp(moved - decay)
            };
            (1..=6).map(sine).sum::<f64>() * PI * variance / (width * width)
        }
    };
    // Simpson's rule over the root of the time, in which the density is smooth.
    let point = |i: u32| {
        let root = f64::from(i) / f64::from(POINTS);
        let weight = if i == POINTS { 1.0 } else { f64::from(2 + 2 * (i % 2)) };
        weight * 2.0 * root * density(time * root * root)
    };
    ((1..=POINTS).map(point).sum::<f64>() * time / f64::from(3 * POINTS)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fair_walk_reaches_either_end() {
        // Without drift the nearer end is reached first with (width − bound) / width.
        for (bound, width) in [(1.0, 2.0), (2.9, 5.8), (1.0, 4.0)] {
            let found = passage(bound, width, 0.0, 1.0, 40.0 * width * width);
            assert!((found - (width - bound) / width).abs() < 2e-3, "{bound} of {width}: {found}");
        }
        // One end far away: the reflection principle, 2·P(Z > bound / √time), here 2·P(Z > 1).
        let found = passage(2.0, 60.0, 0.0, 1.0, 4.0);
        assert!((found - 0.317_310_5).abs() < 1e-5, "{found}");
    }

    #[test]
    fn wald_for_a_walk_with_drift() {
        // Ever at the upper end: (1 − e^{−2μx}) / (1 − e^{−2μL}), x the way from the lower end.
        let found = passage(3.0, 5.0, 0.4, 1.0, 2000.0);
        let expected = (1.0 - exp(-1.6)) / (1.0 - exp(-4.0));
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }

    #[test]
    fn no_decision_has_no_score() {
        let test = Sprt {
            elo0: 0.0,
            elo1: 10.0,
            ..serde_json::from_str(r#"{"elo0":0,"elo1":1}"#).unwrap()
        };
        assert_eq!(score_after(&test, Verdict::Undecided, &[1, 2, 3, 2, 1], 4), None);
        assert_eq!(score_after(&test, Verdict::Upper, &[0, 0, 0, 0, 9], 4), None);
        assert_eq!(score_after(&test, Verdict::Upper, &[], 4), None);
    }
}
