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

/// A mean after the control variate is subtracted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ControlledMean {
    /// The mean with Student's t interval of the remaining variance.
    pub mean: Estimate,
    /// The share of the variance between deals that was removed. With 0.3, 30 % fewer deals are
    /// enough; below 0 the control variate did harm.
    pub saved: f64,
}

impl ControlSums {
    /// The coefficient of `f` for results less `centre`, by least squares; 0 if `f` never varied.
    /// The mean of `f` is known to be 0, so it is not fitted.
    fn slope(&self, centre: f64) -> f64 {
        let slope = (self.crossed as f64 - centre * self.sum as f64) / self.squares as f64;
        if self.squares == 0 { 0.0 } else { slope }
    }

    /// Returns the mean of `scale · x` after subtracting `c·f` from each deal, with the coefficient
    /// of all deals, for a jackknife over parts of them. `None` without deals.
    pub fn adjusted(&self, scale: f64) -> Option<f64> {
        let (n, sum) = (self.first.n as f64, self.first.sum as f64);
        let slope = self.slope(sum / n);
        (self.first.n > 0).then(|| (sum - slope * self.sum as f64) / n * scale)
    }

    /// Returns the same mean with an interval. The coefficient for one part of the deals is fitted
    /// on all other parts, so the estimate is unbiased. See Lavenberg and Welch, *A perspective on
    /// the use of control variables*, Management Science 27, 1981, and Avramidis and Wilson, *A
    /// splitting scheme for control variates*, Operations Research Letters 14, 1993.
    ///
    /// Returns `None` with fewer than two parts, if a part leaves fewer than four deals, or if
    /// nothing varied.
    pub fn mean(parts: &[ControlSums], scale: f64) -> Option<ControlledMean> {
        if parts.len() < 2 {
            return None;
        }
        let mut all = ControlSums { first: Moments::default(), sum: 0, squares: 0, crossed: 0 };
        for part in parts {
            all.first.merge(&part.first);
            all.sum += part.sum;
            all.squares = all.squares.saturating_add(part.squares);
            all.crossed = all.crossed.saturating_add(part.crossed);
        }
        let deals = all.first.n;
        let (mut sum, mut squares) = (0.0, 0.0);
        let centre = all.first.sum as f64 / deals.max(1) as f64;
        for part in parts {
            let others = deals - part.first.n;
            if others < 4 {
                return None;
            }
            let rest = ControlSums {
                sum: all.sum - part.sum,
                squares: all.squares - part.squares,
                crossed: all.crossed - part.crossed,
                ..all
            };
            let slope = rest.slope((all.first.sum - part.first.sum) as f64 / others as f64);
            let (n, own) = (part.first.n as f64, part.first.sum as f64);
            let explained = slope * part.sum as f64;
            // Centred on the common mean, so that no large numbers cancel.
            let about = own - n * centre;
            let plain = part.first.squares as f64 - 2.0 * centre * own + n * centre * centre;
            let cross = slope * (part.crossed as f64 - centre * part.sum as f64);
            sum += about - explained;
            squares += plain - 2.0 * cross + slope * slope * part.squares as f64;
        }
        let n = deals as f64;
        let left = ((squares - sum * sum / n) / (n - 1.0)).max(0.0);
        let plain = all.first.variance(1.0).filter(|v| *v > 0.0)?;
        let half = student_95(n - 1.0) * (left / n).sqrt() * scale;
        let mean = Estimate::symmetric((centre + sum / n) * scale, half);
        Some(ControlledMean { mean, saved: 1.0 - left / plain })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;

    /// Results that are thrice a known card value plus noise, in parts.
    fn parts(seed: u64, parts: usize, deals: usize) -> Vec<ControlSums> {
        let mut stream = Seed::new(seed).stream();
        let mut known = || i64::from(stream.below(13)) - 6;
        (0..parts)
            .map(|_| {
                let first = Moments::default();
                let mut part = ControlSums { first, sum: 0, squares: 0, crossed: 0 };
                for _ in 0..deals {
                    let (f, noise) = (known(), known() + known());
                    let x = 20 + 3 * f + 2 * noise;
                    part.first.add(x);
                    part.sum += f;
                    part.squares += f * f;
                    part.crossed += x * f;
                }
                part
            })
            .collect()
    }

    #[test]
    fn a_good_control_saves_its_share() {
        let parts = parts(1, 20, 500);
        let found = ControlSums::mean(&parts, 0.5).unwrap();
        // Variances 14·9 of what is known and 14·2·4 of the noise.
        assert!((found.saved - 9.0 / 17.0).abs() < 0.02, "{found:?}");
        let mut all = Moments::default();
        parts.iter().for_each(|p| all.merge(&p.first));
        let plain = all.mean(0.5).unwrap();
        let ratio = found.mean.half_width().unwrap() / plain.half_width().unwrap();
        assert!((ratio - (8.0f64 / 17.0).sqrt()).abs() < 0.02, "{ratio}");
    }

    #[test]
    fn the_interval_holds_the_truth_and_has_no_bias() {
        let runs: Vec<Estimate> = (0..400)
            .map(|seed| ControlSums::mean(&parts(seed, 8, 10), 1.0).unwrap().mean)
            .collect();
        let held = runs.iter().filter(|mean| !mean.excludes(20.0)).count();
        // 95 % of 400 with three deviations to either side.
        assert!((366..=393).contains(&held), "{held}");
        let mean = runs.iter().map(|mean| mean.value).sum::<f64>() / 400.0;
        assert!((mean - 20.0).abs() < 0.2, "{mean}");
    }

    #[test]
    fn one_coefficient_for_all_deals_gives_nearly_the_same_mean() {
        let parts = parts(1, 20, 500);
        let split = ControlSums::mean(&parts, 1.0).unwrap().mean;
        let whole = parts.into_iter().reduce(|mut sum, part| {
            sum.first.merge(&part.first);
            sum.sum += part.sum;
            sum.squares += part.squares;
            sum.crossed += part.crossed;
            sum
        });
        let adjusted = whole.unwrap().adjusted(1.0).unwrap();
        assert!((adjusted - split.value).abs() < 0.1 * split.half_width().unwrap(), "{adjusted}");
    }

    #[test]
    fn what_cannot_be_fitted_is_none() {
        assert_eq!(ControlSums::mean(&[], 1.0), None);
        assert_eq!(ControlSums::mean(&parts(1, 1, 100), 1.0), None);
        assert_eq!(ControlSums::mean(&parts(1, 2, 3), 1.0), None);
        let mut still = parts(1, 4, 50);
        for part in &mut still {
            part.first = Moments { n: 50, sum: 100, squares: 200 };
            part.crossed = 2 * part.sum;
        }
        assert_eq!(ControlSums::mean(&still, 1.0), None);
    }
}
