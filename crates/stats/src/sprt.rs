//! The generalized sequential probability ratio test of strength.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use parlour_base::maths::exact::{ln, pow, square};

/// The unit of the hypotheses of a sequential test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EloScale {
    /// Elo points: a score of `1 / (1 + 10^(−elo/400))`.
    #[default]
    Logistic,
    /// Normalized Elo: the distance of the mean score from ½ in standard deviations of one game,
    /// times `800 / ln 10`. A difference then needs the same number of deals in every game.
    Normalized,
}

/// The largest Elo of a hypothesis.
const MOST: f64 = 1000.0;

/// The count of an outcome that never happened, as in fishtest and fastchess.
const NEVER: f64 = 1e-3;

/// The verdict of a sequential test so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// No decision yet.
    Undecided,
    /// At most elo0; wrong with a probability of at most about beta.
    Lower,
    /// At least elo1; wrong with a probability of at most about alpha.
    Upper,
}

/// The generalized sequential probability ratio test of `elo = elo0` against `elo = elo1`.
///
/// Observations are deals, by their score over all seatings. For two seats these are the five
/// outcomes 0, ½, 1, 1½, 2 of a deal played in both orders (pentanomial), so that luck shared by
/// the seatings cancels. The log-likelihood ratio replaces the unknown true distributions by the
/// most likely ones under each hypothesis (Wald 1945; Van den Bergh, *Comparing the approximations
/// for the generalized log likelihood ratio of a multinomial distribution* and *Comments on
/// normalized Elo*, 2020-21, the tests of fishtest and fastchess). The test ends when the ratio
/// leaves its bounds.
///
/// The counts must be those of a prefix of the deals in their order. An ordinary interval ignores
/// the stop and is slightly too optimistic; the score that a report prints accounts for it.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Sprt {
    /// The lower hypothesis, in Elo: the first strategy is at most this much stronger.
    pub elo0: f64,
    /// The upper hypothesis.
    pub elo1: f64,
    /// The rate of accepting the upper hypothesis if the lower is true.
    #[serde(default = "five_percent")]
    pub alpha: f64,
    /// The rate of accepting the lower hypothesis if the upper is true.
    #[serde(default = "five_percent")]
    pub beta: f64,
    /// The unit of the hypotheses [default: `logistic`].
    #[serde(default, skip_serializing_if = "is_logistic")]
    pub scale: EloScale,
}

/// The default is not written.
fn is_logistic(scale: &EloScale) -> bool {
    *scale == EloScale::Logistic
}

const fn five_percent() -> f64 {
    0.05
}

impl Sprt {
    /// Returns the faults of the hypotheses and error rates, a sentence each.
    pub fn faults(&self) -> Vec<String> {
        let Sprt { elo0, elo1, alpha, beta, .. } = *self;
        let far = |elo: &f64| !(-MOST..=MOST).contains(elo);
        let no_rate = |x: &f64| !(*x > 0.0 && *x < 1.0);
        let rates = [alpha, beta];
        let mut faults = Vec::new();
        for elo in [elo0, elo1].into_iter().filter(far) {
            faults.push(format!("{elo} Elo is not between −{MOST} and {MOST}"));
        }
        // Hypotheses out of range are not compared.
        if faults.is_empty() && elo0 >= elo1 {
            faults.push(format!("elo0 must be below elo1, but {elo0} is not below {elo1}"));
        }
        for rate in rates.into_iter().filter(no_rate) {
            faults.push(format!("alpha and beta must lie between 0 and 1, but {rate} does not"));
        }
        if !rates.iter().any(no_rate) && alpha + beta >= 1.0 {
            faults.push(format!(
                "alpha ({alpha}) and beta ({beta}) together must be below 1, or the test decides \
                 before the first deal; 0.05 for each is usual"
            ));
        }
        faults
    }

    /// Returns the log-likelihood ratios at which the test ends: `ln(β/(1 − α))` and `ln((1 −
    /// β)/α)`.
    pub fn bounds(&self) -> (f64, f64) {
        (ln(self.beta / (1.0 - self.alpha)), ln((1.0 - self.beta) / self.alpha))
    }

    /// Returns the mean scores of a deal under the hypotheses. The score of a deal has this
    /// deviation and at most `top` half points.
    pub(super) fn scores(&self, deviation: f64, top: f64) -> (f64, f64) {
        let score = |elo: f64| match self.scale {
            EloScale::Logistic => expected(elo),
            EloScale::Normalized => 0.5 + normalized(elo, top) * deviation,
        };
        (score(self.elo0), score(self.elo1))
    }

