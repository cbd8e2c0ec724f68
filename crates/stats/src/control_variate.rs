//! A control variate: a number with mean 0 that explains a part of a result.

use super::quantile::student_95;
use super::{Estimate, Moments};

/// Sums over deals of a result `x` and of a number `f` of each deal whose mean over all deals is 0.
#[derive(Clone, PartialEq, Debug)]
pub struct ControlSums {
    /// The results.
    pub first: Moments,
    /// Σf.
    pub sum: i64,
    /// Σf².
    pub squares: i64,
    /// Σxf.
    pub crossed: i64,
}

impl ControlSums {
    /// The coefficient of `f` by least squares, and the centred product of `x` and `f`. The mean of
    /// `f` is known to be 0, so it is not fitted.
    fn fit(&self) -> (f64, f64) {
        let centre = self.first.sum as f64 / self.first.n as f64;
        let crossed = self.crossed as f64 - centre * self.sum as f64;
        (if self.squares == 0 { 0.0 } else { crossed / self.squares as f64 }, crossed)
    }

    /// Returns the mean of `scale · x` after `c·f` is subtracted from each result (Lavenberg and
    /// Welch, *A perspective on the use of control variables*, Management Science 27, 1981). `None`
    /// without deals.
    pub fn mean(&self, scale: f64) -> Option<f64> {
        let sum = self.first.sum as f64 - self.fit().0 * self.sum as f64;
        (self.first.n > 0).then(|| sum / self.first.n as f64 * scale)
    }

    /// Returns the same mean with Student's t interval of the variance that is left.
    pub fn estimate(&self, scale: f64) -> Option<Estimate> {
        let mean = self.mean(scale)?;
        let spread = self.remaining().zip(self.first.variance(scale));
        Some(spread.map_or(Estimate::bare(mean), |(remaining, variance)| {
            let n = self.first.n as f64;
            Estimate::symmetric(mean, student_95(n - 2.0) * (remaining * variance / n).sqrt())
        }))
    }

    /// Returns the share of the variance between deals that is left. With 0.7, 30 % fewer deals are
    /// enough. `None` if nothing varied.
    pub fn remaining(&self) -> Option<f64> {
        let (slope, crossed) = self.fit();
        let n = self.first.n as f64;
        let plain = (n - 1.0) * self.first.variance(1.0).filter(|variance| *variance > 0.0)?;
        let explained = slope * crossed + (slope * self.sum as f64).powi(2) / n;
        Some((1.0 - explained / plain).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;

    const NONE: ControlSums =
        ControlSums { first: Moments { n: 0, sum: 0, squares: 0 }, sum: 0, squares: 0, crossed: 0 };

    /// Results that are thrice a known card value plus noise.
    fn sums(seed: u64, deals: usize) -> ControlSums {
        let mut stream = Seed::new(seed).stream();
        let mut known = || i64::from(stream.below(13)) - 6;
        let mut sums = NONE;
        for _ in 0..deals {
            let (f, noise) = (known(), known() + known());
            let x = 20 + 3 * f + 2 * noise;
            sums.first.add(x);
            sums.sum += f;
            sums.squares += f * f;
            sums.crossed += x * f;
        }
        sums
    }

    #[test]
    fn a_good_control_saves_its_share() {
        let sums = sums(1, 10_000);
        // Variances 14·9 of what is known and 14·2·4 of the noise.
        let remaining = sums.remaining().unwrap();
        assert!((remaining - 8.0 / 17.0).abs() < 0.02, "{remaining}");
        let plain = sums.first.mean(0.5).unwrap().half_width().unwrap();
        let ratio = sums.estimate(0.5).unwrap().half_width().unwrap() / plain;
        assert!((ratio - remaining.sqrt()).abs() < 0.001, "{ratio}");
    }

    #[test]
    fn the_interval_holds_the_truth_and_has_no_clear_bias() {
        let runs: Vec<Estimate> =
            (0..400).map(|seed| sums(seed, 80).estimate(1.0).unwrap()).collect();
        let held = runs.iter().filter(|mean| !mean.excludes(20.0)).count();
        // 95 % of 400 with three deviations to either side.
        assert!((366..=393).contains(&held), "{held}");
        let mean = runs.iter().map(|mean| mean.value).sum::<f64>() / 400.0;
        assert!((mean - 20.0).abs() < 0.2, "{mean}");
    }

    #[test]
    fn what_never_varied_explains_nothing() {
        assert_eq!((NONE.mean(1.0), NONE.remaining()), (None, None));
        let still = Moments { n: 50, sum: 100, squares: 200 };
        let sums = ControlSums { first: still, sum: 7, squares: 90, crossed: 14 };
        assert_eq!((sums.estimate(0.5), sums.remaining()), (Some(Estimate::bare(1.0)), None));
        let varied = Moments { n: 50, sum: 100, squares: 300 };
        let sums = ControlSums { first: varied, ..NONE };
        assert_eq!((sums.mean(0.5), sums.remaining()), (Some(1.0), Some(1.0)));
    }
}
