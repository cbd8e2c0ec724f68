//! The estimate of a score after its sequential test has stopped.

use std::f64::consts::PI;

use super::quantile::TAIL;
use super::{Estimate, Sprt, Verdict, proportion};
use parlour_base::maths::exact::{exp, sin, square};

/// The mean overshoot of the ratio beyond its bound, in standard deviations of a step (Siegmund,
/// *Sequential Analysis*, 1985, chapter 4).
const OVERSHOOT: f64 = 0.583;

/// The number of points for integrating the density of the stopping time.
const POINTS: u32 = 256;

/// The number of bisection steps: a score to ten digits.
const STEPS: u32 = 34;

/// The distance from the middle of the hypotheses, in standard errors, beyond which the stop has no
/// effect: its bias is a standard error divided by this.
const FAR: f64 = 10.0;

/// Returns the score of a pairing after its test decided, without the bias of stopping on a lucky
/// streak. `deals` are the counts at the decision (see [`Sprt::llr`]), `step` the number of deals
/// since the previous look.
///
/// The value is the score under which the observed outcome is the median; the ends of the interval
/// are the scores under which it is the 2.5 % and 97.5 % quantile. Outcomes are ordered by stages:
/// an earlier acceptance of the upper hypothesis is higher, an earlier one of the lower is lower
/// (Siegmund, *Estimation following sequential tests*, Biometrika 65, 1978; Rosner and Tsiatis,
/// *Exact confidence intervals following a group sequential trial*, Biometrika 75, 1988).
///
/// The ratio is treated as a Brownian motion that reached the point given by the mean score; the
/// other bound is moved outwards by the mean overshoot. (The ratio itself is less informative: far
/// from both hypotheses it hardly grows with the score.) At the first look nothing has been
/// selected, and ten standard errors from the middle of the hypotheses hardly anything: there the
/// score is the plain one. `None` without a decision, and if all deals agree.
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
    let (lower, upper) = test.scores(variance.sqrt(), top);
    let middle = (lower + upper) / 2.0;
    if step >= n || (mean - middle).abs() > FAR * (variance / n as f64).sqrt() {
        return Some(proportion(mean, variance / (n as f64 - 1.0), n as f64 - 1.0, n));
    }
    let (low, high) = test.bounds();
    // Per deal, of the ratio: its variance, and its drift under a score.
    let spread = square(upper - lower) / variance;
    let drift = |score: f64| (upper - lower) * (score - middle) / variance;
    let beyond = OVERSHOOT * (spread * step as f64).sqrt();
    let came = n as f64 * drift(mean);
    let sooner = |score: f64| match verdict {
        Verdict::Upper => {
            let to = came.max(high);
            passage(to, to - low + beyond, drift(score), spread, n as f64)
        }
        _ => {
            let to = (-came).max(-low);
            1.0 - passage(to, to + high + beyond, -drift(score), spread, n as f64)
        }
    };
    // The score under which an outcome at least as high has this probability, which grows with the
    // score.
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

/// Returns the probability that a Brownian motion from 0, with this drift and variance per unit of
/// time, reaches `bound` within `time`. It must not first fall `width` below the bound (Cox and
/// Miller, *The Theory of Stochastic Processes*, 1965, section 5.7).
fn passage(bound: f64, width: f64, drift: f64, variance: f64, time: f64) -> f64 {
    let density = |t: f64| {
        // The shorter of two series: images for early times, sines for late ones.
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
                n * sin(n * PI * bound / width) * exp(moved - decay)
            };
            (1..=6).map(sine).sum::<f64>() * PI * variance / (width * width)
        }
    };
    // Simpson's rule over the square root of the time, in which the density is smooth.
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
    use parlour_base::chance::Seed;

    #[test]
    fn driftless_walks_reach_either_end() {
        // Without drift the nearer end is reached first with probability (width − bound) / width.
        for (bound, width) in [(1.0, 2.0), (2.9, 5.8), (1.0, 4.0)] {
            let found = passage(bound, width, 0.0, 1.0, 40.0 * width * width);
            assert!((found - (width - bound) / width).abs() < 2e-3, "{bound} of {width}: {found}");
        }
        // One end far away: the reflection principle, 2·P(Z > bound / √time), here 2·P(Z > 1).
        let found = passage(2.0, 60.0, 0.0, 1.0, 4.0);
        assert!((found - 0.317_310_5).abs() < 1e-5, "{found}");
    }

    #[test]
    fn walks_with_drift_match_wald() {
        // Ever at the upper end: (1 − e^{−2μx}) / (1 − e^{−2μL}), x the way from the lower end.
        let found = passage(3.0, 5.0, 0.4, 1.0, 2000.0);
        let expected = (1.0 - exp(-1.6)) / (1.0 - exp(-4.0));
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }

    #[test]
    fn scores_far_from_both_hypotheses_are_unbiased() {
        // Hypotheses of 0 and 5 Elo; strong and very strong players, with few and many deals.
        let test: Sprt = serde_json::from_str(r#"{"elo0":0,"elo1":5}"#).unwrap();
        for shares in [[0.01, 0.02, 0.07, 0.16, 0.74], [0.05, 0.15, 0.3, 0.3, 0.2]] {
            let mean = (0..5).map(|i| shares[i] * i as f64 / 4.0).sum::<f64>();
            for turned in [false, true] {
                let (mut inside, mut above) = (0, 0);
                for seed in 0..400 {
                    let mut stream = Seed::new(seed).stream();
                    let mut deals = [0u64; 5];
                    let verdict = loop {
                        for _ in 0..16 {
                            let mut left = stream.unit();
                            let at = shares.iter().position(|share| {
                                left -= share;
                                left < 0.0
                            });
                            let at = at.unwrap_or(4);
                            deals[if turned { 4 - at } else { at }] += 1;
                        }
                        match test.verdict(&deals) {
                            Verdict::Undecided => {}
                            verdict => break verdict,
                        }
                    };
                    let score = score_after(&test, verdict, &deals, 16).unwrap();
                    let truth = if turned { 1.0 - mean } else { mean };
                    let (low, high) = score.interval.unwrap();
                    inside += i32::from(low <= truth && truth <= high);
                    above += i32::from(score.value > truth);
                }
                assert!(inside > 370, "{inside} of 400 hold {mean}");
                assert!((160..240).contains(&above), "{above} of 400 above {mean}");
            }
        }
    }

    #[test]
    fn undecided_tests_have_no_score() {
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