    /// Returns the log-likelihood ratio of elo1 against elo0.
    ///
    /// `deals[i]` counts the deals that scored `i` half points over all seatings, so there are
    /// `2·seatings + 1` entries: five for two seats. Without deals the ratio is 0.
    pub fn llr(&self, deals: &[u64]) -> f64 {
        if deals.len() < 3 || deals.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts: Vec<f64> = deals.iter().map(|&c| (c as f64).max(NEVER)).collect();
        let total: f64 = counts.iter().sum();
        let top = (deals.len() - 1) as f64;
        let seen: Vec<(f64, f64)> =
            counts.iter().enumerate().map(|(i, c)| (i as f64 / top, c / total)).collect();
        let likeliest = |elo: f64| match self.scale {
            EloScale::Logistic => with_mean(&seen, expected(elo)),
            EloScale::Normalized => with_standard_score(&seen, normalized(elo, top)),
        };
        let (lower, upper) = (likeliest(self.elo0), likeliest(self.elo1));
        let ratio: f64 = seen
            .iter()
            .zip(lower.iter().zip(&upper))
            .map(|((_, p), (p0, p1))| p * (ln(*p1) - ln(*p0)))
            .sum();
        if ratio.is_finite() { total * ratio } else { 0.0 }
    }

    /// Returns the verdict after these deals (see [`Sprt::llr`]).
    pub fn verdict(&self, deals: &[u64]) -> Verdict {
        let (lower, upper) = self.bounds();
        match self.llr(deals) {
            llr if llr <= lower => Verdict::Lower,
            llr if llr >= upper => Verdict::Upper,
            _ => Verdict::Undecided,
        }
    }
}

/// Returns the mean score at a difference in Elo.
fn expected(elo: f64) -> f64 {
    1.0 / (1.0 + pow(10.0, -elo / 400.0))
}

/// Returns the distance of the mean from ½ at a normalized Elo, in deviations of a deal's score.
fn normalized(elo: f64, top: f64) -> f64 {
    elo * std::f64::consts::LN_10 / 800.0 * (top / 2.0).sqrt()
}

/// Returns the most likely distribution with this mean (Van den Bergh, Proposition 1.1).
fn with_mean(seen: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let terms: Vec<(f64, f64)> = seen.iter().map(|(a, p)| (a - mean, *p)).collect();
    tilted(&terms).unwrap_or_else(|| seen.iter().map(|s| s.1).collect())
}

/// Returns `p / (1 + θ·g)` at the `θ` that solves `Σ p·g / (1 + θ·g) = 0`. Some `g` must be above 0
/// and some below.
fn tilted(terms: &[(f64, f64)]) -> Option<Vec<f64>> {
    let highest = terms.iter().map(|t| t.0).fold(f64::MIN, f64::max);
    let lowest = terms.iter().map(|t| t.0).fold(f64::MAX, f64::min);
    if highest <= 0.0 || lowest >= 0.0 {
        return None;
    }
    // The sum falls from +∞ to −∞ between these ends.
    let (mut a, mut b) = (-1.0 / highest, -1.0 / lowest);
    for _ in 0..200 {
        let middle = a + (b - a) / 2.0;
        let sum: f64 = terms.iter().map(|(g, p)| p * g / (1.0 + middle * g)).sum();
        if sum > 0.0 { a = middle } else { b = middle }
    }
    let theta = a + (b - a) / 2.0;
    Some(terms.iter().map(|(g, p)| p / (1.0 + theta * g)).collect())
}

/// Returns the most likely distribution with a mean this many of its deviations above ½ (Van den
/// Bergh, *Comments on normalized Elo*, section 4.1; a fixed point).
fn with_standard_score(seen: &[(f64, f64)], deviations: f64) -> Vec<f64> {
    let mut p = vec![1.0 / seen.len() as f64; seen.len()];
    for _ in 0..50 {
        let mean: f64 = seen.iter().zip(&p).map(|((a, _), p)| a * p).sum();
        let variance: f64 = seen.iter().zip(&p).map(|((a, _), p)| p * square(a - mean)).sum();
        let sigma = variance.sqrt();
        let terms: Vec<(f64, f64)> = seen
            .iter()
            .map(|(a, p)| {
                let bend = 1.0 + square((a - mean) / sigma);
                (a - 0.5 - deviations * sigma * bend / 2.0, *p)
            })
            .collect();
        let Some(next) = tilted(&terms) else { break };
        let moved = p.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        p = next;
        if moved < 1e-9 {
            break;
        }
    }
    p
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;

    fn test(elo0: f64, elo1: f64, scale: EloScale) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, scale }
    }

    fn llr(elo0: f64, elo1: f64, scale: EloScale, deals: &[u64]) -> f64 {
        test(elo0, elo1, scale).llr(deals)
    }

    #[test]
    fn ratios_match_fastchess() {
        // The values of fastchess's tests (app/tests/sprt_test.cpp), from fishtest. Losses, draws,
        // wins of single games; pairs by half points.
        use EloScale::{Logistic, Normalized};
        for (elo0, elo1, scale, deals, expected) in [
            (0.0, 2.0, Normalized, &[36027u64, 68692, 36433][..], 0.92),
            (-1.75, 0.25, Normalized, &[10650, 20431, 10871], 2.30),
            (0.0, 10.0, Normalized, &[0, 0, 4250], 120.56),
            (0.5, 2.5, Logistic, &[21184, 40708, 21404], -1.57),
            (0.0, 2.0, Logistic, &[57030, 106593, 57433], -2.59),
            (0.0, 2.0, Normalized, &[365, 16618, 36229, 16974, 390], 2.25),
            (-1.75, 0.25, Normalized, &[127, 4883, 10712, 5150, 104], 3.01),
            (0.0, 5.0, Normalized, &[0, 0, 0, 0, 5550], 111.82),
            (0.5, 2.5, Logistic, &[223, 9863, 21279, 10037, 246], -3.07),
            (0.0, 2.0, Logistic, &[871, 26175, 55983, 26678, 821], -4.98),
        ] {
            let found = llr(elo0, elo1, scale, deals);
            assert!(
                (found - expected).abs() < 0.01 * expected.abs().max(1.0),
                "{found} {expected}"
            );
        }
    }

    #[test]
    fn ratios_match_fishtest() {
        // fishtest's LLRcalc.py, run with SciPy.
        use EloScale::{Logistic, Normalized};
        for (elo0, elo1, scale, deals, expected) in [
            (0.0, 2.0, Normalized, [365, 16618, 36229, 16974, 390], 2.250_368),
            (0.0, 50.0, Normalized, [3, 20, 60, 45, 12], 6.401_222),
            (0.5, 2.5, Logistic, [223, 9863, 21279, 10037, 246], -3.074_126),
            (0.0, 50.0, Logistic, [3, 20, 60, 45, 12], 7.630_857),
            (-10.0, 30.0, Logistic, [1, 0, 4, 0, 7], 0.986_945),
        ] {
            let found = llr(elo0, elo1, scale, &deals);
            assert!((found - expected).abs() < 2e-5, "{found} {expected}");
        }
    }

    #[test]
    fn swapped_sides_give_opposite_ratios() {
        let deals = [3, 20, 60, 45, 12];
        let turned = [12, 45, 60, 20, 3];
        for scale in [EloScale::Logistic, EloScale::Normalized] {
            let sum = llr(-30.0, 10.0, scale, &deals) + llr(-10.0, 30.0, scale, &turned);
            assert!(sum.abs() < 1e-6, "{sum}");
        }
    }

    #[test]
    fn degenerate_tallies_are_defined() {
        for scale in [EloScale::Logistic, EloScale::Normalized] {
            let extreme = test(-1000.0, 1000.0, scale);
            let test = test(0.0, 5.0, scale);
            assert_eq!(test.llr(&[]), 0.0);
            assert_eq!(test.llr(&[0; 5]), 0.0);
            assert_eq!(test.verdict(&[0; 5]), Verdict::Undecided);
            assert!(test.llr(&[0, 0, 0, 0, 1000]) > 3.0);
            assert!(test.llr(&[1000, 0, 0, 0, 0]) < -3.0);
            for deals in [[1, 0, 0, 0, 0], [0, 0, 1, 0, 0], [u64::MAX / 8, 1, 1, 1, 1]] {
                assert!(extreme.llr(&deals).is_finite());
            }
        }
    }

    #[test]
    fn wrong_tests_are_refused() {
        let make = |elo0, elo1, alpha, beta| {
            Sprt { elo0, elo1, alpha, beta, scale: EloScale::Logistic }.faults().join("; ")
        };
        assert_eq!(make(5.0, 5.0, 0.05, 0.05), "elo0 must be below elo1, but 5 is not below 5");
        assert!(make(f64::NAN, 5.0, 0.05, 0.05).contains("is not between"));
        assert!(make(0.0, 5.0, 0.0, 0.05).contains("between 0 and 1"));
        let both = make(0.0, 5.0, 0.4, 0.6);
        assert!(both.contains("alpha (0.4) and beta (0.6) together must be below 1"), "{both}");
        let all = make(5.0, 0.0, -1.0, 2.0);
        for fault in ["5 is not below 0", "but -1 does not", "but 2 does not"] {
            assert!(all.contains(fault), "{all}");
        }
    }

    #[test]
    fn error_rates_hold() {
        // Pairs at exactly elo0 = 0: at most about alpha of the tests may end at the top.
        let test = Sprt { alpha: 0.1, beta: 0.1, ..test(0.0, 60.0, EloScale::Logistic) };
        let mut stream = Seed::new(5).stream();
        let (mut upper, mut decided) = (0, 0);
        for _ in 0..600 {
            let mut deals = [0; 5];
            for _ in 0..200 {
                for _ in 0..10 {
                    // 1, 2, 4, 2, 1 in ten.
                    let draw = stream.below(10);
                    deals[[0, 1, 1, 2, 2, 2, 2, 3, 3, 4][draw as usize]] += 1;
                }
                match test.verdict(&deals) {
                    Verdict::Undecided => continue,
                    Verdict::Lower => decided += 1,
                    Verdict::Upper => {
                        decided += 1;
                        upper += 1;
                    }
                }
                break;
            }
        }
        assert_eq!(decided, 600);
        assert!((20..=75).contains(&upper), "{upper} of 600");
    }
}
